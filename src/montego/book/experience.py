"""What a book knows about a position: plain data, in the position's canonical orientation.

A *move* is a number: row times size plus column, counted from the top left, and size times size
for a pass. In a position that is symmetric itself, only the least of equivalent moves is listed
and has the sum of all. :mod:`montego.book.orientation` turns this to the board as it lies and back.

The same data has two faces: ``table``, an array with one record for each move, as it lies in the
file and as loops over a whole subtree want it; and ``moves``, made of it when first asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

UNKNOWN = 0
"""The number in a record that stands for no key; no position has it."""

RECORD = np.dtype(
    [
        ("move", "<u2"),
        ("visits", "<f4"),
        ("value_sum", "<f4"),
        ("amaf_visits", "<f4"),
        ("amaf_sum", "<f4"),
        ("after", "<i8"),
    ]
)
"""A move in the file: 26 bytes, the lowest byte first on every machine."""

SUMS = ("visits", "value_sum", "amaf_visits", "amaf_sum")
"""The fields of a record that add up."""

Table = np.ndarray[Any, np.dtype[np.void]]
"""A one-dimensional array of RECORD."""


@dataclass(frozen=True, slots=True)
class MoveExperience:
    """What is known about one move of a position."""

    move: int
    visits: float
    value_sum: float
    """The values of all visits added up, for the player who makes the move."""

    amaf_visits: float = 0.0
    amaf_sum: float = 0.0
    """As ``value_sum``, over games in which the player made the move at some later time."""

    after: int | None = None
    """The key of the position after the move; None if nobody looked at it."""

    @property
    def value(self) -> float:
        """The mean value of the visits; one half if there are none."""
        return self.value_sum / self.visits if self.visits > 0.0 else 0.5

    @property
    def amaf_value(self) -> float:
        """The mean AMAF value; one half if there are no AMAF visits."""
        return self.amaf_sum / self.amaf_visits if self.amaf_visits > 0.0 else 0.5


class Experience:
    """What is known about one position. A value: it does not change once it is made."""

    def __init__(
        self,
        key: int,
        visits: float,
        moves: Iterable[MoveExperience],
        *,
        depth: int = 0,
        games: int = 0,
    ) -> None:
        """Take the moves in any order. Nothing is checked; merging does that.

        Raises:
            OverflowError: If a number does not fit into its record.
        """
        self.key = key
        self.visits = visits
        """How often searches came to the position: no less than the visits to its moves."""
        self.table = table_of(moves)
        self.depth = depth
        """How many plies into a game the position was met at the earliest."""
        self.games = games
        """How many games told of the position. The book counts; merging need not read it."""

    @classmethod
    def from_table(
        cls, key: int, visits: float, table: Table, *, depth: int = 0, games: int = 0
    ) -> Experience:
        """Make one of records, ascending by move; the array is kept, not copied."""
        made = cls.__new__(cls)
        made.key = key
        made.visits = visits
        made.table = table
        made.depth = depth
        made.games = games
        return made

    @cached_property
    def moves(self) -> tuple[MoveExperience, ...]:
        """The moves, the most visited first; equally visited ones by AMAF visits and number."""
        found = [
            MoveExperience(move, visits, value_sum, amaf_visits, amaf_sum, after or None)
            for move, visits, value_sum, amaf_visits, amaf_sum, after in self.table.tolist()
        ]
        found.sort(key=lambda known: (-known.visits, -known.amaf_visits, known.move))
        return tuple(found)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Experience):
            return NotImplemented
        mine = (self.key, self.visits, self.depth, self.games)
        theirs = (other.key, other.visits, other.depth, other.games)
        return mine == theirs and np.array_equal(self.table, other.table)

    __hash__ = None  # type: ignore[assignment]  # Compared by what they know.

    def __repr__(self) -> str:
        return (
            f"Experience(key={self.key}, visits={self.visits}, moves={self.moves}, "
            f"depth={self.depth}, games={self.games})"
        )


def table_of(moves: Iterable[MoveExperience]) -> Table:
    """Return the moves as records, ascending by number.

    Raises:
        OverflowError: If a number does not fit into its record.
    """
    rows = sorted(
        (
            known.move,
            known.visits,
            known.value_sum,
            known.amaf_visits,
            known.amaf_sum,
            known.after or UNKNOWN,
        )
        for known in moves
    )
    return np.array(rows, RECORD)
