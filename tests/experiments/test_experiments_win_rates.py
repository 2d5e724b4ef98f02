"""Won games as figures, and the experiments of documents 001 and 003, whose trials are games."""

from __future__ import annotations

import json
from dataclasses import replace
from statistics import fmean
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from montego.engine.knowledge.priors import judge_moves
from montego.experiments.document_001.doublings import DOUBLINGS
from montego.experiments.document_001.mogo import HEURISTICS, mc_rave, with_heuristic
from montego.experiments.document_003 import threads
from montego.experiments.document_003.go_player import go_player
from montego.experiments.document_003.threads import THREADS_AND_TREES
from montego.experiments.experiment import Experiment, Result, Trial, by_cell
from montego.experiments.figures import share_row
from montego.experiments.games import _Seat, contestant
from montego.experiments.registry import MODULES, find_experiment
from montego.experiments.verdict import Verdict, none_better
from montego.experiments.win_rates import (
    best_row,
    dots_of,
    held_out,
    in_proportion,
    pooled_row,
    remarks,
    win_rows,
)
from montego.mcts.game import no_priors

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts.config import Config

NAMES = [
    name for name, module in MODULES.items() if module[:12] in ("document_001", "document_003")
]


def game(cell: str, number: int, points: float, settings: Any = None) -> Result:
    value = {"result": points, "began": number % 2 == 0, "score": None, "moves": 60}
    return Result(Trial(cell, number, settings or {}), value, 1.0)


def games_of(experiment: Experiment, points: Callable[[Trial], float]) -> list[Result]:
    return [
        Result(trial, game(trial.cell, trial.number, points(trial)).value, 1.0)
        for trial in experiment.plan("full")
    ]


def test_rows_count_wins_by_cell_beside_the_documents_figure() -> None:
    results = [game("a", 0, 1.0), game("b", 0, 0.0), game("a", 1, 0.5)]
    rows = win_rows(results, {"a": 0.6})
    assert (rows["a"].ours, rows["a"].count, rows["a"].document) == (0.75, 2, 0.6)
    assert (rows["b"].ours, rows["b"].document) == (0.0, None)
    assert pooled_row("both", results, ["a", "b"]).ours == 0.5


def test_the_best_cell_is_not_counted_in_the_games_it_was_chosen_by() -> None:
    lucky = [game("lucky", number, float(number < 2)) for number in range(8)]
    steady = [game("steady", number, 0.5) for number in range(8)]
    row = best_row("best", lucky + steady, ["lucky", "steady"])
    assert (row.cell, row.ours, row.count) == ("best: lucky", 0.0, 6)
    assert best_row("best", [], ["lucky"]).count == 0


def test_the_trials_to_choose_by_are_a_quarter_wherever_a_run_stops() -> None:
    results = [game("a", number, 1.0) for number in range(40)]
    for stop in (16, 24, 40):
        choosing, counting = held_out(results[:stop])
        assert len(choosing) == stop / 4
        assert len(choosing) + len(counting) == stop


def test_none_better_is_open_while_a_rival_may_be_better() -> None:
    best, weak = share_row("best", 70, 100), share_row("weak", 50, 100)
    assert none_better(best, [weak], 0.1).holds is True
    assert none_better(best, [weak, share_row("near", 68, 100)], 0.1).holds is None
    false = none_better(best, [weak, share_row("strong", 95, 100)], 0.1)
    assert false.holds is False
    assert "strong (95 %" in false.text
    assert none_better(None, [weak], 0.1).holds is None


def test_the_better_one_is_named_even_if_a_less_certain_one_has_more() -> None:
    best = share_row("best", 50, 100)
    check = none_better(best, [share_row("few", 10, 10), share_row("many", 90, 100)], 0.1)
    assert check.holds is False
    assert check.text.startswith("many (90 %")


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
    found = [Result(trial, trial.number, 1.0) for trial in trials]
    assert list(by_cell(found).items()) == [("few", [0, 1]), ("many", [0, 1, 2, 3, 4, 5])]


def test_points_of_a_curve_go_from_left_to_right_in_per_cent() -> None:
    rows = win_rows([game("a", 0, 1.0), game("b", 0, 0.0)])
    assert [(dot.x, dot.y) for dot in dots_of(rows, {"a": 3.0, "b": 1.0, "c": 2.0})] == [
        (1.0, 0.0),
        (3.0, 100.0),
    ]


def test_quick_runs_are_told() -> None:
    settings = {"first": mc_rave(200), "level": 1}
    few = [game("a", 0, 1.0, settings), game("b", 0, 1.0, settings)]
    assert remarks(few, 200) == []
    (note,) = remarks(few, 3000)
    assert "200 simulations a move in place of 3,000 and GNU Go at level 1" in note
    assert remarks([], 3000) == []


def test_the_version_of_gnu_go_is_told_by_its_games() -> None:
    def played(version: str) -> Result:
        one = game("a", 0, 1.0, {"first": mc_rave(200), "level": 1})
        return replace(one, value=one.value | {"gnugo": version})

    assert remarks([played("3.8"), played("3.8")], 200) == ["GNU Go is version 3.8 here."]
    assert remarks([played("3.8"), played("3.7.10")], 3000)[0] == (
        "GNU Go is version 3.7.10 and 3.8 here."
    )


@pytest.mark.parametrize("name", ["rave-constant", "prior-heuristics", "simulations-and-wins"])
def test_a_quick_run_is_not_held_against_the_document(name: str) -> None:
    experiment = find_experiment(name)
    plan = experiment.plan("quick")
    results = [game(trial.cell, trial.number, 1.0, trial.settings) for trial in plan]
    assert all(row.document is None for row in experiment.summarize(results).rows)
    assert any(row.document for row in experiment.summarize(results_of(experiment)).rows)


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_heuristics_count_as_all_moves_as_first(heuristic: str) -> None:
    player = contestant(with_heuristic(mc_rave(100), heuristic, 40))
    assert (player.config.prior_to_amaf, player.config.prior_to_visits) == (1.0, 0.0)
    in_search = (player.config.prior_even, player.config.prior_grandfather)
    expected = {"even game": (40, 0), "grandfather": (0, 40)}.get(heuristic, (0, 0))
    assert in_search == expected
    is_of_game = heuristic in ("handcrafted", "local shape")
    assert player.game.priors is (judge_moves if is_of_game else no_priors)


def test_what_was_learned_is_worth_so_many_visits_on_average() -> None:
    seat = _Seat(contestant(with_heuristic(mc_rave(50), "local shape", 50)), 1)
    means = []
    for _ in range(40):
        result = seat.think()
        means.append(fmean(found.prior_visits for found in result.candidates))
        seat.follow(seat.move_of(result))
    assert fmean(means) == pytest.approx(50, rel=0.2)


def test_an_unknown_heuristic_is_refused() -> None:
    with pytest.raises(ValueError, match="magic"):
        with_heuristic(mc_rave(100), "magic", 40)


def test_go_player_has_its_improvements_one_at_a_time() -> None:
    plain, rave, both = (
        contestant(go_player(100, rave=rave, patterns=patterns))
        for rave, patterns in ((False, False), (True, False), (True, True))
    )
    assert [player.config.selection for player in (plain, rave, both)] == [
        "ucb1",
        "rave-child",
        "rave-child",
    ]
    assert plain.game.playout is rave.game.playout
    assert both.game.playout is not rave.game.playout


@pytest.mark.parametrize("name", NAMES)
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
    if name != DOUBLINGS.name:
        assert cells <= rows
    assert all(any(row.startswith(cell) for row in rows) for cell in experiment.figures)
    assert all(plot.svg.startswith("<svg") for plot in summary.plots)
    assert summary.plots
    assert experiment.summarize([]).verdict == Verdict.UNDECIDED


def results_of(experiment: Experiment) -> list[Result]:
    results = games_of(experiment, lambda trial: float(trial.number % 3 > 0))
    return [
        replace(result, value={"speed": 1000.0 + result.trial.number, "cores": 2})
        if "timed" in result.trial.settings
        else result
        for result in results
    ]


def test_a_doubling_that_wins_64_per_cent_is_worth_100_elo() -> None:
    summary = DOUBLINGS.summarize(games_of(DOUBLINGS, lambda trial: float(trial.number % 25 < 16)))
    mean = next(row for row in summary.rows if row.cell == "13x13, a doubling on average")
    assert mean.ours == pytest.approx(100, abs=5)
    assert mean.count == 300
    assert summary.verdict == Verdict.HOLDS
    none = DOUBLINGS.summarize(games_of(DOUBLINGS, lambda trial: float(trial.number % 4 < 2)))
    assert none.verdict in (Verdict.DIFFERS, Verdict.DOES_NOT_HOLD)


def test_timings_begin_with_the_seed_of_their_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    class Watched:
        def __init__(self, _game: object, config: Config) -> None:
            seeds.append(config.seed)

        def run(self, simulations: int = 500) -> SimpleNamespace:
            return SimpleNamespace(simulations=simulations, seconds=0.5)

    monkeypatch.setattr(threads, "Search", Watched)
    timings = [trial for trial in THREADS_AND_TREES.plan("quick") if "timed" in trial.settings]
    assert [THREADS_AND_TREES.run(trial)["speed"] for trial in timings[:3]] == [1000.0] * 3
    assert seeds == [trial.seed for trial in timings[:3]]
    assert len(set(seeds)) == 3


def test_one_tree_is_better_if_it_wins_and_is_faster() -> None:
    def value(trial: Trial) -> Any:
        if "timed" in trial.settings:
            slow = trial.settings["timed"]["search"]["parallel"] == "root"
            return {"speed": (900.0 if slow else 1900.0) + trial.number, "cores": 8}
        return game(trial.cell, trial.number, float(trial.number % 4 == 0)).value

    plan = THREADS_AND_TREES.plan("full")
    summary = THREADS_AND_TREES.summarize([Result(trial, value(trial), 1.0) for trial in plan])
    assert summary.verdict == Verdict.HOLDS


@pytest.mark.parametrize(
    ("cores", "verdict"), [(1, Verdict.UNDECIDED), (2, Verdict.HOLDS), (4, Verdict.DIFFERS)]
)
def test_speed_is_judged_where_every_thread_has_a_core(cores: int, verdict: Verdict) -> None:
    """One tree with a lock is as fast as a tree a thread, but not with four threads."""

    def value(trial: Trial) -> Any:
        search = trial.settings.get("timed", {}).get("search")
        if search is None:
            return game(trial.cell, trial.number, float(trial.number % 2)).value
        is_slow = search["parallel"] == "lock" and search["threads"] == 4
        return {"speed": (500.0 if is_slow else 1000.0) + trial.number % 2, "cores": cores}

    plan = THREADS_AND_TREES.plan("full")
    summary = THREADS_AND_TREES.summarize([Result(trial, value(trial), 1.0) for trial in plan])
    assert summary.verdict == verdict, summary.sentence
    told = f"with as many threads as had a core each, {cores};" if cores > 1 else "is not judged"
    assert told in summary.notes[0]
