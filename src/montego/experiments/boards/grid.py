"""What all boards of the ladder share: points, neighbors, and counting a finished board.

A board is a square of *size* lines; its points are numbered row by row from 0. Colors are small
integers. Everything here is plain Python, for reading and for measuring, not for playing strength.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random
    from typing import Self

EMPTY, BLACK, WHITE = 0, 1, 2

MOVES_PER_POINT = 3
"""A random game that is longer than this goes round in circles, which simple ko does not forbid."""

Point: TypeAlias = int


class LadderBoard(Protocol):
    """A position, as 000's iteration needs it (4.1): clone it, ask for a move, play it, count.

    All boards have the same rules: suicide and the immediate retaking of a ko are illegal, and a
    player does not fill a point whose neighbors are all of one chain of that player's (6.2.1).
    """

    size: int
    to_play: int

    def copy(self) -> Self:
        """Return an independent copy."""

    def colors(self) -> Sequence[int]:
        """Return the color of each point."""

    def moves(self) -> list[Point]:
        """Return all moves of the player to move, in any order."""

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none."""

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes."""


def opponent(color: int) -> int:
    """Return the other player."""
    return BLACK + WHITE - color


@cache
def neighbors(size: int) -> tuple[tuple[Point, ...], ...]:
    """Return for each point of a board the two to four points next to it."""
    found = []
    for point in range(size * size):
        row, column = divmod(point, size)
        near = []
        if row > 0:
            near.append(point - size)
        if column > 0:
            near.append(point - 1)
        if column < size - 1:
            near.append(point + 1)
        if row < size - 1:
            near.append(point + size)
        found.append(tuple(near))
    return tuple(found)


def count_score(colors: Sequence[int], size: int) -> int:
    """Return Black's points minus White's at the end of a random game: GetResult, in O(n²).

    Stones count, and empty points whose neighbors are all of one color (000 4.2.4). That is the
    area if nothing but eyes is empty; larger territories are not seen.
    """
    score = 0
    for point, color in enumerate(colors):
        owner = color
        if color == EMPTY:
            around = {colors[near] for near in neighbors(size)[point]}
            owner = around.pop() if len(around) == 1 else EMPTY
        score += (owner == BLACK) - (owner == WHITE)
    return score
