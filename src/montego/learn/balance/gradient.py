"""Playouts that note what their moves were made for: the compiled part of simulation balancing.

The gradient of a playout's probability is a sum over its moves: what speaks for the move that was
made, less what speaks for moves there on average. The average is over one other move, drawn in the
same way: right in the mean, and far cheaper than weighing every move with all its traits.

What was noted lies in scratch behind the playout's own room: how many notes there are, and the
notes. Each is a code of a shape, or CODES and a trait, twice; plus 1 if it was the move made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.go.kernels.layout import ONE, PASS, SIZE, TO_PLAY, diagonals, neighbors
from montego.go.kernels.patterns import CODES, code_of, swap_colors
from montego.go.kernels.suggestion import QUEUE_ROOM
from montego.go.playout.balanced.softmax import (
    balanced,
    balanced_room,
    draw_move,
    observe,
    self_atari_of,
)
from montego.go.playout.balanced.weights import BESIDE_BEFORE, BESIDE_LAST, TRAITS
from montego.go.vocabulary.color import BLACK, WHITE
from montego.jit import kernel, specialize
from montego.jit.index import Index
from montego.jit.state import copy_state, room_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

_TWO = Index(2)
_NOTES = 10  # of a move, at most: a shape, five rules, twice near, a self-atari


def noting_room(size: int, limit: int) -> int:
    """Return the scratch space of a playout of up to *limit* moves, and of what is noted of it."""
    return balanced_room(size) + 1 + 2 * _NOTES * limit


@kernel(inline=True)
def notes_of(state: State, scratch: Scratch) -> int:
    """Return where in *scratch* it says how many notes there are."""
    size = Index(state[SIZE])
    own = Index(QUEUE_ROOM) + Index(3) * Index(len(state)) + size * size
    return room_of(scratch) + own


@kernel(inline=True)
def note(scratch: Scratch, notes: int, what: int, made: int) -> None:
    """Write down one thing that speaks for a move; *made* is 1 if it is the move made, else 0."""
    count = Index(scratch[notes]) + ONE
    scratch[notes] = count
    scratch[notes + count] = _TWO * Index(what) + Index(made)


@kernel
def note_near(scratch: Scratch, notes: int, point: int, move: int, beside: int, made: int) -> None:
    """Write down whether a point is beside a move, or across its corner."""
    for near in neighbors(move):
        if near == point:
            note(scratch, notes, CODES + beside, made)
    for near in diagonals(move):
        if near == point:
            note(scratch, notes, CODES + beside + 1, made)


@kernel
def note_move(
    state: State,
    scratch: Scratch,
    color: int,
    last: int,
    before: int,
    suggested: int,
    point: int,
    made: int,
) -> None:
    """Write down all that speaks for or against a move."""
    notes = notes_of(state, scratch)
    code = code_of(state, point)
    if color == WHITE:
        code = swap_colors(code)
    note(scratch, notes, int(code), made)
    queue = room_of(scratch)
    for number in range(suggested):
        entry = queue + _TWO * Index(number)
        trait = int(scratch[entry + ONE])
        if Index(scratch[entry]) == point and trait != TRAITS:
            note(scratch, notes, CODES + trait, made)
    if last != PASS:
        note_near(scratch, notes, point, last, BESIDE_LAST, made)
    if before != PASS:
        note_near(scratch, notes, point, before, BESIDE_BEFORE, made)
    trait = self_atari_of(state, point, color)
    if trait != TRAITS:
        note(scratch, notes, CODES + trait, made)


@kernel
def note_turn(
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
    """Write down what speaks for a move that is about to be made, and for another in its place."""
    if move == PASS:
        return
    other, _ = draw_move(state, knowledge, scratch, color, ko, total)
    if other != move:
        note_move(state, scratch, color, last, before, suggested, move, 1)
        note_move(state, scratch, color, last, before, suggested, other, 0)


noted_playout = specialize(balanced, "noted", {observe: note_turn})
"""The balanced playout, which writes down what its moves were made for."""


@kernel
def sample_results(
    base: State,
    work: State,
    knowledge: Knowledge,
    scratch: Scratch,
    classes: NDArray[Any],
    komi: float,
    games: int,
    noted: NDArray[Any],
    won: NDArray[Any],
) -> float:
    """Play *games* games from *base*; return what the player to move won of them, a draw as half.

    Adds to *noted*, for each weight, how much more often it spoke for moves made than for others;
    to *won* the same of games that were won. *classes* is ``shape_classes``'s.
    """
    player = int(base[TO_PLAY])
    notes = notes_of(base, scratch)
    wins = 0.0
    for _ in range(games):
        copy_state(base, work)
        scratch[notes] = Index(0)
        margin = float(noted_playout(work, knowledge, scratch)) - komi
        if player != BLACK:
            margin = -margin
        result = 1.0 if margin > 0.0 else (0.5 if margin == 0.0 else 0.0)
        wins += result
        for number in range(int(scratch[notes])):
            entry = int(scratch[notes + ONE + Index(number)])
            what, sign = entry // 2, 2.0 * float(entry % 2) - 1.0
            weight = what - CODES if what >= CODES else TRAITS + int(classes[what])
            noted[weight] += sign
            won[weight] += sign * result
    return wins


@kernel
def count_wins(
    base: State, work: State, knowledge: Knowledge, scratch: Scratch, komi: float, games: int
) -> float:
    """Return what the player to move wins of so many games from *base*, a draw as half."""
    player = int(base[TO_PLAY])
    wins = 0.0
    for _ in range(games):
        copy_state(base, work)
        margin = float(balanced(work, knowledge, scratch)) - komi
        if player != BLACK:
            margin = -margin
        wins += 1.0 if margin > 0.0 else (0.5 if margin == 0.0 else 0.0)
    return wins
