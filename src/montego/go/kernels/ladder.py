"""Reading ladders: whether a chain in atari is caught, however it runs.

Each player has one sensible move at a time: the chain extends to its only liberty, and the attacker
takes the liberty that leaves the chain fewer on its next step. So a ladder is a line and not a
tree, and reading it takes as many steps as it has stones. Where the attacker has two good ways the
better looking one alone is read: a chain may be called free that is not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import FIRST_EMPTY, HEAD, LIBERTIES, NEXT, ONE, PASS, neighbors
from montego.go.kernels.position import place
from montego.go.kernels.tactics import MANY, liberties_after, liberties_of, only_liberty
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State

_BOTH = BLACK + WHITE
_BIAS = 1 << 31  # Counters of walls may be below 0, numbers in scratch space may not.
LONGEST = 60  # Steps after which a chain is taken to be free: three times across a large board.


@kernel
def captures_beside(state: State, stone: int, color: int) -> int:
    """Return a liberty at which the chain of *stone*, of *color*, captures an enemy, or PASS."""
    enemy = _BOTH - color
    first = Index(stone)
    at = first
    while True:
        for near in neighbors(at):
            if state[near] == enemy and state[Index(state[near + HEAD]) + LIBERTIES] <= 4:
                point = only_liberty(state, near)
                if point != PASS:
                    return point
        at = Index(state[at + NEXT])
        if at == first:
            return PASS


@kernel
def is_caught(
    state: State, scratch: Scratch, backup: int, stone: int, color: int, empties: int
) -> bool:
    """Say whether a chain in atari, of *color* and to move, is lost even if it runs.

    Counts capturing a neighbor as escape. *state* is played on and restored from a copy
    in *scratch* at *backup*, where there must be room for it. *empties* is the number of empty
    points, or anything between it and 0 plus the longest ladder.
    """
    liberty = only_liberty(state, stone)
    count, _ = liberties_after(state, liberty, color, MANY)
    if count == MANY or captures_beside(state, stone, color) != PASS:
        return False
    if count < 2:
        return True
    _save(state, scratch, backup)
    caught = _runs_into_capture(state, stone, color, empties)
    _restore(state, scratch, backup)
    return caught


@kernel
def escapes(
    state: State,
    scratch: Scratch,
    backup: int,
    stone: int,
    point: int,
    color: int,
    empties: int,
    ladders: bool,
) -> bool:
    """Say whether a chain in atari, of *color*, is saved by a stone on *point*, its liberty.

    It is with three liberties then, or with two if no ladder catches it, which is read if *ladders*
    says so. The rest is as in :func:`is_caught`.
    """
    after, _ = liberties_after(state, point, color, MANY)
    if after == 2 and ladders:
        return not is_caught(state, scratch, backup, stone, color, empties)
    return bool(after >= 2)


@kernel
def _save(state: State, scratch: Scratch, backup: int) -> None:
    """Copy the position to *scratch*."""
    for index in range(len(state)):
        scratch[backup + Index(index)] = Index(int(state[index]) + _BIAS)


@kernel
def _restore(state: State, scratch: Scratch, backup: int) -> None:
    """Copy the position back from *scratch*."""
    for index in range(len(state)):
        state[index] = np.int64(scratch[backup + Index(index)]) - _BIAS


@kernel
def _runs_into_capture(state: State, stone: int, color: int, empties: int) -> bool:
    """Play the ladder on *state* and say how it ends."""
    enemy = _BOTH - color
    # Where captured stones are listed. The list is not kept: the caller restores it.
    end = Index(state[FIRST_EMPTY]) + Index(empties)
    for _ in range(LONGEST):
        count, first, second = liberties_of(state, stone)
        if count > 1 or captures_beside(state, stone, color) != PASS:
            return False
        place(state, first, color, end)
        end -= ONE
        count, first, second = liberties_of(state, stone)
        if count != 2:
            return bool(count < 2)
        # The attacker takes one of the two, the chain runs to the other. Seen as a wall, what is
        # taken is no liberty any more.
        state[first] = WALL
        after_second, _ = liberties_after(state, second, color, MANY)
        state[first], state[second] = EMPTY, WALL
        after_first, _ = liberties_after(state, first, color, MANY)
        state[second] = EMPTY
        if after_first == MANY and after_second == MANY:
            return False
        attack = first if after_second <= after_first else second
        if liberties_after(state, attack, enemy, 2)[0] == 0:
            return False
        place(state, attack, enemy, end)
        end -= ONE
    return False
