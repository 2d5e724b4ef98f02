"""Small fights drawn at random, walled in on two sides of a corner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from brute_force import BruteForce
from montego.go.vocabulary.color import BLACK, WHITE
from montego.solve.fight import Fight

if TYPE_CHECKING:
    from random import Random


def random_fight(random: Random, empty: int) -> Fight:
    """Draw a legal fight with so many empty points: White is to be captured."""
    while True:
        width, height = random.randint(2, 5), random.randint(2, 4)
        points = [(column, row) for column in range(width) for row in range(height)]
        if len(points) < empty + 2:
            continue
        rest = random.sample(points, len(points) - empty)
        stones = {point: WHITE if random.random() < 0.72 else BLACK for point in rest}
        walls = {(column, height): BLACK for column in range(width)}
        walls |= {(width, row): BLACK for row in range(height)}
        if random.random() < 0.1:
            walls[random.choice(list(walls))] = WHITE
        white = [point for point, color in stones.items() if color == WHITE]
        fight = Fight(
            size=9,
            defender=WHITE,
            target=frozenset(white),
            points=frozenset(points),
            stones=stones,
            walls=walls,
        )
        oracle = BruteForce(fight)
        if not white or any(not oracle.chain(stones, stone)[1] for stone in stones):
            continue
        if random.random() < 0.5:
            chain, _ = oracle.chain(stones, random.choice(white))
            fight = replace(fight, target=frozenset(chain))
        return fight
