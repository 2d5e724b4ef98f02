"""Vital points of eye spaces: every shape of up to seven points, everywhere, for either color."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import to_picture

from go_positions import to_index, to_name, to_state
from montego.go.kernels.nakade import LARGEST, vital_point
from montego.jit.index import Index
from montego.jit.state import new_scratch
from reference import BLACK, WHITE, around, other

if TYPE_CHECKING:
    from reference import Point

SIZE = 9

# The name, the shape, and its vital point marked with a star; without a star there is none.
SHAPES = [
    ("one", "."),
    ("two", ". ."),
    ("straight three", ". * ."),
    ("bent three", ". -\n* ."),
    ("straight four", ". . . ."),
    ("square four", ". .\n. ."),
    ("bent four", ". . .\n. - -"),
    ("zigzag four", ". . -\n- . ."),
    ("pyramid four", ". * .\n- . -"),
    ("bulky five", ". * .\n. . -"),
    ("crossed five", "- . -\n. * .\n- . -"),
    ("straight five", ". . . . ."),
    ("L five", ". . . .\n. - - -"),
    ("T five", ". . .\n- . -\n- . -"),
    ("bent five", ". . .\n. - -\n. - -"),
    ("staircase five", ". - -\n. . -\n- . ."),
    ("horseshoe five", ". - .\n. . ."),
    ("Y five", ". . . .\n- . - -"),
    ("rabbity six", ". . -\n. * .\n- . -"),
    ("rectangular six", ". . .\n. . ."),
    ("long cross six", "- . - -\n. . . .\n- . - -"),
    ("straight six", ". . . . . ."),
    ("flag six", ". . . .\n. . - -"),
    ("butterfly seven", ". . .\n- . -\n. . ."),
    ("crossed seven", ". . -\n. . .\n- . ."),
]
PLACES = {"corner": (0, 0), "edge": (2, 0), "middle": (2, 3)}


def cells(shape: str) -> tuple[set[Point], Point | None]:
    """The points of a shape, and its vital one."""
    space, vital = set(), None
    for row, line in enumerate(shape.split("\n")):
        for column, sign in enumerate(line.split()):
            if sign != "-":
                space.add((column, row))
            if sign == "*":
                vital = (column, row)
    return space, vital


def turned(point: Point, turn: int) -> Point:
    """A point under one of the eight symmetries, around the origin."""
    column, row = point
    if turn & 1:
        column = -column
    if turn & 2:
        row = -row
    return (row, column) if turn & 4 else (column, row)


def picture_around(space: set[Point], color: int, enemy_at: Point | None = None) -> str:
    """A board on which stones of *color* surround the space; everything else is the other's."""
    rows = [[0] * SIZE for _ in range(SIZE)]
    for point in space:
        for column, row in around(point, SIZE):
            if (column, row) not in space:
                rows[SIZE - 1 - row][column] = color
    if enemy_at is not None:
        rows[SIZE - 1 - enemy_at[1]][enemy_at[0]] = other(color)
    return to_picture(rows)


def vital(picture: str, start: Point) -> str:
    state = to_state(picture)
    scratch = new_scratch(1, 0, LARGEST)
    before = state.copy()
    at = Index(len(scratch) - LARGEST)
    found = vital_point(state, scratch, at, to_index(to_text(start), SIZE))
    assert (state == before).all()
    return to_name(found, SIZE)


def to_text(point: Point) -> str:
    return f"{'ABCDEFGHJ'[point[0]]}{point[1] + 1}"


def placed(shape: str, turn: int, place: Point) -> tuple[set[Point], Point | None]:
    """The shape turned and moved so that its lowest column and row are at *place*."""
    space, center = cells(shape)
    moved = {turned(point, turn) for point in space}
    shift_x = place[0] - min(point[0] for point in moved)
    shift_y = place[1] - min(point[1] for point in moved)
    moved = {(column + shift_x, row + shift_y) for column, row in moved}
    if center is None:
        return moved, None
    column, row = turned(center, turn)
    return moved, (column + shift_x, row + shift_y)


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize(("shape"), [pytest.param(shape, id=name) for name, shape in SHAPES])
def test_every_shape_has_the_vital_point_it_should(shape: str, place: Point, color: int) -> None:
    for turn in range(8):
        space, center = placed(shape, turn, place)
        picture = picture_around(space, color)
        expected = "pass" if center is None else to_text(center)
        for start in space:
            assert vital(picture, start) == expected, picture


@pytest.mark.small_boards
def test_a_few_shapes_with_bounds_checks_and_interpreted() -> None:
    for name in ("straight three", "bulky five", "rabbity six", "butterfly seven"):
        space, center = placed(dict(SHAPES)[name], 0, (0, 0))
        expected = "pass" if center is None else to_text(center)
        assert vital(picture_around(space, WHITE), min(space)) == expected


def test_a_space_beside_both_colors_has_none() -> None:
    space, _ = placed(". * .", 0, (2, 3))
    for border in sorted({near for point in space for near in around(point, SIZE)} - space):
        assert vital(picture_around(space, BLACK, enemy_at=border), (2, 3)) == "pass"


def test_the_names_of_the_shapes_are_true() -> None:
    numbers = {
        "one": 1,
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
    }
    for name, shape in SHAPES:
        assert len(cells(shape)[0]) == numbers[name.split()[-1]], name
