"""Moves that a search leaves out near its root, because whoever asks does not want them.

A limit holds for one of the two players, in the first moves of every variation. Kernels read all
limits from one array: first the depth from which on there are none, then for every move the depth
from which on it is considered, those of the player to move at the root before those of the other.
The root has depth 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from montego.mcts.errors import InvalidMove

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

DEEPEST = 1_000_000
"""No search is as deep as this: a larger depth means the same."""


@dataclass(frozen=True, kw_only=True)
class MoveLimit:
    """Moves that one player is not to make, or with *only* the only ones that player may make.

    Raises:
        InvalidMove: If the depth is below 1.
    """

    moves: frozenset[int]
    only: bool = False
    depth: int = 1
    """In how many moves from the root on, those of both players counted."""
    opponent: bool = False
    """Whether it holds for the player who is not to move at the root."""

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise InvalidMove(f"invalid depth {self.depth} of a limit: say at least 1")


def root_limits(allowed: Iterable[int] | None, avoided: Iterable[int]) -> list[MoveLimit]:
    """Return limits for the next move: none but *allowed*, if that is given, and not *avoided*."""
    limits = [MoveLimit(moves=frozenset(avoided))]
    if allowed is not None:
        limits.append(MoveLimit(moves=frozenset(allowed), only=True))
    return limits


def packed_limits(
    limits: Iterable[MoveLimit], move_count: int, *, in_turn: bool = True
) -> NDArray[np.int32]:
    """Return limits as kernels read them, for a game with that many moves.

    Limits that leave out the same moves at the same depths give the same numbers, if the players
    move *in_turn*.
    """
    packed = np.zeros(1 + 2 * move_count, np.int32)
    for limit in limits:
        turn = int(limit.opponent)
        begin = 1 + turn * move_count
        until = min(limit.depth, DEEPEST)
        if in_turn:
            # One more than the depth of the last move it can hold for.
            until -= (until - 1 - turn) % 2
        moves = np.zeros(move_count, bool)
        moves[[int(move) for move in limit.moves]] = True
        left_out = packed[begin : begin + move_count]
        banned = ~moves if limit.only else moves
        left_out[banned] = np.maximum(left_out[banned], until)
    packed[0] = packed[1:].max(initial=0)
    return packed
