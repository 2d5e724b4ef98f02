"""Every experiment's verdict: right if the document is, if it is not, and if too little was run."""

from __future__ import annotations

import pytest

from claimed_results import as_told, opposite, results_of, value_of
from montego.experiments.registry import MODULES, find_experiment
from montego.experiments.verdict import Verdict

TIMED = {
    "time-against-iterations",
    "time-against-board-size",
    "board-ladder",
    "move-sets",
    "random-game-methods",
    "random-game-spread",
}
"""Whose results are no shares of anything; what they make of others is tested elsewhere."""


@pytest.mark.parametrize("name", MODULES)
def test_a_claim_that_is_exactly_true_holds(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("full")
    summary = experiment.summarize(results_of(plan, value_of, as_told(experiment)))

    assert summary.verdict == Verdict.HOLDS, summary.sentence


@pytest.mark.parametrize("name", [name for name in MODULES if name not in TIMED])
def test_a_claim_of_which_the_opposite_is_true_does_not_hold(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("full")
    summary = experiment.summarize(results_of(plan, value_of, opposite(experiment)))

    assert summary.verdict in (Verdict.DOES_NOT_HOLD, Verdict.DIFFERS), summary.sentence


@pytest.mark.parametrize("name", MODULES)
def test_one_trial_a_point_decides_nothing(name: str) -> None:
    experiment = find_experiment(name)
    plan = [trial for trial in experiment.plan("full") if trial.number == 0]
    shares = [as_told(experiment)]
    if experiment.unit == "games":  # Elsewhere a trial is ten searches, of which all might decide.
        shares += [lambda _trial: 1.0, lambda _trial: 0.0]
    for share in shares:
        summary = experiment.summarize(results_of(plan, value_of, share))
        assert summary.verdict == Verdict.UNDECIDED, summary.sentence


@pytest.mark.parametrize("name", MODULES)
def test_a_run_may_stop_anywhere(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("full")
    results = results_of(plan[:40], value_of, as_told(experiment))

    for stop in (*range(1, 12), 20, 40):
        summary = experiment.summarize(results[:stop])
        assert summary.sentence
        assert summary.verdict != Verdict.DOES_NOT_HOLD, summary.sentence
        assert all("−∞" not in row.shown or row.count < 2 for row in summary.rows)
