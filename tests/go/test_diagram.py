"""Boards as text."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.go.diagram import format_diagram, parse_diagram
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import InvalidDiagram

B, W, E = BLACK, WHITE, EMPTY


@st.composite
def boards(draw: st.DrawFn) -> list[list[int]]:
    size = draw(st.integers(2, 25))
    row = st.lists(st.sampled_from([E, B, W]), min_size=size, max_size=size)
    return draw(st.lists(row, min_size=size, max_size=size))


@pytest.mark.parametrize(
    "text",
    [
        """
        X O .
        . X +
        O , X
        """,
        "XO.\n.X+\nO,X",
        "#○.\n.@+\n○.●",
        "xo.\n.x.\no.x\n",
        """
           A B C
         3 X O . 3
         2 . X . 2
         1 O . X 1
           A B C
        """,
        "3 XO.\n2 .X.\n1 O.X\n  ABC",
        "3X(O).\n2.X.\n1O.X",
        """
        a b c

        X O . 3
        . X . 2

        O .(X)1
        """,
        "X\tO\t.\r\n.\tX\t.\r\nO\t.\tX\r\n",
    ],
)
def test_ways_to_draw_the_same_board(text: str) -> None:
    assert parse_diagram(text) == [[B, W, E], [E, B, E], [W, E, B]]


def test_a_picture_shows_coordinates_stars_and_the_last_move() -> None:
    rows = [[E] * 9 for _ in range(9)]
    rows[4][4], rows[6][2] = B, W

    assert format_diagram(rows, last=(2, 2)) == dedent(
        """\
           A B C D E F G H J
         9 . . . . . . . . . 9
         8 . . . . . . . . . 8
         7 . . + . . . + . . 7
         6 . . . . . . . . . 6
         5 . . . . X . . . . 5
         4 . . . . . . . . . 4
         3 . .(O). . . + . . 3
         2 . . . . . . . . . 2
         1 . . . . . . . . . 1
           A B C D E F G H J"""
    )


def test_row_numbers_of_large_boards_are_aligned() -> None:
    lines = format_diagram([[E] * 10 for _ in range(10)], last=(9, 0)).splitlines()

    assert lines[1] == "10 . . . . . . . . . . 10"
    assert lines[10] == " 1 . . . . . . . . .(.)1"


def test_a_picture_without_coordinates_starts_at_the_margin() -> None:
    rows = [[B, W], [E, B]]

    assert format_diagram(rows, coordinates=False) == "X O\n. X"
    assert format_diagram(rows, coordinates=False, last=(1, 1)) == "X(O)\n. X"
    assert format_diagram(rows, coordinates=False, last=(0, 0)) == " X O\n(.)X"


@given(boards(), st.data())
def test_a_picture_reads_back(rows: list[list[int]], data: st.DataObject) -> None:
    line = st.integers(0, len(rows) - 1)
    last = data.draw(st.none() | st.tuples(line, line))
    coordinates = data.draw(st.booleans())

    picture = format_diagram(rows, last=last, coordinates=coordinates)

    assert parse_diagram(picture) == rows
    assert parse_diagram("\n".join(f"\t{text} " for text in picture.splitlines())) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the diagram has no rows"),
        ("  \n A B C\n", "the diagram has no rows"),
        (". .\n. ?", "line 2: '?' is no point; use X for black, O for white, . for empty"),
        ("\n. 3 .", "line 2: '3' is no point; use X for black, O for white, . for empty"),
        ("(. .\n. .", "line 1: '(' is no point; use X for black, O for white, . for empty"),
        (". .\n\n. . .", "line 3: 3 points, but the first row has 2 points"),
        (". .\n.", "line 2: 1 point, but the first row has 2 points"),
        (". . .\n. . .", "2 rows of 3 points: a board must be square"),
        ("12", "1 rows of 0 points: a board must be square"),
        ("X", "1x1: a board has from 2x2 to 25x25 points"),
        ("\n".join(["." * 26] * 26), "26x26: a board has from 2x2 to 25x25 points"),
        ("2 . .\n2 . .", "line 2: numbered 2, but it is row 1"),
        (". . 1\n. . 2", "line 1: numbered 1, but it is row 2"),
        (None, "a diagram is a text, not NoneType"),
    ],
)
def test_what_is_no_board_is_refused(text: Any, message: str) -> None:
    with pytest.raises(InvalidDiagram) as error:
        parse_diagram(text)

    assert str(error.value) == message


@given(st.text(alphabet="XO.+,()AB12 \n\r\t?", max_size=60) | st.text(max_size=20))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    try:
        rows = parse_diagram(text)
    except InvalidDiagram:
        return
    assert {len(row) for row in rows} == {len(rows)}
