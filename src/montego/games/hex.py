"""Hex on a rhombus of any size from 2 to 26, as far as letters go, with the swap rule.

The first player (X) connects top and bottom, the second (O) left and right. A cell touches its
neighbors in the row, the ones above and above to the right, below and below to the left. A move is
``row * size + column``, row 0 being the top one; one number more is the swap.

A state is a header and two times *size* lines of cells as bits. The lines of the first player are
rows, counted from the top edge, those of the second are columns, counted from the left edge: each
player looks at the board from an edge of their own, and as Hex is symmetric, one test of connection
serves both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, RANDOM, TRACE, advance, draw, room_of
from montego.mcts.features import Features
from montego.mcts.game import GameDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

MIN_SIZE, MAX_SIZE = 2, 26

SIZE, SWAP, MOVES = Index(0), Index(1), Index(2)  # SWAP: 1 if the swap rule is in force
LINES = Index(3)  # from here on the first player's lines, then the second's

_ZERO, _ONE = Index(0), Index(1)
_HALF = Index(16)  # bits of the fraction in a fixed-point number


@kernel(inline=True)
def mark(state: State, line: int, place: int) -> None:
    """Put a stone on a place of the line at that index."""
    state[line] = Index(state[line]) | _ONE << place


@kernel(inline=True)
def connects(state: State, scratch: Scratch, lines: int) -> bool:
    """Say whether the player whose stones begin at *lines* has connected their edges.

    Marks what is connected to the edge of line 0, sweeping over the lines to and fro until
    nothing is new. Uses the game's room in *scratch*.
    """
    size = Index(state[SIZE])
    reached = room_of(scratch)
    for line in range(size + _ONE):  # One line more than there is, and always empty.
        scratch[reached + Index(line)] = _ZERO
    scratch[reached] = state[lines]
    down, changed = True, True
    while changed:
        changed = False
        for step in range(_ONE, size):
            line = Index(step) if down else size - Index(step)
            stones = Index(state[lines + line])
            before = Index(scratch[reached + line])
            above = Index(scratch[reached + line - _ONE])
            below = Index(scratch[reached + line + _ONE])
            marked = before | stones & (above | above >> _ONE | below | below << _ONE)
            if marked == before:
                continue
            changed = True
            wider = stones & (marked | marked << _ONE | marked >> _ONE)
            while wider != marked:
                marked = wider
                wider = stones & (marked | marked << _ONE | marked >> _ONE)
            scratch[reached + line] = marked
        if scratch[reached + size - _ONE] != _ZERO:
            return True
        down = not down
    return False


@kernel(inline=True)
def is_over(state: State, scratch: Scratch) -> bool:
    """Say whether the player who moved last has connected their edges."""
    size, moves = Index(state[SIZE]), Index(state[MOVES])
    # A connection takes a stone on every line: two players cannot have played so many sooner.
    if moves + _ONE < size + size:
        return False
    return connects(state, scratch, LINES if moves & _ONE else LINES + size)


@kernel(inline=True)
def write_empty_cells(state: State, cells: NDArray[Any], start: int) -> int:
    """Write the empty cells to ``cells[start:]`` and return how many there are."""
    size = Index(state[SIZE])
    second = LINES + size
    cell, end = _ZERO, start
    for step in range(size):
        row = Index(step)
        stones = Index(state[LINES + row])
        for place in range(size):
            column = Index(place)
            # Writing first and counting afterwards spares a branch that is hard to guess.
            taken = (stones >> column | Index(state[second + column]) >> row) & _ONE
            cells[end] = cell
            end += taken ^ _ONE
            cell += _ONE
    return end - start


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,
    moves: NDArray[Any],
) -> int:
    """Write the empty cells, and the swap as answer to the first move; none after a connection."""
    if is_over(state, scratch):
        return 0
    # By way of int64, because in compiled code int() leaves unsigned numbers unsigned.
    count = int(np.int64(write_empty_cells(state, moves, _ZERO)))
    if state[SWAP] == 1 and state[MOVES] == 1:
        moves[count] = state[SIZE] * state[SIZE]
        count += 1
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Put a stone of the player to move on the cell, or swap.

    To swap is to take the opponent's stone, mirrored so that it means the same from one's own
    edges: with lines counted from there, the same bits. Both keep their edges, and the first player
    moves again.
    """
    size, cell = Index(state[SIZE]), Index(move)
    if cell == size * size:
        for step in range(size):
            line = LINES + Index(step)
            state[line + size] = state[line]
            state[line] = 0
    else:
        row, column = cell // size, cell % size
        if state[MOVES] % 2 == 0:
            mark(state, LINES + row, column)
        else:
            mark(state, LINES + size + column, row)
    state[MOVES] += 1


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return 1 if the first player has connected top and bottom, else -1: there is no draw."""
    return 1.0 if connects(state, scratch, LINES) else -1.0


@kernel
def playout(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Fill the board in random order and look who has connected; never swaps.

    Who has won is not asked before the end, because on a full board exactly one player connects,
    and the first to connect stays connected. The trace goes on to the full board, too. Afterwards
    only the first player's stones in *state* are meaningful.
    """
    if is_over(state, scratch):
        scratch[LENGTH] = _ZERO
        return score(state, knowledge, scratch)
    random = Index(scratch[RANDOM])
    size = Index(state[SIZE])
    part = (_ONE << _HALF) // size + _ONE  # 1 / size, to divide by multiplying
    trace = Index(TRACE)
    end = trace + write_empty_cells(state, scratch, trace)

    turn = Index(state[MOVES]) & _ONE
    scratch[LENGTH] = end - trace
    for index in range(trace, end):
        place = Index(index)
        random = advance(random)
        drawn = place + draw(random, end - place)
        cell = Index(scratch[drawn])
        scratch[drawn] = scratch[place]
        scratch[place] = cell
        if turn == _ZERO:
            row = cell * part >> _HALF
            mark(state, LINES + row, cell - row * size)
        turn ^= _ONE

    scratch[RANDOM] = random
    return score(state, knowledge, scratch)


@kernel
def write_planes(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    planes: NDArray[Any],
) -> int:
    """Show a network the stones of the player to move, the opponent's, whether a swap is legal.

    A fourth plane has ones everywhere. The player to move always sees the board so that they
    connect top and bottom: the second one sees it with rows and columns exchanged. Returns who is
    to move.
    """
    size = Index(state[SIZE])
    area = size * size
    turn = Index(state[MOVES]) & _ONE
    mine, theirs = LINES + turn * size, LINES + (_ONE - turn) * size
    swap = 1.0 if state[SWAP] == 1 and state[MOVES] == 1 else 0.0
    for step in range(size):
        row = Index(step)
        for place in range(size):
            column = Index(place)
            cell = row * size + column
            planes[cell] = float(Index(state[mine + row]) >> column & _ONE)
            planes[area + cell] = float(Index(state[theirs + column]) >> row & _ONE)
            planes[area + area + cell] = swap
            planes[area + area + area + cell] = 1.0
    return int(state[MOVES]) % 2


def features(size: int, swap: bool) -> Features:
    """Return what a network is shown: the board as it is, or half turned, which is the same.

    The swap is an output behind those of the cells, whether it is allowed or not, so that a network
    serves both.
    """
    area = size * size
    cells = np.arange(area, dtype=np.int32)
    exchanged = cells.reshape(size, size).T.ravel()
    return Features(
        game="hex",
        planes=4,
        height=size,
        width=size,
        write=write_planes,
        outputs=np.arange(area + int(swap), dtype=np.int32),
        policy=area + 1,
        symmetries=np.array([cells, cells[::-1]]),
        views=np.array([[*cells, area], [*exchanged, area]]),
    )


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for the first player, 1 for the second."""
    return int(state[MOVES]) % 2


def format_move(state: State, move: int) -> str:
    """Return ``a1`` for the top left cell: the column's letter and the row from above; or swap."""
    size = int(state[SIZE])
    if move == size * size:
        return "swap"
    return f"{_letter(move % size)}{move // size + 1}"


def parse_move(state: State, text: str) -> int:
    """Return the number of the move that a text such as ``a1`` or ``swap`` means.

    Raises:
        ValueError: If it means none on a board of this size.
    """
    size = int(state[SIZE])
    word = text.strip().lower()
    if word == "swap":
        return size * size
    letter, number = word[:1], word[1:]
    column = ord(letter) - ord("a") if letter else -1
    row = int(number) - 1 if number.isascii() and number.isdigit() else -1
    if not (0 <= column < size and 0 <= row < size):
        last = f"{_letter(size - 1)}{size}"
        raise ValueError(f"invalid cell {text!r}: say one from a1 to {last}, or swap")
    return row * size + column


def format_state(state: State) -> str:
    """Return the board as a picture, X for the first player."""
    size = int(state[SIZE])
    letters = " ".join(_letter(column) for column in range(size))
    text = [f"  {letters}"]
    for row in range(size):
        marks = []
        for column in range(size):
            first = state[3 + row] >> column & 1
            second = state[3 + size + column] >> row & 1
            marks.append("X" if first else "O" if second else ".")
        text.append(f"{' ' * row}{row + 1:2} {' '.join(marks)}")
    return "\n".join(text)


def _letter(column: int) -> str:
    return chr(ord("a") + column)


def hex_game(size: int = 11, swap: bool = True) -> GameDefinition:
    """Return the game for the search, on a board of *size* by *size* cells.

    With *swap* the second player may, instead of answering the first move, take it over. It is
    a move of its own, the last number, legal at that moment only.

    Raises:
        ValueError: If the size is not from 2 to 26.
    """
    if not isinstance(size, int) or not MIN_SIZE <= size <= MAX_SIZE:
        raise ValueError(f"invalid size {size!r}: Hex is played on {MIN_SIZE} to {MAX_SIZE} lines")

    def initial_state() -> State:
        state = np.zeros(3 + 2 * size, np.int32)
        state[SIZE], state[SWAP] = size, int(swap)
        return state

    return GameDefinition(
        name="hex",
        initial_state=initial_state,
        legal_moves=legal_moves,
        play=play,
        score=score,
        to_play=to_play,
        playout=playout,
        move_count=size * size + int(swap),
        longest_game=size * size + int(swap),
        scratch_room=size + 1,
        features=features(size, swap),
        format_move=format_move,
        parse_move=parse_move,
        format_state=format_state,
    )
