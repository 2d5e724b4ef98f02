"""The spread of the speed of random games: tables 5.1 and 5.2, figures 5.1 to 5.4."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.experiments.document_004.random_games import GAIN, SPEEDS, TOLERANCE
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import PERCENT, FigureRow, Z, mean_row, number_text, ratio_row
from montego.experiments.verdict import above, between
from montego.go.kernels.layout import empty_state
from montego.go.sampling.run import sample_playouts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult

SIZE = 19
PENTIUM = {"naive": 42.84, "analyze-after": 412.75}
"""Games a second on the document's other computer (table 5.2)."""
GAINS = (GAIN, PENTIUM["analyze-after"] / PENTIUM["naive"])
TABLE = {
    "naive": {"min": 90.99, "max": 98.19, "μ": SPEEDS["naive"], "deviation": 1.38},
    "analyze-after": {
        "min": 1028.4,
        "max": 1205.2,
        "μ": SPEEDS["analyze-after"],
        "deviation": 38.47,
    },
}
"""Table 5.1, of the computer that the document means unless it says otherwise."""
GAMES = {"naive": 400, "analyze-after": 800}
"""Games of a test: about a tenth of a second."""
TESTS = {"full": 100, "quick": 5}
BARS = 12


def _trials(scale: Scale) -> list[Trial]:
    cells = {method: {"method": method, "games": games} for method, games in GAMES.items()}
    return interleaved(cells, TESTS[scale])


def time_games(trial: Trial) -> JSON:
    """Return how many random games a second were played in one test."""
    method = trial.settings["method"]
    sample_playouts(empty_state(SIZE), method, count=20, seed=trial.seed)
    count = trial.settings["games"]
    sample = sample_playouts(empty_state(SIZE), method, count=count, seed=trial.seed + 1)
    return round(sample.summary(0.0)["playouts_per_second"], 2)


def _summarize(results: Sequence[TrialResult]) -> Summary:
    values = by_cell(results)
    rows: list[FigureRow] = []
    notes, plots = [], []
    for method, speeds in values.items():
        rows.append(mean_row(f"{method}, μ", speeds, SPEEDS[method], "games/s"))
        if len(speeds) > 1:
            rows.append(_spread_row(method, speeds))
        notes.append(_table_line(method, speeds))
        plots.append(_distribution(method, speeds))
    slow, fast = ([1 / speed for speed in values.get(method, [])] for method in GAMES)
    gain = ratio_row("naive to analyze-after", slow, fast, GAIN)
    rows += [gain] if gain else []
    checks = [
        above(gain, 1.0),
        between(gain, min(GAINS), max(GAINS), TOLERANCE, widest=2 * TOLERANCE),
    ]
    note = (
        "Each test is about a tenth of a second here and five seconds in the document, which is "
        "one reason why they differ more from one another; others at work on the machine are "
        "another."
    )
    return Summary.of(rows, checks, plots=plots, notes=[*notes, note])


def _spread_row(method: str, speeds: Sequence[float]) -> FigureRow:
    """Return the standard deviation as a share of the mean, which computers have in common.

    The interval is that of a deviation by a normal approximation: 1/√(2(n - 1)) of it, times Z.
    """
    share = statistics.stdev(speeds) / statistics.fmean(speeds)
    width = Z * share / math.sqrt(2 * (len(speeds) - 1))
    document = TABLE[method]["deviation"] / TABLE[method]["μ"]
    name = f"{method}, deviation in parts of μ"
    return FigureRow(name, share, share - width, share + width, len(speeds), document, PERCENT)


def _table_line(method: str, speeds: Sequence[float]) -> str:
    """Return what the document's table tells of a method, ours first."""
    figures = {
        "min": min(speeds),
        "max": max(speeds),
        "μ": statistics.fmean(speeds),
        "deviation": statistics.stdev(speeds) if len(speeds) > 1 else 0.0,
    }
    told = ", ".join(
        f"{name} {number_text(value)} ({number_text(TABLE[method][name])})"
        for name, value in figures.items()
    )
    return f"{method}: {told} games a second in {len(speeds)} tests, the document's in brackets."


def _distribution(method: str, speeds: Sequence[float]) -> Plot:
    low, high = min(speeds), max(speeds)
    width = (high - low) / BARS or 1.0
    counts = [0] * BARS
    for speed in speeds:
        counts[min(int((speed - low) / width), BARS - 1)] += 1
    dots = [Dot(low + (bar + 0.5) * width, count) for bar, count in enumerate(counts)]
    chart = curve_chart([Curve(method, dots)], "games a second", "tests")
    return Plot(method, chart, f"{method}: tests by their speed, after figures 5.1 to 5.4.")


SPEED_SPREAD = Experiment(
    name="random-game-speeds",
    document="004",
    section="5.1, tables 5.1 and 5.2, figures 5.1 to 5.4",
    question="How does the speed of random games spread over a hundred tests?",
    claim="Analyze-after plays 1,059 games a second and naive 95 on an Athlon, with standard "
    "deviations of 38 and 1.4, 413 and 43 (5.9 and 0.8) on a Pentium: about ten times as many.",
    figures={f"{method}, μ": speed for method, speed in SPEEDS.items()},
    trials=_trials,
    run=time_games,
    summarize=_summarize,
    cost={"quick": 0.05, "full": 1},
    alone=True,
)
