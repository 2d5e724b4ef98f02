"""Copies of games, and what superko leaves of the legal moves."""

from __future__ import annotations

import random
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go import Board, Game

VERTICES = [f"{column}{row}" for column in "ABC" for row in (1, 2, 3)]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([*VERTICES, "pass"]), max_size=40),
    st.sampled_from(["aga", "chinese-ogs", "tromp-taylor", "new-zealand"]),
    st.booleans(),
)
def test_legal_moves_are_those_without_a_fault(
    moves: list[str], rules: str, begins_set_up: bool
) -> None:
    game = Game(3, rules=rules)
    if begins_set_up:
        game.setup(black=["A1", "B2"], white=["C3"], to_play="black")
    for move in moves:
        if game.fault(game.to_play, move) is None:
            game.play(game.to_play, move)
        for color in ("black", "white"):
            expected = {vertex for vertex in VERTICES if game.fault(color, vertex) is None}
            assert set(game.legal_moves(color)) == expected


def test_copies_go_their_own_ways() -> None:
    game = Game(5, rules="aga")
    game.play("black", "C3")
    twin = game.copy()
    twin.play("white", "B2")
    game.play("white", "D4")
    game.undo()
    assert [move.vertex for move in game.moves] == ["C3"]
    assert [move.vertex for move in twin.moves] == ["C3", "B2"]
    assert twin.board.color_at("B2") == "white"
    assert game.board.color_at("B2") is None
    twin.mark_dead(["B2"])
    game.komi = 0.5
    assert twin.komi == 7.5


def test_other_rules_of_the_original_do_not_reach_a_copy() -> None:
    game = Game(4, rules="chinese")
    game.setup(white=["A3", "B3", "C2", "C1"], black=["A2", "B1", "B2"], to_play="black")
    copy = game.copy()
    game.rules = "tromp-taylor"
    assert game.fault("black", "A1") is None
    assert copy.fault("black", "A1") == "suicide"
    copy.rules = "new-zealand"
    game.rules = "chinese"
    assert (game.fault("black", "A1"), copy.fault("black", "A1")) == ("suicide", None)


def random_game(size: int, rules: str, moves: int, seed: int = 1) -> Game:
    """A game of random moves, now and then a pass."""
    choice = random.Random(seed)
    game = Game(size, rules=rules)
    for _ in range(moves):
        game.play(game.to_play, choice.choice([*game.legal_moves(), "pass"]))
    return game


@pytest.mark.parametrize("rules", ["japanese", "chinese-ogs", "tromp-taylor", "aga-button"])
def test_every_position_of_a_long_game_comes_back(rules: str) -> None:
    choice, game = random.Random(2), Game(5, rules=rules)
    seen = [everything(game)]
    for number in range(300):
        if number == 100:
            game.give_turn("white" if game.to_play == "black" else "black")
            seen[-1] = everything(game)
        if number == 170:
            game.setup(empty=["A1", "B2"], to_play="white")
        else:
            game.play(game.to_play, choice.choice([*game.legal_moves(), "pass"]))
        seen.append(everything(game))
    copy = game.copy()
    copy.undo(250)

    assert everything(copy) == seen[50]
    for expected in reversed(seen[:-1]):
        game.undo()
        assert everything(game) == expected
    assert game.history == []


def everything(game: Game) -> tuple[object, ...]:
    return str(game), game.ko, game.passes, game.positions, game.legal_moves(), game.board.hash


def test_a_long_game_and_its_copies_take_little_memory() -> None:
    tracemalloc.start()
    try:
        game = Game(19, rules="chinese-ogs")
        copies = []
        for _ in range(1_500):
            game.play("black", "pass")
            game.play("white", "pass")
            copies.append(game.copy())
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(copies[-1].moves) == 3_000
    assert size < 40e6  # All boards would take 52 MB, and lists of all steps 18 MB.


def test_boards_and_games_agree_about_legal_moves_on_larger_boards() -> None:
    for seed in range(6):
        for rules in ("japanese", "tromp-taylor"):
            game = random_game(7, rules, 90, seed)
            board = game.board
            for color in ("black", "white"):
                moves = board.legal_moves(color)
                own = [vertex for vertex in moves if takes_own_stones(board, color, vertex)]
                everywhere = Board(7).legal_moves(color)
                assert moves == [v for v in everywhere if board.fault(color, v) is None]
                assert board.suicides(color) == own


def takes_own_stones(board: Board, color: str, vertex: str) -> bool:
    after = board.copy()
    after.play(color, vertex)
    return after.color_at(vertex) is None


def test_legal_moves_are_found_without_a_call_for_each_point(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = random_game(9, "japanese", 60)
    expected = game.legal_moves()
    for module in ("board", "game"):
        monkeypatch.delattr(f"montego.go.{module}.move_fault", raising=False)

    assert game.legal_moves() == expected
