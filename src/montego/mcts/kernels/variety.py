"""Variety at the root, where somebody asks for it: chances made more alike, and noise.

Both change what an evaluation says of the moves, before the first of them is tried. A temperature
above 1 makes chances more alike, one below 1 less. Noise is Dirichlet's, as Silver et al. 2017 mix
it into the chances for PUCT; Gumbel's way has a noise of its own
(:mod:`~montego.mcts.kernels.gumbel`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from montego.jit import kernel
from montego.mcts.kernels.gumbel import draw_real, log_chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch
    from montego.mcts.kernels.settings import Settings

CONCENTRATION = 10.0
"""Of Dirichlet's noise, shared by the moves, of which each has 1 at most: the less a move has, the
fewer moves get all of the noise."""


@kernel(inline=True)
def vary(
    chances: NDArray[Any],
    noise: NDArray[Any],
    count: int,
    settings: Settings,
    scratch: Scratch,
) -> None:
    """Change the chances of the root's moves as the settings ask; they still add up to 1.

    *noise* is room for as many numbers. Draws nothing where no noise is asked for.
    """
    if settings.root_temperature != 1.0:
        temper(chances, count, settings.root_temperature)
    if settings.root_noise > 0.0 and settings.gumbel == 0:
        mix_noise(chances, noise, count, settings.root_noise, scratch)


@kernel
def temper(chances: NDArray[Any], count: int, temperature: float) -> None:
    """Raise chances to the power of 1 / temperature, and divide by their sum."""
    best = -math.inf
    for rank in range(count):
        best = max(best, log_chance(float(chances[rank])))
    total = 0.0
    for rank in range(count):
        chances[rank] = math.exp((log_chance(float(chances[rank])) - best) / temperature)
        total += float(chances[rank])
    for rank in range(count):
        chances[rank] = float(chances[rank]) / total


@kernel
def mix_noise(
    chances: NDArray[Any], noise: NDArray[Any], count: int, share: float, scratch: Scratch
) -> None:
    """Put Dirichlet's noise in the place of that share of the chances."""
    shape = min(CONCENTRATION / float(count), 1.0)
    total = 0.0
    for rank in range(count):
        noise[rank] = draw_gamma(shape, scratch)
        total += float(noise[rank])
    if total <= 0.0:
        return  # All were too small for a number.
    for rank in range(count):
        kept = (1.0 - share) * float(chances[rank])
        chances[rank] = kept + share * float(noise[rank]) / total


@kernel
def draw_gamma(shape: float, scratch: Scratch) -> float:
    """Draw from the gamma distribution of a shape above 0 and up to 1 (Ahrens and Dieter 1974)."""
    bound = 1.0 + shape / math.e
    while True:
        place = bound * draw_real(scratch)
        if place <= 1.0:
            drawn = math.pow(place, 1.0 / shape)
            if draw_real(scratch) <= math.exp(-drawn):
                return drawn
        else:
            drawn = -math.log((bound - place) / shape)
            if draw_real(scratch) <= math.pow(drawn, shape - 1.0):
                return drawn
