"""Charts as SVG text, for reports that need nothing but a browser: intervals and curves.

Everything is drawn in one coordinate system of pixels; colors follow the page through
``currentColor``, so that a report can be light or dark. Nothing here knows what is drawn, or
anything else of the arena.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PALETTE = ("#3b76c4", "#c4583b", "#4c9a52", "#8a5cb8", "#b8892b", "#3fa0a8", "#b84b86", "#6b7280")
WIDTH, MARGIN = 720, 46
HEIGHT = 320  # Pixels of a chart of curves.
LETTER = 7  # About the pixels that a letter takes.

Scale = Callable[[float], float]
"""Where a value lies, in pixels."""


@dataclass(frozen=True)
class Bar:
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float


def interval_plot(bars: Sequence[Bar], label: str) -> str:
    """Return one row for each value: a point, its interval, its name; the scale below."""
    if not bars:
        return ""
    left = max(170, 24 + LETTER * max(len(bar.name) for bar in bars))
    row = 26
    height = row * len(bars) + MARGIN
    x, ticks = axis([end for bar in bars for end in (bar.low, bar.high)], left, WIDTH - 20)
    parts = [grid_line(x(tick), 8, height - MARGIN + 8, number_label(tick)) for tick in ticks]
    for number, bar in enumerate(bars):
        y = row * number + row / 2 + 8
        color = PALETTE[number % len(PALETTE)]
        title = f"{bar.name}: {bar.value:.0f} [{bar.low:.0f}, {bar.high:.0f}]"
        parts.append(
            f"<g><title>{escape(title)}</title>"
            f'<text x="{left - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(bar.name)}</text>'
            f'<line x1="{x(bar.low):.1f}" x2="{x(bar.high):.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{color}" stroke-width="3" stroke-linecap="round"/>'
            f'<circle cx="{x(bar.value):.1f}" cy="{y:.1f}" r="5" fill="{color}"/></g>'
        )
    parts.append(
        f'<text x="{WIDTH - 20}" y="{height - 6}" text-anchor="end">{escape(label)}</text>'
    )
    return svg_text(height, parts)


@dataclass(frozen=True)
class Dot:
    """A point of a curve, with its interval if it has one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None

    @property
    def heights(self) -> list[float]:
        """The heights that must fit the chart: its own and the ends of its interval."""
        return [value for value in (self.y, self.low, self.high) if value is not None]


@dataclass(frozen=True)
class Curve:
    """Points joined by a line, in the legend if they have a name.

    Dashed if they are a document's or a prediction; either without its line or without its points.
    """

    name: str
    dots: Sequence[Dot]
    is_dashed: bool = False
    without: Literal["", "line", "points"] = ""
    color: str = ""
    """One of the palette's if empty."""

    @classmethod
    def through(cls, name: str, points: Iterable[tuple[float, float]], **looks: Any) -> Curve:
        """Return the curve through (x, y) without intervals; *looks* are its other fields."""
        return cls(name, [Dot(x, y) for x, y in points], **looks)


def curve_chart(
    curves: Sequence[Curve],
    x_label: str,
    y_label: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
    height: int = HEIGHT,
) -> str:
    """Return the curves over a grid, with error bars and a legend; nothing without points.

    Points that are not finite, or not above 0 on a logarithmic axis, are left out.
    """
    kept = [
        (number, curve, [dot for dot in curve.dots if _fits(dot, log_x=log_x, log_y=log_y)])
        for number, curve in enumerate(curves)
    ]
    dots = [dot for _, _, fitting in kept for dot in fitting]
    if not dots:
        return ""
    heights = [
        value
        for dot in dots
        for value in dot.heights
        if math.isfinite(value) and (value > 0 or not log_y)
    ]
    left, right = MARGIN + 4, WIDTH - (180 if len(curves) > 1 else 20)
    top, bottom = 18, height - MARGIN
    across, x_ticks = axis([dot.x for dot in dots], left, right, log=log_x)
    down, y_ticks = axis(heights, bottom, top, log=log_y)
    parts = [grid_line(across(tick), top, bottom, number_label(tick)) for tick in x_ticks]
    parts += [
        f'<line class="grid" x1="{left}" x2="{right}" y1="{down(tick):.1f}" '
        f'y2="{down(tick):.1f}"/><text x="{left - 6}" y="{down(tick) + 4:.1f}" text-anchor="end">'
        f"{number_label(tick)}</text>"
        for tick in y_ticks
    ]
    for number, curve, fitting in kept:
        color = curve.color or PALETTE[number % len(PALETTE)]
        parts += _drawn(curve, fitting, across, down, color)
        if len(curves) > 1 and curve.name:
            y = top + 8 + 18 * number
            parts.append(
                f'<circle cx="{right + 14}" cy="{y}" r="4" fill="{color}"/>'
                f'<text x="{right + 24}" y="{y + 4}">{escape(curve.name)}</text>'
            )
    parts.append(
        f'<text x="4" y="11">{escape(y_label)}</text><text x="{right}" '
        f'y="{height - 8}" text-anchor="end">{escape(x_label)}</text>'
    )
    return svg_text(height, parts)


def _fits(dot: Dot, *, log_x: bool, log_y: bool) -> bool:
    return (
        math.isfinite(dot.x)
        and math.isfinite(dot.y)
        and (dot.x > 0 or not log_x)
        and (dot.y > 0 or not log_y)
    )


def _drawn(curve: Curve, dots: Sequence[Dot], across: Scale, down: Scale, color: str) -> list[str]:
    """Return the line, the dots and the error bars of a curve."""
    parts = []
    path = " ".join(f"{across(dot.x):.1f},{down(dot.y):.1f}" for dot in dots)
    dashes = ' stroke-dasharray="5 4"' if curve.is_dashed else ""
    if curve.without != "line":
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>'
        )
    for dot in dots if curve.without != "points" else ():
        x, y = across(dot.x), down(dot.y)
        if dot.low is not None and dot.high is not None:
            parts.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{down(dot.low):.1f}" '
                f'y2="{down(dot.high):.1f}" stroke="{color}" stroke-width="1.5"/>'
            )
        fill = "none" if curve.is_dashed else color
        words = f"{curve.name}: {number_label(dot.x)}, {number_label(dot.y)}"
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{color}">'
            f"<title>{escape(words)}</title></circle>"
        )
    return parts


def svg_text(height: int, parts: Sequence[str], width: int = WIDTH) -> str:
    """Return a picture of these parts."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" '
        f'role="img" font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
        "<style>.grid{stroke:currentColor;opacity:.15}</style>" + "".join(parts) + "</svg>"
    )


def grid_line(x: float, top: float, bottom: float, text: str) -> str:
    """Return a faint upright line with a text below."""
    return (
        f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>'
        f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{text}</text>'
    )


def axis(
    values: Sequence[float], begin: float, end: float, *, log: bool = False
) -> tuple[Scale, list[float]]:
    """Return where a value lies between two pixels, and the values to mark.

    A little of the range is left free at both ends, and it is never empty.
    """
    scale: Scale = math.log10 if log else float
    low, high = scale(min(values)), scale(max(values))
    space = 1.0 if high - low < 1e-9 else 0.05 * (high - low)
    low, high = low - space, high + space

    def place(value: float) -> float:
        # An interval may reach beyond what fits: to 0 on a logarithmic axis, or to infinity.
        at = low if log and value <= 0 else scale(value)
        return begin + (min(max(at, low), high) - low) / (high - low) * (end - begin)

    if not log:
        return place, _round_ticks(low, high)
    steps = (1, 2, 5) if high - low < 3 else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    ticks = [factor * 10.0**power for power in powers for factor in steps]
    return place, [tick for tick in ticks if low <= math.log10(tick) <= high]


def _round_ticks(low: float, high: float) -> list[float]:
    """Return about six round numbers between *low* and *high*."""
    raw = (high - low) / 6
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]


def number_label(value: float) -> str:
    """Return a number with as many digits as it needs, six at most."""
    return f"{value + 0.0:.6g}"
