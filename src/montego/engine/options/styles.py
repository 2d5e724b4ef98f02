"""Styles: what somebody likes of moves that are about as good.

A style is told by two things that anybody can see on the board: whether a move touches the
opponent's stones, and how high above the edge it is. It changes which of the moves that are near
the best one is played, and nothing else: whoever plays in a style reads and knows as before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from montego.go.vocabulary.color import EMPTY, opponent
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STYLES = ("calm", "fighting", "territory", "influence")

PREFERENCE = 2.0
"""The logarithm of how many times as likely a move is that a style likes, and of how many times
less likely is one that it dislikes."""

_NEAR = 2  # Steps at which stones look at one another.
_MIDDLE, _SPREAD = 3.5, 1.5  # Lines: below the middle is territory, above it influence.


class Looks(NamedTuple):
    """How a move looks on the board, before it is played."""

    contact: float
    """1 if it touches a stone of the opponent's, -1 if none is within two steps, else 0."""
    height: float
    """-1 on the first two lines, 1 from the fifth on, and in between for those between."""


def looks_of(rows: Sequence[Sequence[int]], color: int, vertex: str) -> Looks:
    """Return how a move looks; *rows* are as ``Board.rows()`` gives them. It is not a pass."""
    size = len(rows)
    point = parse_vertex(vertex, size)
    if point is None:
        raise ValueError("a pass has no looks")
    column, row = point
    other = opponent(color)
    nearest = _NEAR + 1
    for across in range(max(column - _NEAR, 0), min(column + _NEAR + 1, size)):
        for up in range(max(row - _NEAR, 0), min(row + _NEAR + 1, size)):
            if rows[size - 1 - up][across] == other:
                nearest = min(nearest, abs(across - column) + abs(up - row))
    contact = 1.0 if nearest == 1 else 0.0 if nearest <= _NEAR else -1.0
    line = 1 + min(column, row, size - 1 - column, size - 1 - row)
    return Looks(contact, min(max((line - _MIDDLE) / _SPREAD, -1.0), 1.0))


def taste_of(style: str, rows: Sequence[Sequence[int]], color: int) -> Callable[[str], float]:
    """Return a function that says how many times as likely a style makes a move.

    *style* must be one of :data:`STYLES`. What touches nothing because nothing is there to be
    touched, on an empty board, is neither calm nor a fight; a pass is to nobody's taste.
    """
    is_empty = all(stone == EMPTY for row in rows for stone in row)

    def taste(vertex: str) -> float:
        if vertex == "pass":
            return 1.0
        looks = looks_of(rows, color, vertex)
        contact = 0.0 if is_empty else looks.contact
        liked = {
            "calm": -contact,
            "fighting": contact,
            "territory": -looks.height,
            "influence": looks.height,
        }[style]
        return math.exp(PREFERENCE * liked)

    return taste
