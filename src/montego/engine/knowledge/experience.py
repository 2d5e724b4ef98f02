"""What is known of single positions, as kernels read it: a hash table within a game's knowledge.

A search cannot ask a book while it runs. What the book knows at and below the root is written here
first (:mod:`montego.engine.book`), and each node that is expanded looks itself up.

The table begins at ``knowledge[EXPERIENCE]``, in numbers like all knowledge::

    slots | key entry | key entry | ... | entries

A slot is a key and the index of its entry, or 0 and 0. An entry is the number of its moves, then
for each the point, mean value, visits, mean AMAF value and AMAF visits. Positions lie as they lie
on the board in play: their keys are hashes of the real position, not of its canonical orientation,
and 48 bits of them, because a float holds no more exactly than 53.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.go.kernels.layout import KO, PASSES, TO_PLAY
from montego.go.kernels.position import position_hash
from montego.go.playout.knowledge import EXPERIENCE
from montego.go.vocabulary.color import WHITE
from montego.jit import kernel
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

SLOTS = 1 << 11
"""Slots of the table, a power of two; never more than half of them are in use."""

ROOM = 1 << 17
"""Numbers that a table may take, entries included: a megabyte."""

FIELDS = 5
"""Numbers for each move of an entry."""

POINT, VALUE, VISITS, AMAF_VALUE, AMAF_VISITS = range(FIELDS)

_FIRST_SLOT = 1
_FIRST_ENTRY = _FIRST_SLOT + 2 * SLOTS

# Any numbers will do.
_WHITE_TO_PLAY = Index(0xD1B54A32D192ED03)
_PASSED = Index(0x8CB92BA72F3D8DD7)
_KO_SHIFT = Index(20)  # Above the bits that the key leaves away.
_KEPT = Index(16)  # Bits of the hash that the key leaves away.
_ONE, _TWO = Index(1), Index(2)
_MASK = Index(SLOTS - 1)
_STEP = Index(FIELDS)


@kernel
def key_of(state: State) -> int:
    """Return the table's key of a position: stones, player to move, ko, and whether one passed.

    From 1 to 2^48 - 1.
    """
    value = Index(position_hash(state))
    if state[TO_PLAY] == WHITE:
        value ^= _WHITE_TO_PLAY
    if state[PASSES] == 1:
        value ^= _PASSED
    value ^= Index(state[KO]) << _KO_SHIFT
    key = value >> _KEPT
    return key if key != Index(0) else _ONE


@kernel
def recall(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
    count: int,
    values: NDArray[Any],
    visits: NDArray[Any],
    amaf_values: NDArray[Any],
    amaf_visits: NDArray[Any],
) -> None:
    """Write what the table knows of the moves of a position, if it knows the position.

    Moves of the table that are not among *moves* are passed over.
    """
    table = Index(knowledge[EXPERIENCE])
    if table == Index(0) or knowledge[table] == 0.0:
        return
    key = Index(key_of(state))
    slot = key & _MASK
    while True:
        place = table + _ONE + _TWO * slot
        if knowledge[place] == float(key):
            break
        if knowledge[place] == 0.0:
            return
        slot = (slot + _ONE) & _MASK
    entry = Index(knowledge[place + _ONE])
    listed = int(knowledge[entry])
    known = entry + _ONE
    for _ in range(listed):
        point = int(knowledge[known])
        for rank in range(count):
            if moves[rank] == point:
                values[rank] = knowledge[known + Index(VALUE)]
                visits[rank] = knowledge[known + Index(VISITS)]
                amaf_values[rank] = knowledge[known + Index(AMAF_VALUE)]
                amaf_visits[rank] = knowledge[known + Index(AMAF_VISITS)]
                break
        known += _STEP


def write_experience(knowledge: Knowledge, entries: Mapping[int, NDArray[np.float64]]) -> int:
    """Replace the table in *knowledge* by these entries, and return how many there was room for.

    An entry is an array with a row for each move, as the module says; it stands under what
    :func:`key_of` makes of its position. The first come first.
    """
    table = int(knowledge[EXPERIENCE])
    slots = knowledge[table + _FIRST_SLOT : table + _FIRST_ENTRY]
    slots[:] = 0.0
    beyond = len(knowledge)
    place, written = table + _FIRST_ENTRY, 0
    for key, entry in entries.items():
        numbers = entry.size
        if place + 1 + numbers > beyond or 2 * (written + 1) > SLOTS:
            break
        slot = key & (SLOTS - 1)
        while slots[2 * slot] != 0.0:
            slot = (slot + 1) & (SLOTS - 1)
        slots[2 * slot] = key
        slots[2 * slot + 1] = place
        knowledge[place] = len(entry)
        knowledge[place + 1 : place + 1 + numbers] = entry.reshape(-1)
        place += 1 + numbers
        written += 1
    knowledge[table] = float(written)
    return written
