"""Windows and their shapes: how many there are, where they lie, and which are the same."""

from __future__ import annotations

import numpy as np
import pytest

from montego.go.local_shape.windows import (
    CODES,
    SHARING,
    Window,
    count_located,
    expand,
    list_windows,
    sharing_of,
    turned,
    turned_codes,
    windows_of,
)


def test_a_9x9_board_has_as_many_shapes_as_document_001_says() -> None:
    # "A million": 81 points, 64 squares of 2x2, 49 of 3x3.
    assert count_located(9) == 81 * 3 + 64 * 81 + 49 * 19683
    assert len(list_windows(9)) == 81 + 64 + 49


def test_a_point_in_the_middle_is_in_fourteen_windows_and_a_corner_in_three() -> None:
    windows = windows_of(5)
    none = len(list_windows(5))
    members = windows.members.reshape(25, SHARING)
    assert (members != none).sum(axis=1).reshape(5, 5)[[0, 2], [0, 2]].tolist() == [3, SHARING]
    # The lowest digit is the upper left point's.
    corner = dict(zip(members[0].tolist(), windows.powers[:SHARING].tolist(), strict=True))
    assert {power for window, power in corner.items() if window != none} == {1}


def test_the_eight_symmetries_are_eight_and_each_turns_codes_one_to_one() -> None:
    places = {tuple(turned(0, 1, 3, symmetry)) for symmetry in range(8)}
    assert len(places) == 4
    assert len({tuple(turned_codes(3, symmetry).tolist()) for symmetry in range(8)}) == 8
    for symmetry in range(8):
        assert sorted(turned_codes(2, symmetry).tolist()) == list(range(81))


@pytest.mark.parametrize("size", [5, 6])
def test_shapes_that_symmetries_make_of_one_another_share_a_weight_and_no_others(
    size: int,
) -> None:
    sharing, first = sharing_of(size), windows_of(size).first
    windows = list_windows(size)

    def located(row: int, column: int, code: int) -> int:
        return int(sharing.located[first[windows.index(Window(row, column, 2))] + code])

    last = size - 2
    # A stone in the upper left of the square in the upper left corner, and its three fellows.
    assert located(0, 0, 1) == located(0, last, 3) == located(last, 0, 9) == located(last, last, 27)
    assert located(0, 0, 1) != located(0, 0, 3)
    assert located(0, 0, 3) == located(0, 0, 9)  # The diagonal goes through that square.
    assert located(0, 1, 3) != located(0, 1, 9)  # And not through this one.
    # The other's stone is another shape.
    assert located(0, 0, 1) != located(0, 0, 2)
    free = sharing.free[CODES[0] : CODES[0] + CODES[1]]
    assert free[1] == free[3] == free[9] == free[27] != free[2]
    assert set(sharing.located.tolist()).isdisjoint(sharing.free.tolist())
    assert max(sharing.free.tolist()) + 2 == sharing.weights


def test_what_a_shape_is_worth_is_the_sum_of_both_its_weights() -> None:
    sharing = sharing_of(5)
    weights = np.random.default_rng(1).normal(size=sharing.weights).astype(np.float32)
    worths = expand(5, weights)
    number = list_windows(5).index(Window(1, 2, 3))
    code = 1 + 2 * 3**4
    at = int(windows_of(5).first[number]) + code
    free = sharing.free[CODES[0] + CODES[1] + code]
    expected = float(weights[sharing.located[at]]) + float(weights[free])
    assert worths[at] == pytest.approx(expected)
