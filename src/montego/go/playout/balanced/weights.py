"""What speaks for a move of a balanced playout, what each of it weighs, and files of weights.

A weight is a logarithm: of the factor by which a shape or a *trait* makes a move more likely. The
traits come first, then the 3x3 shapes, seen with the stones of the player to move as Black's. The
eight symmetries of a shape share a weight; a point at the edge is another shape than one in the
middle. A file is NumPy's own (``.npz``): the weights, and whatever else a learner keeps.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.arrays import Arrays, arrays_in, read_arrays, write_arrays
from montego.go.kernels.patterns import CODES, symmetries
from montego.go.vocabulary.color import WALL

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

# The traits. Where a comment names two, they are that number and the next.
CAPTURE = 0  # the chain just played is captured: one stone, more
RESCUE = 2  # a chain that the last move put into atari is saved: one stone, more
TWO_LIBERTIES = 4  # the rule of that name suggests it: with little weight, with HEAVY or more
EYE_FIX = 6
NAKADE = 7
BESIDE_LAST = 8  # beside the last move, across its corner
BESIDE_BEFORE = 10  # beside the move before it, across its corner
SELF_ATARI = 12  # of a single stone, of a chain
TRAITS = 14

HEAVY = 3

MEANINGS = (
    "captures the stone just played",
    "captures the chain just played",
    "saves a stone from atari",
    "saves a chain from atari",
    "attacks or defends two liberties, lightly",
    "attacks or defends two liberties, heavily",
    "keeps an eye from becoming false",
    "takes the vital point of an eye space",
    "beside the last move",
    "across the corner of the last move",
    "beside the move before",
    "across the corner of the move before",
    "self-atari of a stone",
    "self-atari of a chain",
)
"""The traits in words."""

PLAIN = 1000
"""What a move for which nothing speaks weighs, in whole numbers."""

STEEPEST = 5.0
"""Weights are between this and its negative."""
LEAST_SELF_ATARI = -4.0
"""Self-ataris are refused, never favored: their weights are between this and 0."""


class BalanceWeights(NamedTuple):
    """What was learned."""

    values: NDArray[np.float64]
    """Trait, then shape as ``shape_classes`` numbers them: a logarithm."""
    more: Arrays
    """What else the file holds."""


@cache
def shape_classes() -> NDArray[np.int64]:
    """Return, for each code of eight neighbors, which shape it is, from 0 on; -1 for no shape.

    Walls are there only as the edges of a board have them: along a side of the square, or two.
    """
    codes = np.arange(CODES)
    cells = np.stack([codes >> (2 * place) & 3 for place in range(8)], 1)
    turned = [cells[:, list(order)] for order in symmetries()]
    alike = np.min([_encoded(some) for some in turned], axis=0)
    walls = cells == WALL
    sides = np.array([(0, 1, 2), (0, 3, 5), (2, 4, 7), (5, 6, 7)])
    outside = np.zeros((CODES, 8), bool)
    for side in sides:
        outside[:, side] |= walls[:, side].all(1)[:, None]
    possible = (outside == walls).all(1)
    kept = np.unique(alike[possible])
    classes: NDArray[np.int64] = np.searchsorted(kept, alike).astype(np.int64)
    classes[~possible] = -1
    classes.setflags(write=False)
    return classes


def _encoded(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    found: NDArray[np.int64] = (cells << (2 * np.arange(8))).sum(1)
    return found


@cache
def weight_count() -> int:
    """Return how many weights there are: of the traits, and of the shapes."""
    return TRAITS + int(shape_classes().max()) + 1


def within_bounds(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights with those that are too steep made less so."""
    found = np.clip(values, -STEEPEST, STEEPEST)
    found[SELF_ATARI:TRAITS] = np.clip(found[SELF_ATARI:TRAITS], LEAST_SELF_ATARI, 0.0)
    return found


def pack_balance(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights as a game's knowledge holds them.

    First the factors of the traits; then, for each code, what the shape weighs as a whole number.
    """
    factors = np.exp(values)
    packed = np.empty(TRAITS + CODES, np.float64)
    packed[:TRAITS] = factors[:TRAITS]
    # Codes of no shape weigh what comes at the end, which nobody asks for.
    packed[TRAITS:] = np.maximum(np.rint(PLAIN * factors[TRAITS:]), 1.0)[shape_classes()]
    return packed


def read_balance_file(path: str | os.PathLike[str]) -> BalanceWeights:
    """Return the weights in a file.

    Raises:
        GoError: If it cannot be read, or holds something else.
    """
    return read_arrays(path, _weights_in, "weights of playouts")


def _weights_in(arrays: Arrays) -> BalanceWeights:
    values = np.asarray(arrays.pop("balance"), np.float64)
    if values.shape != (weight_count(),) or not np.isfinite(values).all():
        raise ValueError
    return BalanceWeights(within_bounds(values), arrays)


def write_balance_file(path: str | os.PathLike[str], weights: BalanceWeights) -> None:
    """Write a file that :func:`read_balance_file` reads; it is there whole or not at all.

    Raises:
        GoError: If it cannot be written.
    """
    write_arrays(path, {"balance": weights.values} | weights.more)


@cache
def packed_balance(path: str | None = None) -> NDArray[np.float64]:
    """Return what a file says, or what comes along, for a game's knowledge.

    Raises:
        GoError: If the file cannot be read.
    """
    if path is None:
        with (files("montego.go") / "data" / "balance_9.npz").open("rb") as file:
            weights = _weights_in(arrays_in(file))
    else:
        weights = read_balance_file(path)
    packed = pack_balance(weights.values)
    packed.setflags(write=False)
    return packed
