"""Key positions: which moves are tried first where nothing is known yet (004, 4.3.4).

Every point has a category from 0 to 8: 8 on the key points, and less with the distance to the
nearest. The order of first visits is drawn: a category by a Bézier curve that favors the high ones,
then one of its moves at random. A search follows that order with ``move_order="game"``, an infinite
first-play urgency and no priors.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.kernels.layout import HEADER, LINE, ROW, SIZE, all_points, coordinates_of
from montego.go.vocabulary.vertex import MAX_SIZE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import RANDOM, advance, draw_below, room_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch, State

BEST = 8
CATEGORIES = BEST + 1

# Control points of the curve from a random number to a category: half of the first visits go to the
# upper two. The document leaves them open.
CONTROL = ((0.0, 0.0), (0.1, 5.0), (0.3, 7.0), (1.0, float(CATEGORIES)))
PRECISION = 1024  # intervals of the curve, which is found by search in a table

_TRIES = 16  # Draws of a category that may turn out to be used up.


@cache
def category_of(column: int, row: int, size: int) -> int:
    """Return how good a place is by itself, from 0 in the corner to 8 on a key point.

    Columns and rows count from 0. On 19x19 this is the document's figure 4.20, with eight key
    points on the fifth lines and halfway between them; other sizes are in proportion.
    """
    low = round((size - 1) * 4 / 18)
    middle = {(size - 1) // 2, size // 2}
    lines = {low, size - 1 - low, *middle}
    distance = min(
        abs(column - x) + abs(row - y)
        for x in lines
        for y in lines
        if not (x in middle and y in middle) or lines == middle
    )
    return max(0, round(BEST - BEST * distance / max(2 * low, 1)))


@cache
def bezier_points(
    control: tuple[tuple[float, float], ...] = CONTROL, count: int = PRECISION
) -> tuple[tuple[float, float], ...]:
    """Return *count* points of the cubic Bézier curve with four control points, sorted by x."""
    found = []
    for number in range(count):
        t = number / (count - 1)
        shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        found.append(
            (
                sum(share * x for share, (x, _) in zip(shares, control, strict=True)),
                sum(share * y for share, (_, y) in zip(shares, control, strict=True)),
            )
        )
    return tuple(sorted(found))


def category_for(x: float) -> int:
    """Return the category that a number from 0 to 1 stands for."""
    points = bezier_points()
    place = max(bisect_right(points, (x, float("inf"))) - 1, 0)
    return min(int(points[place][1]), BEST)


_CURVE_X = np.array([x for x, _ in bezier_points()])
_CURVE_Y = np.array([y for _, y in bezier_points()])


def key_positions_room(size: int) -> int:
    """Return the scratch space that :func:`order_by_key_positions` needs behind the trace."""
    return 2 * CATEGORIES + size * size


def _category_table() -> NDArray[np.uint8]:
    """Return the categories of all points of all sizes: by size, then by line and place in it."""
    table = np.zeros((MAX_SIZE + 1, LINE * LINE), np.uint8)
    for size in range(2, MAX_SIZE + 1):
        for point in all_points(size):
            line, place = divmod(point - HEADER, ROW)
            table[size, line * LINE + place] = category_of(*coordinates_of(point, size), size)
    return table


_TABLE = _category_table()


@kernel(inline=True)
def category_at(state: State, point: int) -> int:
    """Return the category of a point of the board."""
    offset = Index(point) - Index(HEADER)
    place = (offset // Index(ROW)) * Index(LINE) + offset % Index(ROW)
    return Index(_TABLE[Index(state[SIZE]), place])


@kernel(inline=True)
def draw_category(scratch: Scratch) -> int:
    """Draw a category; as :func:`category_for` of a random number, by binary search."""
    random = advance(Index(scratch[RANDOM]))
    scratch[RANDOM] = random
    x = float(random >> Index(32)) / 4294967296.0
    below, beyond = Index(0), Index(len(_CURVE_X))
    while beyond - below > Index(1):
        middle = (below + beyond) >> Index(1)
        if _CURVE_X[middle] <= x:
            below = middle
        else:
            beyond = middle
    return min(Index(int(_CURVE_Y[below])), Index(BEST))


@kernel
def order_by_key_positions(state: State, scratch: Scratch, moves: NDArray[Any], count: int) -> None:
    """Put the first *count* moves, points all of them, into an order drawn by their categories."""
    ends = room_of(scratch)
    nexts = ends + Index(CATEGORIES)
    sorted_moves = nexts + Index(CATEGORIES)

    # A random order, which each category keeps.
    for rank in range(count - 1, 0, -1):
        other = int(draw_below(scratch, Index(rank + 1)))
        moves[rank], moves[other] = moves[other], moves[rank]

    # Sort by category, by counting.
    for category in range(CATEGORIES):
        scratch[ends + Index(category)] = 0
    for rank in range(count):
        scratch[ends + category_at(state, moves[rank])] += Index(1)
    total = Index(0)
    for category in range(CATEGORIES):
        scratch[nexts + Index(category)] = total
        total += Index(scratch[ends + Index(category)])
        scratch[ends + Index(category)] = total
    for rank in range(count):
        category = category_at(state, moves[rank])
        scratch[sorted_moves + Index(scratch[nexts + category])] = moves[rank]
        scratch[nexts + category] += Index(1)
    for category in range(CATEGORIES - 1, 0, -1):
        scratch[nexts + Index(category)] = scratch[ends + Index(category - 1)]
    scratch[nexts] = 0

    # Draw. A category that is used up is drawn again; after some tries the best one left is taken.
    for rank in range(count):
        category = draw_category(scratch)
        tries = 0
        while scratch[nexts + category] == scratch[ends + category]:
            if tries < _TRIES:
                category = draw_category(scratch)
            else:
                category = Index(BEST) if tries == _TRIES else category - Index(1)
            tries += 1
        moves[rank] = scratch[sorted_moves + Index(scratch[nexts + category])]
        scratch[nexts + category] += Index(1)
