"""Connect 4 in plain Python, for two searches that are to be compared with the same means.

Each player's stones are the bits of one integer, column after column, seven bits a column: six
cells from below and one that stays empty. :mod:`montego.games.connect_four` is the compiled one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.boards.grid import BLACK, WHITE, opponent

if TYPE_CHECKING:
    from random import Random

COLUMNS, ROWS = 7, 6
STRIDE = ROWS + 1
BOTTOMS = tuple(1 << column * STRIDE for column in range(COLUMNS))
TOPS = tuple(bottom << ROWS - 1 for bottom in BOTTOMS)
FULL = ((1 << ROWS) - 1) * sum(BOTTOMS)


def has_four(stones: int) -> bool:
    """Say whether there are four in a line: upwards, sideways or on a diagonal."""
    for step in (1, STRIDE - 1, STRIDE, STRIDE + 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class ConnectFourBoard:
    """A position: the stones of both players, and whose turn it is. BLACK begins."""

    def __init__(self) -> None:
        self.to_play = BLACK
        self.mine = 0  # stones of the player to move
        self.theirs = 0

    def copy(self) -> ConnectFourBoard:
        """Return an independent copy."""
        twin = ConnectFourBoard()
        twin.to_play, twin.mine, twin.theirs = self.to_play, self.mine, self.theirs
        return twin

    def moves(self) -> list[int]:
        """Return the columns that are not full; none after four in a line."""
        if has_four(self.theirs):
            return []
        taken = self.mine | self.theirs
        return [column for column, top in enumerate(TOPS) if not taken & top]

    def play(self, move: int | None) -> None:
        """Drop a stone into a column. There is no pass."""
        if move is None:
            raise ValueError("there is no pass in Connect 4")
        taken = self.mine | self.theirs
        # Adding the lowest cell of the column carries to the lowest one that is empty.
        stone = (taken + BOTTOMS[move]) & ~taken
        self.mine, self.theirs = self.theirs, self.mine | stone
        self.to_play = opponent(self.to_play)

    def score(self) -> int:
        """Return 1 if BLACK has four in a line, -1 if WHITE has, else 0."""
        if not has_four(self.theirs):
            return 0
        return 1 if self.to_play == WHITE else -1


def play_out(board: ConnectFourBoard, random: Random) -> int:
    """Play random moves to the end and return the score."""
    while moves := board.moves():
        board.play(random.choice(moves))
    return board.score()
