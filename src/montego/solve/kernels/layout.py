"""How a problem, a position and a search lie in flat arrays of 64-bit integers.

A problem has at most 62 points. A set of them is one signed integer, a bit for each, so that the
same source gives the same numbers interpreted and compiled: nothing overflows, and no two kinds of
integers are mixed. The attacker is side 0, the defender side 1, whatever their colors are.

Stones outside of the problem's points never change: they are *walls*. A chain that touches a wall
of its own color is never captured; the bit WALL among its liberties stands for that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.jit import kernel

if TYPE_CHECKING:
    from montego.solve.kernels.types import Words

MOST_POINTS = 62
WALL = 1 << 62  # A liberty that nobody can take.

ATTACKER, DEFENDER = 0, 1

# The problem: what never changes during a search.
POINTS = 0  # All points, as bits
TOUCHES = 1  # + side: the points beside a wall of that side
PROVER = 3  # The side whose goal is to be proven: to capture, or to make two eyes
BIT_INDEX = 8  # + bit % 67: the number of the bit; 2 is a primitive root of 67
NEAR = 76  # + point: its neighbors
STONE_KEY = 140  # + 64 * side + point
TARGET_KEY = 268  # + point
BAN_KEY = 332  # + point
SIDE_KEY = 396
THREAT_KEY = 400  # + 8 * side + threats left
PROBLEM_LENGTH = 416

MANY = 7
"""So many threats never come to an end."""

# A position: a row of this many integers.
STONES = 0  # + side
TARGET = 2  # The stones that are to be captured, as far as they still stand
BAN = 3  # The point that a ko bars to the side to move, as a bit; 0 if none
SIDE = 4  # to move
THREATS = 5  # + side: how often it may still take a ko back at once
KEY = 7
POSITION_LENGTH = 8

PASS = MOST_POINTS  # As a move


@kernel(inline=True)
def lowest(bits: int) -> int:
    """Return the lowest bit of a set that is not empty."""
    return bits & -bits


@kernel(inline=True)
def index_of(problem: Words, bit: int) -> int:
    """Return the number of the point that a bit stands for."""
    return int(problem[BIT_INDEX + bit % 67])


@kernel
def key_of(problem: Words, position: Words) -> int:
    """Return the hash of a position from scratch."""
    key = 0
    for side in range(2):
        rest = int(position[STONES + side])
        while rest:
            bit = lowest(rest)
            rest ^= bit
            key ^= int(problem[STONE_KEY + 64 * side + index_of(problem, bit)])
        key ^= int(problem[THREAT_KEY + 8 * side + int(position[THREATS + side])])
    rest = int(position[TARGET])
    while rest:
        bit = lowest(rest)
        rest ^= bit
        key ^= int(problem[TARGET_KEY + index_of(problem, bit)])
    if position[BAN]:
        key ^= int(problem[BAN_KEY + index_of(problem, int(position[BAN]))])
    if position[SIDE]:
        key ^= int(problem[SIDE_KEY])
    return key
