"""What a game's functions are given besides the state: scratch to write, knowledge to read.

Scratch is one array of unsigned 64-bit integers, private to a thread. It holds the state of the
random numbers, and a playout leaves in it how many moves it played and which, so that a search can
update its all-moves-as-first statistics. Knowledge is one array of floats, shared between threads
and never written: komi, patterns, weights, whatever a game likes to know.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from montego.jit import kernel
from montego.jit.index import Index

State: TypeAlias = NDArray[Any]
"""A position of any game: one flat array of int32. Elements are typed loosely for kernels."""

Scratch: TypeAlias = NDArray[Any]
"""Made by :func:`new_scratch`: uint64."""

Knowledge: TypeAlias = NDArray[Any]
"""float64. Games that need none get :func:`no_knowledge`."""

RANDOM = Index(0)  # state of the random numbers; never 0
LENGTH = Index(1)  # moves of the last playout
LIMIT = Index(2)  # a playout stops after this many moves
TRACE = 3  # from here on, the moves of the last playout
# A move of the trace, and above it, where players do not move in turn, who made it: 0 or 1.
MOVE_BITS = 32
MOVE_MASK = (1 << MOVE_BITS) - 1


def new_scratch(limit: int, seed: int, room: int = 0) -> Scratch:
    """Return scratch space for playouts of up to *limit* moves, random numbers by *seed*.

    *room* integers of the game's own follow the trace; see :func:`room_of`.
    """
    scratch = np.zeros(TRACE + limit + room, np.uint64)
    # Seeds that differ in one bit should have nothing in common; SeedSequence mixes them.
    scratch[RANDOM] = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] | np.uint64(1)
    scratch[LIMIT] = limit
    return scratch


@kernel
def begin_scratch(scratch: Scratch, start: NDArray[Any], limit: int) -> None:
    """Begin the random numbers of *scratch* with ``start[0]``, which is not 0, and set the limit.

    For scratch space that was made elsewhere, on a GPU for instance.
    """
    scratch[RANDOM] = start[0]
    scratch[LIMIT] = limit


@kernel(inline=True)
def copy_state(source: State, target: State) -> None:
    """Copy a state into another of the same length. The two must not overlap."""
    for index in range(Index(len(source))):
        target[index] = source[index]


def no_knowledge() -> Knowledge:
    """Return knowledge for games that need none."""
    return np.zeros(1, np.float64)


@kernel(inline=True)
def room_of(scratch: Scratch) -> int:
    """Return the index in *scratch* where a game's own room begins."""
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


@kernel(inline=True)
def draw_below(scratch: Scratch, below: int) -> int:
    """Advance the random numbers of *scratch* and return one from 0 to *below* - 1."""
    random = advance(Index(scratch[RANDOM]))
    scratch[RANDOM] = random
    return draw(random, below)
