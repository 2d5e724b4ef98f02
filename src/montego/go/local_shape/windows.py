"""Where local shapes lie on a board, how they are numbered, and which of them are the same.

A *window* is a square of 1x1, 2x2 or 3x3 points of the board; a *shape* is what stands in it. A
shape's *code* has a digit to the base of 3 for each of the points, the upper left one the lowest:
0 for an empty point, 1 for a stone of the player who has just moved, 2 for one of the other's.
So the colors may be exchanged, and shapes and codes stay what they are.

A shape counts twice: as the one at its place, which it shares with the seven others that the
symmetries of the board make of both, and as the one at any place, in any of the eight orientations.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.kernels.layout import all_points, state_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIDES = (1, 2, 3)
"""How long the sides of windows are."""

SHARING = sum(side * side for side in SIDES)
"""Windows that a point in the middle of the board is in."""

CODES = tuple(3 ** (side * side) for side in SIDES)
"""How many shapes there are for each side."""


SYMMETRIES = 8


class Window(NamedTuple):
    """A square of the board, by its upper left point; rows count from the top."""

    row: int
    column: int
    side: int


class Windows(NamedTuple):
    """The windows of a board as kernels take them."""

    first: NDArray[Any]
    """Window: where its shapes begin among all shapes at places."""
    kind: NDArray[Any]
    """Window: where those of its side begin among the shapes at any place."""
    members: NDArray[Any]
    """Number of a point times SHARING, and up to SHARING more: a window that it is in, or one
    behind the last."""
    powers: NDArray[Any]
    """The same: the power of 3 that the point's digit has there; 0 in none."""
    number: NDArray[Any]
    """Point of a state: its number on the board, as a diagram is read."""
    points: NDArray[Any]
    """The inverse: number of a point on the board: the point."""


@cache
def list_windows(size: int) -> tuple[Window, ...]:
    """Return all windows of a board in the order of their numbers: small ones first, row by row."""
    return tuple(
        Window(row, column, side)
        for side in SIDES
        for row in range(size - side + 1)
        for column in range(size - side + 1)
    )


def count_located(size: int) -> int:
    """Return how many shapes at places there are on a board."""
    return sum(CODES[window.side - 1] for window in list_windows(size))


@cache
def windows_of(size: int) -> Windows:
    """Return the windows of a board for kernels; behind the last there is one for none."""
    windows = list_windows(size)
    starts = np.cumsum([0, *(CODES[window.side - 1] for window in windows)])
    kinds = np.cumsum([0, *CODES])
    members = np.full((size * size, SHARING), len(windows), np.int32)
    powers = np.zeros((size * size, SHARING), np.int32)
    taken = np.zeros(size * size, np.int64)
    for number, (row, column, side) in enumerate(windows):
        for cell in range(side * side):
            point = (row + cell // side) * size + column + cell % side
            members[point, taken[point]] = number
            powers[point, taken[point]] = 3**cell
            taken[point] += 1
    made = Windows(
        first=starts.astype(np.int32),
        kind=np.array([*(kinds[window.side - 1] for window in windows), 0], np.int32),
        members=members.reshape(-1),
        powers=powers.reshape(-1),
        number=np.zeros(state_length(size), np.int32),
        points=np.array(list(all_points(size)), np.int32),
    )
    made.number[made.points] = np.arange(size * size, dtype=np.int32)
    for array in made:
        array.setflags(write=False)
    return made


def turned(row: int, column: int, side: int, symmetry: int) -> tuple[int, int]:
    """Return where a cell of a square of that side goes by one of the eight symmetries."""
    if symmetry & 4:
        row, column = column, row
    if symmetry & 2:
        row = side - 1 - row
    if symmetry & 1:
        column = side - 1 - column
    return row, column


@cache
def turned_codes(side: int, symmetry: int) -> NDArray[np.int32]:
    """Return what a symmetry makes of each code."""
    codes = np.arange(3 ** (side * side), dtype=np.int32)
    turned_to = np.zeros_like(codes)
    for cell in range(side * side):
        row, column = turned(cell // side, cell % side, side, symmetry)
        turned_to += codes // 3**cell % 3 * 3 ** (row * side + column)
    return turned_to


class WeightSharing(NamedTuple):
    """Which weight each shape has; those that are the same share one."""

    located: NDArray[np.int32]
    """Shape at a place: its weight."""
    free: NDArray[np.int32]
    """Shape at any place: its weight; they come behind those of shapes at places."""
    weights: int
    """Weights in all, one for no shape at all included: it comes last."""


@cache
def sharing_of(size: int) -> WeightSharing:
    """Return which weights the shapes of a board have."""
    windows = list_windows(size)
    first = windows_of(size).first
    by_place = {window: number for number, window in enumerate(windows)}
    same = np.full(count_located(size), np.iinfo(np.int32).max, np.int32)
    for number, (row, column, side) in enumerate(windows):
        mine = same[first[number] : first[number + 1]]
        for symmetry in range(SYMMETRIES):
            # The upper left point of the square is another cell's after a turn.
            corners = [
                turned(row + down, column + right, size, symmetry)
                for down in (0, side - 1)
                for right in (0, side - 1)
            ]
            other = by_place[Window(min(corners)[0], min(column for _, column in corners), side)]
            np.minimum(mine, first[other] + turned_codes(side, symmetry), out=mine)
    kinds, located = np.unique(same, return_inverse=True)
    free, count = [], len(kinds)
    for side in SIDES:
        alike = np.min([turned_codes(side, symmetry) for symmetry in range(SYMMETRIES)], axis=0)
        kinds, shared = np.unique(alike, return_inverse=True)
        free.append(shared.astype(np.int32) + np.int32(count))
        count += len(kinds)
    made = WeightSharing(located.astype(np.int32), np.concatenate(free), count + 1)
    made.located.setflags(write=False)
    made.free.setflags(write=False)
    return made


def expand(size: int, weights: NDArray[Any]) -> NDArray[np.float64]:
    """Return what each shape at a place says, all in all: by its place, and at any place."""
    sharing, kind, first = sharing_of(size), windows_of(size).kind, windows_of(size).first
    worth = weights[sharing.located].astype(np.float64)
    anywhere = weights[sharing.free].astype(np.float64)
    for number, window in enumerate(list_windows(size)):
        begin = kind[number]
        worth[first[number] : first[number + 1]] += anywhere[begin : begin + CODES[window.side - 1]]
    return worth
