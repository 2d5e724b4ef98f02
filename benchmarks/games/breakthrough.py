"""Breakthrough on 8 by 8 cells: whoever brings a man to the far row wins.

Men move one cell forward, straight or diagonally; only diagonal moves capture. Black, at the top,
begins. A state is the cells, row by row from the top, how many moves were played, and who has won.
A move is ``3 * cell + direction``: from which cell, and to the left, straight or to the right. Who
has lost all men has lost; a player with men always has a move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.mcts.game import GameDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

SIZE = 8
CELLS = SIZE * SIZE
MOVES, WINNER = CELLS, CELLS + 1  # Where in the state these are: behind the cells,
MEN = CELLS + 1  # and, behind them, how many men BLACK and WHITE have.
EMPTY, BLACK, WHITE = 0, 1, 2
LONGEST_GAME = 2 * SIZE * (5 + 6) + 1  # Every man moves up to the last row but one, then one wins.


@kernel
def target(cell: int, direction: int, color: int) -> int:
    """Return where a man of *color* comes to in a direction; -1 if that is off the board."""
    row = cell // SIZE + (1 if color == BLACK else -1)
    column = cell % SIZE + direction - 1
    if 0 <= row < SIZE and 0 <= column < SIZE:
        return row * SIZE + column
    return -1


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
) -> int:
    """Write the moves of the player to move and return their number; none once it is won."""
    count = 0
    if state[WINNER] != EMPTY:
        return count
    color = BLACK if state[MOVES] % 2 == 0 else WHITE
    for cell in range(CELLS):
        if state[cell] == color:
            for direction in range(3):
                place = target(cell, direction, color)
                if place < 0 or state[place] == color:
                    continue
                if direction != 1 or state[place] == EMPTY:
                    moves[count] = 3 * cell + direction
                    count += 1
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Move a man of the player to move, and see whether that wins."""
    color = BLACK if state[MOVES] % 2 == 0 else WHITE
    other = BLACK + WHITE - color
    place = target(move // 3, move % 3, color)
    if state[place] == other:
        state[MEN + other] -= 1
    state[move // 3] = EMPTY
    state[place] = color
    state[MOVES] += 1
    far_row = SIZE - 1 if color == BLACK else 0
    if place // SIZE == far_row or state[MEN + other] == 0:
        state[WINNER] = color


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return 1 if Black has won, -1 if White has: there is no draw."""
    return 1.0 if state[WINNER] == BLACK else -1.0


def initial_state() -> State:
    """Return two rows of men on either side."""
    state = np.zeros(CELLS + 4, np.int32)
    men = 2 * SIZE
    state[:men], state[CELLS - men : CELLS] = BLACK, WHITE
    state[[MEN + BLACK, MEN + WHITE]] = men
    return state


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for Black, 1 for White."""
    return int(state[MOVES]) % 2


def _cell_name(cell: int) -> str:
    return f"{'abcdefgh'[cell % SIZE]}{SIZE - cell // SIZE}"


def format_move(state: State, move: int) -> str:
    """Return ``a7b6`` for a move from a7 to b6: columns by letters, rows from below."""
    color = BLACK if to_play(state) == 0 else WHITE
    return _cell_name(move // 3) + _cell_name(int(target(move // 3, move % 3, color)))


def parse_move(state: State, text: str) -> int:
    """Return the number of the move that a text such as ``a7b6`` means.

    Raises:
        ValueError: If it means none.
    """
    color = BLACK if to_play(state) == 0 else WHITE
    for move in range(3 * CELLS):
        on_board = int(target(move // 3, move % 3, color)) >= 0
        if on_board and format_move(state, move) == text.lower():
            return move
    raise ValueError(f"invalid move {text!r}: say from where to where, such as a7b6")


def format_state(state: State) -> str:
    """Return the board as a picture, X for Black."""
    marks = [".XO"[mark] for mark in state[:CELLS]]
    rows = [f"{SIZE - row} {' '.join(marks[row * SIZE : (row + 1) * SIZE])}" for row in range(SIZE)]
    return "\n".join([*rows, "  a b c d e f g h"])


game = GameDefinition(
    name="breakthrough",
    initial_state=initial_state,
    legal_moves=legal_moves,
    play=play,
    score=score,
    to_play=to_play,
    move_count=3 * CELLS,
    longest_game=LONGEST_GAME,
    format_move=format_move,
    parse_move=parse_move,
    format_state=format_state,
)
