"""What is wrong with a message of a page, in a sentence for people.

Our own page sends no such messages; but people write programs, and programs have bugs. The
validator's words name types of Python, and nobody who clicks on a board should read them.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

_NAMES = {
    "size": "the size of the board",
    "komi": "the komi",
    "handicap": "the handicap",
    "rules": "the rule set",
    "kind": "the kind of game",
    "black": "Black's player",
    "white": "White's player",
    "mode": "the mode",
    "strength": "the strength",
    "strength.level": "the level",
    "strength.simulations": "the number of simulations",
    "strength.seconds": "the time for a move in seconds",
    "clock": "the clock",
    "clock.kind": "the time system",
    "clock.main": "the main time in seconds",
    "clock.period": "the time of a period in seconds",
    "clock.periods": "the number of periods",
    "game": "the name of the game",
    "node": "the number of the move in the tree",
    "move": "the move",
    "moves": "the list of moves",
    "settings": "the choice of board, rules and komi",
    "vertex": "the point",
    "name": "the name",
    "text": "the comment",
    "type": "the kind of message",
}
"""Fields as people call them; others go by their own name."""

_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "object": "an object with fields",
    "array": "a list",
}

_PLACE = re.compile(r" - at `\$\.?(?P<path>.*)`$")
_MISSING = re.compile(r"Object missing required field `(?P<field>.*)`")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<field>.*)`")
_BOUND = re.compile(r"Expected `(?:int|float)` (?P<sign>[<>]=?) (?P<bound>\S+)")
_LENGTH = re.compile(r"Expected `str` of length (?P<sign>[<>]=) (?P<bound>\d+)")
_TYPE = re.compile(r"Expected `(?P<types>[^`]*)`")
_SIGNS = {"<=": "at most", ">=": "at least", "<": "less than", ">": "more than"}


class _Numbered(msgspec.Struct):
    """The part of a message that tells which one it is."""

    request: int = 0


_NUMBERED: msgspec.json.Decoder[_Numbered] = msgspec.json.Decoder(_Numbered)
_MOST_NUMBER = 2**53  # Beyond it JavaScript's numbers are not whole.


def complain(error: Exception) -> str:
    """Return a sentence about a message that could not be understood."""
    if not isinstance(error, msgspec.ValidationError):
        return "The server could not read a message of the page: it is not valid JSON."
    words = str(error)
    path = ""
    if (place := _PLACE.search(words)) is not None:
        path, words = place["path"], words[: place.start()]
    if (missing := _MISSING.match(words)) is not None:
        return f"A message of the page lacks {_name(path + '.' + missing['field'])}."
    if (unknown := _UNKNOWN.match(words)) is not None:
        return f"A message of the page has a field that does not belong there: {unknown['field']}."
    if not path:
        return "The server could not read a message of the page: it is not an object with a type."
    if path == "type":
        return "The server does not know this kind of message; try to reload the page."
    name = _name(path)
    return f"{name[:1].upper()}{name[1:]} {_demand(words)}."


def as_sentence(text: str) -> str:
    """Return the message of an error as a sentence of its own."""
    text = text.strip() or "that cannot be done"
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1] in '.!?' else '.'}"


def request_number(data: str | bytes) -> int:
    """Return the number that a page gave its message, if that much can be read; else 0."""
    try:
        number = _NUMBERED.decode(data).request
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return 0
    return number if abs(number) <= _MOST_NUMBER else 0


def number_of(request: Any) -> int:
    """Return the number of a message that was understood, as far as a reply can repeat it."""
    number: int = request.request
    return number if abs(number) <= _MOST_NUMBER else 0


def _name(path: str) -> str:
    path = path.strip(".")
    return _NAMES.get(path) or _NAMES.get(path.rpartition(".")[2]) or f"the field {path[:40]}"


def _demand(words: str) -> str:
    if (bound := _BOUND.match(words)) is not None:
        return f"must be {_SIGNS[bound['sign']]} {float(bound['bound']):g}"
    if (length := _LENGTH.match(words)) is not None:
        if length["sign"] == ">=":
            return "must not be empty"
        return f"must not be longer than {length['bound']} characters"
    if "matching regex" in words:
        return "is not one that this server gives"
    if words.startswith("Invalid enum value"):
        return "is none that this server knows"
    if "out of range" in words:
        return "is too large a number"
    if (kind := _TYPE.match(words)) is not None:
        allowed = [_TYPES[word] for word in kind["types"].split(" | ") if word in _TYPES]
        if allowed:
            return f"must be {' or '.join(allowed)}"
    return "is not what it should be"
