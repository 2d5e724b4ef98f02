"""The plain-Python boards of the experiments against the rules, and their two sets of moves."""

from __future__ import annotations

import random

import pytest

import reference
from montego.experiments.boards.grid import (
    BLACK,
    MOVES_PER_POINT,
    WHITE,
    LadderBoard,
    count_points,
    opponent,
)
from montego.experiments.boards.iteration import PlainNode, iterate, most_visited, play_out
from montego.experiments.boards.ladder import LADDER
from montego.experiments.boards.move_sets import IndexedSet, OrderStatisticTree

SETS = [IndexedSet, OrderStatisticTree]


def coordinates(point: int, size: int) -> reference.Point:
    row, column = divmod(point, size)
    return column, row


def moves_by_the_rules(game: reference.Reference, color: int) -> set[reference.Point]:
    """Legal moves that do not fill a point whose neighbors are all of one chain of the color."""
    found = set()
    for point in game.legal(color):
        around = list(reference.around(point, game.size))
        chains = [
            reference.flood(game.stones, near, game.size)[0]
            for near in around
            if game.stones.get(near) == color
        ]
        if len(chains) < len(around) or not chains[0].issuperset(around):
            found.add(point)
    return found


@pytest.mark.parametrize("name", LADDER)
def test_board_has_the_moves_and_stones_of_the_rules(name: str) -> None:
    """After every move of random games; small boards have many kos and captures."""
    kos = sum(
        play_beside_the_rules(name, size, seed)
        for size, games in ((2, 10), (3, 20), (5, 8), (7, 2))
        for seed in range(games)
    )
    assert kos > 5, "hardly a ko came up: the test says little about them"


def play_beside_the_rules(name: str, size: int, seed: int) -> int:
    """Play a random game on the board and on the reference; return how many kos there were."""
    draw = random.Random(f"{name} {size} {seed}")
    board = LADDER[name].board(size)
    game = reference.Reference(size, ko="simple")
    kos = passes = 0
    for _ in range(MOVES_PER_POINT * size * size):
        moves = moves_by_the_rules(game, game.to_play)
        kos += game.barred is not None
        assert board.to_play == game.to_play
        assert {coordinates(move, size) for move in board.moves()} == moves
        assert len(board.moves()) == len(moves)
        drawn = board.random_move(draw)
        assert (drawn is None) == (not moves)
        twin = board.copy()
        board.play(drawn)
        taken = game.play(game.to_play, None if drawn is None else coordinates(drawn, size))
        assert sum(board.taken) - sum(twin.taken) == taken
        assert board.taken[board.to_play] - twin.taken[board.to_play] == taken
        expected = [game.stones.get(coordinates(p, size), 0) for p in range(size * size)]
        assert list(board.colors()) == expected
        # The copy has not moved, and moves the same way.
        assert {coordinates(move, size) for move in twin.moves()} == moves
        twin.play(drawn)
        assert list(twin.colors()) == expected
        passes = passes + 1 if drawn is None else 0
        if passes == 2:
            break
    return kos


def set_up(board: LadderBoard, black: list[int], white: list[int], to_play: int) -> None:
    """Place stones by playing and passing."""
    for color, stones in ((BLACK, black), (WHITE, white)):
        for stone in stones:
            if board.to_play != color:
                board.play(None)
            board.play(stone)
    if board.to_play != to_play:
        board.play(None)


@pytest.mark.parametrize("name", LADDER)
def test_ko_is_forbidden_and_snapback_is_not(name: str) -> None:
    """000's shortcut, no move where a single stone was just taken, would forbid both."""
    # . X O .   White at 5 takes the stone at 6.
    # X . X O
    # . X O .
    # . . . .
    board = LADDER[name].board(4)
    set_up(board, [1, 4, 9, 6], [2, 7, 10], WHITE)
    board.play(5)
    assert board.colors()[6] == 0
    assert 6 not in board.moves()
    board.play(15)
    board.play(14)
    assert 6 in board.moves()

    # . X O .   White at 0 takes the stone at 1, and Black at 1 takes three stones back.
    # O O X .
    # X X . .
    # . . . .
    board = LADDER[name].board(4)
    set_up(board, [1, 6, 8, 9], [2, 4, 5], WHITE)
    board.play(0)
    assert board.colors()[1] == 0
    assert 1 in board.moves()
    board.play(1)
    assert [board.colors()[stone] for stone in (0, 4, 5)] == [0, 0, 0]


@pytest.mark.parametrize("name", LADDER)
def test_random_moves_are_equally_likely(name: str) -> None:
    board = LADDER[name].board(3)
    for move in (0, 4, 1):
        board.play(move)
    counts = dict.fromkeys(board.moves(), 0)
    draw = random.Random(5)
    for _ in range(600):
        drawn = board.random_move(draw)
        assert drawn is not None
        counts[drawn] += 1
    expected = 600 / len(counts)
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 25


@pytest.mark.parametrize("name", LADDER)
def test_points_are_prisoners_and_eyes(name: str) -> None:
    # X X .    Black has taken the stone at 3, which is an eye now; two points touch both colors.
    # . X O
    # X X .
    board = LADDER[name].board(3)
    set_up(board, [0, 1, 4, 7], [5, 3], BLACK)
    board.play(6)
    assert list(board.colors()) == [1, 1, 0, 0, 1, 2, 1, 1, 0]
    assert count_points(board) == 2


@pytest.mark.parametrize("name", LADDER)
def test_random_game_ends_and_fills_the_board(name: str) -> None:
    board = LADDER[name].board(5)
    score = play_out(board, random.Random(3))
    assert -25 <= score <= 25
    assert not board.moves()
    board.play(None)
    assert not board.moves()


def test_all_boards_play_the_same_random_games_on_average() -> None:
    means = {}
    for name, step in LADDER.items():
        draw = random.Random(11)
        scores = [play_out(step.board(3), draw) for _ in range(150)]
        means[name] = sum(scores) / len(scores)
    # A game on 3x3 has a standard deviation of about 7 points.
    assert max(means.values()) - min(means.values()) < 3.5, means


@pytest.mark.parametrize("name", ["naive", "numerical"])
def test_search_finds_the_capture(name: str) -> None:
    # O O O .   White at 11 takes Black's stones; at 3 Black gets away by 11.
    # X X X X
    # X X X .
    # O O O .
    board = LADDER[name].board(4)
    set_up(board, [4, 5, 6, 7, 8, 9, 10], [0, 1, 2, 12, 13, 14], WHITE)
    root, draw = PlainNode(mover=0, untried=board.moves()), random.Random(2)
    for _ in range(200):
        iterate(root, board, draw, play_out)
    assert most_visited(root) == 11


def test_iteration_adds_one_node_and_backs_up_both_views() -> None:
    root = PlainNode(mover=WHITE, untried=LADDER["numerical"].board(3).moves())
    draw = random.Random(4)
    for number in range(1, 30):
        iterate(root, LADDER["numerical"].board(3), draw, play_out)
        assert root.visits == number
    assert len(root.children) == 9
    assert sum(child.visits for child in root.children) == 29
    assert root.wins + sum(child.wins for child in root.children) == 29
    assert opponent(root.mover) == root.children[0].mover


@pytest.mark.parametrize("kind", SETS)
def test_sets_agree_with_a_set(kind: type[IndexedSet | OrderStatisticTree]) -> None:
    draw = random.Random(7)
    ours, expected = kind([5, 3]), {5, 3}
    for _ in range(2000):
        element = draw.randrange(60)
        if draw.random() < 0.5:
            ours.add(element)
            expected.add(element)
        elif element in expected:
            ours.remove(element)
            expected.remove(element)
        else:
            with pytest.raises(KeyError):
                ours.remove(element)
        assert len(ours) == len(expected)
        assert (element in ours) == (element in expected)
    assert sorted(ours) == sorted(expected)
    twin = ours.copy()
    twin.remove(next(iter(expected)))
    assert sorted(ours) == sorted(expected)
    assert {ours.draw(draw) for _ in range(3000)} == expected
    with pytest.raises(IndexError):
        kind([]).draw(draw)


def test_tree_is_balanced_and_knows_the_order() -> None:
    draw = random.Random(9)
    for elements in (list(range(500)), draw.sample(range(500), 500)):
        tree = OrderStatisticTree(elements)
        for element in draw.sample(elements, 250):
            tree.remove(element)
        left = sorted(tree)
        assert [tree[index] for index in range(250)] == left
        assert tree._root is not None
        assert tree._root.height <= 1.44 * 8 + 1  # 1.44 log2 n, for 250 elements
        for index in (-1, 250):
            with pytest.raises(IndexError):
                tree[index]
