"""Boards as text, in and out.

A diagram is a list of rows from top to bottom, each a list of EMPTY, BLACK or WHITE from left to
right: what one sees. It knows no captures and no ko; any pattern of stones may be drawn.
"""

from __future__ import annotations

import re
from string import digits
from typing import TYPE_CHECKING

from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import InvalidDiagram
from montego.go.vocabulary.vertex import COLUMN_LETTERS, MAX_SIZE, MIN_SIZE, star_points

if TYPE_CHECKING:
    from collections.abc import Sequence

_MEANING = {
    **dict.fromkeys("Xx#@●", BLACK),
    **dict.fromkeys("Oo○", WHITE),
    **dict.fromkeys(".+,", EMPTY),
}
_SYMBOL = {EMPTY: ".", BLACK: "X", WHITE: "O"}
_MARKED = re.compile(r"\(\s*([^\s()])\s*\)")


def parse_diagram(text: str) -> list[list[int]]:
    """Return the rows of the board drawn in *text*, from top to bottom.

    ``X``, ``#``, ``@`` and ``●`` are black, ``O`` and ``○`` white, ``.``, ``+`` and ``,`` empty.
    Blanks, empty lines, column letters, row numbers and parentheses around one point may be there
    or not; which point was in parentheses is not told.

    Raises:
        InvalidDiagram: If it is no square board from 2x2 to 25x25; the message names the line.
    """
    if not isinstance(text, str):
        raise InvalidDiagram(f"a diagram is a text, not {type(text).__name__}")
    rows: list[list[int]] = []
    numbers: list[tuple[int, str]] = []  # the line and what is written beside each row
    for line_number, line in enumerate(text.splitlines(), 1):
        squashed = "".join(line.split())
        if not squashed or _is_column_letters(squashed):
            continue
        row = line.strip()
        points = row.strip(digits)
        rows.append([_color(symbol, line_number) for symbol in _unmarked(points)])
        if len(rows[-1]) != len(rows[0]):
            raise InvalidDiagram(
                f"line {line_number}: {_points(len(rows[-1]))}, but the first row has "
                f"{_points(len(rows[0]))}"
            )
        numbers.append((line_number, row.removesuffix(row.lstrip(digits))))
        numbers.append((line_number, row.removeprefix(row.rstrip(digits))))
    if not rows:
        raise InvalidDiagram("the diagram has no rows")
    size = len(rows)
    if len(rows[0]) != size:
        raise InvalidDiagram(f"{size} rows of {_points(len(rows[0]))}: a board must be square")
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise InvalidDiagram(f"{size}x{size}: a board has from 2x2 to 25x25 points")
    for index, (line_number, number) in enumerate(numbers):
        if number and number != str(size - index // 2):
            raise InvalidDiagram(
                f"line {line_number}: numbered {number}, but it is row {size - index // 2}"
            )
    return rows


def _is_column_letters(squashed: str) -> bool:
    # No stone is written A, so a first letter A cannot begin a row.
    return squashed.upper() == COLUMN_LETTERS[: len(squashed)]


def _unmarked(points: str) -> str:
    return "".join(_MARKED.sub(r"\1", points).split())


def _color(symbol: str, line_number: int) -> int:
    color = _MEANING.get(symbol)
    if color is None:
        raise InvalidDiagram(
            f"line {line_number}: {symbol!r} is no point; use X for black, O for white, . for empty"
        )
    return color


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def format_diagram(
    rows: Sequence[Sequence[int]], *, last: tuple[int, int] | None = None, coordinates: bool = True
) -> str:
    """Return a picture of *rows* that ``parse_diagram`` reads back, without a final newline.

    The point *last*, (column, row) from the lower left, stands in parentheses; star points that
    are empty show as ``+``.
    """
    size = len(rows)
    margin = len(str(size))
    stars = set(star_points(size))
    lines = []
    for index, colors in enumerate(rows):
        row = size - 1 - index
        points = "".join(
            f" {'+' if color == EMPTY and (column, row) in stars else _SYMBOL[color]}"
            for column, color in enumerate(colors)
        )
        points += " "
        if last is not None and last[1] == row:
            before = 2 * last[0]
            points = f"{points[:before]}({points[before + 1]}){points[before + 3 :]}"
        lines.append(f"{row + 1:{margin}}{points}{row + 1}" if coordinates else points.rstrip())
    if coordinates:
        letters = f"{'':{margin}} " + " ".join(COLUMN_LETTERS[:size])
        return "\n".join([letters, *lines, letters])
    if all(line.startswith(" ") for line in lines):
        lines = [line[1:] for line in lines]
    return "\n".join(lines)
