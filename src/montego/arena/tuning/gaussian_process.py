"""A Gaussian process: what noisy measurements at some places say about all places.

The noise of every measurement is given, which is what a batch of games can tell. The kernel is
Matérn's with 5/2, with a length for each coordinate; lengths and height are those that make the
measurements most likely, with a mild preference for lengths of the order of the cube. Where the
function lies as a whole is uncertain too. C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes
for Machine Learning", 2006.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_TRIES = 60  # Random kernels that are tried, before the best is refined as often.
JITTER = 1e-9
LEVEL = 0.3  # Deviation of the function's mean from the measurements', for scores from 0 to 1.
LEAST_HEIGHT = 0.05  # No function is taken to be flatter at first, however equal the measurements.


@dataclass(frozen=True)
class Kernel:
    """Lengths of the coordinates, and the deviation of the function itself."""

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

    def _fit(self, random: np.random.Generator) -> Kernel:
        """Return the most likely kernel found."""
        dimensions = self._places.shape[1]
        scale = max(float(self._residuals.std()), LEAST_HEIGHT)
        best, best_likelihood = Kernel(np.full(dimensions, 0.5), scale), -math.inf
        for turn in range(2 * _TRIES):
            if turn < _TRIES:
                lengths = np.exp(random.normal(math.log(0.6), 0.9, dimensions))
                height = scale * math.exp(random.normal(0.0, 0.7))
            else:
                lengths = best.lengths * np.exp(random.normal(0.0, 0.25, dimensions))
                height = best.height * math.exp(random.normal(0.0, 0.25))
            kernel = Kernel(np.clip(lengths, 0.05, 10.0), height)
            likelihood = self._log_likelihood(kernel)
            if likelihood > best_likelihood:
                best, best_likelihood = kernel, likelihood
        return best

    def _log_likelihood(self, kernel: Kernel) -> float:
        try:
            factor, weights = self._solve(kernel)
        except np.linalg.LinAlgError:
            return -math.inf
        fit = -float(self._residuals @ weights) / 2 - float(np.log(np.diag(factor)).sum())
        return fit - float(((np.log(kernel.lengths) - math.log(0.6)) ** 2).sum()) / (2 * 0.9**2)

    def _solve(self, kernel: Kernel) -> tuple[Array, Array]:
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
