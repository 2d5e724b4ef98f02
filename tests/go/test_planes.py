"""The pictures that a network is shown of Go, against the oracle and against drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from go_positions import random_games, to_index, to_state
from montego.go.kernels.layout import KO, LAST, PASS, PASSES, coordinates_of, state_length
from montego.go.kernels.position import play
from montego.go.planes import PLANES, outputs_of, write_planes
from montego.go.playout.knowledge import new_knowledge
from montego.jit import interpreted
from montego.jit.state import new_scratch
from reference import BLACK, WHITE, Reference, liberties, other, points

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State

twin = interpreted(write_planes)


def shown(state: State, size: int, komi: float = 7.5, write: Any = write_planes) -> NDArray[Any]:
    planes = np.full(PLANES * size * size, np.nan, np.float32)
    assert write(state, new_knowledge(komi), new_scratch(1, 0), planes) == 0
    return planes.reshape(PLANES, size, size)


def expected(oracle: Reference, last: list[tuple[int, int] | None], komi: float) -> NDArray[Any]:
    """The same from the oracle's stones and the last moves, latest first."""
    size = oracle.size
    planes = np.zeros((PLANES, size, size), np.float32)
    for column, row in points(size):
        color = oracle.stones.get((column, row))
        if color is not None:
            side = 0 if color == oracle.to_play else 1
            count = len(liberties(oracle.stones, (column, row), size))
            planes[side, size - 1 - row, column] = 1
            planes[2 + 4 * side + min(count, 4) - 1, size - 1 - row, column] = 1
    if oracle.barred is not None:
        column, row = oracle.barred[1]
        planes[10, size - 1 - row, column] = 1
    for plane, move in zip((11, 12), last, strict=False):
        if move is not None:
            planes[plane, size - 1 - move[1], move[0]] = 1
    planes[13] = oracle.passes > 0
    planes[14] = (komi if oracle.to_play == WHITE else -komi) / 10
    planes[15] = 1
    return planes


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [3, 4, 5])
def test_the_planes_of_random_games_are_what_the_oracle_sees(size: int) -> None:
    checked = 0
    for state, oracle in random_games(size, games=4, moves=40, seed=size):
        moves = [int(state[LAST]), int(state[LAST + 1])]
        last = [None if move == PASS else coordinates_of(move, size) for move in moves]
        np.testing.assert_array_equal(shown(state, size), expected(oracle, last, 7.5))
        checked += 1
    assert checked == 160


def test_a_ko_is_shown_to_who_may_not_take_it() -> None:
    state = to_state(
        """
        . X O .
        X O . O
        . X O .
        . . . .
        """
    )
    play(state, to_index("C3", 4), BLACK)
    assert int(state[KO]) == to_index("B3", 4)
    barred = shown(state, 4)[10]
    assert barred[1, 1] == 1
    assert barred.sum() == 1


def test_the_interpreted_twin_shows_the_same() -> None:
    for state, _ in random_games(5, games=2, moves=30, seed=9):
        np.testing.assert_array_equal(shown(state, 5), shown(state, 5, write=twin))


def test_a_pass_is_shown_and_komi_is_the_players() -> None:
    state = to_state(
        """
        . . .
        . X .
        . . .
        """,
        to_play=WHITE,
        last="B2",
    )
    assert shown(state, 3)[13].max() == 0
    assert shown(state, 3, komi=6.5)[14].min() == np.float32(0.65)
    play(state, to_index("pass", 3), WHITE)
    assert int(state[PASSES]) == 1
    assert shown(state, 3)[13].min() == 1
    assert shown(state, 3, komi=6.5)[14].max() == np.float32(-0.65)
    np.testing.assert_array_equal(shown(state, 3)[12], [[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    assert other(WHITE) == BLACK


@pytest.mark.parametrize("size", [2, 9, 19])
def test_every_point_and_the_pass_have_an_output_and_nothing_else_has(size: int) -> None:
    outputs = outputs_of(size)
    assert len(outputs) == state_length(size)
    assert sorted(outputs[outputs >= 0]) == list(range(size * size + 1))
    assert outputs[to_index(f"A{size}", size)] == 0
    assert outputs[to_index(f"B{size}", size)] == 1
    assert outputs[to_index("A1", size)] == size * (size - 1)
    assert outputs[int(PASS)] == size * size
