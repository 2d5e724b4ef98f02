"""The timings of boards and of sets of moves: exponents, factors, and what is made of them."""

from __future__ import annotations

import math
import random

import pytest

from montego.experiments.boards.ladder import LADDER
from montego.experiments.boards.timing import (
    BOARD_LADDER,
    BOARDS,
    COMPILED,
    MOVE_SETS,
    PREDICTED,
    time_iteration,
)
from montego.experiments.experiment import Trial, TrialResult
from montego.experiments.verdict import ClaimVerdict


def timings(exponents: dict[str, float], factor: float) -> list[TrialResult]:
    """Return results as if every board were a *factor* faster than the one before it."""
    noise = random.Random(1)
    results = []
    for trial in BOARD_LADDER.plan("full"):
        board = trial.settings["board"]
        lines = trial.settings["size"] / 19  # The factors are those of 19x19.
        seconds = lines ** exponents[board] / factor ** list(exponents).index(board)
        results.append(TrialResult(trial, {"seconds": seconds * noise.uniform(0.98, 1.02)}, 0.0))
    return results


def test_ladder_finds_exponents_and_factors() -> None:
    exponents = dict(zip(BOARDS, (5.0, 5.5, 4.0, 2.0, 2.1, 1.9, 2.0), strict=True))
    summary = BOARD_LADDER.summarize(timings(exponents, 7.0))
    rows = {row.cell: row for row in summary.rows}
    for board, exponent in exponents.items():
        row = rows[f"exponent of {board}"]
        assert row.low < exponent < row.high
        assert row.high - row.low < 0.1
        assert row.document == PREDICTED[board]
    assert rows["naive to Montego, 19x19"].ours == pytest.approx(7.0**6, rel=0.05)
    assert rows["naive to numerical, 19x19"].ours == pytest.approx(7.0**5, rel=0.05)
    assert summary.verdict is ClaimVerdict.HOLDS
    assert "7,500" in summary.sentence


def test_ladder_sees_a_board_that_grows_too_fast_and_a_step_that_is_none() -> None:
    exponents = dict.fromkeys(BOARDS, 2.0) | {"numerical": 3.0}
    summary = BOARD_LADDER.summarize(timings(exponents, 0.9))
    assert summary.verdict is ClaimVerdict.DOES_NOT_HOLD
    assert "numerical (3 " in summary.sentence
    assert "not above 7,500" in summary.sentence


def test_ladder_times_a_board() -> None:
    settings = {"board": "numerical", "size": 3}
    value = time_iteration(Trial("numerical, 3x3", 0, settings, seed=1))
    assert 1e-6 < value["seconds"] < 1.0


@pytest.mark.parametrize(("is_linear", "verdict"), [(False, "holds"), (True, "differs")])
def test_move_sets_tell_constant_from_logarithmic(is_linear: bool, verdict: str) -> None:
    noise = random.Random(2)
    results = []
    for trial in MOVE_SETS.plan("full"):
        elements = trial.settings["elements"]
        seconds = 1.0
        if trial.settings["set"] == "balanced tree":
            seconds = float(elements) if is_linear else 2 * math.log(elements)
        results.append(TrialResult(trial, {"seconds": seconds * noise.uniform(0.95, 1.05)}, 0.0))
    assert MOVE_SETS.summarize(results).verdict == verdict


def test_boards_of_the_experiment_are_those_of_the_ladder() -> None:
    assert set(BOARDS) == {*LADDER, COMPILED}
