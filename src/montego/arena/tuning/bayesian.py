"""Tuning a few parameters: a Gaussian process over all trials chooses the next setting.

The score of a batch of games is a noisy measurement, and how noisy it is follows from the number of
games. The process takes that into account, so it neither trusts a lucky batch nor repeats itself.
The trials are lines of JSON. The same trials always give the same next setting, so that one that
was interrupted is taken up again with the games it has.

The kernel is Matérn's with 5/2, with a length for each coordinate; lengths and height are those
that make the measurements most likely, with a mild preference for lengths of the order of the cube.
Where the function lies as a whole is uncertain too. C. E. Rasmussen, C. K. I. Williams, "Gaussian
Processes for Machine Learning", 2006.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.arena.drawing import Curve, curve_chart
from montego.arena.page import html_cells, html_page, html_table
from montego.arena.statistics import Tally
from montego.arena.tuning.tuning import (
    TITLE,
    TRIALS,
    TunedParameter,
    Tuning,
    Value,
    candidate,
    play_batch,
    run_trials,
    setting_table,
)
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

STARTUP = 6  # Trials spread evenly before the process is asked, at least; more for many parameters.
CANDIDATES = 2000  # Settings among which the most promising is looked for.
_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)

_TRIES = 60  # Random kernels that are tried, before the best is refined as often.
JITTER = 1e-9
LEVEL = 0.3  # Deviation of the function's mean from the measurements', for scores from 0 to 1.
LEAST_HEIGHT = 0.05  # No function is taken to be flatter at first, however equal the measurements.


@dataclass(frozen=True)
class TuningTrial:
    """A setting and what its games gave."""

    number: int
    values: dict[str, Value]
    tally: Tally
    faults: int = 0
    """Games lost by crashes, illegal moves and the like."""


def tune_bayesian(
    tuning: Tuning, folder: Path, report: Callable[[Sequence[TuningTrial]], bool] | None = None
) -> list[TuningTrial]:
    """Run trials until there are as many as wanted, and return all of them.

    *report* is called before the first new trial and after each; False ends it early.

    Raises:
        GoError: If the folder is another tuning's.
        EngineError: If an engine cannot be started.
    """

    def read(fields: dict[str, Any]) -> TuningTrial:
        return TuningTrial(**{**fields, "tally": Tally(*fields["tally"])})

    def play(trials: Sequence[TuningTrial]) -> TuningTrial:
        number = len(trials)
        values = propose(tuning, trials, number)
        digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
        place = folder / "trials" / f"{number:05d}-{digest[:8]}"
        first = candidate(tuning, values, "candidate", place)
        second = EngineSpec("opponent", tuning.opponent)
        return TuningTrial(number, values, *play_batch(tuning, first, second, place, number))

    return run_trials(tuning, folder / TRIALS, read, play, report)


def propose(tuning: Tuning, trials: Sequence[TuningTrial], number: int) -> dict[str, Value]:
    """Return the setting to try as trial *number*; the same trials give the same setting.

    The first is where tuning starts, then come evenly spread ones, then those of which the process
    expects the greatest improvement.
    """
    count = len(tuning.parameters)
    if number == 0:
        return tuning.start
    if len(trials) < max(STARTUP, count + 2):
        return tuning.setting(_halton(number, place) for place in range(count))
    process = learned(tuning, trials)
    means = process.predict(_places(tuning, [trial.values for trial in trials]))[0]
    best = int(np.argmax(means))
    random = np.random.default_rng((tuning.seed, number))
    units = random.random((CANDIDATES, count))
    near = CANDIDATES // 2
    center = tuning.units(trials[best].values)
    units[:near] = np.clip(center + random.normal(0, 0.1, (near, count)), 0, 1)
    settings = [tuning.setting(map(float, row)) for row in units]
    found = expected_improvement(*process.predict(_places(tuning, settings)), float(means[best]))
    return settings[int(np.argmax(found))]


def best_setting(
    tuning: Tuning, trials: Sequence[TuningTrial]
) -> tuple[dict[str, Value], float, float]:
    """Return the tried setting of the greatest expected score, that score, and its deviation.

    Not the one with the best batch: that is the luckiest.

    Raises:
        GoError: If there are no trials.
    """
    if not trials:
        raise GoError("no trial has been finished yet")
    settings = [trial.values for trial in trials]
    means, deviations = learned(tuning, trials).predict(_places(tuning, settings))
    place = int(np.argmax(means))
    return dict(settings[place]), float(means[place]), float(deviations[place])


def learned(tuning: Tuning, trials: Sequence[TuningTrial]) -> GaussianProcess:
    """Return what the trials say about the score of any setting."""
    games = np.array([trial.tally.games for trial in trials])
    scores = np.array([trial.tally.score for trial in trials])
    # One game more on each side keeps a perfect batch from being taken for a certainty.
    smooth = (scores * games + 1) / (games + 2)
    places = _places(tuning, [trial.values for trial in trials])
    return GaussianProcess(places, scores, smooth * (1 - smooth) / games, seed=tuning.seed)


def _places(tuning: Tuning, settings: Sequence[Mapping[str, Value]]) -> Array:
    """Return settings as rows of coordinates in which near values are near.

    Choices have no order: each is a coordinate of its own, and all are equally far apart.
    """
    return np.array(
        [
            [number for item in tuning.parameters for number in _encode(item, setting[item.name])]
            for setting in settings
        ]
    )


def _encode(parameter: TunedParameter, value: Value) -> list[float]:
    if parameter.kind == "choice":
        return [float(value == choice) for choice in parameter.choices]
    return [parameter.to_unit(value)]


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


@dataclass(frozen=True)
class Matern:
    """Matérn's kernel: lengths of the coordinates, and the deviation of the function itself."""

    lengths: Array
    height: float

    def __call__(self, first: Array, second: Array) -> Array:
        """Return the covariances of places, one a row, with other places."""
        difference = (first[:, None, :] - second[None, :, :]) / self.lengths
        distance = np.sqrt(5.0 * (difference**2).sum(axis=-1))
        shape = (1 + distance + distance**2 / 3) * np.exp(-distance)
        covariance: Array = LEVEL**2 + self.height**2 * shape
        return covariance

    @property
    def variance(self) -> float:
        """The variance of the function at any place, before anything is measured."""
        return LEVEL**2 + self.height**2


class GaussianProcess:
    """A process fitted to measurements *values* with *variances* at *places*, one a row."""

    def __init__(self, places: Array, values: Array, variances: Array, seed: int = 0) -> None:
        self._places = np.asarray(places, dtype=np.float64)
        self._variances = np.asarray(variances, dtype=np.float64)
        weights = 1 / self._variances
        self.mean = float((weights * values).sum() / weights.sum())
        self._residuals = np.asarray(values, dtype=np.float64) - self.mean
        self.kernel = self._fit(np.random.default_rng(seed))
        self._factor, self._weights = self._solve(self.kernel)

    def predict(self, places: Array) -> tuple[Array, Array]:
        """Return the expected values at places and their deviations, noise not included."""
        across = self.kernel(np.asarray(places, dtype=np.float64), self._places)
        half = np.linalg.solve(self._factor, across.T)
        variance = self.kernel.variance - (half**2).sum(axis=0)
        return self.mean + across @ self._weights, np.sqrt(np.maximum(variance, 0.0))

    def _fit(self, random: np.random.Generator) -> Matern:
        """Return the most likely kernel found."""
        dimensions = self._places.shape[1]
        scale = max(float(self._residuals.std()), LEAST_HEIGHT)
        best, best_likelihood = Matern(np.full(dimensions, 0.5), scale), -math.inf
        for turn in range(2 * _TRIES):
            if turn < _TRIES:
                lengths = np.exp(random.normal(math.log(0.6), 0.9, dimensions))
                height = scale * math.exp(random.normal(0.0, 0.7))
            else:
                lengths = best.lengths * np.exp(random.normal(0.0, 0.25, dimensions))
                height = best.height * math.exp(random.normal(0.0, 0.25))
            kernel = Matern(np.clip(lengths, 0.05, 10.0), height)
            likelihood = self._log_likelihood(kernel)
            if likelihood > best_likelihood:
                best, best_likelihood = kernel, likelihood
        return best

    def _log_likelihood(self, kernel: Matern) -> float:
        try:
            factor, weights = self._solve(kernel)
        except np.linalg.LinAlgError:
            return -math.inf
        fit = -float(self._residuals @ weights) / 2 - float(np.log(np.diag(factor)).sum())
        return fit - float(((np.log(kernel.lengths) - math.log(0.6)) ** 2).sum()) / (2 * 0.9**2)

    def _solve(self, kernel: Matern) -> tuple[Array, Array]:
        """Return the Cholesky factor of the measurements' covariance, and their weights."""
        covariance = kernel(self._places, self._places)
        covariance[np.diag_indices_from(covariance)] += self._variances + JITTER
        factor = np.linalg.cholesky(covariance).astype(np.float64)
        weights = np.linalg.solve(factor.T, np.linalg.solve(factor, self._residuals))
        return factor, weights.astype(np.float64)


def expected_improvement(means: Array, deviations: Array, best: float) -> Array:
    """Return by how much each place is expected to exceed *best*, counting only what exceeds."""
    safe = np.maximum(deviations, 1e-12)
    z = (means - best) / safe
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    erf = np.vectorize(math.erf, otypes=[np.float64])
    improvement: Array = (means - best) * (0.5 + 0.5 * erf(z / math.sqrt(2))) + safe * density
    return improvement


def bayesian_report(tuning: Tuning, trials: Sequence[TuningTrial]) -> str:
    """Return what was learned as one HTML file with plots."""
    if not trials:
        return html_page(TITLE, ["<p>No trial has been finished yet.</p>"])
    best, mean, deviation = best_setting(tuning, trials)
    process = learned(tuning, trials)
    numbers = [float(place) for place in range(1, len(trials) + 1)]
    scores = [trial.tally.score for trial in trials]
    running = itertools.accumulate(scores)
    means = [total / number for total, number in zip(running, numbers, strict=True)]
    games = sum(trial.tally.games for trial in trials)
    expected = f"{100 * mean:.1f} % ± {196 * deviation:.1f}"
    parts = [
        f"<p>{len(trials)} trials, {games} games; expected score of the best: {expected}.</p>",
        setting_table({"best": best, "start": tuning.start}),
        "<h2>Trials</h2>",
        curve_chart(
            [
                Curve.through("score", zip(numbers, scores, strict=True), without="line"),
                Curve.through("mean so far", zip(numbers, means, strict=True), without="points"),
            ],
            "trial",
            "score",
        ),
    ]
    for parameter in tuning.parameters:
        units = np.linspace(0, 1, 81)
        values = parameter.choices or [parameter.from_unit(unit) for unit in units]
        settings = [{**best, parameter.name: value} for value in values]
        prediction = process.predict(_places(tuning, settings))
        parts.append(f"<h2>{escape(parameter.name)}</h2>")
        if parameter.kind == "choice":
            parts.append(_choice_table(values, *prediction))
        else:
            tried = [(float(trial.values[parameter.name]), trial.tally.score) for trial in trials]
            parts.append(_slice(parameter.name, list(map(float, values)), *prediction, tried))
    return html_page(TITLE, parts)


def _slice(
    name: str,
    across: Sequence[float],
    means: Array,
    deviations: Array,
    tried: Sequence[tuple[float, float]],
) -> str:
    """Plot the expected score along one parameter, all others as in the best setting."""
    middle, low, high = (
        zip(across, map(float, means + factor * deviations), strict=True)
        for factor in (0, -1.96, 1.96)
    )
    lines = [
        Curve.through("expected", middle, without="points"),
        Curve.through("tried", tried, without="line"),
        Curve.through("95 %", low, without="points", color="#8b93a0"),
        Curve.through("", high, without="points", color="#8b93a0"),
    ]
    return curve_chart(lines, name, "score", height=240)


def _choice_table(choices: Sequence[Value], means: Array, deviations: Array) -> str:
    rows = [
        html_cells(str(choice), f"{100 * mean:.1f} %", f"± {196 * deviation:.1f}")
        for choice, mean, deviation in zip(choices, means, deviations, strict=True)
    ]
    return html_table(["choice", "expected score", ""], rows)
