"""Othello on 8 by 8 cells, in which a player without a move passes.

A state is the disks of Black and those of White, four integers of 16 bits each, and how many moves
were played, passes included; Black begins. Bit ``8 * row + column``, row 0 being the top one, is
also the number of the move there; PASS is legal only where nothing else is. The score is the
difference in disks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.mcts.game import GameDefinition

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

SIZE = 8
CELLS = PASS = SIZE * SIZE
WORDS = 4  # of 16 bits, for the disks of a player
MOVES = 2 * WORDS  # Where in the state the number of moves is.

_ZERO, _ONE, _SIXTEEN = Index(0), Index(1), Index(16)
_WORD = Index(0xFFFF)
_ALL = Index(0xFFFF_FFFF_FFFF_FFFF)
_LEFT, _RIGHT = Index(0x0101_0101_0101_0101), Index(0x8080_8080_8080_8080)  # the outer columns

# How far to the next cell in four directions, and the cells that one can come to from the board:
# forwards, to higher numbers, and backwards.
WAYS = (
    (Index(1), _ALL ^ _LEFT, _ALL ^ _RIGHT),
    (Index(7), _ALL ^ _RIGHT, _ALL ^ _LEFT),
    (Index(8), _ALL, _ALL),
    (Index(9), _ALL ^ _LEFT, _ALL ^ _RIGHT),
)


@kernel(inline=True)
def load(state: State, player: int) -> int:
    """Return the disks of player 0 or 1 as one mask."""
    disks = _ZERO
    for word in range(WORDS):
        disks |= Index(state[player * WORDS + word]) << Index(16 * word)
    return disks


@kernel(inline=True)
def store(state: State, player: int, disks: int) -> None:
    """Set the disks of player 0 or 1."""
    for word in range(WORDS):
        state[player * WORDS + word] = disks >> Index(16 * word) & _WORD


@kernel
def targets(mine: int, theirs: int) -> int:
    """Return the empty cells where a disk would enclose some of the opponent's."""
    found = _ZERO
    for step, forwards, backwards in WAYS:
        ahead = mine << step & forwards & theirs
        behind = mine >> step & backwards & theirs
        for _ in range(SIZE - 3):  # At most six are enclosed in a line.
            ahead |= ahead << step & forwards & theirs
            behind |= behind >> step & backwards & theirs
        found |= ahead << step & forwards | behind >> step & backwards
    return found & ~(mine | theirs)


@kernel
def enclosed(disk: int, mine: int, theirs: int) -> int:
    """Return the opponent's disks that a new one encloses."""
    found = _ZERO
    for step, forwards, backwards in WAYS:
        ahead, cell = _ZERO, disk << step & forwards
        while cell & theirs:
            ahead |= cell
            cell = cell << step & forwards
        if cell & mine:
            found |= ahead
        behind, cell = _ZERO, disk >> step & backwards
        while cell & theirs:
            behind |= cell
            cell = cell >> step & backwards
        if cell & mine:
            found |= behind
    return found


@kernel
def legal_moves(
    state: State,
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
) -> int:
    """Write the cells that turn something, else PASS, and return how many; none at the end."""
    player = state[MOVES] % 2
    mine, theirs = load(state, player), load(state, 1 - player)
    cells = targets(mine, theirs)
    count = 0
    for cell in range(CELLS):
        if cells >> Index(cell) & _ONE:
            moves[count] = cell
            count += 1
    if count == 0 and targets(theirs, mine):
        moves[0] = PASS
        count = 1
    return count


@kernel
def play(state: State, knowledge: Knowledge, scratch: Scratch, move: int) -> None:  # noqa: ARG001
    """Put a disk of the player to move on the cell and turn what it encloses, or pass."""
    if move != PASS:
        player = state[MOVES] % 2
        mine, theirs = load(state, player), load(state, 1 - player)
        disk = _ONE << Index(move)
        turned = enclosed(disk, mine, theirs)
        store(state, player, mine | disk | turned)
        store(state, 1 - player, theirs & ~turned)
    state[MOVES] += 1


@kernel
def score(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Return Black's disks minus White's."""
    black, white = load(state, 0), load(state, 1)
    difference = 0
    for cell in range(CELLS):
        if black >> Index(cell) & _ONE:
            difference += 1
        elif white >> Index(cell) & _ONE:
            difference -= 1
    return float(difference)


def initial_state() -> State:
    """Return the four disks in the middle, two of each color."""
    state = np.zeros(2 * WORDS + 1, np.int32)
    state[1], state[2] = 1 << 28 - 16, 1 << 35 - 32  # e4 and d5
    state[WORDS + 1], state[WORDS + 2] = 1 << 27 - 16, 1 << 36 - 32  # d4 and e5
    return state


def to_play(state: State) -> int:
    """Return whose turn it is: 0 for Black, 1 for White."""
    return int(state[MOVES]) % 2


def format_move(_state: State, move: int) -> str:
    """Return ``a1`` for the top left cell: the column's letter and the row from above; or pass."""
    return "pass" if move == PASS else f"{'abcdefgh'[move % SIZE]}{move // SIZE + 1}"


def parse_move(_state: State, text: str) -> int:
    """Return the number of the move that a text such as ``d3`` or ``pass`` means.

    Raises:
        ValueError: If it means none.
    """
    word = text.lower()
    if word == "pass":
        return PASS
    if len(word) != 2 or word[0] not in "abcdefgh" or word[1] not in "12345678":
        raise ValueError(f"invalid move {text!r}: say a cell from a1 to h8, or pass")
    return (int(word[1]) - 1) * SIZE + "abcdefgh".index(word[0])


def format_state(state: State) -> str:
    """Return the board as a picture, X for Black."""
    black, white = (
        sum(int(state[player * WORDS + word]) << 16 * word for word in range(WORDS))
        for player in (0, 1)
    )
    marks = [
        "X" if black >> cell & 1 else "O" if white >> cell & 1 else "." for cell in range(CELLS)
    ]
    rows = [f"{row + 1} {' '.join(marks[row * SIZE : (row + 1) * SIZE])}" for row in range(SIZE)]
    return "\n".join(["  a b c d e f g h", *rows])


game = GameDefinition(
    name="othello",
    initial_state=initial_state,
    legal_moves=legal_moves,
    play=play,
    score=score,
    to_play=to_play,
    move_count=CELLS + 1,
    longest_game=2 * CELLS,
    format_move=format_move,
    parse_move=parse_move,
    format_state=format_state,
)
