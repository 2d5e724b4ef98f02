"""Small plots as SVG text, for reports that need nothing but a browser.

Everything is drawn in one coordinate system of pixels; colors follow the page through
``currentColor``, so that a report can be light or dark.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PALETTE = ("#3b76c4", "#c4583b", "#4c9a52", "#8a5cb8", "#b8892b", "#3fa0a8", "#b84b86", "#6b7280")
WIDTH, MARGIN = 720, 46


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
    low, high = widened(min(bar.low for bar in bars), max(bar.high for bar in bars))

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * (WIDTH - left - 20)

    parts = [
        grid_line(x(tick), 8, height - MARGIN + 8, number_label(tick))
        for tick in round_ticks(low, high)
    ]
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
    points = [point for line in lines for point in line.points if all(map(math.isfinite, point))]
    if not points:
        return ""
    legend = 170 if len(lines) > 1 else 20
    x_low, x_high = widened(min(p[0] for p in points), max(p[0] for p in points), 0)
    y_low, y_high = widened(min(p[1] for p in points), max(p[1] for p in points))

    def place(point: tuple[float, float]) -> tuple[float, float]:
        across = MARGIN + (point[0] - x_low) / (x_high - x_low) * (WIDTH - MARGIN - legend)
        down = 16 + (y_high - point[1]) / (y_high - y_low) * (height - 16 - MARGIN)
        return across, down

    parts = [
        grid_line(place((tick, y_low))[0], 16, height - MARGIN, number_label(tick))
        for tick in round_ticks(x_low, x_high)
    ]
    for tick in round_ticks(y_low, y_high):
        y = place((x_low, tick))[1]
        parts.append(
            f'<line class="grid" x1="{MARGIN}" x2="{WIDTH - legend}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{MARGIN - 6}" y="{y + 4:.1f}" text-anchor="end">{number_label(tick)}</text>'
        )
    for number, line in enumerate(lines):
        color = line.color or PALETTE[number % len(PALETTE)]
        placed = [place(point) for point in line.points if all(map(math.isfinite, point))]
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
            y = 24 + 18 * number
            parts.append(
                f'<circle cx="{WIDTH - legend + 14}" cy="{y}" r="4" fill="{color}"/>'
                f'<text x="{WIDTH - legend + 24}" y="{y + 4}">{escape(line.name)}</text>'
            )
    parts.append(f'<text x="{MARGIN}" y="11">{escape(y_label)}</text>')
    parts.append(
        f'<text x="{WIDTH - legend}" y="{height - 8}" text-anchor="end">{escape(x_label)}</text>'
    )
    return svg_text(height, parts)


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


def widened(low: float, high: float, share: float = 0.05) -> tuple[float, float]:
    """Return a range with some room at both ends; never an empty one."""
    if high - low < 1e-9:
        return low - 1, high + 1
    return low - share * (high - low), high + share * (high - low)


def round_ticks(low: float, high: float) -> list[float]:
    """Return about six round numbers between *low* and *high*."""
    raw = (high - low) / 6
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    first = math.ceil(low / step)
    return [step * number for number in range(first, math.floor(high / step) + 1)]


def number_label(value: float) -> str:
    """Return a number with as many digits as it needs, six at most."""
    return f"{value + 0.0:.6g}"
