"""The urgency-based playout: what makes a move urgent, and that the draw follows it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from conftest import to_vertex

from go_positions import swapped, to_index, to_state
from montego.go.kernels.layout import PASSES, SIZE, empty_state
from montego.go.kernels.patterns import matches, read_patterns
from montego.go.playout.knowledge import new_knowledge
from montego.go.playout.policy import POLICIES
from montego.go.playout.urgency import CAPTURE, ESCAPE, PATTERN, PLAIN, urgency_of
from montego.go.sampling.run import sample_playouts
from montego.jit import interpreted
from playout_checks import assert_sound, finish
from reference import BLACK, WHITE, points

if TYPE_CHECKING:
    from pathlib import Path

BOTH_COLORS = pytest.mark.parametrize("color", [BLACK, WHITE])


@pytest.fixture(scope="module")
def without_patterns(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("patterns") / "none.txt"
    path.write_text("# none\n", "utf-8")
    return str(path)


# Black's move, stones captured, stones saved.

URGENCIES = [
    ("nothing near", ". . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", "C3", 0, 0),
    ("captures one", ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", "C3", 1, 0),
    ("captures two", ". . . . .\n. X X . .\nX O O . .\n. X X . .\n. . . . .", "D3", 2, 0),
    (
        "one chain on two sides captures once",
        ". . . . .\n. . . . .\nX X X . .\nO O X . .\n. O X . .",
        "A1",
        3,
        0,
    ),
    ("only an atari", ". . . . .\n. . . . .\nX O . . .\n. X . . .\n. . . . .", "C3", 0, 0),
    ("saves one", ". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .", "D3", 0, 1),
    ("saves two", ". . . . .\n. O O . .\nO X X . .\n. O O . .\n. . . . .", "D3", 0, 2),
    ("from atari into atari", ". . . . .\n. . . . .\n. . . . .\nO O O . .\nO X . O .", "C1", 0, 0),
    (
        "saves by capturing elsewhere",
        ". . . . .\n. . . . .\n. X O X .\n. O X O .\n. O . O .",
        "C4",
        1,
        1,
    ),
    (
        "captures and runs at once",
        ". . . . .\n. . . . .\n. . . X X\n. O O O X\nO X X . O",
        "D1",
        1,
        2,
    ),
]


@pytest.mark.small_boards
@BOTH_COLORS
@pytest.mark.parametrize(
    ("picture", "vertex", "captured", "saved"),
    [pytest.param(*case, id=name) for name, *case in URGENCIES],
)
def test_captures_and_escapes_are_urgent(
    picture: str, vertex: str, captured: int, saved: int, color: int, without_patterns: str
) -> None:
    state = to_state(swapped(picture, color))
    knowledge = new_knowledge(patterns=without_patterns)
    point = to_index(vertex, int(state[SIZE]))
    expected = PLAIN * (1 + CAPTURE * captured + ESCAPE * saved)

    assert urgency_of(state, knowledge, point, color) == expected
    assert interpreted(urgency_of)(state, knowledge, point, color) == expected


@pytest.mark.small_boards
@BOTH_COLORS
def test_patterns_are_urgent(color: int) -> None:
    state = to_state(". . . . .\n. X O X .\n. . . . .\n. . . . .\n. . . . .")
    (hane,) = [pattern for pattern in read_patterns() if pattern.name == "hane-enclosing"]
    assert hane in matches(read_patterns(), 0b01_10_01)
    expected = PLAIN + PATTERN * round(hane.weight * PLAIN)
    assert urgency_of(state, new_knowledge(), to_index("C3", 5), color) == expected


def test_moves_are_drawn_by_their_urgency(without_patterns: str) -> None:
    # Black's capture at C3 against plain moves everywhere else.
    base = to_state(". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .")
    knowledge = new_knowledge(patterns=without_patterns)
    found = Counter(
        finish("urgency", base, seed, knowledge=knowledge, limit=1).trace[0]
        for seed in range(1_500)
    )
    share = (1 + CAPTURE) / (20 + 1 + CAPTURE)
    assert None not in found
    assert abs(found[2, 2] - 1_500 * share) < 5 * (1_500 * share * (1 - share)) ** 0.5
    others = {point for point in points(5) if point != (2, 2)}
    assert {to_vertex(point) for point in found if point} >= {"A1", "E1", "E5", "A5"}
    assert {point for point in found if point} - {(2, 2)} <= others


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [2, 3, 5])
def test_small_boards_end_well(size: int) -> None:
    for seed in range(3):
        base = empty_state(size)
        assert_sound(finish("urgency", base, seed), base)


@pytest.mark.parametrize(("size", "seeds"), [(4, 30), (7, 10), (9, 5), (19, 1)])
def test_the_trace_is_a_legal_game_and_the_count_right(size: int, seeds: int) -> None:
    base = empty_state(size)
    for seed in range(seeds):
        oracle = assert_sound(finish("urgency", base, seed), base)
        # Every move that fills no eye is played: nothing but eyes is left.
        assert oracle.is_over or size < 5


@pytest.mark.small_boards
def test_interpreted_and_compiled_play_the_same_game() -> None:
    for seed in range(2):
        base = empty_state(5)
        assert finish("urgency", base, seed) == finish("urgency", base, seed, slow=True)


@pytest.mark.small_boards
def test_a_game_that_is_over_is_only_counted_and_a_limit_ends_it() -> None:
    base = to_state(". X O\nX X O\nX O .")
    base[PASSES] = 2
    assert finish("urgency", base, 1).trace == []
    assert finish("urgency", base, 1).score == 5 - 4
    assert len(finish("urgency", empty_state(5), 1, limit=7).trace) == 7


def test_it_is_a_policy_that_can_be_sampled() -> None:
    assert "urgency" in POLICIES
    sample = sample_playouts(empty_state(5), "urgency", count=20, seed=3)
    assert int(sample.frequency.sum()) == 20
