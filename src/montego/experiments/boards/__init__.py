"""The ladder of boards: 000's five, from the naive one to liberties as numbers, in plain Python.

Each takes one step that makes a random game cheaper. All have the same rules and the same methods
(:class:`~montego.experiments.boards.grid.LadderBoard`), so that one search runs on any of them, and
one test compares them all with the rules. Montego's own board is the step after the last.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from montego.experiments.boards.ko import KoBoard
from montego.experiments.boards.maintained import MaintainedBoard
from montego.experiments.boards.naive import NaiveBoard
from montego.experiments.boards.numerical import NumericalBoard
from montego.experiments.boards.order_statistic_tree import OrderStatisticTree
from montego.experiments.boards.union_find import UnionFindBoard

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.experiments.boards.grid import LadderBoard


class Step(NamedTuple):
    """A board of the ladder, and how the time of one iteration should grow with the lines."""

    board: Callable[[int], LadderBoard]
    """Makes an empty board of that size."""
    exponent: int
    """By 000's table in 5.5, without the factor l for the length of chains."""


LADDER: dict[str, Step] = {
    "naive": Step(NaiveBoard, 6),
    "union-find": Step(UnionFindBoard, 6),
    "ko": Step(KoBoard, 4),
    "maintained": Step(MaintainedBoard, 2),
    "maintained, balanced tree": Step(partial(MaintainedBoard, move_set=OrderStatisticTree), 2),
    "numerical": Step(NumericalBoard, 2),
}
