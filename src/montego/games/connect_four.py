"""Connect 4 on seven columns of height six, as an example of a game on bit boards.

A player's stones are the bits of one mask, column after column, seven bits a column: six
cells from below, and one that stays empty, so that a line cannot run from the top of a column into
the bottom of the next. States hold 32-bit integers, so a mask takes two: four columns, and three.
The fifth integer counts the moves; its parity says whose turn it is. A move is a column, 0
the left one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, RANDOM, TRACE, advance, draw
from montego.mcts.features import Features
from montego.mcts.game import GameDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

COLUMNS, ROWS = 7, 6
FIRST, SECOND, MOVES = Index(0), Index(2), Index(4)  # Where in the state things begin.

_ZERO, _ONE, _TWO = Index(0), Index(1), Index(2)
_STRIDE = Index(ROWS + 1)  # from a cell to its right neighbor
_LOW_BITS = Index(4 * (ROWS + 1))
_LOW = Index((1 << 4 * (ROWS + 1)) - 1)
_BOTTOM = Index(1)  # the cells of the leftmost column
_TOP = Index(1 << (ROWS - 1))
_COLUMN = Index((1 << ROWS) - 1)
_NIBBLE_BITS, _NIBBLE = Index(4), Index(15)


@kernel(inline=True)
def load(state: State, player: int) -> int:
    """Return the mask of the stones of FIRST or SECOND."""
    return Index(state[player]) | Index(state[player + _ONE]) << _LOW_BITS


@kernel(inline=True)
def store(state: State, player: int, stones: int) -> None:
    """Set the stones of FIRST or SECOND."""
    state[player] = stones & _LOW
    state[player + _ONE] = stones >> _LOW_BITS


@kernel(inline=True)
def has_four(stones: int) -> bool:
    """Say whether there are four in a line: upwards, sideways or on a diagonal.

    Pairs of neighbors first, then pairs of pairs. Without branches: their outcome is hard to guess.
    """
    found = _ZERO
    for step in (_ONE, _STRIDE - _ONE, _STRIDE, _STRIDE + _ONE):
        pairs = stones & stones >> step
        found |= pairs & pairs >> (step + step)
    return found != _ZERO


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
) -> int:
    """Write the columns that are not full and return their number; none after four in a line."""
    first, second = load(state, FIRST), load(state, SECOND)
    # Only the player who moved last can have made them, and that is the one not to move.
    if has_four(second if state[MOVES] % 2 == 0 else first):
        return 0
    top = _TOP
    count = 0
    for column in range(COLUMNS):
        if (first | second) & top == _ZERO:
            moves[count] = column
            count += 1
        top <<= _STRIDE
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Drop a stone of the player to move into the column."""
    first, second = load(state, FIRST), load(state, SECOND)
    bottom = _BOTTOM << Index(move) * _STRIDE
    stone = ((first | second) & _COLUMN * bottom) + bottom  # Carries to the lowest empty cell.
    if state[MOVES] % 2 == 0:
        store(state, FIRST, first | stone)
    else:
        store(state, SECOND, second | stone)
    state[MOVES] += 1


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return 1 if the first player has four in a line, -1 if the second has, else 0."""
    if has_four(load(state, FIRST)):
        return 1.0
    return -1.0 if has_four(load(state, SECOND)) else 0.0


@kernel
def playout(state: State, knowledge: Knowledge, scratch: Scratch) -> float:
    """Play uniformly random moves to the end."""
    random = Index(scratch[RANDOM])
    moves = Index(state[MOVES])
    mine, theirs = load(state, FIRST), load(state, SECOND)
    if moves & _ONE:
        mine, theirs = theirs, mine
    stones = mine | theirs

    # The columns that are not full, four bits each in one integer: no list to walk.
    open_columns, left = _ZERO, _ZERO
    for column in range(COLUMNS):
        if stones & _TOP << Index(column) * _STRIDE == _ZERO:
            open_columns |= Index(column) << left * _NIBBLE_BITS
            left += _ONE

    length = _ZERO
    while left > _ZERO and not has_four(theirs):
        random = advance(random)
        place = draw(random, left) * _NIBBLE_BITS
        move = open_columns >> place & _NIBBLE
        bottom = _BOTTOM << move * _STRIDE
        stone = (stones & _COLUMN * bottom) + bottom
        stones |= stone
        mine, theirs = theirs, mine | stone
        if stone == _TOP * bottom:
            left -= _ONE
            last = open_columns >> left * _NIBBLE_BITS & _NIBBLE
            open_columns ^= (move ^ last) << place  # The last one takes the full one's place.
        scratch[Index(TRACE) + length] = move
        length += _ONE

    scratch[RANDOM] = random
    scratch[LENGTH] = length
    moves += length
    state[MOVES] = moves
    if moves & _ONE:
        mine, theirs = theirs, mine
    store(state, FIRST, mine)
    store(state, SECOND, theirs)
    return score(state, knowledge, scratch)


@kernel
def write_planes(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    planes: NDArray[Any],
) -> int:
    """Show a network the stones of the player to move, the opponent's, and ones everywhere.

    The highest row comes first.
    """
    mine, theirs = load(state, FIRST), load(state, SECOND)
    if state[MOVES] % 2 == 1:
        mine, theirs = theirs, mine
    for row in range(ROWS):
        for column in range(COLUMNS):
            bit = Index(column) * _STRIDE + Index(ROWS - 1 - row)
            cell = row * COLUMNS + column
            planes[cell] = float(mine >> bit & _ONE)
            planes[ROWS * COLUMNS + cell] = float(theirs >> bit & _ONE)
            planes[2 * ROWS * COLUMNS + cell] = 1.0
    return 0


def features() -> Features:
    """Return what a network is shown: the board, or its mirror image with the columns reversed."""
    cells = np.arange(ROWS * COLUMNS, dtype=np.int32).reshape(ROWS, COLUMNS)
    columns = np.arange(COLUMNS, dtype=np.int32)
    return Features(
        game="connect-four",
        planes=3,
        height=ROWS,
        width=COLUMNS,
        write=write_planes,
        outputs=columns,
        policy=COLUMNS,
        by_cell=False,
        symmetries=np.array([cells.ravel(), cells[:, ::-1].ravel()]),
        output_symmetries=np.array([columns, columns[::-1]]),
    )


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for the first player, 1 for the second."""
    return int(state[MOVES]) % 2


def format_move(_state: State, move: int) -> str:
    """Return the number of the column, from 1 at the left."""
    return str(move + 1)


def parse_move(_state: State, text: str) -> int:
    """Return the column that a number from 1 to 7 names.

    Raises:
        ValueError: If it names none.
    """
    word = text.strip()
    if len(word) != 1 or word not in "1234567":
        raise ValueError(f"invalid column {text!r}: say a number from 1 to {COLUMNS}")
    return int(word) - 1


def format_state(state: State) -> str:
    """Return the board as a picture, X for the first player."""
    masks = [int(state[player]) | int(state[player + 1]) << int(_LOW_BITS) for player in (0, 2)]
    rows = []
    for row in reversed(range(ROWS)):
        bits = [1 << column * (ROWS + 1) + row for column in range(COLUMNS)]
        rows.append(
            " ".join("X" if masks[0] & bit else "O" if masks[1] & bit else "." for bit in bits)
        )
    return "\n".join([*rows, " ".join(str(column + 1) for column in range(COLUMNS))])


def connect_four() -> GameDefinition:
    """Return the game for the search."""
    return GameDefinition(
        name="connect-four",
        initial_state=lambda: np.zeros(5, np.int32),
        legal_moves=legal_moves,
        play=play,
        score=score,
        to_play=to_play,
        playout=playout,
        move_count=COLUMNS,
        longest_game=COLUMNS * ROWS,
        features=features(),
        format_move=format_move,
        parse_move=parse_move,
        format_state=format_state,
    )
