"""Vertices, SGF points and star points."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.go.vocabulary.errors import InvalidSize, InvalidVertex
from montego.go.vocabulary.vertex import (
    check_size,
    format_sgf_point,
    format_vertex,
    parse_sgf_point,
    parse_vertex,
    star_points,
)

SIZES = range(2, 26)


@st.composite
def points(draw: st.DrawFn) -> tuple[int, tuple[int, int] | None]:
    size = draw(st.integers(2, 25))
    line = st.integers(0, size - 1)
    return size, draw(st.none() | st.tuples(line, line))


@pytest.mark.parametrize(
    ("text", "size", "coordinates"),
    [
        ("A1", 9, (0, 0)),
        ("a1", 2, (0, 0)),
        ("H8", 9, (7, 7)),
        ("J9", 9, (8, 8)),
        ("j9", 9, (8, 8)),
        ("T19", 19, (18, 18)),
        ("Z25", 25, (24, 24)),
        ("  q16\n", 19, (15, 15)),
        ("D04", 19, (3, 3)),
        ("pass", 9, None),
        (" PASS ", 9, None),
    ],
)
def test_vertices(text: str, size: int, coordinates: tuple[int, int] | None) -> None:
    assert parse_vertex(text, size) == coordinates


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I9", "I9: the letter I is not used; columns go from H to J"),
        ("i4", "i4: the letter I is not used; columns go from H to J"),
        ("K1", "K1: off the 9x9 board"),
        ("A10", "A10: off the 9x9 board"),
        ("A0", "A0: off the 9x9 board"),
        ("hello", "hello: not a vertex; say one such as D4, or pass"),
        ("", "'': not a vertex; say one such as D4, or pass"),
        ("4D", "4D: not a vertex; say one such as D4, or pass"),
        ("A-1", "A-1: not a vertex; say one such as D4, or pass"),
        ("A 1", "A 1: not a vertex; say one such as D4, or pass"),
        ("A１", "A１: not a vertex; say one such as D4, or pass"),
        ("A\x001", r"'A\x001': not a vertex; say one such as D4, or pass"),
        ("resign", "resign: not a vertex; say one such as D4, or pass"),
        ("A" + "1" * 9999, f"A{'1' * 36}...: not a vertex; say one such as D4, or pass"),
        (None, "None: not a vertex; say one such as D4, or pass"),
        ((0, 0), "(0, 0): not a vertex; say one such as D4, or pass"),
    ],
)
def test_what_is_no_vertex_is_refused(text: Any, message: str) -> None:
    with pytest.raises(InvalidVertex) as error:
        parse_vertex(text, 9)

    assert str(error.value) == message


@given(points())
def test_vertices_there_and_back(case: tuple[int, tuple[int, int] | None]) -> None:
    size, coordinates = case
    text = format_vertex(coordinates)

    assert parse_vertex(text, size) == coordinates
    assert parse_vertex(text.lower(), size) == coordinates


@given(points())
def test_sgf_points_there_and_back(case: tuple[int, tuple[int, int] | None]) -> None:
    size, coordinates = case

    assert parse_sgf_point(format_sgf_point(coordinates, size), size) == coordinates


@pytest.mark.parametrize("size", SIZES)
def test_every_point_has_its_own_names(size: int) -> None:
    board = [(column, row) for column in range(size) for row in range(size)]

    assert len({format_vertex(point) for point in board}) == size * size
    assert len({format_sgf_point(point, size) for point in board}) == size * size


@pytest.mark.parametrize(
    ("text", "size", "coordinates"),
    [
        ("aa", 9, (0, 8)),
        ("ai", 9, (0, 0)),
        ("ia", 9, (8, 8)),
        ("pd", 19, (15, 15)),
        ("tt", 19, None),
        ("tt", 9, None),
        ("tt", 20, (19, 0)),
        ("tt", 25, (19, 5)),
        ("", 25, None),
        ("yy", 25, (24, 0)),
    ],
)
def test_sgf_points(text: str, size: int, coordinates: tuple[int, int] | None) -> None:
    assert parse_sgf_point(text, size) == coordinates


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ja", "ja: off the 9x9 board"),
        ("aj", "aj: off the 9x9 board"),
        ("AA", "AA: off the 9x9 board"),
        ("aA", "aA: off the 9x9 board"),
        ("a", "a: not a point; SGF writes two letters such as dd"),
        ("abc", "abc: not a point; SGF writes two letters such as dd"),
        ("D4", "D4: not a point; SGF writes two letters such as dd"),
        (" ", " : not a point; SGF writes two letters such as dd"),
        ("éa", "éa: not a point; SGF writes two letters such as dd"),
    ],
)
def test_what_is_no_sgf_point_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidVertex) as error:
        parse_sgf_point(text, 9)

    assert str(error.value) == message


@given(st.text(max_size=5), st.integers(2, 25))
def test_any_text_is_a_point_or_refused(text: str, size: int) -> None:
    for parse in (parse_vertex, parse_sgf_point):
        try:
            coordinates = parse(text, size)
        except InvalidVertex:
            continue
        assert coordinates is None or all(0 <= line < size for line in coordinates)


@pytest.mark.parametrize("size", SIZES)
def test_sizes(size: int) -> None:
    assert check_size(size) == size


@pytest.mark.parametrize("size", [1, 26, 0, -9, 9.0, "9", None, True, 10**400])
def test_other_sizes_are_refused(size: Any) -> None:
    with pytest.raises(InvalidSize, match=r"^invalid board size .*: say a whole number from 2 to"):
        check_size(size)


def test_star_points_of_the_usual_boards() -> None:
    stars = {size: " ".join(map(format_vertex, star_points(size))) for size in (9, 13, 19)}

    assert stars == {
        9: "C3 G3 E5 C7 G7",
        13: "D4 K4 G7 D10 K10",
        19: "D4 K4 Q4 D10 K10 Q10 D16 K16 Q16",
    }


@pytest.mark.parametrize("size", SIZES)
def test_star_points_are_symmetric(size: int) -> None:
    stars = star_points(size)

    assert len(set(stars)) == len(stars)
    assert {(size - 1 - column, row) for column, row in stars} == set(stars)
    assert {(row, column) for column, row in stars} == set(stars)
