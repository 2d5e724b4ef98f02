"""Small plots as SVG text, for reports that need nothing but a browser.

Everything is drawn in one coordinate system of pixels; colors follow the page through
``currentColor``, so that a report can be light or dark. Curves with error bars and heat maps are in
:mod:`montego.arena.drawing.chart`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

PALETTE = ("#3b76c4", "#c4583b", "#4c9a52", "#8a5cb8", "#b8892b", "#3fa0a8", "#b84b86", "#6b7280")
WIDTH, MARGIN = 720, 46

Scale = Callable[[float], float]
"""Where a value lies, in pixels."""


@dataclass(frozen=True)
class Bar:
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """A curve, in the legend if it has a name."""

    name: str
    points: Sequence[tuple[float, float]]
    is_dotted: bool = False
    color: str = ""
    """One of the palette's if empty."""


def interval_plot(bars: Sequence[Bar], label: str) -> str:
    """Return one row for each value: a point, its interval, its name; the scale below."""
    if not bars:
        return ""
    left = max(170, 24 + 7 * max(len(bar.name) for bar in bars))  # About the width of the names.
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


def line_plot(lines: Sequence[Line], x_label: str, y_label: str, height: int = 300) -> str:
    """Return curves over a grid with a legend; nothing without points."""
    kept = [[point for point in line.points if all(map(math.isfinite, point))] for line in lines]
    points = [point for fitting in kept for point in fitting]
    if not points:
        return ""
    frame = Frame(MARGIN, WIDTH - (170 if len(lines) > 1 else 20), 16, height)
    across, x_ticks = axis([x for x, _ in points], frame.left, frame.right, room=0)
    down, y_ticks = axis([y for _, y in points], frame.bottom, frame.top)
    parts = frame.grid(across, x_ticks, down, y_ticks)
    for number, (line, fitting) in enumerate(zip(lines, kept, strict=True)):
        color = line.color or PALETTE[number % len(PALETTE)]
        placed = [(across(x), down(y)) for x, y in fitting]
        if line.is_dotted:
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}" opacity="0.7"/>'
                for x, y in placed
            ]
        else:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
            parts.append(
                f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
            )
        if len(lines) > 1 and line.name:
            parts.append(frame.legend(number, line.name, color))
    return svg_text(height, [*parts, frame.labels(x_label, y_label, frame.left)])


class Frame(NamedTuple):
    """The field of a chart inside its axes, in pixels."""

    left: int
    right: int
    top: int
    height: int
    """Height of the whole picture, of which the lowest ``MARGIN`` is for the scale."""

    @property
    def bottom(self) -> int:
        """Where the field ends, in pixels from the top of the picture."""
        return self.height - MARGIN

    def grid(
        self, across: Scale, x_ticks: Sequence[float], down: Scale, y_ticks: Sequence[float]
    ) -> list[str]:
        """Return faint lines with their numbers, both ways."""
        parts = [
            grid_line(across(tick), self.top, self.bottom, number_label(tick)) for tick in x_ticks
        ]
        for tick in y_ticks:
            y = down(tick)
            parts.append(
                f'<line class="grid" x1="{self.left}" x2="{self.right}" y1="{y:.1f}" '
                f'y2="{y:.1f}"/><text x="{self.left - 6}" y="{y + 4:.1f}" text-anchor="end">'
                f"{number_label(tick)}</text>"
            )
        return parts

    def legend(self, number: int, name: str, color: str) -> str:
        """Return the line of the legend, beside the field, for curve *number*."""
        y = self.top + 8 + 18 * number
        return (
            f'<circle cx="{self.right + 14}" cy="{y}" r="4" fill="{color}"/>'
            f'<text x="{self.right + 24}" y="{y + 4}">{escape(name)}</text>'
        )

    def labels(self, x_label: str, y_label: str, left: int) -> str:
        """Return what the axes are: above the field from *left* on, and below it."""
        return (
            f'<text x="{left}" y="11">{escape(y_label)}</text><text x="{self.right}" '
            f'y="{self.height - 8}" text-anchor="end">{escape(x_label)}</text>'
        )


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
    values: Sequence[float], begin: float, end: float, *, log: bool = False, room: float = 0.05
) -> tuple[Scale, list[float]]:
    """Return where a value lies between two pixels, and the values to mark.

    *room* is the share of the range that is left free at both ends. A range is never empty.
    """
    scale: Scale = math.log10 if log else float
    low, high = scale(min(values)), scale(max(values))
    space = 1.0 if high - low < 1e-9 else room * (high - low)
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
