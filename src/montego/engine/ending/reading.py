"""Does a chain live? A small search of its surroundings that wants nothing but its life or death.

Playouts fill the board to the end, so they break up what lives because nobody may move there: seki,
and large eyes in which enemy stones stand. Here both sides may pass, only the points of a *locale*
can be played, and two passes count what stands as alive. UCB1 and no RAVE: a move that is right
only at its time is just what all-moves-as-first gets wrong.

Knows nothing of moves outside the locale, nor of ko threats there; a ko is taken back after a pass.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.engine.ending.ownership import owner_of
from montego.go.kernels.eye import is_eye
from montego.go.kernels.flood import FIRST_MARK, MARK
from montego.go.kernels.layout import (
    EMPTY_COUNT,
    FIRST_EMPTY,
    HEADER,
    KO,
    ONE,
    PASS,
    PASSES,
    ROW,
    SIZE,
    TO_PLAY,
)
from montego.go.kernels.position import LEGAL, move_fault
from montego.go.vocabulary.color import opponent
from montego.jit import kernel, specialize
from montego.jit.index import Index
from montego.mcts.config import Config
from montego.mcts.game import no_hash, no_playout, no_priors
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from montego.jit import Kernel
    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition

SIMULATIONS = 2000  # of each search
GLANCE = 4  # A first look takes this part of them, and is enough if
OBVIOUS = 0.42  # the chance is this far from even.
EXPLORATION = 0.45
MEMORY = 4.0  # MB, which is more than enough for what is searched,
MEMORY_PER_MOVE = 0.00113  # but no tree is smaller than two nodes with all moves of the board.

policy = no_playout
"""Stands in :func:`play_out_locally` for the playout that a copy will call."""


# What the kernels are told lies at the end of the knowledge, behind everything a playout reads:
#
#     ... | 1 for each point of the locale, as long as a state | the chain's points | their number


@kernel
def chain_balance(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Return how many of the chain's points are Black's, minus those that are White's.

    As :func:`~montego.engine.ending.ownership.owner_of` has it. Spoils the state for playing on.
    """
    last = len(knowledge) - 1
    size = Index(state[SIZE])
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            state[row + Index(column) + MARK] = 0
    balance = 0
    for index in range(last - int(knowledge[last]), last):
        balance += owner_of(state, scratch, Index(int(knowledge[index])), FIRST_MARK + index)
    return float(balance)


@kernel
def local_moves(state: State, knowledge: Knowledge, scratch: Scratch, moves: NDArray[Any]) -> int:  # noqa: ARG001
    """Write the legal moves of the locale that are no eyes of the player's, and pass."""
    if state[PASSES] >= 2:
        return 0
    last = len(knowledge) - 1
    locale = Index(last - int(knowledge[last]) - len(state))
    first, color = Index(state[FIRST_EMPTY]), state[TO_PLAY]
    count = 0
    for slot in range(first, first + Index(state[EMPTY_COUNT])):
        point = Index(state[Index(slot)])
        if (
            knowledge[locale + point] != 0.0
            and not is_eye(state, point, color)
            and move_fault(state, point, color) == LEGAL
        ):
            moves[count] = point
            count += 1
    moves[count] = PASS
    return count + 1


@kernel
def play_out_locally(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Play at random to the end, on the whole board; return whose the chain's points are."""
    policy(state, knowledge, scratch)
    return float(chain_balance(state, knowledge, scratch))


@dataclass(frozen=True)
class Fate:
    """The chances of a chain to live, from 0 to 1."""

    defended: float
    """If its own side moves first."""
    attacked: float
    """If the enemy moves first."""

    @property
    def is_settled(self) -> bool:
        """Whether it lives or dies whoever moves first."""
        return (self.defended > 0.5) == (self.attacked > 0.5)

    @property
    def lives(self) -> bool:
        """Whether it lives even if attacked."""
        return self.attacked > 0.5


def read_fate(
    state: State,
    definition: GameDefinition,
    chain: Iterable[int],
    locale: Iterable[int],
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
) -> Fate:
    """Search for the life of *chain* with the moves of *locale*; both are points of the state.

    *locale* should hold the chain, the liberties, and what else takes part in the fight.
    *definition* gives the playout. The same arguments, the same answer; *state* is not changed.
    """
    points = list(chain)
    color = int(state[points[0]])
    mask = np.zeros(len(state), np.float64)
    mask[list(locale)] = 1.0
    playout: Any = definition.playout
    local = replace(
        definition,
        legal_moves=local_moves,
        score=chain_balance,
        playout=_local(playout),
        priors=no_priors,
        hash=no_hash,
        knowledge=np.concatenate(
            [definition.knowledge, mask, np.array([*points, len(points)], np.float64)]
        ),
    )
    config = Config(
        simulations=simulations,
        selection="ucb1",
        exploration=EXPLORATION,
        memory=max(MEMORY, MEMORY_PER_MOVE * definition.move_count),
        early_stop=False,
        seed=seed,
    )

    def chance(first: int) -> float:
        start = state.copy()
        start[TO_PLAY], start[PASSES], start[KO] = first, 0, PASS
        search = Search(local, config, state=start)
        value = search.run(simulations=max(simulations // GLANCE, 1)).value
        if abs(value - 0.5) < OBVIOUS:
            value = search.run(simulations=simulations).value
        return value if first == color else 1.0 - value

    attacked = chance(opponent(color))
    # The first move is never a burden: its owner may pass.
    return Fate(defended=max(chance(color), attacked), attacked=attacked)


@cache
def _local(
    playout: Kernel[[State, Knowledge, Scratch], float],
) -> Kernel[[State, Knowledge, Scratch], float]:
    """Return :func:`play_out_locally` with a playout inside; the same one each time."""
    return specialize(play_out_locally, playout.__name__, {policy: playout})
