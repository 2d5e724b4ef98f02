"""Learning local shape from self-play: what is learned, the file, and what it means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from montego.go.kernels.layout import PASSES, TO_PLAY, empty_state
from montego.go.local_shape.windows import CODES, sharing_of
from montego.jit import interpreted
from montego.jit.index import Index
from montego.learn.errors import LearnError
from montego.learn.settings import ShapeSettings
from montego.learn.shapes import self_play
from montego.learn.shapes.learner import ShapeLearner, ShapeTally
from montego.learn.shapes.meaning import Meaning, in_words, picture, stones_worth, strongest

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ShapeSettings(size=5, komi=0.5)


def learned(games: int, settings: ShapeSettings = SMALL) -> ShapeLearner:
    learner = ShapeLearner(settings)
    assert learner.learn(games) == games
    return learner


def test_the_same_seed_learns_the_same_and_another_one_something_else() -> None:
    one, two = learned(120), learned(120)
    assert np.array_equal(one.values, two.values)
    other = learned(120, ShapeSettings(size=5, komi=0.5, seed=2))
    assert not np.array_equal(one.values, other.values)


def test_who_is_interrupted_comes_to_the_same_bits(tmp_path: Path) -> None:
    path = tmp_path / "shapes.npz"
    whole = learned(250)
    first = ShapeLearner.begin_or_go_on(path, SMALL)
    first.learn(130)
    first.save(path)
    second = ShapeLearner.begin_or_go_on(path, SMALL)
    assert second.games == 130
    second.learn(120)
    assert np.array_equal(whole.values, second.values)


def test_other_settings_do_not_go_on_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "shapes.npz"
    learned(1).save(path)
    with pytest.raises(LearnError, match=r"was learned with rate 1.0: say the same to go on"):
        ShapeLearner.begin_or_go_on(path, ShapeSettings(size=5, komi=0.5, rate=0.2))
    with pytest.raises(LearnError, match="invalid size 4: say a whole number from 5 to 19"):
        ShapeSettings(size=4)
    with pytest.raises(LearnError, match="invalid trace nan"):
        ShapeSettings(trace=float("nan"))


@pytest.mark.small_boards
@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_learning_gives_the_same_numbers_interpreted(trace: float) -> None:
    settings = ShapeSettings(size=5, komi=0.5, trace=trace)
    compiled, plain = ShapeLearner(settings), ShapeLearner(settings)
    twin = interpreted(self_play.learn_games)
    for learner, function in ((compiled, self_play.learn_games), (plain, twin)):
        tally = np.zeros(self_play.TALLY)
        function(
            learner._windows,
            learner._weights,
            learner._board,
            learner._scratch,
            empty_state(5),
            0.5,
            2,
            0,
            0.1,
            0.3,
            1e5,
            trace,
            tally,
        )
    assert np.array_equal(compiled.values, plain.values)
    assert np.array_equal(compiled._scratch, plain._scratch)


def test_sums_that_are_kept_are_those_of_a_position_set_up_anew() -> None:
    learner = learned(50)
    windows, weights, board = learner._windows, learner._weights, learner._board
    self_play.set_up(windows, weights, board, empty_state(5))
    for _ in range(60):
        color = int(board.state[TO_PLAY])
        move, _ = self_play.choose_move(windows, weights, board, learner._scratch, color, True)
        self_play.make_move(windows, weights, board, Index(int(move)), color)
        state, totals, codes = board.state.copy(), board.totals.copy(), board.codes.copy()
        self_play.set_up(windows, weights, board, state)
        # What stands for no window means nothing.
        count = len(windows.first)
        for begin in (0, count):
            kept = codes[begin : begin + count - 1]
            assert np.array_equal(kept, board.codes[begin : begin + count - 1])
        assert totals == pytest.approx(board.totals, abs=1e-9)
        if board.state[PASSES] >= 2:
            break


def test_the_last_position_learns_from_the_result_and_others_from_what_comes_next() -> None:
    learner = ShapeLearner(SMALL)
    weights, board = learner._weights, learner._board
    each = 4
    board.found[: 2 * each] = [0, 1, 2, 3, 10, 11, 12, 13]
    board.lengths[:2] = each
    board.best[:2] = -1.0
    tally = np.zeros(self_play.TALLY)
    self_play.learn_from_game(weights, board, each, 2, True, 0.4, 0.0, tally)
    # From one half towards 1; then towards 1 - 1/2, where it stands.
    # The step is shared by four weights and the one of every position.
    assert learner.values[10:14] == pytest.approx([0.04] * 4)
    assert learner.values[-1] == pytest.approx(0.04, abs=1e-3)
    assert learner.values[:4] == pytest.approx([0.0] * 4, abs=2e-3)
    learner.values[:] = 0.0
    self_play.learn_from_game(weights, board, each, 2, True, 0.4, 1.0, tally)
    assert (learner.values[:4] < -0.03).all()
    assert not board.times.any()
    # After a move that was any one, the best one counts, not the result.
    learner.values[:] = 0.0
    board.best[1] = 0.2
    self_play.learn_from_game(weights, board, each, 2, True, 0.4, 1.0, tally)
    assert (learner.values[:4] > 0.0).all()


def test_a_step_moves_a_position_as_far_however_often_a_shape_is_in_it() -> None:
    worths = []
    for shapes in ([0, 1, 2, 3], [0, 0, 0, 3]):
        learner = ShapeLearner(SMALL)
        board = learner._board
        board.found[:4], board.lengths[0], board.best[0] = shapes, 4, -1.0
        tally = np.zeros(self_play.TALLY)
        self_play.learn_from_game(learner._weights, board, 4, 1, True, 0.4, 0.0, tally)
        worths.append(sum(float(learner.values[shape]) for shape in [*shapes, -1]))
    assert worths == pytest.approx([0.2, 0.2])


def test_some_thousand_games_teach_that_the_middle_is_worth_more_than_the_corner() -> None:
    learner = learned(4000)
    worths = stones_worth(5, learner.values)
    assert worths[2, 2] > worths[0, 0]
    assert worths == pytest.approx(worths[::-1])
    assert worths == pytest.approx(worths.T)


def test_learning_ends_when_it_is_told_to_and_notes_what_came_of_games() -> None:
    noted: list[ShapeTally] = []
    learner = ShapeLearner(SMALL)
    assert learner.learn(10_000, is_over=lambda: bool(noted), note=noted.append) == 100
    (tally,) = noted
    assert tally.games == learner.games == 100
    assert 10 < tally.moves <= 75
    assert 0.0 <= tally.black_wins <= 1.0
    assert 0.0 < tally.error < 1.0


def test_games_may_begin_anywhere() -> None:
    from montego.go.game import Game

    game = Game(5)
    game.play("black", "C3")
    learner = ShapeLearner(SMALL)
    assert learner.learn(20, start=game.board.state, komi=24.5) == 20
    assert learner.values.any()


def test_the_strongest_shapes_come_first_and_each_in_one_orientation() -> None:
    values = np.zeros(sharing_of(5).weights, np.float32)
    free = sharing_of(5).free[CODES[0] : CODES[0] + CODES[1]]
    values[free[1]] = 0.5  # A lone stone of one's own, in any corner of the square.
    values[free[2 + 2 * 27]] = -0.25
    best, *_, worst = strongest(5, values, 2, 3)
    assert best == Meaning(2, 1, 0.5)
    assert best.rows == ["X .", ". ."]
    assert (worst.rows, worst.weight) == ([". O", "O ."], -0.25)


def test_what_weights_mean_is_told_and_drawn() -> None:
    learner = learned(50)
    told = in_words(5, learner.values)
    assert "Shapes of 3x3 for who has just moved (X), anywhere:" in told
    assert max(map(len, told.splitlines())) <= 80
    drawn = picture(5, learner.values)
    assert drawn.startswith("<svg")
    assert drawn.count("<circle") > 20
    assert "href" not in drawn
