"""The friendly board: stones on a grid, named by vertices, every input checked.

A board knows stones, captures and simple ko. It does not know whose turn it ought to be, earlier
positions, passes or the end of the game: those are :class:`montego.go.game.Game`'s.
"""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING, NamedTuple

from montego.go.area import area_of, to_grid
from montego.go.diagram import format_diagram, parse_diagram
from montego.go.kernels.layout import (
    BEFORE_LAST,
    CAPTURED,
    KO,
    LAST,
    MOVES,
    PASS,
    PASSES,
    TO_PLAY,
    all_points,
    coordinates_of,
    empty_state,
    format_move,
    parse_move,
    rows_of,
)
from montego.go.kernels.position import (
    BARRED_BY_KO,
    IS_SUICIDE,
    LEGAL,
    OCCUPIED,
    move_fault,
    play,
    position_hash,
)
from montego.go.svg import board_svg
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, Color, format_color, parse_color
from montego.go.vocabulary.errors import IllegalMove, InvalidDiagram, InvalidVertex, OffBoard
from montego.go.vocabulary.vertex import check_size, format_vertex
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from montego.go.area import Area, Coordinates
    from montego.jit.state import State

FAULTS = {
    OCCUPIED: "the point is occupied",
    BARRED_BY_KO: "the ko may not be retaken at once",
    IS_SUICIDE: "suicide",
}
"""What a kernel's reason for an illegal move is called."""

OFF_BOARD = "off the board"


class Captures(NamedTuple):
    """Prisoners taken by each player."""

    black: int
    white: int


class Board:
    """Stones on a square grid of 2 to 25 lines.

    >>> board = Board(5)
    >>> board.play("black", "C3")
    >>> print(board)
      A B C D E
    5 . . . . . 5
    4 . . . . . 4
    3 . . X . . 3
    2 . . . . . 2
    1 . . . . . 1
      A B C D E
    """

    def __init__(self, size: int = 19, *, suicide: bool = False) -> None:
        """Make an empty board; *suicide* allows removing one's own chain of two or more.

        Raises:
            InvalidSize: If *size* is not a whole number from 2 to 25.
        """
        self._size = check_size(size)
        self._state = empty_state(self._size, suicide=bool(suicide))

    @classmethod
    def from_diagram(cls, text: str, *, suicide: bool = False) -> Board:
        """Read a picture such as :func:`str` draws; ``X`` is black, ``O`` white, ``.`` empty.

        Raises:
            InvalidDiagram: If it is no picture of a board, or a chain in it has no liberty.
        """
        return cls.from_rows(parse_diagram(text), suicide=suicide)

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[int]], *, suicide: bool = False) -> Board:
        """Make a board from rows of colors, the top one first: the inverse of :meth:`rows`.

        Raises:
            InvalidDiagram: If the rows are no square, or a chain has no liberty.
        """
        try:
            lengths = {len(row) for row in rows}
        except TypeError:
            raise InvalidDiagram(f"{reprlib.repr(rows)} is no list of rows") from None
        board = cls(len(rows), suicide=suicide)
        if lengths != {board.size}:
            raise InvalidDiagram(f"a board of {board.size} rows wants {board.size} points in each")
        strange = [
            color
            for row in rows
            for color in row
            if not hasattr(color, "__index__") or color not in (EMPTY, BLACK, WHITE)
        ]
        if strange:
            raise InvalidDiagram(f"{strange[0]!r} is no color: 0 is empty, 1 black, 2 white")
        state = board._state
        # Stone by stone captures nothing that is not captured in the end: a chain that is not yet
        # complete has its missing stones for liberties.
        wanted = list(zip(all_points(board.size), (c for row in rows for c in row), strict=True))
        for point, color in wanted:
            if color != EMPTY:
                play(state, point, color)
        for point, color in wanted:
            if state[point] != color:
                vertex = format_move(point, board.size)
                raise InvalidDiagram(f"the chain at {vertex} has no liberty")
        captured = (CAPTURED + Index(1), CAPTURED + Index(2))
        for field in (KO, PASSES, MOVES, LAST, BEFORE_LAST, *captured):
            state[field] = 0
        state[TO_PLAY] = 1
        return board

    @property
    def size(self) -> int:
        """The number of lines in each direction."""
        return self._size

    @property
    def state(self) -> State:
        """The position as kernels take it (:mod:`montego.go.kernels.layout`), not a copy."""
        return self._state

    @property
    def hash(self) -> int:
        """A 64-bit number that is the same for the same stones, in every process.

        Different positions have different numbers for all practical purposes. The ko and the
        player to move are not part of it.
        """
        return int(position_hash(self._state))

    @property
    def ko(self) -> str | None:
        """The vertex that may not be played at once because of a ko, or None."""
        point = int(self._state[KO])
        return None if point == PASS else format_move(point, self._size)

    @property
    def captures(self) -> Captures:
        """The prisoners taken by Black and by White."""
        lost = [int(self._state[CAPTURED + Index(color)]) for color in (BLACK, WHITE)]
        return Captures(black=lost[1], white=lost[0])

    def rows(self) -> list[list[int]]:
        """Return the colors (EMPTY, BLACK, WHITE) by row, the top row first."""
        return rows_of(self._state)

    def color_at(self, vertex: str) -> Color | None:
        """Return ``"black"``, ``"white"`` or None for an empty point.

        Raises:
            InvalidVertex: If *vertex* is no point of the board.
        """
        color = int(self._state[self._point(vertex)])
        return None if color == EMPTY else format_color(color)

    def chain(self, vertex: str) -> list[str]:
        """Return the vertices of the chain at *vertex*, in reading order; empty for no stone.

        Raises:
            InvalidVertex: If *vertex* is no point of the board.
        """
        chain = self._chain(vertex)
        return [] if chain is None else self._sorted(chain.points)

    def liberties(self, vertex: str) -> list[str]:
        """Return the liberties of the chain at *vertex*, in reading order; empty for no stone.

        Raises:
            InvalidVertex: If *vertex* is no point of the board.
        """
        chain = self._chain(vertex)
        if chain is None:
            return []
        grid = to_grid(self.rows())
        return self._sorted(point for point in chain.border if grid[point] == EMPTY)

    def fault(self, color: str | int, vertex: str) -> str | None:
        """Return why the move is illegal, or None if it is legal. A pass is always legal.

        Raises:
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
        """
        player = parse_color(color)
        try:
            point = parse_move(vertex, self._size)
        except OffBoard:
            return OFF_BOARD
        reason = LEGAL if point == PASS else move_fault(self._state, point, player)
        return None if reason == LEGAL else FAULTS[reason]

    def play(self, color: str | int, vertex: str) -> None:
        """Play a stone, or ``"pass"``. What it captures is added to :attr:`captures`.

        Raises:
            IllegalMove: If the point is occupied, barred by ko or off the board, or it is suicide.
            InvalidColor: If there is no such player.
            InvalidVertex: If *vertex* is no vertex at all.
        """
        fault = self.fault(color, vertex)
        player = parse_color(color)
        if fault is not None:
            raise IllegalMove(format_color(player), vertex.strip().upper(), fault)
        play(self._state, parse_move(vertex, self._size), player)

    def copy(self) -> Board:
        """Return an independent copy."""
        twin = Board.__new__(Board)
        twin.__dict__.update(_size=self._size, _state=self._state.copy())
        return twin

    def __eq__(self, other: object) -> bool:
        """Two boards are equal if they have the same size and stones; ko does not matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return self._size == other._size and self.rows() == other.rows()

    __hash__ = None  # type: ignore[assignment]  # Boards change.

    def __str__(self) -> str:
        return format_diagram(self.rows())

    def __repr__(self) -> str:
        stones = sum(color != EMPTY for row in self.rows() for color in row)
        return f"<Board {self._size}x{self._size} with {stones} stones>"

    def _repr_svg_(self) -> str:
        return board_svg(self.rows())

    def _point(self, vertex: str) -> int:
        point = parse_move(vertex, self._size)
        if point == PASS:
            raise InvalidVertex("pass: a point of the board is wanted here")
        return point

    def _chain(self, vertex: str) -> Area | None:
        start = coordinates_of(self._point(vertex), self._size)
        grid = to_grid(self.rows())
        color = grid[start]
        return None if color == EMPTY else area_of(grid, start, lambda other: other == color)

    def _sorted(self, points: Iterable[Coordinates]) -> list[str]:
        """Return vertices in reading order: the top row first, from left to right."""
        return [format_vertex(point) for point in sorted(points, key=lambda p: (-p[1], p[0]))]
