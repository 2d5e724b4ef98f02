"""Tic-tac-toe, the smallest example of a game for the search: plain rules and nothing else.

A state is ten integers: nine cells, row by row from the lowest one, and how many moves were played.
A cell is EMPTY, CROSS or NOUGHT. A move is the number of its cell, ``3 * row + column``. Crosses
begin, so that they are to move whenever the number of moves is even.

``benchmarks/games/packed_tic_tac_toe.py`` is the same game in bits and tables, which gives a tenth
more simulations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, TRACE, draw_below, room_of
from montego.mcts.features import Features, square_symmetries
from montego.mcts.game import GameDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

EMPTY, CROSS, NOUGHT = 0, 1, 2
CELLS = 9
MOVES = 9  # Where in the state the number of moves is: behind the cells.

LINES = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)

_ZERO, _ONE = Index(0), Index(1)


@kernel
def winner(state: State) -> int:
    """Return CROSS or NOUGHT if one of them has three in a line, else EMPTY."""
    for first, second, third in LINES:
        if state[first] != EMPTY and state[first] == state[second] == state[third]:
            return int(state[first])
    return EMPTY


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
) -> int:
    """Write the empty cells and return their number; none once somebody has a line."""
    count = 0
    if winner(state) == EMPTY:
        for cell in range(CELLS):
            if state[cell] == EMPTY:
                moves[count] = cell
                count += 1
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Mark the cell for the player to move."""
    state[move] = CROSS if state[MOVES] % 2 == 0 else NOUGHT
    state[MOVES] += 1


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return 1 if crosses have won, -1 if noughts have, 0 for a draw."""
    found = winner(state)
    if found == EMPTY:
        return 0.0
    return 1.0 if found == CROSS else -1.0


@kernel
def playout(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Play random moves to the end, and leave them in the trace.

    A game may do without a playout of its own; the search then plays random legal moves itself.
    This one keeps a list of the empty cells, in the game's own room, instead of asking each time.
    """
    empty, left = room_of(scratch), _ZERO
    for cell in range(CELLS):
        if state[cell] == EMPTY:
            scratch[empty + left] = cell
            left += _ONE

    trace, length = Index(TRACE), _ZERO
    while left > _ZERO and winner(state) == EMPTY:
        place = empty + draw_below(scratch, left)
        move = Index(scratch[place])
        left -= _ONE
        scratch[place] = scratch[empty + left]  # The last one takes the place of the one drawn.
        play(state, knowledge, scratch, move)
        scratch[trace + length] = move
        length += _ONE
    scratch[LENGTH] = length
    return score(state, knowledge, scratch)


@kernel
def write_planes(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    planes: NDArray[Any],
) -> int:
    """Show a network the marks of the player to move, the opponent's, and ones everywhere."""
    mine = CROSS if state[MOVES] % 2 == 0 else NOUGHT
    for cell in range(CELLS):
        planes[cell] = 1.0 if state[cell] == mine else 0.0
        planes[CELLS + cell] = 1.0 if state[cell] not in (EMPTY, mine) else 0.0
        planes[2 * CELLS + cell] = 1.0
    return 0


def features() -> Features:
    """Return what a network is shown. The ones let it see where the board ends."""
    return Features(
        game="tic-tac-toe",
        planes=3,
        height=3,
        width=3,
        write=write_planes,
        outputs=np.arange(CELLS, dtype=np.int32),
        policy=CELLS,
        symmetries=square_symmetries(3),
    )


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for crosses, 1 for noughts."""
    return int(state[MOVES]) % 2


def format_move(_state: State, move: int) -> str:
    """Return ``b2`` for the middle: the column's letter, and the row from below."""
    return f"{'abc'[move % 3]}{move // 3 + 1}"


def parse_move(_state: State, text: str) -> int:
    """Return the number of the cell that a text such as ``b2`` names.

    Raises:
        ValueError: If it names none.
    """
    word = text.strip().lower()
    if len(word) != 2 or word[0] not in "abc" or word[1] not in "123":
        raise ValueError(f"invalid cell {text!r}: say a letter a to c and a number 1 to 3")
    return (int(word[1]) - 1) * 3 + "abc".index(word[0])


def format_state(state: State) -> str:
    """Return the board as a picture, the highest row first."""
    marks = [".XO"[mark] for mark in state[:CELLS]]
    rows = [f"{row + 1} {' '.join(marks[3 * row : 3 * row + 3])}" for row in (2, 1, 0)]
    return "\n".join([*rows, "  a b c"])


def tic_tac_toe() -> GameDefinition:
    """Return the game for the search."""
    return GameDefinition(
        name="tic-tac-toe",
        initial_state=lambda: np.zeros(CELLS + 1, np.int32),
        legal_moves=legal_moves,
        play=play,
        score=score,
        to_play=to_play,
        playout=playout,
        move_count=CELLS,
        longest_game=CELLS,
        scratch_room=CELLS,
        features=features(),
        format_move=format_move,
        parse_move=parse_move,
        format_state=format_state,
    )
