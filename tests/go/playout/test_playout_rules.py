"""The rules of the sequence-like playout: a picture for each, and for each of its conditions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from conftest import to_point, to_vertex

from go_positions import enemy_of, random_games, swapped, to_index, to_name, to_state
from montego.go.kernels.layout import EMPTY_COUNT, HEAD, KO, LAST, SIZE
from montego.go.kernels.patterns import HEAVIEST, matches, read_patterns, swap_colors
from montego.go.kernels.position import is_legal
from montego.go.kernels.suggestion import (
    QUEUE_MOST,
    QUEUE_ROOM,
    pick,
    push,
    suggest_capture,
    suggest_counter_captures,
    suggest_eye_fix,
    suggest_nakade,
    suggest_patterns,
    suggest_rescue,
    suggest_two_liberties,
)
from montego.go.kernels.tactics import is_self_atari
from montego.go.playout.knowledge import new_knowledge
from montego.go.playout.sequence import sequence_room
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import new_scratch, room_of
from reference import BLACK, WHITE, Reference, liberties

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State

KNOWLEDGE = new_knowledge()
PATTERNS = {pattern.name: pattern for pattern in read_patterns()}
RULES = ["capture", "rescue", "run", "counter", "two liberties", "eye fix", "nakade", "patterns"]


def ask(
    rule: str, state: State, scratch: Scratch, color: int, last: int, ko: int, *, slow: bool = False
) -> int:
    """Let one rule put its moves into an empty queue; return how many."""
    kernels = {
        "capture": suggest_capture,
        "two liberties": suggest_two_liberties,
        "eye fix": suggest_eye_fix,
        "nakade": suggest_nakade,
    }
    if rule in kernels:
        suggest = interpreted(kernels[rule]) if slow else kernels[rule]
        return suggest(state, scratch, 0, color, last, ko)
    if rule in ("rescue", "run"):
        empties = int(state[EMPTY_COUNT])
        ladders = rule == "rescue"
        rescue = interpreted(suggest_rescue) if slow else suggest_rescue
        return rescue(state, scratch, 0, color, last, ko, empties, ladders)
    if rule == "counter":
        counter = interpreted(suggest_counter_captures) if slow else suggest_counter_captures
        return counter(state, scratch, 0, color, Index(state[last + HEAD]), ko)
    patterns = interpreted(suggest_patterns) if slow else suggest_patterns
    return patterns(state, KNOWLEDGE, scratch, 0, color, last, ko)


def suggested(
    rule: str, state: State, color: int, last: str, ko: str = "pass", *, slow: bool = False
) -> dict[str, int]:
    """What a rule suggests, with the weights; those of one move are added up."""
    size = int(state[SIZE])
    scratch = new_scratch(1, 0, sequence_room(size))
    before = state.copy()
    count = ask(rule, state, scratch, color, to_index(last, size), to_index(ko, size), slow=slow)
    assert (state == before).all()
    queue = int(room_of(scratch))
    found: Counter[str] = Counter()
    for number in range(count):
        move, weight = scratch[queue + 2 * number : queue + 2 * number + 2]
        found[to_name(move, size)] += int(weight)
    return dict(found)


# Black to move. A ko is where Black may not play.

CASES: list[tuple[str, str, str, str, str, dict[str, int]]] = [
    (
        "capture: the stone just played is in atari",
        "capture",
        ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .",
        "B3",
        "pass",
        {"C3": 1},
    ),
    (
        "capture: its whole chain weighs",
        "capture",
        ". . . . .\n. X X . .\nX O O . .\n. X X . .\n. . . . .",
        "B3",
        "pass",
        {"D3": 2},
    ),
    (
        "capture: two liberties are no atari",
        "capture",
        ". . . . .\n. . . . .\nX O . . .\n. X . . .\n. . . . .",
        "B3",
        "pass",
        {},
    ),
    (
        "capture: not where ko forbids it",
        "capture",
        ". . . . .\n. X O . .\nX O . O .\n. X O . .\n. . . . .",
        "B3",
        "C3",
        {},
    ),
    (
        "capture: another stone in atari does not count",
        "capture",
        ". . . . .\n. X . . .\nX O . . .\n. X . . O\n. . . . .",
        "E2",
        "pass",
        {},
    ),
    (
        "capture: not if the last stone is gone",
        "capture",
        ". . . . .\n. X . . .\nX . . . .\n. X . . .\n. . . . .",
        "B3",
        "pass",
        {},
    ),
    (
        "rescue: run to three liberties",
        "rescue",
        ". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .",
        "B3",
        "pass",
        {"D3": 1},
    ),
    (
        "rescue: a larger chain weighs more",
        "rescue",
        ". . . . .\n. O O . .\nO X X . .\n. O O . .\n. . . . .",
        "A3",
        "pass",
        {"D3": 2},
    ),
    (
        "rescue: to run into one liberty is no rescue",
        "rescue",
        ". . . . .\n. . . . .\n. . . . .\nO O O . .\nO X . O .",
        "B2",
        "pass",
        {},
    ),
    (
        "rescue: not where ko forbids it",
        "rescue",
        ". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .",
        "B3",
        "D3",
        {},
    ),
    (
        "rescue: only chains beside the last move",
        "rescue",
        ". . . . .\n. . O . .\n. O X . .\n. . O . .\nO . . . .",
        "A1",
        "pass",
        {},
    ),
    (
        "rescue: two ways out of one move's threat",
        "rescue",
        """
        . . . . . . .
        . . O . O . .
        . . X O X . .
        . . O . O . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D5",
        "pass",
        {"B5": 1, "F5": 1},
    ),
    (
        "rescue: by capturing a neighbor",
        "rescue",
        ". . . . .\n. . . . .\n. X O X .\n. O X O .\n. O . O .",
        "D2",
        "pass",
        {"C4": 2},
    ),
    (
        "rescue: no capture where ko forbids it",
        "rescue",
        ". . . . .\n. . . . .\n. X O X .\n. O X O .\n. O . O .",
        "D2",
        "C4",
        {},
    ),
    (
        "rescue: a ladder is not run",
        "rescue",
        """
        . . . . . . .
        . . . . . . .
        . O . . . . .
        . O X O . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D4",
        "pass",
        {},
    ),
    (
        "rescue: a broken ladder is",
        "rescue",
        """
        . . . . . . .
        . . . . X . .
        . O . . . . .
        . O X O . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D4",
        "pass",
        {"C5": 1},
    ),
    (
        "run: without reading, a ladder is run",
        "run",
        """
        . . . . . . .
        . . . . . . .
        . O . . . . .
        . O X O . . .
        . . O . . . .
        . . . . . . .
        . . . . . . .
        """,
        "D4",
        "pass",
        {"C5": 1},
    ),
    (
        "counter: captures beside the chain",
        "counter",
        ". . . . .\n. . . . .\n. X O X .\n. O X O .\n. O . O .",
        "C2",
        "pass",
        {"C4": 2},
    ),
    (
        "counter: nothing in atari",
        "counter",
        ". . . . .\n. . . . .\n. . O X .\n. O X O .\n. O . O .",
        "C2",
        "pass",
        {},
    ),
    (
        "two liberties: attack from either side",
        "two liberties",
        ". . . . .\nX X . . .\nO . . . .\n. . . . .\n. . . . .",
        "A3",
        "pass",
        {"B3": 1, "A2": 1},
    ),
    (
        "two liberties: three times the weight where it cannot walk away",
        "two liberties",
        ". . . . .\nX X . . .\nO . X . .\n. X . . .\n. . . . .",
        "A3",
        "pass",
        {"B3": 3, "A2": 3},
    ),
    (
        "two liberties: no attack that is self-atari",
        "two liberties",
        ". . . . .\nX X . . .\nO . . . .\n. O . . .\nO . . . .",
        "A3",
        "pass",
        {"B3": 1},
    ),
    (
        "two liberties: no attack where ko forbids it",
        "two liberties",
        ". . . . .\nX X . . .\nO . . . .\n. . . . .\n. . . . .",
        "A3",
        "B3",
        {"A2": 1},
    ),
    (
        "two liberties: three are left alone",
        "two liberties",
        ". . . . .\n. . . . .\nO . . . .\n. . . . .\n. . . . .",
        "A3",
        "pass",
        {},
    ),
    (
        "two liberties: defend by a third liberty",
        "two liberties",
        ". . . . .\n. O O . .\nO X X . .\n. O . . .\n. . . . .",
        "C4",
        "pass",
        {"D3": 2, "C2": 2},
    ),
    (
        "two liberties: no defense that gains nothing",
        "two liberties",
        ". . . . .\n. O O O .\nO X X . O\n. O . O .\n. . O . .",
        "C4",
        "pass",
        {},
    ),
    (
        "two liberties: defend by capturing",
        "two liberties",
        ". . . . .\n. . X . .\n. X O . .\n. . X O .\n. . . . .",
        "D2",
        "pass",
        {"D3": 2, "B2": 1, "C1": 1},
    ),
    (
        "eye fix: hold the last diagonal",
        "eye fix",
        ". . . . .\n. O X . .\n. X . X .\n. X X X .\n. . . . .",
        "B4",
        "pass",
        {"D4": 1},
    ),
    (
        "eye fix: two diagonals free, no hurry",
        "eye fix",
        ". . . . .\n. O X . .\n. X . X .\n. X X . .\n. . . . .",
        "B4",
        "pass",
        {},
    ),
    (
        "eye fix: two diagonals lost, too late",
        "eye fix",
        ". . . . .\n. O X . .\n. X . X .\n. X X O .\n. . . . .",
        "B4",
        "pass",
        {},
    ),
    (
        "eye fix: at the edge it is false already",
        "eye fix",
        ". . . . .\n. . . . .\n. . . . .\n. O X . .\n. X . X .",
        "B2",
        "pass",
        {},
    ),
    (
        "eye fix: not an eye",
        "eye fix",
        ". . . . .\n. O . . .\n. X . X .\n. X X X .\n. . . . .",
        "B4",
        "pass",
        {},
    ),
    (
        "eye fix: not where ko forbids it",
        "eye fix",
        ". . . . .\n. O X . .\n. X . X .\n. X X X .\n. . . . .",
        "B4",
        "D4",
        {},
    ),
    (
        "nakade: three in a row",
        "nakade",
        ". . . . .\n. . . . .\n. . . . .\nO O O . .\n. . . O .",
        "D1",
        "pass",
        {"B1": 1},
    ),
    (
        "nakade: two are not enough",
        "nakade",
        ". . . . .\n. . . . .\n. . . . .\nO O . . .\n. . O . .",
        "C1",
        "pass",
        {},
    ),
    (
        "nakade: a space of both colors is none",
        "nakade",
        ". . . . .\n. . . . .\n. . . . .\nO X O . .\n. . . O .",
        "D1",
        "pass",
        {},
    ),
    (
        "nakade: not where ko forbids it",
        "nakade",
        ". . . . .\n. . . . .\n. . . . .\nO O O . .\n. . . O .",
        "D1",
        "B1",
        {},
    ),
]


@pytest.mark.small_boards
@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("rule", "picture", "last", "ko", "expected"),
    [pytest.param(*case, id=name) for name, *case in CASES],
)
def test_rules(
    rule: str, picture: str, last: str, ko: str, expected: dict[str, int], color: int
) -> None:
    state = to_state(swapped(picture, color), to_play=color, last=last)
    assert suggested(rule, state, color, last, ko) == expected


@pytest.mark.small_boards
def test_the_interpreted_rules_suggest_the_same() -> None:
    for name in ("rescue: a broken ladder is", "two liberties: defend by capturing"):
        _, rule, picture, last, ko, expected = next(case for case in CASES if case[0] == name)
        state = to_state(picture, last=last)
        assert suggested(rule, state, BLACK, last, ko, slow=True) == expected


def test_every_rule_suggests_legal_moves_only() -> None:
    found: Counter[str] = Counter()
    for state, oracle in random_games(6, 12, 60, seed=8):
        last, ko = to_name(int(state[LAST]), 6), to_name(int(state[KO]), 6)
        if last == "pass":
            continue
        legal = {to_vertex(point) for point in oracle.legal(oracle.to_play)}
        for rule in RULES:
            if rule == "counter":
                continue
            moves = suggested(rule, state, oracle.to_play, last, ko)
            assert set(moves) <= legal, (rule, moves)
            assert all(weight > 0 for weight in moves.values())
            found[rule] += bool(moves)
    assert all(found[rule] for rule in RULES if rule != "counter"), found


def expected_patterns(state: State, oracle: Reference, last: str) -> dict[str, int]:
    """The moves around the last one that match a pattern and are neither illegal nor self-atari."""
    where = to_point(last)
    assert where is not None
    found = {}
    for x in (-1, 0, 1):
        for y in (-1, 0, 1):
            point = (where[0] + x, where[1] + y)
            if point not in oracle.legal(oracle.to_play):
                continue
            code = code_at(oracle, point)
            fitting = matches(
                list(PATTERNS.values()), swap_colors(code) if oracle.to_play == WHITE else code
            )
            at = to_index(to_vertex(point), oracle.size)
            if fitting and not is_self_atari(state, at, oracle.to_play):
                weight = max(pattern.weight for pattern in fitting)
                found[to_vertex(point)] = round(weight * HEAVIEST)
    return found


def code_at(oracle: Reference, point: tuple[int, int]) -> int:
    code = 0
    places = [(x, y) for y in (-1, 0, 1) for x in (1, 0, -1) if (x, y) != (0, 0)]
    for x, y in places:
        column, row = point[0] + x, point[1] + y
        inside = 0 <= column < oracle.size and 0 <= row < oracle.size
        code = 4 * code + (oracle.stones.get((column, row), 0) if inside else 3)
    return code


def test_patterns_are_looked_for_around_the_last_move() -> None:
    seen = 0
    for state, oracle in random_games(6, 6, 50, seed=4):
        last, ko = to_name(int(state[LAST]), 6), to_name(int(state[KO]), 6)
        if last != "pass":
            moves = suggested("patterns", state, oracle.to_play, last, ko)
            assert moves == expected_patterns(state, oracle, last)
            seen += len(moves)
    assert seen > 50


def test_a_capture_is_suggested_when_the_last_chain_has_one_liberty() -> None:
    for state, oracle in random_games(4, 8, 40, seed=6):
        last, ko = to_name(int(state[LAST]), 4), to_name(int(state[KO]), 4)
        stone = to_point(last)
        if stone is None:
            continue
        only = {to_vertex(point) for point in liberties(oracle.stones, stone, 4)} - {ko}
        moves = suggested("capture", state, oracle.to_play, last, ko)
        alone = len(liberties(oracle.stones, stone, 4)) == 1
        assert set(moves) == (only if alone else set())


# The queue.


@pytest.mark.small_boards
def test_a_full_queue_stays_as_it_is() -> None:
    scratch = new_scratch(1, 0, QUEUE_ROOM)
    count = 0
    for number in range(QUEUE_MOST + 5):
        count = push(scratch, count, Index(100 + number), 1)
    assert count == QUEUE_MOST
    queue = int(room_of(scratch))
    assert scratch[queue : queue + 2 * QUEUE_MOST : 2].tolist() == list(range(100, 160))
    assert not scratch[queue + 2 * QUEUE_MOST :].any()


def test_moves_are_drawn_in_proportion_to_their_weights() -> None:
    scratch = new_scratch(1, 7, QUEUE_ROOM)
    count = 0
    for point, weight in [(100, 1), (101, 3), (102, 6)]:
        count = push(scratch, count, Index(point), weight)
    found = Counter(int(pick(scratch, count)) for _ in range(10_000))
    assert set(found) == {100, 101, 102}
    for point, share in [(100, 0.1), (101, 0.3), (102, 0.6)]:
        # Five standard deviations of a binomial.
        assert abs(found[point] - 10_000 * share) < 5 * (10_000 * share * (1 - share)) ** 0.5


@pytest.mark.small_boards
def test_the_same_seed_draws_the_same_moves() -> None:
    drawn = []
    for _ in range(2):
        scratch = new_scratch(1, 3, QUEUE_ROOM)
        count = push(scratch, push(scratch, 0, Index(50), 2), Index(51), 2)
        drawn.append([int(pick(scratch, count)) for _ in range(20)])
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == {50, 51}


@pytest.mark.small_boards
def test_legal_is_what_the_oracle_says() -> None:
    for state, oracle in random_games(3, 2, 20, seed=2):
        ko = to_name(int(state[KO]), 3)
        color = oracle.to_play
        for column in range(3):
            for row in range(3):
                if (column, row) not in oracle.stones:
                    point = to_index(to_vertex((column, row)), 3)
                    told = is_legal(state, point, color, to_index(ko, 3))
                    assert told == (oracle.fault(color, (column, row)) is None)
                    # Without a ko, the other player's moves can be asked for as well.
                    if ko == "pass":
                        enemy = enemy_of(color)
                        told = is_legal(state, point, enemy, to_index(ko, 3))
                        assert told == (oracle.fault(enemy, (column, row)) is None)
