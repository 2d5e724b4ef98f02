"""Ratings from the results of many engines: Bradley and Terry's model with an advantage for Black.

Black *i* beats White *j* with probability 1 / (1 + 10^(-(r_i - r_j + a) / 400)); a draw is half a
win for both. Ratings and the advantage *a* are found together where the likelihood is greatest.
A weak prior, a normal one around the mean of all, keeps engines that won or lost everything
finite; a few games outweigh it. R. A. Bradley, M. E. Terry, 1952.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.arena.statistics import CONFIDENCE
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from montego.arena.record import GameRecord

    Array = NDArray[np.float64]

ELO = 400 / math.log(10)  # Elo points of one unit of natural log-odds.
PRIOR_ELO = 1000.0  # Deviation of the prior on ratings.
PRIOR_ADVANTAGE_ELO = 300.0  # The same for the advantage of Black.


class RatedGame(NamedTuple):
    """One game for the model: names, and Black's points, 0, ½ or 1."""

    black: str
    white: str
    points: float


@dataclass(frozen=True)
class Rating:
    """An engine's rating with the ends of its confidence interval, in Elo."""

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float


@dataclass(frozen=True)
class Ratings:
    """Ratings of all engines, best first, and Black's advantage; all in Elo.

    Without an anchor the ratings' mean is 0 and an interval is relative to that mean; with one, the
    anchor's rating is exact and all others are relative to it.
    """

    ratings: tuple[Rating, ...]
    black_advantage: float
    black_advantage_low: float
    black_advantage_high: float
    names: tuple[str, ...]
    covariance: Array
    """Of the ratings, in the order of ``names``, in Elo squared."""

    def difference(self, first: str, second: str) -> tuple[float, float]:
        """Return by how much one engine is rated above another, and the deviation of that."""
        elo = {rating.name: rating.elo for rating in self.ratings}
        i, j = self.names.index(first), self.names.index(second)
        matrix = self.covariance
        variance = float(matrix[i, i] + matrix[j, j] - 2 * matrix[i, j])
        return elo[first] - elo[second], math.sqrt(max(variance, 0.0))

    def superiority(self, first: str, second: str) -> float:
        """Return the probability that one engine is stronger than another."""
        gap, deviation = self.difference(first, second)
        return NormalDist().cdf(gap / deviation) if deviation else 0.5


def rated_games(records: Iterable[GameRecord]) -> list[RatedGame]:
    """Return games of the arena as the model takes them."""
    return [
        RatedGame(record.black.name, record.white.name, record.black_points) for record in records
    ]


def rate(
    games: Sequence[RatedGame],
    *,
    names: Sequence[str] = (),
    anchors: Mapping[str, float] | None = None,
    confidence: float = CONFIDENCE,
) -> Ratings:
    """Return the ratings of everybody in *names* and in the games.

    *anchors* give engines a fixed rating; more than one is allowed.

    Raises:
        GoError: If an anchor is nobody's name.
    """
    players = list(dict.fromkeys([*names, *(name for game in games for name in game[:2])]))
    anchors = dict(anchors or {})
    for name in anchors:
        if name not in players:
            raise GoError(f"the anchor {name!r} did not play")
    count = len(players)
    design, points, weights = _design(games, players)
    # The last column is Black's advantage. Without an anchor one column is too many: only
    # differences matter.
    values = np.array([*(anchors.get(name, 0.0) / ELO for name in players), 0.0])
    offset = design @ values
    free = [number for number, name in enumerate(players) if name not in anchors]
    columns = [*free, count]
    center = sum(anchors.values()) / len(anchors) / ELO if anchors else 0.0
    means = np.array([center] * len(free) + [0.0])
    precision = np.array([(ELO / PRIOR_ELO) ** 2] * len(free) + [(ELO / PRIOR_ADVANTAGE_ELO) ** 2])
    theta, covariance = _fit(design[:, columns], offset, points, weights, means, precision)
    spread = np.zeros((count + 1, count + 1))
    spread[np.ix_(columns, columns)] = covariance
    values[columns] = theta
    if not anchors and players:
        # Relative to the mean of all ratings.
        matrix = np.eye(count + 1)
        matrix[:count, :count] -= 1 / count
        values, spread = matrix @ values, matrix @ spread @ matrix.T
    return _ratings(games, players, values * ELO, spread * ELO**2, confidence)


def _design(games: Sequence[RatedGame], players: Sequence[str]) -> tuple[Array, Array, Array]:
    """Return for each pairing a row (+1 Black, -1 White, +1 advantage), mean points, games."""
    sums: dict[tuple[str, str], list[float]] = {}
    for black, white, points in games:
        entry = sums.setdefault((black, white), [0.0, 0.0])
        entry[0] += points
        entry[1] += 1
    design = np.zeros((len(sums), len(players) + 1))
    for row, (black, white) in enumerate(sums):
        design[row, players.index(black)] += 1
        design[row, players.index(white)] -= 1
        design[row, -1] = 1
    values = np.array(list(sums.values())).reshape(-1, 2)
    return design, values[:, 0] / values[:, 1], values[:, 1]


def _fit(
    design: Array, offset: Array, points: Array, weights: Array, means: Array, precision: Array
) -> tuple[Array, Array]:
    """Return the most likely parameters and their covariance, by Newton's method.

    The logarithm of the posterior is concave; steps are halved until they climb.
    """

    def posterior(theta: Array) -> float:
        odds = design @ theta + offset
        likelihood = weights * (points * odds - np.logaddexp(0, odds))
        return float(likelihood.sum() - (precision * (theta - means) ** 2).sum() / 2)

    def slopes(theta: Array) -> tuple[Array, Array]:
        """Return the gradient and the information, which is its derivative turned around."""
        expected = 1 / (1 + np.exp(-(design @ theta + offset)))
        gradient = design.T @ (weights * (points - expected)) - precision * (theta - means)
        diagonal = weights * expected * (1 - expected)
        return gradient, design.T @ (diagonal[:, None] * design) + np.diag(precision)

    theta = means.copy()
    for _ in range(100):
        gradient, information = slopes(theta)
        step = np.linalg.solve(information, gradient)
        scale = 1.0
        while posterior(theta + scale * step) < posterior(theta) and scale > 1e-6:
            scale /= 2
        theta = theta + scale * step
        if float(np.abs(step).max(initial=0.0)) < 1e-10:
            break
    return theta, np.linalg.inv(slopes(theta)[1]).astype(np.float64)


def _ratings(
    games: Sequence[RatedGame],
    players: Sequence[str],
    values: Array,
    spread: Array,
    confidence: float,
) -> Ratings:
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    widths = z * np.sqrt(np.maximum(np.diag(spread), 0))
    found = []
    for number, name in enumerate(players):
        own = [
            points if black == name else 1 - points
            for black, white, points in games
            if name in (black, white)
        ]
        elo, width = float(values[number]), float(widths[number])
        found.append(Rating(name, elo, elo - width, elo + width, len(own), sum(own)))
    advantage, width = float(values[-1]), float(widths[-1])
    return Ratings(
        ratings=tuple(sorted(found, key=lambda rating: -rating.elo)),
        black_advantage=advantage,
        black_advantage_low=advantage - width,
        black_advantage_high=advantage + width,
        names=tuple(players),
        covariance=spread[:-1, :-1],
    )
