"""Random simulations or guided ones: what the guidance costs (the table of 3.1.2)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from montego.arena.drawing import interval_plot
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import mean_row, ratio_row
from montego.experiments.verdict import above, between
from montego.go.kernels.layout import empty_state
from montego.go.sampling.run import sample_playouts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult

SIZE = 9
RANDOM = "uniform"
GUIDED = ("sequence", "urgency")
ORDER = (10**0.5, 10**1.5)
"""What rounds to one order of magnitude."""
GAMES = {"full": 1000, "quick": 200}
NOTE = (
    "A factor that rounds to one order of magnitude, on a scale of logarithms, counts as one. The "
    "guided games are Montego's, compiled as the random ones are; the document has none of its own."
)


def _trials(scale: Scale) -> list[Trial]:
    cells = {policy: {"policy": policy, "games": GAMES[scale]} for policy in (RANDOM, *GUIDED)}
    return interleaved(cells, 20 if scale == "full" else 3)


def time_simulation(trial: Trial) -> JSON:
    """Return the microseconds of processor time that a game from the empty board takes."""
    policy, count = trial.settings["policy"], trial.settings["games"]
    sample_playouts(empty_state(SIZE), policy, count=20, seed=trial.seed)
    begin = time.process_time()
    sample_playouts(empty_state(SIZE), policy, count=count, seed=trial.seed + 1)
    return round(1e6 * (time.process_time() - begin) / count, 3)


def _summarize(results: Sequence[TrialResult]) -> Summary:
    values = by_cell(results)
    rows = [mean_row(policy, found, unit="µs") for policy, found in values.items()]
    random = values.get(RANDOM, [])
    found = (
        ratio_row(f"{policy} to {RANDOM}", values.get(policy, []), random, 10.0)
        for policy in GUIDED
    )
    ratios = [ratio for ratio in found if ratio]
    checks = [check for ratio in ratios for check in (above(ratio, 1.0), between(ratio, *ORDER))]
    plots = []
    if ratios:
        chart = interval_plot([ratio.bar for ratio in ratios], "times as long")
        plots.append(Plot("slower", chart, "Processor time of a guided game in random ones, 95 %."))
    return Summary.of([*rows, *ratios], checks, plots=plots, notes=[NOTE])


GUIDED_SIMULATION = Experiment(
    name="guided-simulation",
    document="000",
    section="3.1.2, simulation",
    question="How much slower are simulations that are guided by heuristics?",
    claim="Random simulations are fast, guided ones an order of magnitude slower.",
    figures={f"{policy} to {RANDOM}": 10.0 for policy in GUIDED},
    trials=_trials,
    run=time_simulation,
    summarize=_summarize,
    cost={"quick": 0.05, "full": 0.2},
    alone=True,
)
