"""The second board: chains are sets of a union-find structure (000 5.1).

Each stone has a parent, and the root of its tree stands for the chain; there the chain's stones
and its liberties are kept. Whether a chain would be captured is now seen at once, but a ko is
still looked for by comparing whole positions, so the prediction for one iteration stays n⁶ l.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.boards.grid import BLACK, EMPTY, neighbors, opponent

if TYPE_CHECKING:
    from random import Random
    from typing import Self

    from montego.experiments.boards.grid import Point


class UnionFindBoard:
    """A position that knows its chains, and the stones of one move ago."""

    def __init__(self, size: int) -> None:
        points = size * size
        self.size = size
        self.to_play = BLACK
        self._colors = [EMPTY] * points
        self._before = list(self._colors)  # the position before the last move
        self._parent = list(range(points))
        self._rank = [0] * points
        # Of roots of stones only. A chain's stones are a list: to join two takes no search.
        self._stones: list[list[Point]] = [[] for _ in range(points)]
        self._liberties: list[set[Point]] = [set() for _ in range(points)]

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = self._blank()
        twin.to_play = self.to_play
        twin._colors = list(self._colors)  # noqa: SLF001  # Its own class.
        twin._before = list(self._before)  # noqa: SLF001
        twin._parent = list(self._parent)  # noqa: SLF001
        twin._rank = list(self._rank)  # noqa: SLF001
        for point, color in enumerate(self._colors):
            if color != EMPTY and self._parent[point] == point:
                twin._stones[point] = list(self._stones[point])  # noqa: SLF001
                twin._liberties[point] = set(self._liberties[point])  # noqa: SLF001
        return twin

    def colors(self) -> list[int]:
        """Return the color of each point. Not a copy."""
        return self._colors

    def moves(self) -> list[Point]:
        """Return all moves of the player to move: GetMoves, in O(n⁴ l)."""
        return [point for point in range(self.size**2) if self._is_move(point, self.to_play)]

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none."""
        moves = self.moves()
        return random.choice(moves) if moves else None

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(l): liberties are united."""
        self._before = list(self._colors)
        if point is not None:
            self._put(point)
        self.to_play = opponent(self.to_play)

    def _blank(self) -> Self:
        """Return an empty board of the same kind, for a copy."""
        return type(self)(self.size)

    def _is_move(self, point: Point, color: int) -> bool:
        """Apply 000's formula: free, and next to a free point, a victim or a friend; no ko."""
        if self._colors[point] != EMPTY or self._is_eye(point, color):
            return False
        around = neighbors(self.size)[point]
        possible = any(self._colors[near] == EMPTY for near in around) or any(
            (len(self._liberties[self._find(near)]) == 1) == (self._colors[near] != color)
            for near in around
        )
        return possible and not self._is_ko(point, color)

    def _is_ko(self, point: Point, color: int) -> bool:
        """Say whether the move would bring back the position of a move ago."""
        after = list(self._colors)
        after[point] = color
        for near in neighbors(self.size)[point]:
            if self._colors[near] == opponent(color):
                root = self._find(near)
                if len(self._liberties[root]) == 1:
                    for stone in self._stones[root]:
                        after[stone] = EMPTY
        return after == self._before

    def _is_eye(self, point: Point, color: int) -> bool:
        """Say whether all neighbors of an empty point are of one chain of the color."""
        around = neighbors(self.size)[point]
        if any(self._colors[near] != color for near in around):
            return False
        return len({self._find(near) for near in around}) == 1

    def _put(self, point: Point) -> list[Point]:
        """Put a stone down, unite it with its friends, and return what it captured."""
        color = self.to_play
        around = neighbors(self.size)[point]
        self._colors[point] = color
        self._stones[point] = [point]
        self._liberties[point] = {near for near in around if self._colors[near] == EMPTY}
        captured: list[Point] = []
        for near in around:
            if self._colors[near] == EMPTY:
                continue
            root = self._find(near)
            self._liberties[root].discard(point)
            if self._colors[near] == color:
                self._unite(self._find(point), root)
            elif not self._liberties[root]:
                captured += self._lift(root)
        return captured

    def _lift(self, root: Point) -> list[Point]:
        """Take a chain off the board and return its stones. They become liberties around it."""
        stones = self._stones[root]
        for stone in stones:
            self._colors[stone] = EMPTY
            self._parent[stone] = stone
            self._rank[stone] = 0
        for stone in stones:
            for near in neighbors(self.size)[stone]:
                if self._colors[near] != EMPTY:
                    self._liberties[self._find(near)].add(stone)
        return stones

    def _find(self, stone: Point) -> Point:
        """Return the root of a stone's chain, and hang all stones on the way directly below it."""
        parent = self._parent
        root = stone
        while parent[root] != root:
            root = parent[root]
        while parent[stone] != root:
            parent[stone], stone = root, parent[stone]
        return root

    def _unite(self, root: Point, other: Point) -> None:
        """Make one chain of two: the shallower tree goes below the other. O(l) for the sets."""
        if root == other:
            return
        if self._rank[root] < self._rank[other]:
            root, other = other, root
        elif self._rank[root] == self._rank[other]:
            self._rank[root] += 1
        self._parent[other] = root
        self._stones[root] += self._stones[other]
        self._liberties[root] |= self._liberties[other]
