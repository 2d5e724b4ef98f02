"""Shapes: the same turned, mirrored or with colors exchanged; different where anything differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import to_rows

from go_positions import random_games, swapped, to_index, to_state
from montego.go.board import Board
from montego.go.kernels.layout import SIZE
from montego.go.prediction.shapes import DISTANCES, RINGS, SHAPE_ROOM, begin_shape, grow_shape
from montego.jit import interpreted
from montego.jit.state import new_scratch, room_of
from reference import BLACK, WHITE, points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.jit.state import State

EMPTY_9 = "\n".join([". " * 9] * 9)


def keys_of(state: State, vertex: str, color: int = BLACK, *, slow: bool = False) -> list[int]:
    """The keys of the shapes around a point, the smallest first."""
    scratch = new_scratch(1, 0, SHAPE_ROOM)
    at = room_of(scratch)
    begin = interpreted(begin_shape) if slow else begin_shape
    grow = interpreted(grow_shape) if slow else grow_shape
    begin(scratch, at)
    point = to_index(vertex, int(state[SIZE]))
    before = state.copy()
    keys = [int(grow(state, scratch, at, point, color, ring)) for ring in range(RINGS)]
    assert (state == before).all()
    return keys


def turned(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """The rows after a quarter turn to the right."""
    return [list(row) for row in zip(*rows[::-1], strict=True)]


def with_stone(vertex: str) -> State:
    """A board of 9x9 with one white stone."""
    board = Board(9)
    board.play("white", vertex)
    return board.state


@pytest.mark.small_boards
def test_turned_and_mirrored_shapes_are_the_same() -> None:
    rows = to_rows(
        """
        . X . . . .
        O . O X . .
        . X . . O .
        . . X O . .
        X . . . . O
        . . O . . .
        """
    )
    size, column, row = 6, 2, 2  # C4, counted from the top left
    expected = keys_of(Board.from_rows(rows).state, "C4")
    for _ in range(4):
        rows = turned(rows)
        column, row = size - 1 - row, column
        for mirrored in (False, True):
            seen = [line[::-1] for line in rows] if mirrored else rows
            at = size - 1 - column if mirrored else column
            vertex = f"{'ABCDEF'[at]}{size - row}"
            assert keys_of(Board.from_rows(seen).state, vertex) == expected


@pytest.mark.small_boards
def test_colors_are_own_and_enemy() -> None:
    picture = ". X . . .\nO . O X .\n. X . . O\n. . X O .\nX . . . ."
    own = keys_of(to_state(picture), "C3", BLACK)
    assert keys_of(to_state(swapped(picture, WHITE)), "C3", WHITE) == own
    assert keys_of(to_state(picture), "C3", WHITE)[0] != own[0]


@pytest.mark.parametrize(
    ("vertex", "distance"),
    [("E6", 2), ("F6", 3), ("E7", 4), ("F7", 5), ("G7", 6), ("F8", 7), ("E9", 8), ("G8", 8)],
)
def test_a_stone_is_seen_from_its_distance_on(vertex: str, distance: int) -> None:
    without, with_it = keys_of(to_state(EMPTY_9), "E5"), keys_of(with_stone(vertex), "E5")
    for reach, before, after in zip(DISTANCES, without, with_it, strict=True):
        assert (before != after) == (reach >= distance)


def test_the_edge_is_seen() -> None:
    state = to_state(EMPTY_9)
    kinds = {vertex: keys_of(state, vertex)[1] for vertex in ("A1", "A5", "B2", "B5", "C5", "E5")}
    assert len(set(kinds.values())) == 5
    assert kinds["C5"] == kinds["E5"]  # Two points from the edge it is not yet in sight.


@pytest.mark.small_boards
def test_neighbors_are_seen_with_their_liberties() -> None:
    pictures = [
        ". . . . .\n. O . . .\nO X . . .\n. O . . .\n. . . . .",
        ". . . . .\n. O . . .\n. X . . .\n. O . . .\n. . . . .",
        ". . . . .\n. O . . .\n. X . . .\n. . . . .\n. . . . .",
    ]
    seen = [keys_of(to_state(picture), "C3")[0] for picture in pictures]
    assert len(set(seen)) == 3


@pytest.mark.small_boards
def test_compiled_and_interpreted_agree() -> None:
    for state, _ in random_games(4, 1, 20, seed=3):
        for column, row in points(4):
            vertex = f"{'ABCD'[column]}{row + 1}"
            assert keys_of(state, vertex, slow=True) == keys_of(state, vertex)
