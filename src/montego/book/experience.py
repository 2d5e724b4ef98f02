"""What a book knows about a position: plain data, in the position's canonical orientation.

A *move* is a number: row times size plus column, counted from the top left, and size times size
for a pass. In a position that is symmetric itself, only the least of equivalent moves is listed
and has the sum of all. :mod:`montego.book.position` turns this to the board as it lies and back.

The same data has three faces: ``table``, an array with one record for each move, as loops over a
whole subtree want it; ``moves``, made of it when first asked for; and in the file a *blob*, which
is one byte with the version of the layout, two bytes with the number of moves, and the records.
"""

from __future__ import annotations

import math
import struct
from dataclasses import KW_ONLY, InitVar, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.book.errors import UnreadableRow

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

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

LAYOUT = 1
"""The version of the blobs that this Montego writes."""

_BOUNDED = (("visits", "value_sum"), ("amaf_visits", "amaf_sum"))  # From 0 to the number of visits.
_HEAD = struct.Struct("<BH")


class MoveExperience(NamedTuple):
    """What is known about one move of a position, in the order of a record."""

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


@dataclass(eq=False)
class Experience:
    """What is known about one position. A value: it does not change once it is made.

    It is made of a table, ascending by move, which is kept and not copied; or of moves in any
    order, where a number that does not fit into its record raises :class:`OverflowError`. Nothing
    else is checked; merging does that.
    """

    key: int
    visits: float
    """How often searches came to the position: no less than the visits to its moves."""

    known: InitVar[Table | Iterable[MoveExperience]]
    table: Table = field(init=False)
    _: KW_ONLY
    depth: int = 0
    """How many plies into a game the position was met at the earliest."""

    games: int = 0
    """How many games told of the position. The book counts; merging need not read it."""

    def __post_init__(self, known: Table | Iterable[MoveExperience]) -> None:
        self.table = known if isinstance(known, np.ndarray) else table_of(known)

    @cached_property
    def moves(self) -> tuple[MoveExperience, ...]:
        """The moves, the most visited first; equally visited ones by AMAF visits and number."""
        found = [MoveExperience._make((*row[:-1], row[-1] or None)) for row in self.table.tolist()]
        return tuple(sorted(found, key=lambda one: (-one.visits, -one.amaf_visits, one.move)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Experience):
            return NotImplemented
        mine = (self.key, self.visits, self.depth, self.games)
        theirs = (other.key, other.visits, other.depth, other.games)
        return mine == theirs and np.array_equal(self.table, other.table)

    __hash__ = None  # type: ignore[assignment]  # Compared by what they know.


def table_of(moves: Iterable[MoveExperience]) -> Table:
    """Return the moves as records, ascending by number.

    Raises:
        OverflowError: If a number does not fit into its record.
    """
    return np.array(sorted((*sums, after or UNKNOWN) for *sums, after in moves), RECORD)


def stacked(tables: Sequence[Table]) -> Table:
    """Return the records of all tables, one table after the other, as a copy."""
    # NumPy's own concatenation compares the fields of every two tables it puts together.
    return np.frombuffer(bytearray().join(table.tobytes() for table in tables), RECORD)


def added(
    tables: Sequence[Table], owners: Sequence[int], factors: NDArray[np.floating]
) -> list[Table]:
    """Return one table for each factor: the sum of the tables that it owns, multiplied by it.

    *owners* says for each table whose it is, by the index of the factor. Moves may be in any order
    and come repeatedly; the results are in order, and sums of values, which some rewards exceed,
    within bounds. If tables name different positions after a move, the last one named counts.
    """
    every = stacked(tables)
    owner = np.repeat(np.array(owners, np.intp), [len(table) for table in tables])
    span = int(every["move"].max(initial=0)) + 1
    places = owner * span + every["move"]
    count = np.bincount(places, minlength=len(factors) * span)
    present = count.nonzero()[0]
    result = np.zeros(len(present), RECORD)
    result["move"] = present % span
    scale = factors[present // span]
    for name in SUMS:
        result[name] = np.bincount(places, every[name], len(count))[present] * scale
    for visits, sums in _BOUNDED:
        result[sums] = result[sums].clip(0.0, result[visits])
    known = every["after"].nonzero()[0]
    after = np.zeros(len(count), np.int64)
    after[places[known]] = every["after"][known]
    result["after"] = after[present]
    ends = np.searchsorted(present, span * np.arange(1, len(factors) + 1)).tolist()
    return [result[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def encode(table: Table) -> bytes:
    """Return the blob of a table."""
    return _HEAD.pack(LAYOUT, len(table)) + table.tobytes()


def decode(blob: object) -> Table:
    """Return the table of a blob; it shares the blob's memory and cannot be written.

    Raises:
        UnreadableRow: If it is no such blob, or in a layout of a later version.
    """
    if not isinstance(blob, bytes) or len(blob) < _HEAD.size:
        raise UnreadableRow("a position has no moves")
    layout, count = _HEAD.unpack_from(blob)
    if layout > LAYOUT:
        raise UnreadableRow(f"a position has layout {layout}, and this Montego knows {LAYOUT}")
    if layout != LAYOUT or len(blob) != _HEAD.size + count * RECORD.itemsize:
        raise UnreadableRow("a position's moves are cut off or overwritten")
    return np.frombuffer(blob, RECORD, count, _HEAD.size)


def number_fault(experience: Experience) -> str | None:
    """Return what is wrong with the numbers of a position, in words; None if all is well.

    Its moves are not looked at.
    """
    if not -(1 << 63) <= experience.key < 1 << 63 or experience.key == UNKNOWN:
        return "its key is 0, or no signed 64-bit number"
    if not 0.0 <= experience.visits < math.inf:
        return f"it has {experience.visits} visits"
    if experience.depth < 0:
        return f"its depth is {experience.depth}"
    return None


def table_fault(table: Table, size: int, *, stored: bool = False) -> str | None:
    """Return what is wrong with records of moves, in words.

    Sums may exceed their bounds, because some rewards do, and adding brings them back; in what is
    *stored* in a book they must not.
    """
    most = int(table["move"].max(initial=0))
    if most > size * size:
        return f"it has a move {most} on a board of size {size}"
    if not all(bool(np.isfinite(table[name]).all()) for name in SUMS):
        return "a number of a move is none"
    for visits, sums in _BOUNDED:
        if bool((table[visits] < 0.0).any()):
            return "a move has fewer visits than none"
        if stored and not bool(((table[sums] >= 0.0) & (table[sums] <= table[visits])).all()):
            return "a value of a move does not lie between 0 and 1"
    return None


def stored_fault(experience: Experience, size: int) -> str | None:
    """Return what is wrong with an experience that comes out of a book, in words."""
    table = experience.table
    if not bool((table["move"][1:] > table["move"][:-1]).all()):
        return "its moves are not in order"
    return number_fault(experience) or table_fault(table, size, stored=True)
