"""What local shape says of a position and of each move: kernels for whoever plays.

What was learned lies in a game's knowledge, from an index on, for one size of board::

    windows | always | first ... | members ... | powers ... | worths ...

The number of windows; what is added for every position; then the arrays of
:class:`~montego.go.local_shape.windows.Windows`, and what each shape at a place is worth.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import (
    HEAD,
    HEADER,
    LIBERTIES,
    NEXT,
    ONE,
    PASS,
    ROW,
    SIZE,
    neighbors,
)
from montego.go.local_shape.windows import SHARING, list_windows, windows_of
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import room_of

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

OWN, OTHER = Index(1), Index(2)
"""Digits of stones: of the player who has just moved, and of the other."""
EACH = Index(SHARING)

_BOTH = BLACK + WHITE
_NONE = Index(0)
_TWO = Index(2)


def shape_room(size: int) -> int:
    """Return the scratch space that is needed behind the trace: a code for each window."""
    return len(list_windows(size)) + 1


def pack_shapes(size: int, worths: NDArray[Any], always: float) -> NDArray[np.float64]:
    """Return what a game's knowledge is to hold; *worths* has a number for each shape at a place.

    Behind them comes one for no window.
    """
    windows = windows_of(size)
    head = np.array([len(windows.first) - 1, always], np.float64)
    return np.concatenate([head, windows.first, windows.members, windows.powers, worths, [0.0]])


@kernel(inline=True)
def chance(worth: float) -> float:
    """Return the logistic function."""
    return 1.0 / (1.0 + math.exp(-worth))


@kernel(inline=True)
def captives(state: State, point: int, enemy: int) -> tuple[int, int, int, int]:
    """Return the heads of the chains that a stone at an empty point would capture, PASS for none.

    *enemy* is their color. A chain of which several stones are beside the point is named once.
    """
    north, west, east, south = neighbors(point)
    head_n, head_w = Index(state[north + HEAD]), Index(state[west + HEAD])
    head_e, head_s = Index(state[east + HEAD]), Index(state[south + HEAD])
    nw, ne, ns = int(head_n == head_w), int(head_n == head_e), int(head_n == head_s)
    we, ws, es = int(head_w == head_e), int(head_w == head_s), int(head_e == head_s)
    # As in has_breath: all of its pseudo-liberties are at the point.
    taken_n = state[north] == enemy and state[head_n + LIBERTIES] == 1 + nw + ne + ns
    taken_w = state[west] == enemy and state[head_w + LIBERTIES] == 1 + nw + we + ws
    taken_e = state[east] == enemy and state[head_e + LIBERTIES] == 1 + ne + we + es
    taken_s = state[south] == enemy and state[head_s + LIBERTIES] == 1 + ns + ws + es
    return (
        head_n if taken_n else PASS,
        head_w if taken_w and nw == 0 else PASS,
        head_e if taken_e and ne + we == 0 else PASS,
        head_s if taken_s and ns + ws + es == 0 else PASS,
    )


@kernel
def change_shapes(
    state: State,
    knowledge: Knowledge,
    table: int,
    scratch: Scratch,
    point: int,
    added: int,
    removed: int,
    keep: bool,
) -> float:
    """Return what a digit more or less at a point adds to the worth of all shapes.

    One of *added* and *removed* is 0. The codes in *scratch* change only if they are to *keep* it.
    """
    codes = room_of(scratch)
    size = Index(state[SIZE])
    firsts = table + _TWO
    members = firsts + Index(int(knowledge[table])) + ONE
    powers = members + size * size * EACH
    worths = powers + size * size * EACH
    offset = point - Index(HEADER)
    place = ((offset // Index(ROW) - ONE) * size + offset % Index(ROW) - ONE) * EACH
    gain = 0.0
    for number in range(SHARING):
        power = Index(int(knowledge[powers + place + Index(number)]))
        if power != _NONE:
            window = Index(int(knowledge[members + place + Index(number)]))
            first = worths + Index(int(knowledge[firsts + window]))
            before = Index(scratch[codes + window])
            after = before + added * power - removed * power
            gain += float(knowledge[first + after]) - float(knowledge[first + before])
            if keep:
                scratch[codes + window] = after
    return gain


@kernel
def read_shapes(
    state: State, knowledge: Knowledge, table: int, scratch: Scratch, color: int
) -> float:
    """Return what the shapes on the board are worth as *color* sees them, who has just moved.

    Their codes are left in the room of *scratch*. The chance to win is the logistic function of it.
    """
    codes = room_of(scratch)
    size, windows = Index(state[SIZE]), Index(int(knowledge[table]))
    firsts = table + _TWO
    worths = firsts + windows + ONE + _TWO * size * size * EACH
    for window in range(windows + ONE):
        scratch[codes + Index(window)] = 0
    for row in range(ONE, size + ONE):
        for column in range(ONE, size + ONE):
            point = Index(HEADER) + Index(row) * Index(ROW) + Index(column)
            if state[point] != EMPTY:
                digit = OWN if state[point] == color else OTHER
                change_shapes(state, knowledge, table, scratch, point, digit, _NONE, True)
    total = float(knowledge[table + ONE])
    for number in range(windows):
        window = Index(number)
        code = Index(scratch[codes + window])
        total += float(knowledge[worths + Index(int(knowledge[firsts + window])) + code])
    return total


@kernel
def gain_of_move(
    state: State, knowledge: Knowledge, table: int, scratch: Scratch, move: int, color: int
) -> float:
    """Return what a legal move adds to what :func:`read_shapes` found; a pass adds nothing."""
    if move == PASS:
        return 0.0
    gain = 0.0
    taken = captives(state, move, _BOTH - color)
    for head in taken:
        if head != PASS:
            gain += float(change_chain(state, knowledge, table, scratch, head, False))
    gain += float(change_shapes(state, knowledge, table, scratch, move, OWN, _NONE, False))
    for head in taken:
        if head != PASS:
            change_chain(state, knowledge, table, scratch, head, True)
    return gain


@kernel
def change_chain(
    state: State, knowledge: Knowledge, table: int, scratch: Scratch, head: int, back: bool
) -> float:
    """Take the other player's chain out of the codes, or put it back; return what that adds."""
    gain = 0.0
    added, removed = (OTHER, _NONE) if back else (_NONE, OTHER)
    stone = head
    while True:
        gain += float(change_shapes(state, knowledge, table, scratch, stone, added, removed, True))
        stone = Index(state[stone + NEXT])
        if stone == head:
            return gain
