"""Weights of local shapes in files, and as a game's knowledge holds them.

A file is NumPy's own (``.npz``): the size of the board, the weights as
:func:`~montego.go.local_shape.windows.sharing_of` numbers them, and whatever else a learner keeps.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.arrays import Arrays, arrays_in, read_arrays, write_arrays
from montego.go.local_shape import LEAST_SIZE, MOST_SIZE
from montego.go.local_shape.value import pack_shapes
from montego.go.local_shape.windows import (
    CODES,
    Window,
    expand,
    list_windows,
    sharing_of,
    windows_of,
)

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

SHIPPED_SIZE = 9
"""The board that the weights which come along were learned on."""


class ShapeWeights(NamedTuple):
    """What was learned on boards of one size."""

    size: int
    values: NDArray[np.float32]
    """As ``sharing_of(size)`` numbers them; the last is for every position."""
    more: Arrays
    """What else the file holds."""


def read_shapes_file(path: str | os.PathLike[str]) -> ShapeWeights:
    """Return the weights in a file.

    Raises:
        GoError: If it cannot be read, or holds something else.
    """
    return read_arrays(path, _weights_in, "weights of local shapes")


def _weights_in(arrays: Arrays) -> ShapeWeights:
    size, values = int(arrays.pop("size")), np.asarray(arrays.pop("weights"), np.float32)
    if not LEAST_SIZE <= size <= MOST_SIZE or values.shape != (sharing_of(size).weights,):
        raise ValueError
    if not np.isfinite(values).all():
        raise ValueError
    return ShapeWeights(size, values, arrays)


def write_shapes_file(path: str | os.PathLike[str], weights: ShapeWeights) -> None:
    """Write a file that :func:`read_shapes_file` reads; it is there whole or not at all.

    Raises:
        GoError: If it cannot be written.
    """
    kept: Arrays = {"size": np.array(weights.size, np.int64), "weights": weights.values}
    write_arrays(path, kept | weights.more)


@cache
def shipped_shapes() -> ShapeWeights:
    """Return the weights that come along: learned from self-play on 9x9."""
    with (files("montego.go") / "data" / f"local_shape_{SHIPPED_SIZE}.npz").open("rb") as file:
        return _weights_in(arrays_in(file))


@cache
def packed_shapes(size: int, path: str | None = None) -> NDArray[np.float64]:
    """Return what a file says, or what comes along, for a game's knowledge on a board of that size.

    Raises:
        GoError: If the file cannot be read.
    """
    weights = values_on(size, shipped_shapes() if path is None else read_shapes_file(path))
    packed = pack_shapes(size, expand(size, weights), float(weights[-1]))
    packed.setflags(write=False)
    return packed


def values_on(size: int, weights: ShapeWeights) -> NDArray[np.float32]:
    """Return the weights on a board of that size, as ``sharing_of(size)`` numbers them.

    Where they were learned on another, a place is read as the one as far from the edges there, and
    what is farther than the middle as the middle.
    """
    if size == weights.size:
        return weights.values
    known, wanted = sharing_of(weights.size), sharing_of(size)
    from_first, to_first = windows_of(weights.size).first, windows_of(size).first
    by_place = {window: number for number, window in enumerate(list_windows(weights.size))}
    values = np.zeros(wanted.weights, np.float32)
    for number, (row, column, side) in enumerate(list_windows(size)):
        last, known_last = size - side, weights.size - side
        there = Window(_alike(row, last, known_last), _alike(column, last, known_last), side)
        begin = from_first[by_place[there]]
        shapes = known.located[begin : begin + CODES[side - 1]]
        here = wanted.located[to_first[number] : to_first[number + 1]]
        values[here] = weights.values[shapes]
    values[wanted.free] = weights.values[known.free]
    values[-1] = weights.values[-1]
    return values


def _alike(place: int, last: int, known_last: int) -> int:
    """Return the place from 0 to *known_last* that is as far from its nearer end."""
    if 2 * place <= last:
        return min(place, known_last // 2)
    return known_last - min(last - place, known_last // 2)
