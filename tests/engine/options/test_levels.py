"""Levels: weaker ones know less, think less and stray further; none of them plays at random."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from candidates import candidate
from montego.engine.options import options as options_module
from montego.engine.options.levels import (
    LEVELS,
    PEOPLE,
    level_options,
    moves_like_people,
    skill_at,
    skill_of,
    soften,
)
from montego.engine.options.options import Options, knows_people
from montego.engine.player import Player
from montego.go.kernels.layout import PASS

if TYPE_CHECKING:
    from montego.mcts.report import Candidate

GOOD, FAIR, POOR, ODD = 41, 42, 43, 44


def choices(candidates: list[Candidate], weakness: float, count: int = 400) -> Counter[int]:
    random = Random(1)
    return Counter(soften(candidates, weakness, random) for _ in range(count))


WEAKNESSES = (2.0, 1.5, 1.0, 0.5, 0.0)


def test_levels_go_from_30_kyu_to_9_dan() -> None:
    assert list(LEVELS.items())[:: len(LEVELS) - 1] == [("30k", -30), ("9d", 8)]
    assert list(LEVELS)[29:31] == ["1k", "1d"]
    assert len(LEVELS) == 39


@pytest.mark.parametrize("size", [2, 9, 13, 19, 25])
@pytest.mark.parametrize("network", [True, False])
def test_no_level_is_weaker_than_the_one_below(size: int, network: bool) -> None:
    skills = [skill_of(level, size, network=network) for level in LEVELS]

    for weaker, stronger in pairwise(skills):
        assert (weaker.network, -weaker.weakness) <= (stronger.network, -stronger.weakness)
        if weaker.network == stronger.network:
            assert weaker.simulations <= stronger.simulations
    assert len(set(skills[:-8])) == len(skills) - 8  # All of those that playouts can tell apart.
    assert skills[0].weakness == 2.0
    assert skills[-1].network == network


def test_strong_levels_use_a_network_and_weak_ones_do_not() -> None:
    assert Options(level="9d").on_board(9).network_path(9) is not None
    assert Options(level="15k").on_board(9).network_path(9) is None
    assert Options(level="9d", network=None).on_board(9).network_path(9) is None


def test_without_what_runs_a_network_levels_read_by_playouts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(options_module, "_has_runtime", lambda: False)
    options_module._with_level.cache_clear()
    try:
        leveled = Options(level="9d").on_board(9)
    finally:
        options_module._with_level.cache_clear()

    assert leveled.network is None
    assert leveled.simulations == skill_of("9d", 9).simulations


@pytest.mark.parametrize("size", [9, 13, 19])
@pytest.mark.parametrize("level", [*LEVELS, *PEOPLE])
def test_levels_are_options_like_any_others(level: str, size: int) -> None:
    leveled = Options(level=level, network=None).on_board(size)

    changed = level_options(level, size, people=knows_people(size))
    for name, value in changed.items():
        assert leveled.value(name, size) == value
    assert leveled.search_config(size).simulations == changed["simulations"]


def test_the_strongest_level_knows_all_that_the_playouts_know() -> None:
    weak = Options(level="30k").playout_rates(9)
    assert weak.ladder == weak.pattern == weak.capture == 0.0
    assert 0.0 < Options(level="10k").playout_rates(9).nakade < Options().playout_rates(9).nakade
    assert Options(level="9d", network=None).playout_rates(9) == Options().playout_rates(9)


def test_the_strongest_level_takes_the_most_visited_move() -> None:
    found = [candidate(GOOD, 100), candidate(FAIR, 99, 0.6)]

    assert choices(found, 0.0) == {GOOD: 400}


def test_weak_levels_vary_between_moves_of_equal_worth() -> None:
    found = [candidate(GOOD, 100, 0.50), candidate(FAIR, 90, 0.49), candidate(POOR, 80, 0.48)]
    drawn = choices(found, 0.8)

    assert set(drawn) == {GOOD, FAIR, POOR}
    assert drawn[GOOD] >= drawn[POOR]


def test_weaker_levels_stray_further() -> None:
    found = [candidate(GOOD, 100, 0.50), candidate(FAIR, 40, 0.42)]
    strayed = [choices(found, weakness)[FAIR] for weakness in (0.0, 0.2, 1.0)]

    assert strayed[0] == strayed[1] == 0 < strayed[2]


def test_beginners_read_next_to_nothing() -> None:
    counts = [skill_at(weakness, 9).simulations for weakness in WEAKNESSES]
    assert counts == [2, 9, 40, 894, 20_000]


@pytest.mark.parametrize("weakness", [1.0, 0.5, 0.1, 0.0])
def test_nobody_but_beginners_plays_what_the_search_did_not_care_for(weakness: float) -> None:
    found = [
        candidate(GOOD, 100, 0.55),
        candidate(FAIR, 5, 0.55),  # hardly looked at
        candidate(POOR, 90, 0.20),  # clearly worse
        candidate(ODD, 90, 0.55, prior=(10.0, 0.1)),  # a self-atari, says the prior
    ]

    assert choices(found, weakness, 100) == {GOOD: 100}


@pytest.mark.parametrize("weakness", WEAKNESSES)
def test_passing_is_left_to_the_best_judgement(weakness: float) -> None:
    passing = [candidate(PASS, 100, 0.9), candidate(GOOD, 99, 0.9)]
    playing = [candidate(GOOD, 100, 0.5), candidate(PASS, 99, 0.5)]

    assert choices(passing, weakness, 50) == {PASS: 50}
    assert choices(playing, weakness, 50) == {GOOD: 50}


def test_in_a_decided_game_small_differences_count() -> None:
    even = [candidate(GOOD, 100, 0.50), candidate(FAIR, 100, 0.45)]
    won = [candidate(GOOD, 100, 0.99), candidate(FAIR, 100, 0.94)]

    assert choices(even, 1.0)[FAIR] > 0
    assert choices(won, 1.0)[FAIR] == 0


def test_of_few_visits_those_count_that_were_repeated() -> None:
    found = [candidate(GOOD, 3, 1.0), candidate(FAIR, 1, 1.0), candidate(POOR, 1, 1.0)]

    assert choices(found, 1.0) == {GOOD: 400}


def test_luck_weighs_less_than_what_is_known() -> None:
    lucky = candidate(GOOD, 3, 1.0, prior=(20.0, 0.6))
    unlucky = candidate(FAIR, 3, 0.4, prior=(20.0, 0.6))

    assert set(choices([lucky, unlucky], 1.0)) == {GOOD, FAIR}
    assert set(choices([candidate(GOOD, 3, 1.0), candidate(FAIR, 3, 0.4)], 1.0)) == {GOOD}


def test_proven_moves() -> None:
    found = [
        candidate(GOOD, 100),
        candidate(FAIR, 90, proof="loss"),
        candidate(POOR, 1, proof="win"),
    ]

    assert choices(found, 1.0) == {POOR: 400}
    assert choices(found[:2], 1.0) == {GOOD: 400}


def test_a_search_that_was_stopped_at_once_has_an_answer() -> None:
    assert choices([candidate(GOOD, 0), candidate(FAIR, 0)], 1.0) == {GOOD: 400}
    assert choices([candidate(GOOD, 10, 1.3)], 1.0) == {GOOD: 400}  # By the score, above 1.


def test_the_choice_repeats_with_its_random_numbers() -> None:
    found = [candidate(GOOD, 100), candidate(FAIR, 95), candidate(POOR, 90)]
    draws = [[soften(found, 0.9, Random(seed)) for seed in range(20)] for _ in range(2)]

    assert draws[0] == draws[1]
    assert len(set(draws[0])) > 1


def test_the_weakest_level_answers_an_atari() -> None:
    player = Player(Options(size=9, level="30k", seed=1, memory=20.0))
    saved = 0
    for seed in range(10):
        player.configure(player.options.replace(seed=seed))
        player.new_game()
        for color, vertex in zip(
            ["black", "white"] * 3, ["E5", "E6", "C3", "D5", "G7", "F5"], strict=True
        ):
            player.play(color, vertex)
        saved += player.genmove("black").vertex == "E4"
    player.close()

    assert saved >= 8


def test_what_hardly_anybody_chooses_is_not_chosen() -> None:
    moves = moves_like_people({GOOD: 0.5, FAIR: 0.48, POOR: 0.01}, 0)

    assert set(moves) == {GOOD, FAIR}
    assert sum(moves.values()) == pytest.approx(1.0)
    assert moves[GOOD] > moves[FAIR] > 0.4


def test_weak_people_are_less_sure_than_strong_ones() -> None:
    chances = {GOOD: 0.6, FAIR: 0.3, POOR: 0.1}

    sure = [moves_like_people(chances, rank)[GOOD] for rank in PEOPLE.values()]

    assert sure == sorted(sure)
    assert sure[0] == pytest.approx(0.6)
    assert sure[-1] > 0.9
    assert moves_like_people(chances, -30) == moves_like_people(chances, -27)


def test_opponents_like_people_are_levels_where_nobody_knows_people() -> None:
    assert skill_of("like-15k", 19) == skill_of("15k", 19)
    assert skill_of("like-15k", 9, people=True).people == -15
    assert knows_people(9)
    assert not knows_people(19)


def test_an_opponent_like_people_plays_what_people_play() -> None:
    player = Player(Options(size=9, level="like-2d", seed=1, memory=20.0))
    moves = [player.genmove().vertex for _ in range(4)]
    player.close()

    # Nobody begins a game on the edge.
    assert all(move is not None and move[0] in "CDEFG" and move[1] in "34567" for move in moves)
