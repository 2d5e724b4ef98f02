"""What results say: Wilson's interval, Elo, likelihood of superiority, and when to stop a match.

A draw is half a win to the score and to Elo. All intervals are for 95 % unless told.

The sequential probability ratio test stops a match as soon as it has said enough. Its hypotheses
are about Elo: *elo0* against *elo1*. The statistic is the generalized log-likelihood ratio: the
empirical distribution of results is compared with the two most likely ones that have the expected
scores of the hypotheses. Results are single games (loss, draw, win) or, better where two games
share an opening, pairs of games (0, ½, 1, 1½ or 2 points), whose scores are not independent.
M. Van den Bergh, "A practical introduction to the GSPRT", 2019; A. Wald, 1945.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 0.95
UNSEEN = 1e-3  # What counts for a result that has not been seen, so that nothing is impossible.

Decision = Literal["H0", "H1"]


@dataclass(frozen=True)
class Tally:
    """Wins, losses and draws of one side."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.losses + self.draws

    @property
    def score(self) -> float:
        """The share of points won, a half without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.losses + other.losses, self.draws + other.draws)


def wilson_interval(
    successes: float, trials: int, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return Wilson's score interval for a proportion; (0, 1) without trials.

    *successes* may hold halves: with draws the interval is a little too wide, never too narrow.
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    if trials == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share = successes / trials
    scale = 1 + z * z / trials
    center = (share + z * z / (2 * trials)) / scale
    width = z / scale * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    # Rounding must not push the ends that are exact off 0 and 1.
    low = 0.0 if successes == 0 else max(0.0, center - width)
    high = 1.0 if successes == trials else min(1.0, center + width)
    return low, high


def elo_of_score(score: float) -> float:
    """Return the Elo difference at which this score is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Return the score expected at an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_interval(tally: Tally, confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """Return Elo with the lower and upper ends of its interval, which are Wilson's as Elo."""
    low, high = wilson_interval(tally.wins + tally.draws / 2, tally.games, confidence)
    return elo_of_score(tally.score), elo_of_score(low), elo_of_score(high)


def likelihood_of_superiority(tally: Tally) -> float:
    """Return the probability that the side is the stronger one, before any other knowledge.

    Draws say nothing. Exact for a uniform prior on the share of won games: the chance that a beta
    variable with wins + 1 and losses + 1 exceeds a half.
    """
    decided = tally.wins + tally.losses
    # P(Beta(w+1, l+1) > 1/2) is the chance of at most w heads in w + l + 1 tosses.
    terms = [_log_binomial(decided + 1, heads) for heads in range(tally.wins + 1)]
    log_half = -(decided + 1) * math.log(2)
    return min(1.0, math.fsum(math.exp(term + log_half) for term in terms))


def _log_binomial(trials: int, successes: int) -> float:
    return (
        math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    )


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
