"""Whose point is it? Playouts to the end, counted point by point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.kernels.flood import FIRST_MARK, MARK, flood
from montego.go.kernels.layout import PASSES, SIZE, all_points
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import GoError
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import copy_state, new_scratch

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition

SCORE, SQUARE = 0, 1  # the sums in totals: of the scores, and of their squares


@dataclass(eq=False)
class PlayoutSums:
    """Sums over playouts: of scores (Black's area minus White's and komi), and of who has what."""

    playouts: float = 0.0
    score: float = 0.0
    square: float = 0.0
    owners: Any = 0.0
    """An array, row-major from the top left: 1 for each playout in which Black has the point at the
    end, -1 for White; 0 without playouts."""

    @property
    def mean_score(self) -> float:
        """The score on average."""
        return self.score / self.playouts

    @property
    def score_deviation(self) -> float:
        """The standard deviation of the score."""
        return math.sqrt(max(self.square / self.playouts - self.mean_score**2, 0.0))

    @property
    def points(self) -> tuple[float, ...]:
        """The mean owner of each point, from -1 for White to 1 for Black."""
        return tuple((self.owners / self.playouts).tolist())

    def add(self, other: PlayoutSums, share: float = 1.0, fade: float = 1.0) -> None:
        """Add a *share* of other sums to what is left of these when they *fade*."""
        self.playouts = fade * self.playouts + share * other.playouts
        self.score = fade * self.score + share * other.score
        self.square = fade * self.square + share * other.square
        self.owners = fade * self.owners + share * other.owners


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
        copy_state(base, work)
        score = playout(work, knowledge, scratch)
        totals[SCORE] += score
        totals[SQUARE] += score * score
        for index in range(len(points)):
            work[Index(points[index]) + MARK] = 0
        for index in range(len(points)):
            owners[index] += owner_of(work, scratch, Index(points[index]), FIRST_MARK + index)


def sample_ownership(
    state: State, definition: GameDefinition, playouts: int = 500, seed: int = 0
) -> PlayoutSums:
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
    return PlayoutSums(playouts, float(totals[SCORE]), float(totals[SQUARE]), owners)
