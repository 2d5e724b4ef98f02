"""Ranks, Elo, and what stones and komi are worth: the scale that levels and ratings share."""

from __future__ import annotations

from typing import NamedTuple

ELO_A_RANK = 85.0
"""What is aimed at from one level to the next (``docs/levels.md``)."""

WEAKEST, STRONGEST = -30, 8
"""The ranks of the levels: 30 kyu and 9 dan."""

ZERO = -9
"""The rank whose Elo is 0: that of GNU Go at its level 10, by common opinion."""

FAIR_KOMI = 7.0
"""Points that having the first move is worth."""

STONE = 2 * FAIR_KOMI
"""Points that a handicap stone is worth: it is the first move twice."""

LEAST_KOMI = 0.5
MOST_HANDICAP = 9


def elo_of(rank: float) -> float:
    """Return the Elo of a rank, as :mod:`montego.go.vocabulary.rank` numbers them."""
    return ELO_A_RANK * (rank - ZERO)


def rank_of(elo: float) -> float:
    """Return the rank of an Elo, not rounded."""
    return elo / ELO_A_RANK + ZERO


def ranks_a_stone(size: int) -> float:
    """Return how many ranks a handicap stone makes up for.

    One on 19x19; on smaller boards, where a game has fewer moves to make use of it, as many more
    as the square of the sides says: 2.25 on 13x13, 5.06 on 9x9. That is a rule of thumb.
    """
    return (18.0 / max(size - 1, 1)) ** 2


class Terms(NamedTuple):
    """What makes up for a difference in strength; the weaker one plays Black."""

    handicap: int
    """Stones; none for 0, and never 1."""
    komi: float


def head_start(size: int, terms: Terms) -> float:
    """Return by how many ranks Black seems stronger on these terms."""
    stones = max(terms.handicap - 1, 0) + (FAIR_KOMI - terms.komi) / STONE
    return stones * ranks_a_stone(size)


def fair_terms(size: int, ranks: float, komi: float = 7.5) -> Terms:
    """Return the terms on which who is so many ranks weaker wins about half of the games.

    *komi* is that of an even game. Small differences are made up by komi alone, down to half a
    point for White; larger ones by stones, with that komi. Nine stones at most, and no more than a
    board of that size has room for: on 9x9 four, below it none.
    """
    stones = ranks / ranks_a_stone(size)
    most = MOST_HANDICAP if size >= 13 else 4 if size >= 9 else 0
    handicap = min(round(stones + 0.5), most)
    if stones > 0.5 and handicap >= 2:
        return Terms(handicap, LEAST_KOMI)
    wanted = komi - STONE * max(stones, 0.0)
    return Terms(0, max(round(wanted - 0.5) + 0.5, LEAST_KOMI))
