"""Eyes: the points that a playout does not fill, by two rules, and what they count for.

Kernels. They trust their arguments and change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.layout import AROUND, EAST, HEAD, NORTH, PASS, SOUTH, WEST, neighbors
from montego.go.kernels.position import count_around
from montego.go.vocabulary.color import BLACK, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.jit.state import State

_FOUR = Index(4)


@kernel(inline=True)
def holds_diagonals(state: State, point: int, color: int) -> bool:
    """Say whether the enemy of *color* has at most one diagonal point; at the edge none."""
    enemy = BLACK + WHITE - color
    nw, ne = state[point - NORTH - WEST], state[point - NORTH + EAST]
    sw, se = state[point + SOUTH - WEST], state[point + SOUTH + EAST]
    held = int(nw == enemy) + int(ne == enemy) + int(sw == enemy) + int(se == enemy)
    edge = int((nw == WALL) | (ne == WALL) | (sw == WALL) | (se == WALL))
    return held + edge < 2


@kernel(inline=True)
def is_eye(state: State, point: int, color: int) -> bool:
    """Say whether *point*, empty, is an eye of *color* by the usual rule of its diagonals.

    All four neighbors are of that color or wall, and the enemy holds at most one
    diagonal point in the middle of the board, none at the edge.
    """
    if count_around(state[point + AROUND], color) != _FOUR:
        return False
    return holds_diagonals(state, point, color)


@kernel(inline=True)
def is_eye_of_colors(state: State, point: int, color: int) -> bool:
    """As :func:`is_eye`, from the colors of the points alone."""
    if not is_surrounded(state, point, color):
        return False
    return holds_diagonals(state, point, color)


@kernel(inline=True)
def is_surrounded(state: State, point: int, color: int) -> bool:
    """Say whether all four neighbors are of *color* or wall, from their colors alone.

    A wall is BLACK and WHITE at once, as bits, so one conjunction tells.
    """
    around = state[point - NORTH] & state[point - WEST] & state[point + EAST] & state[point + SOUTH]
    return bool((around & color) != 0)


@kernel(inline=True)
def is_enclosed(state: State, point: int, color: int) -> bool:
    """Say whether *point*, empty, is surrounded by a single chain of *color*.

    The eye of document "Reaching Omega": a point whose neighbors all belong to the same chain.
    """
    if count_around(state[point + AROUND], color) != _FOUR:
        return False
    chain = PASS
    for neighbor in neighbors(point):
        if state[neighbor] != WALL:
            head = Index(state[neighbor + HEAD])
            if chain != PASS and chain != head:  # noqa: PLR1714  # Numba has no `in` for these.
                return False
            chain = head
    return True


@kernel(inline=True)
def eye_balance(state: State, first: int, end: int) -> int:
    """Return Black's eyes minus White's among the listed empty points, when nobody plays on."""
    balance = 0
    for index in range(first, end):
        around = state[Index(state[Index(index)]) + AROUND]
        balance += int(count_around(around, BLACK) == _FOUR)
        balance -= int(count_around(around, WHITE) == _FOUR)
    return balance
