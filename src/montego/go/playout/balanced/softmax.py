"""The balanced playout: every move may come, as often as learned weights say.

The urgency-based playout with its weights learned instead of typed. The weight of a move is a
product: of one factor for the 3x3 shape around it and one for each *trait* that it has, all
exponentials of what ``montego learn balance`` learns, so that moves are drawn by a softmax. After
D. Silver and G. Tesauro, "Monte-Carlo simulation balancing" (2009), and S. Huang, R. Coulom and
S. Lin, "Monte-Carlo simulation balancing in practice" (2010).

Weights of shapes are kept for both players and change only around stones that come or go; traits
are looked for near the last two moves, by the rules of the sequence-like playout. Whether a move is
legal, an eye or a self-atari is asked only once it is drawn, and if it may not be or is refused
another one is: which gives the same chances as weighing all of them.
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
    diagonals,
    neighbors,
    state_length,
)
from montego.go.kernels.patterns import code_of, swap_colors
from montego.go.kernels.position import is_legal, place
from montego.go.kernels.suggestion import (
    QUEUE_ROOM,
    suggest_capture,
    suggest_eye_fix,
    suggest_nakade,
    suggest_rescue,
    suggest_two_liberties,
)
from montego.go.kernels.tactics import liberties_after
from montego.go.playout.balanced.weights import (
    BESIDE_BEFORE,
    BESIDE_LAST,
    CAPTURE,
    EYE_FIX,
    HEAVY,
    NAKADE,
    PLAIN,
    RESCUE,
    SELF_ATARI,
    TRAITS,
    TWO_LIBERTIES,
    packed_balance,
)
from montego.go.playout.knowledge import BALANCED
from montego.go.playout.reason import Reason, is_traced, record
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, advance, draw, room_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_PLAIN = Index(PLAIN)
_TWO = Index(2)
_MOST = 8_000_000.0  # that a move weighs: 361 of them can still be drawn from
_NO_TRAIT = Index(TRAITS)  # of a suggestion that was made before

_PASS, _RANDOM = int(Reason.PASS), int(Reason.RANDOM)
_CAPTURES, _SAVES = int(Reason.CAPTURE), int(Reason.ATARI)
_PRESSES, _FIXES, _VITAL = int(Reason.TWO_LIBERTIES), int(Reason.EYE_FIX), int(Reason.NAKADE)


def balanced_room(size: int) -> int:
    """Return the playout's own scratch space.

    The queue of the rules, a board to read ladders on, a board of weights for each player, and a
    weight for each empty point.
    """
    return QUEUE_ROOM + 3 * state_length(size) + size * size


def balanced_weights() -> NDArray[np.float64]:
    """Return the weights that come along, for a game's knowledge."""
    return packed_balance()


@kernel(inline=True)
def weigh_shape(state: State, knowledge: Knowledge, scratch: Scratch, boards: int, at: int) -> None:
    """Write what an empty point's shape weighs for each player; Black's board comes first."""
    begin = Index(knowledge[BALANCED])
    black, white = _PLAIN, _PLAIN
    if begin > Index(0):
        code = code_of(state, at)
        shapes = begin + Index(TRAITS)
        black = Index(knowledge[shapes + code])
        white = Index(knowledge[shapes + swap_colors(code)])
    scratch[boards + at] = black
    scratch[boards + Index(len(state)) + at] = white


@kernel
def weigh_around(
    state: State, knowledge: Knowledge, scratch: Scratch, boards: int, point: int
) -> None:
    """Weigh the shapes anew that a point is part of, after it has changed."""
    for near in neighbors(point):
        if state[near] == EMPTY:
            weigh_shape(state, knowledge, scratch, boards, near)
    for near in diagonals(point):
        if state[near] == EMPTY:
            weigh_shape(state, knowledge, scratch, boards, near)


@kernel
def ask_rules(state: State, scratch: Scratch, color: int, last: int, ko: int, empties: int) -> int:
    """Let the rules fill the queue with moves, each with its trait; return how many there are.

    A move that a rule suggests twice has its trait once.
    """
    if last == PASS:
        return 0
    captures = suggest_capture(state, scratch, 0, color, last, ko)
    rescues = suggest_rescue(state, scratch, captures, color, last, ko, empties, True)
    attacks = suggest_two_liberties(state, scratch, rescues, color, last, ko)
    fixes = suggest_eye_fix(state, scratch, attacks, color, last, ko)
    count = suggest_nakade(state, scratch, fixes, color, last, ko)
    queue = room_of(scratch)
    begin = 0
    for number in range(count):
        entry = queue + _TWO * Index(number)
        weight = int(scratch[entry + ONE])
        if number < captures:
            trait = CAPTURE + int(weight > 1)
        elif number < rescues:
            begin, trait = captures, RESCUE + int(weight > 1)
        elif number < attacks:
            begin, trait = rescues, TWO_LIBERTIES + int(weight >= HEAVY)
        elif number < fixes:
            begin, trait = attacks, EYE_FIX
        else:
            begin, trait = fixes, NAKADE
        for other in range(begin, number):
            if scratch[queue + _TWO * Index(other)] == scratch[entry]:
                trait = TRAITS
        scratch[entry + ONE] = Index(trait)
    return int(count)


@kernel(inline=True)
def multiply(scratch: Scratch, at: int, factor: float, total: int) -> int:
    """Multiply a weight, which stays a whole number from 1 on; return the new sum of all."""
    before = Index(scratch[at])
    after = Index(int(max(min(float(before) * factor, _MOST), 1.0)))
    scratch[at] = after
    return total + after - before


@kernel
def weigh_near(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    weights: int,
    point: int,
    beside: int,
    total: int,
) -> int:
    """Weigh the empty points around a move; return the new sum of all weights.

    *beside* is the trait of a point beside it; that of one across the corner follows.
    """
    first = Index(state[FIRST_EMPTY])
    traits = Index(knowledge[BALANCED]) + Index(beside)
    factor = float(knowledge[traits])
    for near in neighbors(point):
        if state[near] == EMPTY:
            slot = Index(state[near + SLOT])
            total = multiply(scratch, weights + slot - first, factor, total)
    factor = float(knowledge[traits + ONE])
    for near in diagonals(point):
        if state[near] == EMPTY:
            slot = Index(state[near + SLOT])
            total = multiply(scratch, weights + slot - first, factor, total)
    return total


@kernel
def weigh_moves(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    empties: int,
    suggested: int,
) -> int:
    """Write what each empty point weighs as a move, in the list's order; return the sum.

    *suggested* is how many moves there are in the queue, as :func:`ask_rules` left it.
    """
    boards = room_of(scratch) + Index(QUEUE_ROOM) + Index(len(state))
    own = boards if color == BLACK else boards + Index(len(state))
    weights = boards + _TWO * Index(len(state))
    first = Index(state[FIRST_EMPTY])
    total = Index(0)
    for number in range(Index(empties)):
        slot = Index(number)
        weight = Index(scratch[own + Index(state[first + slot])])
        scratch[weights + slot] = weight
        total += weight
    begin = Index(knowledge[BALANCED])
    if begin == Index(0):
        return total
    if last != PASS:
        total = weigh_near(state, knowledge, scratch, weights, last, BESIDE_LAST, total)
    if before != PASS:
        total = weigh_near(state, knowledge, scratch, weights, before, BESIDE_BEFORE, total)
    queue = room_of(scratch)
    for number in range(suggested):
        entry = queue + _TWO * Index(number)
        trait = Index(scratch[entry + ONE])
        if trait != _NO_TRAIT:
            slot = Index(state[Index(scratch[entry]) + SLOT]) - first
            total = multiply(scratch, weights + slot, float(knowledge[begin + trait]), total)
    return total


@kernel
def self_atari_of(state: State, point: int, color: int) -> int:
    """Return the trait of a self-atari, of a single stone or of a chain; TRAITS if it is none."""
    if state[point + AROUND] >= 2 * AROUND_EMPTY or liberties_after(state, point, color, 2)[0] >= 2:
        return TRAITS
    for near in neighbors(point):
        if state[near] == color:
            return SELF_ATARI + 1
    return SELF_ATARI


@kernel
def draw_move(
    state: State, knowledge: Knowledge, scratch: Scratch, color: int, ko: int, total: int
) -> tuple[int, int]:
    """Draw a move by the weights; return it, or PASS if there is none, and the sum that is left.

    Moves that may not be played, or fill an eye, weigh nothing once they were drawn.
    """
    weights = room_of(scratch) + Index(QUEUE_ROOM) + Index(3) * Index(len(state))
    first, begin = Index(state[FIRST_EMPTY]), Index(knowledge[BALANCED])
    random = Index(scratch[RANDOM])
    move = PASS
    while total > Index(0):
        random = advance(random)
        left = draw(random, total)
        at = weights
        weight = Index(scratch[at])
        while left >= weight:
            left -= weight
            at += ONE
            weight = Index(scratch[at])
        point = Index(state[first + (at - weights)])
        if is_eye(state, point, color) or not is_legal(state, point, color, ko):
            total -= weight
            scratch[at] = Index(0)
            continue
        if begin > Index(0):
            trait = self_atari_of(state, point, color)
            if trait != TRAITS:
                random = advance(random)
                accepted = float(knowledge[begin + Index(trait)]) * 4294967296.0
                if float(random >> Index(32)) >= accepted:
                    continue
        move = point
        break
    scratch[RANDOM] = random
    return move, total


@kernel
def reason_of(scratch: Scratch, move: int, suggested: int) -> int:
    """Return the :class:`Reason` of a move: the first rule that suggested it, or chance."""
    if move == PASS:
        return _PASS
    queue = room_of(scratch)
    for number in range(suggested):
        entry = queue + _TWO * Index(number)
        if Index(scratch[entry]) == move:
            trait = int(scratch[entry + ONE])
            if trait < RESCUE:
                return _CAPTURES
            if trait < TWO_LIBERTIES:
                return _SAVES
            if trait < EYE_FIX:
                return _PRESSES
            return _FIXES if trait < NAKADE else _VITAL
    return _RANDOM


@kernel(inline=True)
def observe(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    ko: int,
    suggested: int,
    total: int,
    move: int,
) -> None:
    """Stand for whoever learns from a move before it is made: nobody, here."""


@kernel
def balanced(state: State, knowledge: Knowledge, scratch: Scratch) -> int:
    """Play moves drawn by learned weights; return Black's area minus White's, without komi.

    Without weights in *knowledge* all moves weigh the same. Eyes, judged by their diagonals, are
    not filled, suicide is not played, only simple ko is known. Ends after two passes, or after
    ``scratch[LIMIT]`` moves. Afterwards only the stones and the trace in *scratch* are meaningful.
    """
    limit = Index(scratch[LIMIT])
    boards = room_of(scratch) + Index(QUEUE_ROOM) + Index(len(state))
    first = Index(state[FIRST_EMPTY])
    end = first + Index(state[EMPTY_COUNT])
    ko = Index(state[KO])
    passes = state[PASSES]
    color = state[TO_PLAY]
    balance = state[BALANCE]
    last, before = Index(state[LAST]), Index(state[BEFORE_LAST])
    length = Index(0)
    for slot in range(first, end):
        weigh_shape(state, knowledge, scratch, boards, Index(state[Index(slot)]))

    while length < limit and passes < 2:
        empties = int(end - first)
        suggested = ask_rules(state, scratch, color, last, ko, empties)
        total = weigh_moves(state, knowledge, scratch, color, last, before, empties, suggested)
        move, total = draw_move(state, knowledge, scratch, color, ko, total)
        observe(state, knowledge, scratch, color, last, before, ko, suggested, total, move)
        reason = reason_of(scratch, move, suggested) if is_traced() else _PASS

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
        weigh_around(state, knowledge, scratch, boards, move)
        for captured in range(end, after):
            point = Index(state[Index(captured)])
            weigh_shape(state, knowledge, scratch, boards, point)
            weigh_around(state, knowledge, scratch, boards, point)
        end = after
        color = _BOTH - color

    scratch[LENGTH] = length
    return int(balance) + eye_balance(state, first, end)
