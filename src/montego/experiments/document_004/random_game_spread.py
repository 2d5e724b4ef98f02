"""The spread of random games on 9x9, and how many make a mean that can be trusted."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import Row, mean_row, share_row
from montego.experiments.verdict import agrees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

SIZE = 9
POLICY = "uniform"
DEVIATION = "standard deviation"
CONFIDENCE = {1000: 0.68, 4000: 0.95}
"""The document's chances that the mean of so many games is right by a point."""
BATCHES = 10  # in a trial
TRIALS: dict[Scale, int] = {"quick": 10, "full": 100}


def list_trials(scale: Scale) -> list[Trial]:
    """Return batches of random games of both lengths."""
    cells = {_cell(games): {"games": games} for games in CONFIDENCE}
    return interleaved(cells, TRIALS[scale])


def _cell(games: int) -> str:
    return f"mean of {games:,} games within a point"


def play_batches(trial: Trial) -> JSON:
    """Play batches of random games from the empty board; return their means, and all scores."""
    from montego.go.kernels.layout import empty_state  # noqa: PLC0415  # Loads NumPy, then kernels.
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415

    means, frequency = [], [0] * (2 * SIZE * SIZE + 1)
    for batch in range(BATCHES):
        sample = sample_playouts(
            empty_state(SIZE),
            POLICY,
            count=trial.settings["games"],
            seed=trial.seed + (batch << 33),
        )
        means.append(sample.summary(0.0)["mean_score"])
        frequency = [a + int(b) for a, b in zip(frequency, sample.frequency, strict=True)]
    return {"means": means, "frequency": frequency}


def summarize(results: Sequence[Result]) -> Summary:
    """Compare the deviation and both chances with the document's."""
    if not results:
        return Summary.of([], [])
    cells = by_cell(results)
    values = [value for found in cells.values() for value in found]
    deviations = [_deviation(value["frequency"]) for value in values]
    row = mean_row(DEVIATION, deviations, 35.0, "points")
    whole = [sum(counts) for counts in zip(*(v["frequency"] for v in values), strict=True)]
    center = _mean(whole)
    rows: list[Row] = [row]
    for games, document in CONFIDENCE.items():
        means = [mean for value in cells.get(_cell(games), []) for mean in value["means"]]
        near = sum(abs(mean - center) < 1.0 for mean in means)
        rows.append(share_row(_cell(games), near, len(means), document))
    checks = [agrees(rows[0], 3.5, 7.0), *(agrees(row, 0.03, 0.15) for row in rows[1:])]
    plots = [Plot("scores", _chart(whole), "Random games on 9x9 by their score.")]
    expected = (
        f"A mean of n games deviates by s/√n; with s = {row.ours:.1f} that is "
        f"{row.ours / math.sqrt(1000):.2f} points for 1,000 games and "
        f"{row.ours / math.sqrt(4000):.2f} for 4,000, and a point off or less in "
        f"{_within(row.ours, 1000):.0%} and {_within(row.ours, 4000):.0%} of the cases."
    )
    return Summary.of(rows, checks, plots=plots, notes=[expected, NOTE])


def _within(deviation: float, games: int) -> float:
    """Return the chance of a normal mean of so many games to be right by a point."""
    normal = statistics.NormalDist(0.0, deviation / math.sqrt(games))
    return normal.cdf(1.0) - normal.cdf(-1.0)


def _mean(frequency: Sequence[int]) -> float:
    area = len(frequency) // 2
    return sum((i - area) * count for i, count in enumerate(frequency)) / sum(frequency)


def _deviation(frequency: Sequence[int]) -> float:
    area, mean = len(frequency) // 2, _mean(frequency)
    squares = sum((i - area - mean) ** 2 * count for i, count in enumerate(frequency))
    return math.sqrt(squares / (sum(frequency) - 1))


def _chart(frequency: Sequence[int]) -> str:
    area, total = len(frequency) // 2, sum(frequency)
    # Nearly all scores are odd: there are 81 points. Two at a time make a smooth curve.
    dots = [
        Dot(i - area + 0.5, 100 * (frequency[i] + frequency[i + 1]) / total)
        for i in range(0, len(frequency) - 1, 2)
    ]
    return curve_chart([Curve("score", dots)], "Black's points minus White's", "% of the games")


NOTE = (
    "The document takes its 35 points from its source, as an approximation, and does not say what "
    "the games were: what counts as an eye, and when a game ends, changes the spread. Here no move "
    "fills an eye, by the diagonal rule, and a game goes on until nobody has another."
)

EXPERIMENT = Experiment(
    name="random-game-spread",
    document="004",
    section="3.2.2",
    question="How widely do the results of random games on 9x9 spread?",
    claim=(
        "The standard deviation is about 35 points, so that for a precision of one point 1,000 "
        "games give 68 % confidence and 4,000 games 95 %."
    ),
    figures={DEVIATION: 35.0} | {_cell(games): share for games, share in CONFIDENCE.items()},
    trials=list_trials,
    run=play_batches,
    summarize=summarize,
    cost={"quick": 0.1, "full": 1.0},
)
