"""Rows of a table: our figure with its 95 % interval, and the document's beside it."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.arena.statistics import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

Z = statistics.NormalDist().inv_cdf(0.975)
PERCENT = "%"
NOTHING = "no games yet"


@dataclass(frozen=True)
class Row:
    """A figure of ours with its interval."""

    cell: str
    ours: float
    low: float
    high: float
    count: int
    """Games, problems or timings that it rests on."""
    document: float | None = None
    unit: str = ""
    """Shown behind the figures. With ``"%"`` they are shares from 0 to 1, shown as per cent."""

    @property
    def shown(self) -> str:
        """Our figure and its interval as text."""
        if not self.count:
            return NOTHING
        low, high = number_text(self.low, self.unit), number_text(self.high, self.unit)
        return f"{number_text(self.ours, self.unit)}{_unit(self.unit)} [{low}, {high}]"

    @property
    def shown_document(self) -> str:
        """The document's figure as text; empty if there is none."""
        if self.document is None:
            return ""
        return f"{number_text(self.document, self.unit)}{_unit(self.unit)}"


def share_row(cell: str, successes: float, count: int, document: float | None = None) -> Row:
    """Return the row of a share, with Wilson's interval; *successes* may hold halves."""
    low, high = wilson_interval(successes, count)
    ours = successes / count if count else 0.5
    return Row(cell, ours, low, high, count, document, PERCENT)


def mean_row(
    cell: str, values: Sequence[float], document: float | None = None, unit: str = ""
) -> Row:
    """Return the row of a mean, with Student's interval; infinite with fewer than two values."""
    if len(values) < 2:
        mean = values[0] if values else math.nan
        return Row(cell, mean, -math.inf, math.inf, len(values), document, unit)
    mean = statistics.fmean(values)
    width = student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return Row(cell, mean, mean - width, mean + width, len(values), document, unit)


def student(freedom: int) -> float:
    """Return how many standard errors 95 % of Student's distribution lie within.

    The Cornish-Fisher expansion about the normal distribution; below three degrees of freedom it
    falls short, and the exact values stand in.
    """
    exact = {1: 12.706, 2: 4.303}
    if freedom in exact:
        return exact[freedom]
    first = (Z**3 + Z) / (4 * freedom)
    second = (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
    third = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / (384 * freedom**3)
    return Z + first + second + third


def fitted_power(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return (factor, exponent) of the power law through the points, least squares of logarithms.

    Raises:
        ValueError: If there are fewer than two different places, or a coordinate is not above 0.
    """
    slope, intercept = statistics.linear_regression(
        [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    )
    return math.exp(intercept), slope


def number_text(value: float, unit: str = "") -> str:
    """Return a figure with three or four digits; a share with the unit ``"%"`` as per cent."""
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: "−∞"}.get(value, "?")  # noqa: RUF001  # A true minus.
    if unit == PERCENT:
        value *= 100
        return f"{value:.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
    if value and abs(value) < 0.001:
        return f"{value:.2e}"
    # From 999.5 on three digits would round to the power of ten, and be shown as such.
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def _unit(unit: str) -> str:
    return f" {unit}" if unit else ""
