"""Games for experiments: who won is told the right way round, and the seed decides."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from conftest import require_tool

from mcts_checks import check_tree
from montego.experiments.experiment import Trial
from montego.experiments.games import (
    Seat,
    contestant,
    play_game,
    play_gnugo_trial,
    play_match_trial,
    tally,
)
from montego.mcts.errors import MctsError

STRONG = {"game": "connect-four", "search": {"simulations": 400}}
WEAK = {"game": "connect-four", "search": {"simulations": 2}}
SMALL = {"size": 5, "komi": 0.5, "search": {"simulations": 60}}


def trial(number: int, seed: int = 1, **settings: object) -> Trial:
    return Trial("cell", number, settings, seed)


def test_the_stronger_one_wins_whoever_begins() -> None:
    games = [
        play_match_trial(trial(number, number, first=STRONG, second=WEAK)) for number in range(8)
    ]
    reverse = [
        play_match_trial(trial(number, number, first=WEAK, second=STRONG)) for number in range(8)
    ]

    assert [game["began"] for game in games] == [True, False] * 4
    assert tally(games)[0] >= 7
    assert tally(reverse)[0] <= 1
    assert tally(games)[1] == 8


def test_who_begins_can_be_told() -> None:
    games = [
        play_match_trial(trial(number, first=STRONG, second=WEAK, first_begins=begins))
        for number in range(2)
        for begins in (True, False)
    ]

    assert [game["began"] for game in games] == [True, False, True, False]


def test_the_seed_decides_everything() -> None:
    def play(seed: int) -> object:
        return play_match_trial(trial(0, seed, first=SMALL, second=SMALL))

    games = [play(seed) for seed in range(4)]
    assert games == [play(seed) for seed in range(4)]
    assert any(game != games[0] for game in games)


@pytest.mark.parametrize("begins", [True, False])
@pytest.mark.parametrize("fresh", [True, False])
def test_the_score_is_the_first_contestants(begins: bool, fresh: bool) -> None:
    # Who gets 100 points for nothing wins every game; komi is White's, who does not begin.
    player = contestant({"size": 5, "komi": 100.5, "fresh": fresh, "search": {"simulations": 8}})
    outcome = play_game(player, player, seed=3, first_begins=begins)

    assert outcome["result"] == (0.0 if begins else 1.0)
    if outcome["score"] is not None:
        assert (outcome["score"] > 0) == (not begins)


def test_rewards_that_are_no_chances_resign_nothing() -> None:
    lost = {"size": 5, "komi": 100.5, "search": {"simulations": 8}}
    hopeful = lost | {"search": {"simulations": 8, "reward": "score"}}

    resigned = play_game(contestant(lost), contestant(lost), seed=1)
    played = play_game(contestant(hopeful), contestant(hopeful), seed=1)
    assert resigned["score"] is None
    assert played["score"] is not None
    assert resigned["moves"] < played["moves"]


def test_a_lost_game_is_played_to_the_end_if_nobody_may_resign() -> None:
    lost = {"size": 5, "komi": 100.5, "search": {"simulations": 8}}

    resigned = play_match_trial(trial(0, first=lost, second=lost))
    played = play_match_trial(trial(0, first=lost, second=lost, resign=False))
    assert resigned["score"] is None
    assert played["score"] < 0
    assert played["result"] == resigned["result"] == 0.0
    assert resigned["moves"] < played["moves"]


@pytest.mark.parametrize("fresh", [True, False])
def test_a_move_begins_with_what_the_last_search_knew_of_it(fresh: bool) -> None:
    settings = {"size": 5, "search": {"simulations": 200, "early_stop": False}, "fresh": fresh}
    heir, other = (Seat(contestant(settings | {"uncles": share}), 1) for share in (0.5, 0.0))
    for seat in (heir, other):
        before = seat.think()
        assert sum(found.prior_visits for found in before.candidates) == 0
        assert before.move is not None
        seat.follow(before.move)
        reply = seat.search.legal_moves()[0]
        seat.follow(reply)
        after = {found.move: found for found in seat.think().candidates}
        uncles = {found.move: found for found in before.candidates if found.move in after}

        check_tree(seat.search.tree, fresh=fresh)
        assert sum(found.visits for found in after.values()) >= 200
        assert before.move not in after
        assert len(uncles) > 20
        for move, found in after.items():
            expected = 0.5 * uncles[move].visits if seat is heir else 0.0
            assert found.prior_visits == pytest.approx(expected)
            if expected:
                assert found.prior_value == pytest.approx(uncles[move].value)


def test_a_game_begins_with_a_tree_from_before() -> None:
    settings = {"size": 5, "search": {"simulations": 50, "early_stop": False}}
    learned, new = (Seat(contestant(settings | {"experience": held}), 1) for held in (400, 0))
    visits = [sum(found.visits for found in seat.think().candidates) for seat in (learned, new)]
    assert visits == [450, 50]


def test_inherited_visits_guide_a_search_that_could_try_each_move_just_once() -> None:
    """On 19x19 three hundred simulations are fewer than the moves."""
    settings = {"size": 19, "fresh": True, "search": {"simulations": 300, "early_stop": False}}
    most = []
    for share in (1.0, 0.0):
        seat = Seat(contestant(settings | {"uncles": share}), 1)
        move = seat.think().move
        assert move is not None
        seat.follow(move)
        seat.follow(seat.search.legal_moves()[0])
        most.append(max(found.visits for found in seat.think().candidates))
    assert most[0] > most[1] == 1


def test_a_contestant_is_described_by_json() -> None:
    tuned = contestant({"tuned": True, "size": 9, "search": {"simulations": 10}})
    plain = contestant({"size": 9, "search": {"simulations": 10}})
    hex_game = contestant({"game": "hex", "size": 5})

    assert tuned.config.selection == "rave-mse"
    assert plain.config.selection == "ucb1"
    assert len(tuned.game.knowledge) > len(plain.game.knowledge)
    assert tuned is contestant({"search": {"simulations": 10}, "size": 9, "tuned": True})
    assert "5" in hex_game.game.name or hex_game.game.move_count >= 25
    with pytest.raises(MctsError, match="invalid simulations"):
        contestant({"search": {"simulations": -1}})


def test_a_game_against_gnu_go() -> None:
    require_tool("gnugo")
    games = [play_gnugo_trial(trial(number, 5, first=SMALL, level=0)) for number in range(2)]

    assert [game["began"] for game in games] == [True, False]
    for game in games:
        assert game["result"] in {0.0, 1.0}
        assert game["score"] is None or (game["score"] > 0) == (game["result"] == 1.0)
        assert game["moves"] > 2
        assert re.fullmatch(r"\d+(\.\d+)+", game["gnugo"])


def test_nobody_passes_into_a_lost_count() -> None:
    """Black is behind on the board as it stands; White, who is ahead, may pass."""
    player = contestant({"size": 5, "komi": 7.5, "search": {"simulations": 60}})
    seat = Seat(player, 1)
    result = replace(seat.search.run(), move=0)
    assert (
        seat.move_of(result)
        == max(
            (found for found in result.candidates if found.move), key=lambda found: found.visits
        ).move
    )
    seat.follow(int(result.candidates[0].move))
    result = replace(seat.search.run(), move=0)
    black_leads = seat.score() > 0  # One stone owns the whole board.
    assert black_leads
    assert seat.move_of(result) != 0
    only_pass = replace(result, candidates=())
    assert seat.move_of(only_pass) == 0
    ahead = contestant({"size": 5, "komi": 30.5, "search": {"simulations": 60}})
    seat = Seat(ahead, 1)
    seat.follow(int(seat.search.legal_moves()[0]))
    assert seat.move_of(replace(seat.search.run(), move=0)) == 0


def test_a_documents_program_is_its_preset() -> None:
    settings = {"preset": "mogo", "options": {"selection": "rave-hand"}}
    player = contestant(settings | {"search": {"simulations": 40}})
    assert (player.config.selection, player.config.simulations) == ("rave-hand", 40)
    assert player.config.threads == 1
    assert player.fresh
    go_player = contestant({"preset": "go-player"})
    assert (go_player.config.threads, go_player.config.simulations) == (1, 30_000)
    assert not go_player.fresh
    assert contestant({"preset": "mcgnugo"}).uncles == 1.0
