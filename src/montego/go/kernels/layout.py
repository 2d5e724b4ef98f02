"""How a position lies in one flat array of 32-bit integers.

::

    header | row 0: color head next liberties around slot stones | row 1: ... | empty points

A *point* is the index of its color in that array, so ``state[point]`` is its color and
``state[point + HEAD]`` the head of its chain. A row holds the seven fields of its points one
after the other, each ``LINE`` long. The row length is the same for every board size, which makes
the way to a neighbor (``NORTH``, ``WEST``, ...) a constant of the machine code; and because rows
follow one another, a small board is a short array, quick to copy.

The grid is framed by WALL points: all eight neighbors of a point on the board can be read without
a test. Walls and empty points are their own heads, so that playing a stone may count down the
liberties of all four neighbors' heads without asking what they are; those counters mean
nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from montego.go.vocabulary.color import BLACK, EMPTY, WALL
from montego.go.vocabulary.vertex import MAX_SIZE, format_vertex, parse_vertex
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.jit.state import State

# The header: one integer each, at these indices.
SIZE = Index(0)  # rows on the board
TO_PLAY = Index(1)  # BLACK or WHITE
KO = Index(2)  # the point barred by the simple ko rule, or PASS
PASSES = Index(3)  # passes in a row just played
MOVES = Index(4)  # moves played so far, passes included
BALANCE = Index(5)  # Black's stones on the board minus White's
CAPTURED = Index(5)  # + color: stones of that color taken off the board, at 6 and 7
HASH = Index(8)  # the Zobrist hash in four parts of 16 bits, the lowest first
SUICIDE = Index(12)  # 1 if a chain of two stones or more may take its own last liberty
FIRST_EMPTY = Index(13)  # index in the state where the list of empty points begins
EMPTY_COUNT = Index(14)  # how many of them there are
LAST = Index(15)  # the last move: a point, or PASS; also PASS if there was none
BEFORE_LAST = Index(16)  # the move before that
HEADER = 18

PASS = Index(0)  # A move that is no point; point 0 lies in the header.

LINE = MAX_SIZE + 2  # points in a row, with a wall at either end
FIELDS = 7
ROW = FIELDS * LINE

# Fields of a point, to be added to it.
HEAD = Index(1 * LINE)  # the stone that names the chain; an empty point or wall names itself
NEXT = Index(2 * LINE)  # the next stone of the chain, in a ring; valid for stones
LIBERTIES = Index(3 * LINE)  # pseudo-liberties, an empty point counts once per stone; at heads
AROUND = Index(4 * LINE)  # neighbors: black in bits 0-3, white in bits 4-7, empty from bit 8;
#                           a wall counts as black and as white
SLOT = Index(5 * LINE)  # where in the state's list the point is; valid for empty points
STONES = Index(6 * LINE)  # stones in the chain; valid at heads

ONE = Index(1)
NORTH, WEST, EAST, SOUTH = Index(ROW), ONE, ONE, Index(ROW)  # subtract the first two, add the last

AROUND_WALL = 0x011
AROUND_EMPTY = 0x100


@kernel(inline=True)
def neighbors(point: int) -> tuple[int, int, int, int]:
    """Return the four points beside a point of the board, some of which may be wall."""
    return point - NORTH, point - WEST, point + EAST, point + SOUTH


@kernel(inline=True)
def diagonals(point: int) -> tuple[int, int, int, int]:
    """Return the four points across the corners of a point of the board."""
    return point - NORTH - WEST, point - NORTH + EAST, point + SOUTH - WEST, point + SOUTH + EAST


def state_length(size: int) -> int:
    """Return how many integers a position of this board size takes."""
    return HEADER + (size + 2) * ROW + size * size


def point_at(column: int, row: int, size: int) -> int:
    """Return the point at zero-based *column* (A is 0) and *row* (the lowest is 0)."""
    return HEADER + (size - row) * ROW + column + 1


def coordinates_of(point: int, size: int) -> tuple[int, int]:
    """Return the zero-based column and row of a point; the inverse of :func:`point_at`."""
    line, column = divmod(point - HEADER, ROW)
    return column - 1, size - line


@cache
def format_move(move: int, size: int) -> str:
    """Return the vertex of a move, ``"pass"`` included."""
    return format_vertex(None if move == PASS else coordinates_of(move, size))


def parse_move(vertex: str, size: int) -> int:
    """Return the point that a vertex names, or PASS.

    Raises:
        InvalidVertex: If it names no point of a board of that size.
    """
    coordinates = parse_vertex(vertex, size)
    return int(PASS) if coordinates is None else point_at(*coordinates, size)


def all_points(size: int) -> Iterator[int]:
    """Yield the board's points, row by row from the top left, as a diagram is read."""
    for row in reversed(range(size)):
        for column in range(size):
            yield point_at(column, row, size)


def rows_of(state: State) -> list[list[int]]:
    """Return the colors of a position by row, the top row first."""
    size = int(state[SIZE])
    return [
        [int(state[point_at(column, row, size)]) for column in range(size)]
        for row in reversed(range(size))
    ]


def empty_state(size: int, *, suicide: bool = False) -> State:
    """Return a new empty position, Black to play.

    *size* must be from 2 to MAX_SIZE; this is not checked.
    """
    state = _template(size).copy()
    state[SUICIDE] = int(suicide)
    return state


@cache
def _template(size: int) -> State:
    """Build the empty position of a size once; it is copied from then on."""
    state = np.zeros(state_length(size), np.int32)
    first_empty = HEADER + (size + 2) * ROW
    state[SIZE] = size
    state[TO_PLAY] = BLACK
    state[FIRST_EMPTY] = first_empty
    state[EMPTY_COUNT] = size * size
    for line in range(size + 2):
        for place in range(LINE):
            point = HEADER + line * ROW + place
            state[point] = WALL
            state[point + int(HEAD)] = point
            state[point + int(NEXT)] = point
    for slot, point in enumerate(all_points(size), start=first_empty):
        state[point] = EMPTY
        state[point + int(SLOT)] = slot
        state[slot] = point
    for point in all_points(size):
        around = 0
        for neighbor in (point - ROW, point - 1, point + 1, point + ROW):
            around += AROUND_WALL if state[neighbor] == WALL else AROUND_EMPTY
        state[point + int(AROUND)] = around
    state.setflags(write=False)
    return state
