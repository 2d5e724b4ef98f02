"""What there is to say about a move besides its shape: tactics, and how far the last moves are.

A *trait* is a number that stands for one such thing; a move has several. What each is worth is
learned from games: see :mod:`montego.go.prediction.prediction`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.distance import FARTHEST, mark_distances
from montego.go.kernels.ladder import escapes
from montego.go.kernels.layout import (
    BEFORE_LAST,
    EMPTY_COUNT,
    HEAD,
    HEADER,
    KO,
    LAST,
    NEXT,
    ONE,
    PASS,
    ROW,
    STONES,
    neighbors,
    state_length,
)
from montego.go.kernels.suggestion import (
    QUEUE_ROOM,
    suggest_eye_fix,
    suggest_nakade,
    suggest_two_liberties,
)
from montego.go.kernels.tactics import is_self_atari, liberties_of
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import room_of

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State

# The traits. Where a comment names several, they are that number and those after it.
CAPTURE = 0  # one stone, two, more
CAPTURE_TO_SAVE = 3  # a chain that threatens one's own
ESCAPE = 4  # one stone, more
ESCAPE_IN_VAIN = 6
SELF_ATARI = 7  # a single stone, a larger chain
ATARI = 9  # one stone, more
TWO_LIBERTIES = 11  # what the playout's rules of these names suggest
EYE_FIX = 12
NAKADE = 13
FATE = 14  # + the distance to the last move, chains counting as one point: 1 to 3
NEAR_LAST = 16  # + the distance to the last move: 2 to FAR
NEAR_BEFORE = 32  # + the distance to the move before it: 2 to FAR
TRAITS = 49

FAR = 16
MOST_TRAITS = 10  # of one move


def traits_room(size: int) -> int:
    """Return the scratch space that finding traits needs: a queue, three boards and a list."""
    return QUEUE_ROOM + 3 * state_length(size) + MOST_TRAITS


@kernel
def prepare_traits(state: State, scratch: Scratch, color: int) -> int:
    """Look at a position before its moves are; return how many of them rules suggest."""
    last, ko = Index(state[LAST]), Index(state[KO])
    if last == PASS or state[last] == EMPTY:
        return 0
    board = room_of(scratch) + Index(QUEUE_ROOM)
    mark_distances(state, scratch, board, board + Index(len(state)), last)
    attacks = suggest_two_liberties(state, scratch, 0, color, last, ko)
    fixes = suggest_eye_fix(state, scratch, attacks, color, last, ko)
    count = suggest_nakade(state, scratch, fixes, color, last, ko)
    queue = room_of(scratch)
    for number in range(count):
        trait = TWO_LIBERTIES
        if number >= fixes:
            trait = NAKADE
        elif number >= attacks:
            trait = EYE_FIX
        # In place of the weights, which nobody draws by here.
        scratch[queue + Index(2 * number + 1)] = Index(trait)
    return int(count)


@kernel(inline=True)
def distance_between(point: int, other: int) -> int:
    """Return dx + dy + max(dx, dy)."""
    x = abs((int(point) - HEADER) % ROW - (int(other) - HEADER) % ROW)
    y = abs((int(point) - HEADER) // ROW - (int(other) - HEADER) // ROW)
    return x + y + max(x, y)


@kernel(inline=True)
def list_of(state: State, scratch: Scratch) -> int:
    """Return where in *scratch* the traits of a move are written."""
    return room_of(scratch) + Index(QUEUE_ROOM) + Index(3) * Index(len(state))


@kernel(inline=True)
def add_trait(scratch: Scratch, listed: int, count: int, trait: int) -> int:
    """Put a trait into the list and return how many it has now."""
    scratch[listed + Index(count)] = Index(trait)
    return count + 1


@kernel
def find_traits(state: State, scratch: Scratch, point: int, color: int, suggested: int) -> int:
    """List the traits of a move of *color* and return how many it has.

    *suggested* is what :func:`prepare_traits` said about this position.
    """
    listed = list_of(state, scratch)
    count = 0
    last, before = Index(state[LAST]), Index(state[BEFORE_LAST])
    if last != PASS and state[last] != EMPTY:
        fate = int(scratch[room_of(scratch) + Index(QUEUE_ROOM) + point])
        if fate <= FARTHEST:
            count = add_trait(scratch, listed, count, FATE + fate)
        near = distance_between(point, last)
        if near <= FAR:
            count = add_trait(scratch, listed, count, NEAR_LAST + near)
    if before != PASS:
        near = distance_between(point, before)
        if 2 <= near <= FAR:  # It is the move itself where a stone was captured since.
            count = add_trait(scratch, listed, count, NEAR_BEFORE + near)
    captured, to_save, saved, in_vain, attacked, joined = 0, False, 0, False, 0, False
    ladder = room_of(scratch) + Index(QUEUE_ROOM) + Index(2) * Index(len(state))
    for near_by in neighbors(point):
        there = state[near_by]
        if (there == BLACK) | (there == WHITE):
            liberties, _, _ = liberties_of(state, near_by)
            stones = int(state[Index(state[near_by + HEAD]) + STONES])
            if there != color:
                if liberties == 1:
                    captured += stones
                    to_save = to_save or threatens(state, near_by, color)
                elif liberties == 2:
                    attacked = max(attacked, stones)
            else:
                joined = True
                if liberties == 1:
                    empties = int(state[EMPTY_COUNT])
                    if escapes(state, scratch, ladder, near_by, point, color, empties, True):
                        saved += stones
                    else:
                        in_vain = True
    if captured > 0:
        count = add_trait(scratch, listed, count, CAPTURE + min(captured, 3) - 1)
        if to_save:
            count = add_trait(scratch, listed, count, CAPTURE_TO_SAVE)
    if saved > 0:
        count = add_trait(scratch, listed, count, ESCAPE + min(saved, 2) - 1)
    elif in_vain:
        count = add_trait(scratch, listed, count, ESCAPE_IN_VAIN)
    if is_self_atari(state, point, color):
        count = add_trait(scratch, listed, count, SELF_ATARI + int(joined))
    elif attacked > 0:
        count = add_trait(scratch, listed, count, ATARI + min(attacked, 2) - 1)
    return _add_suggestions(scratch, listed, count, point, suggested)


@kernel(inline=True)
def _add_suggestions(scratch: Scratch, listed: int, count: int, point: int, suggested: int) -> int:
    """Add what rules suggested the move, each rule once; return how many traits there are now."""
    queue = room_of(scratch)
    before = Index(TRAITS)
    for number in range(suggested):
        place = queue + Index(2 * number)
        trait = Index(scratch[place + ONE])
        if Index(scratch[place]) == point and trait != before:
            before = trait
            count = add_trait(scratch, listed, count, trait)
    return count


@kernel
def threatens(state: State, stone: int, color: int) -> bool:
    """Say whether a stone's chain touches a chain of *color* that is in atari."""
    head = Index(state[Index(stone) + HEAD])
    at = head
    while True:
        for near in neighbors(at):
            if state[near] == color:
                liberties, _, _ = liberties_of(state, near)
                if liberties == 1:
                    return True
        at = Index(state[at + NEXT])
        if at == head:
            return False
