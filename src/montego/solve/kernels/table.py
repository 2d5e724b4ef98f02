"""What was found out about positions, by their keys: proof and disproof numbers.

A disproof may rest on a repetition of positions above it on the path; it then holds only as long as
these are there. Every visit of a node on the path has a number of its own: the entry names the
deepest visit that it rests on, and its depth, and the least depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.jit import kernel

if TYPE_CHECKING:
    from montego.solve.kernels.types import Words

# An entry is a row of these.
ENTRY_KEY = 0
PROOF = 1  # times SHIFT, plus the disproof number
VISIT = 2  # that a disproof rests on; 0 if on none
EFFORT = 3  # nodes, times SHIFT; plus the deepest depth times 1024; plus the least one
ENTRY_LENGTH = 4

SHIFT = 1 << 30
PLACES = 4  # where an entry may lie, one after the other

INFINITE = 1 << 28
"""A proof number: there is no proof. A disproof number: there is no disproof."""

UNTIED = 1023
"""A depth that no path has: what rests on it rests on nothing."""


@kernel
def find_entry(table: Words, key: int) -> int:
    """Return the row of a key, or -1."""
    mask = len(table) - PLACES - 1  # There is a power of two of them, and a few more.
    first = key & mask
    for row in range(first, first + PLACES):
        if table[row, ENTRY_KEY] == key:
            return row
    return -1


@kernel
def store(
    table: Words,
    key: int,
    proof: int,
    disproof: int,
    effort: int,
    visit: int,
    deepest: int,
    least: int,
) -> None:
    """Keep what was found about a position, in place of what took the least effort."""
    mask = len(table) - PLACES - 1  # There is a power of two of them, and a few more.
    first = key & mask
    chosen, least_effort = first, int(table[first, EFFORT])
    for row in range(first, first + PLACES):
        if table[row, ENTRY_KEY] == key:
            chosen = row
            effort = max(effort, int(table[row, EFFORT]) // SHIFT)
            break
        if int(table[row, EFFORT]) < least_effort:
            chosen, least_effort = row, int(table[row, EFFORT])
    table[chosen, ENTRY_KEY] = key
    table[chosen, PROOF] = proof * SHIFT + disproof
    table[chosen, VISIT] = visit
    table[chosen, EFFORT] = min(effort, SHIFT) * SHIFT + deepest * 1024 + least
