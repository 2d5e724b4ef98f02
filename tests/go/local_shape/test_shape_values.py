"""What local shape says of positions and moves, against a slow count; files, and other boards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from go_positions import to_state
from montego.go.kernels.layout import PASS, all_points, parse_move
from montego.go.kernels.position import LEGAL, move_fault, play
from montego.go.local_shape.value import gain_of_move, pack_shapes, read_shapes, shape_room
from montego.go.local_shape.weights import (
    ShapeWeights,
    packed_shapes,
    read_shapes_file,
    shipped_shapes,
    values_on,
    write_shapes_file,
)
from montego.go.local_shape.windows import expand, list_windows, sharing_of, windows_of
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.jit.index import Index
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from montego.jit.state import State

TABLE = Index(3)  # Anywhere in the knowledge.
SNAPBACK = """
    . X O X .
    X O O X .
    X O . O X
    . X O . X
    . . X X .
    """


def weights_of(size: int, seed: int = 1) -> NDArray[np.float32]:
    random = np.random.default_rng(seed)
    return random.normal(scale=0.1, size=sharing_of(size).weights).astype(np.float32)


def knowledge_of(size: int, values: NDArray[np.float32]) -> NDArray[np.float64]:
    packed = pack_shapes(size, expand(size, values), float(values[-1]))
    return np.concatenate([np.zeros(int(TABLE)), packed])


def slow_worth(state: State, size: int, values: NDArray[np.float32], color: int) -> float:
    """Return the sum over all windows, each looked at anew."""
    worths, first = expand(size, values), windows_of(size).first
    points = list(all_points(size))
    total = float(values[-1])
    for number, (row, column, side) in enumerate(list_windows(size)):
        code = 0
        for cell in range(side * side):
            there = int(state[points[(row + cell // side) * size + column + cell % side]])
            code += 3**cell * (0 if there == 0 else 1 if there == color else 2)
        total += float(worths[first[number] + code])
    return total


@pytest.mark.small_boards
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_every_move_adds_what_a_count_before_and_after_finds(color: int) -> None:
    size, values = 5, weights_of(5)
    knowledge = knowledge_of(size, values)
    scratch = new_scratch(1, 1, shape_room(size))
    state = to_state(SNAPBACK)
    worth = read_shapes(state, knowledge, TABLE, scratch, color)
    assert worth == pytest.approx(slow_worth(state, size, values, color))
    captured = 0
    for point in all_points(size):
        if move_fault(state, point, color) == LEGAL:
            after = state.copy()
            captured += play(after, point, color)
            gain = gain_of_move(state, knowledge, TABLE, scratch, Index(point), color)
            expected = slow_worth(after, size, values, color)
            assert worth + gain == pytest.approx(expected), point
    assert captured > 0
    assert gain_of_move(state, knowledge, TABLE, scratch, PASS, color) == 0.0


def test_a_position_and_its_mirror_image_are_worth_the_same_and_so_with_colors_exchanged() -> None:
    knowledge = knowledge_of(5, weights_of(5))
    scratch = new_scratch(1, 1, shape_room(5))
    rows = [line.strip() for line in SNAPBACK.strip().splitlines()]
    mirrored = "\n".join(row[::-1] for row in rows)
    exchanged = "\n".join(rows).translate(str.maketrans("XO", "OX"))
    worth = read_shapes(to_state("\n".join(rows)), knowledge, TABLE, scratch, BLACK)
    assert read_shapes(to_state(mirrored), knowledge, TABLE, scratch, BLACK) == pytest.approx(worth)
    other = read_shapes(to_state(exchanged), knowledge, TABLE, scratch, WHITE)
    assert other == pytest.approx(worth)


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "shapes.npz"
    weights = ShapeWeights(5, weights_of(5), {"games": np.array(3)})
    write_shapes_file(path, weights)
    again = read_shapes_file(path)
    assert again.size == 5
    assert np.array_equal(again.values, weights.values)
    assert int(again.more["games"]) == 3
    assert [each.name for each in tmp_path.iterdir()] == ["shapes.npz"]


def test_files_of_no_use_are_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(GoError, match=r"cannot read .*: No such file"):
        read_shapes_file(tmp_path / "none.npz")
    with pytest.raises(GoError, match="cannot write"):
        write_shapes_file(tmp_path / "no" / "x.npz", ShapeWeights(5, weights_of(5), {}))
    path = tmp_path / "other.npz"
    path.write_text("no weights", encoding="utf-8")
    with pytest.raises(GoError, match="holds no weights of local shapes"):
        read_shapes_file(path)
    for content in (
        {"size": np.int64(5), "weights": np.zeros(7, np.float32)},
        {"size": np.int64(99), "weights": weights_of(5)},
        {"size": np.int64(5), "weights": np.full(sharing_of(5).weights, np.nan, np.float32)},
        {"weights": weights_of(5)},
    ):
        np.savez(path, **content)
        with pytest.raises(GoError, match="holds no weights of local shapes"):
            read_shapes_file(path)


def test_on_another_board_a_place_is_the_one_as_far_from_the_edges() -> None:
    learned = ShapeWeights(5, weights_of(5), {})
    for size in (7, 4):
        known, here = sharing_of(5), sharing_of(size)
        values = values_on(size, learned)
        # The corner's stone, and what holds anywhere.
        assert values[here.located[1]] == learned.values[known.located[1]]
        assert np.array_equal(values[here.free], learned.values[known.free])
        assert values[-1] == learned.values[-1]
    assert values_on(5, learned) is learned.values


def test_what_comes_along_prefers_the_middle_of_an_empty_board_to_its_corner() -> None:
    weights = shipped_shapes()
    assert weights.size == 9
    knowledge = np.concatenate([np.zeros(int(TABLE)), packed_shapes(9)])
    scratch = new_scratch(1, 1, shape_room(9))
    state = to_state("\n".join(["  .  " + " .  " * 8] * 9))
    read_shapes(state, knowledge, TABLE, scratch, BLACK)
    middle, corner = (
        gain_of_move(state, knowledge, TABLE, scratch, Index(parse_move(vertex, 9)), BLACK)
        for vertex in ("E5", "A1")
    )
    assert middle > corner
    assert len(packed_shapes(13)) > len(packed_shapes(9))
