"""Ratings from results, terms that make up for a difference, and the ladder."""

from __future__ import annotations

from random import Random

import pytest

from montego.ladder.home import LadderGame
from montego.ladder.rating import KnownStrength, RatedOutcome, estimate, estimates, expected_score
from montego.ladder.scale import Terms, elo_of, fair_terms, head_start, rank_of
from montego.ladder.standing import course, outcome_of, standing


def game(number: int, rank: int, score: float, **changes: object) -> LadderGame:
    facts = {"color": "black", "size": 9, "id": f"game {number}", "time": float(number)}
    return LadderGame(**facts | {"rank": rank, "score": score} | changes)  # type: ignore[arg-type]


def test_games_move_an_estimate_and_make_it_surer() -> None:
    won = estimate([RatedOutcome(elo_of(-20), 1.0)])
    lost = estimate([RatedOutcome(elo_of(-20), 0.0)])
    assert lost.elo < KnownStrength().elo < won.elo
    course_of_many = estimates([RatedOutcome(-500.0, 1.0), RatedOutcome(-500.0, 0.0)] * 20)
    assert course_of_many[-1].elo == pytest.approx(-500.0, abs=30.0)
    assert course_of_many[-1].deviation < 120.0 < course_of_many[2].deviation


def test_a_long_row_of_wins_ends_no_estimate() -> None:
    found = estimate([RatedOutcome(elo_of(-30), 1.0)] * 300)
    assert elo_of(-30) < found.elo < 1900.0
    assert found.deviation > 0.0


@pytest.mark.parametrize("strength", [-27.0, -14.0, -2.0])
def test_who_plays_even_opponents_wins_about_half_of_the_games(strength: float) -> None:
    random = Random(round(strength))
    games: list[LadderGame] = []
    scores: list[float] = []
    for number in range(70):
        rank = standing(games, 9).rank
        chance = expected_score(elo_of(strength), elo_of(rank))
        scores.append(float(random.random() < chance))
        games.append(game(number, rank, scores[-1], komi=7.0))
    assert abs(rank_of(standing(games, 9).known.elo) - strength) < 3.0
    assert 0.35 <= sum(scores[10:]) / 60 <= 0.65


@pytest.mark.parametrize(
    ("size", "ranks", "terms"),
    [
        (19, 0.0, Terms(0, 7.5)),
        (19, 0.3, Terms(0, 3.5)),
        (19, 1.2, Terms(2, 0.5)),
        (19, 5.6, Terms(6, 0.5)),
        (19, 30.0, Terms(9, 0.5)),
        (13, 1.0, Terms(0, 1.5)),
        (13, 9.0, Terms(4, 0.5)),
        (9, 2.0, Terms(0, 1.5)),
        (9, 9.0, Terms(2, 0.5)),
        (9, 30.0, Terms(4, 0.5)),
        (7, 30.0, Terms(0, 0.5)),
    ],
)
def test_stones_and_komi_make_up_for_ranks(size: int, ranks: float, terms: Terms) -> None:
    assert fair_terms(size, ranks) == terms


def test_terms_are_worth_about_what_they_are_proposed_for() -> None:
    for size in (9, 13, 19):
        for ranks in (0.4, 1.0, 3.0, 5.0):
            worth = head_start(size, fair_terms(size, ranks))
            assert abs(worth - ranks) <= 0.6 * (18 / (size - 1)) ** 2


def test_a_head_start_makes_an_opponent_seem_weaker() -> None:
    even = outcome_of(game(1, -9, 1.0, komi=7.0))
    helped = outcome_of(game(1, -9, 1.0, size=19, handicap=4, komi=0.5))
    giver = outcome_of(game(1, -9, 1.0, size=19, handicap=4, komi=0.5, color="white"))
    assert even.opponent == elo_of(-9) == 0.0
    assert helped.opponent == pytest.approx(-giver.opponent)
    assert helped.opponent < -250.0


def test_rungs_are_climbed_by_two_wins_in_even_games_without_help() -> None:
    games = [game(1, -25, 1.0), game(2, -20, 1.0)]
    assert (standing(games, 9).climbed, standing(games, 9).next_rung) == (-25, -24)
    assert standing(games[:1], 9).climbed is None
    assert standing(games[:1], 9).next_rung == -30
    assert standing(games, 19).climbed is None
    games += [game(3, -10, 1.0, helped=True), game(4, -10, 1.0, handicap=2, komi=0.5)]
    games += [game(5, -10, 1.0, komi=0.5), game(6, -10, 0.0)]
    assert standing(games, 9).climbed == -25
    games.append(game(7, -12, 1.0, color="white", handicap=2, komi=0.5))
    assert standing(games, 9).climbed == -20


def test_a_new_board_begins_at_what_others_say() -> None:
    games = [game(number, -9, 1.0) for number in range(6)]
    other = standing(games, 19)
    assert other.games == 0
    assert other.known.elo == standing(games, 9).known.elo
    assert other.known.deviation > standing(games, 9).known.deviation
    assert len(course(games, 9)) == 6
    assert course(games, 19) == []


def test_the_weaker_one_takes_black() -> None:
    strong = standing([game(number, -9, 1.0) for number in range(6)], 9)
    color, terms = strong.terms_against(-30, 7.5)
    assert color == "white"
    assert terms.handicap >= 2
    assert strong.terms_against(strong.rank, 7.5)[1] == Terms(0, 7.5)
    assert strong.terms_against(4, 7.5)[0] == "black"
    low, high = strong.ranks
    assert low < strong.rank <= high
