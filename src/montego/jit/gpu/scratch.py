"""Scratch space for many games on the GPU, each with random numbers of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.jit.gpu.grid import Grid
from montego.jit.gpu.lanes import Lanes
from montego.jit.state import TRACE, begin_scratch

if TYPE_CHECKING:
    from numpy.typing import NDArray


def random_starts(seed: int, games: int) -> NDArray[np.uint64]:
    """Return what the random numbers of each game begin with; none of them is 0."""
    return np.random.SeedSequence(seed).generate_state(games, np.uint64) | np.uint64(1)


def scratch_lanes(limit: int, room: int, starts: NDArray[np.uint64]) -> Lanes:
    """Return scratch space for playouts of up to *limit* moves: as many games as *starts* has.

    *room* integers of the game's own follow the trace, as in
    :func:`montego.jit.state.new_scratch`.

    Raises:
        DeviceError: If there is no GPU, or too little memory on it.
    """
    games = len(starts)
    lanes = Lanes(np.uint64, TRACE + limit + room, games)
    begin_with = Lanes(np.uint64, 1, games)
    begin_with.write(starts[:, None])
    Grid(begin_scratch)(lanes, begin_with, limit, games=games)
    return lanes
