"""A position drawn into an array of colors, for Go, Hex, Connect 4 and tic-tac-toe.

A picture is an array of shape (height, width, 3). Edges are smooth: a pixel that a stone covers in
part is mixed of both colors. The last move has a dot, and coordinates stand around the board, in
as much room as a row of cells has.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.web.pictures.lettering import cover

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from montego.web.messages.replies import Position
    from montego.web.messages.requests import GameKind

    Picture = NDArray[np.float64]

Color = tuple[int, int, int]

MOST_PIXELS = 640
"""Of the longer side of a picture."""
LARGEST_CELL = 56
"""Pixels; cells are an even number of them wide."""

LETTER = 0.3
"""Height of a coordinate, in cells."""
LEAST_LETTER = 8.0
"""Pixels that people can read."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LETTERS_OF_GO = "ABCDEFGHJKLMNOPQRSTUVWXYZ"  # Without I, which looks like 1.
_BLACK: Color = (24, 24, 26)
_WHITE: Color = (250, 249, 244)


class GameColors(NamedTuple):
    """The colors of a game."""

    board: Color
    lines: Color
    first: Color
    """Of Black's stones, or the first player's."""
    second: Color


GAME_COLORS: dict[str, GameColors] = {
    "go": GameColors((227, 184, 112), (92, 66, 24), _BLACK, _WHITE),
    "hex": GameColors((238, 233, 222), (176, 168, 150), (190, 58, 48), (44, 92, 168)),
    "connect-four": GameColors((38, 74, 140), (24, 50, 100), (200, 56, 46), (240, 196, 52)),
    "tic-tac-toe": GameColors((247, 245, 240), (120, 116, 108), (190, 58, 48), (44, 92, 168)),
}


def draw(kind: GameKind, position: Position, *, coordinates: bool = True) -> NDArray[np.uint8]:
    """Return the picture of a position.

    With *coordinates* there is a cell's width around the board, where they are written.

    Raises:
        ValueError: If the game has no board that is known here: one's own.
    """
    if kind not in GAME_COLORS or not position.cells:
        raise ValueError("only the game itself knows what its board looks like")
    width, height = position.width, position.height
    half_shift = int(kind == "hex")  # Rows of Hex are half a cell further right each.
    around = int(coordinates)
    halves = 2 * (width + 2 * around) + half_shift * (height - 1)
    cell = cell_size(kind, position, coordinates=coordinates)
    picture = np.empty(((height + 2 * around) * cell, halves * cell // 2, 3), dtype=np.uint8)
    picture[:] = GAME_COLORS[kind].board
    if coordinates:
        for row, column, text in _coordinates(kind, width, height):
            left, top = (column + 1) * cell + half_shift * row * cell // 2, (row + 1) * cell
            place = picture[top : top + cell, left : left + cell]
            place[:] = _label(kind, text, place.shape[1], cell)
    stars = set(star_points(width)) if kind == "go" else set()
    for index, found in enumerate(position.cells):
        row, column = divmod(index, width)
        left = (column + around) * cell + half_shift * row * cell // 2
        top = (row + around) * cell
        sides = (column > 0, column < width - 1, row > 0, row < height - 1)
        is_last = found != "." and _is_last(kind, position, column, row)
        picture[top : top + cell, left : left + cell] = _cell(
            kind, cell, found, sides, is_last=is_last, is_star=(column, row) in stars
        )
    return picture


def cell_size(kind: GameKind, position: Position, *, coordinates: bool = True) -> int:
    """Return how many pixels a cell has in the picture of a position: an even number."""
    around = 2 * int(coordinates)
    columns, rows = position.width + around, position.height + around
    halves = 2 * columns + (position.height - 1 if kind == "hex" else 0)
    return 2 * min(LARGEST_CELL // 2, MOST_PIXELS // max(halves, 2 * rows))


def _coordinates(kind: GameKind, width: int, height: int) -> Iterator[tuple[int, int, str]]:
    """Yield row, column and text of what is written around a board, whose first cell is 0, 0."""
    if kind == "connect-four":
        for column in range(width):
            yield height, column, str(column + 1)
        return
    for column in range(width):
        for row in (-1, height):
            yield row, column, (_LETTERS_OF_GO if kind == "go" else _LETTERS)[column]
    for row in range(height):
        for column in (-1, width):
            yield row, column, str(row + 1 if kind == "hex" else height - row)


@cache
def _label(kind: GameKind, text: str, width: int, height: int) -> NDArray[np.uint8]:
    """Return the picture of a coordinate."""
    colors = GAME_COLORS[kind]
    ink = _mixed(colors.lines, _WHITE if kind == "connect-four" else _BLACK, 0.6)
    share = cover(text, width, height, max(LETTER * height, LEAST_LETTER))[..., None]
    picture = np.array(colors.board) * (1.0 - share) + np.array(ink) * share
    return np.rint(picture).astype(np.uint8)


@cache
def _cell(  # What a cell looks like depends on nothing else.
    kind: GameKind,
    size: int,
    found: str,
    sides: tuple[bool, bool, bool, bool],
    *,
    is_last: bool,
    is_star: bool,
) -> NDArray[np.uint8]:
    """Return the picture of one cell; *sides* tells where others are: left, right, above, below."""
    colors, middle = GAME_COLORS[kind], size / 2
    picture = np.empty((size, size, 3))
    picture[:] = colors.board
    _draw_lines(picture, kind, sides)
    if is_star:
        _disc(picture, middle, middle, 0.1 * size, colors.lines)
    if found != ".":
        color = colors.first if found == "X" else colors.second
        _disc(picture, middle, middle, 0.47 * size, _mixed(color, colors.lines, 0.25))
        _disc(picture, middle, middle, 0.45 * size, color)
    elif kind in ("hex", "connect-four"):
        _disc(picture, middle, middle, 0.42 * size, colors.lines)
    if is_last:
        _disc(picture, middle, middle, 0.14 * size, _WHITE if found == "X" else _BLACK)
    return np.rint(picture).astype(np.uint8)


def _draw_lines(picture: Picture, kind: GameKind, sides: tuple[bool, bool, bool, bool]) -> None:
    """Draw the grid: through the middle of points in Go, between cells in tic-tac-toe."""
    size = len(picture)
    line, thick, half = np.array(GAME_COLORS[kind].lines), max(1, size // 24), size // 2
    left, right, above, below = sides
    if kind == "go":
        picture[half : half + thick, 0 if left else half : size if right else half + thick] = line
        picture[0 if above else half : size if below else half + thick, half : half + thick] = line
    elif kind == "tic-tac-toe":
        for is_there, part in (
            (left, np.s_[:, :thick]),
            (right, np.s_[:, size - thick :]),
            (above, np.s_[:thick, :]),
            (below, np.s_[size - thick :, :]),
        ):
            if is_there:
                picture[part] = line


def star_points(size: int) -> list[tuple[int, int]]:
    """Return where a board of Go has its dots, as columns and rows."""
    if size < 7:
        return []
    edge, middle = (2 if size < 12 else 3), size // 2
    corners = [(x, y) for x in (edge, size - 1 - edge) for y in (edge, size - 1 - edge)]
    if size % 2 == 0:
        return corners
    sides = [(edge, middle), (size - 1 - edge, middle), (middle, edge), (middle, size - 1 - edge)]
    return [*corners, (middle, middle), *(sides if size >= 15 else [])]


def _is_last(kind: GameKind, position: Position, column: int, row: int) -> bool:
    """Say whether a stone is the last move."""
    last = position.last
    if last is None:
        return False
    if kind == "connect-four":
        lowest = next(
            (place for place in range(position.height) if _at(position, column, place) != "."),
            position.height,
        )
        return str(column + 1) == last and row == lowest
    letters = _LETTERS_OF_GO if kind == "go" else _LETTERS
    number = row + 1 if kind == "hex" else position.height - row
    return f"{letters[column]}{number}" == last


def _at(position: Position, column: int, row: int) -> str:
    return position.cells[row * position.width + column]


def _disc(picture: Picture, x: float, y: float, radius: float, color: Color) -> None:
    """Fill a disc; pixels at its edge are mixed."""
    left, right = max(int(x - radius) - 1, 0), int(x + radius) + 2
    top, bottom = max(int(y - radius) - 1, 0), int(y + radius) + 2
    part = picture[top:bottom, left:right]
    rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
    distance = np.sqrt((columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2)
    share = np.clip(radius - distance + 0.5, 0.0, 1.0)[..., None]
    part[:] = part * (1.0 - share) + np.array(color) * share


def _mixed(one: Color, other: Color, share: float) -> Color:
    mixed = [round(a * (1 - share) + b * share) for a, b in zip(one, other, strict=True)]
    return mixed[0], mixed[1], mixed[2]
