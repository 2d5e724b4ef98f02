"""Tuning a few parameters: Optuna keeps the trials, a Gaussian process chooses the next setting.

The score of a batch of games is a noisy measurement, and how noisy it is follows from the number of
games. The process takes that into account, so it neither trusts a lucky batch nor repeats itself.
The trials lie in an SQLite file that Optuna's own tools can open. A trial that was interrupted is
taken up again with the games it has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.arena.statistics import Tally
from montego.arena.tuning.gaussian_process import GaussianProcess, expected_improvement
from montego.arena.tuning.parameter import Value, encode
from montego.arena.tuning.tuning import (
    Trial,
    Tuning,
    candidate,
    check_folder,
    folder_name,
    play_batch,
)
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

STARTUP = 6  # Trials spread evenly before the process is asked, at least; more for many parameters.
CANDIDATES = 2000  # Settings among which the most promising is looked for.
DATABASE = "tuning.db"
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)


def tune_bayesian(
    tuning: Tuning, folder: Path, report: Callable[[Sequence[Trial]], bool] | None = None
) -> list[Trial]:
    """Run trials until there are as many as wanted, and return all of them.

    *report* is called before the first new trial and after each; False ends it early.

    Raises:
        GoError: If Optuna is missing, or the folder is another tuning's.
        EngineError: If an engine cannot be started.
    """
    optuna = import_optuna()
    check_folder(tuning, folder)
    study = optuna.create_study(
        storage=f"sqlite:///{folder / DATABASE}",
        study_name="montego",
        direction="maximize",
        load_if_exists=True,
    )
    distributions = {item.name: _distribution(optuna, item) for item in tuning.parameters}
    _take_up_interrupted(optuna, study)
    trials = _finished(study)
    while (report is None or report(trials)) and len(trials) < tuning.trials:
        if not any(item.state == optuna.trial.TrialState.WAITING for item in study.trials):
            study.enqueue_trial(propose(tuning, trials, len(trials)))
        asked = study.ask(distributions)
        values = dict(asked.params)
        name = asked.user_attrs.get("folder") or folder_name(values, asked.number)
        asked.set_user_attr("folder", name)
        first = candidate(tuning, values, "candidate", folder / "trials" / name)
        second = EngineSpec("opponent", tuning.opponent)
        seed = tuning.seed * 100_003 + len(trials)
        tally, faults = play_batch(tuning, first, second, folder / "trials" / name, seed)
        asked.set_user_attr("tally", [tally.wins, tally.losses, tally.draws])
        asked.set_user_attr("faults", faults)
        study.tell(asked, tally.score)
        trials = _finished(study)
    return trials


def import_optuna() -> Any:
    """Return the module, quiet.

    Raises:
        GoError: If it is not installed; the message says how.
    """
    try:
        import optuna  # noqa: PLC0415  # An extra that only this needs.
    except ImportError:
        raise GoError("this kind of tuning needs Optuna: pip install 'montego[tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def propose(tuning: Tuning, trials: Sequence[Trial], number: int) -> dict[str, Value]:
    """Return the setting to try as trial *number*; the same trials give the same setting.

    The first is where tuning starts, then come evenly spread ones, then those of which the process
    expects the greatest improvement.
    """
    parameters = tuning.parameters
    if number == 0:
        return tuning.start
    if len(trials) < max(STARTUP, len(parameters) + 2):
        return {
            parameter.name: parameter.from_unit(_halton(number, place))
            for place, parameter in enumerate(parameters)
        }
    process = learned(tuning, trials)
    random = np.random.default_rng((tuning.seed, number))
    best = max(trials, key=lambda trial: _mean_at(tuning, process, trial.values))
    center = [item.to_unit(best.values[item.name]) for item in parameters]
    units = random.random((CANDIDATES, len(parameters)))
    near = CANDIDATES // 2
    units[:near] = np.clip(center + random.normal(0, 0.1, (near, len(parameters))), 0, 1)
    settings = [
        {item.name: item.from_unit(float(unit)) for item, unit in zip(parameters, row, strict=True)}
        for row in units
    ]
    means, deviations = process.predict(
        np.array([encode(parameters, setting) for setting in settings])
    )
    incumbent = _mean_at(tuning, process, best.values)
    return settings[int(np.argmax(expected_improvement(means, deviations, incumbent)))]


def learned(tuning: Tuning, trials: Sequence[Trial]) -> GaussianProcess:
    """Return what the trials say about the score of any setting."""
    places = np.array([encode(tuning.parameters, trial.values) for trial in trials])
    scores = np.array([trial.tally.score for trial in trials])
    # One game more on each side keeps a perfect batch from being taken for a certainty.
    smooth = [
        (trial.tally.score * trial.tally.games + 1) / (trial.tally.games + 2) for trial in trials
    ]
    noise = np.array(
        [
            share * (1 - share) / trial.tally.games
            for share, trial in zip(smooth, trials, strict=True)
        ]
    )
    return GaussianProcess(places, scores, noise, seed=tuning.seed)


def best_setting(tuning: Tuning, trials: Sequence[Trial]) -> tuple[dict[str, Value], float, float]:
    """Return the tried setting of the greatest expected score, that score, and its deviation.

    Not the one with the best batch: that is the luckiest.

    Raises:
        GoError: If there are no trials.
    """
    if not trials:
        raise GoError("no trial has been finished yet")
    process = learned(tuning, trials)
    places = np.array([encode(tuning.parameters, trial.values) for trial in trials])
    means, deviations = process.predict(places)
    place = int(np.argmax(means))
    return dict(trials[place].values), float(means[place]), float(deviations[place])


def _mean_at(tuning: Tuning, process: GaussianProcess, values: dict[str, Value]) -> float:
    return float(process.predict(np.array([encode(tuning.parameters, values)]))[0][0])


def _halton(number: int, place: int) -> float:
    """Return a number from 0 to 1 such that successive ones lie evenly, in every dimension."""
    base = _PRIMES[place % len(_PRIMES)]
    result, share = 0.0, 1.0
    number += 1
    while number:
        share /= base
        number, digit = divmod(number, base)
        result += share * digit
    return result


def _distribution(optuna: Any, parameter: Any) -> Any:
    kinds = optuna.distributions
    if parameter.kind == "choice":
        return kinds.CategoricalDistribution(parameter.choices)
    if parameter.kind == "int":
        return kinds.IntDistribution(int(parameter.low), int(parameter.high))
    return kinds.FloatDistribution(parameter.low, parameter.high)


def _take_up_interrupted(optuna: Any, study: Any) -> None:
    """Queue trials again that were running when their process ended."""
    for trial in study.trials:
        if trial.state == optuna.trial.TrialState.RUNNING:
            study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
            if trial.params:
                attributes = {"folder": trial.user_attrs["folder"]} if trial.user_attrs else None
                study.enqueue_trial(trial.params, user_attrs=attributes)


def _finished(study: Any) -> list[Trial]:
    """Return the finished trials in order."""
    return [
        Trial(
            trial.number,
            dict(trial.params),
            Tally(*trial.user_attrs["tally"]),
            trial.user_attrs["faults"],
        )
        for trial in study.trials
        if trial.state.name == "COMPLETE"
    ]
