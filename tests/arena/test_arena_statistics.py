"""Statistics against published values, independent calculation and simulation."""

from __future__ import annotations

import math
import random
import subprocess
import sys

import numpy as np
import pytest

from montego.arena.rating import RatedGame, rate
from montego.arena.statistics import (
    Sprt,
    Tally,
    elo_interval,
    elo_of_score,
    likelihood_of_superiority,
    parse_sprt,
    score_of_elo,
    state_of_test,
    wilson_interval,
)
from montego.go.vocabulary.errors import GoError


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # R. G. Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(
    successes: int, trials: int, low: float, high: float
) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(("successes", "trials"), [(1, 3), (7, 10), (120, 200), (0.5, 7)])
def test_wilson_solves_the_equation_it_stands_for(successes: float, trials: int) -> None:
    for end in wilson_interval(successes, trials, 0.9):
        deviation = 1.6448536269514722 * math.sqrt(end * (1 - end) / trials)
        assert abs(successes / trials - end) == pytest.approx(deviation)


def test_wilson_at_the_ends() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(0, 5)[0] == 0.0
    assert wilson_interval(5, 5)[1] == 1.0


@pytest.mark.parametrize(
    ("score", "elo"),
    [(0.5, 0.0), (0.75, 190.85), (0.25, -190.85), (0.909091, 400.0), (0.64, 99.95)],
)
def test_elo_of_a_score(score: float, elo: float) -> None:
    assert elo_of_score(score) == pytest.approx(elo, abs=0.01)
    assert score_of_elo(elo) == pytest.approx(score, abs=1e-5)


def test_elo_is_infinite_only_where_it_must_be() -> None:
    elo, low, high = elo_interval(Tally(wins=10))
    assert (elo, high) == (math.inf, math.inf)
    assert low == pytest.approx(elo_of_score(wilson_interval(10, 10)[0]))
    assert elo_interval(Tally())[0] == 0.0
    assert math.copysign(1, elo_of_score(0.5)) == 1


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (3, 1), (1, 3), (60, 40), (0, 9), (500, 450)])
def test_superiority_is_the_integral_of_the_beta_density(wins: int, losses: int) -> None:
    grid = np.linspace(0, 1, 200_001)
    with np.errstate(divide="ignore"):
        logs = wins * np.log(grid[1:-1]) + losses * np.log(1 - grid[1:-1])
    density = np.exp(logs - logs.max())
    expected = density[grid[1:-1] > 0.5].sum() / density.sum()
    tally = Tally(wins, losses, draws=17)
    assert likelihood_of_superiority(tally) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("elo0", "elo1", "counts", "ratio"),
    [  # The published checks of the fastchess test runner, logistic model.
        (0.5, 2.5, [21184, 40708, 21404], -1.57),
        (0.0, 2.0, [57030, 106593, 57433], -2.59),
        (0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (0.0, 2.0, [871, 26175, 55003 + 980, 26678, 821], -4.98),
    ],
)
def test_the_ratio_has_the_published_values(
    elo0: float, elo1: float, counts: list[int], ratio: float
) -> None:
    test = Sprt(elo0=elo0, elo1=elo1)
    assert test.log_likelihood_ratio(counts) == pytest.approx(ratio, rel=0.01)


def test_the_ratio_without_draws_is_that_of_two_coins() -> None:
    test = Sprt(elo0=0, elo1=100)
    p0, p1 = score_of_elo(0), score_of_elo(100)
    expected = 60 * math.log(p1 / p0) + 40 * math.log((1 - p1) / (1 - p0))
    assert test.log_likelihood_ratio([40, 0, 60]) == pytest.approx(expected, abs=0.01)


def test_the_ratio_agrees_with_its_normal_approximation() -> None:
    counts = [300, 420, 350]
    scores = np.repeat([0, 0.5, 1], counts)
    s0, s1 = score_of_elo(0), score_of_elo(10)
    expected = len(scores) * (s1 - s0) * (2 * scores.mean() - s0 - s1) / (2 * scores.var())
    assert Sprt(elo0=0, elo1=10).log_likelihood_ratio(counts) == pytest.approx(expected, rel=0.01)


def test_bounds_and_decisions() -> None:
    test = Sprt(elo0=0, elo1=20)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert (test.decide(2.95), test.decide(-2.95), test.decide(0.0)) == ("H1", "H0", None)
    assert state_of_test(test, [0, 0, 0]).ratio == 0.0


@pytest.mark.parametrize(("true_elo", "right"), [(0.0, "H0"), (120.0, "H1")])
def test_the_test_is_seldom_wrong(true_elo: float, right: str) -> None:
    chance = random.Random(1)
    test = Sprt(elo0=0, elo1=120, alpha=0.1, beta=0.1)
    wrong = 0
    for _ in range(60):
        counts = [0, 0, 0]
        decision = None
        while decision is None:
            for _ in range(4):
                counts[2 * (chance.random() < score_of_elo(true_elo))] += 1
            decision = test.decide(test.log_likelihood_ratio(counts))
        wrong += decision != right
    assert wrong <= 12


def test_tests_as_text() -> None:
    assert parse_sprt("elo0=0,elo1=20") == Sprt(elo0=0, elo1=20)
    assert parse_sprt("elo0=-5, elo1=5, alpha=0.1, beta=0.2").beta == 0.2
    for text in ("", "elo0=0", "elo0=5,elo1=0", "elo0=x,elo1=3", "elo0=0,elo1=9,alpha=2", "elo2=3"):
        with pytest.raises(GoError):
            parse_sprt(text)


def simulate(
    strengths: dict[str, float], advantage: float, games: int, seed: int
) -> list[RatedGame]:
    chance = random.Random(seed)
    return [
        RatedGame(black, white, float(chance.random() < score_of_elo(own - other + advantage)))
        for black, own in strengths.items()
        for white, other in strengths.items()
        if black != white
        for _ in range(games)
    ]


def test_two_engines_are_rated_as_their_score_says() -> None:
    outcomes = [RatedGame("a", "b", 1.0)] * 375 + [RatedGame("a", "b", 0.0)] * 125
    outcomes += [RatedGame("b", "a", 1.0)] * 125 + [RatedGame("b", "a", 0.0)] * 375
    first, second = rate(outcomes).ratings
    assert (first.name, first.games, first.points) == ("a", 1000, 750)
    assert first.elo - second.elo == pytest.approx(190.85, abs=1.0)
    # The deviation of a score of 0.75 in 1000 games, through the slope of Elo there.
    slope = 400 / math.log(10) / (0.75 * 0.25)
    expected = 1.96 * math.sqrt(0.75 * 0.25 / 1000) * slope
    assert first.high - first.elo == pytest.approx(expected / 2, rel=0.02)


def test_ratings_recover_strengths_and_the_advantage_of_black() -> None:
    strengths = {"a": 250.0, "b": 100.0, "c": 0.0, "d": -50.0, "e": -300.0}
    found = rate(simulate(strengths, 60.0, 150, seed=5))
    assert [rating.name for rating in found.ratings] == list(strengths)
    for rating in found.ratings:
        assert rating.low < strengths[rating.name] < rating.high
        assert rating.high - rating.low < 80
    assert found.black_advantage_low < 60 < found.black_advantage_high
    assert found.superiority("a", "e") > 0.999
    assert 0.5 < found.superiority("c", "d") < 1


def test_intervals_cover_as_often_as_they_say() -> None:
    strengths = {"a": 150.0, "b": 0.0, "c": -150.0}
    inside = total = 0
    for seed in range(100):
        for rating in rate(simulate(strengths, 30.0, 30, seed)).ratings:
            inside += rating.low <= strengths[rating.name] <= rating.high
            total += 1
    assert 0.91 <= inside / total <= 0.985


def test_an_anchor_sets_the_scale() -> None:
    strengths = {"a": 200.0, "b": 0.0, "c": -100.0}
    outcomes = simulate(strengths, 0.0, 200, seed=2)
    free = {rating.name: rating.elo for rating in rate(outcomes).ratings}
    anchored = {rating.name: rating for rating in rate(outcomes, anchors={"b": 1500}).ratings}
    assert anchored["b"].low == anchored["b"].elo == anchored["b"].high == 1500
    assert anchored["a"].elo - 1500 == pytest.approx(free["a"] - free["b"], abs=3)
    with pytest.raises(GoError, match="'z' did not play"):
        rate(outcomes, anchors={"z": 0})


def test_who_lost_everything_or_never_played_has_a_rating_too() -> None:
    outcomes = [RatedGame("a", "b", 1.0), RatedGame("b", "a", 0.0)] * 5
    found = {rating.name: rating for rating in rate(outcomes, names=["a", "b", "c"]).ratings}
    assert found["a"].elo > 200
    assert found["c"].games == 0
    assert found["c"].high - found["c"].low > 2000
    assert rate([]).ratings == ()


def test_ratings_and_intervals_want_nothing_but_numpy() -> None:
    code = (
        "import sys\n"
        "sys.modules['msgspec'] = None\n"
        "from montego.arena.rating import RatedGame, rate\n"
        "from montego.arena import wilson_interval\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
