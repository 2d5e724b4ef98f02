"""The sequential probability ratio test: stopping a match as soon as it has said enough.

The hypotheses are about Elo: *elo0* against *elo1*. The statistic is the generalized log-likelihood
ratio: the empirical distribution of results is compared with the two most likely ones that have the
expected scores of the hypotheses. Results are single games (loss, draw, win) or, better where two
games share an opening, pairs of games (0, ½, 1, 1½ or 2 points), whose scores are not independent.
M. Van den Bergh, "A practical introduction to the GSPRT", 2019; A. Wald, 1945.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from montego.arena.statistics import score_of_elo
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from montego.arena.record import GameRecord

Decision = Literal["H0", "H1"]

UNSEEN = 1e-3  # What counts for a result that has not been seen, so that nothing is impossible.


@dataclass(frozen=True, kw_only=True)
class Sprt:
    """A test: H0 says the Elo difference is *elo0*, H1 says *elo1*."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The chance to accept H1 when H0 is true."""
    beta: float = 0.05
    """The chance to accept H0 when H1 is true."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise GoError(f"a test needs elo0 < elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise GoError("a test needs alpha and beta above 0 and below 1 in all")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds: at or below the first H0 is accepted, at or above the second H1."""
        lower = math.log(self.beta / (1 - self.alpha))
        return lower, math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[int]) -> float:
        """Return the ratio for counts of results in rising order of score; 0 without results.

        Three counts are games, five are pairs; in general they are evenly spaced from 0 to 1.
        """
        if not any(counts):
            return 0.0
        results = [count or UNSEEN for count in counts]
        scores = [index / (len(results) - 1) for index in range(len(results))]
        tilts = []
        for elo in (self.elo0, self.elo1):
            deviations = [score - score_of_elo(elo) for score in scores]
            multiplier = _multiplier(deviations, results)
            tilts.append([math.log1p(multiplier * deviation) for deviation in deviations])
        return math.fsum(
            count * (first - second) for count, first, second in zip(results, *tilts, strict=True)
        )

    def decide(self, ratio: float) -> Decision | None:
        """Return the hypothesis that is accepted at this ratio, if one is."""
        lower, upper = self.bounds
        if ratio >= upper:
            return "H1"
        return "H0" if ratio <= lower else None


@dataclass(frozen=True)
class TestState:
    """Where a test stands."""

    sprt: Sprt
    counts: tuple[int, ...]
    """Games (3 numbers) or pairs (5 numbers) in rising order of score."""
    ratio: float
    decision: Decision | None

    __test__ = False  # pytest is not meant.


def state_of_test(sprt: Sprt, counts: Sequence[int]) -> TestState:
    """Return where the test stands after these results."""
    ratio = sprt.log_likelihood_ratio(counts)
    return TestState(sprt, tuple(counts), ratio, sprt.decide(ratio))


def parse_sprt(text: str) -> Sprt:
    """Return the test that ``elo0=0,elo1=20`` describes; alpha and beta may follow.

    Raises:
        GoError: If it is none.
    """
    fields: dict[str, float] = {}
    for part in text.split(","):
        name, sign, number = part.partition("=")
        try:
            value = float(number)
        except ValueError:
            sign = ""
        if not sign or name.strip() not in ("elo0", "elo1", "alpha", "beta"):
            raise GoError(
                f"invalid test {text!r}: say elo0=0,elo1=20 and, if you like, alpha, beta"
            )
        fields[name.strip()] = value
    if not {"elo0", "elo1"} <= set(fields):
        raise GoError(f"invalid test {text!r}: it needs elo0 and elo1")
    return Sprt(**fields)


def game_counts(records: Iterable[GameRecord], name: str) -> list[int]:
    """Return how many games *name* lost, drew and won."""
    counts = [0, 0, 0]
    for record in records:
        counts[_half_points(record, name)] += 1
    return counts


def pair_counts(records: Mapping[int, GameRecord], name: str) -> list[int]:
    """Return how many pairs of games 2k and 2k + 1 gave *name* 0, 1, 2, 3 or 4 half points."""
    counts = [0, 0, 0, 0, 0]
    for number, record in records.items():
        if number % 2 == 0 and number + 1 in records:
            both = _half_points(record, name) + _half_points(records[number + 1], name)
            counts[both] += 1
    return counts


def _half_points(record: GameRecord, name: str) -> int:
    winner = record.winner_name
    return 1 if winner is None else 2 * (winner == name)


def _multiplier(deviations: Sequence[float], counts: Sequence[float]) -> float:
    """Return x with Σ count·d / (1 + x·d) = 0: the Lagrange multiplier of the constrained maximum.

    The sum falls as x grows, between the two poles that the extreme deviations set.
    """
    low, high = -1 / max(deviations), -1 / min(deviations)
    for _ in range(200):
        middle = (low + high) / 2
        slope = math.fsum(
            count * deviation / (1 + middle * deviation)
            for count, deviation in zip(counts, deviations, strict=True)
        )
        if slope > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
