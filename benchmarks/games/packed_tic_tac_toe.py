"""Tic-tac-toe in bits and tables, to be measured beside OpenSpiel's, which is written in C++.

The same game as :mod:`montego.games.tic_tac_toe`, move for move and playout for playout.
A state is three integers: the cells of the first player (X), those of the second (O), and how many
moves were played; the parity of that says whose turn it is. Cells are the bits of a mask, and bit
``3 * row + column`` is also the number of the move there. Row 0 is the lowest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.games.tic_tac_toe import tic_tac_toe
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, RANDOM, TRACE, advance, draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import GameDefinition

FIRST, SECOND, MOVES = Index(0), Index(1), Index(2)  # The players' numbers are their places.
CELLS = 9

_ZERO, _ONE = Index(0), Index(1)
_NIBBLE_BITS, _NIBBLE = Index(4), Index(15)

_LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421)
_HAS_LINE = np.array([any(mask & line == line for line in _LINES) for mask in range(1 << CELLS)])


def _packed(taken: int) -> int:
    """Return the cells that are not in a mask, four bits each, the first ones lowest."""
    empty = [cell for cell in range(CELLS) if not taken >> cell & 1]
    return sum(cell << 4 * place for place, cell in enumerate(empty))


# By mask of the taken cells. One number holds all empty ones: no list to walk or to write.
_EMPTY = np.array([_packed(taken) for taken in range(1 << CELLS)], np.int64)


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
) -> int:
    """Write the empty cells and return their number; none once somebody has a line."""
    # Only the player who moved last can have made one, and that is the one not to move.
    if _HAS_LINE[state[(Index(state[MOVES]) & _ONE) ^ _ONE]]:
        return 0
    empty = Index(_EMPTY[state[FIRST] | state[SECOND]])
    count = CELLS - int(state[MOVES])
    for place in range(count):
        moves[place] = empty & _NIBBLE
        empty >>= _NIBBLE_BITS
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Mark the cell for the player to move."""
    state[Index(state[MOVES]) & _ONE] |= 1 << move
    state[MOVES] += 1


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return 1 if X has a line, -1 if O has one, else 0."""
    if _HAS_LINE[state[FIRST]]:
        return 1.0
    return -1.0 if _HAS_LINE[state[SECOND]] else 0.0


@kernel
def playout(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Play uniformly random moves to the end."""
    random = Index(scratch[RANDOM])
    moves = Index(state[MOVES])
    mine, theirs = Index(state[moves & _ONE]), Index(state[(moves & _ONE) ^ _ONE])
    empty, left = Index(_EMPTY[mine | theirs]), Index(CELLS) - moves
    length = _ZERO
    while left > _ZERO and not _HAS_LINE[theirs]:
        random = advance(random)
        place = draw(random, left) * _NIBBLE_BITS
        cell = empty >> place & _NIBBLE
        left -= _ONE
        last = empty >> (left * _NIBBLE_BITS) & _NIBBLE
        empty ^= (cell ^ last) << place  # The last one takes the place of the one drawn.
        scratch[Index(TRACE) + length] = cell
        length += _ONE
        mine, theirs = theirs, mine | _ONE << cell

    scratch[RANDOM] = random
    scratch[LENGTH] = length
    moves += length
    state[moves & _ONE], state[(moves & _ONE) ^ _ONE] = mine, theirs
    state[MOVES] = moves
    return score(state, knowledge, scratch)


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for the first player, 1 for the second."""
    return int(state[MOVES]) % 2


def format_state(state: State) -> str:
    """Return the board as a picture, X for the first player."""
    marks = [
        "X" if state[FIRST] >> cell & 1 else "O" if state[SECOND] >> cell & 1 else "."
        for cell in range(CELLS)
    ]
    rows = [f"{row + 1} {' '.join(marks[3 * row : 3 * row + 3])}" for row in (2, 1, 0)]
    return "\n".join([*rows, "  a b c"])


def packed_tic_tac_toe() -> GameDefinition:
    """Return the game for the search."""
    return replace(
        tic_tac_toe(),
        initial_state=lambda: np.zeros(3, np.int32),
        legal_moves=legal_moves,
        play=play,
        score=score,
        to_play=to_play,
        playout=playout,
        scratch_room=0,
        format_state=format_state,
    )
