"""The friendly game and board: what every method does when all is well.

Errors are in ``test_game_errors``, records in ``test_game_records``, captures and ko as pictures in
``test_board_cases``.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import montego
import montego.book
import montego.go
import montego.go.sgf
from montego.go import PRESETS, Board, Captures, Game, IllegalMove, Move, Rules, Setup
from montego.go.handicap import fixed_handicap_points, most_fixed_stones

KO = """
    . X O . .
    X O . O .
    . X O . .
    . . . . .
    . . . . .
"""


def ko_game(rules: str | Rules = "chinese") -> Game:
    """A game in which Black can take a ko at C4 and White can take it back at B4."""
    game = Game(5, rules=rules)
    game.setup(black=["B5", "A4", "B3"], white=["C5", "B4", "D4", "C3"])
    return game


# Public names.


@pytest.mark.parametrize("module", [montego, montego.book, montego.go, montego.go.sgf])
def test_public_names_can_be_used_and_are_listed(module: object) -> None:
    names: list[str] = module.__all__  # type: ignore[attr-defined]

    assert len(set(names)) == len(names)
    assert dir(module) == sorted(names)
    for name in names:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        module.Chess  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("module", [montego, montego.book, montego.go, montego.go.sgf])
def test_type_checkers_and_programs_see_the_same_names(module: object) -> None:
    source = Path(module.__file__)  # type: ignore[attr-defined]
    checked = {
        alias.name
        for block in ast.parse(source.read_text(encoding="utf-8")).body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    names: list[str] = module.__all__  # type: ignore[attr-defined]

    assert checked == set(names)


def test_people_find_trees_pictures_vertices_and_safe_stones() -> None:
    names = "board_svg format_vertex parse_vertex pass_alive star_points unconditionally_alive"

    assert set(names.split()) <= set(dir(montego.go))
    assert dir(montego.go.sgf) == [
        "Node",
        "Record",
        "new_record",
        "parse_sgf",
        "parse_sgf_collection",
        "read_sgf_file",
    ]


def test_the_front_door_has_these_names() -> None:
    assert dir(montego) == [
        "Board",
        "Game",
        "GoError",
        "IllegalMove",
        "InvalidColor",
        "InvalidDiagram",
        "InvalidKomi",
        "InvalidRules",
        "InvalidSize",
        "InvalidVertex",
        "Move",
        "Options",
        "Player",
        "Rules",
        "Score",
        "SgfError",
        "__version__",
    ]


def test_names_are_the_same_objects_in_both_packages() -> None:
    for name in set(dir(montego)) & set(dir(montego.go)):
        assert getattr(montego, name) is getattr(montego.go, name)


def test_everything_can_be_imported_by_a_star() -> None:
    code = "from montego import *; from montego.go import *; print(Game, BLACK, __version__)"

    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


# The board.


def test_a_board_answers_about_its_points() -> None:
    board = Board.from_diagram(". X O\n. X O\n. . .")

    assert board.size == 3
    assert [board.color_at(vertex) for vertex in ("B3", "c2", " A1 ")] == ["black", "white", None]
    assert board.chain("B2") == ["B3", "B2"]
    assert board.liberties("B3") == ["A3", "A2", "B1"]
    assert board.chain("A1") == []
    assert board.liberties("A1") == []
    assert board.rows() == [[0, 1, 2], [0, 1, 2], [0, 0, 0]]
    assert board.ko is None
    assert repr(board) == "<Board 3x3 with 4 stones>"


def test_a_board_plays_and_says_why_not() -> None:
    board = Board.from_diagram(KO)

    assert board.fault("b", "C4") is None
    board.play("black", "c4")
    assert board.captures == Captures(black=1, white=0)
    assert board.ko == "B4"
    assert board.fault("white", "B4") == "the ko may not be retaken at once"
    assert board.fault("black", "B4") is None
    assert board.fault("white", "A5") == "suicide"
    assert board.fault("white", "A4") == "the point is occupied"
    assert board.fault("white", "F9") == "off the board"
    assert board.fault("white", "pass") is None
    board.play("white", "PASS")
    assert board.captures == (1, 0)
    assert board.ko is None


def test_a_board_is_drawn_as_it_is_read() -> None:
    board = Board.from_diagram(KO)

    assert Board.from_diagram(str(board)) == board
    assert Board.from_rows(board.rows()) == board
    assert board._repr_svg_().startswith("<svg")


def test_boards_are_equal_by_their_stones() -> None:
    board = Board.from_diagram(KO)
    twin = board.copy()
    twin.play("black", "C4")
    again = Board.from_rows(twin.rows())

    assert board != twin
    assert again == twin
    assert again.ko != twin.ko
    assert Board(5) != Board(6)
    assert Board(5) != "a board"
    with pytest.raises(TypeError, match="unhashable"):
        hash(board)


def test_a_copy_has_a_life_of_its_own() -> None:
    board = Board(5)
    board.play("b", "C3")
    twin = board.copy()
    twin.play("w", "C4")

    assert board.color_at("C4") is None
    board.play("b", "A1")
    assert twin.color_at("A1") is None
    assert twin.color_at("C3") == "black"


def test_the_hash_depends_on_the_stones_alone() -> None:
    first, second = Board(5), Board(5)
    assert first.hash == second.hash == 0
    for vertex in ("A1", "B2"):
        first.play("b", vertex)
    for vertex in ("B2", "A1"):
        second.play("b", vertex)
    second.play("w", "pass")

    assert first.hash == second.hash
    assert 0 < first.hash < 1 << 64
    first.play("w", "E5")
    assert first.hash not in (second.hash, 0)
    assert Board.from_rows(first.rows()).hash == first.hash


def test_a_captured_position_has_the_hash_it_had_before() -> None:
    board = Board.from_diagram(". X .\nX . X\n. . .")
    before = board.hash
    board.play("w", "B2")
    board.play("b", "B1")
    alone = Board.from_diagram(". X .\nX . X\n. X .")

    assert board.hash == alone.hash != before


def test_suicide_is_allowed_if_asked_for() -> None:
    picture = ". . X\nO X X\nX X ."
    strict, loose = Board.from_diagram(picture), Board.from_diagram(picture, suicide=True)
    for board in (strict, loose):
        board.play("b", "B3")

    assert strict.fault("w", "A3") == "suicide"
    loose.play("w", "A3")
    assert loose.captures == (2, 0)
    assert loose.color_at("A3") is None
    assert loose.color_at("A2") is None


# The game.


def test_a_new_game() -> None:
    game = Game()

    assert (game.size, game.komi, str(game.rules)) == (19, 7.5, "chinese")
    assert (game.moves, game.history, game.warnings) == ([], [], [])
    assert game.to_play == "black"
    assert game.captures == Captures(0, 0)
    assert game.handicap == 0
    assert game.ko is None
    assert not game.is_over
    assert game.result is None
    assert len(game.legal_moves()) == 361
    assert game.legal_moves("white")[:2] == ["A19", "B19"]
    assert game.board == Board(19)


@pytest.mark.parametrize("name", PRESETS)
def test_komi_is_the_rules_own_unless_given(name: str) -> None:
    assert Game(9, rules=name).komi == PRESETS[name].komi
    assert Game(9, rules=PRESETS[name], komi="0.5").komi == 0.5
    assert Game(9, rules=name, komi=-3).komi == -3.0


def test_moves_are_remembered_as_they_are_written_properly() -> None:
    game = Game(9)
    game.play("B", "e5")
    game.play(2, " c3 ")
    game.play("black", "PASS")

    assert game.moves == [Move("black", "E5"), Move("white", "C3"), Move("black", "pass")]
    assert game.history == game.moves
    assert game.to_play == "white"


def test_players_may_move_in_any_order() -> None:
    game = Game(9)
    game.play("white", "A1")
    game.play("white", "B1")

    assert game.to_play == "black"
    assert [move.color for move in game.moves] == ["white", "white"]


def test_what_a_property_returns_is_a_copy() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.moves.clear()
    game.history.clear()
    game.warnings.append("?")
    game.legal_moves().clear()

    assert len(game.moves) == len(game.history) == 1
    assert game.warnings == []


def test_captures_are_counted_for_both_players() -> None:
    game = ko_game()
    assert game.captured == 0
    game.play("black", "C4")
    assert game.captured == 1
    assert game.captures == Captures(black=1, white=0)
    game.play("white", "E1")
    assert game.captured == 0
    game.play("black", "E2")
    game.play("white", "B4")
    assert game.captured == 1
    assert game.captures == (1, 1)
    game.setup(empty=["E1"])
    assert game.captured == 0
    game.undo()
    game.undo()
    assert game.captures == (1, 0)


def test_legal_moves_leave_out_what_may_not_be_played() -> None:
    game = ko_game()
    game.play("black", "C4")

    assert game.ko == "B4"
    assert "B4" not in game.legal_moves()
    assert "B4" in game.legal_moves("black")
    assert "A5" not in game.legal_moves("white")
    assert "pass" not in game.legal_moves()
    assert all(game.fault("white", vertex) is None for vertex in game.legal_moves())
    assert len(game.legal_moves("white")) == 25 - 7 - 2


@pytest.mark.parametrize(
    ("rules", "forbidden"),
    [("chinese", False), ("chinese-ogs", True), ("tromp-taylor", True), ("aga", True)],
)
def test_superko_is_named(rules: str, *, forbidden: bool) -> None:
    # Retaken after two passes: the position comes again, with the same player to move.
    game = ko_game(rules)
    for color, vertex in [("b", "C4"), ("w", "pass"), ("b", "pass")]:
        game.play(color, vertex)
    assert ("B4" in game.legal_moves("white")) is not forbidden
    if not forbidden:
        game.play("white", "B4")
        return
    with pytest.raises(IllegalMove) as caught:
        game.play("white", "B4")

    assert caught.value.reason == "superko: the position was on the board before"
    assert (caught.value.color, caught.value.vertex) == ("white", "B4")
    assert game.fault("white", "B4") == caught.value.reason
    game.play_unless_impossible("white", "B4")
    assert game.captured == 1


@pytest.mark.parametrize(
    ("rules", "forbidden"),
    [("chinese-ogs", True), ("tromp-taylor", True), ("aga", False), ("new-zealand", False)],
)
def test_situational_superko_asks_who_is_to_move(rules: str, *, forbidden: bool) -> None:
    # The first position had White to move; White's retaking would bring it back with Black to move.
    game = ko_game(rules)
    game.setup(to_play="white")
    for color, vertex in [("b", "C4"), ("w", "pass"), ("b", "pass")]:
        game.play(color, vertex)

    assert (game.fault("white", "B4") is not None) is forbidden
    assert ("B4" in game.legal_moves("white")) is not forbidden


def test_setting_up_stones_begins_superko_anew() -> None:
    game = ko_game("chinese-ogs")
    game.play("b", "C4")
    game.setup(empty=["E1"], to_play="white")

    assert game.fault("white", "B4") is None


def test_the_rules_can_be_changed() -> None:
    game = ko_game("chinese-ogs")
    for color, vertex in [("b", "C4"), ("w", "pass"), ("b", "pass")]:
        game.play(color, vertex)
    assert game.fault("white", "B4") is not None
    game.rules = "japanese"
    assert game.rules == PRESETS["japanese"]
    assert game.fault("white", "B4") is None
    assert game.komi == 7.5


def test_changed_rules_know_suicide_at_once_and_after_undo() -> None:
    game = Game(3)
    game.setup(black=["B3", "B2", "A1"], white=["A2"])
    assert game.fault("white", "A3") == "suicide"
    game.rules = "new-zealand"
    assert game.fault("white", "A3") is None
    game.play("black", "C1")
    game.undo()
    game.play("white", "A3")
    assert game.captured == 0
    assert game.captures == (2, 0)
    game.rules = Rules()
    game.undo()
    assert game.fault("white", "A3") == "suicide"


def test_komi_can_be_changed() -> None:
    game = Game(9)
    game.komi = "6.5"
    assert game.komi == 6.5
    game.komi = 0
    assert game.score().result.how == "draw"


def test_a_move_can_be_taken_back_and_another_played() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.play("w", "C3")
    game.undo()
    assert game.board.color_at("C3") is None
    assert game.to_play == "white"
    game.play("w", "D3")
    game.undo(2)
    assert game.moves == []
    assert game.board == Board(9)


def test_undo_brings_back_ko_and_passes() -> None:
    game = ko_game()
    game.play("b", "C4")
    game.play("w", "pass")
    assert game.ko is None
    game.undo()
    assert game.ko == "B4"
    game.play("w", "pass")
    game.play("b", "pass")
    assert game.is_over
    game.undo()
    assert not game.is_over


def test_undo_takes_back_setup_handicap_and_resignation() -> None:
    game = Game(9)
    game.fixed_handicap(3)
    game.play("w", "E5")
    game.setup(black=["A1"], empty=["E5"])
    game.resign("w")
    assert game.result == "B+R"
    game.undo()
    assert game.result is None
    game.undo()
    assert game.board.color_at("E5") == "white"
    game.undo(2)
    assert (game.handicap, game.history, game.board) == (0, [], Board(9))


def test_several_steps_are_undone_across_a_resignation() -> None:
    game = Game(9)
    game.play("b", "E5")
    game.resign()
    game.undo(2)

    assert game.moves == []
    assert not game.is_over


# Setup and handicap.


def test_stones_are_set_up_in_one_step() -> None:
    game = Game(5)
    game.play("b", "C3")
    game.setup(black=["a1", "B1"], white={"E5"}, empty=("C3",), to_play="black")

    assert game.history[1] == Setup(
        frozenset({"A1", "B1"}), frozenset({"E5"}), frozenset({"C3"}), "black"
    )
    assert game.moves == [Move("black", "C3")]
    assert game.board == Board.from_diagram(". . . . O\n" + ". . . . .\n" * 3 + "X X . . .")
    assert game.to_play == "black"


def test_a_setup_that_does_not_say_leaves_the_turn() -> None:
    game = Game(5)
    game.play("b", "C3")
    game.setup(black=iter(["A1"]))

    assert game.to_play == "white"
    assert game.handicap == 0


def test_a_setup_may_replace_stones_and_keeps_prisoners() -> None:
    game = ko_game()
    game.play("b", "C4")
    game.setup(white=["C4"], black=["C3"])

    assert game.board.color_at("C4") == "white"
    assert game.board.color_at("C3") == "black"
    assert game.captures == (1, 0)
    assert game.ko is None


# The points of the Go Text Protocol, section 4.1.1.
FIXED = {
    9: {
        2: "C3 G7",
        3: "C3 G7 C7",
        4: "C3 G7 C7 G3",
        5: "C3 G7 C7 G3 E5",
        6: "C3 G7 C7 G3 C5 G5",
        7: "C3 G7 C7 G3 C5 G5 E5",
        8: "C3 G7 C7 G3 C5 G5 E3 E7",
        9: "C3 G7 C7 G3 C5 G5 E3 E7 E5",
    },
    13: {
        2: "D4 K10",
        3: "D4 K10 D10",
        4: "D4 K10 D10 K4",
        5: "D4 K10 D10 K4 G7",
        6: "D4 K10 D10 K4 D7 K7",
        7: "D4 K10 D10 K4 D7 K7 G7",
        8: "D4 K10 D10 K4 D7 K7 G4 G10",
        9: "D4 K10 D10 K4 D7 K7 G4 G10 G7",
    },
    19: {
        2: "D4 Q16",
        3: "D4 Q16 D16",
        4: "D4 Q16 D16 Q4",
        5: "D4 Q16 D16 Q4 K10",
        6: "D4 Q16 D16 Q4 D10 Q10",
        7: "D4 Q16 D16 Q4 D10 Q10 K10",
        8: "D4 Q16 D16 Q4 D10 Q10 K4 K16",
        9: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
    },
}


@pytest.mark.parametrize("size", FIXED)
@pytest.mark.parametrize("stones", range(2, 10))
def test_fixed_handicaps_are_those_of_the_protocol(size: int, stones: int) -> None:
    game = Game(size)
    expected = FIXED[size][stones].split()

    assert game.fixed_handicap(stones) == expected
    assert game.to_play == "white"
    assert game.handicap == stones
    assert {vertex for vertex in expected if game.board.color_at(vertex) == "black"} == {*expected}
    assert sum(map(sum, game.board.rows())) == stones


@pytest.mark.parametrize("size", range(2, 26))
def test_fixed_handicaps_of_every_size(size: int) -> None:
    most = most_fixed_stones(size)

    assert most == (0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9)
    for stones in range(2, most + 1):
        points = fixed_handicap_points(size, stones)
        assert len(set(points)) == stones
        line = 3 if size >= 13 else 2
        assert all({*point} <= {line, size // 2, size - 1 - line} for point in points)
        assert all(min(size - 1 - place, place) >= line for point in points for place in point)


@pytest.mark.parametrize(
    ("moves", "handicap"),
    [
        ("b C3", 0),
        ("b C3 w G7", 0),
        ("b C3 b G7", 2),
        ("b C3 b G7 b G3 w C7", 3),
        ("b C3 b G7 b G3 w C7 b E5 w E3", 3),
        ("b C3 b G7 w pass b E5", 2),
        ("b C3 w C7 b G7 b G3", 0),
        ("b C3 b pass b G7 w C7", 0),
        ("w C7 b C3 b G7 w G3", 0),
        ("b C3 b G7 w C7 w G3 b E5", 0),  # A position set up by moves.
    ],
)
def test_black_stones_played_before_everything_else_are_a_handicap(
    moves: str, handicap: int
) -> None:
    game = Game(9)
    words = moves.split()
    for color, vertex in zip(words[::2], words[1::2], strict=True):
        game.play(color, vertex)

    assert game.handicap == handicap
    assert game.copy().handicap == handicap
    compensated = game.score().white
    game.rules = "tromp-taylor"  # No compensation there.
    assert game.score().white == compensated - handicap


def test_handicap_stones_that_were_played_are_taken_back_one_by_one() -> None:
    game = Game(9)
    for color, vertex in [("b", "C3"), ("b", "G7"), ("b", "G3"), ("w", "C7")]:
        game.play(color, vertex)
    found = []
    for _ in range(4):
        found.append(game.handicap)
        game.undo()

    assert found == [3, 3, 2, 0]


def test_stones_played_after_stones_set_up_are_no_handicap() -> None:
    game = Game(9)
    game.setup(white=["E5"], to_play="black")
    game.play("b", "C3")
    game.play("b", "G7")

    assert game.handicap == 0


def test_the_turn_is_given_without_a_step() -> None:
    game = Game(9)
    game.play("b", "C3")
    twin = game.copy()
    game.give_turn("b")
    game.give_turn("b")

    assert (game.to_play, twin.to_play) == ("black", "white")
    assert game.history == twin.history
    game.undo()
    assert game.to_play == "black"
    game.give_turn("white")
    game.free_handicap(["C3", "G7"])  # Nothing was done yet.
    with pytest.raises(montego.go.InvalidColor):
        game.give_turn("red")


def test_the_turn_given_to_who_took_a_ko_bars_nothing() -> None:
    game = Game(9, rules="japanese")
    game.setup(black=["B5", "A4", "B3"], white=["C5", "B4", "D4", "C3"])
    game.play("b", "C4")
    assert game.ko == "B4"
    game.give_turn("b")
    assert game.ko is None
    assert game.fault("b", "B4") is None


def test_a_free_handicap_is_where_one_likes() -> None:
    game = Game(5, rules="chinese", komi=0.5)
    game.free_handicap(vertex for vertex in ("a1", "E5", "C3"))

    assert game.handicap == 3
    assert game.to_play == "white"
    assert game.board.color_at("A1") == "black"
    assert game.score().white == 0.5 + 3
    game.rules = "aga"
    assert game.score().white == 0.5 + 2
    game.rules = "japanese"
    assert game.score().white == 0.5


# The end.


def divided() -> Game:
    """Black has the left two columns, White the right two, the middle is Black's too."""
    game = Game(5, komi=0.5)
    game.setup(
        black=[f"{column}{row}" for column in "BC" for row in range(1, 6)],
        white=[f"D{row}" for row in range(1, 6)],
    )
    return game


def test_two_passes_end_the_game_and_it_may_go_on() -> None:
    game = divided()
    game.play("b", "pass")
    assert not game.is_over
    game.play("w", "pass")
    assert game.is_over
    assert game.result == "B+4.5"
    game.play("b", "E1")
    assert not game.is_over
    assert game.result is None


def test_dead_stones_are_taken_off_until_play_goes_on() -> None:
    game = divided()
    game.play("b", "E3")
    game.play("w", "pass")
    game.play("b", "pass")
    assert game.result == "B+10.5"
    game.mark_dead(["e3"])
    assert game.result == "B+4.5"
    game.mark_dead([])
    assert game.result == "B+10.5"
    game.mark_dead(["E3"])
    game.play("w", "pass")
    assert game.result == "B+10.5"
    game.mark_dead(["E3"])
    game.undo()
    assert game.result == "B+10.5"


def test_eyes_in_seki_are_marked_with_the_dead() -> None:
    game = divided()
    game.rules = "japanese"
    game.play("b", "pass")
    game.play("w", "pass")
    assert game.result == "W+0.5"
    game.mark_dead([], seki=["D1"])
    assert game.result == "B+4.5"
    game.undo()
    game.play("w", "pass")
    assert game.result == "W+0.5"


@pytest.mark.parametrize(
    ("komi", "result"), [(5, "0"), (4.5, "B+0.5"), (6.5, "W+1.5"), (-1, "B+6"), (5.25, "W+0.25")]
)
def test_results_by_komi(komi: float, result: str) -> None:
    game = divided()
    game.komi = komi
    game.play("b", "pass")
    game.play("w", "pass")

    assert game.result == result


def test_jigo_has_no_winner() -> None:
    game = divided()
    game.komi = 5
    score = game.score()

    assert (score.black, score.white, score.margin, score.winner) == (15, 15, 0, None)
    assert str(score) == "0"


def test_a_player_resigns() -> None:
    game = Game(9)
    game.play("b", "E5")
    assert game.resigned is None
    game.resign()
    assert game.is_over
    assert game.resigned == "white"
    assert game.result == "B+R"
    game.undo()
    assert game.resigned is None
    game.resign("black")
    assert game.resigned == "black"
    assert game.result == "W+R"
    assert game.moves == [Move("black", "E5")]


def test_the_score_of_the_whole_board() -> None:
    game = Game(9, komi=7.5)
    assert str(game.score()) == "W+7.5"
    game.play("b", "E5")
    assert str(game.score()) == "B+73.5"
    game.play("w", "C3")
    score = game.score(dead=["c3"])
    assert str(score) == "B+73.5"
    assert score.dead == {(2, 2)}
    assert len(game.score().neutral) == 79


# Text and pictures.


def test_a_game_as_text() -> None:
    game = Game(3, komi=0.5)
    game.play("b", "B2")

    assert str(game) == (
        "  A B C\n3 . . . 3\n2 .(X). 2\n1 . . . 1\n  A B C\n"
        "Move 1, white to play. Prisoners: Black 0, White 0. Komi 0.5, chinese rules."
    )
    game.play("w", "pass")
    game.play("b", "pass")
    assert "Move 3, B+8.5." in str(game)
    assert "(" not in str(game)
    assert repr(game) == "<Game 3x3, 3 moves, chinese rules>"


def test_a_game_as_a_picture() -> None:
    game = Game(9)
    assert "last move" not in game._repr_svg_()
    game.play("b", "E5")
    assert "last move black E5" in game._repr_svg_()
    game.play("w", "pass")
    assert "last move" not in game._repr_svg_()
