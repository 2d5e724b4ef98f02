"""Moves without a compiler."""

from __future__ import annotations

import pytest
from conftest import to_rows

from montego.engine.searching.cold_start import simple_move
from montego.go.game import Game


def game_of(picture: str) -> Game:
    rows = to_rows(picture)
    size = len(rows)
    stones: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            stones[color].append(f"{'ABCDEFGHJ'[column]}{size - line}")
    game = Game(size)
    game.setup(black=stones[1], white=stones[2])
    return game


CAPTURE = """
. . . . .
. X X . .
X O O . .
. X X . .
. . . . .
"""
RESCUE = """
. . . . .
. O O . .
O X X . .
. O O . .
. . . . .
"""
EYES = """
. X . X .
X X X X X
X X X X X
X X X X X
X X . X .
"""


@pytest.mark.parametrize(
    ("picture", "color", "vertex"),
    [(CAPTURE, "black", "D3"), (CAPTURE, "white", "D3"), (RESCUE, "black", "D3")],
)
def test_captures_and_saves_without_a_compiler(picture: str, color: str, vertex: str) -> None:
    assert simple_move(game_of(picture), color) == vertex


def test_fills_no_eyes_without_a_compiler() -> None:
    assert simple_move(game_of(EYES), "black") == "pass"


def test_a_cold_start_keeps_to_what_the_client_allows() -> None:
    game = Game(5)
    for allowed, move in ({"A1", "C2"}, "C2"), ({"A1"}, "A1"), ({"pass"}, "pass"):
        assert simple_move(game, "black", allowed.__contains__) == move
    eyes = game_of(EYES)
    assert simple_move(eyes, "black", lambda vertex: vertex != "pass") in eyes.legal_moves("black")
    assert simple_move(game, "black", lambda _vertex: False) == simple_move(game, "black")


def test_opens_on_a_star_point_without_a_compiler() -> None:
    game = Game(19)
    first = simple_move(game, "black")
    game.play("black", first)
    second = simple_move(game, "white")
    stars = {f"{letter}{line}" for letter in "DKQ" for line in (4, 10, 16)}
    assert {first, second} <= stars
    assert first != second


def test_plays_whole_games_without_a_compiler() -> None:
    game = Game(7, rules="tromp-taylor")
    for _ in range(150):
        if game.is_over:
            break
        game.play(game.to_play, simple_move(game, game.to_play))  # Raises if it is illegal.
