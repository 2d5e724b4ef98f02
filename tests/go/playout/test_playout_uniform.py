"""The uniform playout: which moves it chooses from and how evenly, where it ends, what it counts.

Eyes are told twice more here, from the oracle's stones alone, one function for each eye rule.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from conftest import assert_same_board, to_point, to_rows, to_stones, to_vertex

from montego.go.board import Board
from montego.go.kernels.eye import is_enclosed, is_eye
from montego.go.kernels.layout import (
    KO,
    PASS,
    PASSES,
    SIZE,
    TO_PLAY,
    all_points,
    coordinates_of,
    empty_state,
    point_at,
)
from montego.go.kernels.position import position_hash
from montego.go.playout.knowledge import new_scratch
from montego.go.playout.uniform import uniform, uniform_enclosed
from montego.go.sampling.tally import tally_playouts
from montego.go.scoring import score_position
from montego.go.vocabulary.color import BLACK, WHITE, format_color
from montego.go.vocabulary.rules import parse_rules
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, TRACE, no_knowledge
from reference import Point, Reference, Stones, area_score, around, flood, other, points

if TYPE_CHECKING:
    from montego.jit import Kernel
    from montego.jit.state import Knowledge, Scratch, State

    Playout = Kernel[[State, Knowledge, Scratch], int]

BOTH_RULES = pytest.mark.parametrize(
    "playout", [uniform, uniform_enclosed], ids=lambda kernel: kernel.__name__
)


def eye_by_diagonals(stones: Stones, size: int, point: Point, color: int) -> bool:
    if any(stones.get(near) != color for near in around(point, size)):
        return False
    column, row = point
    corners = [(column + x, row + y) for x in (-1, 1) for y in (-1, 1)]
    inside = [corner for corner in corners if min(corner) >= 0 and max(corner) < size]
    held = sum(stones.get(corner) == other(color) for corner in inside)
    return held <= (1 if len(inside) == 4 else 0)


def eye_of_one_chain(stones: Stones, size: int, point: Point, color: int) -> bool:
    near = list(around(point, size))
    if any(stones.get(place) != color for place in near):
        return False
    return set(near) <= flood(stones, near[0], size)[0]


def candidates(game: Reference, playout: Playout) -> set[str]:
    """The vertices that a playout has to choose from."""
    is_spared = eye_by_diagonals if playout is uniform else eye_of_one_chain
    return {
        to_vertex(point)
        for point in game.legal(game.to_play)
        if not is_spared(game.stones, game.size, point, game.to_play)
    }


def trace(scratch: Scratch, size: int) -> list[str]:
    """The moves of the last playout as vertices."""
    moves = scratch[TRACE : TRACE + int(scratch[LENGTH])].tolist()
    return ["pass" if move == PASS else to_vertex(coordinates_of(move, size)) for move in moves]


def board_of(state: State) -> list[list[int]]:
    size = int(state[SIZE])
    colors = state[list(all_points(size))].tolist()
    return [colors[start : start + size] for start in range(0, size * size, size)]


def first_moves(playout: Playout, base: State, times: int, seed: int = 1) -> Counter[str]:
    size = int(base[SIZE])
    scratch = new_scratch(size, seed)
    scratch[LIMIT] = 1
    found: Counter[str] = Counter()
    for _ in range(times):
        playout(base.copy(), no_knowledge(), scratch)
        found.update(trace(scratch, size))
    return found


def play_out(playout: Playout, base: State, seed: int) -> tuple[int, State, Scratch]:
    scratch = new_scratch(int(base[SIZE]), seed)
    state = base.copy()
    return int(playout(state, no_knowledge(), scratch)), state, scratch


def random_position(size: int, moves: int, seed: int) -> tuple[Board, Reference]:
    """A board in the middle of a game, without eyes spared, and the oracle's view of it."""
    rng = random.Random(seed)
    board, oracle = Board(size), Reference(size, ko="simple")
    for _ in range(moves):
        legal = sorted(oracle.legal(oracle.to_play))
        move = rng.choice(legal) if legal else None
        board.play(oracle.to_play, to_vertex(move))
        oracle.play(oracle.to_play, move)
    return board, oracle


# Eyes.

EYES = [
    ("ring of eight", "B3", "X X X .\nX . X .\nX X X .\n. . . .", True, True),
    ("four stones", "B3", ". X . .\nX . X .\n. X . .\n. . . .", True, False),
    ("one diagonal lost", "C2", ". . . .\n. O X .\n. X . X\n. . X .", True, False),
    ("two diagonals lost", "C2", ". . . .\n. O X O\n. X . X\n. . X .", False, False),
    ("opposite diagonals lost", "C2", "O . . .\n. . X O\n. X . X\n. O X .", False, False),
    ("an enemy beside it", "B3", "X O X .\nX . X .\nX X X .\n. . . .", False, False),
    ("a liberty beside it", "B3", "X . X .\nX . X .\nX X X .\n. . . .", False, False),
    ("edge", "B4", "X . X .\nX X X .\n. . . .\n. . . .", True, True),
    ("edge, diagonals empty", "B4", "X . X .\n. X . .\n. . . .\n. . . .", True, False),
    ("edge, a diagonal lost", "B4", "X . X .\nX X O .\n. . . .\n. . . .", False, False),
    ("corner", "A4", ". X . .\nX X . .\n. . . .\n. . . .", True, True),
    ("corner, diagonal empty", "A4", ". X . .\nX . . .\n. . . .\n. . . .", True, False),
    ("corner, diagonal lost", "A4", ". X . .\nX O . .\n. . . .\n. . . .", False, False),
    ("corner, half open", "A4", ". X . .\n. X . .\n. . . .\n. . . .", False, False),
    ("nothing near", "C2", "X . . .\n. . . .\n. . . .\n. . . .", False, False),
    (
        "a corner that one chain surrounds the long way",
        "A1",
        "X X X X .\nX . . X .\nX . . X .\nX O . X .\n. X X X .",
        False,
        True,
    ),
    (
        "the middle of one chain, two diagonals lost",
        "C3",
        "X X X . . .\nX . X . . .\nX O X X . .\nX X . X . .\n. X X O . .\n. . . . . .",
        False,
        True,
    ),
    ("2x2", "A1", ". X\n. X", False, False),
    ("2x2, two stones", "A1", "X .\n. X", True, False),
    ("2x2, three stones", "A1", "X X\n. X", True, True),
]


@pytest.mark.small_boards
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("vertex", "picture", "diagonal", "enclosed"),
    [pytest.param(*case, id=name) for name, *case in EYES],
)
def test_eyes(vertex: str, picture: str, *, diagonal: bool, enclosed: bool, swapped: bool) -> None:
    color = BLACK
    if swapped:
        color = WHITE
        picture = picture.translate(str.maketrans("XO", "OX"))
    rows = to_rows(picture)
    size, where = len(rows), to_point(vertex)
    assert where is not None
    state = Board.from_rows(rows).state
    point = Index(point_at(*where, size))

    assert eye_by_diagonals(to_stones(rows), size, where, color) is diagonal
    assert eye_of_one_chain(to_stones(rows), size, where, color) is enclosed
    assert interpreted(is_eye)(state, point, color) == diagonal
    assert interpreted(is_enclosed)(state, point, color) == enclosed
    assert is_eye(state, point, color) == diagonal
    assert is_enclosed(state, point, color) == enclosed


@BOTH_RULES
@pytest.mark.parametrize("seed", range(12))
def test_eyes_in_random_positions(playout: Playout, seed: int) -> None:
    board, oracle = random_position(6, 60 + seed, seed)
    told, kernel = (
        (eye_by_diagonals, is_eye) if playout is uniform else (eye_of_one_chain, is_enclosed)
    )

    for point in points(6):
        if point not in oracle.stones:
            for color in (BLACK, WHITE):
                eye = kernel(board.state, Index(point_at(*point, 6)), color)
                assert eye == told(oracle.stones, 6, point, color), (to_vertex(point), color)


# The choice of a move.


def chi_square(found: Counter[str], expected: set[str]) -> float:
    mean = found.total() / len(expected)
    return sum((found[vertex] - mean) ** 2 / mean for vertex in expected)


@BOTH_RULES
def test_every_move_has_the_same_chance(playout: Playout) -> None:
    # Black may not play A1 (suicide) and spares A5; E1 is an eye by one rule only.
    rows = to_rows("""
        . X . . .
        X X . . .
        . . . . .
        O O . . X
        . O . X .
    """)
    game = Reference(5, ko="simple", stones=to_stones(rows))
    expected = candidates(game, playout)
    found = first_moves(playout, Board.from_rows(rows).state, times=20_000)

    assert set(found) == expected
    assert {"A1", "A5"}.isdisjoint(expected)
    assert ("E1" in expected) == (playout is uniform_enclosed)
    freedom = len(expected) - 1
    assert chi_square(found, expected) < freedom + 5 * (2 * freedom) ** 0.5


@BOTH_RULES
@pytest.mark.parametrize("size", [2, 3, 5])
def test_first_moves_on_an_empty_board_are_even(playout: Playout, size: int) -> None:
    expected = {to_vertex(point) for point in points(size)}
    found = first_moves(playout, empty_state(size), times=400 * size * size)
    freedom = len(expected) - 1

    assert set(found) == expected
    assert chi_square(found, expected) < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.small_boards
@BOTH_RULES
@pytest.mark.parametrize("seed", range(10))
def test_moves_come_from_the_legal_ones_that_fill_no_eye(playout: Playout, seed: int) -> None:
    board, oracle = random_position(4, 10 + 3 * seed, seed)
    expected = candidates(oracle, playout) or {"pass"}
    found = first_moves(playout, board.state, times=12 * len(expected))

    assert set(found) == expected, str(board)


@pytest.mark.small_boards
@BOTH_RULES
def test_a_ko_on_the_board_is_respected_at_once_and_no_longer(playout: Playout) -> None:
    board = Board.from_diagram("""
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        . . . . .
    """)
    board.play("black", "C4")
    assert board.ko == "B4"
    assert "B4" not in first_moves(playout, board.state, times=200)

    board.play("white", "pass")
    board.play("black", "pass")
    board.state[PASSES] = 0
    assert board.state[KO] == PASS
    assert "B4" in first_moves(playout, board.state, times=200)


@pytest.mark.small_boards
@BOTH_RULES
def test_the_only_move_left_is_found(playout: Playout) -> None:
    # Everything else is an eye or suicide; white's last liberty is at E1.
    board = Board.from_diagram("""
        . X . X .
        X X X X X
        X . X X X
        X X X X O
        X X X X .
    """)
    assert first_moves(playout, board.state, times=20) == {"E1": 20}


@pytest.mark.small_boards
@BOTH_RULES
def test_who_has_no_move_passes(playout: Playout) -> None:
    board = Board.from_diagram("X X\n. X")
    score, state, scratch = play_out(playout, board.state, seed=3)
    assert trace(scratch, 2)[0] == "pass"

    board.state[PASSES] = 1
    score, state, scratch = play_out(playout, board.state, seed=3)
    assert trace(scratch, 2) == ["pass"]
    assert score == 4
    assert board_of(state) == board.rows()


# The end of the game.


@pytest.mark.small_boards
@BOTH_RULES
def test_a_game_that_is_over_is_only_counted(playout: Playout) -> None:
    board = Board.from_diagram(". X O\nX X O\nX O .")
    board.state[PASSES] = 2
    score, state, scratch = play_out(playout, board.state, seed=1)

    assert int(scratch[LENGTH]) == 0
    assert score == 5 - 4
    assert board_of(state) == board.rows()


@pytest.mark.small_boards
@BOTH_RULES
def test_one_pass_before_the_start_is_forgotten_by_a_move(playout: Playout) -> None:
    base = empty_state(3)
    base[PASSES] = 1
    for seed in range(5):
        _, _, scratch = play_out(playout, base, seed)
        moves = trace(scratch, 3)
        assert moves[0] != "pass"
        assert len(moves) == int(scratch[LIMIT]) or moves[-2:] == ["pass", "pass"]


@pytest.mark.small_boards
@BOTH_RULES
@pytest.mark.parametrize("limit", [0, 1, 2, 7])
def test_a_limit_ends_the_game(playout: Playout, limit: int) -> None:
    scratch = new_scratch(5, seed=9)
    scratch[LIMIT] = limit
    before = scratch.copy()
    state = empty_state(5)
    playout(state, no_knowledge(), scratch)

    assert len(trace(scratch, 5)) == limit
    assert (scratch[TRACE + limit :] == before[TRACE + limit :]).all()
    assert np.count_nonzero(np.array(board_of(state))) == limit


def assert_finished(playout: Playout, base: State, seed: int) -> bool:
    """Check a playout against the board, the count, and whether anything was left to play.

    Says whether the game ended by passes; a game cut off at its limit has no exact count.
    """
    size, color = int(base[SIZE]), int(base[TO_PLAY])
    score, state, scratch = play_out(playout, base, seed)
    moves = trace(scratch, size)
    board = Board(size)
    for vertex in moves:
        board.play(color, vertex)
        color = other(color)
    assert_same_board(board_of(state), board.rows(), f"size {size}, seed {seed}")
    if moves[-2:] != ["pass", "pass"]:
        assert len(moves) == int(scratch[LIMIT])
        return False
    assert "pass,pass" not in ",".join(moves[:-1])
    stones = to_stones(board.rows())
    assert score == area_score(stones, size)
    assert score == score_position(board.rows(), parse_rules("tromp-taylor"), 0.0).margin
    for player in (BLACK, WHITE):
        left = Reference(size, ko="simple", stones=dict(stones), to_play=player)
        if size <= 9:
            assert candidates(left, playout) == set()
    return True


@pytest.mark.parametrize("size", range(2, 26))
def test_the_count_is_the_area_and_the_trace_is_a_legal_game(size: int) -> None:
    seeds = 60 if size <= 7 else 12 if size <= 13 else 3
    finished = [assert_finished(uniform, empty_state(size), seed) for seed in range(seeds)]

    assert any(finished)
    # Short cycles are common on the smallest boards only.
    assert all(finished) or size <= 4 or sum(finished) > 0.9 * seeds


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 9, 19])
def test_the_same_with_eyes_of_one_chain(size: int) -> None:
    for seed in range(20 if size < 19 else 3):
        assert_finished(uniform_enclosed, empty_state(size), seed)


@pytest.mark.small_boards
@BOTH_RULES
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_small_boards_end_well(playout: Playout, size: int) -> None:
    for seed in range(8):
        assert_finished(playout, empty_state(size), seed)


@pytest.mark.parametrize("seed", range(6))
def test_playouts_from_the_middle_of_a_game(seed: int) -> None:
    board, oracle = random_position(7, 5 * seed, seed)
    score, state, scratch = play_out(uniform, board.state, seed)
    for vertex in trace(scratch, 7):
        assert vertex in {"pass", *candidates(oracle, uniform)}
        move = to_point(vertex)
        board.play(format_color(oracle.to_play), vertex)
        oracle.play(oracle.to_play, move)

    assert_same_board(board_of(state), oracle.rows())
    assert oracle.is_over
    assert score == area_score(oracle.stones, 7)


# Twins, seeds and buffers.


@pytest.mark.small_boards
@BOTH_RULES
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_compiled_and_interpreted_play_the_same_games(playout: Playout, size: int) -> None:
    twin = interpreted(playout)
    for seed in range(4):
        first, second = new_scratch(size, seed), new_scratch(size, seed)
        state, other_state = empty_state(size), empty_state(size)
        assert playout(state, no_knowledge(), first) == twin(other_state, no_knowledge(), second)
        assert (first == second).all()
        assert (state == other_state).all()


@pytest.mark.small_boards
@BOTH_RULES
def test_a_seed_fixes_the_games_and_another_changes_them(playout: Playout) -> None:
    def games(seed: int) -> list[list[str]]:
        scratch = new_scratch(4, seed)
        found = []
        for _ in range(4):
            playout(empty_state(4), no_knowledge(), scratch)
            found.append(trace(scratch, 4))
        return found

    assert games(7) == games(7)
    assert games(7) != games(8)
    assert len({tuple(game) for game in games(7)}) == 4


@pytest.mark.small_boards
def test_many_playouts_leave_their_base_alone() -> None:
    base = empty_state(4)
    before = base.copy()
    work, scratch = base.copy(), new_scratch(4, seed=2)
    points = np.array(list(all_points(4)), np.uint64)
    owners, frequency, totals = (np.zeros(length, np.int64) for length in (16, 33, 1))

    tally_playouts(
        uniform, base, work, no_knowledge(), scratch, points, owners, frequency, totals, 6
    )

    assert (base == before).all()
    again = new_scratch(4, seed=2)
    scores, moves = [], 0
    for _ in range(6):
        state = base.copy()
        scores.append(int(uniform(state, no_knowledge(), again)))
        moves += int(again[LENGTH])
    assert (work == state).all()
    assert frequency.tolist() == [scores.count(score) for score in range(-16, 17)]
    assert totals.tolist() == [moves]
    assert owners.sum() == sum(scores)  # Nobody's points count for neither.
    assert position_hash(base) == 0
