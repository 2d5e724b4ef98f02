"""The sequence-like playout: moves that answer the last ones, and random moves otherwise.

Document 001 (3.6) and 003 describe it after the program MoGo: save what is in atari, look for
patterns around the last move, capture, else play at random. The rules are in
:mod:`montego.go.kernels.suggestion`, how often each is tried in
:class:`montego.go.playout.rates.Rates`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import eye_balance, is_eye
from montego.go.kernels.layout import (
    AROUND,
    AROUND_EMPTY,
    BALANCE,
    BEFORE_LAST,
    EMPTY_COUNT,
    FIRST_EMPTY,
    KO,
    LAST,
    ONE,
    PASS,
    PASSES,
    SLOT,
    TO_PLAY,
    neighbors,
    state_length,
)
from montego.go.kernels.patterns import code_of
from montego.go.kernels.position import count_around, is_legal, place
from montego.go.kernels.suggestion import (
    QUEUE_ROOM,
    pick,
    suggest_capture,
    suggest_eye_fix,
    suggest_nakade,
    suggest_patterns,
    suggest_rescue,
    suggest_two_liberties,
)
from montego.go.kernels.tactics import is_self_atari, liberties_after, liberties_of
from montego.go.playout.knowledge import (
    RATE_ATARI,
    RATE_CAPTURE,
    RATE_EYE_FIX,
    RATE_FILL_BOARD,
    RATE_KO,
    RATE_LADDER,
    RATE_NAKADE,
    RATE_PATTERN,
    RATE_SELF_ATARI,
    RATE_TWO_LIBERTIES,
)
from montego.go.playout.reason import Reason, record
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, advance, draw, draw_below, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_FOUR = Index(4)
_KO_AGE = 3  # Moves within which a ko is retaken.


# As compiled code takes them.
_PASS, _RANDOM, _KO = int(Reason.PASS), int(Reason.RANDOM), int(Reason.KO)
_CAPTURE, _ATARI = int(Reason.CAPTURE), int(Reason.ATARI)
_TWO_LIBERTIES, _EYE_FIX = int(Reason.TWO_LIBERTIES), int(Reason.EYE_FIX)
_NAKADE, _PATTERN = int(Reason.NAKADE), int(Reason.PATTERN)
_FILL_BOARD, _OTHER_LIBERTY = int(Reason.FILL_BOARD), int(Reason.OTHER_LIBERTY)


def sequence_room(size: int) -> int:
    """Return the playout's own scratch space: the queue, and a board to read ladders on."""
    return QUEUE_ROOM + state_length(size)


@kernel(inline=True)
def chance(scratch: Scratch, rate: float) -> bool:
    """Say yes at that rate. Certain answers cost no random number."""
    if rate >= 1.0:
        return True
    if rate <= 0.0:
        return False
    random = advance(Index(scratch[RANDOM]))
    scratch[RANDOM] = random
    return float(random >> Index(32)) < rate * 4294967296.0


@kernel
def answer(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    ko: int,
    empties: int,
) -> tuple[int, int]:
    """Return a move near the last ones and its :class:`Reason`, or PASS if no rule has one."""
    if last == PASS:
        return PASS, _PASS
    count = 0
    if chance(scratch, float(knowledge[RATE_CAPTURE])):
        count = suggest_capture(state, scratch, count, color, last, ko)
    captures = count
    if chance(scratch, float(knowledge[RATE_ATARI])):
        ladders = chance(scratch, float(knowledge[RATE_LADDER]))
        count = suggest_rescue(state, scratch, count, color, last, ko, empties, ladders)
    if count > 0:
        move = pick(scratch, count)
        # One move at most captures what was just played, and it is the first in the queue.
        taken = captures > 0 and move == Index(scratch[room_of(scratch)])
        return move, _CAPTURE if taken else _ATARI
    if chance(scratch, float(knowledge[RATE_TWO_LIBERTIES])):
        count = suggest_two_liberties(state, scratch, count, color, last, ko)
        if count > 0:
            return pick(scratch, count), _TWO_LIBERTIES
    if chance(scratch, float(knowledge[RATE_EYE_FIX])):
        count = suggest_eye_fix(state, scratch, count, color, last, ko)
        if count > 0:
            return pick(scratch, count), _EYE_FIX
    if chance(scratch, float(knowledge[RATE_NAKADE])):
        count = suggest_nakade(state, scratch, count, color, last, ko)
        if count > 0:
            return pick(scratch, count), _NAKADE
    if chance(scratch, float(knowledge[RATE_PATTERN])):
        count = suggest_patterns(state, knowledge, scratch, count, color, last, ko)
        if before != PASS:
            count = suggest_patterns(state, knowledge, scratch, count, color, before, ko)
        if count > 0:
            return pick(scratch, count), _PATTERN
    return PASS, _PASS


@kernel(inline=True)
def puts_into_atari(state: State, point: int, color: int) -> bool:
    """Say whether a stone of *color* takes the last but one liberty of an enemy chain."""
    for near in neighbors(point):
        if state[near] == _BOTH - color:
            count, _, _ = liberties_of(state, near)
            if count == 2:
                return True
    return False


@kernel
def sensible(
    state: State, knowledge: Knowledge, scratch: Scratch, point: int, color: int, ko: int
) -> int:
    """Return the move to play when *point* was drawn at random: itself, another liberty, or PASS.

    PASS stands for a self-atari that is refused, at a rate; one that puts the enemy into atari is
    not. If it would have joined a chain, that chain's other liberty may be the better move.
    """
    if state[point + AROUND] >= 2 * AROUND_EMPTY:
        return point
    if not chance(scratch, float(knowledge[RATE_SELF_ATARI])):
        return point
    count, other = liberties_after(state, point, color, 2)
    if count >= 2 or puts_into_atari(state, point, color):
        return point
    joins = False
    for near in neighbors(point):
        joins |= state[near] == color
    if (
        joins
        and count == 1
        and state[other] == EMPTY
        and is_legal(state, other, color, ko)
        and not is_eye(state, other, color)
        and not is_self_atari(state, other, color)
    ):
        return other
    return PASS


@kernel
def sequence(state: State, knowledge: Knowledge, scratch: Scratch) -> int:
    """Play to the end by the rules; return Black's area minus White's, without komi.

    Eyes, judged by their diagonals, are not filled except to save a chain in atari, suicide is not
    played, only simple ko is known. Ends after two passes, or after ``scratch[LIMIT]`` moves.
    Afterwards only the stones and the trace in *scratch* are meaningful.
    """
    limit = Index(scratch[LIMIT])
    first = Index(state[FIRST_EMPTY])
    end = first + Index(state[EMPTY_COUNT])
    ko = Index(state[KO])
    passes = state[PASSES]
    color = state[TO_PLAY]
    balance = state[BALANCE]
    last, before = Index(state[LAST]), Index(state[BEFORE_LAST])
    retake, retake_until = PASS, Index(0)
    tries = int(knowledge[RATE_FILL_BOARD])
    length = Index(0)

    while length < limit and passes < 2:
        move, reason = PASS, _PASS
        if (
            retake != PASS
            and length < retake_until
            and state[retake] == EMPTY
            and retake != ko
            and is_legal(state, retake, color, ko)
            and count_around(state[retake + AROUND], _BOTH - color) == _FOUR
            and chance(scratch, float(knowledge[RATE_KO]))
        ):
            move, reason = retake, _KO
        if move == PASS:
            empties = int(end - first)
            move, reason = answer(state, knowledge, scratch, color, last, before, ko, empties)
        if move == PASS and tries > 0:
            for _ in range(tries):
                point = Index(state[first + draw_below(scratch, end - first)])
                if code_of(state, point) == Index(0):
                    move, reason = point, _FILL_BOARD
                    break
        if move == PASS:
            # Draw a move. What turns out unplayable is moved behind those still to draw from.
            left = end - first
            random = Index(scratch[RANDOM])
            while left > Index(0):
                random = advance(random)
                slot = first + draw(random, left)
                point = Index(state[slot])
                if not is_eye(state, point, color) and is_legal(state, point, color, ko):
                    scratch[RANDOM] = random
                    move = sensible(state, knowledge, scratch, point, color, ko)
                    random = Index(scratch[RANDOM])
                    if move != PASS:
                        reason = _RANDOM if move == point else _OTHER_LIBERTY
                        break
                left -= ONE
                other = Index(state[first + left])
                state[slot] = other
                state[other + SLOT] = slot
                state[first + left] = point
                state[point + SLOT] = first + left
            scratch[RANDOM] = random

        record(scratch, length, move, reason)
        length += ONE
        ko = PASS
        before, last = last, move
        if move == PASS:
            passes += 1
            color = _BOTH - color
            continue
        passes = 0

        # Play it. Points keep their slots in the list: rules name moves by their point.
        end -= ONE
        slot = Index(state[move + SLOT])
        other = Index(state[end])
        state[slot] = other
        state[other + SLOT] = slot
        after, ko = place(state, move, color, end)
        gain = 1 + int(after - end)
        balance += gain if color == BLACK else -gain
        if ko != PASS:
            retake, retake_until = ko, length + Index(_KO_AGE)
        end = after
        color = _BOTH - color

    scratch[LENGTH] = length
    return int(balance) + eye_balance(state, first, end)
