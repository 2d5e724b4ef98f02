"""Experience turned from the board as it lies to its canonical orientation, and back.

Where a position is symmetric itself, equivalent moves are added up on the way in, and on the way
out each gets an equal share, so that totals stay what they are. Keys of the positions after moves
are the same in all orientations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.book.addition import added
from montego.book.experience import Experience, table_of
from montego.book.position import inverse_of, turned_moves

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.book.experience import MoveExperience, Table
    from montego.book.position import Pose


def canonical_experience(
    pose: Pose, size: int, visits: float, moves: Iterable[MoveExperience], *, depth: int = 0
) -> Experience:
    """Return what a book keeps of a position whose *moves* are numbered as the board lies."""
    table = canonical_table(pose, size, table_of(moves))
    return Experience.from_table(pose.key, visits, table, depth=depth)


def real_experience(pose: Pose, size: int, experience: Experience) -> Experience:
    """Return the experience with moves numbered as the board lies, each with its own share."""
    return Experience.from_table(
        experience.key,
        experience.visits,
        real_table(pose, size, experience.table),
        depth=experience.depth,
        games=experience.games,
    )


def canonical_table(pose: Pose, size: int, table: Table) -> Table:
    """Return records of moves on the board as it lies, turned to the canonical board."""
    turned = _turned(table, pose.symmetry, size)
    if len(pose.stabilizer) > 1:
        images = [turned_moves(symmetry, size)[turned["move"]] for symmetry in pose.stabilizer]
        turned["move"] = np.min(images, axis=0)
    return added([turned], [0], np.ones(1))[0]


def real_table(pose: Pose, size: int, table: Table) -> Table:
    """Return records of moves on the canonical board, turned to the board as it lies."""
    back = inverse_of(pose.symmetry)
    if len(pose.stabilizer) == 1:
        turned = _turned(table, back, size)
        return turned[np.argsort(turned["move"])]
    # A move that k moves are equivalent to is met by the stabilizer's symmetries equally often at
    # each of them, so that equal parts for all symmetries add up to equal shares for all k.
    every = [_turned(_turned(table, other, size), back, size) for other in pose.stabilizer]
    return added(every, [0] * len(every), np.array([1.0 / len(every)]))[0]


def _turned(table: Table, symmetry: int, size: int) -> Table:
    """Return a copy of the table with the moves turned, in no order."""
    result = table.copy()
    result["move"] = turned_moves(symmetry, size)[table["move"]]
    return result
