"""The progress bar on standard error, for commands that take long."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress_bar(title: str, *, enabled: bool = True) -> Iterator[Callable[[float, str], None]]:
    """Show a bar while the block runs; call what it yields with the part done and a label.

    On a standard error that is no terminal nothing is drawn.
    """
    if not enabled:
        yield lambda _part, _label: None
        return
    # Loaded here: rich takes longer to import than most commands take to answer.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

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
