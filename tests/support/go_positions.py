"""Positions for tests of tactics: pictures with a last move, and random games beside the oracle."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from conftest import to_point, to_rows, to_vertex

from montego.go.board import Board
from montego.go.kernels.layout import (
    BEFORE_LAST,
    LAST,
    PASS,
    SIZE,
    TO_PLAY,
    coordinates_of,
    point_at,
)
from montego.jit.index import Index
from reference import BLACK, Reference, other

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.jit.state import State

SWAP = str.maketrans("XO", "OX")


def to_state(
    picture: str, *, to_play: int = BLACK, last: str = "pass", before: str = "pass"
) -> State:
    """A position with the last two moves as given; their stones are in the picture."""
    rows = to_rows(picture)
    state = Board.from_rows(rows).state
    state[TO_PLAY] = to_play
    state[LAST] = to_index(last, len(rows))
    state[BEFORE_LAST] = to_index(before, len(rows))
    return state


def to_index(vertex: str, size: int) -> int:
    """The point of a vertex, PASS for ``pass``, as kernels take it."""
    where = to_point(vertex)
    return PASS if where is None else Index(point_at(*where, size))


def to_name(point: int, size: int) -> str:
    """The vertex of a point: the inverse of :func:`to_index`."""
    return "pass" if point == PASS else to_vertex(coordinates_of(int(point), size))


def names(state: State, points: list[int]) -> list[str]:
    return [to_name(point, int(state[SIZE])) for point in points]


def random_games(size: int, games: int, moves: int, seed: int) -> Iterator[tuple[State, Reference]]:
    """Yield every position of some random games, and the oracle's view of it."""
    dice = random.Random(seed)
    for _ in range(games):
        board, oracle = Board(size), Reference(size, ko="simple")
        for _ in range(moves):
            legal = sorted(oracle.legal(oracle.to_play))
            move = dice.choice(legal) if legal else None
            board.play(oracle.to_play, to_vertex(move))
            oracle.play(oracle.to_play, move)
            yield board.state, oracle


def swapped(picture: str, color: int) -> str:
    """The picture for Black; for White the same with the colors exchanged."""
    return picture if color == BLACK else picture.translate(SWAP)


def enemy_of(color: int) -> int:
    return other(color)
