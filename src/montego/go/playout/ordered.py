"""The sequence-like playout with its rules in any order (:mod:`montego.go.playout.order`).

Document 001 asks four rules one after the other, document 003 lets escapes and captures on the
whole board, patterns and an empty area compete by the stones at stake. Both are orders; the playout
around them is that of :mod:`montego.go.playout.sequence`, and so are retaking a ko and what happens
to a self-atari that was drawn at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import FIRST_EMPTY, ONE, PASS
from montego.go.kernels.patterns import code_of
from montego.go.kernels.suggestion import (
    suggest_capture,
    suggest_captures_anywhere,
    suggest_eye_fix,
    suggest_nakade,
    suggest_patterns,
    suggest_rescue,
    suggest_rescues_anywhere,
    suggest_two_liberties,
)
from montego.go.playout.knowledge import (
    ORDER,
    ORDER_ENOUGH,
    ORDER_FILL_BOARD,
    ORDER_WEIGHTS,
    RATE_ATARI,
    RATE_CAPTURE,
    RATE_EYE_FIX,
    RATE_LADDER,
    RATE_NAKADE,
    RATE_PATTERN,
    RATE_TWO_LIBERTIES,
)
from montego.go.playout.order import JOINED, RULES, STEPS, WEIGHTS
from montego.go.playout.reason import Reason
from montego.go.playout.sequence import answer, chance, sequence, sequence_room
from montego.jit import kernel, specialize
from montego.jit.index import Index
from montego.jit.state import draw_below, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

(
    _CAPTURE,
    _ATARI,
    _TWO_LIBERTIES,
    _EYE_FIX,
    _NAKADE,
    _PATTERN,
    _FILL_BOARD,
    _CAPTURE_ANY,
    _ATARI_ANY,
    _PATTERN_LAST,
) = range(1, len(RULES) + 1)

_ALIKE, _STONES, _ = range(len(WEIGHTS))

# Behind a weight in the queue stands the reason, this many bits higher.
_REASON_BITS = Index(32)
_WEIGHT_MASK = Index((1 << 32) - 1)

_PASS, _FILLS = int(Reason.PASS), int(Reason.FILL_BOARD)
_CAPTURES, _SAVES = int(Reason.CAPTURE), int(Reason.ATARI)
_PRESSES, _FIXES = int(Reason.TWO_LIBERTIES), int(Reason.EYE_FIX)
_VITAL, _SHAPE = int(Reason.NAKADE), int(Reason.PATTERN)


def in_order_room(size: int) -> int:
    """Return the playout's own scratch space: that of the usual order."""
    return sequence_room(size)


@kernel(inline=True)
def is_asked(scratch: Scratch, rate: float, certain: bool) -> bool:
    """Say whether a rule is asked: at its rate, or always, if there is one, where it is certain."""
    return rate > 0.0 if certain else chance(scratch, rate)


@kernel
def ask_rule(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    rule: int,
    count: int,
    color: int,
    last: int,
    before: int,
    ko: int,
    empties: int,
    certain: bool,
) -> tuple[int, int]:
    """Let one rule add its moves to the queue; return how many there are, and its reason."""
    capture, atari = float(knowledge[RATE_CAPTURE]), float(knowledge[RATE_ATARI])
    pattern = float(knowledge[RATE_PATTERN])
    if rule == _CAPTURE_ANY:
        if is_asked(scratch, capture, certain):
            count = suggest_captures_anywhere(state, scratch, count, color, ko, empties)
        return count, _CAPTURES
    if rule == _ATARI_ANY:
        if is_asked(scratch, atari, certain):
            ladders = is_asked(scratch, float(knowledge[RATE_LADDER]), certain)
            count = suggest_rescues_anywhere(state, scratch, count, color, ko, empties, ladders)
        return count, _SAVES
    if last == PASS:
        return count, _PASS
    if rule == _CAPTURE:
        if is_asked(scratch, capture, certain):
            count = suggest_capture(state, scratch, count, color, last, ko)
        return count, _CAPTURES
    if rule == _ATARI:
        if is_asked(scratch, atari, certain):
            ladders = is_asked(scratch, float(knowledge[RATE_LADDER]), certain)
            count = suggest_rescue(state, scratch, count, color, last, ko, empties, ladders)
        return count, _SAVES
    if rule == _TWO_LIBERTIES:
        if is_asked(scratch, float(knowledge[RATE_TWO_LIBERTIES]), certain):
            count = suggest_two_liberties(state, scratch, count, color, last, ko)
        return count, _PRESSES
    if rule == _EYE_FIX:
        if is_asked(scratch, float(knowledge[RATE_EYE_FIX]), certain):
            count = suggest_eye_fix(state, scratch, count, color, last, ko)
        return count, _FIXES
    if rule == _NAKADE:
        if is_asked(scratch, float(knowledge[RATE_NAKADE]), certain):
            count = suggest_nakade(state, scratch, count, color, last, ko)
        return count, _VITAL
    if is_asked(scratch, pattern, certain):
        count = suggest_patterns(state, knowledge, scratch, count, color, last, ko)
        if rule == _PATTERN and before != PASS:
            count = suggest_patterns(state, knowledge, scratch, count, color, before, ko)
    return count, _SHAPE


@kernel
def note_reasons(scratch: Scratch, begin: int, count: int, reason: int, weights: int) -> int:
    """Write the reason behind the weights from *begin* on, and return how many moves there are.

    *weights* is how they are weighed. Where all are alike each weighs 1 and none comes twice.
    """
    queue = room_of(scratch)
    kept = begin
    alike = weights == _ALIKE
    for number in range(begin, count):
        place = queue + Index(2) * Index(number)
        move, weight = Index(scratch[place]), Index(scratch[place + ONE])
        if alike or (weights == _STONES and reason == _SHAPE):
            weight = Index(1)
        if alike:
            known = False
            for other in range(kept):
                known |= Index(scratch[queue + Index(2) * Index(other)]) == move
            if known:
                continue
        target = queue + Index(2) * Index(kept)
        scratch[target] = move
        scratch[target + ONE] = weight | (Index(reason) << _REASON_BITS)
        kept += 1
    return kept


@kernel(inline=True)
def weight_of(scratch: Scratch, count: int) -> int:
    """Return the weight of all moves in the queue together."""
    queue = room_of(scratch)
    total = Index(0)
    for number in range(count):
        total += Index(scratch[queue + Index(2) * Index(number) + ONE]) & _WEIGHT_MASK
    return total


@kernel
def ask_in_order(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    ko: int,
    empties: int,
    certain: bool,
) -> tuple[int, int]:
    """Let the rules fill the queue until it is enough; return how many moves, and an empty area.

    The second is PASS unless an empty 3x3 area was looked for and found: then that is the move.
    Where all is *certain* every rule with a rate above 0 is asked, and no area is looked for.
    """
    weights = int(knowledge[ORDER_WEIGHTS])
    enough = Index(int(knowledge[ORDER_ENOUGH]))
    count = 0
    for place in range(STEPS):
        step = int(knowledge[ORDER + Index(place)])
        if step == 0:
            break
        rule = step % JOINED
        if rule == _FILL_BOARD:
            first = Index(state[FIRST_EMPTY])
            for _ in range(0 if certain else int(knowledge[ORDER_FILL_BOARD])):
                point = Index(state[first + draw_below(scratch, Index(empties))])
                if code_of(state, point) == Index(0):
                    return count, point
        else:
            begin = count
            count, reason = ask_rule(
                state,
                knowledge,
                scratch,
                rule,
                count,
                color,
                last,
                before,
                ko,
                empties,
                certain,
            )
            count = note_reasons(scratch, begin, count, reason, weights)
        if step < JOINED and count > 0 and weight_of(scratch, count) >= enough:
            break
    return count, PASS


@kernel
def answer_in_order(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    ko: int,
    empties: int,
) -> tuple[int, int]:
    """As :func:`montego.go.playout.sequence.answer`, by the order in the knowledge."""
    if empties == 0:
        return PASS, _PASS
    count, area = ask_in_order(state, knowledge, scratch, color, last, before, ko, empties, False)
    if area != PASS:
        return area, _FILLS
    if count == 0:
        return PASS, _PASS
    queue = room_of(scratch)
    left = draw_below(scratch, weight_of(scratch, count))
    for number in range(count):
        place = queue + Index(2) * Index(number)
        word = Index(scratch[place + ONE])
        weight = word & _WEIGHT_MASK
        if left < weight:
            return Index(scratch[place]), int(np.int64(word >> _REASON_BITS))
        left -= weight
    return PASS, _PASS


in_order = specialize(sequence, "in_order", {answer: answer_in_order})
"""The playout: :func:`montego.go.playout.sequence.sequence` with these answers."""
