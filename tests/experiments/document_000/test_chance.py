"""Random numbers that add up: π, bandits, and how deep a tree gets."""

from __future__ import annotations

import math
from statistics import fmean

import pytest

from montego.experiments.document_000 import chance
from montego.experiments.document_000.tsumego import depth
from montego.experiments.experiment import Trial


def test_pi_is_estimated_and_its_points_are_drawn() -> None:
    estimates = chance.estimate_pi(Trial("x", 0, {"points": 20_000}, seed=1))
    assert fmean(estimates) == pytest.approx(math.pi, abs=0.02)
    points = chance.estimate_pi(Trial(chance.PICTURE, 0, {"points": 50}, seed=1))
    assert len(points) == 50
    assert all(-1 <= value <= 1 for point in points for value in point)


def test_regret_is_what_was_not_gained() -> None:
    settings = {"k": None, "rounds": 200, "arms": [0.0, 1.0]}
    at_random = chance.play_bandits(Trial("x", 0, settings, seed=1))
    assert at_random["200"] == pytest.approx(100, abs=5)
    greedy = chance.play_bandits(Trial("x", 0, settings | {"k": 0.0}, seed=1))
    assert greedy["200"] == 1.0, "one play of the bad arm"
    assert list(greedy) == ["10", "20", "50", "100", "200"]


def test_the_term_of_exploration_grows_once() -> None:
    """ln 2 / 2 is less than ln 3 / 3; the document says that it falls for all n above 1."""
    value = chance.play_bandits(Trial(chance.SHRINKING, 0, {"largest": 100}))
    assert value["not"] == [[2, 2]]


def test_a_position_is_gone_on_from_when_all_beside_it_were_tried() -> None:
    trial = next(t for t in depth.DEPTH.plan("quick") if t.cell == "plain, easy problem")
    found = depth.count_iterations(trial)
    assert found["1"] == 7, "six moves, and one of them again"
    assert found["1"] + 5 < found["2"] < found["3"]
