"""The friendly board: stones on a grid, named by vertices, every input checked.

A board knows stones, captures and simple ko. It does not know whose turn it ought to be, earlier
positions, passes or the end of the game: those are :class:`montego.go.game.Game`'s.
"""

from __future__ import annotations

import reprlib
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.area import area_of, to_grid
from montego.go.diagram import format_diagram, parse_diagram
from montego.go.kernels.layout import (
    AROUND,
    AROUND_EMPTY,
    BEFORE_LAST,
    CAPTURED,
    EAST,
    HASH,
    HEAD,
    KO,
    LAST,
    LIBERTIES,
    MOVES,
    NORTH,
    PASS,
    PASSES,
    SOUTH,
    SUICIDE,
    TO_PLAY,
    WEST,
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
)
from montego.go.svg import board_svg
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE, Color, format_color, parse_color
from montego.go.vocabulary.errors import IllegalMove, InvalidDiagram, InvalidVertex, OffBoard
from montego.go.vocabulary.vertex import check_size, format_vertex
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from montego.go.area import Area, Coordinates
    from montego.jit.state import State

FAULTS = {
    OCCUPIED: "the point is occupied",
    BARRED_BY_KO: "the ko may not be retaken at once",
    IS_SUICIDE: "suicide",
}
"""What a kernel's reason for an illegal move is called."""

OFF_BOARD = "off the board"


# Places in a state as NumPy takes them.
_HASH, _LOST = int(HASH), int(CAPTURED) + BLACK
_KO, _PASS, _TO_PLAY, _SUICIDE = int(KO), int(PASS), int(TO_PLAY), int(SUICIDE)
_HEAD, _LIBERTIES = int(HEAD), int(LIBERTIES)
_NEAR = np.array([[-int(NORTH)], [-int(WEST)], [int(EAST)], [int(SOUTH)]])


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
        first, second, third, fourth = self._state[_HASH : _HASH + 4].tolist()
        return int(first | second << 16 | third << 32 | fourth << 48)

    @property
    def ko(self) -> str | None:
        """The vertex that may not be played at once because of a ko, or None."""
        point = int(self._state[KO])
        return None if point == PASS else format_move(point, self._size)

    @property
    def captures(self) -> Captures:
        """The prisoners taken by Black and by White."""
        black_lost, white_lost = self._state[_LOST : _LOST + 2].tolist()
        return Captures(black=white_lost, white=black_lost)

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
            point = find_move(vertex, self._size)
        except OffBoard:
            return OFF_BOARD
        reason = LEGAL if point == PASS else move_fault(self._state, point, player)
        return None if reason == LEGAL else FAULTS[reason]

    def legal_moves(self, color: str | int) -> list[str]:
        """Return the vertices where *color* may play, without pass.

        In reading order: the top row first, from left to right. Whose turn it is matters only to
        a ko.

        Raises:
            InvalidColor: If there is no such player.
        """
        is_safe, is_suicide = self._playable(parse_color(color))
        is_legal = is_safe if is_suicide is None else is_safe | is_suicide
        return list(compress(_vertices(self._size), is_legal.tolist()))

    def suicides(self, color: str | int) -> list[str]:
        """Return those among the legal moves that take off stones of one's own.

        Raises:
            InvalidColor: If there is no such player.
        """
        _, is_suicide = self._playable(parse_color(color))
        if is_suicide is None:
            return []
        return list(compress(_vertices(self._size), is_suicide.tolist()))

    def _playable(self, player: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_] | None]:
        """Return for every point whether a legal move is there, without suicide, and by suicide.

        The same rules as those of ``move_fault``, for all points at once: to call a kernel for
        each costs many times as much. None if no suicide is legal.
        """
        state, (points, around) = self._state, _points(self._size)
        is_empty = state.take(points) == EMPTY
        is_safe = is_empty & (state.take(around) >= AROUND_EMPTY)
        is_suicide = np.zeros_like(is_safe) if state[_SUICIDE] else None
        (enclosed,) = (is_empty ^ is_safe).nonzero()
        if enclosed.size:
            near = points.take(enclosed) + _NEAR
            color, head = state.take(near), state.take(near + _HEAD)
            # Pseudo-liberties: a chain has this point once for each of its stones beside it.
            beside = np.add.reduce(head[:, None] == head, axis=0, dtype=np.int32)
            is_last = state.take(head + _LIBERTIES) == beside
            is_own = color == player
            breathes = np.logical_or.reduce((is_own != is_last) & (color != WALL), axis=0)
            is_safe[enclosed] = breathes
            if is_suicide is not None:
                is_suicide[enclosed] = is_own.any(axis=0) & ~breathes
        ko = int(state[_KO])
        if ko != _PASS and player == state[_TO_PLAY]:
            is_safe &= points != ko
            if is_suicide is not None:
                is_suicide &= points != ko
        return is_safe, is_suicide

    def removed_in(self, later: Board) -> tuple[frozenset[str], frozenset[str]]:
        """Return where stones of Black and of White stand that *later*, of this size, has not."""
        vertices, (points, _) = _vertices(self._size), _points(self._size)
        before, is_empty = self._state[points], later.state[points] == EMPTY
        black, white = (
            frozenset(compress(vertices, ((before == color) & is_empty).tolist()))
            for color in (BLACK, WHITE)
        )
        return black, white

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
        play(self._state, find_move(vertex, self._size), player)

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
        point = find_move(vertex, self._size)
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


def find_move(vertex: str, size: int) -> int:
    """Return the point of a vertex, or PASS, as ``parse_move`` does, faster where it is plain.

    Raises:
        InvalidVertex: If it names no point of a board of that size.
    """
    point = _moves(size).get(vertex) if isinstance(vertex, str) else None
    return parse_move(vertex, size) if point is None else point


@cache
def _points(size: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the points in reading order, and where their AROUND fields are."""
    points = np.array(list(all_points(size)), np.intp)
    return points, points + int(AROUND)


@cache
def _vertices(size: int) -> list[str]:
    """Return the vertices of the points, in their order."""
    return [format_move(point, size) for point in all_points(size)]


@cache
def _moves(size: int) -> dict[str, int]:
    return {"pass": int(PASS), **dict(zip(_vertices(size), all_points(size), strict=True))}
