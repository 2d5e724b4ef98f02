"""The experiments of document 001: MoGo's heuristics, and what a doubling is worth."""

from __future__ import annotations

from statistics import fmean

import pytest

from game_results import games_of
from montego.engine.knowledge.priors import move_priors
from montego.experiments.document_001.mogo import HEURISTICS, mc_rave, with_heuristic
from montego.experiments.document_001.simulations import DOUBLINGS
from montego.experiments.document_001.stronger_playouts import play_alone
from montego.experiments.games import Seat, contestant
from montego.experiments.verdict import ClaimVerdict
from montego.mcts.game import no_priors


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_heuristics_count_as_all_moves_as_first(heuristic: str) -> None:
    player = contestant(with_heuristic(mc_rave(100), heuristic, 40))
    assert (player.config.prior_to_amaf, player.config.prior_to_visits) == (1.0, 0.0)
    in_search = (player.config.prior_even, player.config.prior_grandfather)
    expected = {"even game": (40, 0), "grandfather": (0, 40)}.get(heuristic, (0, 0))
    assert in_search == expected
    is_of_game = heuristic in ("handcrafted", "local shape", "strong players")
    assert player.game.priors is (move_priors if is_of_game else no_priors)


@pytest.mark.parametrize(("heuristic", "off"), [("local shape", 1e-6), ("strong players", 0.2)])
def test_what_was_learned_is_worth_so_many_visits_on_average(heuristic: str, off: float) -> None:
    seat = Seat(contestant(with_heuristic(mc_rave(50), heuristic, 50)), 1)
    means = []
    for _ in range(40):
        result = seat.think()
        means.append(fmean(found.prior_visits for found in result.candidates))
        seat.follow(seat.move_of(result))
    assert fmean(means) == pytest.approx(50, rel=off)


def test_an_unknown_heuristic_is_refused() -> None:
    with pytest.raises(ValueError, match="magic"):
        with_heuristic(mc_rave(100), "magic", 40)


def test_a_doubling_that_wins_64_per_cent_is_worth_100_elo() -> None:
    summary = DOUBLINGS.summarize(games_of(DOUBLINGS, lambda trial: float(trial.number % 25 < 16)))
    mean = next(row for row in summary.rows if row.cell == "13x13, a doubling on average")
    assert mean.ours == pytest.approx(100, abs=5)
    assert mean.count == 300
    assert summary.verdict == ClaimVerdict.HOLDS
    none = DOUBLINGS.summarize(games_of(DOUBLINGS, lambda trial: float(trial.number % 4 < 2)))
    assert none.verdict in (ClaimVerdict.DIFFERS, ClaimVerdict.DOES_NOT_HOLD)


def test_policies_play_alone_by_what_their_playouts_begin_with() -> None:
    wins = sum(play_alone(["sequence", "uniform"], seed)[0] > 0 for seed in range(10))
    assert wins >= 7
    score, moves = play_alone(["uniform", "uniform"], 3)
    assert score == play_alone(["uniform", "uniform"], 3)[0]
    assert 30 < moves <= 3 * 81
