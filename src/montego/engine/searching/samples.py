"""The score and the owners of points after each move that a search considers.

A search itself keeps only wins. :class:`PlayoutSamples` plays out from where each move's expected
continuation ends; :class:`NetworkSamples` asks a network there, if it knows who will own the
points. Both get better with each report.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from montego.engine.ending.ownership import PlayoutSums, sample_ownership
from montego.go.kernels.layout import TO_PLAY
from montego.go.playout.knowledge import KOMI
from montego.go.vocabulary.color import BLACK
from montego.network.opinion import opinion_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition
    from montego.mcts.report import Candidate
    from montego.mcts.search import Search
    from montego.network.network import Network

FIRST_PLAYOUTS = 200
MOVES = 8  # The most visited moves are sampled.
DEPTH = 6  # Moves of the continuation that are played before the playouts.
SHARE = 0.15  # Of the time between reports.
MEMORY = 4000.0  # Playouts after which old ones begin to be forgotten.

VIEWS = 8.0  # Opinions of a network after which old ones begin to be forgotten.
BACKED = 0.1  # Share of a move's visits that a move of its continuation has if it is to be trusted.
SPREAD = 11.0
"""By how much the variance of a score is more than if its points were won and lost one by one:
measured over 60 games of the network for 9x9 against itself, 9 to 13 from opening to end."""


class Samples(ABC):
    """Samples of the moves of one position. Scores are by the true komi."""

    doubt: float
    """Playouts that the mean of all moves counts for in the score of each."""

    def __init__(self, definition: GameDefinition, state: State) -> None:
        """Look at *state*; the komi is that of *definition*."""
        self._definition = definition
        self._state = state
        self.by_move: dict[int, PlayoutSums] = {}

    @abstractmethod
    def add(self, search: Search, candidates: Sequence[Candidate], every: float) -> None:
        """Look at the leading moves once more, in about a seventh of *every* seconds."""

    def whole(self, candidates: Sequence[Candidate]) -> PlayoutSums | None:
        """Return the outcome of the position: its moves' outcomes, by their visits."""
        known = [
            (max(candidate.visits, 1), self.by_move[candidate.move])
            for candidate in candidates
            if candidate.move in self.by_move
        ]
        if not known:
            return None
        total = sum(visits for visits, _ in known)
        whole = PlayoutSums()
        for visits, outcome in known:
            whole.add(outcome, share=visits / total / outcome.playouts)
        return whole

    def _after(self, search: Search, line: Sequence[int]) -> State:
        """Return the position after the first moves of a line."""
        state = self._state
        for move in line[:DEPTH]:
            state = search.after(state, move)
        return state

    def _keep(self, move: int, sample: PlayoutSums, memory: float) -> None:
        known = self.by_move.setdefault(move, PlayoutSums())
        known.add(sample, fade=min(1.0, memory / (known.playouts + sample.playouts)))


def _leading(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the moves worth a look: those of the first that have visits, or else the first."""
    visited = [candidate for candidate in candidates[:MOVES] if candidate.visits]
    return visited or list(candidates[:1])


class PlayoutSamples(Samples):
    """Playouts, shared by the visits of the moves."""

    doubt = 50.0

    def __init__(self, definition: GameDefinition, state: State, seed: int) -> None:
        """As the base has it; *seed* is that of the playouts."""
        super().__init__(definition, state)
        self._seed = seed
        self._playouts = FIRST_PLAYOUTS

    def add(self, search: Search, candidates: Sequence[Candidate], every: float) -> None:
        """Make more playouts."""
        leading = _leading(candidates)
        visits = sum(candidate.visits for candidate in leading) or 1
        begin, made = time.perf_counter(), 0
        for candidate in leading:
            count = max(round(self._playouts * candidate.visits / visits), 4)
            state = self._after(search, candidate.variation)
            self._seed += 1
            sample = sample_ownership(state, self._definition, count, self._seed)
            self._keep(candidate.move, sample, MEMORY)
            made += count
        elapsed = max(time.perf_counter() - begin, 1e-6)
        room = SHARE * every * made / elapsed
        self._playouts = int(min(max(room, 16), 4 * self._playouts, 2000))


class NetworkSamples(Samples):
    """Opinions of a network that says who will own the points, one symmetry after the other."""

    doubt = 0.0

    def __init__(self, network: Network, definition: GameDefinition, state: State) -> None:
        """As the base has it; *network* must be for the definition's board."""
        super().__init__(definition, state)
        self._network = network
        self._symmetries = self._turns()

    def _turns(self) -> Iterator[int]:
        features = self._definition.features
        count = 1 if features is None else len(features.symmetries)
        while True:
            yield from range(count)

    def add(self, search: Search, candidates: Sequence[Candidate], every: float) -> None:
        """Ask once for each leading move, as far as there is time; for the first in any case.

        The first is looked at in every symmetry when it is new: one alone is off by a point or two.
        """
        begin, root = time.perf_counter(), search.root()
        leading = _leading(candidates)
        for candidate in leading:
            if candidate.move in self.by_move and time.perf_counter() > begin + SHARE * every:
                break
            is_new = candidate is leading[0] and candidate.move not in self.by_move
            line, least = candidate.variation, BACKED * candidate.visits
            backed = [visits >= least for visits in root.line_visits(line)]
            state = self._after(search, line[: max(sum(backed), 1)])  # Visits never grow.
            for _ in range(round(VIEWS) if is_new else 1):
                self._keep(candidate.move, self._opinion(state), VIEWS)

    def _opinion(self, state: State) -> PlayoutSums:
        """Return what the network says of a position, as if it were a playout."""
        said = opinion_of(self._network, self._definition, state, next(self._symmetries))
        if said.ownership is None:
            raise ValueError("the network does not say who owns the points")
        sign = 1.0 if state[TO_PLAY] == BLACK else -1.0
        owners = sign * np.clip(said.ownership.astype(np.float64), -1.0, 1.0)
        score = float(owners.sum()) - float(self._definition.knowledge[KOMI])
        if said.score is not None:
            score = sign * said.score
        variance = SPREAD * float((1.0 - owners**2).sum())
        return PlayoutSums(1.0, score, score**2 + variance, owners)
