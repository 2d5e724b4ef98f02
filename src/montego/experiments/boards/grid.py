"""What all boards of the ladder share: points, neighbors, and counting a finished board.

A board is a square of *size* lines; its points are numbered row by row from 0. Colors are small
integers. Everything here is plain Python, for reading and for measuring, not for playing strength.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random
    from typing import Self

EMPTY, BLACK, WHITE = 0, 1, 2

MOVES_PER_POINT = 3
"""A random game that is longer than this goes round in circles, which simple ko does not forbid."""

Point: TypeAlias = int


class LadderBoard(ABC):
    """A position, as 000's iteration needs it (4.1): clone it, ask for a move, play it, count.

    All boards have the same rules: suicide and the immediate retaking of a ko are illegal, and a
    player does not fill a point whose neighbors are all of one chain of that player's (6.2.1).
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.to_play = BLACK
        self._colors = [EMPTY] * (size * size)
        self.taken = [0] * 3
        """By color: its stones that were taken off the board, the other player's prisoners."""

    def copy(self) -> Self:
        """Return an independent copy. Lists are copied; a board that has more than those, more."""
        twin = object.__new__(type(self))
        twin.__dict__ = {
            name: value.copy() if type(value) is list else value
            for name, value in self.__dict__.items()
        }
        return twin

    def colors(self) -> Sequence[int]:
        """Return the color of each point. Not a copy."""
        return self._colors

    def moves(self) -> list[Point]:
        """Return all moves of the player to move, in any order: GetMoves."""
        return [point for point in range(self.size**2) if self._is_move(point, self.to_play)]

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none."""
        moves = self.moves()
        return random.choice(moves) if moves else None

    @abstractmethod
    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove."""

    @abstractmethod
    def _is_move(self, point: Point, color: int) -> bool:
        """Say whether a player whose turn it is may play at a point."""


def opponent(color: int) -> int:
    """Return the other player."""
    return BLACK + WHITE - color


@cache
def neighbors(size: int) -> tuple[tuple[Point, ...], ...]:
    """Return for each point of a board the two to four points next to it."""
    steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
    lines = range(size)
    return tuple(
        tuple(
            (row + down) * size + column + right
            for down, right in steps
            if row + down in lines and column + right in lines
        )
        for row in lines
        for column in lines
    )


def count_points(board: LadderBoard) -> int:
    """Return Black's points minus White's at the end of a random game: GetResult, in O(n²).

    Prisoners count, and empty points whose neighbors are all of one color (000 2.1, 4.2.4); larger
    territories are not seen.
    """
    colors = board.colors()
    score = board.taken[WHITE] - board.taken[BLACK]
    for point, color in enumerate(colors):
        if color == EMPTY:
            around = {colors[near] for near in neighbors(board.size)[point]}
            score += (around == {BLACK}) - (around == {WHITE})
    return score
