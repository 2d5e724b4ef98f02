"""Won games as figures: rates by cell, pools, the best of several, and what is said of a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from game_results import game, games_of
from montego.experiments.document_001.mogo import mc_rave
from montego.experiments.registry import find_experiment
from montego.experiments.win_rates import WinRates, held_out

if TYPE_CHECKING:
    from montego.experiments.experiment import TrialResult


def test_rows_count_wins_by_cell_beside_the_documents_figure() -> None:
    results = [game("a", 0, 1.0), game("b", 0, 0.0), game("a", 1, 0.5)]
    rows = WinRates(results, {"a": 0.6})
    assert (rows["a"].ours, rows["a"].count, rows["a"].document) == (0.75, 2, 0.6)
    assert (rows["b"].ours, rows["b"].document) == (0.0, None)
    assert rows.pooled("both", ["a", "b"]).ours == 0.5
    assert rows.pooled("nobody", ["c"]).count == 0
    assert [row.cell for row in rows.shown()] == ["a", "b", "both"]


def test_the_best_cell_is_not_counted_in_the_games_it_was_chosen_by() -> None:
    lucky = [game("lucky", number, float(number < 2)) for number in range(8)]
    steady = [game("steady", number, 0.5) for number in range(8)]
    row = WinRates(lucky + steady).best("best", ["lucky", "steady"])
    assert (row.cell, row.ours, row.count) == ("best: lucky", 0.0, 6)
    assert WinRates([]).best("best", ["lucky"]).count == 0


def test_the_trials_to_choose_by_are_a_quarter_wherever_a_run_stops() -> None:
    results = [game("a", number, 1.0) for number in range(40)]
    for stop in (16, 24, 40):
        choosing, counting = held_out(results[:stop])
        assert len(choosing) == stop / 4
        assert len(choosing) + len(counting) == stop


def test_points_of_a_curve_go_from_left_to_right_in_per_cent() -> None:
    rows = WinRates([game("a", 0, 1.0), game("b", 0, 0.0)])
    places = {"a": 3.0, "b": 1.0, "c": 2.0}
    dots = [(dot.x, dot.y) for dot in rows.curve("a to b", places).dots]
    assert dots == [(1.0, 0.0), (3.0, 100.0)]
    dots = [(dot.x, dot.y) for dot in rows.curve("a to b", places, even_at=2.0).dots]
    assert dots == [(1.0, 0.0), (2.0, 50.0), (3.0, 100.0)]


def test_quick_runs_are_told() -> None:
    settings = {"first": mc_rave(200), "level": 1}
    few = [game("a", 0, 1.0, settings), game("b", 0, 1.0, settings)]
    assert WinRates(few, simulations=200).circumstances() == []
    (note,) = WinRates(few, simulations=3000).circumstances()
    assert "200 simulations a move in place of 3,000 and GNU Go at level 1" in note
    assert WinRates([], simulations=3000).circumstances() == []


def test_the_version_of_gnu_go_is_told_by_its_games() -> None:
    def played(version: str) -> TrialResult:
        one = game("a", 0, 1.0, {"first": mc_rave(200), "level": 1})
        return replace(one, value=one.value | {"gnugo": version})

    same = WinRates([played("3.8"), played("3.8")], simulations=200)
    mixed = WinRates([played("3.8"), played("3.7.10")], simulations=3000)
    assert same.circumstances() == ["GNU Go is version 3.8 here."]
    assert mixed.circumstances()[0] == "GNU Go is version 3.7.10 and 3.8 here."


@pytest.mark.parametrize("name", ["rave-constant", "prior-heuristics", "simulations-and-wins"])
def test_a_quick_run_is_not_held_against_the_document(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("quick")
    results = [game(trial.cell, trial.number, 1.0, trial.settings) for trial in plan]
    whole = games_of(experiment, lambda trial: float(trial.number % 3 > 0))
    assert all(row.document is None for row in experiment.summarize(results).rows)
    assert any(row.document for row in experiment.summarize(whole).rows)


def test_a_full_run_that_lacks_its_longest_games_is_no_quick_one() -> None:
    experiment = find_experiment("simulations-and-wins")
    whole = games_of(experiment, lambda _trial: 1.0)
    short = [result for result in whole if result.trial.cell == "3,000 simulations"]
    summary = experiment.summarize(short)
    assert [row.document for row in summary.rows if row.cell == "3,000 simulations"] == [0.69]
    assert not any("quick run" in note for note in summary.notes)
