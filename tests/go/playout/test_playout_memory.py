"""What playouts remember of one another: replies, averages, criticality."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from go_positions import to_index, to_state
from montego.go.kernels.layout import BEFORE_LAST, LAST, all_points, empty_state
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.memory import (
    LEAST_GAMES,
    average_of,
    criticality,
    last_good_reply,
    remember,
)
from montego.go.playout.rates import Rates
from montego.go.playout.sequence import sequence, sequence_room
from montego.jit import interpreted
from montego.jit.state import LENGTH, TRACE
from playout_checks import assert_sound, finish
from reference import BLACK, WHITE

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

ALL = Rates(reply=0.9, reply_to_two=1, average=0.8, average_of=3)
WEIGHTS = [0.0] * 15 + [10.0]  # Criticality alone.
NO_KO = to_index("pass", 5)


def knowing(rates: Rates = ALL) -> Knowledge:
    return new_knowledge(0.5, rates, weights=WEIGHTS)


def played(scratch: Scratch, state: State, moves: str, *, black_wins: bool) -> None:
    """Remember a playout from *state* with these moves."""
    points = [to_index(move, 5) for move in moves.split()]
    scratch[TRACE : TRACE + len(points)] = points
    remember(state, knowing(), scratch, len(points), 3 if black_wins else -3)


def reply(state: State, scratch: Scratch, color: int, last: str, before: str = "pass") -> int:
    points = to_index(last, 5), to_index(before, 5)
    return int(last_good_reply(state, knowing(), scratch, color, *points, NO_KO))


@pytest.mark.small_boards
def test_a_reply_is_kept_when_it_wins_and_forgotten_when_it_loses() -> None:
    state = empty_state(5)
    scratch = new_scratch(5, 0, sequence_room(5))
    played(scratch, state, "C3 D3 C4", black_wins=True)
    assert reply(state, scratch, BLACK, "D3") == to_index("C4", 5)
    assert reply(state, scratch, WHITE, "C3") == 0
    played(scratch, state, "B3 D3 B2", black_wins=False)
    assert reply(state, scratch, BLACK, "D3") == to_index("C4", 5)
    played(scratch, state, "B3 D3 C4", black_wins=False)
    assert reply(state, scratch, BLACK, "D3") == 0
    assert reply(state, scratch, BLACK, "D3", "C3") == to_index("C4", 5)
    played(scratch, state, "C3 D3 C4", black_wins=False)
    assert reply(state, scratch, BLACK, "D3", "C3") == 0


@pytest.mark.small_boards
def test_a_reply_to_the_last_move_of_the_tree_is_kept() -> None:
    state = to_state(". . . . .\n. . . . .\n. . O . .\n. . . . .\n. . . . .", last="C3")
    state[BEFORE_LAST] = 0
    scratch = new_scratch(5, 0, sequence_room(5))
    played(scratch, state, "C4 D3", black_wins=True)
    assert state[LAST] == to_index("C3", 5)
    assert reply(state, scratch, BLACK, "C3") == to_index("C4", 5)


@pytest.mark.small_boards
def test_a_reply_that_makes_no_sense_is_not_played() -> None:
    state = empty_state(5)
    scratch = new_scratch(5, 0, sequence_room(5))
    played(scratch, state, "B3 D3 A1", black_wins=True)
    assert reply(state, scratch, BLACK, "D3") == to_index("A1", 5)
    eye = to_state(". . . . .\n. . . . .\n. . . . .\nX X . . .\n. X . . .")
    assert reply(eye, scratch, BLACK, "D3") == 0
    atari = to_state(". . . . .\n. . . . .\n. . . . .\nO . . . .\n. . . . .")
    assert reply(atari, scratch, BLACK, "D3") == 0
    taken = to_state(". . . . .\n. . . . .\n. . . . .\n. . . . .\nX . . . .")
    assert reply(taken, scratch, BLACK, "D3") == 0


@pytest.mark.small_boards
def test_averages_follow_who_was_first_and_won() -> None:
    state = empty_state(5)
    scratch = new_scratch(5, 0, sequence_room(5))
    half = 1 << 31
    for _ in range(20):
        played(scratch, state, "C3 D3 A1 C3 D3", black_wins=True)
    assert average_of(state, scratch, to_index("C3", 5), BLACK) > half
    assert average_of(state, scratch, to_index("D3", 5), WHITE) < half
    assert average_of(state, scratch, to_index("D3", 5), BLACK) == half
    assert average_of(state, scratch, to_index("B2", 5), BLACK) == half


@pytest.mark.small_boards
def test_what_decides_is_critical() -> None:
    scratch = new_scratch(5, 0, sequence_room(5))
    won = to_state("X . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . X")
    lost = to_state("O . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . X")
    for number in range(LEAST_GAMES):
        assert criticality(won, scratch, to_index("A5", 5)) == 0.0
        played(scratch, lost if number % 2 else won, "", black_wins=number % 2 == 0)
    assert criticality(won, scratch, to_index("A5", 5)) == 1.0
    assert criticality(won, scratch, to_index("E1", 5)) == 0.0
    assert criticality(won, scratch, to_index("C3", 5)) == 0.0


@pytest.mark.parametrize("place", [0, 1, 2])
def test_games_are_sound(place: int) -> None:
    rates = Rates(reply=1, reply_place=place, reply_to_two=1, average=1, average_of=3)
    base = empty_state(7)
    for seed in range(5):
        assert_sound(finish("sequence", base, seed, knowledge=knowing(rates)), base)


@pytest.mark.small_boards
@pytest.mark.parametrize("place", [0, 1, 2])
def test_interpreted_and_compiled_remember_the_same(place: int) -> None:
    knowledge = knowing(Rates(reply=0.9, reply_place=place, average=0.8, reply_to_two=1))
    found: list[tuple[list[int], Any]] = []
    for play in (sequence, interpreted(sequence)):
        scratch = new_scratch(5, 3, sequence_room(5))
        scores = [int(play(empty_state(5), knowledge, scratch)) for _ in range(12)]
        found.append((scores, scratch))
    assert found[0][0] == found[1][0]
    assert np.array_equal(found[0][1], found[1][1])


def test_without_rates_nothing_is_remembered() -> None:
    scratch = new_scratch(5, 3, sequence_room(5))
    sequence(empty_state(5), new_knowledge(), scratch)
    assert int(scratch[LENGTH]) > 0
    points = np.array(list(all_points(5)))
    table = len(scratch) - len(empty_state(5))
    assert not scratch[table : table + 18].any()
    assert not scratch[table + points].any()
