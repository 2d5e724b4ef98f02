"""All experiments of the documents: well formed; and three of them are run, on a small scale."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from game_results import games_of
from montego.experiments.document_000.tsumego.problems import PROBLEMS
from montego.experiments.experiment import Trial, TrialResult, by_cell, in_proportion
from montego.experiments.games import contestant, play_match_trial
from montego.experiments.registry import MODULES, all_experiments, find_experiment
from montego.experiments.runner import run_experiment
from montego.experiments.verdict import ClaimVerdict
from montego.experiments.win_rates import simulations_of
from montego.experiments.workers import WorkerPool

if TYPE_CHECKING:
    from pathlib import Path

    from montego.experiments.experiment import Experiment, Scale

NIGHT = 18 * 60
"""Minutes of processor time in nine hours on two cores."""
QUICK = 0.5
"""Minutes of processor time of the dearest quick run: ten seconds on two cores, and GNU Go's."""
UNLIKE = [
    name
    for name, module in MODULES.items()
    if module.startswith(("boards.", "document_000.choices", "document_004."))
    or name == "tree-levels"
]
"""Whose matches are never between equals."""
GAMES = [
    name for name, module in MODULES.items() if module[:12] in ("document_001", "document_003")
]
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
    assert nothing.verdict == ClaimVerdict.UNDECIDED
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
        float(trial.settings.get("searches", 1)) * moves * simulations_of(trial, side)
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


def test_cells_with_fewer_games_are_spread_over_the_whole_run() -> None:
    trials = in_proportion({"many": ({}, 6), "few": ({"x": 1}, 2)})
    assert "".join(trial.cell[0] for trial in trials) == "mmfmmmfm"
    assert [trial.number for trial in trials if trial.cell == "few"] == [0, 1]


def test_tables_have_the_cells_as_they_were_declared() -> None:
    experiment = find_experiment("score-balanced-reward")
    results = games_of(experiment, lambda _trial: 1.0)

    assert results[0].trial.cell == "k = 100"
    assert [row.cell for row in experiment.summarize(results).rows][:3] == [
        "k = 25",
        "k = 50",
        "k = 100",
    ]
    trials = in_proportion({"few": ({}, 2), "many": ({}, 6)})
    found = [TrialResult(trial, trial.number, 1.0) for trial in trials]
    assert list(by_cell(found).items()) == [("few", [0, 1]), ("many", [0, 1, 2, 3, 4, 5])]


@pytest.mark.parametrize("name", UNLIKE)
def test_plans_are_json_without_repetition_and_balanced(name: str) -> None:
    experiment = find_experiment(name)
    for scale in ("quick", "full"):
        plan = experiment.plan(scale)
        assert len({(trial.cell, trial.number) for trial in plan}) == len(plan)
        assert len({experiment.digest(trial) for trial in plan}) == len(plan)
        assert json.loads(json.dumps([dict(trial.settings) for trial in plan])) == [
            trial.settings for trial in plan
        ]
        half = {trial.cell for trial in plan[: len(plan) // 2]}
        assert half == {trial.cell for trial in plan}, "stopped half way, a cell has nothing"
        if experiment.run is play_match_trial:
            for settings in {json.dumps(trial.settings) for trial in plan}:
                sides = [contestant(json.loads(settings)[side]) for side in ("first", "second")]
                assert sides[0].game.name == sides[1].game.name
                assert sides[0] != sides[1]
    games = [trial.number for trial in experiment.plan("full")]
    assert experiment.run is not play_match_trial or max(games) + 1 >= 100


@pytest.mark.parametrize("name", GAMES)
def test_every_player_can_be_made_and_every_figure_has_a_row(name: str) -> None:
    experiment = find_experiment(name)
    for scale in ("quick", "full"):
        plan = experiment.plan(scale)
        assert len({(trial.cell, trial.number) for trial in plan}) == len(plan)
        players = {
            json.dumps(trial.settings[side], sort_keys=True)
            for trial in plan
            for side in ("first", "second", "timed")
            if side in trial.settings
        }
        for player in players:
            contestant(json.loads(player))
    cells = {trial.cell for trial in plan}
    summary = experiment.summarize(results_of(experiment))
    rows = {row.cell for row in summary.rows}
    if name != "elo-of-doublings":
        assert cells <= rows
    assert all(any(row.startswith(cell) for row in rows) for cell in experiment.figures)
    assert all(plot.svg.startswith("<svg") for plot in summary.plots)
    assert summary.plots
    assert experiment.summarize([]).verdict == ClaimVerdict.UNDECIDED


def results_of(experiment: Experiment) -> list[TrialResult]:
    results = games_of(experiment, lambda trial: float(trial.number % 3 > 0))
    return [
        replace(result, value={"speed": 1000.0 + result.trial.number, "cores": 2})
        if "timed" in result.trial.settings
        else result
        for result in results
    ]


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

    assert len(run.results) == SMALL[name]
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
