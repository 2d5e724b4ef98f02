"""What weights of local shapes mean, for people: the strongest shapes as pictures, in text and SVG.

X is a stone of the player who has just moved, O one of the other's. A weight is what a shape adds
to the logarithm of the odds to win, here in hundredths: 10 makes odds of 1 to 1 about 1.1 to 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.local_shape.windows import (
    CODES,
    SIDES,
    SYMMETRIES,
    expand,
    list_windows,
    sharing_of,
    turned_codes,
    windows_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

HUNDREDTHS = 100.0
_SYMBOLS = ".XO"
_CELL = 22
_GAP = 16
_LABEL = 18
_WOOD, _INK, _GOOD, _BAD = "#e3b565", "#4a3416", "#2b6cb0", "#b7472a"


class Meaning(NamedTuple):
    """A shape at any place, and its weight."""

    side: int
    code: int
    weight: float

    @property
    def rows(self) -> list[str]:
        """The shape as a diagram."""
        digits = [_SYMBOLS[self.code // 3**cell % 3] for cell in range(self.side**2)]
        return [
            " ".join(digits[row * self.side : (row + 1) * self.side]) for row in range(self.side)
        ]


def strongest(size: int, values: NDArray[np.float32], side: int, most: int) -> list[Meaning]:
    """Return the shapes of that side that speak most for who has just moved, the best first.

    The last *most* speak most against. Of a shape's orientations there is one.
    """
    free = sharing_of(size).free
    begin = sum(CODES[: side - 1])
    alike = np.min([turned_codes(side, symmetry) for symmetry in range(SYMMETRIES)], axis=0)
    codes = np.unique(alike)
    weights = values[free[begin + codes]]
    order = np.argsort(-weights, kind="stable")
    chosen = [*order[:most], *order[max(len(order) - most, most) :]]
    return [Meaning(side, int(codes[at]), float(weights[at])) for at in chosen]


def stones_worth(size: int, values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return what a stone of who has just moved is worth at each point, alone, by row.

    That is the difference that it makes to all shapes that it is in on an empty board.
    """
    worths, windows = expand(size, values), windows_of(size)
    found = np.zeros((size, size))
    for number, (row, column, side) in enumerate(list_windows(size)):
        first = int(windows.first[number])
        for cell in range(side * side):
            gain = worths[first + 3**cell] - worths[first]
            found[row + cell // side, column + cell % side] += gain
    return found


def in_words(size: int, values: NDArray[np.float32], most: int = 8) -> str:
    """Return the strongest shapes and the worth of a first stone as text."""
    parts = ["A first stone, in hundredths of the logarithm of the odds:\n"]
    parts += [
        " ".join(f"{HUNDREDTHS * worth:4.0f}" for worth in row)
        for row in stones_worth(size, values)
    ]
    for side in SIDES[1:]:
        shapes = strongest(size, values, side, most)
        half = len(shapes) // 2
        for title, some in (("for", shapes[:half]), ("against", shapes[half:][::-1])):
            parts.append(f"\nShapes of {side}x{side} {title} who has just moved (X), anywhere:\n")
            parts += _side_by_side(some)
    return "\n".join(parts) + "\n"


def _side_by_side(shapes: Sequence[Meaning]) -> list[str]:
    width = max(2 * shapes[0].side - 1, 5)
    lines = [
        "   ".join(f"{shape.rows[row]:<{width}}" for shape in shapes).rstrip()
        for row in range(shapes[0].side)
    ]
    weights = (f"{HUNDREDTHS * shape.weight:+.1f}" for shape in shapes)
    return [*lines, "   ".join(f"{weight:<{width}}" for weight in weights).rstrip()]


def picture(size: int, values: NDArray[np.float32], most: int = 10) -> str:
    """Return the same as an SVG picture that needs nothing else."""
    worths = stones_worth(size, values)
    greatest = max(float(np.abs(worths).max()), 1e-9)
    width = max(size * _CELL, most * (3 * _CELL + _GAP)) + 2 * _GAP
    parts: list[str] = []
    top = _GAP + _LABEL
    parts.append(_text(_GAP, top - 5, "a first stone: blue for, red against who plays it"))
    for row in range(size):
        for column in range(size):
            worth = float(worths[row, column])
            color = _GOOD if worth >= 0 else _BAD
            x, y = _GAP + column * _CELL, top + row * _CELL
            parts.append(
                f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" fill="{color}" '
                f'fill-opacity="{abs(worth) / greatest:.2f}" stroke="{_INK}" stroke-width="0.3"/>'
            )
            parts.append(_text(x + 2, y + 14, f"{HUNDREDTHS * worth:.0f}", small=True))
    top += size * _CELL + _GAP
    for side in SIDES[1:]:
        shapes = strongest(size, values, side, most)
        half = len(shapes) // 2
        for title, some in (("for", shapes[:half]), ("against", shapes[half:][::-1])):
            top += _LABEL
            label = f"{side}x{side}, anywhere, {title} who has just moved (black)"
            parts.append(_text(_GAP, top - 5, label))
            for number, shape in enumerate(some):
                parts += _draw(shape, _GAP + number * (3 * _CELL + _GAP), top)
            top += side * _CELL + _LABEL + _GAP // 2
    height = top + _GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img"><title>What local shapes are worth</title>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _draw(shape: Meaning, left: int, top: int) -> list[str]:
    side, middle = shape.side * _CELL, _CELL / 2
    parts = [f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="{_WOOD}"/>']
    for line in range(shape.side):
        at = line * _CELL + middle
        parts.append(
            f'<path d="M{left} {top + at:g}h{side}M{left + at:g} {top}v{side}" '
            f'stroke="{_INK}" stroke-width="0.7"/>'
        )
    for cell in range(shape.side**2):
        digit = shape.code // 3**cell % 3
        if digit:
            x = left + cell % shape.side * _CELL + middle
            y = top + cell // shape.side * _CELL + middle
            fill = "#111111" if digit == 1 else "#fafafa"
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{_CELL * 0.45:g}" fill="{fill}" '
                f'stroke="{_INK}" stroke-width="0.7"/>'
            )
    parts.append(_text(left, top + side + 14, f"{HUNDREDTHS * shape.weight:+.1f}"))
    return parts


def _text(x: float, y: float, text: str, *, small: bool = False) -> str:
    size = 8 if small else 13
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-size="{size}" '
        f'fill="#222222">{text}</text>'
    )
