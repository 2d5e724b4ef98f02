"""The steps of a game: moves and stones set up, and the position after each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from montego.go.board import Board
from montego.go.kernels.layout import CAPTURED, TO_PLAY
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, parse_color
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.vertex import format_vertex, parse_vertex, vertex_list
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Iterable


class Move(NamedTuple):
    """A move as it was played."""

    color: str
    vertex: str


class Captures(NamedTuple):
    """Prisoners taken by each player."""

    black: int
    white: int


class Setup(NamedTuple):
    """Stones put on the board, or taken off, outside of play."""

    black: frozenset[str]
    white: frozenset[str]
    empty: frozenset[str]
    to_play: str


class Step(NamedTuple):
    """What was done, and what came of it."""

    done: Move | Setup | None  # None for the beginning
    board: Board
    key: tuple[int, int]  # what superko compares: the hash and, for situational, the player
    handicap: int  # handicap stones given so far, not those played as moves


def set_up(
    board: Board,
    black: Iterable[str],
    white: Iterable[str],
    empty: Iterable[str],
    to_play: str,
    *,
    suicide: bool,
) -> tuple[Setup, Board]:
    """Return what is put on *board* or taken off, and another board on which that is done.

    Prisoners stay counted.

    Raises:
        InvalidVertex: If a vertex is no point of the board.
        GoError: If a point is named twice, or a chain would have no liberty.
    """
    rows = board.rows()
    named: set[str] = set()
    groups: list[frozenset[str]] = []
    for color, vertices in ((BLACK, black), (WHITE, white), (EMPTY, empty)):
        group = set()
        for vertex in vertex_list(vertices):
            coordinates = parse_vertex(vertex, board.size)
            if coordinates is None:
                raise InvalidVertex("pass: a point of the board is wanted here")
            name = format_vertex(coordinates)
            if name in named:
                raise GoError(f"{name} is named twice")
            named.add(name)
            group.add(name)
            rows[board.size - 1 - coordinates[1]][coordinates[0]] = color
        groups.append(frozenset(group))
    after = Board.from_rows(rows, suicide=suicide)
    for color in (BLACK, WHITE):
        field = CAPTURED + Index(color)
        after.state[field] = board.state[field]
    after.state[TO_PLAY] = parse_color(to_play)
    return Setup(groups[0], groups[1], groups[2], to_play), after
