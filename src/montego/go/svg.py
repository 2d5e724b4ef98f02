"""Boards as pictures: one self-contained SVG for notebooks and web pages.

Rows are those of ``diagram``: top to bottom, left to right. The picture needs no style sheet, font
file or script, and its inner names depend on its content, so that many fit on one page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from montego.go.vocabulary.color import BLACK, EMPTY, format_color
from montego.go.vocabulary.vertex import COLUMN_LETTERS, format_vertex, star_points

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WOOD, _INK = "#e3b565", "#4a3416"
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_GRADIENT = (
    '<radialGradient id="{id}" cx="0.35" cy="0.3" r="0.75">'
    '<stop offset="0" stop-color="{light}"/><stop offset="1" stop-color="{dark}"/>'
    "</radialGradient>"
)


def board_svg(
    rows: Sequence[Sequence[int]],
    *,
    last: tuple[int, int] | None = None,
    labels: Mapping[tuple[int, int], str] | None = None,
    coordinates: bool = True,
    cell: int = 30,
) -> str:
    """Return an SVG picture of *rows*, *cell* pixels from line to line.

    The point *last* gets a ring and each point of *labels* its text; both count (column, row) from
    the lower left. A label hides the ring. Long texts are not made to fit.
    """
    labels = labels or {}
    content = ascii((rows, last, labels, coordinates, cell)).encode()
    drawing = _Drawing(
        f"go{crc32(content):08x}", len(rows), cell, cell if coordinates else cell // 4
    )
    drawing.draw_lines()
    if coordinates:
        drawing.draw_coordinates()
    for index, colors in enumerate(rows):
        for column, color in enumerate(colors):
            point = column, len(rows) - 1 - index
            if color != EMPTY:
                drawing.draw_stone(point, color)
            if point in labels:
                drawing.draw_label(point, color, labels[point])
            elif point == last:
                drawing.draw_ring(point, color)
    return drawing.finish(_title(rows, last))


def _title(rows: Sequence[Sequence[int]], last: tuple[int, int] | None) -> str:
    size = len(rows)
    black, white = (sum(list(row).count(color) for row in rows) for color in (1, 2))
    title = f"Go board, {size}x{size}, {black} black and {white} white stones"
    if last is None:
        return title
    color = rows[size - 1 - last[1]][last[0]]
    player = "" if color == EMPTY else f"{format_color(color)} "
    return f"{title}, last move {player}{format_vertex(last)}"


class _Drawing:
    """The pieces of a picture, drawn from bottom to top. Pixels count from the upper left."""

    def __init__(self, name: str, size: int, cell: int, margin: int) -> None:
        self.name = name
        self.size = size
        self.cell = cell
        self.origin = margin + cell / 2
        self.width = 2 * margin + size * cell
        self.pieces: list[str] = []

    def place(self, point: tuple[int, int]) -> tuple[float, float]:
        """Return the pixel of a point."""
        column, row = point
        return self.origin + column * self.cell, self.origin + (self.size - 1 - row) * self.cell

    def draw_lines(self) -> None:
        """Draw the grid and the star points."""
        first, final = self.origin, self.origin + (self.size - 1) * self.cell
        path = ""
        for line in range(self.size):
            at = self.origin + line * self.cell
            path += f"M{first:g} {at:g}H{final:g}M{at:g} {first:g}V{final:g}"
        self.pieces.append(
            f'<path d="{path}" fill="none" stroke="{_INK}" stroke-linecap="square" '
            f'stroke-width="{self.cell / 30:.3g}"/>'
        )
        for point in star_points(self.size):
            self._circle(point, 0.11, f'fill="{_INK}"')

    def draw_coordinates(self) -> None:
        """Write the letters of columns and the numbers of rows on all four sides."""
        near = self.origin - self.cell * 0.95
        for line in range(self.size):
            for side in (near, self.width - near):
                x, y = self.place((line, line))
                self._text(x, side, COLUMN_LETTERS[line], 0.42, _INK)
                self._text(side, y, str(line + 1), 0.42, _INK)

    def draw_stone(self, point: tuple[int, int], color: int) -> None:
        """Draw a stone with a soft shadow below it."""
        x, y = self.place(point)
        shift = self.cell * 0.04
        self.pieces.append(
            f'<circle cx="{x + shift:g}" cy="{y + shift:g}" r="{self.cell * 0.47:g}" '
            'fill="#000" fill-opacity="0.25"/>'
        )
        self._circle(point, 0.47, f'fill="url(#{self.name}{format_color(color)})"')

    def draw_ring(self, point: tuple[int, int], color: int) -> None:
        """Mark a point."""
        stroke = "#fff" if color == BLACK else "#222" if color != EMPTY else "#b3261e"
        width = self.cell * 0.07
        self._circle(point, 0.24, f'fill="none" stroke="{stroke}" stroke-width="{width:.3g}"')

    def draw_label(self, point: tuple[int, int], color: int, label: str) -> None:
        """Write on a stone, or on an empty point after hiding the crossing lines."""
        if color == EMPTY:
            self._circle(point, 0.36, f'fill="{_WOOD}"')
        x, y = self.place(point)
        self._text(x, y, str(label), 0.5, "#fff" if color == BLACK else "#000")

    def finish(self, title: str) -> str:
        """Return the picture."""
        body = "\n".join(self.pieces)
        black = _GRADIENT.format(id=self.name + "black", light="#666", dark="#0a0a0a")
        white = _GRADIENT.format(id=self.name + "white", light="#fff", dark="#cfcbc2")
        width = f"{self.width:g}"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{width}" '
            f'viewBox="0 0 {width} {width}" role="img" aria-label={quoteattr(title)} '
            'font-family="sans-serif" text-anchor="middle">\n'
            f"<title>{escape(title)}</title>\n<defs>{black}{white}</defs>\n"
            f'<rect width="{width}" height="{width}" rx="{self.cell / 6:.3g}" fill="{_WOOD}"/>\n'
            f"{body}\n</svg>\n"
        )

    def _circle(self, point: tuple[int, int], radius: float, style: str) -> None:
        x, y = self.place(point)
        self.pieces.append(f'<circle cx="{x:g}" cy="{y:g}" r="{self.cell * radius:g}" {style}/>')

    def _text(self, x: float, y: float, text: str, size: float, fill: str) -> None:
        # A baseline 0.36 em below the middle centers capitals and digits in every browser;
        # dominant-baseline does not.
        pixels = self.cell * size
        self.pieces.append(
            f'<text x="{x:g}" y="{y + 0.36 * pixels:g}" font-size="{pixels:g}" fill="{fill}">'
            f"{escape(_NO_XML.sub('', text))}</text>"
        )
