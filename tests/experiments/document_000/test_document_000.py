"""The experiments of document 000: its problems, the levels of the tree, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from claimed_results import as_told, results_of, value_of
from montego.experiments.document_000 import choices
from montego.experiments.document_000.tsumego import levels
from montego.experiments.document_000.tsumego.problems import (
    AVERAGE,
    EASY,
    HARD,
    PROBLEMS,
    ask,
    position,
)
from montego.experiments.experiment import Trial, TrialResult
from montego.experiments.games import contestant
from montego.experiments.registry import find_experiment
from montego.experiments.verdict import ClaimVerdict
from montego.mcts.config import Config
from montego.mcts.search import Search

if TYPE_CHECKING:
    from montego.experiments.document_000.tsumego.problems import KillingProblem


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_problems_have_the_choices_they_say(problem: KillingProblem) -> None:
    player = contestant(problem.trial_settings(10, 1)["player"])
    state = position(problem.diagram.split(), [])
    search = Search(player.game, player.config, state=state)
    names = [player.game.format_move(state, move) for move in search.legal_moves()]

    assert len(names) == problem.choices
    assert problem.correct in names
    assert not problem.greedy or problem.greedy in names


@pytest.mark.parametrize(
    ("moves", "proof"),
    [(("B8", "B7"), "loss"), (("C8",), "win")],
    ids=["the greedy move is refuted", "so is the one that guided playouts like"],
)
def test_the_hard_problem_is_about_one_point(moves: tuple[str, ...], proof: str) -> None:
    search = corner_search(moves)

    assert moves[0] != HARD.correct
    assert search.run(simulations=300_000).proof == proof


def test_the_right_move_of_the_hard_problem_kills() -> None:
    assert corner_search((HARD.correct,)).run(simulations=150_000).value < 0.1
    assert corner_search((HARD.greedy, "C7")).run(simulations=5_000).value > 0.85


def corner_search(moves: tuple[str, ...]) -> Search:
    """Search the hard problem without the moves that are of no use, which would delay a proof."""
    top, *middle, bottom = HARD.diagram.split()
    middle = [row[:5] + "XXXX" if "O" in row else "X" * 9 for row in middle]
    corner = [top, *middle, bottom]
    player = contestant(HARD.trial_settings(10, 1)["player"])
    config = Config(selection="ucb1", solver=True, exploration=0.4, early_stop=False, seed=1)
    return Search(player.game, config, state=position(corner, list(moves)))


def test_results_of_a_problem_are_counted() -> None:
    experiment = find_experiment("tsumego-grades")
    plan = experiment.plan("quick")
    right = {problem.name: problem.correct for problem in PROBLEMS}
    results = [
        TrialResult(trial, [right[trial.cell.partition(",")[0]]] * 6 + ["pass"] * 2, 0.1)
        for trial in plan
    ]
    summary = experiment.summarize(results)

    assert [row.ours for row in summary.rows] == [0.75] * 12, "nine, and three of the solver"
    assert summary.verdict == ClaimVerdict.DIFFERS  # The hard one should not be solved.


def test_the_solver_proves_the_three_problems() -> None:
    plan = find_experiment("tsumego-grades").plan("quick")
    proofs = [trial for trial in plan if trial.cell.endswith("the solver")]

    assert [ask(trial) for trial in proofs] == [[problem.correct] for problem in PROBLEMS]


def test_the_table_of_iterations_says_which_figure_is_which() -> None:
    experiment = find_experiment("iterations-against-iterations")
    game = {"result": 0.0, "began": True, "score": None, "moves": 60}
    plots = experiment.summarize(
        [TrialResult(trial, game, 1.0) for trial in experiment.plan("full")]
    ).plots

    assert [plot.name for plot in plots] == ["table", "table-document"]
    for plot, zeros, full in zip(plots, (16, 3), (0, 3), strict=True):
        assert plot.svg.count(">0</text>") == zeros
        assert plot.svg.count(">100</text>") == full
        assert plot.svg.count(">10,000</text>") == 2
        assert all(f"{name}&#x27;s iterations" in plot.svg for name in ("Black", "White"))


def test_figures_of_the_document_are_drawn_where_it_has_some() -> None:
    for name, curves in (
        ("tsumego-grades", ("easy, 000", "average, 000", "hard, 000")),
        ("graded-opponents", ("V-Run 5,000, 000", "V-Run 10,000, 000")),
    ):
        experiment = find_experiment(name)
        results = results_of(experiment.plan("full"), value_of, as_told(experiment))
        svg = experiment.summarize(results).plots[0].svg
        # Once in the legend, and once a point: three of each.
        assert [svg.count(f">{curve}") for curve in curves] == [4] * len(curves)


@pytest.mark.parametrize("problem", [EASY, AVERAGE])
def test_wrong_moves_of_the_levels_are_refuted_at_the_key_point(problem: KillingProblem) -> None:
    settings = problem.trial_settings(20_000, 1, solver=True)
    player = contestant(settings["player"])
    state = position(settings["diagram"], [levels.WRONG[problem]])
    result = Search(player.game, player.config, state=state).run()
    assert result.proof == "win"
    assert result.move is not None
    assert player.game.format_move(state, result.move) == problem.correct


def test_levels_are_asked_in_the_right_place() -> None:
    visits = {}
    for level in (levels.FIRST, levels.SECOND):
        settings = EASY.trial_settings(30, 2, early_stop=False)
        settings |= {"level": level, "wrong": levels.WRONG[EASY], "answer": EASY.correct}
        value = levels.ask_at_level(Trial("a", 0, settings, seed=2))
        assert len(value["right"]) == 2
        visits[level] = value["visits"]
    assert visits[levels.FIRST] == [30, 30]
    assert 0 < max(visits[levels.SECOND]) < 15, "one of six moves, and not the best"


def test_a_rule_that_searches_longer_is_not_judged() -> None:
    results = [
        TrialResult(trial, {"result": float(trial.number % 2 or "robust-max" in trial.cell)}, 0.0)
        for trial in choices.FINAL_MOVE.plan("full")
    ]
    summary = choices.FINAL_MOVE.summarize(results)
    assert summary.verdict is ClaimVerdict.HOLDS, summary.sentence
    assert any(row.cell.startswith("robust-max") and row.ours == 1 for row in summary.rows)
