"""The sequence-like playout: sound games, reasons, rates, and what it refuses to play."""

from __future__ import annotations

from collections import Counter
from dataclasses import astuple, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from conftest import to_vertex

from go_positions import random_games, to_index, to_name, to_state
from montego.go.kernels.layout import EMPTY_COUNT, KO, LAST, PASSES, SIZE, TO_PLAY, empty_state
from montego.go.kernels.patterns import PATTERNS
from montego.go.playout import knowledge as layout
from montego.go.playout.knowledge import (
    KOMI,
    LEARNED,
    RATES,
    WEIGHTS,
    new_knowledge,
    new_scratch,
)
from montego.go.playout.rates import Rates
from montego.go.playout.reason import Reason
from montego.go.playout.sequence import answer, chance, sensible, sequence_room
from montego.go.vocabulary.errors import GoError
from montego.jit.state import RANDOM
from playout_checks import assert_sound, finish
from reference import BLACK, WHITE, area_score

if TYPE_CHECKING:
    from montego.jit.state import State

SILENT = Rates(
    ko=0, capture=0, atari=0, two_liberties=0, eye_fix=0, nakade=0, pattern=0, self_atari=0
)


def answered(state: State, rates: Rates, seed: int = 0) -> tuple[str, Reason]:
    """What the rules answer to the last move."""
    size = int(state[SIZE])
    scratch = new_scratch(size, seed, sequence_room(size))
    last, before = to_index("pass", size), to_index("pass", size)
    last += state[LAST].astype(np.uint64)
    move, reason = answer(
        state,
        new_knowledge(rates=rates),
        scratch,
        int(state[TO_PLAY]),
        last,
        before,
        to_index(to_name(int(state[KO]), size), size),
        int(state[EMPTY_COUNT]),
    )
    return to_name(move, size), Reason(reason)


# Whole games.


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [2, 3, 5])
def test_small_boards_end_well(size: int) -> None:
    for seed in range(2):
        base = empty_state(size)
        assert_sound(finish("sequence", base, seed), base)


@pytest.mark.parametrize(("size", "seeds"), [(4, 40), (6, 20), (9, 10), (13, 3), (19, 1)])
def test_the_trace_is_a_legal_game_and_the_count_right(size: int, seeds: int) -> None:
    base = empty_state(size)
    over = [assert_sound(finish("sequence", base, seed), base).is_over for seed in range(seeds)]
    assert any(over)


@pytest.mark.parametrize(
    "rates",
    [
        SILENT,
        Rates(fill_board=4),
        replace(SILENT, self_atari=1),
        replace(SILENT, ko=1, capture=1, atari=1, ladder=0),
        replace(SILENT, two_liberties=1, nakade=1),
        Rates(
            ko=1,
            capture=1,
            atari=1,
            two_liberties=1,
            eye_fix=1,
            nakade=1,
            pattern=1,
            self_atari=1,
            fill_board=2,
        ),
    ],
    ids=["silent", "fill board", "no self-atari", "atari alone", "liberties, nakade", "all"],
)
def test_games_are_sound_at_any_rates(rates: Rates) -> None:
    knowledge = new_knowledge(rates=rates)
    base = empty_state(7)
    for seed in range(12):
        assert_sound(finish("sequence", base, seed, knowledge=knowledge), base)


def test_playouts_from_the_middle_of_a_game_are_sound() -> None:
    for number, (state, _) in enumerate(random_games(6, 2, 40, seed=9)):
        if number % 5 == 0 and state[KO] == 0:
            assert_sound(finish("sequence", state, number), state)


def test_without_self_atari_what_is_left_is_dead_or_both_live() -> None:
    # By the count of single points nothing is lost when even self-atari is played.
    base = empty_state(7)
    for seed in range(10):
        game = finish("sequence", base, seed, knowledge=new_knowledge(rates=SILENT))
        if len(game.trace) < game.limit:
            assert game.score == area_score(game.stones, 7)


def test_a_game_is_the_same_by_its_seed_and_others_by_others() -> None:
    base = empty_state(9)
    games = [finish("sequence", base, seed) for seed in (1, 1, 2, 3)]
    assert games[0] == games[1]
    assert len({tuple(game.trace) for game in games}) == 3


@pytest.mark.small_boards
def test_interpreted_and_compiled_play_the_same_game() -> None:
    for size, seed in [(5, 0), (5, 1), (7, 2)]:
        base = empty_state(size)
        assert finish("sequence", base, seed) == finish("sequence", base, seed, slow=True)


@pytest.mark.small_boards
def test_a_game_that_is_over_is_only_counted_and_a_limit_ends_it() -> None:
    base = to_state(". X O\nX X O\nX O .")
    base[PASSES] = 2
    assert finish("sequence", base, 1).trace == []
    assert finish("sequence", base, 1).score == 5 - 4
    assert len(finish("sequence", empty_state(5), 1, limit=7).trace) == 7


# Reasons, in the order in which the rules are tried.

ANSWERS = [
    (
        Reason.CAPTURE,
        "C3",
        Rates(),
        ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .",
        "B3",
    ),
    (
        Reason.ATARI,
        "D3",
        Rates(atari=1),
        ". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .",
        "B3",
    ),
    (
        Reason.TWO_LIBERTIES,
        "A2",
        replace(SILENT, two_liberties=1),
        ". . . . .\nX X . . .\nO . X . .\n. X . . .\n. . . . .",
        "A3",
    ),
    (
        Reason.EYE_FIX,
        "D4",
        replace(SILENT, eye_fix=1),
        ". . . . .\n. O X . .\n. X . X .\n. X X X .\n. . . . .",
        "B4",
    ),
    (
        Reason.NAKADE,
        "B1",
        replace(SILENT, nakade=1),
        ". . . . .\n. . . . .\n. . . . .\nO O O . .\n. . . O .",
        "D1",
    ),
    (
        Reason.PATTERN,
        "C3",
        replace(SILENT, pattern=1),
        ". . . . .\n. X O X .\n. . . . .\n. . . . .\n. . . . .",
        "C4",
    ),
    (
        Reason.PASS,
        "pass",
        SILENT,
        ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .",
        "B3",
    ),
    (Reason.PASS, "pass", Rates(), ". . .\n. . .\n. . .", "pass"),
]


@pytest.mark.small_boards
@pytest.mark.parametrize(("reason", "move", "rates", "picture", "last"), ANSWERS)
def test_answers_have_reasons(
    reason: Reason, move: str, rates: Rates, picture: str, last: str
) -> None:
    state = to_state(picture, last=last)
    found, why = answered(state, rates)
    assert why is reason
    if reason in (Reason.PATTERN, Reason.TWO_LIBERTIES):
        found = next(
            drawn
            for drawn, _ in (answered(state, rates, seed) for seed in range(50))
            if drawn == move
        )
    assert found == move
    silent, nothing = answered(state, SILENT)
    assert (silent, nothing) == ("pass", Reason.PASS)


def test_every_reason_but_the_random_ones_comes_up_in_games() -> None:
    found = Counter(
        answered(state, Rates(), seed)[1]
        for seed, (state, _) in enumerate(random_games(7, 8, 60, seed=2))
        if state[LAST] != 0
    )
    named = {Reason.CAPTURE, Reason.ATARI, Reason.TWO_LIBERTIES, Reason.NAKADE, Reason.PATTERN}
    assert named | {Reason.PASS} <= set(found)


# Random moves.


def drawn_first(picture: str, rates: Rates, times: int = 300, to_play: int = BLACK) -> Counter[str]:
    base = to_state(picture, to_play=to_play)
    knowledge = new_knowledge(rates=rates)
    return Counter(
        to_vertex(finish("sequence", base, seed, knowledge=knowledge, limit=1).trace[0])
        for seed in range(times)
    )


def test_a_self_atari_is_refused_at_its_rate() -> None:
    # Black A1 would be in atari; every other empty point is plain.
    picture = ". . . .\n. . . .\nO . . .\n. . . ."
    assert "A1" in drawn_first(picture, SILENT)
    assert "A1" not in drawn_first(picture, replace(SILENT, self_atari=1))


def test_a_self_atari_that_puts_into_atari_is_not_refused() -> None:
    # A throw-in: B1 leaves itself one liberty and White's two stones one as well.
    picture = ". . . . .\n. . . . .\nX X . . .\nO O X . .\n. . . X ."
    assert "A1" in drawn_first(picture, replace(SILENT, self_atari=1))


@pytest.mark.small_boards
def test_the_other_liberty_is_played_instead() -> None:
    # Black's chain at A1 has liberties A2, into atari, and C1, out to the open.
    state = to_state(
        """
        . . . . .
        . . . . .
        O . . . .
        . O . . .
        X X . . .
        """
    )
    scratch = new_scratch(5, 0, sequence_room(5))
    knowledge = new_knowledge(rates=replace(SILENT, self_atari=1))
    ko = to_index("pass", 5)
    state_before = state.copy()
    found = sensible(state, knowledge, scratch, to_index("A2", 5), BLACK, ko)
    assert to_name(found, 5) == "C1"
    assert to_name(sensible(state, knowledge, scratch, to_index("D4", 5), BLACK, ko), 5) == "D4"
    assert (state == state_before).all()


def test_fill_board_looks_for_empty_areas() -> None:
    picture = "\n".join(["X O . . . . ."] + [". . . . . . ."] * 6)
    rates = replace(SILENT, fill_board=100)
    found = drawn_first(picture, rates, times=100)
    # Never beside a stone or at the edge, where the area is not empty.
    assert all(vertex[0] in "BCDEF" and vertex[1] in "23456" for vertex in found)
    assert not {"B6", "C6"} & set(found)


def test_a_ko_is_retaken_when_it_is_open_again() -> None:
    # White takes the ko; two moves later Black may take it back, and always wants to.
    picture = """
        . X O . .
        X . X O .
        . X O . .
        . . . . .
        . . . . .
    """
    always = new_knowledge(rates=replace(SILENT, ko=1))
    never = new_knowledge(rates=SILENT)
    retaken: list[bool] = []
    left_alone: list[bool] = []
    for seed in range(400):
        base = to_state(picture, to_play=WHITE)
        for knowledge, found in ((always, retaken), (never, left_alone)):
            trace = finish("sequence", base, seed, knowledge=knowledge, limit=4).trace
            if trace[0] == (1, 3) and trace[2] != (2, 3):
                found.append(trace[3] == (2, 3))
    # White may have captured a stone around it meanwhile, and then it is no ko any more.
    assert len(retaken) > 5
    assert sum(retaken) > 0.8 * len(retaken)
    assert sum(left_alone) < 0.4 * len(left_alone)


def test_chances() -> None:
    scratch = new_scratch(1, 5)
    before = int(scratch[RANDOM])
    assert chance(scratch, 1.0)
    assert not chance(scratch, 0.0)
    assert int(scratch[RANDOM]) == before
    yes = sum(bool(chance(scratch, 0.3)) for _ in range(4_000))
    assert abs(yes - 1_200) < 5 * (4_000 * 0.3 * 0.7) ** 0.5


# The knowledge that the rules read.


def test_rates_lie_in_the_order_of_their_fields() -> None:
    names = [field.name for field in fields(Rates)]
    indices = [int(getattr(layout, f"RATE_{name.upper()}")) for name in names]
    assert indices == list(range(RATES, RATES + len(names)))
    assert RATES + len(names) <= WEIGHTS
    rates = Rates(**{name: 0.01 * number for number, name in enumerate(names, 1)})
    knowledge = new_knowledge(komi=6.5, rates=rates)
    assert knowledge[KOMI] == 6.5
    assert knowledge[indices].tolist() == list(astuple(rates))


def test_knowledge_has_weights_and_patterns_behind_the_rates() -> None:
    knowledge = new_knowledge(weights=[1.0, 2.0, 3.0])
    assert len(knowledge) == LEARNED
    assert knowledge[WEIGHTS : WEIGHTS + 4].tolist() == [1.0, 2.0, 3.0, 0.0]
    assert knowledge[PATTERNS:].any()


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), True, "1", None])
def test_rates_are_checked(bad: object) -> None:
    with pytest.raises(GoError, match="invalid rate pattern"):
        Rates(pattern=bad)  # type: ignore[arg-type]
    assert Rates(fill_board=100).fill_board == 100
    with pytest.raises(GoError, match="invalid rate fill_board"):
        Rates(fill_board=101)
