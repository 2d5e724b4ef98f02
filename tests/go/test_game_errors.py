"""What the friendly layer says about input that makes no sense; nothing has changed then."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from montego.go import (
    Board,
    Game,
    GoError,
    IllegalMove,
    InvalidColor,
    InvalidDiagram,
    InvalidKomi,
    InvalidRules,
    InvalidSize,
    InvalidVertex,
    SgfError,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def some_game() -> Game:
    """A game with a bit of everything behind it: a handicap, moves, a capture and a ko."""
    game = Game(5, rules="chinese-ogs", komi=0.5)
    game.free_handicap(["B5", "A4", "B3"])
    game.setup(white=["C5", "B4", "D4", "C3"], to_play="black")
    game.play("black", "C4")
    return game


def everything(game: Game) -> tuple[object, ...]:
    return (
        game.history,
        game.board.rows(),
        game.board.hash,
        game.ko,
        game.to_play,
        game.captures,
        game.handicap,
        game.komi,
        game.rules,
        game.result,
        game.is_over,
        game.legal_moves("black"),
        game.legal_moves("white"),
        str(game),
        Game.from_sgf(game.to_sgf()).history,
    )


def named(value: object) -> str:
    """A test's name for a value, the same in every process."""
    return "object" if type(value) is object else ascii(value)


def set_attribute(name: str, value: Any) -> Callable[[Game], object]:
    return lambda game: setattr(game, name, value)


ERRORS: list[tuple[Callable[[Game], object], type[GoError], str]] = [
    (
        lambda game: game.play("white", "C4"),
        IllegalMove,
        "illegal move white C4: the point is occupied",
    ),
    (
        lambda game: game.play("white", "b4"),
        IllegalMove,
        "illegal move white B4: the ko may not be retaken at once",
    ),
    (lambda game: game.play("white", "A5"), IllegalMove, "illegal move white A5: suicide"),
    (lambda game: game.play("w", "f6"), IllegalMove, "illegal move white F6: off the board"),
    (lambda game: game.play("w", "A0"), IllegalMove, "illegal move white A0: off the board"),
    (
        lambda game: game.play("red", "A1"),
        InvalidColor,
        "invalid color 'red': say black or white",
    ),
    (lambda game: game.play(3, "A1"), InvalidColor, "invalid color 3: say black or white"),
    (
        lambda game: game.play("w", "I3"),
        InvalidVertex,
        "I3: the letter I is not used; columns go from H to J",
    ),
    (
        lambda game: game.play("w", "center"),
        InvalidVertex,
        "center: not a vertex; say one such as D4, or pass",
    ),
    (
        lambda game: game.play("w", ""),
        InvalidVertex,
        "'': not a vertex; say one such as D4, or pass",
    ),
    (lambda game: game.fault("red", "A1"), InvalidColor, "invalid color 'red'"),
    (lambda game: game.fault("b", "44"), InvalidVertex, "44: not a vertex"),
    (lambda game: game.legal_moves(""), InvalidColor, "invalid color ''"),
    (lambda game: game.resign("nobody"), InvalidColor, "invalid color 'nobody'"),
    (lambda game: game.undo(4), GoError, "cannot undo 4 moves: there are 3"),
    (lambda game: game.undo(0), GoError, "cannot undo 0 moves: say a whole number from 1"),
    (lambda game: game.undo(-1), GoError, "cannot undo -1 moves: say a whole number from 1"),
    (lambda game: game.setup(black=["A1", "a1"]), GoError, "A1 is named twice"),
    (lambda game: game.setup(black=["A1"], white=["A1"]), GoError, "A1 is named twice"),
    (lambda game: game.setup(empty=["pass"]), InvalidVertex, "pass: a point of the board"),
    (lambda game: game.setup(white=["G7"]), InvalidVertex, "G7: off the 5x5 board"),
    (lambda game: game.setup(white=["A5"]), InvalidDiagram, "the chain at A5 has no liberty"),
    (lambda game: game.setup(to_play="green"), InvalidColor, "invalid color 'green'"),
    (
        lambda game: game.fixed_handicap(2),
        GoError,
        "invalid handicap 2: a 5x5 board has no fixed handicap",
    ),
    (
        lambda game: game.free_handicap(["A1", "E1"]),
        GoError,
        "handicap stones come before everything else",
    ),
    (lambda game: game.mark_dead(["A1"]), GoError, "there is no stone at A1 that could be dead"),
    (lambda game: game.mark_dead(["Z9"]), InvalidVertex, "Z9: off the 5x5 board"),
    (lambda game: game.mark_dead(["pass"]), InvalidVertex, "'pass' is not a point of the board"),
    (lambda game: game.score(dead=["E1"]), GoError, "there is no stone at E1 that could be dead"),
    (lambda game: game.score(seki=["E1"]), GoError, "there is no stone at E1 that could be in"),
    (
        lambda game: game.score(dead=["C4"], seki=["C4"]),
        GoError,
        "the stone at C4 cannot be both dead and in seki",
    ),
    (set_attribute("komi", "much"), InvalidKomi, "invalid komi 'much': say a number such as 7.5"),
    (set_attribute("komi", math.nan), InvalidKomi, "invalid komi nan: say a number such as 7.5"),
    (set_attribute("komi", 1e9), InvalidKomi, "invalid komi 1000000000.0: say a number from"),
    (set_attribute("rules", "chess"), InvalidRules, "unknown rules 'chess': say one of chinese, "),
]


@pytest.mark.parametrize(("fail", "kind", "message"), ERRORS, ids=[case[2] for case in ERRORS])
def test_an_error_explains_itself_and_changes_nothing(
    fail: Callable[[Game], object], kind: type[GoError], message: str
) -> None:
    game = some_game()
    before = everything(game)
    with pytest.raises(GoError) as caught:
        fail(game)

    assert type(caught.value) in (kind, *kind.__subclasses__())
    assert str(caught.value).startswith(message)
    assert everything(game) == before


def test_every_error_is_a_value_error_with_one_line() -> None:
    for fail, _, _ in ERRORS:
        with pytest.raises(ValueError, match=r"\A[^\n]+\Z"):
            fail(some_game())


def test_an_illegal_move_tells_its_parts() -> None:
    with pytest.raises(IllegalMove) as caught:
        some_game().play(2, " b4 ")

    error = caught.value
    assert (error.color, error.vertex) == ("white", "B4")
    assert error.reason == "the ko may not be retaken at once"


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda game: game.play("b", "E1"), "the game is over: white resigned"),
        (lambda game: game.play("b", "pass"), "the game is over: white resigned"),
        (lambda game: game.resign("b"), "the game is over: white resigned"),
    ],
)
def test_after_a_resignation_nothing_is_played(act: Callable[[Game], object], message: str) -> None:
    game = some_game()
    game.resign("white")
    before = everything(game)
    with pytest.raises(GoError) as caught:
        act(game)

    assert str(caught.value) == message
    assert everything(game) == before


@pytest.mark.parametrize(
    ("size", "stones", "offer"),
    [
        (19, 1, "from 2 to 9 stones"),
        (19, 10, "from 2 to 9 stones"),
        (18, 5, "from 2 to 4 stones"),
        (7, 5, "from 2 to 4 stones"),
        (6, 2, "no fixed handicap"),
        (9, "2", "from 2 to 9 stones"),
        (9, 2.0, "from 2 to 9 stones"),
        (9, True, "from 2 to 9 stones"),
        (9, None, "from 2 to 9 stones"),
    ],
)
def test_fixed_handicaps_that_do_not_exist(size: int, stones: Any, offer: str) -> None:
    game = Game(size)
    with pytest.raises(GoError) as caught:
        game.fixed_handicap(stones)

    assert str(caught.value) == f"invalid handicap {stones!r}: a {size}x{size} board has {offer}"
    assert game.history == []


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        ([], "a handicap has at least 2 stones"),
        (["E5"], "a handicap has at least 2 stones"),
        (["E5", "e5"], "E5 is named twice"),
        (["E5", "pass"], "pass: a point of the board is wanted here"),
        (["E5", "K10"], "K10: off the 9x9 board"),
        (["E5", "?"], "?: not a vertex; say one such as D4, or pass"),
    ],
)
def test_free_handicaps_that_cannot_be(vertices: list[str], message: str) -> None:
    game = Game(9)
    with pytest.raises(GoError) as caught:
        game.free_handicap(vertices)

    assert str(caught.value) == message
    assert (game.history, game.handicap) == ([], 0)


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("", "the diagram has no rows"),
        (".", "1x1: a board has from 2x2 to 25x25 points"),
        ("X X\nX X", "the chain at A2 has no liberty"),
        (". .\n. Q", "line 2: 'Q' is no point; use X for black, O for white, . for empty"),
        (". .\n. . .", "line 2: 3 points, but the first row has 2 points"),
    ],
)
def test_diagrams_that_are_none(picture: str, message: str) -> None:
    with pytest.raises(InvalidDiagram) as caught:
        Board.from_diagram(picture)

    assert str(caught.value) == message


@pytest.mark.parametrize("rows", [[[0, 0], [0]], [[0, 0, 0], [0, 0, 0]]])
def test_rows_that_are_no_square(rows: list[list[int]]) -> None:
    with pytest.raises(InvalidDiagram, match="a board of 2 rows wants 2 points in each"):
        Board.from_rows(rows)


def test_a_board_of_no_rows() -> None:
    with pytest.raises(InvalidSize, match="invalid board size 0"):
        Board.from_rows([])


@pytest.mark.parametrize("vertex", ["pass", "A6", "F1", "x", ""])
def test_questions_about_no_point(vertex: str) -> None:
    board = Board(5)
    for ask in (board.color_at, board.chain, board.liberties):
        with pytest.raises(InvalidVertex):
            ask(vertex)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SgfError, match=r"none\.sgf: No such file or directory"):
        Game.from_sgf_file(tmp_path / "none.sgf")
    with pytest.raises(SgfError, match="Is a directory"):
        Game.from_sgf_file(tmp_path)


# Types that a checker would have refused, from people who have none.

ODD: list[Any] = [None, 1.5, True, b"D4", [], {}, object(), math.nan, "", ("D", 4), "\ud800"]

TAKERS: dict[str, Callable[[Any], object]] = {
    "Game(size)": Game,
    "Board(size)": Board,
    "Game(rules=)": lambda odd: Game(5, rules=odd),
    "play(color)": lambda odd: some_game().play(odd, "D1"),
    "play(vertex)": lambda odd: some_game().play("b", odd),
    "fault(vertex)": lambda odd: some_game().fault("b", odd),
    "Board.play(color)": lambda odd: Board(5).play(odd, "D1"),
    "Board.play(vertex)": lambda odd: Board(5).play("b", odd),
    "color_at": lambda odd: Board(5).color_at(odd),
    "chain": lambda odd: Board(5).chain(odd),
    "liberties": lambda odd: Board(5).liberties(odd),
    "from_diagram": Board.from_diagram,
    "undo": lambda odd: some_game().undo(odd),
    "fixed_handicap": lambda odd: Game(9).fixed_handicap(odd),
    "setup(black=[...])": lambda odd: some_game().setup(black=[odd]),
    "free_handicap([...])": lambda odd: Game(9).free_handicap(["A1", odd]),
    "from_sgf": Game.from_sgf,
    "rules =": lambda odd: setattr(some_game(), "rules", odd),
}


@pytest.mark.parametrize("odd", ODD, ids=named)
@pytest.mark.parametrize("taker", TAKERS)
def test_odd_types_are_errors_of_go(taker: str, odd: Any) -> None:
    with pytest.raises(GoError):
        TAKERS[taker](odd)


@pytest.mark.parametrize("odd", [None, True, b"7.5", [], {}, object(), math.nan, "", "\ud800"])
def test_odd_komi(odd: Any) -> None:
    with pytest.raises(InvalidKomi):
        Game(5, komi=False if odd is None else odd)
    with pytest.raises(InvalidKomi):
        some_game().komi = odd


COLLECTORS: dict[str, Callable[[Any], object]] = {
    "setup(black=)": lambda odd: some_game().setup(black=odd),
    "free_handicap": lambda odd: Game(9).free_handicap(odd),
    "mark_dead": lambda odd: some_game().mark_dead(odd),
    "score(dead=)": lambda odd: some_game().score(dead=odd),
    "score(seki=)": lambda odd: some_game().score(seki=odd),
}


@pytest.mark.parametrize("odd", [None, 1.5, True, object()], ids=named)
@pytest.mark.parametrize("taker", COLLECTORS)
def test_what_should_be_a_list_of_vertices(taker: str, odd: Any) -> None:
    with pytest.raises(GoError):
        COLLECTORS[taker](odd)


@pytest.mark.parametrize("odd", [[], {}], ids=named)
def test_odd_dead_stones(odd: Any) -> None:
    with pytest.raises(GoError):
        some_game().mark_dead([odd])


@pytest.mark.parametrize("odd", [7, -1, 3, 1 << 40], ids=named)
def test_rows_of_other_numbers_than_colors(odd: int) -> None:
    with pytest.raises(InvalidDiagram):
        Board.from_rows([[odd, 0, 0], [0, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize("odd", [None, 1.5, "X", [], math.nan], ids=named)
def test_rows_of_other_things_than_colors(odd: Any) -> None:
    with pytest.raises(InvalidDiagram):
        Board.from_rows([[odd, 0, 0], [0, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize("odd", [None, 1.5, 3, [None, None], b"ab"], ids=named)
def test_rows_that_are_no_rows(odd: Any) -> None:
    with pytest.raises(GoError):
        Board.from_rows(odd)


@pytest.mark.parametrize("odd", [None, 1.5, b"a.sgf", [], object()], ids=named)
def test_paths_that_are_no_paths(odd: Any) -> None:
    with pytest.raises(SgfError):
        Game.from_sgf_file(odd)


def test_a_complex_color() -> None:
    with pytest.raises(InvalidColor):
        Board(5).play(1 + 0j, "A1")  # type: ignore[arg-type]
