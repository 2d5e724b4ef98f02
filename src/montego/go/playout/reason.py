"""Why a playout made a move: one enumeration for every policy, and how a move is written down.

A playout says its reasons as it goes, to :func:`record`, which forgets them: compiled, that costs
nothing. :mod:`montego.go.playout.trace` runs the same source with a :func:`record` that keeps
them, so what it shows cannot differ from what is played.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import TRACE

if TYPE_CHECKING:
    from montego.jit.state import Scratch


class Reason(IntEnum):
    """How a move of a playout came about. Those between KO and FILL_BOARD are named as the rates.

    The urgency-based playout draws from one sum of urgencies: its reason is that of the part which
    the draw fell into.
    """

    PASS = 0
    RANDOM = 1
    KO = 2
    CAPTURE = 3
    ATARI = 4
    TWO_LIBERTIES = 5
    EYE_FIX = 6
    NAKADE = 7
    PATTERN = 8
    FILL_BOARD = 9
    OTHER_LIBERTY = 10

    @property
    def label(self) -> str:
        """The name as people read and type it."""
        return self.name.lower().replace("_", "-")

    @property
    def meaning(self) -> str:
        """The reason in words, as the end of a sentence about the move."""
        return _MEANINGS[self]


_MEANINGS = {
    Reason.PASS: "there is no move left that makes sense",
    Reason.RANDOM: "it was drawn at random",
    Reason.KO: "it takes back a ko",
    Reason.CAPTURE: "it captures stones",
    Reason.ATARI: "it saves stones from capture",
    Reason.TWO_LIBERTIES: "it attacks or defends a chain with two liberties",
    Reason.EYE_FIX: "it keeps an eye from becoming false",
    Reason.NAKADE: "it is the vital point of an eye space",
    Reason.PATTERN: "it makes a shape that is a 3x3 pattern",
    Reason.FILL_BOARD: "it is in an empty part of the board",
    Reason.OTHER_LIBERTY: "the random move was a self-atari, and this is the chain's other liberty",
}


@kernel(inline=True)
def record(scratch: Scratch, length: int, move: int, reason: int) -> None:  # noqa: ARG001
    """Write a playout's next move into the trace, after *length* others. The reason is dropped."""
    scratch[Index(TRACE) + length] = move


@kernel(inline=True)
def is_traced() -> bool:
    """Say whether reasons are kept: not here, so compiled code works out none that take time."""
    return False
