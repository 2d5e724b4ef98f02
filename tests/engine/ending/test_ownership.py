"""Playouts counted point by point."""

from __future__ import annotations

import pytest

from montego.engine.ending.ownership import sample_ownership
from montego.engine.knowledge.definition import go_game
from montego.go import Board
from montego.go.vocabulary.errors import GoError

pytestmark = pytest.mark.small_boards

WON = """
    . X . X .
    X X X X X
    . X . X .
    X X X X X
    . X . X .
"""


def test_a_board_that_is_all_black() -> None:
    found = sample_ownership(Board.from_diagram(WON).state, go_game(5, komi=6.5), 20)
    assert set(found.points) == {1.0}
    assert found.mean_score == 18.5
    assert found.score_deviation == 0.0


def test_the_mean_score_is_the_sum_of_the_points() -> None:
    board = Board(5)
    board.play("black", "C3")
    found = sample_ownership(board.state, go_game(5, komi=0.5), 300, seed=4)
    assert found.mean_score == pytest.approx(sum(found.points) - 0.5)
    assert found.score_deviation > 1
    assert found.points[12] > 0


def test_seeds_and_state() -> None:
    state, definition = Board(5).state, go_game(5)
    before = state.copy()
    found = sample_ownership(state, definition, 50, seed=1).points
    assert found == sample_ownership(state, definition, 50, seed=1).points
    assert found != sample_ownership(state, definition, 50, seed=2).points
    assert (state == before).all()


def test_a_game_that_has_ended_is_played_out_all_the_same() -> None:
    board = Board(5)
    board.play("black", "pass")
    board.play("white", "pass")
    assert sample_ownership(board.state, go_game(5), 50).score_deviation > 0


@pytest.mark.parametrize(("playouts", "seed"), [(0, 0), (1, -1)])
def test_what_cannot_be(playouts: int, seed: int) -> None:
    with pytest.raises(GoError, match="invalid"):
        sample_ownership(Board(5).state, go_game(5), playouts, seed)
