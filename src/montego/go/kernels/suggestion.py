"""The rules of the sequence-like playout: which moves each suggests near the last move.

After 001 and 003 (the program MoGo), with the rules that the field has added since. A rule puts its
moves into a *queue* with a weight each and returns how many there are now; who asks draws one of
them, or makes them prior knowledge. The queue is in scratch space, two integers a move.

Rules look at points around the last moves only, but for those that say *anywhere*, and see to it
that what they suggest is legal. ``ko`` is the point that simple ko forbids, or PASS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import is_eye
from montego.go.kernels.ladder import escapes
from montego.go.kernels.layout import (
    AROUND,
    EAST,
    FIRST_EMPTY,
    HEAD,
    LIBERTIES,
    NEXT,
    NORTH,
    ONE,
    PASS,
    SOUTH,
    STONES,
    WEST,
    diagonals,
    neighbors,
)
from montego.go.kernels.nakade import vital_point
from montego.go.kernels.patterns import PATTERNS, weight_at
from montego.go.kernels.position import count_around, is_legal
from montego.go.kernels.tactics import (
    ATARI_MOST,
    MANY,
    is_self_atari,
    liberties_after,
    liberties_of,
    only_liberty,
)
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import draw_below, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_FOUR = Index(4)
QUEUE_MOST = 60  # moves in a queue; more are not suggested
QUEUE_ROOM = 2 * (QUEUE_MOST + 1) + 6  # with room for an eye space behind them
_SPACE = Index(2 * (QUEUE_MOST + 1))


@kernel(inline=True)
def push(scratch: Scratch, count: int, point: int, weight: int) -> int:
    """Put a move into the queue and return how many it has now. A full queue stays as it is."""
    if count >= QUEUE_MOST:
        return count
    place = room_of(scratch) + Index(2) * Index(count)
    scratch[place] = point
    scratch[place + ONE] = weight
    return count + 1


@kernel
def pick(scratch: Scratch, count: int) -> int:
    """Draw a move from the queue, with chances in proportion to the weights."""
    queue = room_of(scratch)
    total = Index(0)
    for number in range(count):
        total += Index(scratch[queue + Index(2) * Index(number) + ONE])
    left = draw_below(scratch, total)
    for number in range(count):
        place = queue + Index(2) * Index(number)
        weight = Index(scratch[place + ONE])
        if left < weight:
            return Index(scratch[place])
        left -= weight
    return PASS


@kernel
def suggest_capture(
    state: State, scratch: Scratch, count: int, color: int, last: int, ko: int
) -> int:
    """Capture the chain just played, if it is in atari."""
    if state[last] != _BOTH - color:
        return count
    head = Index(state[last + HEAD])
    if state[head + LIBERTIES] > ATARI_MOST:
        return count
    liberty = only_liberty(state, head)
    if (liberty != PASS) & (liberty != ko):
        count = push(scratch, count, liberty, int(state[head + STONES]))
    return count


@kernel
def suggest_rescue(
    state: State,
    scratch: Scratch,
    count: int,
    color: int,
    last: int,
    ko: int,
    empties: int,
    ladders: bool,
) -> int:
    """Save the chains in atari beside the last move: by running, or by capturing a neighbor.

    A chain runs where it then has three liberties, or two if it is not caught in a ladder,
    which is read if *ladders* says so. Large chains weigh more.
    """
    ladder = room_of(scratch) + Index(QUEUE_ROOM)
    before = PASS
    for near in neighbors(last):
        head = Index(state[near + HEAD])
        if state[near] != color or state[head + LIBERTIES] > ATARI_MOST or head == before:
            continue
        before = head
        liberty = only_liberty(state, head)
        if liberty != PASS:
            count = suggest_counter_captures(state, scratch, count, color, head, ko)
            if liberty != ko and escapes(
                state, scratch, ladder, head, liberty, color, empties, ladders
            ):
                count = push(scratch, count, liberty, int(state[head + STONES]))
    return count


@kernel
def suggest_counter_captures(
    state: State, scratch: Scratch, count: int, color: int, chain: int, ko: int
) -> int:
    """Capture enemy chains in atari that touch a chain of *color*."""
    enemy = _BOTH - color
    at = chain
    before = PASS
    while True:
        for near in neighbors(at):
            if state[near] == enemy:
                head = Index(state[near + HEAD])
                if (head != before) & (state[head + LIBERTIES] <= ATARI_MOST):
                    liberty = only_liberty(state, head)
                    if (liberty != PASS) & (liberty != ko):
                        before = head
                        weight = int(state[chain + STONES]) + int(state[head + STONES])
                        count = push(scratch, count, liberty, weight)
        at = Index(state[at + NEXT])
        if at == chain:
            return count


@kernel
def suggest_captures_anywhere(
    state: State, scratch: Scratch, count: int, color: int, ko: int, empties: int
) -> int:
    """Capture any enemy chain in atari, wherever it is. *empties* is how many points are empty.

    A move that captures several chains weighs as many stones as it takes.
    """
    enemy = _BOTH - color
    first = Index(state[FIRST_EMPTY])
    for slot in range(empties):
        point = Index(state[first + Index(slot)])
        if point == ko or count_around(state[point + AROUND], enemy) == Index(0):
            continue
        taken = 0
        before, other, another = PASS, PASS, PASS
        for near in neighbors(point):
            if state[near] != enemy:
                continue
            head = Index(state[near + HEAD])
            if (head == before) | (head == other) | (head == another):
                continue
            before, other, another = head, before, other
            if state[head + LIBERTIES] <= ATARI_MOST and only_liberty(state, head) == point:
                taken += int(state[head + STONES])
        if taken > 0:
            count = push(scratch, count, point, taken)
    return count


@kernel
def suggest_rescues_anywhere(
    state: State, scratch: Scratch, count: int, color: int, ko: int, empties: int, ladders: bool
) -> int:
    """Save any chain of *color* in atari, wherever it is, as :func:`suggest_rescue` does.

    A move that captures weighs what it saves and what it takes.
    """
    ladder = room_of(scratch) + Index(QUEUE_ROOM)
    first = Index(state[FIRST_EMPTY])
    for slot in range(empties):
        point = Index(state[first + Index(slot)])
        if count_around(state[point + AROUND], color) == Index(0):
            continue
        before, other, another = PASS, PASS, PASS
        for near in neighbors(point):
            if state[near] != color:
                continue
            head = Index(state[near + HEAD])
            if (head == before) | (head == other) | (head == another):
                continue
            before, other, another = head, before, other
            if state[head + LIBERTIES] > ATARI_MOST or only_liberty(state, head) != point:
                continue
            begin = count
            count = suggest_counter_captures(state, scratch, count, color, head, ko)
            captures = False
            for number in range(begin, count):
                place = room_of(scratch) + Index(2) * Index(number)
                captures |= Index(scratch[place]) == point
            if (
                point != ko
                and not captures
                and escapes(state, scratch, ladder, head, point, color, empties, ladders)
            ):
                count = push(scratch, count, point, int(state[head + STONES]))
    return count


@kernel
def suggest_two_liberties(
    state: State, scratch: Scratch, count: int, color: int, last: int, ko: int
) -> int:
    """Attack the chain just played if it has two liberties, defend neighbors that have two.

    To defend is to gain a third liberty or to capture a neighbor; to attack is to put the chain
    into atari without being in atari oneself, where it does not simply walk away.
    """
    enemy = _BOTH - color
    head = Index(state[last + HEAD])
    if (state[last] == enemy) & (state[head + LIBERTIES] <= 2 * ATARI_MOST):
        liberties, first, second = liberties_of(state, head)
        if liberties == 2:
            stones = int(state[head + STONES])
            count = _suggest_attack(state, scratch, count, color, first, second, stones, ko)
            count = _suggest_attack(state, scratch, count, color, second, first, stones, ko)
    before = PASS
    for near in neighbors(last):
        head = Index(state[near + HEAD])
        if state[near] != color or state[head + LIBERTIES] > 2 * ATARI_MOST or head == before:
            continue
        before = head
        liberties, first, second = liberties_of(state, head)
        if liberties == 2:
            count = suggest_counter_captures(state, scratch, count, color, head, ko)
            for liberty in (first, second):
                if liberty != ko and not is_eye(state, liberty, color):
                    after, _ = liberties_after(state, liberty, color, MANY)
                    if after == MANY:
                        count = push(scratch, count, liberty, int(state[head + STONES]))
    return count


@kernel(inline=True)
def _suggest_attack(
    state: State,
    scratch: Scratch,
    count: int,
    color: int,
    attack: int,
    escape: int,
    stones: int,
    ko: int,
) -> int:
    """Suggest taking one of a chain's two liberties, if that is more than chasing it."""
    if attack == ko or not is_legal(state, attack, color, ko):
        return count
    if is_self_atari(state, attack, color):
        return count
    # What the chain has after running; the liberty that is taken is among them.
    after, _ = liberties_after(state, escape, _BOTH - color, MANY)
    return push(scratch, count, attack, 3 * stones if after < MANY else stones)


@kernel
def suggest_eye_fix(
    state: State, scratch: Scratch, count: int, color: int, last: int, ko: int
) -> int:
    """Hold the other diagonal of an eye that the last move, a diagonal of it, makes half false."""
    enemy = _BOTH - color
    for eye in diagonals(last):
        if state[eye] == EMPTY and count_around(state[eye + AROUND], color) == _FOUR:
            held, empty, free = 0, 0, PASS
            for near in diagonals(eye):
                there = state[near]
                if there == WALL:
                    held += 2  # At the edge the eye is false already.
                elif there == enemy:
                    held += 1
                elif there == EMPTY:
                    empty += 1
                    free = near
            if (
                held == 1
                and empty == 1
                and is_legal(state, free, color, ko)
                and not is_eye(state, free, color)
            ):
                count = push(scratch, count, free, 1)
    return count


@kernel(inline=True)
def _may_be_eye_space(state: State, point: int) -> bool:
    """Rule out, at little cost, most empty points that are in no small eye space.

    Those with neighbors of both colors; those in the open, with six empty points around them.
    """
    around = Index(state[point + AROUND])
    black, white = count_around(around, BLACK), count_around(around, WHITE)
    empty = around >> Index(8)
    walls = black + white + empty - _FOUR
    open_points = int(empty)
    for near in diagonals(point):
        open_points += int(state[near] == EMPTY)
    return ((black <= walls) | (white <= walls)) & (open_points < 6)


@kernel
def suggest_nakade(
    state: State, scratch: Scratch, count: int, color: int, last: int, ko: int
) -> int:
    """Play the vital point of a small eye space beside the last move, one's own or the enemy's."""
    for near in neighbors(last):
        if state[near] == EMPTY and _may_be_eye_space(state, near):
            point = vital_point(state, scratch, room_of(scratch) + _SPACE, near)
            if point != PASS and is_legal(state, point, color, ko):
                count = push(scratch, count, point, 1)
    return count


@kernel
def suggest_patterns(
    state: State, knowledge: Knowledge, scratch: Scratch, count: int, color: int, last: int, ko: int
) -> int:
    """Play a pattern at one of the eight points around a move, unless it is self-atari."""
    for near in (
        last - NORTH - WEST,
        last - NORTH,
        last - NORTH + EAST,
        last - WEST,
        last + EAST,
        last + SOUTH - WEST,
        last + SOUTH,
        last + SOUTH + EAST,
    ):
        if state[near] == EMPTY:
            weight = weight_at(state, knowledge, PATTERNS, near, color)
            if (
                weight > 0
                and is_legal(state, near, color, ko)
                and not is_self_atari(state, near, color)
            ):
                count = push(scratch, count, near, weight)
    return count
