"""Connect 4 solved: who wins a position, for tests of what a search or a network plays.

Alpha-beta over wins, draws and losses alone, on bit boards of its own: seven bits a column, the
stones of the player to move and all stones. Moves that lose at once are left out, those that
threaten most come first, then those in the middle, and what was found is kept in a table. An answer
takes a fraction of a second with twelve stones on the board, and some seconds with eight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.games.connect_four import FIRST, MOVES, SECOND, load
from montego.jit import interpreted, kernel

if TYPE_CHECKING:
    from montego.jit.state import State

COLUMNS, ROWS = 7, 6
WIN, DRAW, LOSS = 1, 0, -1

_BITS = 22
_ENTRIES = 1 << _BITS
_UNKNOWN = 0
_COLUMN = 0x3F
_BOTTOM = sum(1 << 7 * column for column in range(COLUMNS))
_BOARD = _BOTTOM * _COLUMN
_ORDER = np.array([3, 2, 4, 1, 5, 0, 6], np.int64)
_MIX = np.uint64(0x9E3779B97F4A7C15)


@kernel
def winning_cells(stones: int, taken: int) -> int:
    """Return the empty cells that would make four of these stones."""
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in (6, 7, 8):
        pair = (stones << step) & (stones << 2 * step)
        found |= pair & (stones << 3 * step)
        found |= pair & (stones >> step)
        pair = (stones >> step) & (stones >> 2 * step)
        found |= pair & (stones << step)
        found |= pair & (stones >> 3 * step)
    return found & (_BOARD ^ taken)


@kernel
def outcome(mine: int, taken: int, low: int, high: int, keys: object, values: object) -> int:
    """Return WIN, DRAW or LOSS for the player to move, as far as it lies from *low* to *high*.

    Nobody has four yet. *keys* and *values* are the table, which may come from earlier calls.
    """
    possible = (taken + _BOTTOM) & _BOARD
    if winning_cells(mine, taken) & possible != 0:
        return WIN
    if possible == 0:
        return DRAW
    # What the opponent threatens must be stopped, and nothing may be put below a threat.
    threats = winning_cells(mine ^ taken, taken)
    forced = threats & possible
    if forced != 0:
        if forced & (forced - 1) != 0:
            return LOSS
        possible = forced
    possible &= ~(threats >> 1)
    if possible == 0:
        return LOSS
    low = max(low, LOSS)
    key = mine + taken
    place = int((np.uint64(key) * _MIX) >> np.uint64(64 - _BITS))
    if keys[place] == key:  # type: ignore[index]
        kept = int(values[place])  # type: ignore[index]
        # 1 to 3: exactly that outcome plus 2; 4, 5: at most LOSS, DRAW; 6, 7: at least DRAW, WIN.
        if kept <= 3:
            return kept - 2
        if kept <= 5:
            high = min(high, kept - 5)
        else:
            low = max(low, kept - 6)
        if low >= high:
            return low
    best, bound = LOSS, low
    left = possible
    while left != 0 and best < high:
        most, chosen = -1, 0
        for index in range(COLUMNS):
            move = left & (_COLUMN << 7 * int(_ORDER[index]))
            if move != 0:
                threatened, count = winning_cells(mine | move, taken | move), 0
                while threatened != 0:
                    threatened &= threatened - 1
                    count += 1
                if count > most:
                    most, chosen = count, move
        left ^= chosen
        found = -outcome(mine ^ taken, taken | chosen, -high, -bound, keys, values)
        best = max(best, found)
        bound = max(bound, best)
    keys[place] = key  # type: ignore[index]
    if best >= high:
        values[place] = best + 6  # type: ignore[index]
    elif best <= low and low > LOSS:
        values[place] = best + 5  # type: ignore[index]
    else:
        values[place] = best + 2  # type: ignore[index]
    return best


class Solver:
    """Answers for positions of :mod:`montego.games.connect_four`."""

    def __init__(self) -> None:
        self._keys = np.zeros(_ENTRIES, np.int64)
        self._values = np.zeros(_ENTRIES, np.int8)

    def outcome(self, state: State) -> int:
        """Return WIN, DRAW or LOSS for the player to move; the game must not be over."""
        mine, theirs = _boards(state)
        return int(outcome(mine, mine | theirs, LOSS, WIN, self._keys, self._values))

    def moves(self, state: State) -> dict[int, int]:
        """Return what each legal move comes to, for the player who makes it."""
        mine, theirs = _boards(state)
        taken = mine | theirs
        found = {}
        for column in range(COLUMNS):
            stone = (taken + (1 << 7 * column)) & (_COLUMN << 7 * column)
            if stone == 0:
                continue
            if int(winning_cells(mine, taken)) & stone:
                found[column] = WIN
            elif (taken | stone) == _BOARD:
                found[column] = DRAW
            else:
                answer = outcome(theirs, taken | stone, LOSS, WIN, self._keys, self._values)
                found[column] = -int(answer)
        return found


def _boards(state: State) -> tuple[int, int]:
    """Return the stones of the player to move and of the other one."""
    read = interpreted(load)
    first, second = int(read(state, FIRST)), int(read(state, SECOND))
    return (first, second) if int(state[MOVES]) % 2 == 0 else (second, first)
