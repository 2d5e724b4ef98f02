"""Letters and digits, drawn by strokes: the coordinates beside a board.

Each character is a few polylines on a grid of four by six, a point being its column and its row
from the top left. Small letters are written as capitals.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Point = tuple[float, float]

WIDE, HIGH, GAP = 4, 6, 2
"""Of a character, and between two of them, in steps of the grid."""

STROKES: dict[str, str] = {
    "A": "06 20 46,14 34",
    "B": "03 33 44 45 36 06 00 30 41 42 33",
    "C": "41 30 10 01 05 16 36 45",
    "D": "00 06 26 44 42 20 00",
    "E": "40 00 06 46,03 33",
    "F": "40 00 06,03 33",
    "G": "41 30 10 01 05 16 36 45 43 23",
    "H": "00 06,40 46,03 43",
    "I": "10 30,20 26,16 36",
    "J": "40 45 36 16 05",
    "K": "00 06,40 03 46",
    "L": "00 06 46",
    "M": "06 00 23 40 46",
    "N": "06 00 46 40",
    "O": "10 30 41 45 36 16 05 01 10",
    "P": "06 00 30 41 42 33 03",
    "Q": "10 30 41 45 36 16 05 01 10,24 46",
    "R": "06 00 30 41 42 33 03,23 46",
    "S": "41 30 10 01 02 13 33 44 45 36 16 05",
    "T": "00 40,20 26",
    "U": "00 05 16 36 45 40",
    "V": "00 26 40",
    "W": "00 16 23 36 40",
    "X": "00 46,40 06",
    "Y": "00 23 40,23 26",
    "Z": "00 40 06 46",
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "11 20 26,16 36",
    "2": "01 10 30 41 42 06 46",
    "3": "01 10 30 41 42 33 44 45 36 16 05,13 33",
    "4": "36 30 04 44",
    "5": "40 00 02 32 43 45 36 16 05",
    "6": "41 30 10 01 05 16 36 45 44 33 13 04",
    "7": "00 40 16",
    "8": "13 02 01 10 30 41 42 33 13 04 05 16 36 45 44 33",
    "9": "05 16 36 45 41 30 10 01 02 13 33 42",
}


def cover(text: str, width: int, height: int, letter: float) -> NDArray[np.float64]:
    """Return how much of each pixel a text covers, from 0 to 1, that stands in the middle.

    *letter* is the height of a character in pixels. What has no strokes is left empty.
    """
    step = letter / HIGH
    across = step * (len(text) * (WIDE + GAP) - GAP)
    left, top = (width - across) / 2, (height - letter) / 2
    rows, columns = np.ogrid[0:height, 0:width]
    nearest = np.full((height, width), np.inf)
    for number, character in enumerate(text.upper()):
        start = left + number * step * (WIDE + GAP)
        for (x1, y1), (x2, y2) in _segments(STROKES.get(character, "")):
            distance = _distance(
                columns + 0.5 - start - step * x1,
                rows + 0.5 - top - step * y1,
                step * (x2 - x1),
                step * (y2 - y1),
            )
            np.minimum(nearest, distance, out=nearest)
    radius = max(0.5, 0.55 * step)
    covered: NDArray[np.float64] = np.clip(radius - nearest + 0.5, 0.0, 1.0)
    return covered


def _segments(strokes: str) -> Iterator[tuple[Point, Point]]:
    """Yield the ends of each piece of a character."""
    for stroke in filter(None, strokes.split(",")):
        points = [(float(point[0]), float(point[1])) for point in stroke.split()]
        yield from pairwise(points)


def _distance(
    x: NDArray[np.float64], y: NDArray[np.float64], across: float, down: float
) -> NDArray[np.float64]:
    """Return how far points are from the line between (0, 0) and (*across*, *down*)."""
    along = np.clip((x * across + y * down) / (across**2 + down**2), 0.0, 1.0)
    distance: NDArray[np.float64] = np.hypot(x - along * across, y - along * down)
    return distance
