"""What a playout is given besides the position: scratch space to write, knowledge to read.

Scratch is one array of unsigned 64-bit integers, private to a thread. A playout leaves in it how
many moves it played and which, passes included, so that a search can update its
all-moves-as-first statistics. Knowledge is one array of floats, shared and never written.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from montego.go.layout import Index
from montego.jit import kernel

Scratch: TypeAlias = NDArray[Any]
"""Made by :func:`new_scratch`. Elements are typed loosely for kernels."""

Knowledge: TypeAlias = NDArray[Any]
"""Patterns and weights, as float64. The policies here need none: :func:`no_knowledge`."""

RANDOM = Index(0)  # state of the random numbers; never 0
LENGTH = Index(1)  # moves of the last playout, passes included
LIMIT = Index(2)  # a playout stops after this many moves; cycles longer than ko exist
TRACE = 3  # from here on, the moves of the last playout: points, or PASS

MOVES_PER_POINT = 3  # The usual limit: games longer than this are cycling.


def new_scratch(size: int, seed: int, room: int = 0) -> Scratch:
    """Return scratch space for playouts on boards of this size, its random numbers by *seed*.

    *room* integers of a policy's own follow the trace; see :func:`room_of`.
    """
    limit = MOVES_PER_POINT * size * size
    scratch = np.zeros(TRACE + limit + room, np.uint64)
    # Seeds that differ in one bit should have nothing in common; SeedSequence mixes them.
    scratch[RANDOM] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] | np.uint64(1)
    scratch[LIMIT] = limit
    return scratch


def no_knowledge() -> Knowledge:
    """Return knowledge for policies that have none."""
    return np.zeros(1, np.float64)


@kernel(inline=True)
def room_of(scratch: Scratch) -> int:
    """Return the index in *scratch* where a policy's own room begins."""
    return Index(TRACE) + Index(scratch[LIMIT])


@kernel(inline=True)
def advance(random: int) -> int:
    """Return the next state of the random numbers: xorshift64 (Marsaglia 2003, triple 13, 7, 17).

    Shifts alone, because interpreted NumPy integers warn when a product overflows.
    """
    random ^= random << Index(13)
    random ^= random >> Index(7)
    random ^= random << Index(17)
    return random


@kernel(inline=True)
def draw(random: int, below: int) -> int:
    """Return a number from 0 to *below* - 1 from the upper half of a random state."""
    return ((random >> Index(32)) * below) >> Index(32)
