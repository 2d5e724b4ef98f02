"""Key positions: categories of points, the Bézier curve, the order of moves that comes of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from go_positions import to_index, to_name
from montego.engine.knowledge.definition import go_game
from montego.go.kernels.key_positions import (
    BEST,
    CATEGORIES,
    bezier_points,
    category_at,
    category_for,
    category_of,
    draw_category,
    key_positions_room,
    order_by_key_positions,
)
from montego.go.kernels.layout import empty_state
from montego.jit import interpreted
from montego.jit.state import new_scratch
from montego.mcts import Config, Search

# The document's figure 4.20, a quarter of it; what it does not show is less than 3.
FIGURE = """
    0 1 2 3 4 3 2 2 3 4
    1 2 3 4 5 4 3 3 4 5
    2 3 4 5 6 5 4 4 5 6
    3 4 5 6 7 6 5 5 6 7
    4 5 6 7 8 7 6 6 7 8
    3 4 5 6 7 6 5 5 6 7
    2 3 4 5 6 5 4 4 5 6
    2 3 4 5 6 5 4 3 4 5
    3 4 5 6 7 6 5 4 3 4
    4 5 6 7 8 7 6 5 4 3
"""


def test_the_categories_of_19x19_are_the_document_s_figure() -> None:
    rows = [[int(number) for number in line.split()] for line in FIGURE.split("\n") if line.strip()]
    for row, line in enumerate(rows):
        for column, expected in enumerate(line):
            for x, y in [(column, row), (18 - column, row), (column, 18 - row), (row, column)]:
                assert category_of(x, y, 19) == expected, (x, y)


@pytest.mark.parametrize("size", range(2, 26))
def test_categories_of_every_size(size: int) -> None:
    found = {(x, y): category_of(x, y, size) for x in range(size) for y in range(size)}
    assert max(found.values()) == BEST
    assert min(found.values()) >= 0
    if size > 5:
        assert found[0, 0] == 0
    for (x, y), category in found.items():
        assert category == found[y, x] == found[size - 1 - x, y] == found[x, size - 1 - y]


def test_key_points_of_usual_sizes() -> None:
    for size, lines in [(9, (2, 4, 6)), (13, (3, 6, 9)), (19, (4, 9, 14))]:
        best = {(x, y) for x in range(size) for y in range(size) if category_of(x, y, size) == BEST}
        middle = lines[1]
        assert best == {(x, y) for x in lines for y in lines} - {(middle, middle)}


@pytest.mark.small_boards
def test_the_table_of_the_kernel_is_the_function() -> None:
    for size in (5, 9):
        state = empty_state(size)
        for vertex in ("A1", "C3", "E5", "B4"):
            column, row = "ABCDE".index(vertex[0]), int(vertex[1]) - 1
            told = category_at(state, to_index(vertex, size))
            assert int(told) == category_of(column, row, size)


# The curve.


def test_the_curve_is_a_bezier_curve_sorted_by_x() -> None:
    line = bezier_points(((0, 0), (1 / 3, 3), (2 / 3, 6), (1, 9)), 10)
    assert np.allclose(line, [(number / 9, number) for number in range(10)])
    curve = bezier_points()
    assert list(curve) == sorted(curve)
    assert curve[0] == (0.0, 0.0)
    assert curve[-1] == (1.0, float(CATEGORIES))
    assert [y for _, y in curve] == sorted(y for _, y in curve)


def test_numbers_stand_for_categories_the_better_for_more() -> None:
    steps = 20_000
    shares = Counter(category_for(number / steps) for number in range(steps))
    assert set(shares) == set(range(CATEGORIES))
    assert category_for(0.0) == 0
    assert category_for(1.0) == BEST
    assert shares[BEST] > shares[6] > shares[5]
    assert shares[7] + shares[8] > steps / 2


@pytest.mark.small_boards
def test_the_kernel_draws_as_the_curve_says() -> None:
    scratch, twin = new_scratch(1, 4), new_scratch(1, 4)
    drawn = [int(draw_category(scratch)) for _ in range(300)]
    assert drawn == [int(interpreted(draw_category)(twin)) for _ in range(300)]
    assert (scratch == twin).all()
    good = sum(category >= 7 for category in drawn)
    expected = sum(category_for(number / 300) >= 7 for number in range(300))
    assert abs(good - expected) < 45


# The order of moves.


def ordered(size: int, vertices: list[str], seed: int, *, slow: bool = False) -> list[str]:
    moves = np.array([int(to_index(vertex, size)) for vertex in vertices] + [7], np.int32)
    scratch = new_scratch(1, seed, key_positions_room(size))
    order = interpreted(order_by_key_positions) if slow else order_by_key_positions
    order(empty_state(size), scratch, moves, len(vertices))
    assert moves[-1] == 7
    return [to_name(int(move), size) for move in moves[:-1]]


BOARD = [f"{column}{row}" for column in "ABCDEFGHJ" for row in range(1, 10)]


@pytest.mark.small_boards
def test_the_order_has_every_move_once_and_depends_on_the_seed() -> None:
    first = ordered(9, BOARD, 1)
    assert sorted(first) == sorted(BOARD)
    assert first == ordered(9, BOARD, 1) == ordered(9, BOARD, 1, slow=True)
    assert first != ordered(9, BOARD, 2)
    assert ordered(9, ["A1", "A9"], 3) in (["A1", "A9"], ["A9", "A1"])
    assert ordered(9, ["A1"], 3) == ["A1"]
    assert ordered(9, [], 3) == []


def test_key_positions_come_first_more_often() -> None:
    early: Counter[int] = Counter()
    where = {vertex: ("ABCDEFGHJ".index(vertex[0]), int(vertex[1]) - 1) for vertex in BOARD}
    for seed in range(300):
        for vertex in ordered(9, BOARD, seed)[:8]:
            early[category_of(*where[vertex], 9)] += 1
    sizes = Counter(category_of(*place, 9) for place in where.values())
    rates = {category: early[category] / sizes[category] for category in sizes}
    assert rates[8] > 2 * rates[6] > 0
    assert rates[8] > 5 * rates[0]


# In the search.


def test_a_search_visits_key_positions_first() -> None:
    game = go_game(9, key_positions=True)
    config = Config(simulations=9, selection="ucb1", early_stop=False)
    shares = []
    for order in ("game", "random"):
        tried: Counter[int] = Counter()
        for seed in range(30):
            search = Search(game, replace(config, move_order=order, seed=seed))
            for candidate in search.run().candidates:
                vertex = game.format_move(game.initial_state(), candidate.move)
                if candidate.visits and vertex != "pass":
                    column, row = "ABCDEFGHJ".index(vertex[0]), int(vertex[1]) - 1
                    tried[category_of(column, row, 9)] += 1
        shares.append((tried[8] + tried[6]) / tried.total())
    assert shares[0] > shares[1] + 0.15


def test_moves_in_the_games_order_are_deterministic_and_all_there() -> None:
    plain, keyed = go_game(5), go_game(5, key_positions=True)
    for game in (plain, keyed):
        runs = [
            Search(game, Config(simulations=100, move_order="game", seed=3)).run() for _ in range(2)
        ]
        moves = [[(c.move, c.visits) for c in run.candidates] for run in runs]
        assert moves[0] == moves[1]
        assert len(moves[0]) == 26
