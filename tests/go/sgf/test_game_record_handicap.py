"""What a record says beside its moves: its result, its rules and its handicap."""

from __future__ import annotations

import pytest

from game_records import again, assert_same_game, lines
from montego.go import Game, Move
from montego.go.sgf.record import parse_sgf

FINISHED = "(;SZ[9]KM[6.5]RU[Chinese]RE[W+R];B[ee];W[cc];B[gg])"


def test_a_record_keeps_its_result_as_long_as_it_is_the_same_game() -> None:
    game = Game.from_sgf(FINISHED)
    assert "RE[W+R]" in game.to_sgf()
    game.undo(2)
    assert "RE[W+R]" in game.to_sgf()
    game.play("w", "C7")
    assert "RE[W+R]" in game.to_sgf()


@pytest.mark.parametrize("back", [0, 1, 2])
def test_a_game_that_went_on_otherwise_has_its_own_result(back: int) -> None:
    game = Game.from_sgf(FINISHED)
    if back:
        game.undo(back)
    game.play("w", "A1")
    assert parse_sgf(game.to_sgf()).result == ""
    game.play("b", "pass")
    game.play("w", "pass")
    assert parse_sgf(game.to_sgf()).result == ""
    game.mark_dead([])

    assert parse_sgf(game.to_sgf()).result == game.result != ""
    assert_same_game(game, again(game))


def test_the_result_of_other_rules_or_komi_is_not_that_of_the_record() -> None:
    game = Game.from_sgf(FINISHED)
    game.komi = 0.5
    assert "RE[" not in game.to_sgf()


def test_a_resignation_is_the_result_and_ends_the_main_line() -> None:
    game = Game.from_sgf(FINISHED)
    game.undo(2)
    game.resign("white")

    text = game.to_sgf()
    assert parse_sgf(text).result == "B+R"
    assert lines(text) == [["Bee"], ["Bee", "Wcc", "Bgg"]]
    assert Game.from_sgf(text).to_sgf() == text


def test_a_result_in_a_later_node_gives_way_too() -> None:
    game = Game.from_sgf("(;SZ[9];B[ee]RE[W+R];W[cc])")
    game.play("b", "A1")
    assert "RE[" not in game.to_sgf()


def test_rules_that_the_record_does_not_name_are_written() -> None:
    game = Game.from_sgf("(;SZ[9]KM[6.5];B[ee])")
    assert "RU[" not in game.to_sgf()
    game.rules = "japanese"
    assert "RU[japanese]" in game.to_sgf()
    assert_same_game(game, again(game))


HANDICAP_BY_MOVES = "(;SZ[9]HA[2]KM[0.5];B[cc];B[gg]C[second];W[ee])"


def test_a_handicap_given_as_moves_is_not_placed_twice() -> None:
    game = Game.from_sgf(HANDICAP_BY_MOVES)

    assert game.handicap == 2
    assert game.history == [Move("black", "C7"), Move("black", "G3"), Move("white", "E5")]
    assert game.warnings == []
    text = game.to_sgf()
    assert lines(text) == [["Bcc", "Bgg", "Wee"]]
    assert "AB[" not in text
    game.undo()
    game.play("w", "A1")
    assert lines(game.to_sgf()) == [["Bcc", "Bgg", "Wai"], ["Bcc", "Bgg", "Wee"]]
    assert_same_game(game, again(game))


@pytest.mark.parametrize(
    ("text", "stones", "handicap"),
    [
        ("(;SZ[9]HA[2];B[cc];W[ee];B[gg])", "C7 G3", 0),
        ("(;SZ[9]HA[2];B[cc];B[];W[ee])", "C7", 0),
        ("(;SZ[9]HA[2];B[cc])", "C7", 0),
        ("(;SZ[9]HA[2];B[cc];B[gg];B[ge];W[ee])", "C7 G3 G5", 3),
        ("(;SZ[9]HA[2];C[well];AB[cc][gg];W[ee])", "C7 G3", 2),
        ("(;SZ[9]HA[2];AB[cc][gg]AW[aa];W[ee])", "C7 G3", 0),
        ("(;SZ[9]HA[2]PL[W];W[ee])", "C3 G7", 2),
        ("(;SZ[9]HA[2]PL[W]AB[cc][gg];W[ee])", "C7 G3", 2),
        ("(;SZ[9]HA[2])", "C3 G7", 2),
    ],
)
def test_handicaps_as_records_tell_of_them(text: str, stones: str, handicap: int) -> None:
    game = Game.from_sgf(text)
    black = {
        vertex for column in "ABCDEFGHJ" for row in range(1, 10)
        if game.board.color_at(vertex := f"{column}{row}") == "black"
    }  # fmt: skip  # Two loops to read.

    assert black == set(stones.split())
    assert game.handicap == handicap
    back = again(game)
    assert back.board == game.board
    assert back.handicap == handicap
    assert back.to_sgf() == game.to_sgf()
    game.play("w", "J1")
    assert_same_game(game, again(game))


def test_a_game_without_the_stones_of_the_record_is_another_game() -> None:
    game = Game.from_sgf("(;SZ[9]HA[2]AB[cc][gg];W[ee])")
    game.undo(2)
    assert "AB[" in game.to_sgf()
    game.play("b", "A1")

    assert again(game).handicap == 0
    assert_same_game(game, again(game))


def test_a_game_without_the_handicap_that_was_counted_has_none() -> None:
    for text in ("(;SZ[9]HA[2];W[ee])", HANDICAP_BY_MOVES):
        game = Game.from_sgf(text)
        game.undo(2)
        game.play("w", "A1")

        assert_same_game(game, again(game))
        assert again(game).handicap == 0
