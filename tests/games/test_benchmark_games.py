"""Gomoku, Othello and Breakthrough of the benchmarks against rules written down again, slowly."""

from __future__ import annotations

import random
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from montego.jit.state import new_scratch
from montego.mcts import Config, Search, check_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.jit.state import State
    from montego.mcts import GameDefinition

NAMES = ("gomoku", "othello", "breakthrough")
Cell = tuple[int, int]  # column and row, from the top left
Board = dict[Cell, int]  # 0 for the first player's stones, 1 for the second's
DIRECTIONS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if right or down]


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Find the games, which are modules beside the scripts."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks" / "games")
    yield
    for name in NAMES:
        sys.modules.pop(name, None)


def game_of(name: str) -> GameDefinition:
    game: GameDefinition = import_module(name).game
    return game


def name_of(cell: Cell, height: int | None = None) -> str:
    """The text of a cell; rows are counted from above, or from below if the height is given."""
    column, row = cell
    return f"{chr(ord('a') + column)}{row + 1 if height is None else height - row}"


class Gomoku:
    size = 15

    def __init__(self) -> None:
        self.board: Board = {}
        self.turn = 0

    def cells(self) -> list[Cell]:
        return [(column, row) for row in range(self.size) for column in range(self.size)]

    def winner(self) -> int | None:
        for (column, row), owner in self.board.items():
            for right, down in DIRECTIONS:
                line = [(column + right * step, row + down * step) for step in range(5)]
                if all(self.board.get(cell) == owner for cell in line):
                    return owner
        return None

    def legal_moves(self) -> dict[str, Cell]:
        if self.winner() is not None:
            return {}
        return {name_of(cell): cell for cell in self.cells() if cell not in self.board}

    def play(self, text: str) -> None:
        self.board[self.legal_moves()[text]] = self.turn
        self.turn = 1 - self.turn

    def score(self) -> int:
        winner = self.winner()
        return 0 if winner is None else 1 - 2 * winner

    def picture(self) -> list[str]:
        marks = {None: ".", 0: "X", 1: "O"}
        return [
            "".join(marks[self.board.get((column, row))] for column in range(self.size))
            for row in range(self.size)
        ]


class Othello(Gomoku):
    size = 8

    def __init__(self) -> None:
        super().__init__()
        self.board = {(3, 3): 1, (4, 4): 1, (4, 3): 0, (3, 4): 0}

    def turned(self, cell: Cell, player: int) -> list[Cell]:
        if cell in self.board:
            return []
        found: list[Cell] = []
        for right, down in DIRECTIONS:
            line = [(cell[0] + right * step, cell[1] + down * step) for step in range(1, self.size)]
            owners = [self.board.get(place) for place in line]
            if player in owners:
                before = owners[: owners.index(player)]
                if all(owner == 1 - player for owner in before):
                    found += line[: len(before)]
        return found

    def targets(self, player: int) -> dict[str, Cell]:
        return {name_of(cell): cell for cell in self.cells() if self.turned(cell, player)}

    def legal_moves(self) -> dict[str, Cell]:
        found = self.targets(self.turn)
        return found or ({"pass": (-1, -1)} if self.targets(1 - self.turn) else {})

    def play(self, text: str) -> None:
        if text != "pass":
            cell = self.legal_moves()[text]
            for place in [*self.turned(cell, self.turn), cell]:
                self.board[place] = self.turn
        self.turn = 1 - self.turn

    def score(self) -> int:
        return sum(1 - 2 * owner for owner in self.board.values())


class Breakthrough(Gomoku):
    size = 8

    def __init__(self) -> None:
        super().__init__()
        self.board = {cell: int(cell[1] > 5) for cell in self.cells() if not 1 < cell[1] < 6}

    def winner(self) -> int | None:
        for player, far in ((0, 7), (1, 0)):
            arrived = any(row == far and owner == player for (_, row), owner in self.board.items())
            if arrived or 1 - player not in self.board.values():
                return player
        return None

    def steps(self) -> dict[str, tuple[Cell, Cell]]:
        found = {}
        for (column, row), owner in self.board.items():
            for right in (-1, 0, 1):
                to = column + right, row + (1 if self.turn == 0 else -1)
                free = to in self.cells() and self.board.get(to) in (
                    (None,) if right == 0 else (None, 1 - self.turn)
                )
                if owner == self.turn and free:
                    found[name_of((column, row), 8) + name_of(to, 8)] = ((column, row), to)
        return found

    def legal_moves(self) -> dict[str, Cell]:
        return (
            {}
            if self.winner() is not None
            else {text: to for text, (_, to) in self.steps().items()}
        )

    def play(self, text: str) -> None:
        start, to = self.steps()[text]
        self.board[to] = self.board.pop(start)
        self.turn = 1 - self.turn


RULES = {"gomoku": Gomoku, "othello": Othello, "breakthrough": Breakthrough}
GAMES = {"gomoku": 6, "othello": 12, "breakthrough": 12}


def picture_of(game: GameDefinition, state: State, size: int) -> list[str]:
    """The marks on the board, without letters and numbers around them."""
    lines = game.format_state(state).splitlines()
    marks = ["".join(mark for mark in line if mark in ".XO") for line in lines]
    return [line for line in marks if len(line) == size]


@pytest.mark.parametrize("name", NAMES)
def test_the_games_of_the_benchmarks_are_games(name: str) -> None:
    check_game(game_of(name), games=11)


@pytest.mark.parametrize("name", NAMES)
def test_random_games_are_those_of_the_plain_rules(name: str) -> None:
    game, chance = game_of(name), random.Random(1)
    ends = set()
    for _ in range(GAMES[name]):
        search, rules = Search(game, Config(simulations=1, memory=2.0)), RULES[name]()
        while True:
            state = search.state
            legal = {game.format_move(state, move): move for move in search.legal_moves()}
            assert legal.keys() == rules.legal_moves().keys()
            assert picture_of(game, state, rules.size) == rules.picture()
            if not legal:
                break
            assert game.to_play(state) == rules.turn
            text = chance.choice(sorted(legal))
            assert game.parse_move(state, text) == legal[text]
            search.play(legal[text])
            rules.play(text)
        scratch = new_scratch(game.longest_game, 1)
        score = game.score(search.state, game.knowledge, scratch)
        assert score == rules.score()
        ends.add(np.sign(score))
    assert {-1, 1} <= ends


@pytest.mark.parametrize(
    ("name", "text"),
    [("gomoku", ""), ("gomoku", "p1"), ("gomoku", "a16"), ("gomoku", "a0"), ("othello", "i1"),
     ("othello", "a"), ("breakthrough", "a7"), ("breakthrough", "a2a3")],
)  # fmt: skip
def test_what_is_no_move_is_refused(name: str, text: str) -> None:
    game = game_of(name)
    with pytest.raises(ValueError, match="invalid"):
        game.parse_move(game.initial_state(), text)


FIVES = {
    "in a row": ["a1", "b1", "c1", "d1", "e1"],
    "at the right edge": ["k15", "l15", "m15", "n15", "o15"],
    "down": ["h4", "h5", "h6", "h7", "h8"],
    "on a diagonal": ["c3", "d4", "e5", "f6", "g7"],
    "on the other one": ["g3", "f4", "e5", "d6", "c7"],
    "six": ["a1", "b1", "c1", "e1", "f1", "d1"],
}


@pytest.mark.parametrize("cells", FIVES.values(), ids=FIVES)
def test_five_stones_win_in_gomoku_and_four_do_not(cells: list[str]) -> None:
    game = game_of("gomoku")
    search = Search(game, Config(simulations=1, memory=2.0))
    elsewhere = ["a9", "c9", "e9", "g9", "i9"]
    for mine, theirs in zip(cells, elsewhere, strict=False):
        assert search.legal_moves()
        search.play(game.parse_move(search.state, mine))
        if search.legal_moves():
            search.play(game.parse_move(search.state, theirs))
    if search.legal_moves():
        search.play(game.parse_move(search.state, cells[-1]))
    assert search.legal_moves() == []


def test_five_across_the_edge_do_not_win() -> None:
    game = game_of("gomoku")
    search = Search(game, Config(simulations=1, memory=2.0))
    for mine, theirs in zip(
        ["n1", "o1", "a2", "b2", "c2"], ["a9", "c9", "e9", "g9", "i9"], strict=True
    ):
        search.play(game.parse_move(search.state, mine))
        search.play(game.parse_move(search.state, theirs))
    assert search.legal_moves()


@pytest.mark.parametrize("solver", [False, True])
def test_an_open_four_is_won_with_fewer_simulations_than_moves(*, solver: bool) -> None:
    game = game_of("gomoku")
    position = Search(game, Config(simulations=1, memory=2.0))
    for text in ("e8", "a1", "f8", "a3", "g8", "a5", "h8", "a7"):
        position.play(game.parse_move(position.state, text))
    assert len(position.legal_moves()) == 217
    wins = 0
    for seed in range(20):
        config = Config(simulations=200, solver=solver, seed=seed, memory=20.0)
        move = Search(game, config, state=position.state).run().move
        assert move is not None
        wins += game.format_move(position.state, move) in ("d8", "i8")
    assert wins == 20
