"""Games through records and back: what was played, set up, branched and said comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montego.go import PRESETS, Game, GoError, Move, Rules, Setup
from montego.go.sgf import parse_sgf

if TYPE_CHECKING:
    from pathlib import Path


def again(game: Game) -> Game:
    return Game.from_sgf(game.to_sgf())


def lines(text: str) -> list[list[str]]:
    """Every line of play of a record, from the root to a leaf."""
    found: list[list[str]] = []

    def walk(node: Any, path: list[str]) -> None:
        raw = [f"{color}{node.raw(color)[0]}" for color in "BW" if node.raw(color)]
        if not node.children:
            found.append(path + raw)
        for child in node.children:
            walk(child, path + raw)

    walk(parse_sgf(text).root, [])
    return found


def assert_same_game(first: Game, second: Game) -> None:
    assert second.warnings == []
    assert second.history == first.history
    assert second.board == first.board
    assert second.to_play == first.to_play
    assert second.captures == first.captures
    assert (second.size, second.komi, second.rules) == (first.size, first.komi, first.rules)


def test_a_game_comes_back() -> None:
    game = Game(9, rules="chinese", komi=7.5)
    for color, vertex in [("b", "E5"), ("w", "C3"), ("b", "pass"), ("b", "J9")]:
        game.play(color, vertex)

    assert_same_game(game, again(game))
    assert game.to_sgf() == game.to_sgf()
    assert ";B[ee];W[cg];B[];B[ia])" in game.to_sgf().replace("\n", "")


def test_a_game_comes_back_from_a_file_of_any_kind_of_path(tmp_path: Path) -> None:
    game = Game(5)
    game.play("b", "C3")
    path = tmp_path / "game.sgf"
    path.write_text(game.to_sgf(), encoding="utf-8")

    assert_same_game(game, Game.from_sgf_file(path))
    assert_same_game(game, Game.from_sgf_file(str(path)))
    assert_same_game(game, Game.from_sgf(path.read_bytes()))


@pytest.mark.parametrize("name", PRESETS)
def test_rules_and_komi_come_back(name: str) -> None:
    assert_same_game(Game(9, rules=name), again(Game(9, rules=name)))
    odd = Game(9, rules=name, komi=-3.75)
    assert again(odd).komi == -3.75


def test_rules_that_have_no_name_come_back() -> None:
    rules = Rules(scoring="territory", ko="situational", suicide=True, tax="all", komi=3.25)

    assert again(Game(9, rules=rules)).rules == rules
    assert again(Game(9, rules=rules)).komi == 3.25


def test_changed_rules_and_komi_are_written() -> None:
    game = Game.from_sgf("(;SZ[9]KM[6.5]RU[Japanese];B[ee])")
    game.komi = 0.5
    game.rules = "aga"

    assert (again(game).komi, str(again(game).rules)) == (0.5, "aga")


@pytest.mark.parametrize("stones", range(2, 10))
def test_handicaps_come_back(stones: int) -> None:
    game = Game(19)
    game.fixed_handicap(stones)
    game.play("w", "C3")

    assert_same_game(game, again(game))
    assert again(game).handicap == stones
    assert f"HA[{stones}]" in game.to_sgf()


def test_a_free_handicap_comes_back() -> None:
    game = Game(9)
    game.free_handicap(["A1", "J9", "E5"])

    assert_same_game(game, again(game))
    assert again(game).handicap == 3


@pytest.mark.parametrize(
    "setup",
    [
        {"black": ["C3"], "white": ["E5"], "to_play": "white"},
        {"black": ["C3"], "white": ["E5"], "to_play": "black"},
        {"black": ["C3"]},
        {"white": ["C3"]},
        {"black": ["A1", "A2"], "to_play": "black"},
        {"to_play": "white"},
    ],
)
def test_stones_set_up_come_back(setup: dict[str, Any]) -> None:
    game = Game(9)
    game.setup(**setup)
    assert_same_game(game, again(game))
    game.play("w", "J9")
    game.setup(black=["G7"], empty=["J9"])
    game.setup(white=["G7"], to_play="white")
    game.play("b", "pass")

    assert_same_game(game, again(game))


def test_the_result_is_written() -> None:
    game = Game(5, komi=0.5)
    game.play("b", "C3")
    assert "RE[" not in game.to_sgf()
    game.play("w", "pass")
    game.play("b", "pass")
    assert "RE[B+24.5]" in game.to_sgf()
    resigned = Game(5)
    resigned.resign("black")
    assert "RE[W+R]" in resigned.to_sgf()


TREE = "(;SZ[9]KM[6.5]RU[Chinese]PB[Anna]C[root](;B[ee]C[main];W[cc];B[gg])(;B[cg];W[gc]))"


def test_a_record_keeps_its_variations_and_comments() -> None:
    game = Game.from_sgf(TREE)

    assert [move.vertex for move in game.moves] == ["E5", "C7", "G3"]
    text = game.to_sgf()
    assert lines(text) == [["Bee", "Wcc", "Bgg"], ["Bcg", "Wgc"]]
    for kept in ("C[root]", "C[main]", "PB[Anna]"):
        assert kept in text


def test_moves_are_added_to_the_line_they_follow() -> None:
    game = Game.from_sgf(TREE)
    game.play("w", "A1")

    assert lines(game.to_sgf()) == [["Bee", "Wcc", "Bgg", "Wai"], ["Bcg", "Wgc"]]
    assert_same_game(game, again(game))


def test_another_move_after_undo_is_the_main_line() -> None:
    game = Game.from_sgf(TREE)
    game.undo(2)
    game.play("w", "J1")
    game.play("b", "pass")

    assert lines(game.to_sgf()) == [["Bee", "Wii", "B"], ["Bee", "Wcc", "Bgg"], ["Bcg", "Wgc"]]
    assert_same_game(game, again(game))
    assert game.to_sgf() == game.to_sgf()


def test_a_variation_that_is_there_is_entered_not_repeated() -> None:
    game = Game.from_sgf(TREE)
    game.undo(3)
    for color, vertex in [("b", "C3"), ("w", "G7"), ("b", "A1")]:
        game.play(color, vertex)

    assert lines(game.to_sgf()) == [["Bcg", "Wgc", "Bai"], ["Bee", "Wcc", "Bgg"]]


def test_stones_set_up_after_undo_are_the_main_line() -> None:
    game = Game.from_sgf(TREE)
    game.undo(2)
    game.setup(white=["A1"], to_play="black")
    game.play("b", "A2")

    assert lines(game.to_sgf())[:2] == [["Bee", "Bah"], ["Bee", "Wcc", "Bgg"]]
    assert "AW[ai]" in game.to_sgf()


def test_nodes_that_only_comment_lie_on_the_way() -> None:
    game = Game.from_sgf("(;SZ[9];C[hello];B[ee];C[well];W[cc])")

    assert [move.vertex for move in game.moves] == ["E5", "C7"]
    assert game.to_sgf().count("B[ee]") == 1
    game.undo()
    game.play("w", "A1")
    assert lines(game.to_sgf()) == [["Bee", "Wai"], ["Bee", "Wcc"]]


def test_a_line_ends_where_it_cannot_be_played() -> None:
    game = Game.from_sgf("(;SZ[9];B[ee];W[ee];B[cc])")

    assert game.moves == [Move("black", "E5")]
    assert game.warnings == [
        "illegal move white E5: the point is occupied; the main line was not played further"
    ]
    assert lines(game.to_sgf()) == [["Bee", "Wee", "Bcc"]]


def test_records_may_repeat_positions() -> None:
    game = Game(5, rules="chinese-ogs")
    game.setup(black=["B5", "A4", "B3"], white=["C5", "B4", "D4", "C3"])
    for color, vertex in [("b", "C4"), ("w", "pass"), ("b", "pass")]:
        game.play(color, vertex)
    game.play_unless_impossible("w", "B4")

    assert_same_game(game, again(game))


def test_a_handicap_that_is_only_counted_is_placed() -> None:
    game = Game.from_sgf("(;SZ[9]HA[2];W[ee])")

    assert game.handicap == 2
    assert game.board.color_at("C3") == game.board.color_at("G7") == "black"
    assert isinstance(game.history[0], Setup)


# The result of a record, its rules and its handicap.

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

    assert parse_sgf(game.to_sgf()).result == game.result
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
    assert game.history == [
        Setup(frozenset({"C7", "G3"}), frozenset(), frozenset(), "white"),
        Move("white", "E5"),
    ]
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
        ("(;SZ[9]HA[2];B[cc];B[gg];B[ge];W[ee])", "C7 G3 G5", 2),
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


# Any game at all.


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game of moves in any order, passes, stones set up and moves taken back."""
    size = draw(st.integers(2, 7))
    game = Game(
        size,
        rules=draw(st.sampled_from(sorted(PRESETS))),
        komi=draw(st.integers(-40, 40)) / 4,
    )
    column = st.integers(0, size - 1)
    vertex = st.builds(lambda x, y: f"{'ABCDEFG'[x]}{y + 1}", column, column)
    steps = draw(
        st.lists(st.tuples(st.integers(0, 19), st.sampled_from("bw"), vertex, vertex), max_size=40)
    )
    for kind, color, first, second in steps:
        try:
            if kind == 0:
                game.play(color, "pass")
            elif kind == 1:
                game.undo()
            elif kind == 2 and game.history:
                game.setup(black=[first], empty=[second], to_play=color)
            else:
                game.play(color, first)
        except GoError:
            pass
    return game


@settings(max_examples=60)
@given(games())
def test_any_game_comes_back(game: Game) -> None:
    text = game.to_sgf()
    back = Game.from_sgf(text)

    assert_same_game(game, back)
    assert back.to_sgf() == text


@settings(max_examples=30)
@given(games(), st.integers(1, 6), st.integers(0, 6))
def test_a_branched_record_keeps_both_lines(game: Game, back: int, column: int) -> None:
    text = game.to_sgf()
    before = lines(text)
    read = Game.from_sgf(text)
    if len(read.history) < back:
        return
    read.undo(back)
    vertex = f"{'ABCDEFG'[min(column, read.size - 1)]}1"
    if read.fault(read.to_play, vertex) is not None:
        return
    read.play(read.to_play, vertex)
    after = lines(read.to_sgf())

    assert before[0] in after
    assert len(after) <= len(before) + 1
    again_read = again(read)
    assert again_read.history[: len(read.history)] == read.history


def test_a_game_written_twice_is_the_game_as_it_stands() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.to_sgf()
    game.undo()
    game.play("b", "C3")

    assert again(game).moves == game.moves


def test_a_result_taken_back_is_not_written() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.resign("w")
    game.to_sgf()
    game.undo()
    game.play("w", "C3")

    assert "RE[" not in game.to_sgf()


def test_black_stones_set_up_are_no_handicap_unless_given_as_one() -> None:
    game = Game(9)
    game.setup(black=["C3", "E5"], to_play="white")

    assert game.handicap == 0
    assert again(game).handicap == 0


def test_a_handicap_comes_before_everything_else() -> None:
    game = Game(9)
    game.play("b", "pass")

    with pytest.raises(GoError, match="before everything else"):
        game.free_handicap(["C3", "D4"])
    assert game.handicap == 0


def test_a_change_of_rules_forgets_agreed_dead_stones() -> None:
    game = Game(5)
    for color, vertex in [("b", "C3"), ("w", "A1"), ("b", "pass"), ("w", "pass")]:
        game.play(color, vertex)
    game.mark_dead(["A1"])
    game.rules = "tromp-taylor"

    assert game.result is not None
