"""Samples of many playouts: how many there are, who plays them, and what the figures say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from montego.go.board import Board
from montego.go.kernels.layout import CAPTURED, empty_state
from montego.go.playout.policy import POLICIES, find_policy
from montego.go.sampling.run import Sample, sample_playouts
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.jit.index import Index

EVERY_POLICY = pytest.mark.parametrize("policy", POLICIES)


def same(first: Sample, second: Sample) -> bool:
    return first.moves == second.moves and bool((first.frequency == second.frequency).all())


@EVERY_POLICY
@pytest.mark.parametrize(("count", "threads"), [(1, 1), (1, 4), (100, 1), (101, 2), (7, 3)])
def test_the_count_is_exact_over_threads(policy: str, count: int, threads: int) -> None:
    sample = sample_playouts(empty_state(5), policy, count=count, threads=threads)

    assert sample.frequency.sum() == count
    assert sample.threads == threads
    assert sample.moves >= count
    assert sample.cpu_seconds > 0


@pytest.mark.small_boards
@EVERY_POLICY
def test_a_seed_fixes_the_sample(policy: str) -> None:
    base = empty_state(3)
    first, second, third = (
        sample_playouts(base, policy, count=12, seed=seed) for seed in (5, 5, 6)
    )
    assert same(first, second)
    assert not same(first, third)
    assert (base == empty_state(3)).all()


@EVERY_POLICY
def test_a_seed_fixes_the_sample_of_several_threads_too(policy: str) -> None:
    first, second = (
        sample_playouts(empty_state(5), policy, count=300, threads=2, seed=1) for _ in range(2)
    )
    assert same(first, second)


def test_threads_play_different_games() -> None:
    single = sample_playouts(empty_state(9), "uniform", count=500, seed=1)
    double = sample_playouts(empty_state(9), "uniform", count=1000, threads=2, seed=1)

    assert not (double.frequency == 2 * single.frequency).all()


@EVERY_POLICY
@pytest.mark.parametrize("threads", [1, 2])
def test_a_sample_by_time_comes_to_an_end(policy: str, threads: int) -> None:
    sample = sample_playouts(empty_state(5), policy, seconds=0.05, threads=threads)

    assert sample.frequency.sum() > 0


@EVERY_POLICY
def test_black_has_the_first_move_and_it_helps(policy: str) -> None:
    figures = sample_playouts(empty_state(9), policy, count=4000, seed=3).summary(0.0)

    assert 0 < figures["mean_score"] < 20
    assert 0.5 < figures["black_win_rate"] < 0.7
    assert 60 < figures["moves_per_playout"] < 243


@EVERY_POLICY
def test_a_won_board_is_won(policy: str) -> None:
    board = Board.from_diagram("""
        . X . X .
        X X X X X
        X X X X X
        . O . . .
        . . . . .
    """)
    figures = sample_playouts(board.state, policy, count=200).summary(0.0)

    assert figures["black_win_rate"] > 0.9


@EVERY_POLICY
def test_every_size_plays(policy: str) -> None:
    for size in range(2, 26):
        sample = sample_playouts(empty_state(size), policy, count=2, seed=size)
        assert sample.frequency.shape == (2 * size * size + 1,)


@pytest.mark.parametrize(("taker", "end"), [(BLACK, -1), (WHITE, 0)])
def test_more_prisoners_than_points_count_at_the_end_of_the_scale(taker: int, end: int) -> None:
    base = empty_state(3)
    base[CAPTURED + Index(BLACK + WHITE - taker)] = 100
    sample = sample_playouts(base, "uniform-prisoners", count=50)
    assert len(sample.frequency) == 2 * 9 + 1
    assert sample.frequency[end] == sample.frequency.sum() == 50


def test_progress_is_told_and_ends_at_one() -> None:
    told: list[float] = []
    sample_playouts(empty_state(5), "uniform", seconds=0.1, progress=told.append)

    assert told == sorted(told)
    assert all(0 <= part <= 1 for part in told)
    assert told[-1] == 1.0


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_the_sample_and_keeps_what_there_is(threads: int) -> None:
    calls: list[float] = []

    def interrupt(part: float) -> None:
        calls.append(part)
        if len(calls) == 1:
            raise KeyboardInterrupt

    sample = sample_playouts(
        empty_state(9), "uniform", seconds=300, threads=threads, progress=interrupt
    )
    assert sample.frequency.sum() > 0


def test_the_figures_of_a_sample() -> None:
    frequency = np.zeros(9, np.int64)
    frequency[[8, 6, 4, 3]] = 1, 2, 4, 1  # Scores 4, 2, 0 and -1.
    sample = Sample(frequency, moves=80, cpu_seconds=0.5, threads=2)
    figures = sample.summary(komi=0.0)

    assert sample.scores.tolist() == list(range(-4, 5))
    assert figures == pytest.approx(
        {
            "playouts": 8,
            "cpu_seconds": 0.5,
            "playouts_per_second": 32.0,
            "moves_per_playout": 10.0,
            "black_win_rate": (3 + 0.5 * 4) / 8,
            "mean_score": 7 / 8,
            "score_deviation": math.sqrt((16 + 8 + 1) / 8 - (7 / 8) ** 2),
        }
    )
    assert sample.summary(2.0)["black_win_rate"] == pytest.approx((1 + 0.5 * 2) / 8)
    assert sample.summary(2.5)["black_win_rate"] == pytest.approx(1 / 8)
    assert sample.summary(-1.5)["black_win_rate"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"count": 0}, "invalid number of playouts 0: say at least 1"),
        ({"count": -3}, "invalid number of playouts -3: say at least 1"),
        ({"seconds": 0}, "invalid time 0: say a number of seconds above 0"),
        ({"seconds": -1.5}, "invalid time -1.5: say a number of seconds above 0"),
        ({"seconds": math.nan}, "invalid time nan: say a number of seconds above 0"),
        ({"seconds": math.inf}, "invalid time inf: say a number of seconds above 0"),
        ({"threads": 0}, "invalid number of threads 0: say 1 to 1024"),
        ({"threads": 1025}, "invalid number of threads 1025: say 1 to 1024"),
        ({"seed": -1}, "invalid seed -1: say a whole number from 0"),
        ({"policy": "best"}, "unknown playout policy 'best': say one of uniform, "),
    ],
)
def test_bad_values_are_explained(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GoError) as caught:
        sample_playouts(empty_state(5), **{"policy": "uniform", **arguments})

    assert str(caught.value).startswith(message)


def test_policies_are_found_by_name() -> None:
    assert find_policy("uniform") is POLICIES["uniform"]
    assert all(policy.meaning and policy.room(9) >= 0 for policy in POLICIES.values())
