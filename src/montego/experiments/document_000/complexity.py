"""Time against iterations and against the size of the board: figures 7.10 and 7.11."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.document_000.v_run import v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import Row, fitted_power, mean_row
from montego.experiments.games import contestant
from montego.experiments.verdict import agrees
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

ITERATIONS = (1000, 2000, 5000, 10000, 20000, 50000)
BOARDS = (5, 7, 9, 11, 13, 15, 17, 19)
FIXED_ITERATIONS = {"full": 20000, "quick": 4000}
"""Enough for what a search costs before it begins to count for little on small boards."""
REPEATS = {"full": 20, "quick": 3}
TOLERANCE = 0.15
"""How far an exponent may be from the predicted one and still be called it."""


NOTE_BOARDS = (
    "The random games by themselves take time as the number of points, which benchmarks/"
    "playout_scaling.py measures. A search does more than play them: with the same iterations the "
    "tree of a larger board is the shallower one, and costs less than in proportion."
)


def run(trial: Trial) -> JSON:
    """Return the processor time of one search of an empty board, in seconds."""
    player = contestant(trial.settings["player"])
    config = replace(player.config, seed=trial.seed)
    # What is loaded and touched the first time is not the search's.
    Search(player.game, replace(config, simulations=100)).run()
    search = Search(player.game, config)
    begin = time.thread_time()
    search.run()
    return time.thread_time() - begin


def _iteration_trials(scale: Scale) -> list[Trial]:
    counts = ITERATIONS if scale == "full" else ITERATIONS[:4]
    cells = {
        f"{count:,} iterations": {"player": v_run(count, early_stop=False)} for count in counts
    }
    return interleaved(cells, REPEATS[scale])


def _board_trials(scale: Scale) -> list[Trial]:
    count = FIXED_ITERATIONS[scale]
    boards = BOARDS if scale == "full" else (*BOARDS[::2], 19)
    cells = {
        f"{size}x{size}": {"player": v_run(count, size=size, early_stop=False)} for size in boards
    }
    return interleaved(cells, REPEATS[scale])


def _summarize(
    results: Sequence[Result], places: dict[str, float], figure: float, x_label: str, what: str
) -> Summary:
    """Fit a power law to the mean times; *places* are the cells on the horizontal axis."""
    values = by_cell(results)
    rows = [mean_row(cell, values[cell], unit="s") for cell in places if cell in values]
    points = [(places[row.cell], row.ours) for row in rows]
    checks, curves = [], []
    if len(points) > 1:
        rows.append(_exponent(values, places, figure, what))
        checks.append(agrees(rows[-1], TOLERANCE, widest=0.3))
        factor, exponent = fitted_power(points)
        ours = [Dot(places[row.cell], row.ours, row.low, row.high) for row in rows[:-1]]
        last = points[-1]
        curves = [
            Curve("measured", ours),
            Curve(
                f"fitted, power {exponent:.2f}",
                [Dot(x, factor * x**exponent) for x, _ in points],
                is_dashed=True,
            ),
            Curve(
                f"predicted, power {figure:g}",
                [Dot(x, last[1] * (x / last[0]) ** figure) for x, _ in points],
                is_dashed=True,
            ),
        ]
    chart = curve_chart(curves, x_label, "seconds", log_x=True, log_y=True)
    plots = [Plot("time", chart, f"Processor time of a search by the {what}.")] if chart else []
    return Summary.of(rows, checks, plots=plots)


def _exponent(
    values: dict[str, list[JSON]], places: dict[str, float], figure: float, what: str
) -> Row:
    """Return the exponent, with the interval of those that the repetitions give one by one."""
    known = [cell for cell in places if cell in values]
    repeats = min(len(values[cell]) for cell in known)
    exponents = [
        fitted_power([(places[cell], values[cell][number]) for cell in known])[1]
        for number in range(repeats)
    ]
    return mean_row(f"exponent of the {what}", exponents, figure)


def _summarize_iterations(results: Sequence[Result]) -> Summary:
    places = {f"{count:,} iterations": float(count) for count in ITERATIONS}
    return _summarize(results, places, 1.0, "iterations", "number of iterations")


def _summarize_boards(results: Sequence[Result]) -> Summary:
    places = {f"{size}x{size}": float(size) for size in BOARDS}
    summary = _summarize(results, places, 2.0, "size of the board, n", "size of the board")
    return replace(summary, notes=(NOTE_BOARDS,))


TIME_AGAINST_ITERATIONS = Experiment(
    name="time-against-iterations",
    document="000",
    section="7.7, figure 7.10",
    question="How does the time of a search grow with its iterations?",
    claim="Linearly: the exponent is 1.",
    figures={"exponent of the number of iterations": 1.0},
    trials=_iteration_trials,
    run=run,
    summarize=_summarize_iterations,
    cost={"quick": 0.1, "full": 1},
    alone=True,
)

TIME_AGAINST_BOARD_SIZE = Experiment(
    name="time-against-board-size",
    document="000",
    section="7.7, figure 7.11",
    question="How does the time of a search grow with the size n of the board?",
    claim="Quadratically, as the number of points: the exponent of n is 2.",
    figures={"exponent of the size of the board": 2.0},
    trials=_board_trials,
    run=run,
    summarize=_summarize_boards,
    cost={"quick": 0.15, "full": 2},
    alone=True,
)
