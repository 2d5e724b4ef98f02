"""What weights of playouts mean, for people: the traits in words, the strongest shapes as pictures.

X is to move, in the middle; ``#`` is the edge. A weight is told as the factor by which it makes a
move more likely.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.go.playout.balanced.weights import MEANINGS, TRAITS, shape_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SIGNS = ".XO#"  # by color, as codes have them


class Shape(NamedTuple):
    """A 3x3 shape, and how much more likely it makes the move in its middle."""

    code: int
    factor: float

    @property
    def rows(self) -> list[str]:
        """The shape as a diagram."""
        signs = [_SIGNS[self.code >> (2 * place) & 3] for place in range(8)]
        signs.insert(4, "*")
        return [" ".join(signs[row : row + 3]) for row in (0, 3, 6)]


def strongest_traits(values: NDArray[np.float64]) -> list[tuple[str, float]]:
    """Return the traits in words and their factors, the strongest first."""
    factors = [(MEANINGS[trait], math.exp(values[trait])) for trait in range(TRAITS)]
    return sorted(factors, key=lambda pair: -pair[1])


def strongest_shapes(values: NDArray[np.float64], most: int) -> list[Shape]:
    """Return the shapes that make a move most likely, the strongest first; then the weakest.

    Each in one of its orientations.
    """
    codes = np.unique(shape_classes(), return_index=True)[1][1:]  # The first stands for no shape.
    weights = values[TRAITS:]
    order = np.argsort(-weights, kind="stable")
    chosen = [*order[:most], *order[-most:]]
    return [Shape(int(codes[at]), math.exp(weights[at])) for at in chosen]


def in_words(values: NDArray[np.float64], most: int = 8) -> str:
    """Return what the weights mean as text."""
    parts = ["How much more likely it makes a move:\n"]
    parts += [f"{factor:7.2f}  {name}" for name, factor in strongest_traits(values)]
    shapes = strongest_shapes(values, most)
    for title, some in (("most", shapes[:most]), ("least", shapes[most:])):
        parts.append(f"\nShapes that make X's move in the middle {title} likely:\n")
        parts += ["   ".join(shape.rows[row] for shape in some) for row in range(3)]
        parts.append("   ".join(f"{shape.factor:<5.2f}" for shape in some).rstrip())
    return "\n".join(parts) + "\n"
