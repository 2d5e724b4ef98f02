"""Samples of what the moves at the root lead to: score and owners of the points.

The search itself keeps only wins. Whoever wants scores gets them from playouts after each move's
expected continuation, a few more at each report, so that they cost a small part of the time.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.engine.ending.ownership import sample_ownership

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.engine.ending.ownership import Ownership
    from montego.jit.state import State
    from montego.mcts.game import GameDefinition
    from montego.mcts.report import Candidate
    from montego.mcts.search import Search

FIRST_PLAYOUTS = 200
MOVES = 8  # The most visited moves are sampled.
DEPTH = 6  # Moves of the continuation that are played before the playouts.
SHARE = 0.15  # Of the time between reports.
MEMORY = 4000.0  # Playouts after which old ones begin to be forgotten.
DOUBT = 50.0  # Playouts that the mean of all moves counts for in the score of each.


@dataclass
class PlayoutSums:
    """Sums over playouts after one move."""

    playouts: float = 0.0
    score: float = 0.0
    square: float = 0.0
    points: Any = 0.0
    """Of the owners, an array; 0 without playouts."""

    def add(self, sample: Ownership) -> None:
        """Add a sample; the oldest ones fade."""
        fade = min(1.0, MEMORY / max(self.playouts + sample.playouts, 1.0))
        count = sample.playouts
        square = sample.score_deviation**2 + sample.mean_score**2
        self.playouts = fade * self.playouts + count
        self.score = fade * self.score + count * sample.mean_score
        self.square = fade * self.square + count * square
        self.points = fade * self.points + count * np.array(sample.points)

    @property
    def mean(self) -> float:
        """Mean score."""
        return self.score / self.playouts

    def mean_near(self, mean: float) -> float:
        """Return the mean score, drawn towards *mean*: a few playouts alone say anything."""
        return (self.score + DOUBT * mean) / (self.playouts + DOUBT)

    @property
    def deviation(self) -> float:
        """Standard deviation of the score."""
        return math.sqrt(max(self.square / self.playouts - self.mean**2, 0.0))

    @property
    def ownership(self) -> tuple[float, ...]:
        """Mean owner of each point."""
        return tuple((self.points / self.playouts).tolist())


class ScoreSamples:
    """Samples of the moves of one position, more exact with each report."""

    def __init__(self, definition: GameDefinition, state: State, seed: int) -> None:
        self._definition = definition
        self._state = state
        self._seed = seed
        self._playouts = FIRST_PLAYOUTS
        self.by_move: dict[int, PlayoutSums] = {}

    def add(self, search: Search, candidates: Sequence[Candidate], every: float) -> None:
        """Make more playouts, in about a seventh of *every* seconds, shared by the visits."""
        leading = [candidate for candidate in candidates[:MOVES] if candidate.visits] or list(
            candidates[:1]
        )
        visits = sum(candidate.visits for candidate in leading) or 1
        begin, made = time.perf_counter(), 0
        for candidate in leading:
            count = max(round(self._playouts * candidate.visits / visits), 4)
            state = self._state
            for move in candidate.variation[:DEPTH]:
                state = search.after(state, move)
            self._seed += 1
            sample = sample_ownership(state, self._definition, count, self._seed)
            self.by_move.setdefault(candidate.move, PlayoutSums()).add(sample)
            made += count
        elapsed = max(time.perf_counter() - begin, 1e-6)
        room = SHARE * every * made / elapsed
        self._playouts = int(min(max(room, 16), 4 * self._playouts, 2000))

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
        whole = PlayoutSums(playouts=1.0)
        for visits, outcome in known:
            share = visits / total / outcome.playouts
            whole.score += share * outcome.score
            whole.square += share * outcome.square
            whole.points = whole.points + share * outcome.points
        return whole
