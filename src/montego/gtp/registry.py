"""The commands: plain functions in one dictionary, each with its usage and a text of help.

A module of :mod:`montego.gtp.commands` registers its functions when it is imported::

    @command("komi", "NUMBER", words=1)
    def komi(session: GtpSession, arguments: Arguments) -> None:
        '''Set the komi. Stones and moves stay.'''
        with session.player.alone() as game:
            game.komi = arguments.number(0)

A command returns the text of its reply, or None for an empty one. It raises :class:`GtpError`, or
any other ``GoError`` or ``MctsError``, to fail, and must then have changed nothing.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import GoError, InvalidColor
from montego.go.vocabulary.number import read_number, read_whole

SYNTAX_ERROR = "syntax error"
MANY = sys.maxsize
"""As many words as a client likes."""


class GtpError(GoError):
    """A command failed; the message is the reply. Whatever raised it has changed nothing."""


class Arguments:
    """What came after a command's name. Every method raises GtpError for what does not fit."""

    def __init__(self, text: str) -> None:
        self.text = text
        """As it came: file names may have blanks, chat has."""
        self.words = [word for word in text.split(" ") if word]
        """The same, split at blanks."""

    def __getitem__(self, index: int) -> str:
        """Return a word; GtpError if there are not that many."""
        try:
            return self.words[index]
        except IndexError:
            raise GtpError(SYNTAX_ERROR) from None

    def expect(self, least: int, most: int) -> None:
        """Check that there are *least* to *most* words."""
        if not least <= len(self.words) <= most:
            raise GtpError(SYNTAX_ERROR)

    def color(self, index: int) -> str:
        """Return ``"black"`` or ``"white"``."""
        try:
            return format_color(parse_color(self[index]))
        except InvalidColor:
            raise GtpError(SYNTAX_ERROR) from None

    def pairs(self) -> list[tuple[str, str]]:
        """Return all words as pairs of a color and what follows it."""
        if len(self.words) % 2:
            raise GtpError(SYNTAX_ERROR)
        return [(self.color(index), self[index + 1]) for index in range(0, len(self.words), 2)]

    def color_or_none(self) -> str | None:
        """Return the only word as a color; None if there is no word."""
        self.expect(0, 1)
        return self.color(0) if self.words else None

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


Run = TypeVar("Run", bound=Callable[..., str | None])


@dataclass(frozen=True)
class Entry:
    """One command and what people are told about it."""

    name: str
    usage: str
    """The arguments: capitals stand for values, brackets for what may be left out."""
    help: str
    """One or more sentences."""
    words: tuple[int, int] | None
    """How many words the arguments have, at least and at most, if others are a syntax error."""
    run: Callable[..., str | None]
    """Is called with the session and the :class:`Arguments`."""
    section: str
    """The module it stands in; the reference has a chapter for each."""
    listed: bool
    """Whether ``list_commands`` names it; known it is in any case."""

    @property
    def call(self) -> str:
        """The command with its arguments, as people are told to write it."""
        return f"{self.name} {self.usage}".rstrip()


COMMANDS: dict[str, Entry] = {}
"""Every command by its name, in the order of registration."""

MODULES = (
    "administration", "setup", "play", "tournament", "records", "settings", "analyze",
    "gogui", "servers", "debugging",
)  # fmt: skip  # A list to read, not a column.


def command(
    name: str,
    usage: str = "",
    help_text: str | None = None,
    *,
    words: int | tuple[int, int] | None = None,
    listed: bool = True,
    **settings: Any,
) -> Callable[[Run], Run]:
    """Register the function below under *name*; its docstring is the help if there is no other.

    Arguments of another number of *words*, if that is given, never reach it. One function may have
    several names, and is given the *settings* of the one it is called by.
    """

    def register(run: Run) -> Run:
        if name in COMMANDS:
            raise RuntimeError(f"the command {name} is registered twice")
        told = " ".join((run.__doc__ or "").split()) if help_text is None else help_text
        section = run.__module__.rpartition(".")[2]
        span = (words, words) if isinstance(words, int) else words
        COMMANDS[name] = Entry(name, usage, told, span, partial(run, **settings), section, listed)
        return run

    return register


def load_commands() -> dict[str, Entry]:
    """Import every module of commands and return the filled registry."""
    for module in MODULES:
        import_module(f"montego.gtp.commands.{module}")
    return COMMANDS
