"""Heat maps as SVG text: of boards, and of tables."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from montego.arena.drawing import LETTER, PALETTE, WIDTH, number_label, svg_text

if TYPE_CHECKING:
    from collections.abc import Sequence

SQUARE = 34  # Pixels of a square.
LINE = 18  # Pixels of a line of text.
DARK = 0.8  # From this share on the page's own color is hard to read on a square.


@dataclass(frozen=True)
class Labels:
    """What the rows or the columns of a heat map are: all of them, and each."""

    name: str
    each: Sequence[str]

    @property
    def width(self) -> int:
        """About the pixels that the longest label takes."""
        return LETTER * max(map(len, self.each), default=0)


def heat_map(
    values: Sequence[Sequence[float]],
    *,
    rows: Labels | None = None,
    columns: Labels | None = None,
    show_zeros: bool = False,
) -> str:
    """Return a field of squares, darker for larger values, each with its number.

    Rows come from the top, their labels to the left, those of columns above. Larger fields have
    smaller squares, and above 13 columns no numbers. A zero has none unless *show_zeros*: on a
    board it is a point where nothing happened, in a table a figure like the others.
    """
    if not values or not values[0]:
        return ""
    count = len(values[0])
    left = max(rows.width, LETTER * len(rows.name)) + 12 if rows else 1
    widest = max(SQUARE, columns.width + 8) if columns else SQUARE
    side = min(widest, (WIDTH - left - 1) // count)
    top = 2 + LINE * (bool(columns) + bool(rows or columns))
    parts = ["<style>.cell{stroke:currentColor;stroke-opacity:.25}</style>"]
    parts += _labels(rows, columns, (left, top, side))
    most = max((value for row in values for value in row), default=0.0) or 1.0
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            place = left + across * side, top + down * side, side
            number = number_label(value) if count <= 13 and (value or show_zeros) else ""
            square = _square(place, number, max(value, 0.0) / most)
            parts.append(f"<g><title>{number_label(value)}</title>{square}</g>")
    words = 4 + left + LETTER * len(columns.name) if columns else 0
    width = max(left + side * count + 1, words)
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


def _square(place: tuple[int, int, int], number: str, share: float) -> str:
    """Return a square of a heat map, so dark; *place* is its corner and its side in pixels."""
    x, y, side = place
    drawn = (
        f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{PALETTE[0]}" '
        f'fill-opacity="{share:.3f}" class="cell"/>'
    )
    if not number:
        return drawn
    size = 10 if side <= SQUARE else 12
    color = ' fill="#fff"' if share >= DARK else ""
    return (
        f'{drawn}<text x="{x + side / 2:.1f}" y="{y + side / 2 + 4:.1f}" font-size="{size}" '
        f'text-anchor="middle"{color}>{number}</text>'
    )
