"""Traits of moves: a picture for each."""

from __future__ import annotations

import pytest

from go_positions import swapped, to_index, to_state
from montego.go.kernels.layout import SIZE
from montego.go.prediction import traits
from montego.go.prediction.traits import find_traits, list_of, prepare_traits, traits_room
from montego.jit import interpreted
from montego.jit.state import new_scratch
from reference import BLACK, WHITE, other

TACTICS = range(traits.CAPTURE, traits.FATE)


def traits_of(  # A position and a move.
    picture: str,
    vertex: str,
    *,
    color: int = BLACK,
    last: str = "pass",
    before: str = "pass",
    slow: bool = False,
) -> list[int]:
    """The traits of a move, in order."""
    state = to_state(swapped(picture, color), to_play=color, last=last, before=before)
    size = int(state[SIZE])
    scratch = new_scratch(1, 0, traits_room(size))
    prepare = interpreted(prepare_traits) if slow else prepare_traits
    find = interpreted(find_traits) if slow else find_traits
    unchanged = state.copy()
    suggested = int(prepare(state, scratch, color))
    count = int(find(state, scratch, to_index(vertex, size), color, suggested))
    assert (state == unchanged).all()
    listed = int(list_of(state, scratch))
    return sorted(int(trait) for trait in scratch[listed : listed + count])


LADDER = """
. . . . . . .
. . . . . . .
. O . . . . .
. O X O . . .
. . O . . . .
. . . . . . .
. . . . . . .
"""
CASES = [
    ("nothing", ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", "C3", []),
    ("a capture", ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", "C3", [traits.CAPTURE]),
    (
        "two stones",
        ". . . . .\n. X X . .\nX O O . .\n. X X . .\n. . . . .",
        "D3",
        [traits.CAPTURE + 1],
    ),
    (
        "three stones",
        ". . . . .\n. X X X .\nX O O O .\n. X X X .\n. . . . .",
        "E3",
        [traits.CAPTURE + 2],
    ),
    (
        "a capture that saves",
        ". . . . .\n. X O . .\nX O X . .\n. . O . .\n. . . . .",
        "B2",
        [traits.CAPTURE, traits.CAPTURE_TO_SAVE],
    ),
    (
        "an escape",
        ". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .",
        "D3",
        [traits.ESCAPE],
    ),
    (
        "an escape of two",
        ". . . . .\n. O O . .\nO X X . .\n. O O . .\n. . . . .",
        "D3",
        [traits.ESCAPE + 1],
    ),
    ("a ladder", LADDER, "C5", [traits.ESCAPE_IN_VAIN]),
    (
        "a stone into atari",
        ". . . . .\n. . O . .\n. O . O .\n. . . . .\n. . . . .",
        "C3",
        [traits.SELF_ATARI],
    ),
    (
        "a chain into atari",
        ". . . . .\n. O O . .\n. X . O .\n. O O . .\n. . . . .",
        "C3",
        [traits.SELF_ATARI + 1],
    ),
    ("an atari", ". . . . .\n. X . . .\nX O . . .\n. . . . .\n. . . . .", "C3", [traits.ATARI]),
    (
        "an atari on two",
        ". . . . .\n. X X . .\nX O O . .\n. X . . .\n. . . . .",
        "D3",
        [traits.ATARI + 1],
    ),
]


@pytest.mark.small_boards
@pytest.mark.parametrize("slow", [False, True])
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("picture", "vertex", "expected"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_tactics(picture: str, vertex: str, expected: list[int], color: int, slow: bool) -> None:
    assert traits_of(picture, vertex, color=color, slow=slow) == expected


@pytest.mark.small_boards
def test_distances_to_the_last_moves() -> None:
    picture = ". . . . .\n. O . . .\n. . . . .\n. . . X .\n. . . . ."
    found = traits_of(picture, "B3", last="B4", before="D2")
    assert found == [traits.FATE + 1, traits.NEAR_LAST + 2, traits.NEAR_BEFORE + 5]
    far = traits_of(picture, "E1", last="B4", before="D2")
    assert far == [traits.NEAR_LAST + 9, traits.NEAR_BEFORE + 3]


@pytest.mark.small_boards
def test_what_rules_suggest_is_a_trait() -> None:
    # White has just closed three points in a row: the middle decides.
    picture = "O O O O O\nO . . . O\nO O O O X\nX X X X X\n. . . . ."
    assert traits.NAKADE in traits_of(picture, "C4", last="C3")
    chain = ". . . . .\n. X O . .\nX O O . .\n. X . . .\n. . . . ."
    assert traits.TWO_LIBERTIES not in traits_of(chain, "D3")
    attacks = [traits_of(chain, vertex, last="C4") for vertex in ("C5", "D4", "D3", "C2")]
    assert sum(traits.TWO_LIBERTIES in found for found in attacks) == 0
    short = ". . . . .\n. X X . .\nX O O . .\n. X . . .\n. . . . ."
    assert traits.TWO_LIBERTIES in traits_of(short, "D3", last="C3")


@pytest.mark.small_boards
def test_a_captured_last_move_has_no_distance() -> None:
    picture = ". . . . .\n. X . . .\nX . X . .\n. X . . .\n. . . . ."
    found = traits_of(picture, "D4", color=other(BLACK), last="B3")
    assert all(trait in TACTICS for trait in found)
