"""The commands: plain functions in one dictionary, each with its usage and a text of help.

A module of :mod:`montego.gtp.commands` registers its functions when it is imported::

    @command("komi", "NUMBER", "Set the komi. Stones and moves stay.")
    def komi(session: Session, arguments: Arguments) -> None:
        arguments.expect(1)
        session.player.set_komi(arguments.number(0))

A command returns the text of its reply, or None for an empty one. It raises :class:`GtpError`, or
any ``GoError`` or ``MctsError``, to fail, and must then have changed nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import InvalidColor
from montego.go.vocabulary.number import read_number, read_whole
from montego.gtp.protocol import GtpError

if TYPE_CHECKING:
    from montego.gtp.session import Session

__all__ = ["COMMANDS", "Arguments", "Command", "Entry", "GtpError", "command", "load_commands"]

SYNTAX_ERROR = "syntax error"


class Arguments:
    """What came after a command's name. Every method raises GtpError for what does not fit."""

    def __init__(self, text: str) -> None:
        self.text = text
        """As it came: file names may have blanks, chat has."""
        self.words = [word for word in text.split(" ") if word]
        """The same, split at blanks."""

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, index: int) -> str:
        """Return a word; GtpError if there are not that many."""
        try:
            return self.words[index]
        except IndexError:
            raise GtpError(SYNTAX_ERROR) from None

    def expect(self, least: int, most: int | None = None) -> None:
        """Check that there are *least* to *most* words; without *most*, exactly *least*."""
        if not least <= len(self.words) <= (least if most is None else most):
            raise GtpError(SYNTAX_ERROR)

    def color(self, index: int) -> str:
        """Return ``"black"`` or ``"white"``."""
        try:
            return format_color(parse_color(self[index]))
        except InvalidColor:
            raise GtpError(SYNTAX_ERROR) from None

    def integer(self, index: int) -> int:
        """Return a whole number."""
        number = read_whole(self[index])
        if number is None:
            raise GtpError(SYNTAX_ERROR)
        return number

    def number(self, index: int, limit: float = math.inf) -> float:
        """Return a finite number; one beyond *limit* on either side is the limit."""
        number = read_number(self[index])
        number = math.copysign(limit, number) if abs(number) > limit else number
        if not math.isfinite(number):
            raise GtpError(SYNTAX_ERROR)
        return number


Command = Callable[["Session", Arguments], "str | None"]


@dataclass(frozen=True)
class Entry:
    """One command and what people are told about it."""

    name: str
    usage: str
    """The arguments: capitals stand for values, brackets for what may be left out."""
    help: str
    """One or more sentences."""
    run: Command
    section: str
    """The module it stands in; the reference has a chapter for each."""
    listed: bool
    """Whether ``list_commands`` names it; known it is in any case."""


COMMANDS: dict[str, Entry] = {}
"""Every command by its name, in the order of registration."""

MODULES = (
    "administration",
    "setup",
    "play",
    "clock",
    "scoring",
    "records",
    "rules",
    "parameters",
    "analyze",
    "explain",
    "book",
    "gogui",
    "servers",
    "debugging",
)


def command(
    name: str, usage: str, help_text: str, *, listed: bool = True
) -> Callable[[Command], Command]:
    """Register the function below under *name*. One function may have several names."""

    def register(run: Command) -> Command:
        if name in COMMANDS:
            raise RuntimeError(f"the command {name} is registered twice")
        section = run.__module__.rpartition(".")[2]
        COMMANDS[name] = Entry(name, usage, help_text, run, section, listed)
        return run

    return register


def load_commands() -> dict[str, Entry]:
    """Import every module of commands and return the filled registry."""
    for module in MODULES:
        import_module(f"montego.gtp.commands.{module}")
    return COMMANDS
