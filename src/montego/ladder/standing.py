"""Where somebody stands on the ladder of levels, and whom to play next.

Ratings are for each size of the board. One without games begins at what the games on other boards
say, with more doubt. A rung of the ladder is climbed by two wins against its level or a stronger
one, in even games without help; nobody falls. The rating is what goes down as well as up.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from montego.ladder.rating import KnownStrength, RatedOutcome, estimate, estimates
from montego.ladder.scale import (
    FAIR_KOMI,
    STRONGEST,
    WEAKEST,
    Terms,
    elo_of,
    fair_terms,
    head_start,
    rank_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from montego.ladder.home import LadderGame

OTHER_BOARDS = 250.0
"""Standard deviation, in Elo, between strengths on boards of different sizes."""

WINS_A_RUNG = 2
EVEN_KOMI = 5.0
"""Least komi with which a game without stones counts as even for Black."""

INTERVAL = 1.96
"""Standard deviations on each side of a rating within which 95 of 100 lie."""


class LadderStanding(NamedTuple):
    """Where a player stands on a board."""

    size: int
    games: int
    """On this board, by which the player is rated."""
    known: KnownStrength
    climbed: int | None
    """The rank of the highest rung; None if there is none yet."""

    @property
    def rank(self) -> int:
        """The nearest rank of a level."""
        return _nearest(rank_of(self.known.elo))

    @property
    def ranks(self) -> tuple[int, int]:
        """The lowest and the highest rank that it may well be."""
        low = self.known.elo - INTERVAL * self.known.deviation
        high = self.known.elo + INTERVAL * self.known.deviation
        return _nearest(rank_of(low)), _nearest(rank_of(high))

    @property
    def next_rung(self) -> int:
        """The rank of the level to beat next, the strongest if all are beaten."""
        if self.climbed is None:
            return WEAKEST
        return min(self.climbed + 1, STRONGEST)

    def terms_against(self, rank: int, komi: float) -> tuple[str, Terms]:
        """Return what color the player should have against a level, and fair terms.

        *komi* is that of an even game. Nobody gives a head start for half a rank.
        """
        behind = rank - rank_of(self.known.elo)
        color = "white" if behind < -0.5 else "black"
        return color, fair_terms(self.size, abs(behind) if abs(behind) > 0.5 else 0.0, komi)


def standing(games: Sequence[LadderGame], size: int) -> LadderStanding:
    """Return where the player of these games, the oldest first, stands on a board."""
    here = [game for game in games if game.size == size and not game.helped]
    return LadderStanding(
        size=size,
        games=len(here),
        known=estimate(map(outcome_of, here), _before(games, size)),
        climbed=_climbed(here),
    )


def course(games: Sequence[LadderGame], size: int) -> list[KnownStrength]:
    """Return what was known of a player after each game on a board."""
    here = [game for game in games if game.size == size and not game.helped]
    return estimates(map(outcome_of, here), _before(games, size))[1:]


def outcome_of(game: LadderGame) -> RatedOutcome:
    """Return a game as a rating sees it: handicap and komi make the opponent seem weaker."""
    start = head_start(game.size, Terms(game.handicap, game.komi))
    rank = game.rank - start if game.color == "black" else game.rank + start
    return RatedOutcome(elo_of(rank), game.score if game.score is not None else 0.5)


def _before(games: Iterable[LadderGame], size: int) -> KnownStrength:
    """Return what games on other boards say."""
    others = [outcome_of(game) for game in games if game.size != size and not game.helped]
    if not others:
        return KnownStrength()
    known = estimate(others)
    return KnownStrength(known.elo, math.hypot(known.deviation, OTHER_BOARDS))


def _climbed(games: Iterable[LadderGame]) -> int | None:
    """Return the rank of the highest rung that was climbed."""
    won = sorted(
        (game.rank for game in games if game.score == 1.0 and _is_even(game)), reverse=True
    )
    return won[WINS_A_RUNG - 1] if len(won) >= WINS_A_RUNG else None


def _is_even(game: LadderGame) -> bool:
    """Say whether the player had no head start."""
    if game.color == "black":
        return game.handicap < 2 and game.komi >= EVEN_KOMI
    return game.handicap > 0 or game.komi <= 2 * FAIR_KOMI - EVEN_KOMI


def _nearest(rank: float) -> int:
    return min(max(round(rank), WEAKEST), STRONGEST)
