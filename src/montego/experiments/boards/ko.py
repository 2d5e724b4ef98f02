"""The third board: a ko is one forbidden point, not a comparison of positions (000 5.2).

A move can only bring back the position before last if it retakes a single stone that has just taken
a single stone. So it is enough to remember where that was. The document's shortcut, to forbid the
point after every capture of a single stone, forbids too much: where the capturing stone is part
of a larger chain, playing there takes that chain and repeats nothing. Predicted: n⁴ l.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.boards.grid import opponent
from montego.experiments.boards.union_find import UnionFindBoard

if TYPE_CHECKING:
    from typing import Self

    from montego.experiments.boards.grid import Point


class KoBoard(UnionFindBoard):
    """A position that knows its chains, and the point that may not be played at once."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._ko: Point | None = None

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = super().copy()
        twin._ko = self._ko  # noqa: SLF001  # Its own class.
        return twin

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
