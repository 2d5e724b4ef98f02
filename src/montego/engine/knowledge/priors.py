"""Prior knowledge about the moves of a position: what each is worth before it is tried.

Document 001 (section 5): a move starts with a value and with as many visits as that value is
trusted. Several sources speak for a move or against it, each with the weight that
:class:`montego.engine.knowledge.tuning.PriorWeights` gives it: what strong players would choose,
as far as :mod:`montego.go.prediction.prediction` knows, what local shape says of the position after
it (:mod:`montego.go.local_shape.value`), and rules of thumb, whose kinds and sizes are those of the
programs MoGo, Pachi and Michi.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from montego.go.kernels.distance import mark_distances
from montego.go.kernels.ladder import escapes
from montego.go.kernels.layout import (
    AROUND,
    BEFORE_LAST,
    EAST,
    EMPTY_COUNT,
    HEAD,
    KO,
    LAST,
    NORTH,
    ONE,
    PASS,
    SOUTH,
    STONES,
    TO_PLAY,
    WEST,
    neighbors,
    state_length,
)
from montego.go.kernels.patterns import PATTERNS, weight_at
from montego.go.kernels.position import count_around
from montego.go.kernels.suggestion import (
    QUEUE_ROOM,
    suggest_capture,
    suggest_eye_fix,
    suggest_nakade,
    suggest_patterns,
    suggest_rescue,
    suggest_two_liberties,
)
from montego.go.kernels.tactics import is_self_atari, liberties_of
from montego.go.local_shape.value import chance, gain_of_move, read_shapes, shape_room
from montego.go.playout.knowledge import LEARNED, SHAPES, WEIGHTS
from montego.go.playout.ordered import ask_in_order
from montego.go.prediction.prediction import predict_moves, prediction_room
from montego.go.vocabulary.color import BLACK, EMPTY, WALL, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import room_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE

# In the order of the fields of PriorWeights; add 1, 2 or 3 to DISTANCE.
(
    EVEN, CAPTURE, ESCAPE, ATARI, SELF_ATARI, PATTERN, POLICY, _, _, _, LINE, EYE, PREDICTION,
    RULES, SHAPE,
) = (Index(WEIGHTS + number) for number in range(15))  # fmt: skip
DISTANCE = POLICY


def priors_room(size: int) -> int:
    """Return how much scratch space :func:`move_priors` needs behind the trace."""
    return max(QUEUE_ROOM + 3 * state_length(size), prediction_room(size), shape_room(size))


@kernel
def suggest_all(state: State, knowledge: Knowledge, scratch: Scratch, color: int, ko: int) -> int:
    """Put what the playout's rules suggest into the queue; of several for one move, all."""
    last, before = Index(state[LAST]), Index(state[BEFORE_LAST])
    if last == PASS:
        return 0
    empties = int(state[EMPTY_COUNT])
    count = suggest_capture(state, scratch, 0, color, last, ko)
    count = suggest_rescue(state, scratch, count, color, last, ko, empties, True)
    count = suggest_two_liberties(state, scratch, count, color, last, ko)
    count = suggest_eye_fix(state, scratch, count, color, last, ko)
    count = suggest_nakade(state, scratch, count, color, last, ko)
    count = suggest_patterns(state, knowledge, scratch, count, color, last, ko)
    if before != PASS:
        count = suggest_patterns(state, knowledge, scratch, count, color, before, ko)
    return count


@kernel
def move_priors(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    values: NDArray[Any],
    visits: NDArray[Any],
) -> None:
    """Write a value and the visits it is worth for each of the moves. See the module."""
    color = int(state[TO_PLAY])
    foretold = float(knowledge[PREDICTION])
    if foretold > 0.0:
        predict_moves(state, knowledge, Index(LEARNED), scratch, moves, count, color, values)
        for rank in range(count):
            # The root: a move that is hardly foretold may be good all the same.
            values[rank] = foretold * math.sqrt(float(values[rank]))
    for rank in range(count):
        if foretold <= 0.0:
            values[rank] = 0.0
        visits[rank] = 0.0
    if has_rules(knowledge):
        add_rules(state, knowledge, scratch, moves, count, color, values, visits)
    handcrafted = float(knowledge[RULES])
    if handcrafted > 0.0:
        add_first_rule(state, knowledge, scratch, moves, count, color, values, visits)
    if float(knowledge[SHAPE]) > 0.0:
        add_shape(state, knowledge, scratch, moves, count, color, values, visits)
    even = float(knowledge[EVEN])
    for rank in range(count):
        good, bad = float(values[rank]), float(visits[rank])
        if Index(moves[rank]) == PASS:
            bad += even
        total = even + good + bad
        visits[rank] = total
        values[rank] = (0.5 * even + good) / total if total > 0.0 else 0.5


@kernel
def add_first_rule(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    color: int,
    goods: NDArray[Any],
    bads: NDArray[Any],
) -> None:
    """Let moves that the playout's rules would draw from here begin at 1, and others at one half.

    Document 001's handcrafted heuristic (5.1): who plays the best of them, of equals any, plays as
    the playout does, as far as its rules are always asked.
    """
    weight = float(knowledge[RULES])
    suggested, _ = ask_in_order(
        state,
        knowledge,
        scratch,
        color,
        Index(state[LAST]),
        Index(state[BEFORE_LAST]),
        Index(state[KO]),
        int(state[EMPTY_COUNT]),
        True,
    )
    queue = room_of(scratch)
    for rank in range(count):
        good = 0.5 * weight
        for number in range(suggested):
            if Index(scratch[queue + Index(2) * Index(number)]) == Index(moves[rank]):
                good = weight
        goods[rank] += good
        bads[rank] += weight - good


@kernel
def add_shape(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    color: int,
    goods: NDArray[Any],
    bads: NDArray[Any],
) -> None:
    """Let moves begin at the chance to win that local shape sees after them (001 equation 48)."""
    weight, table = float(knowledge[SHAPE]), Index(int(knowledge[SHAPES]))
    worth = float(read_shapes(state, knowledge, table, scratch, color))
    for rank in range(count):
        gain = gain_of_move(state, knowledge, table, scratch, Index(moves[rank]), color)
        good = weight * chance(worth + float(gain))
        goods[rank] += good
        bads[rank] += weight - good


@kernel(inline=True)
def has_rules(knowledge: Knowledge) -> bool:
    """Say whether any source but the first and the last is asked for."""
    total = 0.0
    for source in range(CAPTURE, EYE + ONE):
        total += float(knowledge[Index(source)])
    return total > 0.0


@kernel
def add_rules(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    color: int,
    goods: NDArray[Any],
    bads: NDArray[Any],
) -> None:
    """Add what rules have to say for each of the moves, and against it, in visits."""
    ladder = room_of(scratch) + Index(QUEUE_ROOM)
    distances = ladder + Index(len(state))
    suggested = suggest_all(state, knowledge, scratch, color, Index(state[KO]))
    last = Index(state[LAST])
    near_by = last != PASS and state[last] != EMPTY
    if near_by:
        mark_distances(state, scratch, distances, distances + Index(len(state)), last)
    for rank in range(count):
        point = Index(moves[rank])
        if point != PASS:
            good, bad = _for_and_against(state, knowledge, scratch, ladder, point, color)
            if near_by:
                distance = Index(scratch[distances + point])
                if distance <= Index(3):
                    good += float(knowledge[DISTANCE + distance])
            goods[rank] += good
            bads[rank] += bad
    queue = room_of(scratch)
    policy = float(knowledge[POLICY])
    for number in range(suggested if policy > 0.0 else 0):
        move = Index(scratch[queue + Index(2) * Index(number)])
        for rank in range(count):
            if Index(moves[rank]) == move:
                goods[rank] += policy
                break


@kernel
def _for_and_against(
    state: State, knowledge: Knowledge, scratch: Scratch, ladder: int, point: int, color: int
) -> tuple[float, float]:
    """Return what speaks for a move and what against it, in visits; distance is not looked at."""
    enemy = _BOTH - color
    good, bad = 0.0, 0.0
    captured, saved, attacked, stones = 0, 0, 0, 0
    for near in neighbors(point):
        there = state[near]
        if there == enemy:
            liberties, _, _ = liberties_of(state, near)
            if liberties == 1:
                captured += int(state[Index(state[near + HEAD]) + STONES])
            elif liberties == 2:
                attacked += 1
            stones += 1
        elif there == color:
            liberties, _, _ = liberties_of(state, near)
            if liberties == 1:
                empties = int(state[EMPTY_COUNT])
                if escapes(state, scratch, ladder, near, point, color, empties, True):
                    saved += int(state[Index(state[near + HEAD]) + STONES])
            stones += 1
    if captured > 0:
        good += float(knowledge[CAPTURE]) * (2.0 if captured > 1 else 1.0)
    if saved > 0:
        good += float(knowledge[ESCAPE]) * (2.0 if saved > 1 else 1.0)
    if is_self_atari(state, point, color):
        bad += float(knowledge[SELF_ATARI])
    elif attacked > 0:
        good += float(knowledge[ATARI])
    weight = weight_at(state, knowledge, PATTERNS, point, color)
    if weight > 0:
        good += float(knowledge[PATTERN])
    if captured == 0 and count_around(state[point + AROUND], color) == Index(4):
        bad += float(knowledge[EYE])
    if stones == 0 and weight == 0:
        line = line_of(state, point)
        if line > 0 and is_lonely(state, point):
            if line <= 2:
                bad += float(knowledge[LINE])
            elif line == 3:
                good += float(knowledge[LINE])
    return good, bad


@kernel
def line_of(state: State, point: int) -> int:
    """Return which line a point is on, 1 at the edge, up to 3; 0 for farther in."""
    north, west, east, south = point, point, point, point
    for line in range(1, 4):
        north, west, east, south = north - NORTH, west - WEST, east + EAST, south + SOUTH
        if (
            (state[north] == WALL)
            | (state[west] == WALL)
            | (state[east] == WALL)
            | (state[south] == WALL)
        ):
            return line
    return 0


@kernel
def is_lonely(state: State, point: int) -> bool:
    """Say whether no stone is next to a point, diagonally either, or two steps straight from it."""
    for step in (NORTH - WEST, NORTH, NORTH + EAST, ONE):
        for near in (point - step, point + step):
            there = state[near]
            if (there == BLACK) | (there == WHITE):
                return False
    for step in (NORTH, ONE):
        # Beyond a wall there is none to look at.
        if state[point - step] != WALL:
            there = state[point - step - step]
            if (there == BLACK) | (there == WHITE):
                return False
        if state[point + step] != WALL:
            there = state[point + step + step]
            if (there == BLACK) | (there == WHITE):
                return False
    return True
