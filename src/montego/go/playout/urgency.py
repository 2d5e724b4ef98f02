"""The urgency-based playout: every move may come, the more urgent ones more often.

Document 003 names it as the alternative to sequences, after Bouzy; 001 (3.6) tells that the first
Crazy Stone played like this. A move's urgency is 1, and more for stones that it captures,
for stones that it saves from capture, and for a 3x3 pattern. All moves are judged again at each
turn, which makes these playouts several times slower than sequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import eye_balance, is_eye
from montego.go.kernels.layout import (
    BALANCE,
    EMPTY_COUNT,
    FIRST_EMPTY,
    HEAD,
    KO,
    LIBERTIES,
    NEXT,
    ONE,
    PASS,
    PASSES,
    STONES,
    TO_PLAY,
    neighbors,
)
from montego.go.kernels.patterns import HEAVIEST, PATTERNS, weight_at
from montego.go.kernels.position import is_legal, place
from montego.go.kernels.tactics import liberties_after, only_liberty
from montego.go.playout.reason import Reason, is_traced, record
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, advance, draw, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_PASS, _RANDOM, _PATTERN = int(Reason.PASS), int(Reason.RANDOM), int(Reason.PATTERN)
_CAPTURE, _ATARI = int(Reason.CAPTURE), int(Reason.ATARI)

# Urgencies are whole numbers: a move for which nothing speaks has this one.
PLAIN = HEAVIEST

# What speaks for a move, in plain moves.
CAPTURE = 20  # each stone captured
ESCAPE = 15  # each stone saved
PATTERN = 10  # a pattern of weight 1


def urgency_room(size: int) -> int:
    """Return the playout's own scratch space: a number for each empty point."""
    return size * size


@kernel
def saved_by_capture(state: State, captive: int, color: int, point: int) -> int:
    """Return how many stones of *color*, in atari elsewhere, a capture of that chain saves.

    A chain that is met again after another one is counted again.
    """
    saved = 0
    before = PASS
    at = captive
    while True:
        for near in neighbors(at):
            if state[near] == color:
                head = Index(state[near + HEAD])
                if head != before and state[head + LIBERTIES] <= 4:
                    before = head
                    liberty = only_liberty(state, near)
                    if liberty != PASS and liberty != point:  # noqa: PLR1714
                        saved += int(state[head + STONES])
        at = Index(state[at + NEXT])
        if at == captive:
            return saved


@kernel(inline=True)
def stones_at_stake(state: State, point: int, color: int) -> tuple[int, int]:
    """Return how many stones a legal move captures, and how many it saves from capture."""
    captured, saved = 0, 0
    head_a, head_b, head_c = PASS, PASS, PASS
    for near in neighbors(point):
        there = state[near]
        if there in (BLACK, WHITE):  # Numba has no sets of these.
            head = Index(state[near + HEAD])
            # A chain on several sides of the point counts once.
            seen = (head == head_a) | (head == head_b) | (head == head_c)
            head_a, head_b, head_c = head, head_a, head_b
            # Few chains have so few pseudo-liberties that they may be in atari.
            if not seen and state[head + LIBERTIES] <= 4 and only_liberty(state, near) == point:
                if there == color:
                    saved += int(state[head + STONES])
                else:
                    captured += int(state[head + STONES])
                    saved += saved_by_capture(state, head, color, point)
    if saved > 0 and captured == 0 and liberties_after(state, point, color, 2)[0] < 2:
        saved = 0  # It runs from atari into atari.
    return captured, saved


@kernel
def urgency_of(state: State, knowledge: Knowledge, point: int, color: int) -> int:
    """Return how urgent a legal move is, PLAIN or more."""
    captured, saved = stones_at_stake(state, point, color)
    urgency = PLAIN * (1 + CAPTURE * captured + ESCAPE * saved)
    return urgency + PATTERN * weight_at(state, knowledge, PATTERNS, point, color)


@kernel
def reason_of(state: State, point: int, color: int, drawn: int) -> int:
    """Return the :class:`Reason` of a move: the part of its urgency that a draw fell into.

    *drawn* counts from 0 within the urgency; the parts lie in the order in which they are named.
    """
    captured, saved = stones_at_stake(state, point, color)
    plain = Index(PLAIN)
    captures = plain + Index(PLAIN * CAPTURE * captured)
    escapes = captures + Index(PLAIN * ESCAPE * saved)
    if drawn < plain:
        return _RANDOM
    if drawn < captures:
        return _CAPTURE
    return _ATARI if drawn < escapes else _PATTERN


@kernel
def urgency(state: State, knowledge: Knowledge, scratch: Scratch) -> int:
    """Play moves drawn by their urgency; return Black's area minus White's, without komi.

    Eyes, judged by their diagonals, are not filled, suicide is not played, only simple ko is
    known. Ends after two passes, or after ``scratch[LIMIT]`` moves. Afterwards only the stones and
    the trace in *scratch* are meaningful: header and list slots of *state* are out of date.
    """
    random = Index(scratch[RANDOM])
    limit = Index(scratch[LIMIT])
    urgencies = room_of(scratch)
    first = Index(state[FIRST_EMPTY])
    end = first + Index(state[EMPTY_COUNT])
    ko = Index(state[KO])
    passes = state[PASSES]
    color = state[TO_PLAY]
    balance = state[BALANCE]
    length = Index(0)

    while length < limit and passes < 2:
        # Judge every move; one that may not be played, or fills an eye, is not urgent at all.
        total = Index(0)
        for number in range(end - first):
            point = Index(state[first + Index(number)])
            urgent = Index(0)
            if not is_eye(state, point, color) and is_legal(state, point, color, ko):
                urgent = Index(urgency_of(state, knowledge, point, color))
            scratch[urgencies + Index(number)] = urgent
            total += urgent

        # Draw one.
        move, slot, reason = PASS, first, _PASS
        if total > Index(0):
            random = advance(random)
            left = draw(random, total)
            urgent = Index(scratch[urgencies])
            while left >= urgent:
                left -= urgent
                slot += ONE
                urgent = Index(scratch[urgencies + (slot - first)])
            move = Index(state[slot])
            if is_traced():
                reason = reason_of(state, move, color, left)

        record(scratch, length, move, reason)
        length += ONE
        ko = PASS
        if move == PASS:
            passes += 1
            color = _BOTH - color
            continue
        passes = 0

        # Play it. The list's slots are not kept: nothing in this playout asks for them.
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
