"""Results of games that nobody played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.experiments.experiment import Trial, TrialResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.experiments.experiment import Experiment


def game(cell: str, number: int, points: float, settings: Any = None) -> TrialResult:
    """Return a game of a cell that the first contestant won or lost."""
    value = {"result": points, "began": number % 2 == 0, "score": None, "moves": 60}
    return TrialResult(Trial(cell, number, settings or {}), value, 1.0)


def games_of(experiment: Experiment, points: Callable[[Trial], float]) -> list[TrialResult]:
    """Return all games of a full run, with what each was worth to the first contestant."""
    return [
        TrialResult(trial, game(trial.cell, trial.number, points(trial)).value, 1.0)
        for trial in experiment.plan("full")
    ]
