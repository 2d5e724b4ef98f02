"""Tic-tac-toe, Connect 4 and Hex against rules written down again, slowly and obviously."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.games import GAMES, connect_four, hex, make_game, tic_tac_toe  # noqa: A004
from montego.jit import Kernel, interpreted
from montego.jit.index import Index
from montego.jit.state import LENGTH, TRACE, new_scratch, no_knowledge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.jit.state import Scratch, State
    from montego.mcts.game import GameDefinition

Cell = tuple[int, int]  # column, row
Board = dict[Cell, int]  # 0 for the first player's stones, 1 for the second's

KNOWLEDGE = no_knowledge()

DEFINITIONS: dict[str, Callable[[], GameDefinition]] = {
    "tic-tac-toe": tic_tac_toe.tic_tac_toe,
    "connect-four": connect_four.connect_four,
    "hex": lambda: hex.hex_game(5),
    "hex without swap": lambda: hex.hex_game(4, swap=False),
}
every_game = pytest.mark.parametrize("name", DEFINITIONS)


class Rules:
    """A game played on a dictionary. Moves and boards are checked one cell at a time."""

    def __init__(self, name: str) -> None:
        self.name = name.split(maxsplit=1)[0]
        self.swap = name == "hex"
        self.columns, self.rows = {
            "tic-tac-toe": (3, 3),
            "connect-four": (7, 6),
            "hex": (5, 5) if self.swap else (4, 4),
        }[self.name]
        self.board: Board = {}
        self.turn = 0
        self.moves = 0

    def legal_moves(self) -> set[int]:
        if self.score() != 0:
            return set()
        cells = itertools.product(range(self.columns), range(self.rows))
        empty = [cell for cell in cells if cell not in self.board]
        if self.name == "connect-four":
            return {column for column, _ in empty}
        moves = {row * self.columns + column for column, row in empty}
        if self.swap and self.moves == 1:
            moves.add(self.columns * self.rows)
        return moves

    def play(self, move: int) -> None:
        if self.name == "connect-four":
            height = sum(column == move for column, _ in self.board)
            self.board[move, height] = self.turn
        elif move == self.columns * self.rows:
            ((column, row),) = self.board
            self.board = {(row, column): 1}
        else:
            self.board[move % self.columns, move // self.columns] = self.turn
        self.turn = 1 - self.turn
        self.moves += 1

    def score(self) -> int:
        winners = [player for player in (0, 1) if self.has_won(player)]
        assert len(winners) < 2
        return 1 - 2 * winners[0] if winners else 0

    def has_won(self, player: int) -> bool:
        if self.name == "hex":
            return connected(self.board, self.columns, player)
        return in_line(self.board, player, 3 if self.name == "tic-tac-toe" else 4)


def in_line(board: Board, player: int, number: int) -> bool:
    return any(
        all(board.get((x + dx * step, y + dy * step)) == player for step in range(number))
        for x, y in board
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def connected(board: Board, size: int, player: int) -> bool:
    """The first player, 0, from row 0 to the last; the second from column 0 to the last."""
    axis = 1 - player
    todo = [cell for cell, owner in board.items() if owner == player and cell[axis] == 0]
    seen = set(todo)
    while todo:
        x, y = todo.pop()
        if (x, y)[axis] == size - 1:
            return True
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)):
            cell = x + dx, y + dy
            if board.get(cell) == player and cell not in seen:
                seen.add(cell)
                todo.append(cell)
    return False


def scratch_for(game: GameDefinition, seed: int = 0) -> Scratch:
    return new_scratch(game.longest_game, seed, game.scratch_room)


def legal(game: GameDefinition, state: State) -> list[int]:
    moves = np.full(game.move_count, -1, np.int32)
    count = game.legal_moves(state, KNOWLEDGE, scratch_for(game), moves)
    assert count >= 0
    return [int(move) for move in moves[:count]]


def play(game: GameDefinition, state: State, *moves: str) -> State:
    for move in moves:
        game.play(state, KNOWLEDGE, scratch_for(game), game.parse_move(state, move))
    return state


def score(game: GameDefinition, state: State) -> float:
    return game.score(state, KNOWLEDGE, scratch_for(game))


def twin(function: Callable[..., Any]) -> Callable[..., Any]:
    assert isinstance(function, Kernel)
    return interpreted(function)


def random_positions(game: GameDefinition, count: int) -> Iterator[State]:
    """Positions of random games at random moments, finished ones among them."""
    chance = random.Random(game.name)
    for _ in range(count):
        state = game.initial_state()
        for _ in range(chance.randrange(game.longest_game)):
            moves = legal(game, state)
            if not moves:
                break
            game.play(state, KNOWLEDGE, scratch_for(game), chance.choice(moves))
        yield state


# --- Rules ---


@pytest.mark.small_boards
@every_game
def test_random_games_follow_the_rules(name: str) -> None:
    game = DEFINITIONS[name]()
    for seed in range(60):
        chance = random.Random(seed)
        state, rules = game.initial_state(), Rules(name)
        while moves := legal(game, state):
            assert len(moves) == len(set(moves))
            assert set(moves) == rules.legal_moves()
            assert game.to_play(state) == rules.turn
            # The swap is one move of many; take it often enough.
            move = moves[-1] if chance.random() < 0.2 else chance.choice(moves)
            game.play(state, KNOWLEDGE, scratch_for(game), move)
            rules.play(move)
        assert not rules.legal_moves()
        assert score(game, state) == rules.score()


@every_game
def test_the_beginning_is_a_fresh_array_of_32_bit_integers(name: str) -> None:
    game = DEFINITIONS[name]()
    state = game.initial_state()
    assert state.dtype == np.int32
    assert state.flags.c_contiguous
    state[:] = 99
    assert not np.array_equal(game.initial_state(), state)


def test_tic_tac_toe_has_255168_games_and_5478_positions() -> None:
    game = tic_tac_toe.tic_tac_toe()
    games: dict[tuple[int, ...], tuple[int, int, int]] = {}

    def count(state: State) -> tuple[int, int, int]:
        """How many games go on from here that X wins, that O wins, that are drawn."""
        key = tuple(state.tolist())
        if key not in games:
            moves = legal(game, state)
            if not moves:
                games[key] = {1.0: (1, 0, 0), -1.0: (0, 1, 0), 0.0: (0, 0, 1)}[score(game, state)]
            else:
                ends = []
                for move in moves:
                    after = state.copy()
                    game.play(after, KNOWLEDGE, scratch_for(game), move)
                    ends.append(count(after))
                wins, losses, draws = zip(*ends, strict=True)
                games[key] = sum(wins), sum(losses), sum(draws)
        return games[key]

    assert count(game.initial_state()) == (131_184, 77_904, 46_080)
    assert len(games) == 5_478


def test_every_full_board_of_tic_tac_toe_has_the_right_winner() -> None:
    game = tic_tac_toe.tic_tac_toe()
    for owners in itertools.product((0, 1), repeat=9):
        if sum(owners) != 4:
            continue
        board = {(cell % 3, cell // 3): owner for cell, owner in enumerate(owners)}
        wins = [in_line(board, player, 3) for player in (0, 1)]
        if all(wins):
            continue  # Cannot come up: the first line ends the game.
        cells = [tic_tac_toe.CROSS if owner == 0 else tic_tac_toe.NOUGHT for owner in owners]
        assert score(game, np.array([*cells, 9], np.int32)) == wins[0] - wins[1]


def test_the_packed_tic_tac_toe_of_the_benchmark_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks" / "games")
    from packed_tic_tac_toe import packed_tic_tac_toe

    plain, packed = tic_tac_toe.tic_tac_toe(), packed_tic_tac_toe()
    chance = random.Random(1)
    for seed in range(200):
        one, two = plain.initial_state(), packed.initial_state()
        for _ in range(chance.randrange(9)):
            moves = legal(plain, one)
            assert legal(packed, two) == moves
            if moves:
                move = plain.format_move(one, chance.choice(moves))
                play(plain, one, move)
                play(packed, two, move)
        assert plain.format_state(one) == packed.format_state(two)
        assert plain.to_play(one) == packed.to_play(two)
        assert score(plain, one) == score(packed, two)
        mine, theirs = scratch_for(plain, seed), scratch_for(packed, seed)
        assert plain.playout(one, KNOWLEDGE, mine) == packed.playout(two, KNOWLEDGE, theirs)
        assert mine[:TRACE].tolist() == theirs[:TRACE].tolist()
        end = TRACE + int(mine[LENGTH])
        assert mine[TRACE:end].tolist() == theirs[TRACE:end].tolist()
        assert plain.format_state(one) == packed.format_state(two)


def test_connect_four_knows_all_69_lines_and_nothing_less() -> None:
    game = connect_four.connect_four()
    lines = [
        [(x + dx * step, y + dy * step) for step in range(4)]
        for x in range(7)
        for y in range(6)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        if x + 3 * dx < 7 and 0 <= y + 3 * dy < 6
    ]
    assert len(lines) == 69
    for line in lines:
        for player, expected in ((0, 1.0), (1, -1.0)):
            assert score(game, connect_four_state(line, player)) == expected
            assert legal(game, connect_four_state(line, player)) == []
            for missing in line:
                three = [cell for cell in line if cell != missing]
                assert score(game, connect_four_state(three, player)) == 0.0


def test_lines_of_connect_four_do_not_run_over_the_edge() -> None:
    game = connect_four.connect_four()
    for column in range(6):
        wrapped = [(column, 4), (column, 5), (column + 1, 0), (column + 1, 1)]
        assert score(game, connect_four_state(wrapped, 0)) == 0.0
    for row in range(6):
        wrapped = [(5, row), (6, row), (0, row), (1, row)]
        assert score(game, connect_four_state(wrapped, 0)) == 0.0


def connect_four_state(cells: list[Cell], player: int) -> State:
    """Stones that float in the air, the player having moved last."""
    mask = sum(1 << (7 * column + row) for column, row in cells)
    state = np.zeros(5, np.int32)
    state[2 * player], state[2 * player + 1] = mask & (1 << 28) - 1, mask >> 28
    state[4] = 1 - player
    return state


@pytest.mark.parametrize("size", [2, 3])
def test_every_full_hex_board_has_exactly_one_winner(size: int) -> None:
    for owners in itertools.product((0, 1), repeat=size * size):
        assert_one_winner(size, owners)


@pytest.mark.parametrize("size", [*range(4, 20), 26])
def test_random_full_hex_boards_have_exactly_one_winner(size: int) -> None:
    chance = random.Random(size)
    for _ in range(60):
        assert_one_winner(size, tuple(chance.randrange(2) for _ in range(size * size)))


def assert_one_winner(size: int, owners: tuple[int, ...]) -> None:
    state = hex.hex_game(size).initial_state()
    scratch = new_scratch(0, 0, size + 1)
    board = {(cell % size, cell // size): owner for cell, owner in enumerate(owners)}
    for (column, row), owner in board.items():
        if owner == 0:
            state[3 + row] |= 1 << column
        else:
            state[3 + size + column] |= 1 << row
    first = hex.connects(state, scratch, hex.LINES)
    second = hex.connects(state, scratch, hex.LINES + Index(size))
    assert first != second
    assert first == connected(board, size, 0)
    assert second == connected(board, size, 1)


def test_a_winding_hex_connection_is_found() -> None:
    # Down, up again and down: more than one sweep over the rows.
    game = hex.hex_game(7, swap=False)
    snake = "g1 g2 g3 g4 g5 g6 f6 e6 e5 e4 e3 e2 d2 c2 c3 c4 c5 b6 a7"
    others = "a1 b1 c1 d1 e1 f1 a2 b2 a3 a4 a5 a6 b3 b4 b5 d3 d4 d5 f2"
    state = game.initial_state()
    for mine, theirs in zip(snake.split(), others.split(), strict=True):
        assert legal(game, state)
        play(game, state, mine)
        if mine != "a7":
            play(game, state, theirs)
    assert legal(game, state) == []
    assert score(game, state) == 1.0


# --- The swap rule of Hex ---


def test_the_swap_is_offered_to_the_second_player_on_the_first_turn_only() -> None:
    game = hex.hex_game(4)
    state = game.initial_state()
    assert 16 not in legal(game, state)
    play(game, state, "b1")
    assert 16 in legal(game, state)
    play(game, state, "c3")
    assert 16 not in legal(game, state)
    play(game, state, "c1")
    assert 16 not in legal(game, state)


def test_to_swap_is_to_take_the_mirrored_stone() -> None:
    game = hex.hex_game(4)
    state = play(game, game.initial_state(), "d2", "swap")
    assert game.format_state(state).split("\n") == [
        "  a b c d",
        " 1 . . . .",
        "  2 . . . .",
        "   3 . . . .",
        "    4 . O . .",
    ]
    assert game.to_play(state) == 0
    assert game.parse_move(state, "d2") in legal(game, state)
    assert game.parse_move(state, "b4") not in legal(game, state)
    assert 16 not in legal(game, state)


def test_without_the_swap_rule_there_is_no_such_move() -> None:
    game = hex.hex_game(4, swap=False)
    assert game.move_count == 16
    state = play(game, game.initial_state(), "b1")
    assert len(legal(game, state)) == 15


# --- Playouts ---


@pytest.mark.small_boards
@every_game
def test_a_playout_leaves_a_trace_that_leads_to_its_score(name: str) -> None:
    game = DEFINITIONS[name]()
    scratch = scratch_for(game, seed=1)
    for state in random_positions(game, 100):
        after = state.copy()
        result = game.playout(after, KNOWLEDGE, scratch)
        trace = [int(move) for move in scratch[TRACE : TRACE + int(scratch[LENGTH])]]
        assert len(trace) == len(set(trace)) or game.name == "connect-four"
        for number, move in enumerate(trace):
            moves = legal(game, state)
            if not moves:
                # In Hex the trace goes on until the board is full.
                assert game.name == "hex"
                assert number >= 1
                break
            assert move in moves
            game.play(state, KNOWLEDGE, scratch, move)
        assert legal(game, state) == []
        assert score(game, state) == result
        if game.name != "hex":
            assert np.array_equal(state, after)


@every_game
def test_a_playout_of_a_finished_game_plays_nothing(name: str) -> None:
    game = DEFINITIONS[name]()
    finished = [state for state in random_positions(game, 200) if not legal(game, state)]
    assert finished
    for state in finished:
        scratch, after = scratch_for(game), state.copy()
        assert game.playout(after, KNOWLEDGE, scratch) == score(game, state)
        assert scratch[LENGTH] == 0
        assert np.array_equal(state, after)


@pytest.mark.small_boards
@every_game
def test_compiled_and_interpreted_playouts_are_the_same(name: str) -> None:
    game = DEFINITIONS[name]()
    slow = twin(game.playout)
    one, two = scratch_for(game, seed=7), scratch_for(game, seed=7)
    for state in random_positions(game, 40):
        other = state.copy()
        assert game.playout(state, KNOWLEDGE, one) == slow(other, KNOWLEDGE, two)
        assert np.array_equal(state, other)
        assert np.array_equal(one, two)


@every_game
def test_all_functions_are_kernels_with_interpreted_twins(name: str) -> None:
    game = DEFINITIONS[name]()
    assert game.is_compiled
    scratch = scratch_for(game)
    for state in random_positions(game, 30):
        fast, slow = np.zeros(game.move_count, np.int32), np.zeros(game.move_count, np.int32)
        count = game.legal_moves(state, KNOWLEDGE, scratch, fast)
        assert type(count) is int
        assert twin(game.legal_moves)(state, KNOWLEDGE, scratch, slow) == count
        assert np.array_equal(fast[:count], slow[:count])
        assert twin(game.score)(state, KNOWLEDGE, scratch) == score(game, state)
        for move in fast[:count].tolist():
            one, two = state.copy(), state.copy()
            game.play(one, KNOWLEDGE, scratch, move)
            twin(game.play)(two, KNOWLEDGE, scratch, move)
            assert np.array_equal(one, two)


def first_moves(game: GameDefinition, state: State, number: int) -> list[int]:
    scratch = scratch_for(game, seed=3)
    moves = []
    for _ in range(number):
        game.playout(state.copy(), KNOWLEDGE, scratch)
        moves.append(int(scratch[TRACE]))
    return moves


def assert_uniform(observed: list[object], kinds: int) -> None:
    """A chi-squared test five standard deviations wide."""
    expected = len(observed) / kinds
    counts = [observed.count(kind) for kind in set(observed)]
    assert len(counts) == kinds
    distance = sum((count - expected) ** 2 for count in counts) / expected
    assert distance < kinds - 1 + 5 * (2 * (kinds - 1)) ** 0.5


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("tic-tac-toe", ""),
        ("tic-tac-toe", "b2 a1 c3"),
        ("connect-four", ""),
        ("connect-four", "1 1 1 1 1 1 5 5 5 5 5 5 2"),
        ("hex", ""),
        ("hex", "b2 c3 d4 e1"),
    ],
)
def test_the_first_move_of_playouts_is_uniform(name: str, moves: str) -> None:
    game = DEFINITIONS[name]()
    state = play(game, game.initial_state(), *moves.split())
    assert_uniform(list(first_moves(game, state, 20_000)), len(legal(game, state)))


def test_every_order_of_filling_a_hex_board_is_equally_likely() -> None:
    game = hex.hex_game(2)
    scratch = scratch_for(game, seed=5)
    orders: list[object] = []
    for _ in range(24_000):
        game.playout(game.initial_state(), KNOWLEDGE, scratch)
        orders.append(tuple(scratch[TRACE : TRACE + 4].tolist()))
    assert_uniform(orders, 24)


def test_random_tic_tac_toe_has_its_exact_expectation() -> None:
    game = tic_tac_toe.tic_tac_toe()

    @cache
    def expectation(board: tuple[int, ...]) -> float:
        cells = {(cell % 3, cell // 3): mark for cell, mark in enumerate(board) if mark >= 0}
        for player in (0, 1):
            if in_line(cells, player, 3):
                return 1.0 - 2.0 * player
        empty = [cell for cell, mark in enumerate(board) if mark < 0]
        turn = (9 - len(empty)) % 2
        after = [(*board[:cell], turn, *board[cell + 1 :]) for cell in empty]
        return sum(map(expectation, after)) / len(after) if after else 0.0

    scratch, games = scratch_for(game), 40_000
    total = sum(game.playout(game.initial_state(), KNOWLEDGE, scratch) for _ in range(games))
    assert total / games == pytest.approx(expectation((-1,) * 9), abs=5 * 0.89 / games**0.5)


# --- Text ---


@every_game
def test_moves_survive_a_round_trip_through_text(name: str) -> None:
    game = DEFINITIONS[name]()
    state = game.initial_state()
    texts = [game.format_move(state, move) for move in range(game.move_count)]
    assert len(set(texts)) == game.move_count
    for move, text in enumerate(texts):
        assert game.parse_move(state, text) == move
        assert game.parse_move(state, f" {text.upper()} ") == move


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("tic-tac-toe", "a1", 0),
        ("tic-tac-toe", "b2", 4),
        ("tic-tac-toe", "c1", 2),
        ("connect-four", "1", 0),
        ("connect-four", "7", 6),
        ("hex", "a1", 0),
        ("hex", "b1", 1),
        ("hex", "a2", 5),
        ("hex", "e5", 24),
        ("hex", "swap", 25),
    ],
)
def test_texts_mean_what_people_mean(name: str, text: str, move: int) -> None:
    game = DEFINITIONS[name]()
    assert game.parse_move(game.initial_state(), text) == move


@every_game
@pytest.mark.parametrize(
    "text",
    ["", " ", "b", "0", "8", "a0", "b-1", "z9", "a99", "1a", "b2b2", "é1", "a²", "a1 b1", "a٣"],
)
def test_nonsense_is_no_move(name: str, text: str) -> None:
    game = DEFINITIONS[name]()
    with pytest.raises(ValueError, match=r"invalid (cell|column) .*: say "):
        game.parse_move(game.initial_state(), text)


def test_pictures_of_positions() -> None:
    game = make_game("tic-tac-toe")
    assert game.format_state(play(game, game.initial_state(), "b2", "a1", "c1")) == (
        "3 . . .\n2 . X .\n1 O . X\n  a b c"
    )
    game = make_game("connect-four")
    assert game.format_state(play(game, game.initial_state(), "4", "4", "7", "1")) == (
        ". . . . . . .\n" * 4 + ". . . O . . .\nO . . X . . X\n1 2 3 4 5 6 7"
    )
    game = make_game("hex", size=3)
    assert game.format_state(play(game, game.initial_state(), "b1", "a3")) == (
        "  a b c\n 1 . X .\n  2 . . .\n   3 O . ."
    )


# --- The list of games ---


def test_the_list_of_games_loads_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, montego.games; montego.games.GAMES; "
        "sys.exit(bool({'numpy', 'numba'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", GAMES)
def test_every_listed_game_can_be_made(name: str) -> None:
    game = make_game(name)
    assert game.name == name
    assert game.is_compiled
    assert GAMES[name].meaning


def test_games_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess': say one of tic-tac-toe, "):
        make_game("chess")
    with pytest.raises(ValueError, match="connect-four has only one size"):
        make_game("connect-four", size=8)
    for size in (-1, 0, 1, 27):
        with pytest.raises(ValueError, match=f"invalid size {size}: .* 2 to 26"):
            make_game("hex", size=size)
