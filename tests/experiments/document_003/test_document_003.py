"""The experiments of document 003: Go-player's improvements, and its threads."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from game_results import game
from montego.experiments import games
from montego.experiments.document_003.go_player import go_player
from montego.experiments.document_003.threads import THREADS_AND_TREES
from montego.experiments.experiment import Trial, TrialResult
from montego.experiments.verdict import ClaimVerdict

if TYPE_CHECKING:
    from montego.mcts.config import Config


def test_go_player_has_its_improvements_one_at_a_time() -> None:
    plain, rave, both = (
        games.contestant(go_player(100, rave=rave, patterns=patterns))
        for rave, patterns in ((False, False), (True, False), (True, True))
    )
    assert [player.config.selection for player in (plain, rave, both)] == [
        "ucb1",
        "rave-child",
        "rave-child",
    ]
    assert plain.game.playout is rave.game.playout
    assert both.game.playout is not rave.game.playout


def test_timings_begin_with_the_seed_of_their_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = []

    class Watched:
        def __init__(self, _game: object, config: Config, *, state: None) -> None:
            assert state is None
            seeds.append(config.seed)

        def run(self, simulations: int = 500) -> SimpleNamespace:
            return SimpleNamespace(simulations=simulations, seconds=0.5)

    monkeypatch.setattr(games, "Search", Watched)
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
    summary = THREADS_AND_TREES.summarize([TrialResult(trial, value(trial), 1.0) for trial in plan])
    assert summary.verdict == ClaimVerdict.HOLDS


@pytest.mark.parametrize(
    ("cores", "verdict"),
    [(1, ClaimVerdict.UNDECIDED), (2, ClaimVerdict.HOLDS), (4, ClaimVerdict.DIFFERS)],
)
def test_speed_is_judged_where_every_thread_has_a_core(cores: int, verdict: ClaimVerdict) -> None:
    """One tree with a lock is as fast as a tree a thread, but not with four threads."""

    def value(trial: Trial) -> Any:
        search = trial.settings.get("timed", {}).get("search")
        if search is None:
            return game(trial.cell, trial.number, float(trial.number % 2)).value
        is_slow = search["parallel"] == "lock" and search["threads"] == 4
        return {"speed": (500.0 if is_slow else 1000.0) + trial.number % 2, "cores": cores}

    plan = THREADS_AND_TREES.plan("full")
    summary = THREADS_AND_TREES.summarize([TrialResult(trial, value(trial), 1.0) for trial in plan])
    assert summary.verdict == verdict, summary.sentence
    told = f"with as many threads as had a core each, {cores};" if cores > 1 else "is not judged"
    assert told in summary.notes[0]
