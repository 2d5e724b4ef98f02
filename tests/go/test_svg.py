"""Boards as pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.go.svg import board_svg
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE

SVG = "{http://www.w3.org/2000/svg}"


def empty_rows(size: int) -> list[list[int]]:
    return [[EMPTY] * size for _ in range(size)]


def texts(picture: str) -> list[str]:
    root = ET.fromstring(picture)  # noqa: S314
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("size", range(2, 26))
def test_every_size_gives_a_picture_with_all_coordinates(size: int) -> None:
    picture = board_svg(empty_rows(size))
    root = ET.fromstring(picture)  # noqa: S314

    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label") == f"Go board, {size}x{size}, 0 black and 0 white stones"
    assert root.findtext(f"{SVG}title") == root.get("aria-label")
    expected = [*"ABCDEFGHJKLMNOPQRSTUVWXYZ"[:size], *map(str, range(1, size + 1))]
    assert sorted(texts(picture)) == sorted(2 * expected)


def test_stones_stand_where_they_are_in_the_rows() -> None:
    rows = empty_rows(9)
    rows[0][0], rows[8][2] = BLACK, WHITE
    root = ET.fromstring(board_svg(rows, cell=10, coordinates=False))  # noqa: S314
    stones = [
        (circle.get("cx"), circle.get("cy"), circle.get("fill", "")[-6:-1])
        for circle in root.iter(f"{SVG}circle")
        if circle.get("fill", "").startswith("url(#")
    ]

    assert stones == [("7", "7", "black"), ("27", "87", "white")]
    assert root.get("width") == root.get("height") == "94"


def test_fills_refer_to_gradients_of_the_same_picture() -> None:
    rows = empty_rows(5)
    rows[1][1], rows[2][2] = BLACK, WHITE
    root = ET.fromstring(board_svg(rows))  # noqa: S314
    names = {gradient.get("id") for gradient in root.iter(f"{SVG}radialGradient")}
    used = {circle.get("fill", "")[5:-1] for circle in root.iter(f"{SVG}circle")}

    assert len(names) == 2
    assert names <= used


def test_different_boards_share_no_inner_names() -> None:
    other = empty_rows(5)
    other[0][0] = BLACK

    assert board_svg(empty_rows(5)) == board_svg(empty_rows(5))
    assert board_svg(empty_rows(5)).split('id="')[1][:10] != board_svg(other).split('id="')[1][:10]


def test_the_last_move_has_a_ring_and_is_told_to_those_who_cannot_see() -> None:
    rows = empty_rows(9)
    rows[4][4] = BLACK

    picture = board_svg(rows, last=(4, 4))

    assert picture.count('fill="none" stroke="#fff"') == 1
    assert "1 black and 0 white stones, last move black E5" in picture
    assert "last move A1" in board_svg(rows, last=(0, 0))


def test_labels_replace_the_ring_and_are_escaped() -> None:
    picture = board_svg(empty_rows(5), last=(0, 0), labels={(0, 0): "<&>", (1, 1): "{id}\x00"})

    assert 'fill="none" stroke="#b' not in picture
    assert {"<&>", "{id}"} <= set(texts(picture))


@given(st.integers(2, 6), st.text(), st.integers(1, 200), st.booleans())
def test_any_label_and_cell_give_valid_xml(
    size: int, label: str, cell: int, coordinates: bool
) -> None:
    ET.fromstring(  # noqa: S314
        board_svg(empty_rows(size), labels={(1, 0): label}, cell=cell, coordinates=coordinates)
    )
