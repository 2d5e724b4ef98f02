"""The pool of problems, and the search of all moves that proves them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from montego.experiments.document_000.tsumego.compose import Corner, composed, right_moves
from montego.experiments.document_000.tsumego.pool import POOL, pool_trials, split_pool
from montego.experiments.document_000.tsumego.problems import (
    AVERAGE,
    EASY,
    HARD,
    position,
    right_rows,
)
from montego.experiments.experiment import TrialResult
from montego.experiments.games import contestant
from montego.mcts.search import Search

if TYPE_CHECKING:
    from montego.experiments.document_000.tsumego.problems import KillingProblem


@pytest.mark.parametrize("problem", [EASY, AVERAGE], ids=["easy", "average"])
def test_the_documents_grades_are_proven(problem: KillingProblem) -> None:
    assert right_moves(problem.diagram.split()) == [problem.correct]


def test_the_hard_problem_has_one_answer_to_its_greedy_move() -> None:
    corner = Corner(4)
    stones = "".join(row[:4] for row in HARD.diagram.split()[:3])
    greedy, answer = ("ABCD".index(move[0]) + 4 * (9 - int(move[1])) for move in ("B8", "B7"))
    after = stones[:greedy] + "X" + stones[greedy + 1 :]

    assert not corner.kills(after, black=False, depth=12)
    refuted = after[:answer] + "O" + after[answer + 1 :]
    assert not corner.kills(refuted, black=True, depth=12)


def test_a_corner_with_two_eyes_lives_and_one_without_dies() -> None:
    alive = "." + "O.O" + "OOOOO"
    assert not Corner(3).kills(alive, black=True)
    assert Corner(3).kills("XX.XXXXXX", black=True), "the last liberty is Black's to fill"
    assert not Corner(3).kills("XX.XXXXXX", black=False), "or White's to capture at"


@pytest.mark.parametrize("problem", POOL, ids=[problem.diagram[:5] for problem in POOL])
def test_problems_of_the_pool_have_the_choices_and_the_answer_they_say(
    problem: KillingProblem,
) -> None:
    rows = problem.diagram.split()
    player = contestant(problem.trial_settings(10, 1)["player"])
    search = Search(player.game, player.config, state=position(rows, []))
    assert len(search.legal_moves()) == problem.choices
    width = 4 if any(row[3] != "O" for row in rows[:3]) else 3
    if width == 3:  # The others take too long for a test.
        assert right_moves(rows) == [problem.correct]


def test_compositions_are_boards_with_a_wall() -> None:
    rows = composed(random.Random(1))
    assert len(rows) == 9
    assert {len(row) for row in rows} == {9}
    assert rows[3] == "OOOOOXXXX"


def test_trials_go_round_the_pool_and_are_counted_by_its_right_moves() -> None:
    trials = pool_trials({"a": {}, "b": {"exploration": 1.0}}, None, 2)
    assert len(trials) == 4 * len(POOL)
    assert trials[0].settings["player"]["search"]["simulations"] == POOL[0].iterations
    results = [
        TrialResult(trial, [trial.settings["right"] if trial.cell == "a" else "pass"] * 10, 1.0)
        for trial in trials
    ]
    rows = right_rows(results)
    assert (rows["a"].ours, rows["b"].ours) == (1.0, 0.0)
    first, rest = split_pool(results)
    assert len(first) == len(rest) == 2 * len(POOL)
