"""Weights of playouts that learn to be right in the mean, and the file that they are kept in.

A position's value is what somebody says, its *target*; the mean result of playouts differs from it.
The gradient of the square of that error has two factors, the error and how the mean depends on the
weights, which must not be taken from the same playouts. So each position is played out twice, and
the error of one half meets the gradient of the other, both ways.

Everything that learning depends on is in the file: whoever reads it and goes on comes to the same
weights, to the bit, as if there had been no interruption.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.kernels.layout import PASS
from montego.go.playout.balanced.weights import (
    BalanceWeights,
    pack_balance,
    read_balance_file,
    shape_classes,
    weight_count,
    within_bounds,
    write_balance_file,
)
from montego.go.playout.knowledge import BALANCED, MOVES_PER_POINT, new_knowledge
from montego.jit.index import Index
from montego.jit.state import RANDOM, new_scratch
from montego.learn.balance.gradient import count_wins, noting_room, sample_results
from montego.learn.balance.imitation import add_likelihood
from montego.learn.balance.positions import JudgedPositions
from montego.learn.errors import LearnError
from montego.learn.settings import check_unchanged

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.learn.settings import BalanceSettings

_ADAGRAD_RATE, _ADAGRAD_BEGIN = 0.2, 1.0  # of the steps by which moves are imitated


class BalanceTally(NamedTuple):
    """What came of some positions."""

    positions: int
    bias: float
    """By how much playouts won too often for the player to move, on average."""
    error: float
    """Of the mean result of playouts, squared, on average.

    Without what chance adds to it with few playouts; so it can be less than 0.
    """


class BalanceLearner:
    """Learns from positions with targets."""

    def __init__(self, settings: BalanceSettings, positions: JudgedPositions) -> None:
        """Begin with weights of 0: all moves alike."""
        self.settings = settings
        self.positions = positions
        self.done = 0
        """Positions that were learned from, each as often as it was."""
        self.imitated = 0
        """Passes over the moves that were made, which come first."""
        self._squares = np.full(weight_count(), _ADAGRAD_BEGIN, np.float64)
        self.values: NDArray[np.float64] = np.zeros(weight_count(), np.float64)
        """The weights: of traits, then of shapes."""
        limit = MOVES_PER_POINT * settings.size**2
        self._scratch = new_scratch(limit, settings.seed, noting_room(settings.size, limit))
        self._work = positions.states[0].copy()
        self._knowledge = new_knowledge(settings.komi, balanced=pack_balance(self.values))
        self.likelihood = 0.0
        """Of a move that was made, as a mean logarithm, at the last pass over them."""

    @classmethod
    def begin_or_go_on(
        cls,
        path: str | os.PathLike[str],
        settings: BalanceSettings,
        judge: Callable[[], JudgedPositions],
    ) -> BalanceLearner:
        """Return the learner that a file keeps; a new one if there is no such file.

        A new one is given the positions that *judge* returns.

        Raises:
            LearnError: If the file keeps one with other settings.
            GoError: If it cannot be read, or keeps something else.
        """
        if not Path(path).exists():
            return cls(settings, judge())
        kept = read_balance_file(path)
        try:
            known = json.loads(str(kept.more["settings"]))
            positions = JudgedPositions.from_arrays(int(known["size"]), kept.more)
            done, random = int(kept.more["done"]), np.uint64(kept.more["random"])
            imitated, squares = int(kept.more["imitated"]), kept.more["squares"]
        except (KeyError, TypeError, ValueError):
            raise LearnError(f"{str(path)!r} does not say how it was learned") from None
        check_unchanged(path, known, settings)
        learner = cls(settings, positions)
        learner.done, learner.imitated = done, imitated
        learner._squares[:] = squares
        learner.values[:] = kept.values
        learner._scratch[RANDOM] = random
        learner._write_knowledge()
        return learner

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that :meth:`begin_or_go_on` needs.

        Raises:
            GoError: If the file cannot be written.
        """
        more: dict[str, Any] = {
            "settings": np.array(json.dumps(asdict(self.settings))),
            "done": np.int64(self.done),
            "imitated": np.int64(self.imitated),
            "squares": self._squares,
            "random": np.uint64(self._scratch[RANDOM]),
        }
        more |= self.positions.arrays()
        write_balance_file(path, BalanceWeights(self.values, more))

    @property
    def each(self) -> int:
        """How many positions a time through all of them is."""
        return len(self.positions.learned)

    def learn(
        self,
        passes: int,
        *,
        is_over: Callable[[], bool] = lambda: False,
        note: Callable[[BalanceTally], None] = lambda _tally: None,
    ) -> bool:
        """Learn until all positions were gone through *passes* times in all; say whether they are.

        At first moves are imitated, as often as the settings say. After each step *is_over* is
        asked whether to end, and *note* is told what came of it, of no positions while moves are
        imitated.
        """
        while self.imitated < self.settings.imitation and not is_over():
            self._imitate()
            note(BalanceTally(0, 0.0, 0.0))
        total, batch = passes * self.each, self.settings.batch
        while self.done < total and not is_over():
            passed, at = divmod(self.done, self.each)
            order = np.random.default_rng((self.settings.seed, passed)).permutation(self.each)
            chosen = self.positions.learned[order[at : at + batch]]
            note(self._step(chosen))
        return self.imitated >= self.settings.imitation and self.done >= total

    def judge(
        self, playouts: int = 400, *, is_over: Callable[[], bool] = lambda: False
    ) -> BalanceTally:
        """Return how right playouts are in the positions that were held back.

        Each is played out so many times. Changes nothing of what is learned later.
        """
        random = self._scratch[RANDOM]
        self._scratch[RANDOM] = np.uint64(0x9E3779B97F4A7C15)  # The same for all weights.
        gaps: list[tuple[float, float]] = []
        for number in self.positions.held_back:
            if is_over():
                break
            target, half = float(self.positions.values[number]), max(playouts // 2, 1)
            first, second = (
                count_wins(
                    self.positions.states[number],
                    self._work,
                    self._knowledge,
                    self._scratch,
                    float(self.settings.komi),
                    half,
                )
                / half
                - target
                for _ in range(2)
            )
            gaps.append((first, second))
        self._scratch[RANDOM] = random
        return _tally_of(gaps)

    def _imitate(self) -> None:
        """Make the moves more likely that were made: a pass over all of them."""
        known = self.positions.learned[self.positions.answers[self.positions.learned] != PASS]
        random = np.random.default_rng((self.settings.seed, 1, self.imitated))
        order, logs = random.permutation(known), 0.0
        for begin in range(0, len(order), self.settings.batch):
            gradient = np.zeros_like(self.values)
            for number in order[begin : begin + self.settings.batch]:
                chance = add_likelihood(
                    self.positions.states[number],
                    self._knowledge,
                    self._scratch,
                    shape_classes(),
                    Index(self.positions.answers[number]),
                    gradient,
                )
                logs += math.log(chance) if chance > 0.0 else 0.0
            self._squares += gradient**2
            step = _ADAGRAD_RATE * gradient / np.sqrt(self._squares)
            self.values[:] = within_bounds(self.values + step)
            self._write_knowledge()
        self.imitated += 1
        self.likelihood = logs / max(len(order), 1)

    def _step(self, chosen: NDArray[np.int64]) -> BalanceTally:
        """Learn from some positions together."""
        half = self.settings.playouts
        gradient = np.zeros_like(self.values)
        gaps: list[tuple[float, float]] = []
        for number in chosen:
            target = float(self.positions.values[number])
            halves = [self._sample(self.positions.states[number]) for _ in range(2)]
            (first, toward_first), (second, toward_second) = halves
            # Down the gradient of the square: along the slope where too little was won.
            gradient += ((target - first) * toward_second + (target - second) * toward_first) / 2.0
            gaps.append((first - target, second - target))
        gradient /= len(chosen) * half
        self._descend(gradient)
        self.done += len(chosen)
        return _tally_of(gaps)

    def _sample(self, state: NDArray[np.int32]) -> tuple[float, NDArray[np.float64]]:
        """Play a position out; return the mean result, and how its sum depends on the weights."""
        noted, won = np.zeros_like(self.values), np.zeros_like(self.values)
        half = self.settings.playouts
        wins = sample_results(
            state,
            self._work,
            self._knowledge,
            self._scratch,
            shape_classes(),
            float(self.settings.komi),
            half,
            noted,
            won,
        )
        mean = float(wins) / half
        return mean, won - mean * noted

    def _descend(self, gradient: NDArray[np.float64]) -> None:
        """Make a step along *gradient*."""
        settings = self.settings
        rate = settings.rate / (1.0 + self.done / settings.decay)
        self.values[:] = within_bounds(self.values + rate * gradient)
        self._write_knowledge()

    def _write_knowledge(self) -> None:
        packed = pack_balance(self.values)
        begin = int(self._knowledge[BALANCED])
        self._knowledge[begin : begin + len(packed)] = packed


def _tally_of(gaps: list[tuple[float, float]]) -> BalanceTally:
    """Return what errors of two halves of playouts come to: their product knows no chance."""
    count = max(len(gaps), 1)
    bias = sum(first + second for first, second in gaps) / (2 * count)
    return BalanceTally(len(gaps), bias, sum(first * second for first, second in gaps) / count)
