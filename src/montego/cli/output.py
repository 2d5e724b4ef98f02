"""What commands print: JSON, tables as text, live tables and progress bars.

Rich is loaded when it is needed: it takes longer to import than most commands take to answer.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import RenderableType

    from montego.cli.command import Namespace


def print_json(document: object, indent: int | None = 2) -> None:
    """Print a document as JSON; characters that the output may not know are escaped."""
    is_unicode = (sys.stdout.encoding or "").lower() in ("utf-8", "utf8")
    sys.stdout.write(json.dumps(document, ensure_ascii=not is_unicode, indent=indent) + "\n")


def print_result(options: Namespace, document: object, text: str, indent: int | None = 2) -> None:
    """Print *document* as JSON if ``--json`` asks for it, else *text*."""
    if options.json:
        print_json(document, indent)
    else:
        sys.stdout.write(text)


def tell(text: str) -> None:
    """Write a line to standard error at once."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def amount(number: int, thing: str) -> str:
    """Return ``"1 game"``, ``"2,000 games"``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def plain_text(*parts: RenderableType, width: int = 120) -> str:
    """Return tables and texts of rich as they are printed where there are no colors."""
    from rich.console import Console

    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None, force_terminal=False)
    console.print(*parts, sep="\n")
    return stream.getvalue()


@contextmanager
def live_display(per_second: float) -> Iterator[Callable[[RenderableType], None] | None]:
    """Yield what shows a table on standard error as it changes; None if that is no terminal."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with Live(console=console, refresh_per_second=per_second) as live:
        yield live.update


@contextmanager
def progress_bar(title: str, *, enabled: bool = True) -> Iterator[Callable[[float, str], None]]:
    """Show a bar while the block runs; call what it yields with the part done and a label.

    On a standard error that is no terminal nothing is drawn.
    """
    if not enabled:
        yield lambda _part, _label: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[label]}"),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bars:
        task = bars.add_task(title, total=1.0, label="")
        yield lambda part, label: bars.update(task, completed=part, label=label)
