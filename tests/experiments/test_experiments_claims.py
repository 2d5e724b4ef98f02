"""Every experiment's verdict: right if the document is, if it is not, and if too little was run."""

from __future__ import annotations

import pytest

from claimed_results import as_told, opposite, results_of, value_of
from montego.experiments.document_000.tsumego.pool import POOL
from montego.experiments.experiment import Summary, Trial, TrialResult
from montego.experiments.registry import MODULES, find_experiment
from montego.experiments.verdict import ClaimVerdict

TIMED = {
    "time-against-iterations",
    "time-against-board-size",
    "board-ladder",
    "move-sets",
    "random-game-methods",
    "random-game-spread",
    "random-game-speeds",
    "moves-and-depth",
    "estimate-of-pi",
    "bandit-regret",
    "guided-simulation",
}
"""Whose results are no shares of anything; what they make of others is tested elsewhere."""
TOO_DEAR = {"improvements-against-gnugo"}
"""Whose plan cannot tell all of the document's figures apart, and must leave them open."""


@pytest.mark.parametrize("name", MODULES)
def test_a_claim_that_is_exactly_true_holds(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("full")
    summary = experiment.summarize(results_of(plan, value_of, as_told(experiment)))

    verdict = ClaimVerdict.UNDECIDED if name in TOO_DEAR else ClaimVerdict.HOLDS
    assert summary.verdict == verdict, summary.sentence


def test_rave_is_compared_with_uct_by_its_own_games() -> None:
    """Patterns that win every game say nothing of RAVE with random playouts."""
    experiment = find_experiment("improvements-against-gnugo")
    plan = experiment.plan("full")

    def summary_of(rave: float) -> Summary:
        shares = {"UCT, random playouts": 0.2, "RAVE, random playouts": rave}
        return experiment.summarize(
            results_of(plan, value_of, lambda trial: shares.get(trial.cell, 1.0))
        )

    assert "RAVE, random playouts (20 % [10, 35]) is perhaps more" in summary_of(0.2).sentence
    assert "RAVE, random playouts (60 % [45, 74]) is more than UCT" in summary_of(0.6).sentence


@pytest.mark.parametrize("name", [name for name in MODULES if name not in TIMED])
def test_a_claim_of_which_the_opposite_is_true_does_not_hold(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("full")
    summary = experiment.summarize(results_of(plan, value_of, opposite(experiment)))

    assert summary.verdict in (ClaimVerdict.DOES_NOT_HOLD, ClaimVerdict.DIFFERS), summary.sentence


def test_a_middle_chosen_more_often_than_chance_is_not_close_to_even() -> None:
    experiment = find_experiment("first-move-heat-maps")
    told = as_told(experiment)
    results = results_of(experiment.plan("full"), value_of, lambda trial: told(trial) + 0.09)
    summary = experiment.summarize(results)

    assert summary.verdict == ClaimVerdict.DIFFERS
    assert "differs from an even spread over 9x9 (31 % [31, 31]) by more than 5" in summary.sentence


def test_another_constant_is_judged_by_searches_it_was_not_chosen_by() -> None:
    """C = 4 is lucky in the searches that choose, and no better than others in the rest."""
    experiment = find_experiment("exploration-constant")
    plan = experiment.plan("full")

    def lucky(trial: Trial) -> float:
        chooses = trial.number < len(POOL)
        return float(trial.cell == "C = 4") if chooses else 0.5

    summary = experiment.summarize(results_of(plan, value_of, lucky))
    assert summary.verdict == ClaimVerdict.HOLDS, summary.sentence
    assert "the best other one, C = 4 (50 %" in summary.sentence


def test_a_constant_that_gains_less_than_its_bound_is_no_help() -> None:
    """A gain of a few points may be sure, and is not what the claim denies."""
    experiment = find_experiment("exploration-constant")

    def verdict_of_gain(gain: float) -> ClaimVerdict:
        results = results_of(
            experiment.plan("full"),
            value_of,
            lambda trial: 0.9 + gain if trial.cell == "C = 0.1" else 0.9,
        )
        return experiment.summarize(results).verdict

    assert verdict_of_gain(0.03) == ClaimVerdict.HOLDS
    assert verdict_of_gain(-0.5) == ClaimVerdict.HOLDS

    results = results_of(
        experiment.plan("full"), value_of, lambda trial: 0.8 if trial.cell == "C = 1" else 0.5
    )
    summary = experiment.summarize(results)
    assert summary.verdict == ClaimVerdict.DOES_NOT_HOLD, summary.sentence
    assert "C = 1 (80 % [77, 83]), gains more than 8 points over C = 2" in summary.sentence


def test_time_that_grows_more_slowly_than_its_bound_keeps_it() -> None:
    experiment = find_experiment("time-against-board-size")

    def verdict_of_power(power: float) -> ClaimVerdict:
        results = [
            TrialResult(
                trial,
                (1 + trial.number % 3 / 100) * trial.settings["player"]["size"] ** power,
                1.0,
            )
            for trial in experiment.plan("full")
        ]
        return experiment.summarize(results).verdict

    assert verdict_of_power(1.6) == ClaimVerdict.HOLDS
    assert verdict_of_power(2.4) == ClaimVerdict.DOES_NOT_HOLD


def test_a_rule_for_voting_that_changes_nothing_does_not_pay() -> None:
    """Nor does it by the one of its values of k that luck favored."""
    experiment = find_experiment("voting-rule")
    plan = experiment.plan("full")

    def lucky_at_40(trial: Trial) -> float:
        return {"k = 0": 0.3, "k = 40": 0.55}.get(trial.cell, 0.45)

    for share in (lambda _trial: 0.5, lucky_at_40):
        summary = experiment.summarize(results_of(plan, value_of, share))
        assert summary.verdict == ClaimVerdict.DOES_NOT_HOLD, summary.sentence
        assert "is not above 50 % by as much as 7 points" in summary.sentence


@pytest.mark.parametrize("name", MODULES)
def test_one_trial_a_point_decides_nothing(name: str) -> None:
    experiment = find_experiment(name)
    plan = [trial for trial in experiment.plan("full") if trial.number == 0]
    shares = [as_told(experiment)]
    if experiment.unit == "games":  # Elsewhere a trial is ten searches, of which all might decide.
        shares += [lambda _trial: 1.0, lambda _trial: 0.0]
    for share in shares:
        summary = experiment.summarize(results_of(plan, value_of, share))
        assert summary.verdict == ClaimVerdict.UNDECIDED, summary.sentence


@pytest.mark.parametrize("name", MODULES)
def test_a_run_may_stop_anywhere(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("full")
    results = results_of(plan[:40], value_of, as_told(experiment))

    for stop in (*range(1, 12), 20, 40):
        summary = experiment.summarize(results[:stop])
        assert summary.sentence
        assert summary.verdict != ClaimVerdict.DOES_NOT_HOLD, summary.sentence
        assert all("−∞" not in row.shown or row.count < 2 for row in summary.rows)
