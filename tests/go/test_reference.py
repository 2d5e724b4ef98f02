"""The oracle itself, on what is known without any program."""

from __future__ import annotations

from itertools import product

import pytest
from conftest import to_rows, to_stones

from reference import (
    BLACK,
    WHITE,
    Reference,
    area_score,
    is_position,
    never_captured,
    points,
    territory_score,
)


# Tromp and Farnebäck, "Combinatorics of Go": legal positions on n x n.
@pytest.mark.parametrize(("size", "count"), [(1, 1), (2, 57), (3, 12675)])
def test_legal_positions_are_as_many_as_published(size: int, count: int) -> None:
    every = list(points(size))
    boards = (
        {point: color for point, color in zip(every, colors, strict=True) if color}
        for colors in product((0, BLACK, WHITE), repeat=size * size)
    )
    assert sum(is_position(stones, size) for stones in boards) == count


def test_a_ko_may_not_be_retaken_at_once_but_after_a_pass() -> None:
    rows = to_rows("""
        . X O .
        X O . O
        . X O .
        . . . .
    """)
    game = Reference(4, "simple", stones=to_stones(rows))

    assert game.play(BLACK, (2, 2)) == 1
    assert game.barred == (WHITE, (1, 2))
    assert game.fault(WHITE, (1, 2)) == "ko"
    assert game.fault(BLACK, (1, 2)) is None
    game.play(WHITE, None)
    assert game.barred is None
    assert game.fault(WHITE, (1, 2)) is None


@pytest.mark.parametrize("ko", ["positional", "situational"])
def test_superko_remembers_the_starting_position(ko: str) -> None:
    rows = to_rows("""
        . X O .
        X O . O
        . X O .
        . . . .
    """)
    game = Reference(4, ko, stones=to_stones(rows))

    game.play(BLACK, (2, 2))
    assert game.fault(WHITE, (1, 2)) == "ko"
    game.barred = None
    assert game.fault(WHITE, (1, 2)) == "superko"


def test_faults_are_told_apart() -> None:
    rows = to_rows("""
        . X . .
        X . . .
        . . . .
        . . . .
    """)
    game = Reference(4, stones=to_stones(rows))

    assert game.fault(WHITE, (4, 0)) == "off the board"
    assert game.fault(WHITE, (1, 3)) == "occupied"
    assert game.fault(WHITE, (0, 3)) == "suicide"
    assert game.fault(BLACK, (0, 3)) is None


def test_scores_of_a_divided_board() -> None:
    stones = to_stones(
        to_rows("""
        . X O . .
        . X O . .
        . X O . X
        . X O . .
        . X O . .
    """)
    )
    captures = {BLACK: 3, WHITE: 1}

    assert area_score(stones, 5) == 10 + 1 - 5
    assert area_score(stones, 5, dead=[(4, 2)]) == 10 - 15
    assert territory_score(stones, 5, captures) == 5 + 3 - 1
    assert territory_score(stones, 5, captures, dead=[(4, 2)]) == 5 + 3 - (10 + 1 + 1)


def test_two_eyes_are_never_captured_and_one_is() -> None:
    two = to_stones(to_rows(". X . X\nX X X X\n. . . .\n. . . ."))
    one = to_stones(to_rows(". X O .\nX X O .\nO O O .\n. . . ."))

    assert never_captured(two, 4, BLACK) == set(two)
    assert never_captured(one, 4, BLACK) == set()
