"""Weights of local shapes in files, and as a game's knowledge holds them.

A file is NumPy's own (``.npz``): the size of the board, the weights as
:func:`~montego.go.local_shape.windows.sharing_of` numbers them, and whatever else a learner keeps.
"""

from __future__ import annotations

import os
import zipfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

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
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHIPPED_SIZE = 9
"""The board that the weights which come along were learned on."""


class ShapeWeights(NamedTuple):
    """What was learned on boards of one size."""

    size: int
    values: NDArray[np.float32]
    """As ``sharing_of(size)`` numbers them; the last is for every position."""
    more: dict[str, NDArray[Any]]
    """What else the file holds."""


def read_shapes_file(path: str | os.PathLike[str]) -> ShapeWeights:
    """Return the weights in a file.

    Raises:
        GoError: If it cannot be read, or holds something else.
    """
    try:
        with Path(path).open("rb") as file:
            return _read(file)
    except OSError as error:
        raise GoError(f"cannot read {os.fspath(path)!r}: {error.strerror or error}") from None
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise GoError(f"{os.fspath(path)!r} holds no weights of local shapes") from None


def _read(file: IO[bytes]) -> ShapeWeights:
    with np.load(file, allow_pickle=False) as data:
        more = dict(data)
    size, values = int(more.pop("size")), np.asarray(more.pop("weights"), np.float32)
    if not LEAST_SIZE <= size <= MOST_SIZE or values.shape != (sharing_of(size).weights,):
        raise ValueError
    if not np.isfinite(values).all():
        raise ValueError
    return ShapeWeights(size, values, more)


def write_shapes_file(path: str | os.PathLike[str], weights: ShapeWeights) -> None:
    """Write a file that :func:`read_shapes_file` reads; it is there whole or not at all.

    Raises:
        GoError: If it cannot be written.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            kept: dict[str, Any] = {"size": np.int64(weights.size), "weights": weights.values}
            np.savez_compressed(file, **kept | weights.more)
        part.replace(path)
    except OSError as error:
        raise GoError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


@cache
def shipped_shapes() -> ShapeWeights:
    """Return the weights that come along: learned from self-play on 9x9."""
    with (files("montego.go") / "data" / f"local_shape_{SHIPPED_SIZE}.npz").open("rb") as file:
        return _read(file)


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
