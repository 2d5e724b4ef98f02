"""How the moves of a position lie in the file, and what must hold of their numbers.

A blob is one byte with the version of the layout, two bytes with the number of moves, and that
many records (:data:`montego.book.experience.RECORD`), the lowest byte of each number first.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

import numpy as np

from montego.book.errors import UnreadableRow
from montego.book.experience import RECORD, SUMS, UNKNOWN

if TYPE_CHECKING:
    from montego.book.experience import Experience, Table

LAYOUT = 1
_HEAD = struct.Struct("<BH")


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


def fault_of(experience: Experience, size: int, *, moves: bool = True) -> str | None:
    """Return what makes it impossible to add an experience, in words; None if all is well.

    Sums may exceed their bounds, because some rewards do; adding brings them back. Without *moves*
    these are not looked at.
    """
    if not -(1 << 63) <= experience.key < 1 << 63 or experience.key == UNKNOWN:
        return "its key is 0, or no signed 64-bit number"
    if not 0.0 <= experience.visits < math.inf:
        return f"it has {experience.visits} visits"
    if experience.depth < 0:
        return f"its depth is {experience.depth}"
    return table_fault(experience.table, size) if moves else None


def table_fault(table: Table, size: int) -> str | None:
    """Return what makes it impossible to add records of moves, in words."""
    most = int(table["move"].max(initial=0))
    if most > size * size:
        return f"it has a move {most} on a board of size {size}"
    if not all(bool(np.isfinite(table[field]).all()) for field in SUMS):
        return "a number of a move is none"
    if bool((table["visits"] < 0.0).any()) or bool((table["amaf_visits"] < 0.0).any()):
        return "a move has fewer visits than none"
    return None


def stored_fault(experience: Experience, size: int) -> str | None:
    """Return what is wrong with an experience that comes out of a book, in words."""
    fault = fault_of(experience, size)
    if fault is not None:
        return fault
    table = experience.table
    if not bool((table["move"][1:] > table["move"][:-1]).all()):
        return "its moves are not in order"
    return value_fault(table)


def value_fault(table: Table) -> str | None:
    """Return what is wrong with the values in records that come out of a book, in words.

    They are within bounds when they are written.
    """
    for visits, sums in (("visits", "value_sum"), ("amaf_visits", "amaf_sum")):
        if not bool(((table[sums] >= 0.0) & (table[sums] <= table[visits])).all()):
            return "a value of a move does not lie between 0 and 1"
    return None
