"""Liberties, ataris and self-ataris, against the oracle and in pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import to_vertex

from go_positions import names, random_games, swapped, to_index, to_name, to_state
from montego.go.kernels.layout import PASS, SIZE
from montego.go.kernels.tactics import (
    MANY,
    is_self_atari,
    liberties_after,
    liberties_of,
    note,
    only_liberty,
)
from montego.jit import interpreted
from montego.jit.index import Index
from reference import BLACK, WHITE, Reference, around, liberties, place

if TYPE_CHECKING:
    from montego.jit.state import State

BOTH_COLORS = pytest.mark.parametrize("color", [BLACK, WHITE])


def assert_chains_agree(state: State, oracle: Reference) -> None:
    """Check the liberties of every stone on the board."""
    size = oracle.size
    for stone in oracle.stones:
        expected = {to_vertex(point) for point in liberties(oracle.stones, stone, size)}
        at = to_index(to_vertex(stone), size)

        count, first, second = liberties_of(state, at)
        assert count == min(len(expected), MANY)
        if count < MANY:
            assert {to_name(first, size), to_name(second, size)} - {"pass"} == expected
        only = to_name(only_liberty(state, at), size)
        assert only == (next(iter(expected)) if len(expected) == 1 else "pass")


def assert_moves_agree(state: State, oracle: Reference) -> None:
    """Check what every move of either color would leave its chain."""
    size = oracle.size
    empty = [(x, y) for x in range(size) for y in range(size) if (x, y) not in oracle.stones]
    for point in empty:
        for color in (BLACK, WHITE):
            after = dict(oracle.stones)
            captured, lost = place(after, size, color, point)
            at = to_index(to_vertex(point), size)
            real = set() if lost else liberties(after, point, size)
            # Of captured stones only those beside the new one are looked at.
            seen = {near for near in real if near not in captured or near in around(point, size)}
            for most in (2, 3):
                count, first = liberties_after(state, at, color, most)
                assert count == min(len(seen), most), (to_vertex(point), color)
                assert (to_name(first, size) in {to_vertex(near) for near in seen}) or not seen
            assert is_self_atari(state, at, color) == (len(seen) < 2)
            if not captured:
                assert is_self_atari(state, at, color) == (len(real) < 2)


@pytest.mark.small_boards
@pytest.mark.parametrize(("size", "moves"), [(2, 8), (3, 20), (5, 40)])
def test_chains_and_moves_agree_with_the_oracle_on_small_boards(size: int, moves: int) -> None:
    for state, oracle in random_games(size, 1, moves, seed=size):
        assert_chains_agree(state, oracle)
        assert_moves_agree(state, oracle)


@pytest.mark.parametrize(("size", "games", "moves"), [(4, 10, 40), (7, 6, 90), (9, 3, 150)])
def test_chains_and_moves_agree_with_the_oracle(size: int, games: int, moves: int) -> None:
    for state, oracle in random_games(size, games, moves, seed=size):
        assert_chains_agree(state, oracle)
        assert_moves_agree(state, oracle)


def test_random_games_have_every_kind_of_chain_and_capture() -> None:
    # Else the comparison above would be worth little.
    found = set()
    for _, oracle in random_games(5, 4, 60, seed=1):
        for stone in oracle.stones:
            found.add(min(len(liberties(oracle.stones, stone, 5)), 3))
        if sum(oracle.captures.values()):
            found.add(9)
    assert found == {1, 2, 3, 9}


@pytest.mark.small_boards
def test_the_interpreted_twins_say_the_same() -> None:
    for state, oracle in random_games(4, 2, 20, seed=3):
        for stone in oracle.stones:
            at = to_index(to_vertex(stone), 4)
            assert interpreted(liberties_of)(state, at) == liberties_of(state, at)
            assert interpreted(only_liberty)(state, at) == only_liberty(state, at)
        for row in range(4):
            if (0, row) not in oracle.stones:
                at = to_index(to_vertex((0, row)), 4)
                twin = interpreted(liberties_after)(state, at, BLACK, 3)
                assert twin == liberties_after(state, at, BLACK, 3)


@pytest.mark.small_boards
def test_a_set_of_points_remembers_two_and_counts_three() -> None:
    held = (0, PASS, PASS)
    for point, count in [(40, 1), (40, 1), (41, 2), (40, 2), (41, 2), (42, MANY)]:
        held = note(*held, Index(point))
        assert held[0] == count
    assert (int(held[1]), int(held[2])) == (40, 41)


# Pictures: stones, the move, liberties after it (3 for more), whether it is self-atari.

MOVES = [
    ("alone in the middle", ". . . .\n. . . .\n. . . .\n. . . .", "B2", 3, False),
    ("alone in the corner", ". . . .\n. . . .\n. . . .\n. . . .", "A1", 2, False),
    ("corner beside an enemy", ". . . .\n. . . .\nO . . .\n. . . .", "A1", 1, True),
    ("between two enemies at the edge", ". . . .\nO . . .\n. O . .\nO . . .", "A2", 0, True),
    ("joining a chain with liberties", ". . . .\nO . . .\n. X . .\nO . . .", "A2", 3, False),
    ("shared liberties count once", ". . . .\n. . . .\nX O . .\n. X . .", "A1", 2, False),
    ("captures make room", ". . . .\nX . . .\nO X . .\n. O X .", "A1", 2, False),
    ("one capture is one liberty", ". . . .\n. . . .\nX O . .\nO . O .", "B1", 1, True),
    ("out of atari into atari", ". . . .\nO . . .\nX O . .\n. O . .", "A1", 0, True),
    ("extending to two liberties", ". . . .\n. . . .\nO X O .\n. O . .", "B3", 3, False),
    ("connecting two in atari", ". O . .\nO X O .\n. . . .\nO X O .", "B2", 2, False),
]


@pytest.mark.small_boards
@BOTH_COLORS
@pytest.mark.parametrize(
    ("picture", "vertex", "after", "self_atari"),
    [pytest.param(*case, id=name) for name, *case in MOVES],
)
def test_liberties_after_a_move(
    picture: str, vertex: str, after: int, *, self_atari: bool, color: int
) -> None:
    state = to_state(swapped(picture, color))
    point = to_index(vertex, int(state[SIZE]))
    before = state.copy()

    assert liberties_after(state, point, color, 3)[0] == after
    assert liberties_after(state, point, color, 2)[0] == min(after, 2)
    assert is_self_atari(state, point, color) == self_atari
    assert (state == before).all()


def test_captured_stones_away_from_the_move_are_not_counted() -> None:
    # White takes two: C1, beside the chain but not beside A1, is a liberty that is not seen.
    state = to_state(
        """
        . . . . .
        . . . . .
        X X X X .
        O O O X .
        . X X O .
        """,
        to_play=WHITE,
    )
    point = to_index("A1", 5)
    assert only_liberty(state, to_index("B1", 5)) == point
    assert liberties_after(state, point, WHITE, 3)[0] == 1
    assert is_self_atari(state, point, WHITE)


@pytest.mark.small_boards
@BOTH_COLORS
def test_two_liberties_are_named_and_more_are_not_told_apart(color: int) -> None:
    state = to_state(
        swapped(
            """
            . . . . .
            . . . . .
            . . O O .
            O O X X O
            X . O . .
            """,
            color,
        )
    )
    count, first, second = liberties_of(state, to_index("C2", 5))
    assert (count, names(state, [first, second])) == (1, ["D1", "pass"])
    count, first, second = liberties_of(state, to_index("A2", 5))
    assert count == MANY
    assert only_liberty(state, to_index("C1", 5)) == PASS
    assert only_liberty(state, to_index("A1", 5)) == to_index("B1", 5)
