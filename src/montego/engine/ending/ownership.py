"""Whose point is it? Playouts to the end, counted point by point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.kernels.flood import FIRST_MARK, MARK, flood
from montego.go.kernels.layout import PASSES, SIZE, all_points
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import GoError
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition

SCORE, SQUARE = 0, 1  # the sums in totals: of the scores, and of their squares


@dataclass(frozen=True)
class Ownership:
    """What many playouts from one position came to."""

    points: tuple[float, ...]
    """Row-major from the top left: +1 if Black always has the point at the end, -1 if White."""
    mean_score: float
    """Black's area minus White's and komi, on average."""
    score_deviation: float
    """The standard deviation of that score over the playouts."""
    playouts: int


@kernel(inline=True)
def owner_of(state: State, scratch: Scratch, point: int, mark: int) -> int:
    """Return 1 for a point of Black's at the end of a game, -1 for White's, 0 for nobody's.

    A stone is its color's, an empty region is the color's that it touches alone. *mark* must be
    another one for each call, and all marks be cleared before the first: they lie where chains kept
    their sizes, so that the state is spoilt for playing on.
    """
    touched = 1 << int(state[point])
    if state[point] == EMPTY:
        _, _, touched = flood(state, scratch, point, mark)
    return ((touched >> BLACK) & 1) - ((touched >> WHITE) & 1)


@kernel(
    signature=lambda types: types.void(
        types.FunctionType(types.float64(types.int32[::1], types.float64[::1], types.uint64[::1])),
        types.int32[::1],
        types.int32[::1],
        types.float64[::1],
        types.uint64[::1],
        types.uint64[::1],
        types.int64[::1],
        types.float64[::1],
        types.int64,
    )
)
def add_ownership(
    playout: Callable[[State, Knowledge, Scratch], float],
    base: State,
    work: State,
    knowledge: Knowledge,
    scratch: Scratch,
    points: NDArray[np.uint64],
    owners: NDArray[np.int64],
    totals: NDArray[np.float64],
    count: int,
) -> None:
    """Play *count* games from *base*, and add up who has what.

    *owners* gets 1 for each game in which Black has the point, -1 for White. *totals* gets scores
    and squares.
    """
    for _ in range(count):
        for index in range(len(base)):
            work[index] = base[index]
        score = playout(work, knowledge, scratch)
        totals[SCORE] += score
        totals[SQUARE] += score * score
        for index in range(len(points)):
            work[Index(points[index]) + MARK] = 0
        for index in range(len(points)):
            owners[index] += owner_of(work, scratch, Index(points[index]), FIRST_MARK + index)


def sample_ownership(
    state: State, definition: GameDefinition, playouts: int = 500, seed: int = 0
) -> Ownership:
    """Play *state* out so many times with the playout of *definition*, and count who has what.

    The player to move begins every playout, passes just played are forgotten. *state* is not
    changed; the same arguments give the same answer. *definition* is one of
    :func:`montego.engine.knowledge.definition.go_game`, of that board size; its komi is in the
    score.

    Raises:
        GoError: If there is to be no playout at all, or the seed is negative.
    """
    if playouts < 1:
        raise GoError(f"invalid number of playouts {playouts}: say at least 1")
    if seed < 0:
        raise GoError(f"invalid seed {seed}: say a whole number from 0")
    base = state.copy()
    base[PASSES] = 0
    points = np.array(list(all_points(int(state[SIZE]))), np.uint64)
    owners, totals = np.zeros(len(points), np.int64), np.zeros(2, np.float64)
    scratch = new_scratch(definition.longest_game, seed, max(definition.scratch_room, len(points)))
    playout: Any = definition.playout
    add_ownership(
        playout,
        base,
        base.copy(),
        definition.knowledge,
        scratch,
        points,
        owners,
        totals,
        playouts,
    )
    mean = float(totals[SCORE] / playouts)
    variance = max(0.0, float(totals[SQUARE] / playouts) - mean * mean)
    return Ownership(
        points=tuple((owners / playouts).tolist()),
        mean_score=mean,
        score_deviation=float(np.sqrt(variance)),
        playouts=playouts,
    )
