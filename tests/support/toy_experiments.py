"""Experiments that cost nothing, for the tests of what runs them; worker processes import it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import share_row
from montego.experiments.verdict import above
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from montego.experiments.experiment import Scale, Trial, TrialResult

CELLS = ("heads", "tails")


def toss(trial: Trial) -> int:
    """Note that it was called, sleep if told, and return 1 or 0 by the seed."""
    folder = trial.settings.get("folder")
    if folder is not None:
        name = f"{trial.cell}-{trial.number}-{trial.seed}.{time.monotonic_ns()}.{os.getpid()}"
        (Path(folder) / name).touch()
    time.sleep(trial.settings.get("sleep", 0.0))
    return trial.seed % 2 if trial.cell == "heads" else 1


def die_at_first(trial: Trial) -> int:
    """End the process by force where it was not there before."""
    mark = Path(trial.settings["folder"]) / f"{trial.cell}-{trial.number}"
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 1


def die_at_two(trial: Trial) -> int:
    """End the process by force at the trials number 2."""
    if trial.number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return 1


def raise_at_two(trial: Trial) -> int:
    """Fail at the trials number 2, for a reason that a person can understand."""
    if trial.number == 2:
        raise GoError("there is no such thing")
    return 1


def divide(trial: Trial) -> float:
    """Fail at every trial."""
    return trial.number / 0


def return_a_set(trial: Trial) -> Any:
    """Return what JSON cannot hold."""
    return {trial.number}


def forget(trial: Trial) -> None:
    """Work without a result."""
    trial.settings.get("folder")


def summarize(results: Sequence[TrialResult]) -> Summary:
    """Compare each cell with one half."""
    rows = [
        share_row(cell, sum(values), len(values), 0.5) for cell, values in by_cell(results).items()
    ]
    dots = [Dot(number, row.ours, row.low, row.high) for number, row in enumerate(rows)]
    chart = curve_chart([Curve("shares", dots)], "cell", "share")
    plots = [Plot("shares", chart, "Shares <of> each & every cell.")] if chart else []
    return Summary.of(rows, [above(row, 0.5) for row in rows], plots=plots, notes=["Toys."])


def toy(
    run: Callable[[Trial], Any] = toss,
    count: int = 4,
    revision: int = 1,
    unit: str = "trials",
    **settings: Any,
) -> Experiment:
    """Return an experiment of two cells; *count* trials of each, one if quick."""

    def trials(scale: Scale) -> list[Trial]:
        cells = dict.fromkeys(CELLS, settings)
        return interleaved(cells, count if scale == "full" else 1)

    return Experiment(
        name="toy",
        document="000",
        section="0.0",
        question="Is <this> a coin & fair?",
        claim="It is.",
        trials=trials,
        run=run,
        summarize=summarize,
        cost={"quick": 0.1, "full": 1.0},
        unit=unit,
        revision=revision,
    )
