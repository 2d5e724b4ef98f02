"""Problems cut out of their boards, for a search."""

from __future__ import annotations

import pytest
from conftest import to_rows

from montego.go.board import Board
from montego.go.vocabulary.vertex import parse_vertex
from montego.solve.fight import find_target
from montego.solve.frame import framed

CORNER = [
    "O X . . . . . . . . . . .",
    ". O X . . . . . . . . . .",
    "O O X . . . . . . . . . .",
    "X X X . . . . . . . . . .",
    *[". . . . . . . . . . . . ."] * 9,
]


def turned(rows: list[str], *, upside_down: bool, mirrored: bool) -> Board:
    picture = [row.split() for row in rows]
    picture = picture[::-1] if upside_down else picture
    picture = [row[::-1] for row in picture] if mirrored else picture
    return Board.from_rows(to_rows("\n".join(" ".join(row) for row in picture)))


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_corner_becomes_a_small_board_with_the_same_stones(
    upside_down: bool, mirrored: bool
) -> None:
    board = turned(CORNER, upside_down=upside_down, mirrored=mirrored)
    frame = framed(board, "black", find_target(board.rows()))
    game = frame.game

    assert game.size < board.size
    assert game.to_play == "black"
    for column in range(board.size):
        for row in range(board.size):
            vertex = f"{'ABCDEFGHJKLMN'[column]}{row + 1}"
            inside = frame.in_game(vertex)
            if inside is not None:
                assert game.board.color_at(inside) == board.color_at(vertex)
                assert frame.on_board(inside) == vertex
            else:
                assert board.color_at(vertex) is None
    assert frame.on_board("pass") == "pass"


def test_the_frame_has_two_eyes_and_decides_who_wins() -> None:
    board = turned(CORNER, upside_down=False, mirrored=False)
    game = framed(board, "black", find_target(board.rows())).game
    black = [vertex for vertex in game.legal_moves("white") if vertex != "pass"]
    # White cannot take the frame: its two eyes are no legal moves.
    frame_stones = sum(game.board.color_at(v) == "black" for v in _vertices(game.size))
    assert frame_stones + len(black) + 4 < game.size**2

    dead = [v for v in _vertices(game.size) if game.board.color_at(v) == "white"]
    assert _winner(game.score(dead=dead).margin) == "black"
    assert _winner(game.score().margin) == "white"


def test_a_board_that_is_all_problem_stays_as_it_is() -> None:
    board = Board.from_rows(
        to_rows(
            """
            . . O X X
            . O O X .
            O O X . X
            O O X X .
            . O O X .
            """
        )
    )
    point = parse_vertex("A3", 5)
    assert point is not None
    frame = framed(board, "white", [point])
    assert frame.game.size == 5
    assert str(frame.game.board) == str(board)


def _vertices(size: int) -> list[str]:
    return [f"{'ABCDEFGHJKLMN'[column]}{row + 1}" for column in range(size) for row in range(size)]


def _winner(margin: float) -> str:
    return "black" if margin > 0 else "white"
