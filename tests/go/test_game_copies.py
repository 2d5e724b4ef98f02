"""Copies of games, and what superko leaves of the legal moves."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go import Game

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
