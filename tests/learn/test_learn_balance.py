"""Balancing playouts: what is learned, from which positions, and the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from montego.engine.teacher import Teacher, collect
from montego.go.kernels.layout import PASS, TO_PLAY, parse_move
from montego.go.playout.balanced.weights import (
    BESIDE_LAST,
    TRAITS,
    pack_balance,
    shape_classes,
    weight_count,
)
from montego.go.playout.knowledge import new_knowledge
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import new_scratch
from montego.learn.balance import gradient, imitation
from montego.learn.balance.learner import BalanceLearner, BalanceTally
from montego.learn.balance.meaning import in_words, strongest_shapes
from montego.learn.balance.positions import JudgedPosition, JudgedPositions, played
from montego.learn.errors import LearnError
from montego.learn.settings import BalanceSettings

if TYPE_CHECKING:
    from pathlib import Path

SMALL = BalanceSettings(size=5, komi=0.5, playouts=4, batch=4, imitation=2)


def point(vertex: str, size: int = 5) -> int:
    return parse_move(vertex, size)


def some_positions(count: int = 12) -> JudgedPositions:
    """Return positions after a move or two, with an answer beside the last one."""
    random = np.random.default_rng(3)
    judged = []
    for number in range(count):
        moves = [point("C3"), point("B4")][: 1 + number % 2]
        answer = point("C4") if number % 2 == 0 else point("C5")
        judged.append(JudgedPosition(BLACK, moves, float(random.random()), answer))
    return JudgedPositions(5, judged)


def learned(passes: int, settings: BalanceSettings = SMALL) -> BalanceLearner:
    learner = BalanceLearner(settings, some_positions())
    assert learner.learn(passes)
    return learner


def test_positions_come_back_from_arrays_and_some_are_held_back() -> None:
    positions = some_positions(25)
    again = JudgedPositions.from_arrays(5, positions.arrays())
    assert np.array_equal(positions.states, again.states)
    assert np.array_equal(positions.answers, again.answers)
    assert positions.held_back.tolist() == [9, 19]
    assert len(positions.learned) == 23
    assert int(positions.states[0][TO_PLAY]) == WHITE
    with pytest.raises(LearnError, match="no position to learn from"):
        JudgedPositions(5, [])
    with pytest.raises(LearnError, match="cannot be made"):
        played(5, BLACK, [point("C3"), point("C3")])


def test_the_same_seed_learns_the_same_and_another_one_something_else() -> None:
    one, two = learned(2), learned(2)
    assert np.array_equal(one.values, two.values)
    other = BalanceSettings(size=5, komi=0.5, playouts=4, batch=4, imitation=2, seed=2)
    assert not np.array_equal(one.values, learned(2, other).values)


@pytest.mark.parametrize("stop", [1, 4])
def test_who_is_interrupted_comes_to_the_same_bits(tmp_path: Path, stop: int) -> None:
    """Once while moves are imitated, once while playouts are balanced."""
    path = tmp_path / "balance.npz"
    steps = 0

    def count(_tally: BalanceTally) -> None:
        nonlocal steps
        steps += 1

    first = BalanceLearner.begin_or_go_on(path, SMALL, some_positions)
    assert not first.learn(2, is_over=lambda: steps >= stop, note=count)
    first.save(path)
    second = BalanceLearner.begin_or_go_on(path, SMALL, lambda: pytest.fail("judged again"))
    assert second.learn(2)
    assert np.array_equal(second.values, learned(2).values)


def test_other_settings_do_not_go_on_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "balance.npz"
    learned(0).save(path)
    with pytest.raises(LearnError, match=r"was learned with batch 4: say the same to go on"):
        BalanceLearner.begin_or_go_on(
            path, BalanceSettings(size=5, komi=0.5, playouts=4, imitation=2), some_positions
        )
    with pytest.raises(LearnError, match="invalid playouts 0"):
        BalanceSettings(playouts=0)


def test_moves_that_were_made_become_likely() -> None:
    settings = BalanceSettings(size=5, komi=0.5, batch=4, imitation=20)
    learner = BalanceLearner(settings, some_positions())
    first: list[float] = []
    learner.learn(0, note=lambda _tally: first.append(learner.likelihood))
    assert first[-1] > first[0] + 0.5
    assert learner.values[BESIDE_LAST] > 0.3


def test_playouts_go_towards_the_target() -> None:
    """What the player to move wins of playouts, once he should win always, once never."""
    settings = BalanceSettings(size=5, komi=0.5, playouts=40, batch=8, imitation=0, rate=20.0)
    found = []
    for value in (0.0, 1.0):
        judged = [JudgedPosition(BLACK, [point("B2")], value)] * 10
        learner = BalanceLearner(settings, JudgedPositions(5, judged))
        before = learner.judge(400).bias
        learner.learn(20)
        found.append(abs(before) - abs(learner.judge(400).bias))
    assert min(found) > 0.02
    assert max(found) > 0.05


@pytest.mark.small_boards
def test_learning_gives_the_same_numbers_interpreted() -> None:
    values = np.random.default_rng(1).normal(0.0, 1.0, weight_count())
    values[12:TRAITS] = -1.0
    knowledge = new_knowledge(0.5, balanced=pack_balance(values))
    state = played(5, BLACK, [point("C3"), point("B4")])
    found = []
    for sample, likelihood in (
        (gradient.sample_results, imitation.add_likelihood),
        (interpreted(gradient.sample_results), interpreted(imitation.add_likelihood)),
    ):
        scratch = new_scratch(75, 4, gradient.noting_room(5, 75))
        noted, won, slope = np.zeros((3, weight_count()))
        wins = sample(state, state.copy(), knowledge, scratch, shape_classes(), 0.5, 3, noted, won)
        chance = likelihood(state, knowledge, scratch, shape_classes(), Index(point("C4")), slope)
        found.append((wins, chance, noted, won, slope, scratch))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
    assert abs(found[0][2]).sum() > 0


def test_what_is_noted_is_the_gradient_of_the_chance_of_a_first_move() -> None:
    """With one move a playout, wins apart, the notes of many playouts cancel out."""
    values = np.zeros(weight_count())
    values[BESIDE_LAST] = 1.0
    knowledge = new_knowledge(0.5, balanced=pack_balance(values))
    state = played(5, BLACK, [point("C3"), PASS, point("B4")])
    scratch = new_scratch(1, 4, gradient.noting_room(5, 1))
    noted, won = np.zeros((2, weight_count()))
    count = 4000
    gradient.sample_results(
        state, state.copy(), knowledge, scratch, shape_classes(), 0.5, count, noted, won
    )
    assert abs(noted[BESIDE_LAST]) < 5 * (2 * count * 0.25) ** 0.5


def test_positions_of_random_games_are_legal_and_judged() -> None:
    teacher = Teacher(9, 7.5, seed=3)
    judged = collect(teacher.from_random_games(), 3, is_over=lambda: False, note=lambda _n: None)
    again = Teacher(9, 7.5, seed=3).from_random_games()
    assert judged == [next(again) for _ in range(3)]
    assert all(0.0 <= position.value <= 1.0 for position in judged)
    assert len(JudgedPositions(9, judged)) == 3


def test_positions_of_self_play_have_answers_and_a_board_without_network_wants_a_search() -> None:
    teacher = Teacher(9, 7.5, seed=3)
    position = next(teacher.from_self_play(1.0))
    assert 0.0 < position.value < 1.0
    played(9, BLACK, [*position.moves, position.answer])
    with pytest.raises(LearnError, match=r"there is no network for 5x5.*--simulations"):
        Teacher(5, 7.5)
    search = Teacher(5, 7.5, simulations=20)
    assert 0.0 <= next(search.from_random_games()).value <= 1.0
    with pytest.raises(LearnError, match="to play games"):
        next(search.from_self_play(1.0))


def test_weights_are_told_in_words_and_pictures() -> None:
    values = np.zeros(weight_count())
    values[0], values[TRAITS + 5], values[TRAITS + 7] = 1.0, 2.0, -2.0
    text = in_words(values)
    assert "   2.72  captures the stone just played" in text
    best, *_, worst = strongest_shapes(values, 3)
    assert shape_classes()[best.code] == 5
    assert shape_classes()[worst.code] == 7
    assert best.rows[1][2] == "*"
