"""How a subcommand is declared: what ``--help`` says, the arguments, the function to run.

A declaration is argparse, said shortly.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Namespace = argparse.Namespace
Run = Callable[[Namespace], int | None]
"""Carries a command out and returns the exit status; None is success."""
Argument = Callable[[argparse.ArgumentParser], object]
"""Adds an argument, or several of them, to a parser."""


@dataclass(frozen=True)
class Command:
    """A subcommand, as argparse is told about it."""

    description: str
    arguments: tuple[Argument, ...]
    run: Run | None = None
    """What carries it out; None if one of its subcommands does."""
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
