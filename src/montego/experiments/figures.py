"""Rows of a table: our figure with its 95 % interval, and the document's beside it.

Also what charts are made of: rows as points of curves and as bars.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.arena.drawing import PALETTE, Bar, Curve, Dot
from montego.arena.statistics import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

Z = statistics.NormalDist().inv_cdf(0.975)
PERCENT = "%"
EVEN = 0.5
NOTHING = "no games yet"


@dataclass(frozen=True)
class FigureRow:
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
        return f"{figure_text(self.ours, self.unit)} [{low}, {high}]"

    @property
    def shown_document(self) -> str:
        """The document's figure as text; empty if there is none."""
        return "" if self.document is None else figure_text(self.document, self.unit)

    @property
    def told(self) -> str:
        """What the figure is of, and the figure."""
        return f"{self.cell} ({self.shown})"

    @property
    def bar(self) -> Bar:
        """The figure for an interval plot, a share in per cent."""
        return Bar(self.cell, *self._heights)

    def dot(self, x: float) -> Dot:
        """Return the figure as a point of a curve, a share in per cent."""
        return Dot(x, *self._heights)

    @property
    def _heights(self) -> tuple[float, float, float]:
        scale = 100 if self.unit == PERCENT else 1
        return scale * self.ours, scale * self.low, scale * self.high


def share_row(cell: str, successes: float, count: int, document: float | None = None) -> FigureRow:
    """Return the row of a share, with Wilson's interval; *successes* may hold halves."""
    low, high = wilson_interval(successes, count)
    ours = successes / count if count else 0.5
    return FigureRow(cell, ours, low, high, count, document, PERCENT)


def exact_row(cell: str, share: float, count: int) -> FigureRow:
    """Return the row of a share that is known, not estimated."""
    return FigureRow(cell, share, share, share, count, None, PERCENT)


def mean_row(
    cell: str, values: Sequence[float], document: float | None = None, unit: str = ""
) -> FigureRow:
    """Return the row of a mean, with Student's interval; infinite with fewer than two values."""
    if len(values) < 2:
        mean = values[0] if values else math.nan
        return FigureRow(cell, mean, -math.inf, math.inf, len(values), document, unit)
    mean = statistics.fmean(values)
    width = student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
    return FigureRow(cell, mean, mean - width, mean + width, len(values), document, unit)


def ratio_row(
    cell: str, slow: Sequence[float], fast: Sequence[float], document: float | None = None
) -> FigureRow | None:
    """Return how many times as long the slow ones take, by geometric means; None without both."""
    if len(slow) < 2 or len(fast) < 2:
        return None
    logs = [[math.log(value) for value in values] for values in (slow, fast)]
    gap = statistics.fmean(logs[0]) - statistics.fmean(logs[1])
    error = math.sqrt(sum(statistics.variance(values) / len(values) for values in logs))
    width = student(min(map(len, logs)) - 1) * error
    low, ratio, high = (math.exp(gap + step) for step in (-width, 0.0, width))
    return FigureRow(cell, ratio, low, high, min(map(len, logs)), document, "times")


def exponent_row(
    cell: str, points: Sequence[tuple[float, float]], document: float
) -> FigureRow | None:
    """Return the exponent of the power law through (x, y), with its interval; None for a few.

    The slope of a straight line through the logarithms, by least squares, with Student's interval.
    """
    logs = [(math.log(x), math.log(y)) for x, y in points]
    freedom = len(logs) - 2
    if freedom < 1 or len({x for x, _ in logs}) < 2:
        return None
    slope, intercept = statistics.linear_regression(*zip(*logs, strict=True))
    middle = statistics.fmean(x for x, _ in logs)
    spread = sum((x - middle) ** 2 for x, _ in logs)
    rest = sum((y - intercept - slope * x) ** 2 for x, y in logs)
    width = student(freedom) * math.sqrt(rest / freedom / spread)
    return FigureRow(cell, slope, slope - width, slope + width, len(logs), document)


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


def curve_of(
    name: str,
    rows: Mapping[str, FigureRow],
    places: Mapping[str, float],
    *,
    is_dashed: bool = False,
) -> Curve:
    """Return a curve through rows, by cell: *places* says where on the axis each cell is."""
    found = sorted((place, cell) for cell, place in places.items() if cell in rows)
    return Curve(name, [rows[cell].dot(x) for x, cell in found], is_dashed)


def told_curve(
    name: str, rows: Mapping[str, FigureRow], places: Mapping[str, float], number: int
) -> Curve:
    """Return the document's shares, where rows have some, as a dashed curve.

    Its color is that of the chart's curve of that number, which is ours.
    """
    found = sorted((x, cell) for cell, x in places.items() if cell in rows)
    shares = [(x, rows[cell].document) for x, cell in found]
    dots = [Dot(x, 100 * share) for x, share in shares if share is not None]
    return Curve(name, dots, is_dashed=True, color=PALETTE[number % len(PALETTE)])


def level_line(name: str, share: float, places: Collection[float]) -> Curve:
    """Return a dashed horizontal line, at a share that does not vary."""
    ends = sorted(places)
    dots = [Dot(x, 100 * share) for x in (ends[:1] + ends[-1:])]
    return Curve(name, dots, is_dashed=True)


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


def figure_text(value: float, unit: str = "") -> str:
    """Return a figure as :func:`number_text` does, with its unit."""
    return f"{number_text(value, unit)} {unit}".rstrip()
