"""The fourth board: the moves of both players are kept up to date, not looked for (000 5.3).

After a move only few points can have become playable or unplayable; those are tested anew. The
moves lie in a set from which a random one can be drawn: an array beside a hash map, or
003's balanced tree. Predicted for one iteration: n² l, as uniting chains still unites sets of
liberties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from montego.experiments.boards.grid import BLACK, EMPTY, WHITE, neighbors
from montego.experiments.boards.indexed_set import IndexedSet
from montego.experiments.boards.ko import KoBoard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random
    from typing import Self

    from montego.experiments.boards.grid import Point


class MoveSet(Protocol):
    """What the board asks of a set of moves."""

    def copy(self) -> Self:
        """Return an independent copy."""

    def add(self, element: int) -> None:
        """Insert an element that may be there already."""

    def remove(self, element: int) -> None:
        """Remove an element that is there."""

    def draw(self, random: Random) -> int:
        """Return one of the elements, all equally likely; there must be one."""

    def __len__(self) -> int: ...
    def __contains__(self, element: int) -> bool: ...
    def __iter__(self) -> Iterator[int]: ...


class MaintainedBoard(KoBoard):
    """A position that knows its chains, the ko, and the moves of both players."""

    def __init__(self, size: int, move_set: Callable[[list[int]], MoveSet] = IndexedSet) -> None:
        super().__init__(size)
        self._move_set = move_set
        points = list(range(size * size))
        self._moves = {BLACK: move_set(points), WHITE: move_set(points)}
        self._doubtful: set[Point] = set()  # points to be tested when the move is over

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        twin._moves = {color: moves.copy() for color, moves in self._moves.items()}  # noqa: SLF001  # Its own class.
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

    def _blank(self) -> Self:
        return type(self)(self.size, self._move_set)

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
