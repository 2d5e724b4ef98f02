"""Captures, ko, suicide and repetition as pictures: before, the moves, after.

Every case runs on the oracle, on the board and in a game, so that a picture drawn wrongly and a
board that is wrong look different.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from conftest import assert_reason, assert_same_board, to_point, to_rows, to_stones, to_vertex

from montego.go.board import Board
from montego.go.game import Game
from montego.go.vocabulary.errors import IllegalMove
from montego.go.vocabulary.rules import Rules
from reference import BLACK, WHITE, Point, Reference

pytestmark = pytest.mark.small_boards

COLORS = {"B": BLACK, "W": WHITE}


@dataclass(frozen=True)
class Case:
    name: str
    before: str
    moves: str
    """Such as ``"B C3 1, W D3 0"``: color, vertex, stones captured."""
    after: str
    ko: str | None = None
    illegal: str = ""
    """Such as ``"W B3 ko, B D1 suicide"``, after the moves."""

    def steps(self) -> list[tuple[str, str, int]]:
        words = (move.split() for move in self.moves.split(","))
        return [(color, vertex, int(captured)) for color, vertex, captured in words]

    def faults(self) -> list[tuple[str, str, str]]:
        listed = (fault.split(maxsplit=2) for fault in self.illegal.split(",") if fault)
        return [(color, vertex, reason) for color, vertex, reason in listed]


CASES = [
    Case(
        "a stone without liberties is captured",
        """
        . X .
        X O .
        . X .
        """,
        "B C2 1",
        """
        . X .
        X . X
        . X .
        """,
        illegal="W B2 suicide",
    ),
    Case(
        "capture in the corner",
        """
        X O . .
        X O . .
        . . . .
        . . . .
        """,
        "W A2 2",
        """
        . O . .
        . O . .
        O . . .
        . . . .
        """,
    ),
    Case(
        "capture along the whole edge",
        """
        X O . .
        X O . .
        X O . .
        X . O .
        """,
        "B D1 0, W B1 4",
        """
        . O . .
        . O . .
        . O . .
        . O O X
        """,
    ),
    Case(
        "one stone captures four chains",
        """
        . . X . .
        . X O X .
        X O . O X
        . X O X .
        . . X . .
        """,
        "B C3 4",
        """
        . . X . .
        . X . X .
        X . X . X
        . X . X .
        . . X . .
        """,
        illegal="W B3 suicide, W C2 suicide",
    ),
    Case(
        "neighbors of one chain are captured once",
        """
        . X X X .
        X O O O X
        X O . O X
        X O O O X
        . X X X .
        """,
        "B C3 8",
        """
        . X X X .
        X . . . X
        X . X . X
        X . . . X
        . X X X .
        """,
    ),
    Case(
        "a move without liberties is legal if it captures",
        """
        O . .
        X O .
        . X O
        """,
        "W A1 2",
        """
        O . .
        . O .
        O . O
        """,
    ),
    Case(
        "ko: no immediate retake",
        """
        . X O .
        X O . O
        . X O .
        . . . .
        """,
        "B C3 1",
        """
        . X O .
        X . X O
        . X O .
        . . . .
        """,
        ko="B3",
        illegal="W B3 ko, W C3 occupied",
    ),
    Case(
        "ko: retaken after a threat and its answer",
        """
        . X O .
        X O . O
        . X O .
        . . . .
        """,
        "B C3 1, W A1 0, B D1 0, W B3 1",
        """
        . X O .
        X O . O
        . X O .
        O . . X
        """,
        ko="C3",
        illegal="B C3 ko",
    ),
    Case(
        "ko: the winner fills it",
        """
        . X O .
        X O . O
        . X O .
        . . . .
        """,
        "B C3 1, W A1 0, B B3 0",
        """
        . X O .
        X X X O
        . X O .
        O . . .
        """,
    ),
    Case(
        "ko in the corner",
        """
        O X . .
        . O . .
        O . . .
        . . . .
        """,
        "B A3 1",
        """
        . X . .
        X O . .
        O . . .
        . . . .
        """,
        ko="A4",
        illegal="W A4 ko",
    ),
    Case(
        "taking one stone with a chain is no ko",
        """
        . X O .
        X O . O
        . X X O
        . . O .
        """,
        "B C3 1",
        """
        . X O .
        X . X O
        . X X O
        . . O .
        """,
        illegal="W B3 suicide",
    ),
    Case(
        "taking one stone and keeping two liberties is no ko",
        """
        . X O .
        X O . .
        . X O .
        . . . .
        """,
        "B C3 1, W D3 0, B A1 0",
        """
        . X O .
        X . X O
        . X O .
        X . . .
        """,
    ),
    Case(
        "taking two stones is no ko",
        """
        . O O X .
        O X X . X
        . O O X .
        . . . . .
        . . . . .
        """,
        "W D4 2, B C4 1",
        """
        . O O X .
        O . X . X
        . O O X .
        . . . . .
        . . . . .
        """,
    ),
    Case(
        "snapback",
        """
        . . . . .
        . . . . .
        . X X X .
        X O O O X
        X O . . X
        """,
        "B C1 0, W D1 1, B C1 5",
        """
        . . . . .
        . . . . .
        . X X X .
        X . . . X
        X . X . X
        """,
    ),
    Case(
        "seki: who plays first is captured",
        """
        . . . O X . .
        . . . O X . .
        . . . O X . .
        . O O O X X .
        . O X X O X .
        . O X . O X .
        . O X . O X .
        """,
        "W D2 0, B D1 4",
        """
        . . . O X . .
        . . . O X . .
        . . . O X . .
        . O O O X X .
        . O X X . X .
        . O X . . X .
        . O X X . X .
        """,
    ),
    Case(
        "bent four in the corner ends in ko",
        """
        . . . . . .
        . . . . . .
        X X X X X X
        O O O O O X
        X O O O O X
        . X X . O X
        """,
        "B A1 0, W D1 4, B B1 0, W A1 0, B A2 1",
        """
        . . . . . .
        . . . . . .
        X X X X X X
        O O O O O X
        X O O O O X
        . X . O O X
        """,
        ko="A1",
        illegal="W A1 ko",
    ),
    Case(
        "double ko: both stand open, one is barred at a time",
        """
        . . . . . . .
        . X O . . . .
        X O . O . . .
        . X O . . . .
        . . . . X O .
        . . . X . X O
        . . . . X O .
        """,
        "B C5 1, W E2 1",
        """
        . . . . . . .
        . X O . . . .
        X . X O . . .
        . X O . . . .
        . . . . X O .
        . . . X O . O
        . . . . X O .
        """,
        ko="F2",
        illegal="B F2 ko",
    ),
]


def play_reference(case: Case) -> Reference:
    rows = to_rows(case.before)
    game = Reference(len(rows), "simple", stones=to_stones(rows))
    for color, vertex, captured in case.steps():
        point = to_point(vertex)
        assert point is not None
        assert game.fault(COLORS[color], point) is None, vertex
        assert game.play(COLORS[color], point) == captured, vertex
    return game


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_on_the_oracle(case: Case) -> None:
    game = play_reference(case)

    assert_same_board(game.rows(), to_rows(case.after))
    assert (game.barred and to_vertex(game.barred[1])) == case.ko
    for color, vertex, reason in case.faults():
        point = to_point(vertex)
        assert point is not None
        assert game.fault(COLORS[color], point) == reason, vertex


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_on_the_board(case: Case) -> None:
    board = Board.from_diagram(case.before)

    for color, vertex, captured in case.steps():
        before = sum(board.captures)
        board.play(color, vertex)
        assert sum(board.captures) - before == captured, vertex
    assert_same_board(board.rows(), to_rows(case.after))
    assert board.ko == case.ko
    for color, vertex, reason in case.faults():
        with pytest.raises(IllegalMove) as caught:
            board.play(color, vertex)
        assert_reason(caught.value.reason, reason)
    assert_same_board(board.rows(), to_rows(case.after), "after the illegal moves")


def game_from(picture: str, rules: Rules, to_play: str = "B") -> Game:
    """A game that starts from a picture."""
    stones = to_stones(to_rows(picture))
    game = Game(len(to_rows(picture)), rules=rules)
    game.setup(
        black=[to_vertex(point) for point, color in stones.items() if color == BLACK],
        white=[to_vertex(point) for point, color in stones.items() if color == WHITE],
        to_play=to_play,
    )
    return game


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_in_a_game_and_back_again(case: Case) -> None:
    first = case.steps()[0][0]
    game = game_from(case.before, Rules(ko="simple"), first)
    boards = [to_rows(case.before)]

    for color, vertex, _ in case.steps():
        game.play(color, vertex)
        boards.append(game.board.rows())
    assert_same_board(boards[-1], to_rows(case.after))
    for color, vertex, reason in case.faults():
        assert vertex not in game.legal_moves(color)
        with pytest.raises(IllegalMove) as caught:
            game.play(color, vertex)
        assert_reason(caught.value.reason, reason)
    captured = sum(captured for _, _, captured in case.steps())
    assert sum(game.captures) == captured
    while len(boards) > 1:
        assert_same_board(game.board.rows(), boards.pop(), "on the way back")
        game.undo()
    assert_same_board(game.board.rows(), boards[0], "after undoing everything")
    assert sum(game.captures) == 0


SUICIDE_OF_ONE = """
    . . X . .
    . X . X .
    . . X . .
    . . . . .
    . . . . .
"""
SUICIDE_OF_TWO = """
    . X X . .
    X O . X .
    . X X . .
    . . . . .
    . . . . .
"""


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", [False, True])
def test_a_lone_stone_may_never_kill_itself(ko: str, *, suicide: bool) -> None:
    game = game_from(SUICIDE_OF_ONE, Rules(ko=ko, suicide=suicide), "W")

    assert "C4" not in game.legal_moves("W")
    with pytest.raises(IllegalMove, match="suicide"):
        game.play("W", "C4")


def test_suicide_of_two_stones_where_it_is_forbidden() -> None:
    game = game_from(SUICIDE_OF_TWO, Rules(suicide=False), "W")

    assert "C4" not in game.legal_moves("W")
    with pytest.raises(IllegalMove) as caught:
        game.play("W", "C4")
    assert_reason(caught.value.reason, "suicide")
    assert_same_board(game.board.rows(), to_rows(SUICIDE_OF_TWO))


def test_suicide_of_two_stones_where_it_is_allowed() -> None:
    game = game_from(SUICIDE_OF_TWO, Rules(suicide=True), "W")

    assert "C4" in game.legal_moves("W")
    game.play("W", "C4")
    assert_same_board(
        game.board.rows(),
        to_rows("""
        . X X . .
        X . . X .
        . X X . .
        . . . . .
        . . . . .
        """),
    )
    assert game.captures == (2, 0)  # Black's prisoners, then White's
    game.undo()
    assert_same_board(game.board.rows(), to_rows(SUICIDE_OF_TWO))
    assert game.captures == (0, 0)


@dataclass(frozen=True)
class Cycle:
    """Moves that come back to a position, and the first that each ko rule forbids (or None)."""

    name: str
    before: str
    moves: str
    simple: int | None
    positional: int | None
    situational: int | None

    def steps(self) -> list[tuple[str, Point | None]]:
        words = (move.split() for move in self.moves.split(","))
        return [(color, to_point(vertex)) for color, vertex in words]


CYCLES = [
    Cycle(
        "ko",
        """
        . X O .
        X O . O
        . X O .
        . . . .
        """,
        "B C3, W B3",
        simple=1,
        positional=1,
        situational=1,
    ),
    # The position comes back with the other player to move; a pass makes it a true cycle.
    Cycle(
        "sending two, returning one",
        """
        . . . .
        . . . .
        O O X .
        . X . X
        """,
        "B A1, W C1, B B1, W pass, B A1",
        simple=None,
        positional=2,
        situational=4,
    ),
    Cycle(
        "double ko with a pass",
        """
        . . . . . . .
        . X O . . . .
        X O . O . . .
        . X O . . . .
        . . . . X O .
        . . . X . X O
        . . . . X O .
        """,
        "B C5, W E2, B pass, W B5, B F2, W pass, B C5",
        simple=None,
        positional=4,
        situational=6,
    ),
    Cycle(
        "triple ko",
        """
        X O . O . . . . .
        . X O . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X O . . . X O .
        X O . O . X . X O
        """,
        "B C1, W G1, B C9, W B1, B H1, W B9, B C1",
        simple=None,
        positional=5,
        situational=5,
    ),
    # Both sides throw in a second stone in turn: chosei, four moves without any ko.
    Cycle(
        "eternal life",
        """
        . . . .
        . . . .
        X X O O
        O . X .
        """,
        "B D1, W B1, B C1, W A1, B D1",
        simple=None,
        positional=3,
        situational=3,
    ),
]


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("cycle", CYCLES, ids=lambda cycle: cycle.name)
def test_repetition(cycle: Cycle, ko: str) -> None:
    rows = to_rows(cycle.before)
    oracle = Reference(len(rows), ko, stones=to_stones(rows))
    game = game_from(cycle.before, Rules(ko=ko))
    forbidden = getattr(cycle, ko)
    assert forbidden is None or forbidden < len(cycle.steps())

    for number, (color, point) in enumerate(cycle.steps()):
        vertex = to_vertex(point)
        if number == forbidden:
            assert point is not None
            reason = oracle.fault(COLORS[color], point)
            assert reason is not None
            assert vertex not in game.legal_moves(color)
            with pytest.raises(IllegalMove) as caught:
                game.play(color, vertex)
            assert_reason(caught.value.reason, reason)
            assert_same_board(game.board.rows(), oracle.rows())
            return
        assert point is None or oracle.fault(COLORS[color], point) is None
        oracle.play(COLORS[color], point)
        game.play(color, vertex)
        assert_same_board(game.board.rows(), oracle.rows(), f"after move {number}")
    assert forbidden is None


def test_undo_forgets_positions_too() -> None:
    game = game_from(CYCLES[1].before, Rules(ko="positional"))
    for move in ("B A1", "W C1"):
        game.play(*move.split())
    assert "B1" not in game.legal_moves("B")

    for _ in range(2):
        game.undo()
    game.play("W", "A1")
    game.undo()
    assert "A1" in game.legal_moves("B")


def test_several_moves_are_undone_at_once() -> None:
    game = game_from(CYCLES[1].before, Rules(ko="situational"))
    for move in ("B A1", "W C1", "B B1"):
        game.play(*move.split())
    assert game.captures == (1, 2)

    game.undo(3)
    assert_same_board(game.board.rows(), to_rows(CYCLES[1].before))
    assert game.captures == (0, 0)
    assert not game.moves


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
def test_setting_stones_up_forgets_ko_and_earlier_positions(ko: str) -> None:
    game = game_from(CYCLES[0].before, Rules(ko=ko))
    game.play("B", "C3")
    assert "B3" not in game.legal_moves("W")

    game.setup(to_play="W")
    assert "B3" in game.legal_moves("W")
    game.undo()
    assert "B3" not in game.legal_moves("W")
