"""The last board in plain Python: liberties are a number (000 5.4).

A chain remembers how often its stones touch an empty point; a point that touches it twice counts
twice. Uniting chains adds two numbers, and the number is 0 exactly when the chain is captured.
Which points are liberties is not known any more, so the set of moves cannot be kept up to date:
it has all empty points, and a point that is drawn is tested before it is played.

The document withdraws a point that fails the test for good. That loses moves, such as a ko
that may be retaken later; here the point comes back for the next move. Predicted: n², the least
that is possible, since so many moves are played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.boards.grid import BLACK, EMPTY, neighbors, opponent

if TYPE_CHECKING:
    from random import Random

    from montego.experiments.boards.grid import Point


class NumericalBoard:
    """A position that knows its chains, how many liberties they have, and the empty points."""

    def __init__(self, size: int) -> None:
        points = size * size
        self.size = size
        self.to_play = BLACK
        self._ko: Point | None = None
        self._colors = [EMPTY] * points
        self._parent = list(range(points))
        self._rank = [0] * points
        self._next = list(range(points))  # the chain's next stone: a ring, so that joining is O(1)
        self._liberties = [0] * points  # of roots of stones only
        self._empty = list(range(points))  # the empty points in any order
        self._place = list(range(points))  # where in that list an empty point is

    def copy(self) -> NumericalBoard:
        """Return an independent copy."""
        twin = NumericalBoard.__new__(NumericalBoard)
        twin.size = self.size
        twin.to_play = self.to_play
        twin._ko = self._ko  # noqa: SLF001  # Its own class, here and below.
        twin._colors = list(self._colors)  # noqa: SLF001
        twin._parent = list(self._parent)  # noqa: SLF001
        twin._rank = list(self._rank)  # noqa: SLF001
        twin._next = list(self._next)  # noqa: SLF001
        twin._liberties = list(self._liberties)  # noqa: SLF001
        twin._empty = list(self._empty)  # noqa: SLF001
        twin._place = list(self._place)  # noqa: SLF001
        return twin

    def colors(self) -> list[int]:
        """Return the color of each point. Not a copy."""
        return self._colors

    def moves(self) -> list[Point]:
        """Return all moves of the player to move. Not needed for drawing one."""
        return [point for point in self._empty if self._is_move(point)]

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none. O(1) amortized."""
        left = len(self._empty)
        while left:
            point = self._empty[random.randrange(left)]
            if self._is_move(point):
                return point
            # Out of the way for this time: to the end of what is drawn from.
            left -= 1
            self._swap(point, self._empty[left])
        return None

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(1) amortized over a game."""
        self._ko = None
        if point is not None:
            self._put(point)
        self.to_play = opponent(self.to_play)

    def _is_move(self, point: Point) -> bool:
        """Say whether an empty point is next to a free point, a victim or a friend; no eye or ko.

        A point is the last liberty of a chain if the chain counts no more liberties than the
        point has neighbors in the chain.
        """
        if point == self._ko:
            return False
        colors, around = self._colors, neighbors(self.size)[point]
        touched: dict[Point, int] = {}
        for near in around:
            if colors[near] == EMPTY:
                return True
            root = self._find(near)
            touched[root] = touched.get(root, 0) + 1
        if len(touched) == 1 and colors[around[0]] == self.to_play:
            return False  # an eye
        return any(
            (self._liberties[root] == count) == (colors[root] != self.to_play)
            for root, count in touched.items()
        )

    def _put(self, point: Point) -> None:
        """Put a stone down: take a liberty from each neighbor, unite with friends, capture."""
        color, colors, around = self.to_play, self._colors, neighbors(self.size)[point]
        colors[point] = color
        self._swap(point, self._empty[-1])
        self._empty.pop()
        self._liberties[point] = sum(colors[near] == EMPTY for near in around)
        captured = 0
        for near in around:
            if colors[near] == EMPTY:
                continue
            root = self._find(near)
            self._liberties[root] -= 1
            if colors[near] == color:
                self._unite(self._find(point), root)
            elif self._liberties[root] == 0:
                captured += self._lift(root)
        # A lone stone in atari that took a lone stone may not be retaken at once.
        if captured == 1 and self._next[point] == point and self._liberties[point] == 1:
            self._ko = self._empty[-1]

    def _lift(self, root: Point) -> int:
        """Take a chain off the board and return how many stones it had."""
        stones = [root]
        while self._next[stones[-1]] != root:
            stones.append(self._next[stones[-1]])
        for stone in stones:
            self._colors[stone] = EMPTY
            self._parent[stone] = self._next[stone] = stone
            self._rank[stone] = 0
            self._place[stone] = len(self._empty)
            self._empty.append(stone)
            for near in neighbors(self.size)[stone]:
                # Stones of the chain itself count as well, to no effect: they go too.
                if self._colors[near] != EMPTY:
                    self._liberties[self._find(near)] += 1
        return len(stones)

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
        """Make one chain of two, in constant time."""
        if root == other:
            return
        if self._rank[root] < self._rank[other]:
            root, other = other, root
        elif self._rank[root] == self._rank[other]:
            self._rank[root] += 1
        self._parent[other] = root
        self._liberties[root] += self._liberties[other]
        self._next[root], self._next[other] = self._next[other], self._next[root]

    def _swap(self, point: Point, other: Point) -> None:
        """Let two empty points change places in the list."""
        place, elsewhere = self._place[point], self._place[other]
        self._empty[place], self._empty[elsewhere] = other, point
        self._place[point], self._place[other] = elsewhere, place
