"""UCT against alpha-beta on Connect 4, both in plain Python and with the same processor time."""

from __future__ import annotations

import time
from random import Random
from typing import TYPE_CHECKING

from montego.experiments.boards.grid import BLACK
from montego.experiments.boards.iteration import Node, iterate, most_visited
from montego.experiments.document_004.alpha_beta import AlphaBeta, even, random_game
from montego.experiments.document_004.connect_four_board import ConnectFourBoard, play_out
from montego.experiments.experiment import Experiment, Summary, by_cell
from montego.experiments.matches import EVEN, match_plot
from montego.experiments.verdict import above
from montego.experiments.win_rates import in_proportion, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

DEEPENING, BLIND, ROLLING = "deepening", "no deepening", "a random game at the horizon"
OPPONENTS: dict[Scale, tuple[tuple[str, int], ...]] = {
    "quick": ((DEEPENING, 5), (DEEPENING, 20), (BLIND, 5), (ROLLING, 5)),
    "full": ((DEEPENING, 10), (DEEPENING, 40), (DEEPENING, 160), (BLIND, 40), (ROLLING, 40)),
}
"""Kinds of alpha-beta, and milliseconds a move for both sides."""
GAMES: dict[Scale, int] = {"quick": 4, "full": 200}
LONG = 160


def list_trials(scale: Scale) -> list[Trial]:
    """Return games against each kind of alpha-beta."""
    cells = {
        f"against alpha-beta with {kind}, {milliseconds} ms": (
            {"opponent": kind, "milliseconds": milliseconds},
            # As many of the longest games would cost more than all others together.
            GAMES[scale] // 2 if milliseconds >= LONG else GAMES[scale],
        )
        for kind, milliseconds in OPPONENTS[scale]
    }
    return in_proportion(cells)


def play_trial(trial: Trial) -> JSON:
    """Play a game, UCT beginning every other one; return its result and how far both searched."""
    random = Random(trial.seed)
    seconds = trial.settings["milliseconds"] / 1000
    kind = trial.settings["opponent"]
    rival = AlphaBeta(
        seconds,
        random,
        random_game if kind == ROLLING else even,
        deepening=kind != BLIND,
    )
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


def choose_by_uct(board: ConnectFourBoard, seconds: float, random: Random) -> tuple[int, int]:
    """Return the most visited move after so many seconds, and the number of simulations."""
    deadline = time.thread_time() + seconds
    root = Node(mover=0, untried=board.moves())
    while root.visits == 0 or time.thread_time() < deadline:
        iterate(root, board, random, play_out)
    move = most_visited(root)
    if move is None:
        raise ValueError("the game is over")
    return move, root.visits


def summarize(results: Sequence[Result]) -> Summary:
    """Check that UCT wins more than half of the games against every kind."""
    rows = win_rows(results)
    checks = [above(row, EVEN) for row in rows.values()]
    plots = [match_plot(rows.values(), "Games won by UCT, draws counting half.")]
    notes = [
        f"{cell}: {_mean(values, 'simulations'):,.0f} simulations and a depth of "
        f"{_mean(values, 'depth'):.1f} a move."
        for cell, values in by_cell(results).items()
    ]
    return Summary.of(rows.values(), checks, plots=plots, notes=[*notes, NOTE])


def _mean(values: Sequence[JSON], field: str) -> float:
    return float(sum(value[field] for value in values)) / len(values)


NOTE = (
    "Both searches are plain Python over the same board, so that neither is favored by a compiler. "
    "Alpha-beta calls undecided positions even, unless a random game judges them."
)

EXPERIMENT = Experiment(
    name="uct-against-alpha-beta",
    document="004",
    section="4.3.3, figures 4.18 and 4.19",
    question="Is UCT better than alpha-beta with the same time, on a game small enough for both?",
    claim=(
        "UCT outperforms alpha-beta: it can be stopped at any time, handles uncertainty smoothly, "
        "and grows the tree where it matters (no figure is given)."
    ),
    trials=list_trials,
    run=play_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 26.0},
    revision=2,  # Since then alpha-beta with random games keeps to its time.
)
