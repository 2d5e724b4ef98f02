"""What a count of wins says: Wilson's interval, Elo, likelihood of superiority.

A draw is half a win to the score and to Elo. All intervals are for 95 % unless told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95


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
