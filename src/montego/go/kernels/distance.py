"""Distance to a move in the common-fate graph, where a chain counts as one point.

After Graepel, Goutrié, Krüger and Herbrich, "Learning on graphs in the game of Go" (2001).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.layout import HEADER, NEXT, ONE, ROW, SIZE, neighbors
from montego.go.vocabulary.color import EMPTY, WALL
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State

FARTHEST = 3
_UNREACHED = Index(FARTHEST + 1)


@kernel
def mark_distances(state: State, scratch: Scratch, at: int, queue: int, start: int) -> None:
    """Write each point's distance from *start* to ``scratch[at + point]``, up to FARTHEST.

    Farther points get FARTHEST + 1. *start* must hold a stone, and its chain has distance 0. From a
    point to its neighbor is one step, within a chain none. *queue* is where there is room for as
    many numbers as the board has points; both areas are in *scratch*.
    """
    size = Index(state[SIZE])
    for line in range(ONE, size + ONE):
        row = at + Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            scratch[row + Index(column)] = _UNREACHED
    done = queue
    end = _reach(state, scratch, at, queue, start, Index(0))
    while done < end:
        point = Index(scratch[done])
        done += ONE
        distance = Index(scratch[at + point]) + ONE
        if distance > Index(FARTHEST):
            return
        for near in neighbors(point):
            if state[near] != WALL and Index(scratch[at + near]) == _UNREACHED:
                end = _reach(state, scratch, at, end, near, distance)


@kernel
def _reach(state: State, scratch: Scratch, at: int, end: int, point: int, distance: int) -> int:
    """Give a point, or all of a chain, its distance; put them into the queue; return its end."""
    stone = Index(point)
    while True:
        scratch[at + stone] = distance
        scratch[end] = stone
        end += ONE
        if state[point] == EMPTY:
            return end
        stone = Index(state[stone + NEXT])
        if stone == point:
            return end
