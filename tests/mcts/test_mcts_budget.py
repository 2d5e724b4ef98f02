"""The budget of a search: what is handed out to threads, and where they stop to look."""

from __future__ import annotations

import time

import pytest

from montego.mcts import Config
from montego.mcts.threads import CHECKPOINTS, Budget


def taken(budget: Budget, size: int) -> list[int]:
    """Take until nothing is left, and report each slice as done."""
    slices = []
    while count := budget.take(size):
        budget.report(count, count)
        slices.append(count)
    return slices


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("simulations", [1, 7, 100, 1001])
def test_all_simulations_are_handed_out_and_no_more(threads: int, simulations: int) -> None:
    for stop in (False, True):
        config = Config(simulations=simulations, threads=threads, early_stop=stop)
        budget = Budget(config, time.perf_counter())
        assert sum(taken(budget, 64)) == budget.done == simulations
        assert budget.take(64) == 0


def test_one_thread_takes_what_it_asks_for() -> None:
    budget = Budget(Config(simulations=100, early_stop=False), time.perf_counter())
    assert taken(budget, 64) == [64, 36]


def test_several_threads_share_the_last_simulations() -> None:
    budget = Budget(Config(simulations=100, threads=4, early_stop=False), time.perf_counter())
    assert taken(budget, 64) == [25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1]


@pytest.mark.parametrize("threads", [1, 4])
def test_every_checkpoint_is_met(threads: int) -> None:
    budget = Budget(Config(simulations=1000, threads=threads), time.perf_counter())
    met = []
    while count := budget.take(80):
        budget.report(count, count)
        if budget.is_checkpoint():
            met.append(budget.done)
    assert met == list(range(500, 1001, 500 // CHECKPOINTS))


def test_what_was_not_run_is_given_back() -> None:
    budget = Budget(Config(simulations=10, early_stop=False), time.perf_counter())
    assert budget.take(10) == 10
    budget.report(10, 4)
    assert taken(budget, 10) == [6]
