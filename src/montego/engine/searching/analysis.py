"""What a search thinks of a position, as plain data that protocols print.

Values are win probabilities of the player to move, from 0 to 1. Scores are Black's points minus
White's, komi included. Nothing here needs NumPy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FEW_VISITS = 20
"""Visits below which nobody should be told a chance."""

LOGISTIC = math.pi / math.sqrt(3.0)  # The scale of a logistic distribution of deviation 1.
SUREST = 1e-6  # How near to 0 and 1 a chance is at most when it is moved, before and after.


def agreeing_score(score: float, chance: float) -> float:
    """Return a score for people beside Black's chance to win: 0 where the two name another leader.

    A score is known to some points only, from a few looks at how play may go on, where many
    simulations made the chance: who is told that Black wins more often is not told that White is
    ahead.
    """
    return score if (score > 0) == (chance > 0.5) else 0.0


def error_of(value: float, visits: float) -> float:
    """Return about two standard errors of a chance that so many visits found.

    As if two more had been won and two lost: a few that went one way prove little.
    """
    tries = visits + 4.0
    chance = (value * visits + 2.0) / tries
    return 2.0 * math.sqrt(chance * (1.0 - chance) / tries)


@dataclass(frozen=True, kw_only=True)
class MoveInfo:
    """One move at the root. What has a default is that of a move nobody has searched."""

    vertex: str
    """``"D4"`` or ``"pass"``."""
    visits: int = 0
    value: float = 0.5
    """Mean value of the simulations through it; of the prior if there were none."""
    prior: float = 1.0
    """Share of the prior belief that this is the move, from 0 to 1; the moves' sum is 1."""
    lower_bound: float = 0.0
    """The value less about two standard errors; never below 0."""
    rave_value: float = 0.5
    rave_visits: float = 0.0
    variation: tuple[str, ...]
    """The expected continuation, this move first; never empty."""
    order: int = 0
    """0 for the move that would be played, then by visits."""
    score: float | None = None
    """Expected score after the move, or None where nobody asked for it."""
    score_deviation: float | None = None
    proof: str | None = None
    """``"win"``, ``"loss"`` or ``"draw"`` for the player to move, once proven."""
    variation_visits: tuple[int, ...] = ()
    """Visits of each move of the variation, or nothing where nobody counted them."""
    ownership: tuple[float, ...] | None = None
    """Who owns each point after the move, as in :class:`Analysis`, where somebody asked."""
    book_visits: float = 0.0
    """Visits of earlier games that the book has for it."""
    book_value: float = 0.5
    """Their mean value."""


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """A position as the search sees it at one moment. The defaults are those before a search."""

    to_play: str
    """``"black"`` or ``"white"``."""
    simulations: int = 0
    """Simulations of this search; what the tree knew before is not among them."""
    visits: int = 0
    """Visits of all moves together, those kept from earlier searches included."""
    value: float = 0.5
    """Value of the best move."""
    mean_score: float = 0.0
    """Of playouts that were made for it, if there were any; else :attr:`played_score`."""
    score_deviation: float = 0.0
    played_score: float | None = None
    """The mean score of the very simulations whose wins are counted; None if they are not played
    out, because a network judges."""
    moves: tuple[MoveInfo, ...] = ()
    """Best first; at least one as soon as a simulation was made."""
    seconds: float
    memory_share: float = 0.0
    """How much of the tree's memory is in use, from 0 to 1."""
    ownership: tuple[float, ...] | None = None
    """Who owns each point in the end: 1 Black, -1 White; row by row from the top left."""
    ownership_deviation: tuple[float, ...] | None = None
    book_visits: float = 0.0
    """Visits of earlier games that the book has for the moves of the position."""
    points: bool = False
    """Whether moves were compared by points, since the game is decided; values are chances."""
    votes: tuple[tuple[str, int], ...] = ()
    """With majority voting: moves and the searches that chose them, most first."""
    network_value: float | None = None
    """The chance to win by the network alone, before any search; None without a network.

    The moves' priors are then its chances for them, and scores and owners are by it, too, if it
    says who will own the points.
    """
    scored_apart: bool = False
    """Whether scores are of playouts although a network judges who wins, since it does not know who
    will own the points: the two may contradict each other."""
    imagined: float = 0.0
    """Points of komi that the search imagined on top of the true one; less than 0 for Black.

    Values are chances with these points, scores are without.
    """

    @property
    def best(self) -> MoveInfo | None:
        """The move that would be played, or None before anything is known."""
        return self.moves[0] if self.moves else None

    @property
    def proviso(self) -> str:
        """What is to be said with a chance to win, after a blank; nothing if it is as it is."""
        if not self.imagined:
            return ""
        side = "White" if self.imagined > 0 else "Black"
        return f" with {abs(self.imagined):g} points of komi imagined for {side}"

    def in_truth(self) -> Analysis:
        """Return it for people who know of no komi but the true one.

        Values are then estimates: as if scores had a logistic distribution, of the deviation that
        was sampled, whose mean moves by the points that were imagined. The order stays. Where no
        scores were sampled nothing changes, and :attr:`proviso` has to be said.
        """
        if not self.imagined or not self.score_deviation:
            return self
        gain = self.imagined if self.to_play == "black" else -self.imagined
        shift = LOGISTIC * gain / self.score_deviation
        return replace(
            self,
            value=_moved(self.value, shift),
            network_value=(
                None if self.network_value is None else _moved(self.network_value, shift)
            ),
            moves=tuple(
                replace(
                    move,
                    value=_moved(move.value, shift),
                    lower_bound=_moved(move.lower_bound, shift),
                    rave_value=_moved(move.rave_value, shift),
                )
                for move in self.moves
            ),
            imagined=0.0,
        )


def _moved(chance: float, shift: float) -> float:
    """Return a chance whose logarithm of odds is greater by *shift*."""
    most = math.log((1.0 - SUREST) / SUREST)
    sure = min(max(chance, SUREST), 1.0 - SUREST)
    odds = math.log(sure / (1.0 - sure)) + shift
    return 1.0 / (1.0 + math.exp(-min(max(odds, -most), most)))


@dataclass(frozen=True, kw_only=True)
class VertexLimit:
    """Vertices that one player must not play, or the only ones that player may play."""

    color: str
    """``"black"`` or ``"white"``."""
    vertices: frozenset[str]
    """As ``format_vertex`` writes them, ``"pass"`` included."""
    only: bool = False
    """Whether these are the only moves allowed; else they are avoided."""
    until_depth: int = 1
    """In how many moves from the position on, those of both players counted."""


def allows(limits: Iterable[VertexLimit], color: str, vertex: str) -> bool:
    """Say whether limits let the next move of *color* be there."""
    return all(
        (vertex in limit.vertices) is limit.only
        for limit in limits
        if limit.color == color and limit.until_depth > 0
    )
