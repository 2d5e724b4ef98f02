"""Liberties, ataris and self-ataris, counted when they are asked for.

The position keeps pseudo-liberties, the cheapest for playing stones. Tactical rules ask about the
few chains at the last move only, so real liberties are found by walking around a chain and stopping
as soon as there are too many to matter.

Kernels. They trust their arguments and change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.layout import (
    AROUND,
    AROUND_EMPTY,
    HEAD,
    LIBERTIES,
    NEXT,
    PASS,
    neighbors,
)
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.jit.state import State

_BOTH = BLACK + WHITE
MANY = 3  # Liberties are told apart up to here.
ATARI_MOST = 4  # Pseudo-liberties of one liberty at most: an empty point has four neighbors.


@kernel(inline=True)
def note(count: int, first: int, second: int, point: int) -> tuple[int, int, int]:
    """Add a point to a set of up to three, of which the first two are remembered.

    A third that was seen before is counted again: whoever collects stops at MANY.
    """
    if point in (first, second):  # Numba has no sets of these.
        return count, first, second
    if count == 0:
        return 1, point, second
    if count == 1:
        return 2, first, point
    return MANY, first, second


@kernel
def liberties_of(state: State, stone: int) -> tuple[int, int, int]:
    """Return how many liberties a stone's chain has, MANY standing for more, and the first two.

    What is missing is PASS.
    """
    head = Index(state[Index(stone) + HEAD])
    count, first, second = 0, PASS, PASS
    if state[head + LIBERTIES] > 2 * ATARI_MOST:
        return MANY, first, second
    at = head
    while True:
        if state[at + AROUND] >= AROUND_EMPTY:
            # Written out, as the most frequent of these walks.
            north, west, east, south = neighbors(at)
            if state[north] == EMPTY:
                count, first, second = note(count, first, second, north)
            if state[west] == EMPTY:
                count, first, second = note(count, first, second, west)
            if state[east] == EMPTY:
                count, first, second = note(count, first, second, east)
            if state[south] == EMPTY:
                count, first, second = note(count, first, second, south)
            if count == MANY:
                return MANY, first, second
        at = Index(state[at + NEXT])
        if at == head:
            return count, first, second


@kernel
def only_liberty(state: State, stone: int) -> int:
    """Return the only liberty of a stone's chain, or PASS if it has more."""
    head = Index(state[Index(stone) + HEAD])
    if state[head + LIBERTIES] > ATARI_MOST:
        return PASS
    only = PASS
    at = head
    while True:
        if state[at + AROUND] >= AROUND_EMPTY:
            for near in neighbors(at):
                if state[near] == EMPTY and near != only:
                    if only != PASS:
                        return PASS
                    only = near
        at = Index(state[at + NEXT])
        if at == head:
            return only


@kernel
def liberties_after(state: State, point: int, color: int, most: int) -> tuple[int, int]:
    """Return how many liberties, up to *most*, a stone's chain would have; and the first of them.

    *most* is 2 or 3. The stone is one of *color* on the empty *point*. What it captures counts as
    the liberties next to it; other stones of its chain beside the captured ones are not looked at,
    so after a capture there may be more than is said.
    """
    enemy = _BOTH - color
    count, first, second = 0, PASS, PASS
    # Empty neighbors and captures first: they are quick.
    for near in neighbors(point):
        there = state[near]
        if there == EMPTY or (there == enemy and only_liberty(state, near) == point):
            count, first, second = note(count, first, second, near)
    if count >= most:
        return most, first
    for near in neighbors(point):
        if state[near] == color:
            head = Index(state[near + HEAD])
            at = head
            while True:
                if state[at + AROUND] >= AROUND_EMPTY:
                    for beside in neighbors(at):
                        if state[beside] == EMPTY and beside != point:
                            count, first, second = note(count, first, second, beside)
                    if count >= most:
                        return most, first
                at = Index(state[at + NEXT])
                if at == head:
                    break
    return count, first


@kernel
def is_self_atari(state: State, point: int, color: int) -> bool:
    """Say whether a stone of *color* on *point* would be in atari with its chain, or dead."""
    if state[point + AROUND] >= 2 * AROUND_EMPTY:
        return False
    count, _ = liberties_after(state, point, color, 2)
    return count < 2
