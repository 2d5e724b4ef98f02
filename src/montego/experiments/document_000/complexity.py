"""Time against iterations and against the size of the board: figures 7.10 and 7.11."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.experiments.document_000.v_run import v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import curve_of, fitted_power, mean_row
from montego.experiments.games import new_search
from montego.experiments.verdict import agrees, at_most

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult


ITERATIONS = {f"{n:,} iterations": float(n) for n in (1000, 2000, 5000, 10000, 20000, 50000)}
BOARDS = {f"{n}x{n}": float(n) for n in (5, 7, 9, 11, 13, 15, 17, 19)}
FIXED_ITERATIONS = {"full": 20000, "quick": 4000}
"""Enough for what a search costs before it begins to count for little on small boards."""
REPEATS = {"full": 20, "quick": 3}
TOLERANCE = 0.15
"""How far an exponent may be from the predicted one and still be called it."""
SLACK = 0.05
"""How far an exponent may be measured above its bound."""
NOTE_BOARDS = (
    "Judged is the bound, an exponent of 2 at most. The random games by themselves take time as "
    "the number of points, which benchmarks/speed/playout_scaling.py measures. A search does more "
    "than play them: with the same iterations the tree of a larger board is the shallower "
    "one, and costs less than in proportion."
)


def time_search(trial: Trial) -> JSON:
    """Return the processor time of one search of an empty board, in seconds."""
    player = trial.settings["player"]
    # What is loaded and touched the first time is not the search's.
    new_search(player, trial.seed, simulations=100).run()
    search = new_search(player, trial.seed)
    begin = time.thread_time()
    search.run()
    return time.thread_time() - begin


def _iteration_trials(scale: Scale) -> list[Trial]:
    counts = list(ITERATIONS.items())[: 6 if scale == "full" else 4]
    cells = {cell: {"player": v_run(int(count), early_stop=False)} for cell, count in counts}
    return interleaved(cells, REPEATS[scale])


def _board_trials(scale: Scale) -> list[Trial]:
    cells = {
        cell: {"player": v_run(FIXED_ITERATIONS[scale], size=int(size), early_stop=False)}
        for number, (cell, size) in enumerate(BOARDS.items())
        if scale == "full" or number % 2 == 0 or cell == "19x19"
    }
    return interleaved(cells, REPEATS[scale])


def _summarize(
    what: str, places: Mapping[str, float], figure: float, results: Sequence[TrialResult]
) -> Summary:
    """Fit a power law to the mean times; *places* are the cells on the horizontal axis.

    The interval of the exponent is of those that the repetitions give one by one.
    """
    notes = [NOTE_BOARDS] if places is BOARDS else []
    values = by_cell(results)
    rows = {cell: mean_row(cell, found, unit="s") for cell, found in values.items()}
    if len(rows) < 2:
        return Summary.of(rows.values(), [], notes=notes)
    across = [places[cell] for cell in rows]
    repeats = zip(*values.values(), strict=False)
    exponents = [fitted_power(list(zip(across, repeat, strict=True)))[1] for repeat in repeats]
    exponent = mean_row(f"exponent of the {what}", exponents, figure)
    means = [row.ours for row in rows.values()]
    factor, power = fitted_power(list(zip(across, means, strict=True)))
    fitted = [Dot(x, factor * x**power) for x in across]
    predicted = [Dot(x, means[-1] * (x / across[-1]) ** figure) for x in across]
    curves = [
        curve_of("measured", rows, places),
        Curve(f"fitted, power {power:.2f}", fitted, is_dashed=True),
        Curve(f"predicted, power {figure:g}", predicted, is_dashed=True),
    ]
    label = "size of the board, n" if places is BOARDS else "iterations"
    chart = curve_chart(curves, label, "seconds", log_x=True, log_y=True)
    plots = [Plot("time", chart, f"Processor time of a search by the {what}.")]
    # O(n²) is a bound from above: what grows more slowly keeps it.
    is_bound = places is BOARDS
    check = (
        at_most(exponent, figure, SLACK) if is_bound else agrees(exponent, TOLERANCE, widest=0.3)
    )
    checks = [check]
    return Summary.of([*rows.values(), exponent], checks, plots=plots, notes=notes)


TIME_AGAINST_ITERATIONS = Experiment(
    name="time-against-iterations",
    document="000",
    section="7.7, figure 7.10",
    question="How does the time of a search grow with its iterations?",
    claim="Linearly: the exponent is 1.",
    figures={"exponent of the number of iterations": 1.0},
    trials=_iteration_trials,
    run=time_search,
    summarize=partial(_summarize, "number of iterations", ITERATIONS, 1.0),
    cost={"quick": 0.1, "full": 1},
    alone=True,
)

TIME_AGAINST_BOARD_SIZE = Experiment(
    name="time-against-board-size",
    document="000",
    section="7.7, figure 7.11",
    question="How does the time of a search grow with the size n of the board?",
    claim="No faster than quadratically, as the number of points: O(n²) for each iteration.",
    figures={"exponent of the size of the board": 2.0},
    trials=_board_trials,
    run=time_search,
    summarize=partial(_summarize, "size of the board", BOARDS, 2.0),
    cost={"quick": 0.15, "full": 2},
    alone=True,
)
