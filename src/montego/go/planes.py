"""What a network is shown of a position of Go: sixteen pictures of the board.

::

     0       stones of the player to move
     1       stones of the opponent
     2 -  5  of the player's stones, those of chains with 1, 2, 3, more liberties
     6 -  9  of the opponent's stones, the same
    10       the point barred by ko
    11, 12   the last move and the one before, where they were stones
    13       everywhere 1 if the last move was a pass
    14       everywhere the komi, from the player's side, in tens of points
    15       everywhere 1

Each is *size* by *size* numbers, row by row, the top row first, as a diagram is read.

Why these. Liberties decide fights, and to count them along a chain takes a convolution a step; the
position knows its chains. Ko cannot be seen in the stones; suicide can, in the liberties around a
point, so illegal points are not shown. The last two moves say where the fight is, which is worth
more to a small net than older ones would be; a search cannot know more of the past than its state
says, either. One pass may be answered by the last. Komi makes one net good for every komi and
handicap; in tens of points it is about as large as everything else. The plane of ones lets a
convolution see the edge, where it is padded with zeros. Sizes are not told apart: nothing here
depends on how large the board is, so one net can play on all of them.

Change anything of this, and VERSION: nets that exist have learned to read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.kernels.layout import (
    AROUND,
    AROUND_EMPTY,
    BEFORE_LAST,
    EAST,
    HEAD,
    HEADER,
    KO,
    LAST,
    NEXT,
    NORTH,
    ONE,
    PASS,
    PASSES,
    ROW,
    SIZE,
    SOUTH,
    TO_PLAY,
    WEST,
    all_points,
    state_length,
)
from montego.go.playout.knowledge import KOMI
from montego.go.vocabulary.color import EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

PLANES = 16
VERSION = 1
KOMI_SCALE = 10.0  # Points of komi that are shown as 1.
MANY = 4  # Liberties are told apart up to here.

_LIBERTIES = Index(2)  # the first plane of the player's liberties; the opponent's follow
_KO, _LAST, _BEFORE_LAST = Index(10), Index(11), Index(12)
_PASSED, KOMI_PLANE, _ONES = Index(13), Index(14), Index(15)
_MANY = Index(MANY)
_ZERO = Index(0)


@kernel
def write_planes(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,  # noqa: ARG001
    planes: NDArray[Any],
) -> int:
    """Show a position to the player to move: PLANES times size times size numbers.

    Komi is ``knowledge[KOMI]``. Returns 0: the board is never turned. Changes nothing else.
    """
    size, to_play = Index(state[SIZE]), int(state[TO_PLAY])
    area = size * size
    komi = float(knowledge[KOMI]) / KOMI_SCALE
    for number in range(_PASSED * area):
        planes[Index(number)] = 0.0
    passed = 1.0 if state[PASSES] > 0 else 0.0
    for number in range(area):
        cell = Index(number)
        planes[_PASSED * area + cell] = passed
        planes[KOMI_PLANE * area + cell] = komi if to_play == WHITE else -komi
        planes[_ONES * area + cell] = 1.0
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for place in range(ONE, size + ONE):
            point = row + Index(place)
            color = int(state[point])
            # Chains are shown from their heads, so that liberties are counted once.
            if color != EMPTY and Index(state[point + HEAD]) == point:
                side = _ZERO if color == to_play else ONE
                liberties = Index(count_liberties(state, point)) - ONE
                plane = (_LIBERTIES + side * _MANY + liberties) * area
                stone = point
                while True:
                    cell = cell_of(stone, size)
                    planes[side * area + cell] = 1.0
                    planes[plane + cell] = 1.0
                    stone = Index(state[stone + NEXT])
                    if stone == point:
                        break
    mark(planes, _KO * area, Index(state[KO]), size)
    mark(planes, _LAST * area, Index(state[LAST]), size)
    mark(planes, _BEFORE_LAST * area, Index(state[BEFORE_LAST]), size)
    return 0


@kernel(inline=True)
def mark(planes: NDArray[Any], plane: int, point: int, size: int) -> None:
    """Show a point, if it is one, in the plane that begins at that index."""
    if point != PASS:
        planes[plane + cell_of(point, size)] = 1.0


@kernel(inline=True)
def cell_of(point: int, size: int) -> int:
    """Return the number of a point, row by row from the top left."""
    offset = point - Index(HEADER)
    line, place = offset // Index(ROW), offset % Index(ROW)
    return (line - ONE) * size + place - ONE


@kernel
def count_liberties(state: State, head: int) -> int:
    """Return how many liberties the chain with that head has, MANY standing for more."""
    first, second, third = PASS, PASS, PASS
    count = 0
    at = head
    while True:
        if state[at + AROUND] >= AROUND_EMPTY:
            for near in (at - NORTH, at - WEST, at + EAST, at + SOUTH):
                if state[near] == EMPTY and near != first and near != second and near != third:  # noqa: PLR1714  # Numba has no sets of these.
                    count += 1
                    if count == MANY:
                        return MANY
                    first, second, third = near, first, second
        at = Index(state[at + NEXT])
        if at == head:
            return count


def outputs_of(size: int) -> NDArray[np.int32]:
    """Return, by move, the output that stands for it: its cell, and behind them the pass.

    Moves are points of the flat board, and PASS; other integers up to the length of a state have
    -1.
    """
    outputs = np.full(state_length(size), -1, np.int32)
    for cell, point in enumerate(all_points(size)):
        outputs[point] = cell
    outputs[int(PASS)] = size * size
    return outputs
