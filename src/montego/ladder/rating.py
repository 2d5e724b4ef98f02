"""How strong a player is, from games against opponents of known strength.

Bayes' rule over a row of Elos: each game makes those likelier under which its result is, by the
logistic curve of Elo's model, and between games strength may drift a little. What is known after
few games is wide, and so the first games move it far.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

LOWEST, HIGHEST, STEP = -2600.0, 1900.0, 20.0
FIRST_ELO, FIRST_DEVIATION = -935.0, 600.0
"""Before any game: 20 kyu, or ten ranks away from it."""

DRIFT = 30.0
"""Standard deviation of what strength changes from one game to the next."""


class KnownStrength(NamedTuple):
    """What is known of a strength."""

    elo: float = FIRST_ELO
    deviation: float = FIRST_DEVIATION


class RatedOutcome(NamedTuple):
    """A game, as a rating sees it."""

    opponent: float
    """Elo, with what handicap and komi make of it."""
    score: float
    """1 won, 0.5 drawn, 0 lost."""


def expected_score(elo: float, opponent: float) -> float:
    """Return the score that Elo's model expects."""
    return 1.0 / (1.0 + math.pow(10.0, (opponent - elo) / 400.0))


def estimate(
    outcomes: Iterable[RatedOutcome], before: KnownStrength | None = None
) -> KnownStrength:
    """Return what games say of a strength, the oldest first; *before* is what was known."""
    return estimates(outcomes, before)[-1]


def estimates(
    outcomes: Iterable[RatedOutcome], before: KnownStrength | None = None
) -> list[KnownStrength]:
    """Return what is known before the first game and after each."""
    known = before or KnownStrength()
    elos = [LOWEST + STEP * place for place in range(round((HIGHEST - LOWEST) / STEP) + 1)]
    chances = [math.exp(-0.5 * ((elo - known.elo) / known.deviation) ** 2) for elo in elos]
    found = [known]
    # A step to either side with such a chance has the variance of the drift.
    aside = (DRIFT / STEP) ** 2 / 2
    times = max(math.ceil(2 * aside), 1)
    aside /= times
    for opponent, score in outcomes:
        for place, elo in enumerate(elos):
            won = expected_score(elo, opponent)
            chances[place] *= won**score * (1.0 - won) ** (1.0 - score)
        for _ in range(times):
            below, above = [chances[0], *chances[:-1]], [*chances[1:], chances[-1]]
            chances = [
                (1.0 - 2.0 * aside) * here + aside * (left + right)
                for here, left, right in zip(chances, below, above, strict=True)
            ]
        total = sum(chances)
        chances = [chance / total for chance in chances]
        mean = sum(chance * elo for chance, elo in zip(chances, elos, strict=True))
        spread = sum(chance * (elo - mean) ** 2 for chance, elo in zip(chances, elos, strict=True))
        found.append(KnownStrength(mean, math.sqrt(spread)))
    return found
