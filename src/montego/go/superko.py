"""Superko: no move may bring back a position that was on the board before.

*Positional* superko compares the stones, *situational* superko also whose turn it is. Positions are
compared by their hashes, of 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.area import neighbors, to_grid
from montego.go.kernels.layout import TO_PLAY
from montego.go.kernels.position import play, position_hash
from montego.go.step import Setup
from montego.go.vocabulary.color import BLACK, EMPTY, parse_color
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.go.board import Board
    from montego.go.step import Move
    from montego.go.vocabulary.rules import Rules
    from montego.jit.state import State

SUPERKO = "superko: the position was on the board before"

Key = tuple[int, int]
"""What stands for a position: the hash of its stones, and the player to move."""


def key_of(state: State) -> Key:
    """Return the key of a position."""
    return int(position_hash(state)), int(state[TO_PLAY])


def forbidden(keys: Iterable[Key], rules: Rules) -> set[Key]:
    """Return what the rules forbid to come again, for :func:`repeats`."""
    return {_compared(key, rules) for key in keys}


def repeats(state: State, point: int, color: int, past: set[Key], rules: Rules) -> bool:
    """Say whether a move that is legal otherwise would bring back one of *past*."""
    after = state.copy()
    play(after, point, color)
    return _compared(key_of(after), rules) in past


def may_repeat(
    board: Board, history: Iterable[Move | Setup], color: int, rules: Rules
) -> frozenset[str]:
    """Return the points where a move of *color* might bring back an earlier position.

    That has a stone of the color there, so one was put there before; unless the move is
    suicide, which needs a point without empty neighbors.
    """
    found: set[str] = set()
    if rules.suicide:
        grid = to_grid(board.rows())
        found |= {
            format_vertex(point)
            for point, stone in grid.items()
            if stone == EMPTY and EMPTY not in map(grid.get, neighbors(point))
        }
    for done in history:
        if isinstance(done, Setup):
            found |= done.black if color == BLACK else done.white
        elif parse_color(done.color) == color:
            found.add(done.vertex)
    return frozenset(found)


def _compared(key: Key, rules: Rules) -> Key:
    return key if rules.ko == "situational" else (key[0], EMPTY)
