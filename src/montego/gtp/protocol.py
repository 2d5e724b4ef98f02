"""The text of the Go Text Protocol, version 2: lines are read, and answers become replies.

Lines are bytes outside and text inside. Bytes that are not UTF-8 travel as lone surrogates
(``surrogateescape``), so that whatever a client sent comes back to it unchanged. Nothing here
knows what a command means.
"""

from __future__ import annotations

import re
from typing import NamedTuple

INTERRUPT = "# interrupt"
LONGEST_BUG = 200
"""Characters of a bug's message that a client is told."""

_CONTROL = {code: None for code in (*range(32), 127) if chr(code) != "\t"}
_CONTROL_BUT_NEWLINE = {code: None for code in _CONTROL if chr(code) != "\n"}

# Of a line without blanks at its ends. Nothing in it is tried twice: lines may be of any length.
_LINE = re.compile(r"(?:(?P<id>[0-9]+)(?: +|$))?(?P<name>[^ ]*) *(?P<text>.*)")


class CommandLine(NamedTuple):
    """A command as a client sent it."""

    id: str
    """The digits in front of the command, or nothing."""
    name: str
    """The command. Empty if there was an id only."""
    text: str
    """Everything after the command, without blanks at its ends; words are split by blanks."""


def decode_line(line: bytes) -> str:
    """Return a line of input as text, without control characters; tabs become blanks.

    Comments are still there: see :func:`is_interrupt` and :func:`parse_line`.
    """
    return line.decode("utf-8", "surrogateescape").translate(_CONTROL).replace("\t", " ")


def encode(text: str) -> bytes:
    """Return the bytes of *text*, those of the client's own that were not UTF-8 included."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # A surrogate that did not come from decode_line: from JSON, say.
        return text.encode("utf-8", "backslashreplace")


def is_interrupt(line: str) -> bool:
    """Say whether a decoded line asks the running command to finish early (GoGui's comment)."""
    return line.strip(" ").lower() == INTERRUPT


def parse_line(line: str) -> CommandLine | None:
    """Return the command on a decoded line; None if there is nothing but blanks and comment."""
    line = line.partition("#")[0].strip(" ")
    if not line:
        return None
    match = _LINE.fullmatch(line)
    assert match is not None  # noqa: S101  # The pattern takes every line.
    return CommandLine(match["id"] or "", match["name"], match["text"])


def format_reply(request_id: str, text: str | None = None, *, success: bool = True) -> str:
    """Return the whole reply, its empty line at the end included.

    Empty lines inside *text* would end the reply too early, so they are left out; a *text* that
    begins with a newline begins on the line after the sign.
    """
    sign = "=" if success else "?"
    body = format_body(text or "")
    if not body:
        return f"{sign}{request_id}\n\n"
    separator = "\n" if text and text.startswith("\n") else " "
    return f"{sign}{request_id}{separator}{body}\n\n"


def format_body(text: str) -> str:
    """Return *text* as it may stand in a reply: no empty lines, no control characters but tabs."""
    lines = text.translate(_CONTROL_BUT_NEWLINE).split("\n")
    return "\n".join(line.rstrip(" ") for line in lines if line.strip(" \t"))


def bug_text(error: Exception) -> str:
    """Return what a client is told of an error that nobody foresaw: one line."""
    message = " ".join(str(error).split())[:LONGEST_BUG]
    return f"internal error: {type(error).__name__}{': ' if message else ''}{message}"
