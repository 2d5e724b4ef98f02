"""Charts as SVG text, for reports that need nothing but a browser: intervals, curves, heat maps.

Everything is drawn in one coordinate system of pixels; colors follow the page through
``currentColor``, so that a report can be light or dark. Nothing here knows what is drawn, or
anything else of the arena.
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
HEIGHT = 320  # Pixels of a chart of curves.
SQUARE = 34  # Pixels of a square of a heat map.
LINE = 18  # Pixels of a line of text.
LETTER = 7  # About the pixels that a letter takes.
DARK = 0.8  # From this share on the page's own color is hard to read on a square.

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
    """Points joined by a line; dashed if they are a document's or a prediction."""

    name: str
    dots: Sequence[Dot]
    is_dashed: bool = False


@dataclass(frozen=True)
class Labels:
    """What the rows or the columns of a heat map are: all of them, and each."""

    name: str
    each: Sequence[str]

    @property
    def width(self) -> int:
        """About the pixels that the longest label takes."""
        return LETTER * max(map(len, self.each), default=0)


def curve_chart(
    curves: Sequence[Curve],
    x_label: str,
    y_label: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
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
    frame = Frame(MARGIN + 4, WIDTH - (180 if len(curves) > 1 else 20), 18, HEIGHT)
    across, x_ticks = axis([dot.x for dot in dots], frame.left, frame.right, log=log_x)
    down, y_ticks = axis(heights, frame.bottom, frame.top, log=log_y)
    parts = frame.grid(across, x_ticks, down, y_ticks)
    for number, curve, fitting in kept:
        color = PALETTE[number % len(PALETTE)]
        parts += _drawn(curve, fitting, across, down, color)
        if len(curves) > 1:
            parts.append(frame.legend(number, curve.name, color))
    return svg_text(HEIGHT, [*parts, frame.labels(x_label, y_label, 4)])


def heat_map(
    values: Sequence[Sequence[float]],
    title: str = "",
    marked: Sequence[tuple[int, int]] = (),
    *,
    rows: Labels | None = None,
    columns: Labels | None = None,
    show_zeros: bool = False,
) -> str:
    """Return a field of squares, darker for larger values, each with its number.

    Rows come from the top, their labels to the left, those of columns above. *marked* squares, row
    and column, get a frame. Larger fields have smaller squares, and above 13 columns no numbers.
    A zero has none unless *show_zeros*: on a board it is a point where nothing happened, in a
    table a figure like the others.
    """
    if not values or not values[0]:
        return ""
    count = len(values[0])
    left = max(rows.width, LETTER * len(rows.name)) + 12 if rows else 1
    widest = max(SQUARE, columns.width + 8) if columns else SQUARE
    side = min(widest, (WIDTH - left - 1) // count)
    top = 2 + LINE * (bool(title) + bool(columns) + bool(rows or columns))
    parts = ["<style>.cell{stroke:currentColor;stroke-opacity:.25}</style>"]
    if title:
        parts.append(f'<text x="2" y="13">{escape(title)}</text>')
    parts += _labels(rows, columns, (left, top, side))
    most = max((value for row in values for value in row), default=0.0) or 1.0
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            place = left + across * side, top + down * side, side
            number = number_label(value) if count <= 13 and (value or show_zeros) else ""
            square = _square(place, number, max(value, 0.0) / most, (down, across) in marked)
            parts.append(f"<g><title>{number_label(value)}</title>{square}</g>")
    texts = [LETTER * len(title), left + LETTER * len(columns.name) if columns else 0]
    width = max(left + side * count + 1, *(4 + text for text in texts))
    return svg_text(top + side * len(values) + 2, parts, width=width)


def _labels(rows: Labels | None, columns: Labels | None, field: tuple[int, int, int]) -> list[str]:
    """Return the words around a heat map, which begins at a place and has squares of a side."""
    left, top, side = field
    parts = []
    if columns:
        parts.append(f'<text x="{left}" y="{top - LINE - 6}">{escape(columns.name)}</text>')
        parts += [
            f'<text x="{left + (number + 0.5) * side:.1f}" y="{top - 6}" '
            f'text-anchor="middle">{escape(label)}</text>'
            for number, label in enumerate(columns.each)
        ]
    if rows:
        # Their name is in the line of the columns' labels.
        heights = [top - 6, *(top + (number + 0.5) * side + 4 for number in range(len(rows.each)))]
        parts += [
            f'<text x="{left - 8}" y="{y:.1f}" text-anchor="end">{escape(text)}</text>'
            for y, text in zip(heights, [rows.name, *rows.each], strict=True)
        ]
    return parts


def _square(place: tuple[int, int, int], number: str, share: float, is_marked: bool) -> str:
    """Return a square of a heat map, so dark; *place* is its corner and its side in pixels."""
    x, y, side = place
    line = f'stroke="{PALETTE[1]}" stroke-width="2.5"' if is_marked else 'class="cell"'
    drawn = (
        f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{PALETTE[0]}" '
        f'fill-opacity="{share:.3f}" {line}/>'
    )
    if not number:
        return drawn
    size = 10 if side <= SQUARE else 12
    color = ' fill="#fff"' if share >= DARK else ""
    return (
        f'{drawn}<text x="{x + side / 2:.1f}" y="{y + side / 2 + 4:.1f}" font-size="{size}" '
        f'text-anchor="middle"{color}>{number}</text>'
    )


def _fits(dot: Dot, *, log_x: bool, log_y: bool) -> bool:
    return (
        math.isfinite(dot.x)
        and math.isfinite(dot.y)
        and (dot.x > 0 or not log_x)
        and (dot.y > 0 or not log_y)
    )


def _drawn(curve: Curve, dots: Sequence[Dot], across: Scale, down: Scale, color: str) -> list[str]:
    """Return the line, the dots and the error bars of a curve."""
    path = " ".join(f"{across(dot.x):.1f},{down(dot.y):.1f}" for dot in dots)
    dashes = ' stroke-dasharray="5 4"' if curve.is_dashed else ""
    parts = [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>']
    for dot in dots:
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
