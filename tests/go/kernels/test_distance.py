"""Distances in the common-fate graph, against a search that joins the stones of a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import to_vertex

from go_positions import random_games, to_index, to_state
from montego.go.kernels.distance import FARTHEST, mark_distances
from montego.go.kernels.layout import SIZE, state_length
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import new_scratch, room_of
from reference import Stones, around, flood, points

if TYPE_CHECKING:
    from montego.jit.state import State
    from reference import Point


def distances(state: State, start: str, *, slow: bool = False) -> dict[Point, int]:
    size = int(state[SIZE])
    scratch = new_scratch(1, 0, 2 * state_length(size))
    at = room_of(scratch)
    mark = interpreted(mark_distances) if slow else mark_distances
    before = state.copy()
    mark(state, scratch, at, at + Index(state_length(size)), to_index(start, size))
    assert (state == before).all()
    return {point: int(scratch[at + to_index(to_vertex(point), size)]) for point in points(size)}


def expected_distances(stones: Stones, size: int, start: Point) -> dict[Point, int]:
    """Each point's distance by waves: all of a chain is reached at once."""
    wave = flood(stones, start, size)[0]
    reached: dict[Point, int] = {}
    for distance in range(FARTHEST + 1):
        reached |= dict.fromkeys(wave, distance)
        following: set[Point] = set()
        for point in wave:
            for near in around(point, size):
                if near not in reached:
                    following |= flood(stones, near, size)[0] if near in stones else {near}
        wave = following
    return {point: reached.get(point, FARTHEST + 1) for point in points(size)}


@pytest.mark.small_boards
@pytest.mark.parametrize("slow", [False, True])
def test_a_chain_is_one_point(*, slow: bool) -> None:
    # From the lone stone: a black chain carries far, a white one too, empty points do not.
    state = to_state(
        """
        . . . . . . .
        . O O O O O .
        . . . . . . .
        X . . . . . .
        . . . . . . .
        . X X X X X .
        . . . . . . .
        """
    )
    found = distances(state, "A4", slow=slow)
    pictured = [
        " ".join(str(found[column, row]) for column in range(7)) for row in reversed(range(7))
    ]
    assert pictured == [
        "3 4 4 4 4 4 4",
        "2 3 3 3 3 3 4",
        "1 2 3 4 4 4 4",
        "0 1 2 3 4 4 4",
        "1 2 3 4 4 4 4",
        "2 3 3 3 3 3 4",
        "3 4 4 4 4 4 4",
    ]
    assert distances(state, "B6")[0, 0] == 4
    assert {distances(state, "B6")[column, 5] for column in range(1, 6)} == {0}


@pytest.mark.parametrize("size", [2, 5, 9])
def test_distances_in_random_games(size: int) -> None:
    for state, oracle in random_games(size, 2, 3 * size * size // 2, seed=size):
        stone = next(iter(oracle.stones), None)
        if stone is not None:
            expected = expected_distances(oracle.stones, size, stone)
            assert distances(state, to_vertex(stone)) == expected
