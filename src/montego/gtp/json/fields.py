"""The fields of a JSON query, read by name and kind; whatever does not fit names its field."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import GoError, InvalidColor
from montego.go.vocabulary.vertex import format_vertex, parse_vertex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_EXPLICIT = re.compile(r"\(([0-9]{1,2}),\s*([0-9]{1,2})\)")


class InvalidQuery(GoError):  # noqa: N818  # Named as the errors of montego.go are.
    """A query that cannot be answered; ``field`` says where the trouble is."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.field = name


class FieldReader:
    """The fields of an object: each is asked for by name and kind, and the rest are unknown."""

    def __init__(self, fields: dict[str, Any], unused: Iterable[str] = ()) -> None:
        """*unused* names fields that are known, but that nobody will ask for."""
        self.fields = fields
        self._used = set(unused)

    def optional(self, name: str, parse: Callable[[Any], Any]) -> Any:
        """Return what *parse* makes of a field; None if it is missing."""
        self._used.add(name)
        if name not in self.fields:
            return None
        try:
            return parse(self.fields[name])
        except InvalidQuery:
            raise
        except GoError as error:
            raise InvalidQuery(str(error), name) from None

    def needed(self, name: str) -> None:
        """Check that a field is there."""
        if name not in self.fields:
            raise InvalidQuery(f"the field {name} is missing", name)

    def text(self, name: str) -> str:
        """Return a text that must be there."""
        self.needed(name)
        value = self.optional(name, lambda value: value)
        if not isinstance(value, str):
            raise InvalidQuery(f"{name} must be a text", name)
        return value

    def flag(self, name: str) -> bool:
        """Return whether a field is there and true."""
        value = self.optional(name, lambda value: value)
        if value is not None and not isinstance(value, bool):
            raise InvalidQuery(f"{name} must be true or false", name)
        return bool(value)

    def number(self, name: str, least: float, most: float) -> float | None:
        """Return a number that is at least *least*; one beyond *most* is *most*."""
        number: float | None = self.optional(name, lambda value: read_number(value, least, most))
        return number

    def list_of(self, name: str, parse: Callable[[Any], Any], *, needed: bool = False) -> list[Any]:
        """Return what *parse* makes of each element of a list; nothing if there is no list."""
        if needed:
            self.needed(name)

        def parse_all(values: Any) -> list[Any]:
            if not isinstance(values, list):
                raise GoError(f"{name} must be a list")
            return [parse(value) for value in values]

        return self.optional(name, parse_all) or []

    def unknown(self) -> list[tuple[str, str]]:
        """Return a warning for each field that nobody asked for."""
        return [
            (name, "unknown field, of no effect") for name in self.fields if name not in self._used
        ]


def read_pair(value: Any, size: int) -> tuple[str, str]:
    """Return color and vertex of a pair such as ``["B", "D4"]``."""
    if not isinstance(value, list) or len(value) != 2:
        raise GoError('must be pairs such as ["B","D4"]')
    return read_color(value[0]), read_vertex(value[1], size)


def read_color(value: Any) -> str:
    """Return ``"black"`` or ``"white"``."""
    if not isinstance(value, str):
        raise InvalidColor("a color is B or W")
    return format_color(parse_color(value))


def read_vertex(value: Any, size: int) -> str:
    """Return a vertex as we write it, from ours or from ``(column,row)`` counted from the top."""
    if not isinstance(value, str):
        raise GoError("a vertex is a text such as D4, or pass")
    match = _EXPLICIT.fullmatch(value.strip())
    if match is None:
        return format_vertex(parse_vertex(value, size))
    column, row = int(match[1]), size - 1 - int(match[2])
    if not (column < size and row >= 0):
        raise GoError(f"{value}: off the {size}x{size} board")
    return format_vertex((column, row))


def read_whole(value: Any, least: int, most: int) -> int:
    """Return a whole number within bounds."""
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    if isinstance(value, float) and value.is_integer():
        number = int(value)
    if number is None or not least <= number <= most:
        raise GoError(f"must be a whole number from {least} to {most}")
    return number


def read_number(value: Any, least: float, most: float, *, whole: bool = False) -> float:
    """Return a number that is at least *least*; one beyond *most* is *most*."""
    fits = isinstance(value, (int, float)) and not isinstance(value, bool)
    if fits and isinstance(value, float):
        fits = not math.isnan(value) and (not whole or value.is_integer())
    if not fits or value < least:
        kind = "a whole number" if whole else "a number"
        raise GoError(f"must be {kind} of at least {least:g}")
    return float(min(value, most))
