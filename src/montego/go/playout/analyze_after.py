"""The analyze-after playout: stones are laid without captures, and captures are found at the end.

Section 4.3.1.3 of Florin Chelaru, "Artificial Intelligence in Computer Go" (2008). The players
fill the board in turn and in random order, obeying one rule only: not into one's own eye. Then
the worms (chains) of the full board are settled from the oldest to the newest, a worm being as
new as its newest stone: one that has no empty point beside it *at that moment* is captured, which
empties its points for the worms still to be settled. All others stay.

What follows from the definition, and saves work:

- No two worms that touch are both captured: the first leaves the second an empty neighbor. A
  captured worm is thus enclosed by stones that stay, and belongs to its captor.
- A point left empty is one that its owner drew and refused as an eye, so its four neighbors
  are of one color, for good, since nothing is lifted while stones are laid.
- The trace lists stones by time: no sorting. All steps are linear in the number of points, up to
  the nearly constant cost of a union-find forest.

The section counts captured stones, and komi; :func:`analyze_after_captures` does.
:func:`analyze_after` counts the settled board by area, as other playouts do; where both players
have placed as many stones, that is twice the section's figure, plus the eyes.

Where the section leaves a choice: stones on the board before the game have time 0; the worms
made of them alone are settled first, in random order. An eye is judged by its
diagonals on the board without captures, so a stone already dead may still spoil it. Ko is ignored.

Known to be inexact: stones are laid into the opponent's eyes, where the rules would not allow it. A
worm all of whose eyes are filled so, by stones newer than its own, is lost; with two one-point
eyes that happens to a worm of time 0 in about one game of four.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.eye import is_eye_of_colors, is_surrounded
from montego.go.kernels.flood import FIRST_MARK, area_balance
from montego.go.kernels.layout import (
    BALANCE,
    CAPTURED,
    EMPTY_COUNT,
    FIRST_EMPTY,
    HEAD,
    HEADER,
    LIBERTIES,
    NORTH,
    ONE,
    PASS,
    PASSES,
    ROW,
    SIZE,
    TO_PLAY,
    WEST,
    neighbors,
)
from montego.go.playout.reason import Reason, record
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, TRACE, advance, draw, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_NONE = Index(0)
_PASS, _RANDOM = int(Reason.PASS), int(Reason.RANDOM)

PARENT = HEAD  # the way to the stone that names the worm, its root, which is its own parent;
#                once the worms are built, it is the root itself
BREATH = LIBERTIES  # at roots, one of:
UNKNOWN = 0  # no empty neighbor seen
WAITING = 1  # no empty neighbor seen, and in the queue to be settled
BREATHES = 2  # has an empty neighbor


def analyze_after_room(size: int) -> int:
    """Return how many integers of scratch :func:`analyze_after` needs behind the trace."""
    return 2 * size * size


@kernel(inline=True)
def root_of(state: State, point: int) -> int:
    """Return the stone that names the worm of *point*, and shorten the way to it."""
    parent = Index(state[point + PARENT])
    while parent != point:
        above = state[parent + PARENT]
        state[point + PARENT] = above
        point = parent
        parent = Index(above)
    return point


@kernel(inline=True)
def _build_worms(state: State) -> None:
    """Join neighbors of one color into worms, row by row. Empty regions are joined like them."""
    size = Index(state[SIZE])
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        root = row  # from here on, the root of the point to the west
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            north = point - NORTH
            color = state[point]
            root = root if state[point - WEST] == color else point
            state[point + PARENT] = root
            state[point + BREATH] = UNKNOWN
            if state[north] == color:
                # The root nearer to the top left names both, so that ways lead backwards.
                other = root_of(state, north)
                state[max(root, other) + PARENT] = min(root, other)
                root = min(root, other)
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            # A parent comes earlier in this order, so it has been led to its root already.
            state[point + PARENT] = state[Index(state[point + PARENT]) + PARENT]


@kernel(inline=True)
def _give_breath(state: State, point: int) -> None:
    """Tell the worm of *point*, or a wall, that it has an empty neighbor."""
    state[Index(state[point + PARENT]) + BREATH] = BREATHES


@kernel
def _lift(state: State, scratch: Scratch, stone: int) -> int:
    """Empty the points of the worm of *stone*, let its neighbors breathe; return its stones."""
    color = int(state[stone])
    queue = room_of(scratch)
    done, end = queue, queue + ONE
    scratch[queue] = stone
    state[stone] = EMPTY
    while done < end:
        point = Index(scratch[done])
        done += ONE
        for near in neighbors(point):
            if state[near] == color:
                state[near] = EMPTY
                scratch[end] = near
                end += ONE
            elif state[near] == _BOTH - color:
                _give_breath(state, near)
    return int(np.int64(end - queue))


@kernel(inline=True)
def _settle(state: State, scratch: Scratch, stone: int) -> int:
    """Settle the worm of *stone*; return the stones that Black captures minus those White does."""
    if state[Index(state[stone + PARENT]) + BREATH] == BREATHES:
        return 0
    black = state[stone] == BLACK
    count = _lift(state, scratch, stone)
    return -count if black else count


@kernel(inline=True)
def _settle_old(state: State, scratch: Scratch, free: int) -> int:
    """Settle, in random order, the worms that no new stone belongs to; return as :func:`_settle`.

    They are the roots that are neither waiting nor breathing. They are noted in *scratch* from
    *free* on.
    """
    random = Index(scratch[RANDOM])
    size = Index(state[SIZE])
    end = free
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            point = row + Index(column)
            if (
                state[point + BREATH] == UNKNOWN
                and Index(state[point + PARENT]) == point
                and state[point] != EMPTY
            ):
                scratch[end] = point
                end += ONE
    captured = 0
    while end > free:
        random = advance(random)
        slot = free + draw(random, end - free)
        captured += _settle(state, scratch, Index(scratch[slot]))
        end -= ONE
        scratch[slot] = scratch[end]
    scratch[RANDOM] = random
    return captured


@kernel(inline=True)
def _lay_and_settle(state: State, scratch: Scratch, area: bool) -> int:
    """Lay stones at random and settle them; return Black's area, or captures, minus White's."""
    random = Index(scratch[RANDOM])
    limit = Index(scratch[LIMIT])
    first = Index(state[FIRST_EMPTY])
    last = first + Index(state[EMPTY_COUNT])
    left = last  # The points still to be drawn are those before it,
    eyes = last  # those drawn and refused begin here.
    passes = int(state[PASSES])
    color = int(state[TO_PLAY])
    balance = int(state[BALANCE])
    size = Index(state[SIZE])
    length = _NONE

    while left > first and passes < 2 and length < limit:
        move = PASS
        while left > first and move == PASS:
            random = advance(random)
            slot = first + draw(random, left - first)
            point = Index(state[slot])
            left -= ONE
            state[slot] = state[left]
            if is_eye_of_colors(state, point, color):
                eyes -= ONE
                state[eyes] = point
            else:
                move = point
        record(scratch, length, move, _RANDOM if move != PASS else _PASS)
        length += ONE
        if move != PASS:
            state[move] = color
            balance += 1 if color == BLACK else -1
            passes = 0
        else:
            passes += 1
        color = _BOTH - color

    _build_worms(state)
    for index in range(first, last):
        point = Index(state[Index(index)])
        # Between the points not drawn and the refused ones are those that were played.
        if index < left or index >= eyes:
            for near in neighbors(point):
                _give_breath(state, near)

    # The newest stone of a worm is the first one met on the way back through the game.
    queue = room_of(scratch) + size * size
    end = queue
    move = length
    while move > _NONE:
        move -= ONE
        stone = Index(scratch[Index(TRACE) + move])
        if stone != PASS:
            root = Index(state[stone + PARENT])
            if state[root + BREATH] == UNKNOWN:
                state[root + BREATH] = WAITING
                scratch[end] = stone
                end += ONE

    # Settle from the oldest to the newest.
    scratch[RANDOM] = random
    scratch[LENGTH] = length
    captured = 0
    if last - first < size * size:  # There were stones before.
        captured += _settle_old(state, scratch, end)
    while end > queue:
        end -= ONE
        captured += _settle(state, scratch, Index(scratch[end]))

    if not area:
        return captured
    if left > first:
        return area_balance(state, scratch, FIRST_MARK)
    # A captured stone is gone, and its point is the captor's.
    balance += 2 * captured
    for index in range(eyes, last):
        balance += 1 if is_surrounded(state, Index(state[Index(index)]), BLACK) else -1
    return balance


@kernel
def analyze_after(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Lay stones at random, settle them; return Black's area minus White's, without komi.

    Ends when all points were drawn, or after ``scratch[LIMIT]`` moves; two passes before the game
    leave nothing to lay. Afterwards *state* has the stones of the settled board; its other
    fields mean nothing. Needs :func:`analyze_after_room` integers of scratch.
    """
    return _lay_and_settle(state, scratch, True)


@kernel
def analyze_after_captures(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,
) -> int:
    """As :func:`analyze_after`, counted as its section counts: by captured stones.

    Prisoners of the moves before the playout are among them.
    """
    before = int(state[CAPTURED + Index(WHITE)]) - int(state[CAPTURED + Index(BLACK)])
    return before + _lay_and_settle(state, scratch, False)


analyze_after_captures_room = analyze_after_room
