"""The boards of the ladder, each one step cheaper than the one before; :data:`LADDER` names them.

Predictions are for one iteration, where n is the number of lines and l the length of a chain.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from montego.experiments.boards.grid import BLACK, EMPTY, WHITE, LadderBoard, neighbors, opponent
from montego.experiments.boards.move_sets import IndexedSet, MoveSet, OrderStatisticTree

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import Self

    from montego.experiments.boards.grid import Point


class NaiveBoard(LadderBoard):
    """The first board: it knows its stones, and those of one move ago (000 4.2).

    Everything else is found out when it is asked. Chains are walked over with a stack. Whether a
    move retakes a ko is found by playing it on a copy and comparing that with the position before
    last. Predicted: n⁶ l. There are n² moves, each chosen among n² points, each of which is tried
    on a board of n² points.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._before = list(self._colors)  # the position before the last move

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(l)."""
        self._before = list(self._colors)
        if point is not None:
            self._put(point, self.to_play)
        self.to_play = opponent(self.to_play)

    def _is_move(self, point: Point, color: int) -> bool:
        """Say whether the point is free, no eye, and can be played on a copy of this board."""
        if self._colors[point] != EMPTY or self._is_eye(point, color):
            return False
        return self.copy()._survives(point, color, self._before)  # noqa: SLF001  # Its own class.

    def _survives(self, point: Point, color: int, before: list[int]) -> bool:
        """Play a stone, and say whether it has a liberty and brings back no earlier position."""
        self._put(point, color)
        return self._has_liberty(self._chain(point)) and self._colors != before

    def _put(self, point: Point, color: int) -> None:
        """Put a stone down and take off the enemy chains that have lost their last liberty."""
        self._colors[point] = color
        for near in neighbors(self.size)[point]:
            if self._colors[near] == opponent(color):
                chain = self._chain(near)
                if not self._has_liberty(chain):
                    self.taken[opponent(color)] += len(chain)
                    for stone in chain:
                        self._colors[stone] = EMPTY

    def _is_eye(self, point: Point, color: int) -> bool:
        """Say whether all neighbors of an empty point are of one chain of the color."""
        around = neighbors(self.size)[point]
        if any(self._colors[near] != color for near in around):
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


class ChainBoard(LadderBoard):
    """What the other boards share: chains are sets of a union-find structure (000 5.1).

    Each stone has a parent, and the root of its tree stands for the chain.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._parent = list(range(size * size))
        self._rank = [0] * (size * size)

    def _find(self, stone: Point) -> Point:
        """Return the root of a stone's chain, and hang all stones on the way directly below it."""
        parent = self._parent
        root = stone
        while parent[root] != root:
            root = parent[root]
        while parent[stone] != root:
            parent[stone], stone = root, parent[stone]
        return root

    def _linked(self, root: Point, other: Point) -> tuple[Point, Point]:
        """Hang the shallower of two chains' trees below the other; return the root first."""
        if self._rank[root] < self._rank[other]:
            root, other = other, root
        elif self._rank[root] == self._rank[other]:
            self._rank[root] += 1
        self._parent[other] = root
        return root, other


class UnionFindBoard(ChainBoard):
    """The second board: it knows its chains, and the stones of one move ago (000 5.1).

    A chain's stones and its liberties are kept at its root. Whether a chain would be captured is
    now seen at once, but a ko is still looked for by comparing whole positions, so the prediction
    stays n⁶ l.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        points = size * size
        self._before = list(self._colors)  # the position before the last move
        # Of roots of stones only. A chain's stones are a list: to join two takes no search.
        self._stones: list[list[Point]] = [[] for _ in range(points)]
        self._liberties: list[set[Point]] = [set() for _ in range(points)]

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        for point, color in enumerate(self._colors):
            if color != EMPTY and self._parent[point] == point:
                twin._stones[point] = list(self._stones[point])  # noqa: SLF001  # Its own class.
                twin._liberties[point] = set(self._liberties[point])  # noqa: SLF001
        return twin

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(l): liberties are united."""
        self._before = list(self._colors)
        if point is not None:
            self._put(point)
        self.to_play = opponent(self.to_play)

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
        self.taken[self._colors[root]] += len(stones)
        for stone in stones:
            self._colors[stone] = EMPTY
            self._parent[stone] = stone
            self._rank[stone] = 0
        for stone in stones:
            for near in neighbors(self.size)[stone]:
                if self._colors[near] != EMPTY:
                    self._liberties[self._find(near)].add(stone)
        return stones

    def _unite(self, root: Point, other: Point) -> None:
        """Make one chain of two, in O(l) for the sets of liberties."""
        if root != other:
            root, other = self._linked(root, other)
            self._stones[root] += self._stones[other]
            self._liberties[root] |= self._liberties[other]


class KoBoard(UnionFindBoard):
    """The third board: a ko is one forbidden point, not a comparison of positions (000 5.2).

    A move can only bring back the position before last if it retakes a single stone that has just
    taken a single stone. So it is enough to remember where that was. The document's shortcut, to
    forbid the point after every capture of a single stone, forbids too much: where the capturing
    stone is part of a larger chain, playing there takes that chain and repeats nothing. Predicted:
    n⁴ l.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._ko: Point | None = None

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(l)."""
        self._ko = None
        if point is not None:
            captured = self._put(point)
            root = self._find(point)
            if len(captured) == len(self._stones[root]) == len(self._liberties[root]) == 1:
                self._ko = captured[0]
        self.to_play = opponent(self.to_play)

    def _is_ko(self, point: Point, color: int) -> bool:
        """Say whether the player to move may not play here at once."""
        return point == self._ko and color == self.to_play


class MaintainedBoard(KoBoard):
    """The fourth board: the moves of both players are kept up to date, not looked for (000 5.3).

    After a move only few points can have become playable or unplayable; those are tested anew. The
    moves lie in a set from which a random one can be drawn: an array beside a hash map, or
    003's balanced tree. Predicted: n² l, as uniting chains still unites sets of liberties.
    """

    def __init__(self, size: int, move_set: Callable[[list[int]], MoveSet] = IndexedSet) -> None:
        super().__init__(size)
        points = list(range(size * size))
        self._moves = {BLACK: move_set(points), WHITE: move_set(points)}
        self._doubtful: set[Point] = set()  # points to be tested when the move is over

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        twin._moves = {color: moves.copy() for color, moves in self._moves.items()}  # noqa: SLF001
        return twin

    def moves(self) -> list[Point]:
        """Return all moves of the player to move. Not needed for drawing one."""
        return list(self._moves[self.to_play])

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none. O(1)."""
        moves = self._moves[self.to_play]
        return moves.draw(random) if len(moves) else None

    def play(self, point: Point | None) -> None:
        """Play one of the moves; None passes. DoMove, in O(l)."""
        self._doubtful = set() if self._ko is None else {self._ko}
        super().play(point)
        if self._ko is not None:
            self._doubtful.add(self._ko)
        for changed in self._doubtful:
            self._test(changed)

    def _test(self, point: Point) -> None:
        """Bring the point up to date in the moves of both players."""
        for color, moves in self._moves.items():
            if self._is_move(point, color):
                moves.add(point)
            elif point in moves:
                moves.remove(point)

    def _put(self, point: Point) -> list[Point]:
        """Put a stone down, and note which points may have changed.

        A point is a move or not by its neighbors: which are empty, whose chain has one liberty,
        whose has more, and whether all are of one chain. So these points are in doubt: the one
        played and its neighbors, the last liberty of a chain that is or was in atari, the
        common liberties of chains that were united, and what was captured.
        """
        captured = super()._put(point)
        around = neighbors(self.size)[point]
        self._doubtful.update((point, *around, *captured))
        for near in around:
            if self._colors[near] != EMPTY:
                self._doubt_last_liberty(near)
        self._doubt_last_liberty(point)
        return captured

    def _lift(self, root: Point) -> list[Point]:
        for stone in self._stones[root]:
            for near in neighbors(self.size)[stone]:
                if self._colors[near] != self._colors[root]:
                    self._doubt_last_liberty(near)
        return super()._lift(root)

    def _unite(self, root: Point, other: Point) -> None:
        if root != other:
            self._doubtful |= self._liberties[root] & self._liberties[other]
        super()._unite(root, other)

    def _doubt_last_liberty(self, stone: Point) -> None:
        liberties = self._liberties[self._find(stone)]
        if len(liberties) == 1:
            self._doubtful |= liberties


class NumericalBoard(ChainBoard):
    """The last board in plain Python: liberties are a number (000 5.4).

    A chain remembers how often its stones touch an empty point; a point that touches it twice
    counts twice. Uniting chains adds two numbers, and the number is 0 exactly when the chain is
    captured. Which points are liberties is not known any more, so the set of moves cannot be kept
    up to date: it has all empty points, and a point that is drawn is tested before it is played.

    The document withdraws a point that fails the test for good. That loses moves, such as a ko
    that may be retaken later; here the point comes back for the next move. Predicted: n², the least
    that is possible, since so many moves are played.
    """

    def __init__(self, size: int) -> None:
        super().__init__(size)
        points = size * size
        self._ko: Point | None = None
        self._next = list(range(points))  # the chain's next stone: a ring, so that joining is O(1)
        self._liberties = [0] * points  # of roots of stones only
        self._empty = list(range(points))  # the empty points in any order
        self._place = list(range(points))  # where in that list an empty point is

    def moves(self) -> list[Point]:
        """Return all moves of the player to move. Not needed for drawing one."""
        return [point for point in self._empty if self._is_move(point, self.to_play)]

    def random_move(self, random: Random) -> Point | None:
        """Return one of the moves, all equally likely; None if there is none. O(1) amortized."""
        left = len(self._empty)
        while left:
            point = self._empty[random.randrange(left)]
            if self._is_move(point, self.to_play):
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

    def _is_move(self, point: Point, color: int) -> bool:
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
        if len(touched) == 1 and colors[around[0]] == color:
            return False  # an eye
        return any(
            (self._liberties[root] == count) == (colors[root] != color)
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
        self.taken[self._colors[root]] += len(stones)
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

    def _unite(self, root: Point, other: Point) -> None:
        """Make one chain of two, in constant time."""
        if root != other:
            root, other = self._linked(root, other)
            self._liberties[root] += self._liberties[other]
            self._next[root], self._next[other] = self._next[other], self._next[root]

    def _swap(self, point: Point, other: Point) -> None:
        """Let two empty points change places in the list."""
        place, elsewhere = self._place[point], self._place[other]
        self._empty[place], self._empty[elsewhere] = other, point
        self._place[point], self._place[other] = elsewhere, place


class LadderStep(NamedTuple):
    """A board of the ladder, and how the time of one iteration should grow with the lines."""

    board: Callable[[int], LadderBoard]
    """Makes an empty board of that size."""
    exponent: int
    """By 000's table in 5.5, without the factor l for the length of chains."""


LADDER: dict[str, LadderStep] = {
    "naive": LadderStep(NaiveBoard, 6),
    "union-find": LadderStep(UnionFindBoard, 6),
    "ko": LadderStep(KoBoard, 4),
    "maintained": LadderStep(MaintainedBoard, 2),
    "maintained, balanced tree": LadderStep(
        partial(MaintainedBoard, move_set=OrderStatisticTree), 2
    ),
    "numerical": LadderStep(NumericalBoard, 2),
}
