"""Shapes: what lies around a point, out to a growing distance, known by a key.

A shape is what a player sees around a move: own stones, the enemy's, empty points and the edge. The
four neighbors are seen with their chains' liberties, one, two or more. Turned or mirrored it is the
same shape. Shapes are cut out in rings by the distance dx + dy + max(dx, dy), after D. Stern,
R. Herbrich and T. Graepel, "Bayesian pattern ranking for move prediction in the game of Go" (2006).
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import HEADER, ROW, SIZE
from montego.go.kernels.tactics import liberties_of
from montego.go.vocabulary.color import EMPTY
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch, State

DISTANCES = (3, 4, 5, 6, 7, 8)
"""How far each ring reaches."""
RINGS = len(DISTANCES)
SYMMETRIES = 8
SHAPE_ROOM = SYMMETRIES
"""Scratch space that a shape takes while it grows."""

_SIGHTS = 8  # How a point can look: see grow_shape.
_KEY = Index((1 << 40) - 1)  # Enough to tell shapes apart, and to fit a float.


def _distance(x: int, y: int) -> int:
    return abs(x) + abs(y) + max(abs(x), abs(y))


def _places() -> list[tuple[int, int]]:
    """Return the points around a move, the nearest first; the four neighbors are the first four."""
    reach = range(-DISTANCES[-1], DISTANCES[-1] + 1)
    around = [(x, y) for x, y in product(reach, reach) if 0 < _distance(x, y) <= DISTANCES[-1]]
    return sorted(around, key=lambda place: (_distance(*place), place))


def _keys(places: list[tuple[int, int]]) -> NDArray[np.uint64]:
    """Return random keys by place, sight and symmetry: those of one place, seen from each side."""
    own = np.random.default_rng(20061).integers(1, 1 << 63, (len(places), _SIGHTS), dtype=np.uint64)
    keys = np.empty((len(places), _SIGHTS, SYMMETRIES), np.uint64)
    for symmetry, (swap, mirror_x, mirror_y) in enumerate(product((False, True), repeat=3)):
        for place, (x, y) in enumerate(places):
            a, b = (y, x) if swap else (x, y)
            seen = (-a if mirror_x else a, -b if mirror_y else b)
            keys[place, :, symmetry] = own[places.index(seen)]
    return keys.reshape(-1)


_PLACES = _places()
_X = np.array([x for x, _ in _PLACES], np.int64)
_Y = np.array([y for _, y in _PLACES], np.int64)
_KEYS = _keys(_PLACES)
_ENDS = np.array(
    [0] + [sum(_distance(*place) <= most for place in _PLACES) for most in DISTANCES], np.int64
)


@kernel
def begin_shape(scratch: Scratch, at: int) -> None:
    """Clear the SHAPE_ROOM of a shape at ``scratch[at]``."""
    for symmetry in range(SYMMETRIES):
        scratch[at + Index(symmetry)] = Index(0)


@kernel
def grow_shape(state: State, scratch: Scratch, at: int, point: int, color: int, ring: int) -> int:
    """Add a ring to the shape that *color* sees around a point, and return the shape's key.

    Rings are added in order, from 0 to RINGS - 1.
    """
    size = int(state[SIZE])
    line, column = (int(point) - HEADER) // ROW, (int(point) - HEADER) % ROW
    for place in range(_ENDS[ring], _ENDS[ring + 1]):
        row, other = line + int(_Y[place]), column + int(_X[place])
        sight = 1  # the edge
        if 1 <= row <= size and 1 <= other <= size:
            near = Index(HEADER + row * ROW + other)
            there = state[near]
            if there == EMPTY:
                sight = 0
            else:
                sight = 2 if there == color else 5
                if place < 4:
                    liberties, _, _ = liberties_of(state, near)
                    sight += liberties - 1
        key = Index((place * _SIGHTS + sight) * SYMMETRIES)
        for symmetry in range(SYMMETRIES):
            scratch[at + Index(symmetry)] ^= _KEYS[key + Index(symmetry)]
    least = Index(scratch[at])
    for symmetry in range(1, SYMMETRIES):
        least = min(least, Index(scratch[at + Index(symmetry)]))
    return least & _KEY
