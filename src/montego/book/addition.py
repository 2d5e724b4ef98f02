"""Adding up tables of moves, those of many positions at once: merging a game is one such sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.book.experience import RECORD, SUMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from montego.book.experience import Table


def stacked(tables: Sequence[Table]) -> Table:
    """Return the records of all tables, one table after the other, as a copy."""
    # NumPy's own concatenation compares the fields of every two tables it puts together.
    return np.frombuffer(bytearray().join(table.tobytes() for table in tables), RECORD)


def in_bounds(table: Table) -> Table:
    """Return the table with sums from 0 to the number of visits, which some rewards exceed."""
    result = table.copy()
    result["value_sum"] = table["value_sum"].clip(0.0, table["visits"])
    result["amaf_sum"] = table["amaf_sum"].clip(0.0, table["amaf_visits"])
    return result


def added(
    tables: Sequence[Table], owners: Sequence[int], factors: NDArray[np.floating]
) -> list[Table]:
    """Return one table for each factor: the sum of the tables that it owns, multiplied by it.

    *owners* says for each table whose it is, by the index of the factor. Moves may be in any order
    and come repeatedly; the results are in order and within bounds. If tables name different
    positions after a move, the last one named counts.
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
    for field in SUMS:
        result[field] = np.bincount(places, every[field], len(count))[present] * scale
    known = every["after"].nonzero()[0]
    after = np.zeros(len(count), np.int64)
    after[places[known]] = every["after"][known]
    result["after"] = after[present]
    result = in_bounds(result)
    ends = np.searchsorted(present, span * np.arange(1, len(factors) + 1)).tolist()
    return [result[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
