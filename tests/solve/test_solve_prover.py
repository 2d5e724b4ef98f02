"""The proof-number search against a solver that looks at every position."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from brute_force import BruteForce
from montego.go.vocabulary.color import BLACK, WHITE
from montego.solve.fight import Fight, Side
from montego.solve.prover import (
    ATTACKER_HAS_THREATS,
    DEFENDER_HAS_THREATS,
    NO_THREATS,
    Ko,
    ProofTable,
    Prover,
)
from random_fights import random_fight

KOS = [NO_THREATS, ATTACKER_HAS_THREATS, DEFENDER_HAS_THREATS, Ko(1, 0), Ko(0, 2)]
SIDES: dict[Side, int] = {"attacker": BLACK, "defender": WHITE}


@pytest.mark.small_boards
@pytest.mark.parametrize("seed", range(20))
def test_the_search_agrees_with_brute_force_about_every_ko(seed: int) -> None:
    random = Random(seed)
    fight = random_fight(random, random.randint(2, 4))
    oracle, prover = BruteForce(fight), Prover(fight, "capture", ProofTable(1.0))
    for side, color in SIDES.items():
        for ko in KOS:
            expected = oracle.captured(color, (ko.attacker, ko.defender))
            assert prover.run(prover.place(side, ko), 100_000) == expected, (fight, side, ko)


@pytest.mark.parametrize("seed", range(12))
def test_the_search_agrees_with_brute_force_about_two_eyes(seed: int) -> None:
    random = Random(1000 + seed)
    fight = random_fight(random, random.randint(2, 4))
    if WHITE in fight.walls.values():
        fight = replace(fight, walls=dict.fromkeys(fight.walls, BLACK))
    oracle, prover = BruteForce(fight), Prover(fight, "eyes", ProofTable(1.0))
    for side, color in SIDES.items():
        for ko in (NO_THREATS, ATTACKER_HAS_THREATS):
            expected = oracle.eyes(color, (ko.attacker, ko.defender))
            assert prover.run(prover.place(side, ko), 100_000) == expected, (fight, side, ko)


def test_brute_force_knows_a_ko_when_it_sees_one() -> None:
    # White's two stones in the corner have one liberty to fight for, over a ko at A1.
    fight = Fight(
        size=5,
        defender=WHITE,
        target=frozenset({(0, 1), (1, 0)}),
        points=frozenset({(0, 0), (0, 1), (1, 0), (1, 1)}),
        stones={(0, 1): WHITE, (1, 0): WHITE, (1, 1): WHITE},
        walls={(0, 2): BLACK, (1, 2): BLACK, (2, 0): BLACK, (2, 1): BLACK},
    )
    oracle = BruteForce(fight)
    assert oracle.captured(BLACK, (0, 0)) is True


def test_a_search_goes_on_where_it_was_left() -> None:
    fight = random_fight(Random(3), 7)
    whole = Prover(fight, "capture", ProofTable(1.0))
    answer = whole.run(whole.place("attacker"), 1_000_000)
    parts = Prover(fight, "capture", ProofTable(1.0))
    place = parts.place("attacker")
    found = None
    for _ in range(100_000):
        found = parts.run(place, 3)
        if found is not None:
            break
    assert found == answer
    assert parts.nodes == whole.nodes


def test_a_full_table_costs_time_and_not_the_truth() -> None:
    for seed in range(4):
        fight = random_fight(Random(100 + seed), 6)
        small, large = (Prover(fight, "capture", ProofTable(size)) for size in (0.03, 8.0))
        for side in SIDES:
            answers = [prover.run(prover.place(side), 1_000_000) for prover in (small, large)]
            assert answers[0] == answers[1]
