"""Weights by which playouts make the moves that were made: where balancing begins.

The likelihood of a move is its share of the weights of all moves, as in the model of Bradley and
Terry, and its gradient is exact: what speaks for the move made, less what speaks for moves on
average. Silver and Tesauro call it apprenticeship. It makes playouts that play well, which is not
what a search needs of them, but nearer to it than moves that are all alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.go.kernels.eye import is_eye
from montego.go.kernels.layout import (
    BEFORE_LAST,
    EMPTY_COUNT,
    FIRST_EMPTY,
    KO,
    LAST,
    ONE,
    TO_PLAY,
)
from montego.go.kernels.patterns import CODES
from montego.go.kernels.position import is_legal
from montego.go.kernels.suggestion import QUEUE_ROOM
from montego.go.playout.balanced.softmax import (
    ask_rules,
    self_atari_of,
    weigh_moves,
    weigh_shape,
)
from montego.go.playout.balanced.weights import TRAITS
from montego.go.playout.knowledge import BALANCED
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import room_of
from montego.learn.balance.gradient import note_move, notes_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State


@kernel
def add_likelihood(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    classes: NDArray[Any],
    move: int,
    gradient: NDArray[Any],
) -> float:
    """Add the gradient of the logarithm of a move's chance, and return the chance.

    0 if no playout would make the move: then nothing is added.
    """
    color, ko = int(state[TO_PLAY]), Index(state[KO])
    last, before = Index(state[LAST]), Index(state[BEFORE_LAST])
    first, empties = Index(state[FIRST_EMPTY]), int(state[EMPTY_COUNT])
    boards = room_of(scratch) + Index(QUEUE_ROOM) + Index(len(state))
    weights = boards + Index(2) * Index(len(state))
    for number in range(empties):
        weigh_shape(state, knowledge, scratch, boards, Index(state[first + Index(number)]))
    suggested = ask_rules(state, scratch, color, last, ko, empties)
    weigh_moves(state, knowledge, scratch, color, last, before, empties, suggested)
    total, chosen = 0.0, 0.0
    traits = Index(knowledge[BALANCED])
    for number in range(empties):
        point = Index(state[first + Index(number)])
        weight = 0.0
        if not is_eye(state, point, color) and is_legal(state, point, color, ko):
            weight = float(scratch[weights + Index(number)])
            trait = self_atari_of(state, point, color)
            if trait != TRAITS:
                weight *= float(knowledge[traits + Index(trait)])
            weight = max(weight, 1.0)
        scratch[weights + Index(number)] = Index(int(weight))
        total += weight
        if point == move:
            chosen = weight
    if chosen == 0.0:
        return 0.0
    notes = notes_of(state, scratch)
    for number in range(empties):
        point = Index(state[first + Index(number)])
        share = float(scratch[weights + Index(number)]) / total
        if share > 0.0:
            pull = 1.0 - share if point == move else -share
            scratch[notes] = Index(0)
            note_move(state, scratch, color, last, before, suggested, point, 1)
            for entry in range(int(scratch[notes])):
                what = int(scratch[notes + ONE + Index(entry)]) // 2
                weight_number = what - CODES if what >= CODES else TRAITS + int(classes[what])
                gradient[weight_number] += pull
    return chosen / total
