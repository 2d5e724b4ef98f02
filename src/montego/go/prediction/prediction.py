"""How likely a strong player is to choose each move, learned from games.

After R. Coulom, "Computing Elo ratings of move patterns in the game of Go" (2007): everything that
speaks for a move, its shape in growing rings and its traits, has a strength; a move's strengths
multiply, and its chance is its share of the sum over all moves. Here the strengths' logarithms were
found by gradient ascent on the likelihood of games: :mod:`montego.learn.moves`.
"""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.arrays import Arrays, arrays_in, read_arrays
from montego.go.kernels.layout import PASS
from montego.go.prediction.shapes import RINGS, SHAPE_ROOM, begin_shape, grow_shape
from montego.go.prediction.traits import (
    MOST_TRAITS,
    TRAITS,
    find_traits,
    list_of,
    prepare_traits,
    traits_room,
)
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

SLOTS = 1 << 16
"""Places in the table of shapes; it must not be full, and is quick when half of it is free."""

MOST_SHAPES = SLOTS * 3 // 4
"""Shapes that there is room for."""

UNIT = 1000.0  # What is stored as 1000 is a factor of e.

_TABLE = Index(TRAITS + 1)  # The traits come first; then each slot has a key and a strength.
_MASK = Index(SLOTS - 1)
_SHIFT = Index(20)
_TWO, _ONE = Index(2), Index(1)


def prediction_room(size: int) -> int:
    """Return the scratch space that :func:`predict_moves` needs behind the trace."""
    return traits_room(size) + SHAPE_ROOM


@cache
def packed_prediction(board: int) -> NDArray[np.float64]:
    """Return what was learned on boards of that size, 9 or 19, for a game's knowledge."""
    with (files("montego.go") / "data" / f"prediction_{board}.npz").open("rb") as file:
        return _prediction_in(arrays_in(file))


@cache
def read_prediction(path: str) -> NDArray[np.float64]:
    """Return what was learned and is kept in a file, for a game's knowledge.

    Raises:
        GoError: If the file cannot be read, or holds something else.
    """
    return read_arrays(path, _prediction_in, "strengths of moves")


def _prediction_in(arrays: Arrays) -> NDArray[np.float64]:
    keys, shapes, traits = arrays["keys"], arrays["shapes"] / UNIT, arrays["traits"] / UNIT
    if len(keys) > MOST_SHAPES or keys.shape != shapes.shape or traits.shape != (TRAITS,):
        raise ValueError
    return pack_prediction(keys, shapes, traits)


def pack_prediction(
    keys: NDArray[np.uint64], shapes: NDArray[np.float64], traits: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the strengths of traits and a table of those of shapes, as one array of floats."""
    packed = np.zeros(int(_TABLE) + 2 * SLOTS, np.float64)
    packed[:TRAITS] = traits
    taken = set()
    for key, strength in zip(keys.tolist(), shapes.tolist(), strict=True):
        slot = (key >> int(_SHIFT)) % SLOTS
        while slot in taken:
            slot = (slot + 1) % SLOTS
        taken.add(slot)
        packed[int(_TABLE) + 2 * slot] = key
        packed[int(_TABLE) + 2 * slot + 1] = strength
    packed.setflags(write=False)
    return packed


def prediction_arrays(
    keys: NDArray[np.uint64], shapes: NDArray[np.float64], traits: NDArray[np.float64]
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a file that :func:`read_prediction` reads, by name."""
    order = np.argsort(keys)
    return {"keys": keys[order], "shapes": _in_units(shapes[order]), "traits": _in_units(traits)}


def _in_units(strengths: NDArray[np.float64]) -> NDArray[np.int16]:
    most = np.iinfo(np.int16).max
    return np.clip(np.rint(strengths * UNIT), -most, most).astype(np.int16)


@kernel
def strength_of(
    state: State,
    knowledge: Knowledge,
    learned: int,
    scratch: Scratch,
    point: int,
    color: int,
    suggested: int,
) -> float:
    """Return the logarithm of a move's strength."""
    listed = list_of(state, scratch)
    worth = 0.0
    for number in range(find_traits(state, scratch, point, color, suggested)):
        worth += float(knowledge[learned + Index(scratch[listed + Index(number)])])
    shape = listed + Index(MOST_TRAITS)
    begin_shape(scratch, shape)
    for ring in range(RINGS):
        key = grow_shape(state, scratch, shape, point, color, ring)
        slot = (key >> _SHIFT) & _MASK
        place = learned + _TABLE + _TWO * slot
        while knowledge[place] != float(key):
            if knowledge[place] == 0.0:
                return worth  # A larger shape is known only if all smaller ones are.
            slot = (slot + _ONE) & _MASK
            place = learned + _TABLE + _TWO * slot
        worth += float(knowledge[place + _ONE])
    return worth


@kernel
def predict_moves(
    state: State,
    knowledge: Knowledge,
    learned: int,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    color: int,
    chances: NDArray[Any],
) -> None:
    """Write for each move how likely a strong player of *color* chooses it; 0 for a pass.

    *learned* is where in *knowledge* that begins which :func:`packed_prediction` returns.
    """
    suggested = prepare_traits(state, scratch, color)
    total = 0.0
    for rank in range(count):
        point = Index(moves[rank])
        chance = 0.0
        if point != PASS:
            chance = math.exp(
                strength_of(state, knowledge, learned, scratch, point, color, suggested)
            )
        chances[rank] = chance
        total += chance
    if total > 0.0:
        for rank in range(count):
            chances[rank] /= total
