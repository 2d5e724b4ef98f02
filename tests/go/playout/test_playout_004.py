"""The naive, common fate graph and analyze-after playouts, against rules written down again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest
from conftest import to_rows, to_stones

from montego.go.kernels.eye import is_eye_of_colors
from montego.go.kernels.layout import (
    KO,
    PASS,
    PASSES,
    TO_PLAY,
    all_points,
    coordinates_of,
    empty_state,
    point_at,
)
from montego.go.kernels.position import play
from montego.go.playout.analyze_after import (
    analyze_after,
    analyze_after_captures,
    analyze_after_room,
)
from montego.go.playout.common_fate import common_fate, common_fate_room
from montego.go.playout.knowledge import new_scratch
from montego.go.playout.naive import naive, naive_room
from montego.go.playout.uniform import uniform
from montego.jit import interpreted
from montego.jit.state import LENGTH, LIMIT, RANDOM, TRACE, no_knowledge
from reference import Reference, area_score, around, flood, liberties, other, points

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.jit.state import Knowledge, Scratch, State
    from reference import Point, Stones

BLACK, WHITE = 1, 2


class Policy(NamedTuple):
    playout: Callable[[State, Knowledge, Scratch], int]
    room: Callable[[int], int]


POLICIES = {
    "naive": Policy(naive, naive_room),
    "common fate": Policy(common_fate, common_fate_room),
    "analyze-after": Policy(analyze_after, analyze_after_room),
}
CAPTURES = Policy(analyze_after_captures, analyze_after_room)
every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES.keys())
by_the_rules = pytest.mark.parametrize(
    "policy", [POLICIES["naive"], POLICIES["common fate"]], ids=["naive", "common fate"]
)

TEN_EYES_EACH = """
    . X . X O O . O .
    X X X X O O O O O
    . X . X O O . O .
    X X X X O O O O O
    . X . X O O . O .
    X X X X O O O O O
    . X . X O O . O .
    X X X X O O O O O
    . X . X O O . O .
"""

TWO_EYES_IN_THE_CORNER = """
    . X . X O . . . .
    X X X X O . . . .
    O O O O O . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""

FIGHT = """
    . . . . . . .
    . . X O . . .
    . X . X O . .
    . . X O . O .
    . O O X . . .
    . . . X . . .
    . . . . . . .
"""


def to_state(picture: str, to_play: int = BLACK) -> State:
    rows = to_rows(picture)
    size = len(rows)
    state = empty_state(size)
    for row, line in enumerate(reversed(rows)):
        for column, color in enumerate(line):
            if color:
                play(state, point_at(column, row, size), color)
    state[TO_PLAY] = to_play
    state[KO] = PASS
    state[PASSES] = 0
    return state


def stones_of(state: State, size: int) -> Stones:
    return {
        coordinates_of(point, size): int(state[point])
        for point in all_points(size)
        if state[point] != 0
    }


def trace_of(scratch: Scratch, size: int) -> list[Point | None]:
    moves = [int(move) for move in scratch[TRACE : TRACE + int(scratch[LENGTH])]]
    return [coordinates_of(move, size) if move else None for move in moves]


class Finished(NamedTuple):
    score: int
    before: Stones
    stones: Stones
    trace: list[Point | None]


def finish(policy: Policy, base: State, seed: int, limit: int | None = None) -> Finished:
    size = int(base[0])
    scratch = new_scratch(size, seed, policy.room(size))
    if limit is not None:
        scratch[LIMIT] = limit
    work = base.copy()
    score = policy.playout(work, no_knowledge(), scratch)
    return Finished(score, stones_of(base, size), stones_of(work, size), trace_of(scratch, size))


def finish_many(policy: Policy, base: State, count: int) -> list[int]:
    size = int(base[0])
    scratch = new_scratch(size, 1, policy.room(size))
    return [policy.playout(base.copy(), no_knowledge(), scratch) for _ in range(count)]


def is_eye(stones: Stones, size: int, point: Point, color: int) -> bool:
    column, row = point
    if any(stones.get(near) != color for near in around(point, size)):
        return False
    corners = [(column + x, row + y) for x in (-1, 1) for y in (-1, 1)]
    inside = [corner for corner in corners if corner in set(points(size))]
    held = sum(stones.get(corner) == other(color) for corner in inside)
    return held + (len(inside) < 4) < 2


def settle(game: Finished, size: int, to_play: int) -> Stones:
    """The inductive definition of the settled board, read aloud.

    Worms of time 0 may come in any order, so those go first that are gone in the game's result:
    if any order leads there, this one does.
    """
    stones, time = dict(game.before), dict.fromkeys(game.before, 0)
    color = to_play
    for moment, move in enumerate(game.trace, start=1):
        if move is not None:
            stones[move], time[move] = color, moment
        color = other(color)
    worms = {frozenset(flood(stones, stone, size)[0]) for stone in stones}

    def order(worm: frozenset[Point]) -> tuple[int, bool]:
        return max(time[stone] for stone in worm), worm <= game.stones.keys()

    settled = dict(stones)
    for worm in sorted(worms, key=order):
        beside = {near for stone in worm for near in around(stone, size)} - worm
        if all(near in settled for near in beside):
            for stone in worm:
                del settled[stone]
    return settled


@pytest.mark.small_boards
@every_policy
@pytest.mark.parametrize("size", [2, 3, 5])
def test_interpreted_playouts_are_the_same(policy: Policy, size: int) -> None:
    twin = Policy(interpreted(policy.playout), policy.room)  # type: ignore[arg-type]
    for seed in range(6):
        base = empty_state(size)
        assert finish(policy, base, seed) == finish(twin, base, seed)


@pytest.mark.small_boards
@every_policy
def test_interpreted_playouts_from_a_position_are_the_same(policy: Policy) -> None:
    twin = Policy(interpreted(policy.playout), policy.room)  # type: ignore[arg-type]
    for seed in range(3):
        base = to_state(FIGHT, WHITE)
        assert finish(policy, base, seed) == finish(twin, base, seed)


@every_policy
def test_a_seed_determines_the_game_and_random_numbers_go_on(policy: Policy) -> None:
    base = empty_state(9)
    assert finish(policy, base, 5) == finish(policy, base, 5)
    assert finish(policy, base, 5).trace != finish(policy, base, 6).trace

    scratch = new_scratch(9, 5, policy.room(9))
    before = int(scratch[RANDOM])
    policy.playout(base.copy(), no_knowledge(), scratch)
    first, after = trace_of(scratch, 9), int(scratch[RANDOM])
    policy.playout(base.copy(), no_knowledge(), scratch)
    assert after not in (0, before)
    assert trace_of(scratch, 9) != first


@every_policy
@pytest.mark.parametrize("size", range(2, 26))
def test_every_size_is_played_and_scored_by_area(policy: Policy, size: int) -> None:
    for seed in range(3):
        game = finish(policy, empty_state(size), seed)
        assert game.score == area_score(game.stones, size)
        assert all(liberties(game.stones, stone, size) for stone in game.stones)
        assert abs(game.score) <= size * size


@by_the_rules
@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9, 13])
def test_the_trace_replayed_by_the_rules_leads_to_the_same_board(policy: Policy, size: int) -> None:
    for seed in range(8):
        game = finish(policy, empty_state(size), seed)
        oracle = Reference(size, ko="simple")
        for move in game.trace:
            if move is not None:
                assert oracle.fault(oracle.to_play, move) is None
                assert not is_eye(oracle.stones, size, move, oracle.to_play)
            color = oracle.to_play
            captured = oracle.play(color, move)
            if move is not None and captured == 0:
                assert len(liberties(oracle.stones, move, size)) > 1 or not (
                    set(around(move, size)) & set(oracle.stones)
                )
        assert oracle.stones == game.stones


@by_the_rules
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_a_game_from_a_position_follows_the_rules(policy: Policy, to_play: int) -> None:
    captures = 0
    for seed in range(20):
        game = finish(policy, to_state(FIGHT, to_play), seed)
        oracle = Reference(7, ko="simple", stones=dict(game.before), to_play=to_play)
        for move in game.trace:
            assert move is None or oracle.fault(oracle.to_play, move) is None
            captures += oracle.play(oracle.to_play, move)
        assert oracle.stones == game.stones
        assert game.score == area_score(game.stones, 7)
    assert captures > 0


def test_a_common_fate_game_plays_into_what_was_captured() -> None:
    twice = 0
    for seed in range(20):
        trace = finish(POLICIES["common fate"], empty_state(7), seed).trace
        moves = [move for move in trace if move is not None]
        twice += len(moves) - len(set(moves))
    assert twice > 0


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9, 13, 19])
def test_analyze_after_settles_as_the_definition_says(size: int) -> None:
    for seed in range(8):
        game = finish(POLICIES["analyze-after"], empty_state(size), seed)
        assert game.stones == settle(game, size, BLACK)
        assert game.score == area_score(game.stones, size)


@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_analyze_after_settles_older_stones_first(to_play: int) -> None:
    for seed in range(20):
        game = finish(POLICIES["analyze-after"], to_state(FIGHT, to_play), seed)
        assert game.stones == settle(game, 7, to_play)
        assert game.score == area_score(game.stones, 7)


@pytest.mark.parametrize("size", [2, 5, 9])
def test_analyze_after_may_count_captured_stones(size: int) -> None:
    for seed in range(8):
        game = finish(CAPTURES, empty_state(size), seed)
        assert game.stones == finish(POLICIES["analyze-after"], empty_state(size), seed).stones
        assert game.score == captured_at_the_end(game)


def test_prisoners_of_the_game_so_far_are_among_them() -> None:
    # Black has taken one stone, at B2, and White two, at the upper right.
    state = empty_state(5)
    for column, row, color in (
        (1, 1, WHITE), (1, 2, BLACK), (1, 0, BLACK), (0, 1, BLACK), (2, 1, BLACK),
        (4, 4, BLACK), (4, 3, BLACK), (3, 4, WHITE), (3, 3, WHITE), (4, 2, WHITE),
    ):  # fmt: skip
        play(state, point_at(column, row, 5), color)
    state[TO_PLAY] = BLACK
    for seed in range(8):
        game = finish(CAPTURES, state, seed)
        assert game.score == 1 - 2 + captured_at_the_end(game)


def captured_at_the_end(game: Finished) -> int:
    """White's stones that the settling took, minus Black's, if Black laid the first stone."""
    laid, color = dict(game.before), BLACK
    for move in game.trace:
        if move is not None:
            laid[move] = color
        color = other(color)
    taken = [color for point, color in laid.items() if point not in game.stones]
    return taken.count(WHITE) - taken.count(BLACK)


def test_analyze_after_lays_every_stone_on_an_empty_point_and_never_into_an_own_eye() -> None:
    for seed in range(10):
        game = finish(POLICIES["analyze-after"], to_state(FIGHT), seed)
        stones, color = dict(game.before), BLACK
        for move in game.trace:
            if move is not None:
                assert move not in stones
                assert not is_eye(stones, 7, move, color)
                stones[move] = color
            color = other(color)
        for point in set(points(7)) - set(stones):
            assert is_eye(stones, 7, point, BLACK) or is_eye(stones, 7, point, WHITE)


@pytest.mark.small_boards
def test_an_eye_is_judged_by_its_neighbors_and_diagonals() -> None:
    rows = """
        . X . O .
        X X X . O
        . O X X O
        X . X . X
        O X . X .
    """
    state, stones = to_state(rows), to_stones(to_rows(rows))
    for column, row in points(5):
        if (column, row) not in stones:
            for color in (BLACK, WHITE):
                expected = is_eye(stones, 5, (column, row), color)
                assert is_eye_of_colors(state, point_at(column, row, 5), color) == expected


@by_the_rules
@pytest.mark.parametrize("to_play", [BLACK, WHITE])
def test_settled_life_is_left_alone(policy: Policy, to_play: int) -> None:
    base = to_state(TEN_EYES_EACH, to_play)
    assert set(finish_many(policy, base, 50)) == {36 - 45}


def test_settled_life_is_nearly_left_alone_by_analyze_after() -> None:
    scores = finish_many(POLICIES["analyze-after"], to_state(TEN_EYES_EACH), 400)
    assert scores.count(36 - 45) >= 390


def test_two_eyes_are_lost_in_a_quarter_of_analyze_after_games() -> None:
    # The known price of laying stones without a look at the rules: each eye is drawn first by its
    # owner, who refuses it, or by the opponent, who fills it.
    base = to_state(TWO_EYES_IN_THE_CORNER)
    games = [finish(POLICIES["analyze-after"], base, seed) for seed in range(1000)]
    assert 0.2 < sum((1, 8) not in game.stones for game in games) / 1000 < 0.3


@by_the_rules
def test_two_eyes_are_never_lost_in_games_by_the_rules(policy: Policy) -> None:
    base = to_state(TWO_EYES_IN_THE_CORNER)
    assert all((1, 8) in finish(policy, base, seed).stones for seed in range(200))


@every_policy
def test_the_mean_score_is_near_the_uniform_one(policy: Policy) -> None:
    base = empty_state(9)
    scores = finish_many(policy, base, 1000)
    exact = finish_many(Policy(uniform, lambda _: 0), base, 1000)
    assert abs(sum(scores) - sum(exact)) / 1000 < 4
    assert min(scores) < 0 < max(scores)


@every_policy
def test_white_to_play_mirrors_black_to_play(policy: Policy) -> None:
    for seed in range(10):
        base = empty_state(7)
        black = finish(policy, base, seed)
        base[TO_PLAY] = WHITE
        white = finish(policy, base, seed)
        assert (white.score, white.trace) == (-black.score, black.trace)


@every_policy
@pytest.mark.parametrize("limit", [0, 1, 7, 20])
def test_the_limit_is_kept_and_the_board_at_that_time_is_scored(policy: Policy, limit: int) -> None:
    for seed in range(5):
        game = finish(policy, to_state(FIGHT), seed, limit)
        assert len(game.trace) == limit
        assert game.score == area_score(game.stones, 7)


@every_policy
def test_two_passes_before_leave_nothing_to_play(policy: Policy) -> None:
    base = to_state(FIGHT)
    base[PASSES] = 2
    game = finish(policy, base, 0)
    assert game.trace == []
    assert game.stones == game.before
    assert game.score == area_score(game.before, 7)


@by_the_rules
def test_a_ko_is_not_retaken_at_once(policy: Policy) -> None:
    base = to_state(
        """
        . . X O . .
        . X O . O .
        . . X O . .
        . . . . . .
        . . . . . .
        . . . . . .
        """
    )
    assert play(base, point_at(3, 4, 6), BLACK) == 1
    retake = (2, 4)
    first = [finish(policy, base, seed).trace[0] for seed in range(200)]
    assert retake not in first
    base[KO] = PASS
    assert retake in [finish(policy, base, seed).trace[0] for seed in range(200)]
