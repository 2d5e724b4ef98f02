"""Alpha-beta search of Connect 4 in plain Python, with iterative deepening and a time limit."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego.experiments.document_004.connect_four_board import (
    BOTTOMS,
    COLUMNS,
    FULL,
    ROWS,
    TOPS,
    ConnectFourBoard,
    has_four,
    play_out,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    Evaluation = Callable[[int, int, Random], float]

WIN = 1000.0  # Of a position; less one for each move until then.
EVERY = 64  # Nodes between two looks at the clock, where a node is cheap.
OUTWARDS = tuple(sorted(range(COLUMNS), key=lambda column: abs(column - COLUMNS // 2)))
"""The middle columns belong to more lines: tried first, they cut off more."""


class OutOfTime(Exception):  # noqa: N818  # Nothing is wrong.
    """The time for a move is over."""


def even(_mine: int, _theirs: int, _random: Random) -> float:
    """Judge an undecided position: nothing is known."""
    return 0.0


def random_game(mine: int, theirs: int, random: Random) -> float:
    """Judge an undecided position by one random game, as a simulation of UCT does."""
    board = ConnectFourBoard()
    board.mine, board.theirs = mine, theirs
    return float(play_out(board, random))


class AlphaBeta:
    """A player with so many seconds of processor time a move.

    With *deepening* it searches one move deep, then two, and so on, the best move of the last
    search first; without, it searches to the end of the game from the beginning, and has seen only
    some of its moves when the time is over (004 figure 4.19).
    """

    def __init__(
        self, seconds: float, random: Random, evaluate: Evaluation = even, *, deepening: bool = True
    ) -> None:
        self.seconds = seconds
        self.evaluate = evaluate
        self.deepening = deepening
        self.depth = 0
        """How deep the last search was that was finished."""
        self._random = random
        # As many random games would take a tenth of the time that a move has.
        self._every = EVERY if evaluate is even else 1
        self._deadline = 0.0
        self._nodes = 0

    def choose(self, board: ConnectFourBoard) -> int:
        """Return a move for the player to move, who must have one."""
        self._deadline = time.thread_time() + self.seconds
        order = board.moves()
        self._random.shuffle(order)  # Of moves that seem equal any may be played.
        left = COLUMNS * ROWS - (board.mine | board.theirs).bit_count()
        self.depth = 0
        for depth in range(1 if self.deepening else left, left + 1):
            best, value, finished = self._search(board, order, depth)
            order.remove(best)
            order.insert(0, best)
            if not finished:
                break
            self.depth = depth
            if abs(value) > WIN / 2:
                break  # Decided.
        return order[0]

    def _search(
        self, board: ConnectFourBoard, order: Sequence[int], depth: int
    ) -> tuple[int, float, bool]:
        """Return the best move, its value, and whether there was time for all of them."""
        best, value = order[0], -2 * WIN
        try:
            for move in order:
                after = board.copy()
                after.play(move)
                found = -self._value(after.mine, after.theirs, depth - 1, -2 * WIN, -value)
                if found > value:
                    best, value = move, found
        except OutOfTime:
            return best, value, False
        return best, value, True

    def _value(self, mine: int, theirs: int, depth: int, alpha: float, beta: float) -> float:
        """Return what a position is worth to the player to move, if that is within the bounds."""
        self._nodes += 1
        if self._nodes % self._every == 0 and time.thread_time() > self._deadline:
            raise OutOfTime
        taken = mine | theirs
        if has_four(theirs):
            return taken.bit_count() - WIN
        if taken == FULL:
            return 0.0
        if depth == 0:
            return self.evaluate(mine, theirs, self._random)
        for column in OUTWARDS:
            if taken & TOPS[column]:
                continue
            stone = (taken + BOTTOMS[column]) & ~taken
            value = -self._value(theirs, mine | stone, depth - 1, -beta, -alpha)
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return alpha
