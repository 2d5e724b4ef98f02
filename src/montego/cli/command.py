"""What all subcommands share: how they are declared, and how they report.

A declaration is argparse, said shortly: what ``--help`` says, the arguments, the function to run.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import RenderableType

Run = Callable[[argparse.Namespace], int]
Argument = Callable[[argparse.ArgumentParser], object]
"""Adds an argument, or several of them, to a parser."""


@dataclass(frozen=True)
class Command:
    """A subcommand, as argparse is told about it."""

    description: str
    arguments: tuple[Argument, ...]
    run: Run | None = None
    """Carries it out and returns the exit status; None if one of its subcommands does."""
    epilog: str | None = None
    usage: str | None = None

    def declare(self, parser: argparse.ArgumentParser) -> None:
        """Make *parser* the one of this command."""
        parser.description, parser.epilog = self.description, self.epilog
        parser.usage = self.usage
        for add in self.arguments:
            add(parser)
        if self.run is not None:
            parser.set_defaults(run=self.run)


def command(
    description: str, *arguments: Argument, epilog: str | None = None, usage: str | None = None
) -> Callable[[Run], Command]:
    """Make a command of the function below."""
    return lambda run: Command(description, arguments, run, epilog, usage)


def argument(
    spelling: str, purpose: str, **settings: Any
) -> Callable[[argparse._ActionsContainer], object]:
    """Return an argument as ``--help`` shows it: ``"--depth N"``, or ``"--json"`` for a switch.

    One that is not a flag has its attribute's name first: ``"moves MOVE"``. A number's type is that
    of its default. *settings* are those of :meth:`argparse.ArgumentParser.add_argument`.
    """
    words = spelling.split()
    names = [word for word in words if word.startswith("-")] or words[:1]
    values = words[len(names) :]
    if len(values) > 1:
        settings |= {"nargs": len(values), "metavar": tuple(values)}
    elif values:
        settings["metavar"] = values[0]
    elif names[0].startswith("-"):
        settings["action"] = "store_true"
    if isinstance(settings.get("default"), int | float):
        settings["type"] = type(settings["default"])
    return lambda parser: parser.add_argument(*names, help=purpose, **settings)


def one_of(*arguments: Callable[[argparse._ActionsContainer], object]) -> Argument:
    """Return arguments of which only one may be given."""

    def add(parser: argparse.ArgumentParser) -> None:
        alternatives = parser.add_mutually_exclusive_group()
        for add_one in arguments:
            add_one(alternatives)

    return add


def group(
    description: str,
    title: str,
    metavar: str,
    parts: Mapping[str, tuple[str, Command]],
    epilog: str | None = None,
) -> Command:
    """Return a command that is a choice of others: by name, what each is for, and itself."""

    def add(parser: argparse.ArgumentParser) -> None:
        choice = parser.add_subparsers(title=title, metavar=metavar, required=True)
        for name, (purpose, part) in parts.items():
            part.declare(choice.add_parser(name, help=purpose))

    return Command(description, (add,), epilog=epilog)


def print_json(document: object, indent: int | None = 2) -> None:
    """Print a document as JSON; characters that the output may not know are escaped."""
    is_unicode = (sys.stdout.encoding or "").lower() in ("utf-8", "utf8")
    sys.stdout.write(json.dumps(document, ensure_ascii=not is_unicode, indent=indent) + "\n")


def print_result(
    options: argparse.Namespace, document: object, text: str, indent: int | None = 2
) -> None:
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


# Rich is loaded when it is needed: it takes longer to import than most commands take to answer.


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
