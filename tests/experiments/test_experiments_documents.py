"""All experiments of the documents: well formed; and three of them are run, on a small scale."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from montego.experiments.document_000.problems import HARD, PROBLEMS, position
from montego.experiments.experiment import Result, Trial
from montego.experiments.games import contestant
from montego.experiments.registry import MODULES, all_experiments, find_experiment
from montego.experiments.runner import run_experiment
from montego.experiments.verdict import Verdict
from montego.experiments.workers import WorkerPool
from montego.mcts.config import Config
from montego.mcts.search import Search

if TYPE_CHECKING:
    from pathlib import Path

    from montego.experiments.document_000.problems import Problem
    from montego.experiments.experiment import Scale

NIGHT = 16 * 60
"""Minutes of processor time in eight hours on two cores."""
QUICK = 0.5
"""Minutes of processor time of the dearest quick run: ten seconds on two cores, and GNU Go's."""
A_MINUTE = 1_000_000
"""Simulations of random games on 9x9 that take no more than a minute of processor time."""


@pytest.mark.parametrize("name", MODULES)
@pytest.mark.parametrize("scale", ["quick", "full"])
def test_plans_are_unique_balanced_and_plain(name: str, scale: Scale) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan(scale)
    cells = Counter(trial.cell for trial in plan)
    half = Counter(trial.cell for trial in plan[: len(plan) // 2])

    assert plan == experiment.plan(scale)
    assert len({experiment.digest(trial) for trial in plan}) == len(plan)
    assert json.loads(json.dumps([dict(trial.settings) for trial in plan]))
    # Stopped halfway, no cell lags behind by much.
    assert all(abs(half[cell] - count / 2) <= max(2, count / 10) for cell, count in cells.items())


@pytest.mark.parametrize("name", MODULES)
def test_experiments_say_what_they_are(name: str) -> None:
    experiment = find_experiment(name)

    assert experiment.document in {"000", "001", "002", "003", "004"}
    assert experiment.question.endswith("?")
    assert experiment.claim.endswith(".")
    assert experiment.section
    assert 0 < experiment.cost["quick"] <= QUICK
    assert experiment.cost["quick"] < experiment.cost["full"]
    assert experiment.unit in {"games", "trials"}
    assert pickle.loads(pickle.dumps(experiment.run)) is experiment.run  # noqa: S301  # Our own.
    nothing = experiment.summarize([])
    assert nothing.verdict == Verdict.UNDECIDED
    assert all(row.count == 0 for row in nothing.rows)


@pytest.mark.parametrize("name", MODULES)
def test_a_quick_run_has_few_simulations(name: str) -> None:
    """Its cost is an estimate; what it searches is not, and a full run searches far more."""
    experiment = find_experiment(name)
    plans = [experiment.plan(scale) for scale in ("quick", "full")]
    quick, full = (work_of(plan) or len(plan) for plan in plans)  # Some search nothing.

    assert quick <= A_MINUTE
    assert quick <= full / 5


def work_of(plan: list[Trial]) -> float:
    """Return the simulations of a plan, if a side has 25 moves in a game."""
    sides = {"first": 25, "second": 25, "player": 1, "timed": 1}
    return sum(
        float(trial.settings.get("searches", 1))
        * moves
        * float(trial.settings[side]["search"]["simulations"])
        for trial in plan
        for side, moves in sides.items()
        if side in trial.settings
    )


def test_a_full_run_of_all_fits_a_night() -> None:
    assert sum(experiment.cost["full"] for experiment in all_experiments()) <= NIGHT


def test_another_seed_is_another_experiment() -> None:
    experiment = find_experiment("voting-rule")
    first, second = experiment.plan("full", 1), experiment.plan("full", 2)

    assert not {trial.seed for trial in first} & {trial.seed for trial in second}
    assert [trial.cell for trial in first] == [trial.cell for trial in second]


SMALL = {
    "tsumego-grades": 9,
    "time-against-iterations": 8,
    "score-balanced-reward": 4,
}


@pytest.mark.parametrize("name", SMALL)
def test_three_experiments_run(name: str, tmp_path: Path) -> None:
    experiment = find_experiment(name)
    plan = [
        Trial(trial.cell, trial.number, smaller(dict(trial.settings)))
        for trial in experiment.trials("quick")
    ]
    small = replace(experiment, trials=lambda _scale: plan[: SMALL[name]])
    with WorkerPool(2) as pool:
        run = run_experiment(small, tmp_path, pool, scale="quick")

    assert run.done == SMALL[name]
    assert run.summary.rows
    assert all(row.count for row in run.summary.rows)
    assert run.summary.sentence
    assert run.summary.plots
    if name == "tsumego-grades":
        assert {row.cell.partition(",")[0] for row in run.summary.rows} == {
            problem.name for problem in PROBLEMS
        }


def smaller(settings: dict[str, object]) -> dict[str, object]:
    """Return settings with a tenth of the iterations and two searches a trial."""
    text = json.dumps(settings)
    for count in (10000, 5000, 2000, 1000):
        text = text.replace(f'"simulations": {count},', f'"simulations": {count // 10},')
    changed: dict[str, object] = json.loads(text)
    if "searches" in changed:
        changed["searches"] = 2
    return changed


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)
def test_problems_have_the_choices_they_say(problem: Problem) -> None:
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
    config = Config(solver=True, exploration=0.4, early_stop=False, seed=1)
    return Search(player.game, config, state=position(corner, list(moves)))


def test_results_of_a_problem_are_counted() -> None:
    experiment = find_experiment("tsumego-grades")
    plan = experiment.plan("quick")
    right = {problem.name: problem.correct for problem in PROBLEMS}
    results = [
        Result(trial, [right[trial.cell.partition(",")[0]]] * 6 + ["pass"] * 2, 0.1)
        for trial in plan
    ]
    summary = experiment.summarize(results)

    assert [row.ours for row in summary.rows] == [0.75] * 9
    assert summary.verdict == Verdict.DIFFERS  # The hard one should not be solved.


def test_the_table_of_iterations_says_which_figure_is_which() -> None:
    experiment = find_experiment("iterations-against-iterations")
    game = {"result": 0.0, "began": True, "score": None, "moves": 60}
    (plot,) = experiment.summarize(
        [Result(trial, game, 1.0) for trial in experiment.plan("full")]
    ).plots

    assert plot.svg.count(">0</text>") == 16
    assert plot.svg.count(">10,000</text>") == 2
    assert all(f"{name}&#x27;s iterations" in plot.svg for name in ("Black", "White"))
