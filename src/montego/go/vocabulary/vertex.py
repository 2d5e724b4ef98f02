"""The text of points: vertices such as ``D4``, and the two letters of SGF.

Three ways to name the lower left corner and its neighbors on a 9x9 board:

    coordinates   vertex   SGF
    (0, 0)        A1       ai
    (1, 0)        B1       bi
    (0, 1)        A2       ah
    None          pass     (nothing), or tt up to 19x19

Coordinates are (column, row) from zero; row 0 is the bottom row. Columns have no letter I.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar, cast

from montego.go.vocabulary.errors import InvalidSize, InvalidVertex, OffBoard

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")

MIN_SIZE, MAX_SIZE = 2, 25
COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

_SGF_LETTERS = "abcdefghijklmnopqrstuvwxy"
_VERTEX = re.compile(r"([A-Za-z])([0-9]{1,3})")


def check_size(size: int) -> int:
    """Return *size* as an int.

    Raises:
        InvalidSize: If it is not a whole number from 2 to 25.
    """
    try:
        number = size.__index__()  # Takes NumPy's integers too, and no floats or texts.
    except (AttributeError, TypeError):
        number = 0
    if isinstance(size, bool) or not MIN_SIZE <= number <= MAX_SIZE:
        raise InvalidSize(f"invalid board size {_shown(size)}: say a whole number from 2 to 25")
    return number


def parse_vertex(text: str, size: int) -> tuple[int, int] | None:
    """Return the coordinates that *text* names, or None for ``pass``.

    Case and blanks around the text do not matter.

    Raises:
        InvalidVertex: If it names no point of a board of that size.
    """
    if not isinstance(text, str):
        raise InvalidVertex(f"{_shown(text)}: not a vertex; say one such as D4, or pass")
    word = text.strip()
    if word.lower() == "pass":
        return None
    match = _VERTEX.fullmatch(word)
    if match is None:
        raise InvalidVertex(f"{_shown(text)}: not a vertex; say one such as D4, or pass")
    letter = match[1].upper()
    if letter == "I":
        raise InvalidVertex(f"{word}: the letter I is not used; columns go from H to J")
    column, row = COLUMN_LETTERS.index(letter), int(match[2]) - 1
    if not (column < size and 0 <= row < size):
        raise OffBoard(f"{word}: off the {size}x{size} board")
    return column, row


def vertex_list(vertices: Iterable[T]) -> list[T]:
    """Return *vertices* as a list; a text alone is a list of one. What is in it is not checked.

    Raises:
        InvalidVertex: If it is no list of anything.
    """
    if isinstance(vertices, str):
        return [cast("T", vertices)]
    try:
        return list(vertices)
    except TypeError:
        raise InvalidVertex(f"{_shown(vertices)}: a list of vertices is wanted here") from None


def format_vertex(coordinates: tuple[int, int] | None) -> str:
    """Return the vertex of *coordinates*, or ``pass`` for None."""
    if coordinates is None:
        return "pass"
    column, row = coordinates
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def parse_sgf_point(text: str, size: int) -> tuple[int, int] | None:
    """Return the coordinates of an SGF move, or None for a pass.

    A pass is the empty text, and ``tt`` where that is no point of the board. Capitals are columns
    beyond 26, so they are off every board here.

    Raises:
        InvalidVertex: If it names no point of a board of that size.
    """
    if text == "" or (text == "tt" and size <= 19):
        return None
    if not (len(text) == 2 and text.isascii() and text.isalpha()):
        raise InvalidVertex(f"{_shown(text)}: not a point; SGF writes two letters such as dd")
    column, line = (ord(letter) - ord("a") for letter in text)
    if not (0 <= column < size and 0 <= line < size):
        raise OffBoard(f"{text}: off the {size}x{size} board")
    return column, size - 1 - line


def format_sgf_point(coordinates: tuple[int, int] | None, size: int) -> str:
    """Return the two letters of *coordinates*, or the empty text for a pass."""
    if coordinates is None:
        return ""
    column, row = coordinates
    return _SGF_LETTERS[column] + _SGF_LETTERS[size - 1 - row]


def star_points(size: int) -> list[tuple[int, int]]:
    """Return the coordinates of the dots drawn on a board, the bottom row first.

    Corner dots stand on the fourth line from 13x13 and on the third down to 7x7; odd boards have a
    center, from 3x3; and from 17x17 the middles of the sides.
    """
    edge = 3 if size >= 13 else 2
    corners = (edge, size - 1 - edge) if size >= 7 else ()
    middle = (size // 2,) if size % 2 and size >= 3 else ()
    if size >= 17:
        lines = sorted((*corners, *middle))
        return [(column, row) for row in lines for column in lines]
    points = [(column, row) for row in corners for column in corners]
    points += [(line, line) for line in middle]
    return sorted(points, key=lambda point: (point[1], point[0]))


def _shown(value: object) -> str:
    """Return *value* as error messages quote it: no longer than a line can bear."""
    text = value if isinstance(value, str) and value.isprintable() and value else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
