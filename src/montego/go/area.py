"""Connected areas of a board, found by flood fill, for scoring and for questions of life.

A *grid* is a dictionary from coordinates (column, row), column 0 at the left and row 0 at the
bottom, to EMPTY, BLACK or WHITE. It is small, plain Python, and takes about a millisecond on
19x19: nothing here is for playouts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

Coordinates = tuple[int, int]


class Area(NamedTuple):
    """A maximal connected set of points, and the points next to it."""

    points: frozenset[Coordinates]
    border: frozenset[Coordinates]


def to_grid(rows: Sequence[Sequence[int]]) -> dict[Coordinates, int]:
    """Return the grid of *rows* (top row first, as ``Board.rows()`` gives them)."""
    return {
        (column, row): color
        for row, line in enumerate(reversed(rows))
        for column, color in enumerate(line)
    }


def neighbors(point: Coordinates) -> Iterator[Coordinates]:
    """Yield the four points beside *point*, on the board or not."""
    column, row = point
    yield column - 1, row
    yield column + 1, row
    yield column, row - 1
    yield column, row + 1


def area_of(
    grid: Mapping[Coordinates, int], start: Coordinates, belongs: Callable[[int], bool]
) -> Area:
    """Return what is connected to *start* over points whose color *belongs*."""
    inside, border, waiting = {start}, set(), [start]
    while waiting:
        for near in neighbors(waiting.pop()):
            if near in inside or near not in grid:
                continue
            if belongs(grid[near]):
                inside.add(near)
                waiting.append(near)
            else:
                border.add(near)
    return Area(frozenset(inside), frozenset(border))


def areas(grid: Mapping[Coordinates, int], colors: Collection[int]) -> list[Area]:
    """Return the connected areas made of any of *colors*, taken together.

    ``areas(grid, [BLACK])`` are Black's chains, ``areas(grid, [EMPTY])`` the empty regions,
    ``areas(grid, [EMPTY, WHITE])`` the regions that Black's stones enclose.
    """
    found: list[Area] = []
    seen: set[Coordinates] = set()
    for point, color in grid.items():
        if color in colors and point not in seen:
            area = area_of(grid, point, colors.__contains__)
            seen |= area.points
            found.append(area)
    return found
