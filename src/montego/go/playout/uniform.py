"""The uniform playout: any legal move with equal chances, except into one's own eye.

The hottest loop of the program. What makes it fast is measured in ``benchmarks/``: the position in
one array at constant offsets, unsigned indices, tests without branches where the outcome is as good
as random, and no work for what a playout does not need (hash, captures by color, list slots).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import eye_balance, is_enclosed, is_eye
from montego.go.kernels.layout import (
    BALANCE,
    CAPTURED,
    EMPTY_COUNT,
    FIRST_EMPTY,
    KO,
    ONE,
    PASS,
    PASSES,
    TO_PLAY,
)
from montego.go.kernels.position import is_legal, place
from montego.go.playout.reason import Reason, record
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, TRACE, advance, draw

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_FOUR = Index(4)
_PASS, _RANDOM = int(Reason.PASS), int(Reason.RANDOM)


@kernel(inline=True)
def _play_out(state: State, scratch: Scratch, diagonals: bool) -> int:
    """Play to the end and return Black's area minus White's. See :func:`uniform`."""
    random = Index(scratch[RANDOM])
    limit = Index(scratch[LIMIT])
    first = Index(state[FIRST_EMPTY])
    end = first + Index(state[EMPTY_COUNT])
    ko = Index(state[KO])
    passes = state[PASSES]
    color = state[TO_PLAY]
    balance = state[BALANCE]
    length = Index(0)

    while length < limit and passes < 2:
        # Draw a move. What turns out unplayable is moved behind those still to draw from, so that
        # each playable move has the same chance.
        move, slot, left = PASS, first, end - first
        while left > Index(0):
            random = advance(random)
            slot = first + draw(random, left)
            point = Index(state[slot])
            eye = is_eye(state, point, color) if diagonals else is_enclosed(state, point, color)
            if not eye and is_legal(state, point, color, ko):
                move = point
                break
            left -= ONE
            state[slot] = state[first + left]
            state[first + left] = point

        record(scratch, length, move, _RANDOM if move != PASS else _PASS)
        length += ONE
        ko = PASS
        if move == PASS:
            passes += 1
            color = _BOTH - color
            continue
        passes = 0

        # Play it. The list's slots are not kept: nothing in a playout asks for them.
        end -= ONE
        state[slot] = state[end]
        after, ko = place(state, move, color, end)
        gain = 1 + int(after - end)
        balance += gain if color == BLACK else -gain
        end = after
        color = _BOTH - color

    scratch[RANDOM] = random
    scratch[LENGTH] = length
    return int(balance) + eye_balance(state, first, end)


@kernel
def uniform(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Play uniformly random moves to the end; return Black's area minus White's, without komi.

    Eyes, judged by their diagonals, are not filled, suicide is not played, only simple ko is
    known. Ends after two passes, or after ``scratch[LIMIT]`` moves. Afterwards only the stones and
    the trace in *scratch* are meaningful: header and list slots of *state* are out of date.
    """
    return _play_out(state, scratch, True)


@kernel
def uniform_enclosed(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """As :func:`uniform`, with the eye of document 000: only a single chain's eye is spared."""
    return _play_out(state, scratch, False)


@kernel
def uniform_prisoners(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """As :func:`uniform_enclosed`, counted as document 000 counts (2.1): prisoners, empty points.

    Prisoners of the moves before the playout are among them.
    """
    score = int(state[CAPTURED + Index(WHITE)]) - int(state[CAPTURED + Index(BLACK)])
    before, color = int(state[BALANCE]), int(state[TO_PLAY])
    # On the board is what was there, what was placed, and not what was taken.
    score += int(_play_out(state, scratch, False)) - before
    for time in range(Index(scratch[LENGTH])):
        if Index(scratch[Index(TRACE) + Index(time)]) != PASS:
            score += -1 if color == BLACK else 1
        color = _BOTH - color
    return score
