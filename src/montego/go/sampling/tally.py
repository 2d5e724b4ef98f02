"""Many playouts from one position, counted as they are played: scores, lengths, who has what.

One kernel for the CPU's threads (:mod:`montego.go.sampling.run`) and for the GPU's
(:mod:`montego.go.sampling.gpu`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.go.kernels.layout import EAST, NORTH, SOUTH, WEST
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, copy_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

MOVES = 0  # in totals: moves of all playouts


def playout_type(types: Any) -> Any:
    """Return Numba's type of a playout: ``(state, knowledge, scratch) -> score``."""
    return types.FunctionType(types.int64(types.int32[::1], types.float64[::1], types.uint64[::1]))


@kernel(inline=True)
def owner_at(state: State, point: int) -> int:
    """Return 1 for a point of Black's at the end of a playout, -1 for White's, 0 for nobody's.

    From the colors alone: a stone is its own, an empty point is the color's all around it, as the
    uniform playout counts.
    """
    # A wall is both colors at once, as bits.
    held = int(state[point])
    if held == EMPTY:
        north, south = point - NORTH, point + SOUTH
        held = int(state[north] & state[point - WEST] & state[point + EAST] & state[south])
    return (held & BLACK) // BLACK - (held & WHITE) // WHITE


@kernel(
    signature=lambda types: types.void(
        playout_type(types),
        types.int32[::1],
        types.int32[::1],
        types.float64[::1],
        types.uint64[::1],
        types.uint64[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64[::1],
        types.int64,
    )
)
def tally_playouts(
    playout: Callable[[State, Knowledge, Scratch], int],
    base: State,
    work: State,
    knowledge: Knowledge,
    scratch: Scratch,
    points: NDArray[Any],
    owners: NDArray[Any],
    frequency: NDArray[Any],
    totals: NDArray[Any],
    count: int,
) -> None:
    """Play *count* games from *base*, and add what came of them.

    *frequency* counts scores, the middle one being 0, those beyond its ends at the ends: prisoners
    can be more than the board has points. ``totals[MOVES]`` counts moves; and *owners*, for
    each of *points*, 1 for each game in which Black has it and -1 for White's. *points* may be
    empty. *work* holds the last final position afterwards.
    """
    middle = len(frequency) // 2
    for _ in range(count):
        copy_state(base, work)
        score = int(playout(work, knowledge, scratch))
        frequency[middle + min(max(score, -middle), middle)] += 1
        totals[MOVES] += int(scratch[LENGTH])
        for index in range(len(points)):
            owners[index] += owner_at(work, Index(points[index]))
