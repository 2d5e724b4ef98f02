"""3x3 patterns: the pictures that come with Montego, the file format, the table made of them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from go_positions import random_games, to_index, to_state
from montego.go.kernels.layout import SIZE
from montego.go.kernels.patterns import (
    CODES,
    FLAGS,
    HEAVIEST,
    PACKED,
    Pattern,
    PatternError,
    code_of,
    expand,
    matches,
    pack,
    packed_patterns,
    parse_patterns,
    read_patterns,
    swap_colors,
    weight_at,
)
from montego.go.vocabulary.errors import GoError
from montego.jit import interpreted
from reference import BLACK, WHITE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OURS = read_patterns()
MOGO = read_patterns("mogo")
EMPTY, WALL = 0, 3
EIGHT = [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]

# The meaning of the signs, written down again.
SIGNS = {
    ".": {EMPTY},
    "X": {BLACK},
    "O": {WHITE},
    "x": {EMPTY, WHITE, WALL},
    "o": {EMPTY, BLACK, WALL},
    "?": {EMPTY, BLACK, WHITE, WALL},
    "-": {WALL},
}


def to_code(colors: list[int]) -> int:
    """The code of eight neighbors, from the top left, row by row."""
    code = 0
    for color in reversed(colors):
        code = 4 * code + color
    return code


def to_colors(code: int) -> list[int]:
    return [code >> 2 * place & 3 for place in range(8)]


def views(colors: list[int]) -> Iterator[list[int]]:
    """A neighborhood seen from all eight sides."""
    grid = dict(zip(EIGHT, colors, strict=True))
    for flip_x, flip_y, turn in product((1, -1), (1, -1), (False, True)):
        seen = []
        for x, y in EIGHT:
            place = (flip_x * x, flip_y * y)
            seen.append(grid[place[::-1] if turn else place])
        yield seen


def fits(pattern: Pattern, colors: list[int]) -> bool:
    """Whether a picture fits a neighborhood, Black to move; slowly, by looking at it."""
    exchanged = [{BLACK: WHITE, WHITE: BLACK}.get(color, color) for color in colors]
    sides = [colors] if pattern.for_x_only else [colors, exchanged]
    return any(
        all(color in SIGNS[sign] for color, sign in zip(seen, pattern.neighbors, strict=True))
        for side in sides
        for seen in views(side)
    )


def weight_in(table: np.ndarray[tuple[int], np.dtype[np.float64]], code: int) -> int:
    weight = int(table[FLAGS + code // 8]) >> 6 * (code % 8) & HEAVIEST
    assert int(table[code // 32]) >> code % 32 & 1 == (weight > 0)
    return weight


# The file that comes with Montego.


def test_our_patterns_are_thirteen_with_names_and_weights() -> None:
    assert len(OURS) == 13
    assert len({pattern.name for pattern in OURS}) == 13
    assert all(0 < pattern.weight <= 1 for pattern in OURS)
    assert not any(pattern.for_x_only for pattern in OURS)


@pytest.mark.parametrize("pattern", OURS + MOGO, ids=lambda pattern: pattern.name)
def test_a_picture_matches_where_it_looks_like_it_and_nowhere_else(pattern: Pattern) -> None:
    dice = np.random.default_rng(1)
    codes = expand(pattern)
    for code in {*dice.integers(0, CODES, 400).tolist(), *sorted(codes)[:: len(codes) // 100 + 1]}:
        assert (code in codes) == fits(pattern, to_colors(code)), to_colors(code)


@pytest.mark.parametrize("pattern", OURS, ids=lambda pattern: pattern.name)
def test_symmetries_and_colors_do_not_matter(pattern: Pattern) -> None:
    codes = expand(pattern)
    assert codes
    for code in list(codes)[:200]:
        assert {to_code(view) for view in views(to_colors(code))} <= codes
        assert swap_colors(code) in codes


def test_mogos_patterns_are_hane_cut_and_side_and_three_are_for_one_player() -> None:
    kinds = {"hane", "magari", "cut", "push", "side"}
    assert {pattern.name.split("-")[0] for pattern in MOGO} == kinds
    assert [pattern.name for pattern in MOGO if pattern.for_x_only] == [
        "hane-thin",
        "side-descent",
        "side-cut",
    ]
    # X O O over an empty row, nothing below: a hane for X, and nothing for O.
    thin = [BLACK, WHITE, WHITE, EMPTY, EMPTY, EMPTY, EMPTY, EMPTY]
    assert [pattern.name for pattern in matches(MOGO, to_code(thin))] == ["hane-thin"]
    assert matches(MOGO, swap_colors(to_code(thin))) == []
    # What came after MoGo: a shoulder hit, and the cut of a knight's move.
    shoulder = [EMPTY, WHITE, EMPTY, BLACK, EMPTY, EMPTY, EMPTY, EMPTY]
    knight = [WHITE, BLACK, EMPTY, EMPTY, WHITE, EMPTY, EMPTY, EMPTY]
    for colors in (shoulder, knight):
        assert matches(MOGO, to_code(colors)) == []
        assert len(matches(OURS, to_code(colors))) == 1


def test_mogos_cut_is_none_where_one_of_its_two_sides_is_filled_and_the_other_open() -> None:
    for right, below in product((EMPTY, BLACK, WHITE), repeat=2):
        colors = [BLACK, WHITE, EMPTY, WHITE, right, EMPTY, below, EMPTY]
        cuts = [one for one in matches(MOGO, to_code(colors)) if one.name.startswith("cut")]
        assert bool(cuts) is ({right, below} != {EMPTY, WHITE})


def test_every_code_has_the_weight_of_the_heaviest_pattern_that_matches() -> None:
    table = pack(OURS)
    expected = np.zeros(CODES, int)
    for pattern in OURS:
        for code in expand(pattern):
            expected[code] = max(expected[code], round(pattern.weight * HEAVIEST))
    assert table.shape == (PACKED,)
    assert [weight_in(table, code) for code in range(CODES)] == expected.tolist()
    assert 0 < np.count_nonzero(expected) < CODES // 4


def test_the_table_of_our_patterns_is_made_once_and_cannot_be_changed() -> None:
    assert packed_patterns() is packed_patterns()
    assert (packed_patterns() == pack(OURS)).all()
    with pytest.raises(ValueError, match="read-only"):
        packed_patterns()[0] = 1.0


# On the board.

ON_THE_BOARD = [
    ("hane-enclosing", "X O X\n. . .\n. . .", "B2"),
    ("shoulder", ". O .\nX . .\n. . .", "B2"),
    ("cut", ". . . .\n. X O .\n. O . .\n. . . .", "C2"),
    ("push-through", ". X .\nO . O\n. . .", "B2"),
    ("side-chase", ". . .\nX . .\nO . .", "B1"),
    ("side-block", ". . .\n. X .\n. . O", "B1"),
]


@pytest.mark.small_boards
@pytest.mark.parametrize(("name", "picture", "vertex"), ON_THE_BOARD)
def test_pictures_on_the_board(name: str, picture: str, vertex: str) -> None:
    state = to_state(picture)
    point = to_index(vertex, int(state[SIZE]))
    code = int(code_of(state, point))
    found = matches(OURS, code)
    assert name in {pattern.name for pattern in found}
    table = packed_patterns()
    heaviest = max(round(pattern.weight * HEAVIEST) for pattern in found)
    for color in (BLACK, WHITE):
        assert weight_at(state, table, 0, point, color) == heaviest
        assert interpreted(weight_at)(state, table, 0, point, color) == heaviest


@pytest.mark.small_boards
def test_the_code_of_a_point_is_its_neighborhood() -> None:
    for state, oracle in random_games(4, 1, 25, seed=2):
        for column, row in product(range(4), repeat=2):
            colors = [
                oracle.stones.get((column + x, row + y), EMPTY)
                if 0 <= column + x < 4 and 0 <= row + y < 4
                else WALL
                for x, y in EIGHT
            ]
            code = int(code_of(state, to_index(f"{'ABCD'[column]}{row + 1}", 4)))
            assert code == to_code(colors)
            assert to_colors(swap_colors(code)) == [{1: 2, 2: 1}.get(c, c) for c in colors]


def test_white_reads_the_table_with_colors_exchanged() -> None:
    only_black = parse_patterns("pattern one-sided 0.5\nfor X\nX O ?\n? * ?\n? ? ?")
    table = pack(only_black)
    state = to_state("X O .\n. . .\n. . .")
    point = to_index("B2", 3)
    assert weight_at(state, table, 0, point, BLACK) == round(0.5 * HEAVIEST)
    assert weight_at(state, table, 0, point, WHITE) == 0
    state = to_state("O X .\n. . .\n. . .")
    assert weight_at(state, table, 0, point, BLACK) == 0
    assert weight_at(state, table, 0, point, WHITE) == round(0.5 * HEAVIEST)


# A file of one's own.

OWN = """
# Comments and blank lines are nothing.

pattern first            # the weight is 1
X . ?
. * .
- - -

pattern second 0.25
for X
O O O
o * x
? ? ?
pattern never 0
. . .
. * .
. . .
"""


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "own.txt"
    path.write_text(OWN, "utf-8")
    first, second, never = read_patterns(path)
    assert first == Pattern("first", 1.0, tuple("X.?..---"))
    assert second == Pattern("second", 0.25, tuple("OOOox???"), for_x_only=True)
    table = packed_patterns(str(path))
    assert (table == pack([first, second])).all()
    assert never.weight == 0.0
    assert {weight_in(table, code) for code in expand(first)} == {HEAVIEST}
    assert {weight_in(table, code) for code in expand(second)} <= {16, HEAVIEST}


def test_a_pattern_of_any_weight_is_a_pattern() -> None:
    (tiny,) = parse_patterns("pattern tiny 0.0001\n. . .\n. * .\n. . .")
    assert weight_in(pack([tiny]), 0) == 1


def test_an_empty_file_has_no_patterns() -> None:
    assert parse_patterns("# nothing\n") == []
    assert not pack([]).any()


FAULTS = [
    ("pattern\nX X X\n. * .\n. . .", "line 1: expected 'pattern NAME"),
    ("pattern a 0.5 more\nX X X\n. * .\n. . .", "line 1: expected 'pattern NAME"),
    ("\n\nX X X\n. * .\n. . .", "line 3: expected 'pattern NAME"),
    ("pattern a heavy\nX X X\n. * .\n. . .", "line 1: the weight 'heavy'"),
    ("pattern a 1.5\nX X X\n. * .\n. . .", "line 1: the weight '1.5'"),
    ("pattern a -1\nX X X\n. * .\n. . .", "line 1: the weight '-1'"),
    ("pattern a nan\nX X X\n. * .\n. . .", "line 1: the weight 'nan'"),
    ("# one\npattern a\nX X X\n. * .", "line 2: the picture should have three rows"),
    ("pattern a\n", "line 1: the picture should have three rows"),
    ("pattern a\nX X\n. * .\n. . .", "line 2: expected three signs"),
    ("pattern a\nX X X\n.*.\n. . .", "line 3: expected three signs"),
    ("pattern a\nX X X\n. . .\n. . .", "line 3: the move '\\*' should be in the middle"),
    ("pattern a\nX X X\n. * .\n. * .", "line 4: '\\*' is none of"),
    ("pattern a\nX X #\n. * .\n. . .", "line 2: expected three signs"),
    ("pattern a\nX Z X\n. * .\n. . .", "line 2: 'Z' is none of"),
    ("pattern a\nfor O\nX X X\n. * .", "line 2: expected three signs"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_faults_are_named_with_their_line(text: str, message: str) -> None:
    with pytest.raises(PatternError, match=message) as caught:
        parse_patterns(text)
    assert isinstance(caught.value, GoError)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(PatternError, match=r"cannot read patterns from .*none\.txt"):
        read_patterns(tmp_path / "none.txt")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PatternError, match=r"from .*bytes\.txt: no text file"):
        read_patterns(tmp_path / "bytes.txt")
    (tmp_path / "other.txt").write_text("# mine\nroot:x:0\n")
    with pytest.raises(PatternError, match=r"from .*other\.txt: line 2: expected 'pattern NAME"):
        read_patterns(tmp_path / "other.txt")
    with pytest.raises(PatternError, match="cannot read patterns"):
        read_patterns(tmp_path)
