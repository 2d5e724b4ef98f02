"""Gomoku on 15 by 15 cells: five in a line or more wins. A game with very many moves.

A state is the cells, row by row from the top, how many moves were played, and who has won. A cell
is EMPTY, BLACK or WHITE; Black begins. A move is the number of its cell. There is no playout of its
own: the search plays random moves itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.mcts.game import GameDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

SIZE = 15
LINE = 5
CELLS = SIZE * SIZE
MOVES, WINNER = CELLS, CELLS + 1  # Where in the state these are: behind the cells.
EMPTY, BLACK, WHITE = 0, 1, 2
LETTERS = "abcdefghijklmno"


@kernel
def run_length(state: State, cell: int, down: int, right: int) -> int:
    """Return how many stones like the one on *cell* follow it in a direction."""
    length = 0
    row, column = cell // SIZE + down, cell % SIZE + right
    while 0 <= row < SIZE and 0 <= column < SIZE and state[row * SIZE + column] == state[cell]:
        length += 1
        row += down
        column += right
    return length


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
) -> int:
    """Write the empty cells and return their number; none once somebody has won."""
    count = 0
    if state[WINNER] == EMPTY:
        for cell in range(CELLS):
            if state[cell] == EMPTY:
                moves[count] = cell
                count += 1
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Put a stone of the player to move on the cell, and see whether that wins."""
    color = BLACK if state[MOVES] % 2 == 0 else WHITE
    state[move] = color
    state[MOVES] += 1
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        before = run_length(state, move, -down, -right)
        if before + 1 + run_length(state, move, down, right) >= LINE:
            state[WINNER] = color


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return 1 if Black has won, -1 if White has, 0 for a draw."""
    if state[WINNER] == EMPTY:
        return 0.0
    return 1.0 if state[WINNER] == BLACK else -1.0


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for Black, 1 for White."""
    return int(state[MOVES]) % 2


def format_move(_state: State, move: int) -> str:
    """Return ``h8`` for the middle: the column's letter, and the row from the top."""
    return f"{LETTERS[move % SIZE]}{move // SIZE + 1}"


def parse_move(_state: State, text: str) -> int:
    """Return the number of the cell that a text such as ``h8`` names.

    Raises:
        ValueError: If it names none.
    """
    letter, number = text[:1].lower(), text[1:]
    row = int(number) - 1 if number.isascii() and number.isdigit() else -1
    if letter not in LETTERS or not letter or not 0 <= row < SIZE:
        raise ValueError(f"invalid cell {text!r}: say one from a1 to {LETTERS[-1]}{SIZE}")
    return row * SIZE + LETTERS.index(letter)


def format_state(state: State) -> str:
    """Return the board as a picture, X for Black."""
    marks = [".XO"[mark] for mark in state[:CELLS]]
    rows = [f"{row + 1:2} {' '.join(marks[row * SIZE : (row + 1) * SIZE])}" for row in range(SIZE)]
    return "\n".join([f"   {' '.join(LETTERS)}", *rows])


game = GameDefinition(
    name="gomoku",
    initial_state=lambda: np.zeros(CELLS + 2, np.int32),
    legal_moves=legal_moves,
    play=play,
    score=score,
    to_play=to_play,
    move_count=CELLS,
    longest_game=CELLS,
    format_move=format_move,
    parse_move=parse_move,
    format_state=format_state,
)
