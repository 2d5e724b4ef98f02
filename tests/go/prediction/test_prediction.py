"""The prediction of moves: chances, what was learned, and how it is kept."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from test_shapes import keys_of

from go_positions import random_games, to_index, to_state
from montego.go.kernels.layout import TO_PLAY
from montego.go.prediction.prediction import (
    pack_prediction,
    packed_prediction,
    prediction_arrays,
    read_prediction,
)
from montego.go.prediction.shapes import RINGS
from montego.go.prediction.traits import CAPTURE, TRAITS
from montego.go.vocabulary.errors import GoError
from predicted import chances_of

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


def nothing_learned() -> NDArray[np.float64]:
    return pack_prediction(np.zeros(0, np.uint64), np.zeros(0), np.zeros(TRAITS))


@pytest.mark.small_boards
def test_who_knows_nothing_finds_all_moves_alike() -> None:
    chances = chances_of(to_state(". . .\n. X .\n. . ."), nothing_learned())
    assert chances.pop("pass") == 0.0
    assert set(chances.values()) == {1 / len(chances)}


@pytest.mark.small_boards
def test_strengths_of_traits_and_shapes_multiply() -> None:
    picture = ". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . ."
    state = to_state(picture)
    keys = keys_of(state, "C3")[:3]
    traits = np.zeros(TRAITS)
    traits[CAPTURE] = math.log(3)
    shapes = np.log([2.0, 5.0, 7.0])
    chances = chances_of(state, pack_prediction(np.array(keys, np.uint64), shapes, traits))
    others = len(chances) - 2  # All but C3 and the pass.
    assert chances["C3"] == pytest.approx(210 / (210 + others))
    assert chances["E5"] == pytest.approx(1 / (210 + others))


@pytest.mark.small_boards
def test_a_larger_shape_is_not_looked_for_if_a_smaller_is_unknown() -> None:
    state = to_state(". . . . .\n. X . . .\n. O . . .\n. . . . .\n. . . . .")
    keys = np.array(keys_of(state, "C3")[1:2], np.uint64)
    chances = chances_of(state, pack_prediction(keys, np.ones(1), np.zeros(TRAITS)))
    assert chances["C3"] == pytest.approx(chances["E5"])


@pytest.mark.small_boards
def test_colliding_keys_are_told_apart() -> None:
    state = to_state(". . . . .\n. X . . .\n. O . . .\n. . . . .\n. . . . .")
    key = keys_of(state, "C3")[0]
    slot_mates = np.array([key ^ 1, key ^ 2, key], np.uint64)
    strengths = np.array([5.0, 6.0, math.log(4)])
    chances = chances_of(state, pack_prediction(slot_mates, strengths, np.zeros(TRAITS)))
    assert chances["C3"] == pytest.approx(4 * chances["E5"])


@pytest.mark.small_boards
@pytest.mark.parametrize("board", [9, 19])
def test_compiled_and_interpreted_agree(board: int) -> None:
    learned = packed_prediction(board)
    for number, (state, _) in enumerate(random_games(4, 1, 16, seed=7)):
        if number % 5 == 0:
            chances = chances_of(state, learned)
            assert chances_of(state, learned, slow=True) == pytest.approx(chances)
            assert sum(chances.values()) == pytest.approx(1) or set(chances) == {"pass"}


@pytest.mark.parametrize("board", [9, 19])
def test_what_we_learned_knows_the_basics(board: int) -> None:
    learned = packed_prediction(board)
    capture = """
        . . . . . . . . .
        . . . . . . . . .
        . . X X X . . . .
        . X O O O . . . .
        . . X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    chances = chances_of(to_state(capture, last="E6"), learned)
    assert "F6" in sorted(chances, key=chances.__getitem__, reverse=True)[:3]
    assert chances["A1"] < 0.01


def test_the_first_move_is_not_on_the_edge() -> None:
    empty = "\n".join([". " * 19] * 19)
    chances = chances_of(to_state(empty), packed_prediction(19))
    best = sorted(chances, key=chances.__getitem__, reverse=True)[:8]
    assert all(
        vertex[0] in "CDEPQR" and vertex[1:] in ["3", "4", "5", "15", "16", "17"] for vertex in best
    )


def test_a_file_holds_what_was_learned(tmp_path: Path) -> None:
    keys = np.array([9 << 20, 3 << 21, 1 << 39], np.uint64)
    shapes, traits = np.array([0.5, -1.25, 2.0]), np.linspace(-1, 1, TRAITS)
    path = tmp_path / "learned.npz"
    np.savez(path, **prediction_arrays(keys, shapes, traits))  # type: ignore[arg-type]
    again = read_prediction(str(path))
    assert again == pytest.approx(pack_prediction(keys, shapes, traits), abs=0.001)


def test_a_file_of_no_use_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(GoError, match="No such file"):
        read_prediction(str(tmp_path / "none.npz"))
    path = tmp_path / "other.npz"
    for content in ({"keys": np.zeros(3, np.uint64)}, {"traits": np.zeros(2)}):
        np.savez(path, **content)
        with pytest.raises(GoError, match="holds no strengths of moves"):
            read_prediction(str(path))
    path.write_text("dear diary", encoding="utf-8")
    with pytest.raises(GoError, match="holds no strengths of moves"):
        read_prediction(str(path))


@pytest.mark.parametrize("board", [9, 19])
def test_shapes_that_were_learned_have_all_smaller_ones(board: int) -> None:
    # From any point of a game: the rings known are the first ones, with no gap.
    known = set(packed_prediction(board)[TRAITS + 1 :: 2].astype(np.uint64).tolist())
    for number, (state, _) in enumerate(random_games(9, 2, 40, seed=1)):
        if number % 10 == 0:
            for vertex in ("C3", "E5", "A1", "G7"):
                if state[to_index(vertex, 9)] == 0:
                    seen = [key in known for key in keys_of(state, vertex, int(state[TO_PLAY]))]
                    assert seen == sorted(seen, reverse=True)
                    assert len(seen) == RINGS
