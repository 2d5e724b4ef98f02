"""The first board: colors in a list, and everything else found out when it is asked (000 4.2).

Chains are walked over with a stack. Whether a move retakes a ko is found by playing it on a copy
and comparing that with the position before last. Predicted for one iteration: n⁶ l, where n is the
number of lines and l the length of a chain: n² moves, each chosen among n² points, each of
which is tried on a board of n² points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.boards.grid import BLACK, EMPTY, neighbors, opponent

if TYPE_CHECKING:
    from random import Random

    from montego.experiments.boards.grid import Point


class NaiveBoard:
    """A position that knows its stones, and those of one move ago."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.to_play = BLACK
        self._colors = [EMPTY] * (size * size)
        self._before = list(self._colors)  # the position before the last move

    def copy(self) -> NaiveBoard:
        """Return an independent copy."""
        twin = NaiveBoard(self.size)
        twin.to_play = self.to_play
        twin._colors = list(self._colors)  # Its own class, here and below.
        twin._before = list(self._before)
        return twin

    def colors(self) -> list[int]:
        """Return the color of each point. Not a copy."""
        return self._colors

    def moves(self) -> list[Point]:
        """Return all moves of the player to move: GetMoves, in O(n⁴ l)."""
        return [point for point in range(self.size**2) if self._is_move(point)]

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none."""
        moves = self.moves()
        return random.choice(moves) if moves else None

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(l)."""
        self._before = list(self._colors)
        if point is not None:
            self._put(point)
        self.to_play = opponent(self.to_play)

    def _is_move(self, point: Point) -> bool:
        """Say whether the point is free, no eye, and can be played on a copy of this board."""
        if self._colors[point] != EMPTY or self._is_eye(point):
            return False
        trial = self.copy()
        trial._put(point)  # noqa: SLF001
        return trial._has_liberty(trial._chain(point)) and trial._colors != self._before  # noqa: SLF001

    def _put(self, point: Point) -> None:
        """Put a stone down and take off the enemy chains that have lost their last liberty."""
        self._colors[point] = self.to_play
        for near in neighbors(self.size)[point]:
            if self._colors[near] == opponent(self.to_play):
                chain = self._chain(near)
                if not self._has_liberty(chain):
                    for stone in chain:
                        self._colors[stone] = EMPTY

    def _is_eye(self, point: Point) -> bool:
        """Say whether all neighbors of an empty point are of one chain of the player to move."""
        around = neighbors(self.size)[point]
        if any(self._colors[near] != self.to_play for near in around):
            return False
        return self._chain(around[0]).issuperset(around)

    def _chain(self, stone: Point) -> set[Point]:
        """Return the stones that are connected to a stone, itself included."""
        color = self._colors[stone]
        chain, stack = {stone}, [stone]
        while stack:
            for near in neighbors(self.size)[stack.pop()]:
                if self._colors[near] == color and near not in chain:
                    chain.add(near)
                    stack.append(near)
        return chain

    def _has_liberty(self, chain: set[Point]) -> bool:
        return any(
            self._colors[near] == EMPTY for stone in chain for near in neighbors(self.size)[stone]
        )
