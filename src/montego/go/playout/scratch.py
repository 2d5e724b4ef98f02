"""Scratch space for playouts of Go; its layout is :mod:`montego.jit.state`'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.jit import state as scratch

if TYPE_CHECKING:
    from montego.jit.state import Scratch

MOVES_PER_POINT = 3  # The usual limit: games longer than this are cycling.


def new_scratch(size: int, seed: int, room: int = 0) -> Scratch:
    """Return scratch space for playouts on boards of this size, its random numbers by *seed*.

    *room* integers of a policy's own follow the trace.
    """
    return scratch.new_scratch(MOVES_PER_POINT * size * size, seed, room)
