"""The solver's word, and the search's where there is no proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import to_rows

from montego.engine.life_and_death import solve_or_search
from montego.engine.player import Player
from montego.go.board import Board

if TYPE_CHECKING:
    import pytest

THREE_IN_A_ROW = """
    . . . O X . .
    O O O O X . .
    X X X X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""

SIX_IN_THE_CORNER = """
    . . . O X . .
    . . . O X . .
    O O O O X . .
    X X X X X . .
    X X X X X . .
    . . . . . . .
    . . . . . . .
"""


def test_what_is_proven_needs_no_search() -> None:
    answer = solve_or_search(Board.from_rows(to_rows(THREE_IN_A_ROW)), "black", seconds=60.0)
    assert answer.verdict.proven
    assert answer.suggestion is None
    assert answer.first_move == "B7"
    assert "suggestion" not in answer.to_json()


def test_a_search_is_asked_where_nothing_is_proven() -> None:
    board = Board.from_rows(to_rows(SIX_IN_THE_CORNER))
    answer = solve_or_search(board, "black", seconds=60.0, nodes=1)
    assert answer.verdict.value == "unknown"
    found = answer.suggestion
    assert found is not None
    assert found.line[0] == found.vertex == answer.first_move
    assert board.fault("black", found.vertex) is None
    assert answer.to_json()["suggestion"]["move"] == found.vertex
    assert f"A search would play {found.vertex}" in answer.in_words()
    assert "no proof" in answer.in_words()


def test_the_time_to_compile_the_search_is_not_taken_from_the_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    def prepare(player: Player, seconds: float = 0.0) -> bool:
        nonlocal now
        now += 1000.0
        return prepared(player, seconds)

    prepared = Player.prepare
    monkeypatch.setattr(Player, "prepare", prepare)
    board = Board.from_rows(to_rows(SIX_IN_THE_CORNER))
    answer = solve_or_search(board, "black", seconds=60.0, nodes=1, clock=lambda: now)
    assert now == 1000.0
    assert answer.seconds == 0.0
