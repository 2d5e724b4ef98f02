"""UCT against alpha-beta on Connect 4, both in plain Python and with the same processor time.

Each player's stones are the bits of one integer, column after column, seven bits a column: six
cells from below and one that stays empty. :mod:`montego.games.connect_four` is the compiled one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from montego.experiments.boards.grid import BLACK, WHITE, opponent
from montego.experiments.boards.iteration import PlainNode, iterate, most_visited
from montego.experiments.experiment import JSON, Cells, Scale, Trial, by_cell
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from collections.abc import Sequence


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


Evaluation: TypeAlias = Callable[[int, int, Random], float]
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
    """Alpha-beta search with so many seconds of processor time a move.

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


def choose_by_uct(board: ConnectFourBoard, seconds: float, random: Random) -> tuple[int, int]:
    """Return the most visited move after so many seconds, and the number of simulations."""
    deadline = time.thread_time() + seconds
    root = PlainNode(mover=0, untried=board.moves())
    while root.visits == 0 or time.thread_time() < deadline:
        iterate(root, board, random, play_out)
    move = most_visited(root)
    if move is None:
        raise ValueError("the game is over")
    return move, root.visits


DEEPENING, BLIND, ROLLING = "deepening", "no deepening", "a random game at the horizon"
OPPONENTS: dict[Scale, tuple[tuple[str, int], ...]] = {
    "quick": ((DEEPENING, 5), (DEEPENING, 20), (BLIND, 5), (ROLLING, 5)),
    "full": ((DEEPENING, 10), (DEEPENING, 40), (DEEPENING, 160), (BLIND, 40), (ROLLING, 40)),
}
"""Kinds of alpha-beta, and milliseconds a move for both sides."""
GAMES: dict[Scale, int] = {"quick": 4, "full": 200}
LONG = 160
NOTE = (
    "Both searches are plain Python over the same board, so that neither is favored by a compiler. "
    "Alpha-beta calls undecided positions even, unless a random game judges them."
)


def _cells(scale: Scale) -> Cells:
    return {
        f"against alpha-beta with {kind}, {milliseconds} ms": (
            {"opponent": kind, "milliseconds": milliseconds},
            # As many of the longest games would cost more than all others together.
            GAMES[scale] // 2 if milliseconds >= LONG else GAMES[scale],
        )
        for kind, milliseconds in OPPONENTS[scale]
    }


def play_trial(trial: Trial) -> JSON:
    """Play a game, UCT beginning every other one; return its result and how far both searched."""
    random = Random(trial.seed)
    seconds = trial.settings["milliseconds"] / 1000
    kind = trial.settings["opponent"]
    evaluate = random_game if kind == ROLLING else even
    rival = AlphaBeta(seconds, random, evaluate, deepening=kind != BLIND)
    board, uct_begins = ConnectFourBoard(), trial.number % 2 == 0
    simulations, depths = [], []
    while board.moves():
        if (board.to_play == BLACK) == uct_begins:
            move, count = choose_by_uct(board, seconds, random)
            simulations.append(count)
        else:
            move = rival.choose(board)
            depths.append(rival.depth)
        board.play(move)
    score = board.score() if uct_begins else -board.score()
    return {
        "result": (score + 1) / 2,
        "began": uct_begins,
        "simulations": round(sum(simulations) / max(len(simulations), 1), 1),
        "depth": round(sum(depths) / max(len(depths), 1), 2),
    }


def _depths(wins: WinRates) -> list[str]:
    """Say how far both searched, cell by cell."""
    told = []
    for cell, games in by_cell(wins.results).items():
        simulations, depth = (
            sum(game[field] for game in games) / len(games) for field in ("simulations", "depth")
        )
        told.append(f"{cell}: {simulations:,.0f} simulations and a depth of {depth:.1f} a move.")
    return told


UCT_AGAINST_ALPHA_BETA = game_experiment(
    name="uct-against-alpha-beta",
    document="004",
    section="4.3.3, figures 4.18 and 4.19",
    question="Is UCT better than alpha-beta with the same time, on a game small enough for both?",
    claim="UCT outperforms alpha-beta: it can be stopped at any time, handles uncertainty "
    "smoothly, and grows the tree where it matters (no figure is given).",
    cells=_cells,
    run=play_trial,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    caption="Games won by UCT, draws counting half.",
    remarks=_depths,
    notes=[NOTE],
    cost={"quick": 0.1, "full": 26.0},
    revision=2,  # Since then alpha-beta with random games keeps to its time.
)
