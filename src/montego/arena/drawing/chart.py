"""Curves with error bars, logarithmic axes, and heat maps, as SVG text.

The pixels, colors and axes are those of :mod:`montego.arena.drawing.plot`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import (
    MARGIN,
    PALETTE,
    WIDTH,
    Frame,
    axis,
    number_label,
    svg_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.arena.drawing.plot import Scale

HEIGHT = 320
SQUARE = 34  # Pixels of a square of a heat map.
LINE = 18
LETTER = 7  # About the pixels that a letter takes.
DARK = 0.8  # From this share on the page's own color is hard to read on a square.


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
