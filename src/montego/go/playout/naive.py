"""The naive playout: worms are looked up in a table that flood fill brings up to date.

Section 4.3.1.1 of Florin Chelaru, "Artificial Intelligence in Computer Go" (2008). A *worm* is
what the rest of the package calls a chain; the word is kept here because the section's data are:
each stone knows its worm's origin, the first of its stones from the top left, and the origin
knows the worm's liberties. Nothing is counted up or down: after a move, every worm whose stones or
liberties changed is walked again. That cost is the point of this playout, the other two of the
section are there to avoid it.

The board is the color of each point in the state; the other fields of a point are used anew:
HEAD for the origin, LIBERTIES (real ones, each counted once), and the mark of a walk.

Where the section leaves a choice:

- A point that is refused to one player is gone for both, as the section says, until it is
  captured. So whoever finds no move has emptied the list, and one pass ends the game.
- A capture is played without another test, except on the point barred by ko, where the section
  calls it illegal. Simple ko is meant.
- "The stone is in atari" is read as: its worm, joined with its neighbors, has one liberty left,
  which is what the section's prose asks for. Suicide is the same test with none left.
- An eye is judged by its diagonals, like that of the uniform playout, so that the
  playouts differ in method and not in what they call an eye.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.eye import is_eye_of_colors
from montego.go.kernels.flood import FIRST_MARK, MARK, area_balance, flood
from montego.go.kernels.layout import (
    EMPTY_COUNT,
    FIRST_EMPTY,
    HEAD,
    HEADER,
    KO,
    LIBERTIES,
    ONE,
    PASS,
    PASSES,
    ROW,
    SIZE,
    TO_PLAY,
    neighbors,
)
from montego.go.playout.reason import Reason, record
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, RANDOM, advance, draw, room_of

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, Scratch, State

_BOTH = BLACK + WHITE
_NONE = Index(0)
_PASS, _RANDOM = int(Reason.PASS), int(Reason.RANDOM)

ORIGIN = HEAD


def naive_room(size: int) -> int:
    """Return how many integers of scratch :func:`naive` needs behind the trace."""
    return size * size


@kernel(inline=True)
def _is_stone(state: State, point: int) -> bool:
    """Say whether *point* is neither empty nor wall."""
    return bool(state[point] == BLACK or state[point] == WHITE)


@kernel
def _scan(state: State, scratch: Scratch, stone: int, mark: int) -> int:
    """Walk over the worm of *stone*, write down its origin and liberties; return its stones."""
    count, liberties, _ = flood(state, scratch, stone, mark)
    queue = room_of(scratch)
    origin = Index(stone)
    for index in range(queue, queue + count):
        origin = min(origin, Index(scratch[Index(index)]))
    for index in range(queue, queue + count):
        state[Index(scratch[Index(index)]) + ORIGIN] = origin
    state[origin + LIBERTIES] = liberties
    return count


@kernel
def _scan_around(state: State, scratch: Scratch, point: int, since: int, mark: int) -> int:
    """Scan the worms next to *point* that bear no mark from *since* on; return the last mark."""
    for near in neighbors(point):
        if _is_stone(state, near) and state[near + MARK] < since:
            mark += 1
            _scan(state, scratch, near, mark)
    return mark


@kernel(inline=True)
def _in_atari(state: State, stone: int, color: int) -> bool:
    """Say whether a stone of *color* stands here whose worm has one liberty."""
    return bool(state[stone] == color and state[Index(state[stone + ORIGIN]) + LIBERTIES] == 1)


@kernel(inline=True)
def _captures(state: State, point: int, enemy: int) -> bool:
    """Say whether a stone at *point* would take the last liberty of a worm of *enemy*."""
    for near in neighbors(point):  # noqa: SIM110  # Numba compiles no generator.
        if _in_atari(state, near, enemy):
            return True
    return False


@kernel
def _is_playable(
    state: State, scratch: Scratch, point: int, color: int, ko: int, mark: int
) -> bool:
    """Say whether the section would play here. Marks with *mark*, and moves nothing."""
    alone = True
    for near in neighbors(point):
        alone &= not _is_stone(state, near)
    if alone:
        return True
    if _captures(state, point, _BOTH - color):
        return point != ko
    if is_eye_of_colors(state, point, color):
        return False
    state[point] = color
    _, liberties, _ = flood(state, scratch, point, mark)
    state[point] = EMPTY
    return liberties > 1


@kernel
def _capture(state: State, scratch: Scratch, stone: int, end: int, mark: int) -> int:
    """Lift the worm of *stone* off the board, append its points to the list; return its end."""
    count, _, _ = flood(state, scratch, stone, mark)
    queue = room_of(scratch)
    for index in range(queue, queue + count):
        point = Index(scratch[Index(index)])
        state[point] = EMPTY
        state[end] = point
        end += ONE
    return end


@kernel
def _scan_board(state: State, scratch: Scratch, mark: int) -> int:
    """Build the worm data of a whole board; return the last mark used."""
    size = Index(state[SIZE])
    for line in range(ONE, size + ONE):
        row = Index(HEADER) + Index(line) * Index(ROW)
        for column in range(ONE, size + ONE):
            stone = row + Index(column)
            if state[stone] != EMPTY and state[stone + MARK] < FIRST_MARK:
                mark += 1
                _scan(state, scratch, stone, mark)
    return mark


@kernel
def naive(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Play a random game by the naive approach; return Black's area minus White's, without komi.

    Ends when the list of moves is empty, after two passes, or after ``scratch[LIMIT]`` moves.
    Afterwards only the stones of *state* and the trace in *scratch* are meaningful. Needs
    :func:`naive_room` integers of scratch. Superko is not known.
    """
    random = Index(scratch[RANDOM])
    limit = Index(scratch[LIMIT])
    first = Index(state[FIRST_EMPTY])
    end = first + Index(state[EMPTY_COUNT])
    ko = Index(state[KO])
    passes = int(state[PASSES])
    color = int(state[TO_PLAY])
    length = _NONE
    mark = _scan_board(state, scratch, FIRST_MARK)

    while end > first and passes < 2 and length < limit:
        # Select: what is popped and refused does not come back.
        move = PASS
        while end > first and move == PASS:
            random = advance(random)
            slot = first + draw(random, end - first)
            point = Index(state[slot])
            end -= ONE
            state[slot] = state[end]
            mark += 1
            if _is_playable(state, scratch, point, color, ko, mark):
                move = point

        record(scratch, length, move, _RANDOM if move != PASS else _PASS)
        length += ONE
        ko = PASS
        if move == PASS:
            passes += 1
            color = _BOTH - color
            continue
        passes = 0

        # Capture. A worm is gone before the next neighbor is asked: it may be the same one.
        before = end
        for near in neighbors(move):
            if _in_atari(state, near, _BOTH - color):
                mark += 1
                end = _capture(state, scratch, near, end, mark)

        # Update the worms: the stone's own, its neighbors, and those around what was captured.
        state[move] = color
        mark += 1
        since = mark
        stones = _scan(state, scratch, move, mark)
        mark = _scan_around(state, scratch, move, since, mark)
        for index in range(before, end):
            mark = _scan_around(state, scratch, Index(state[Index(index)]), since, mark)

        # A lone stone in atari that took a lone stone may not be retaken at once.
        if end - before == ONE and stones == ONE and state[move + LIBERTIES] == 1:
            ko = Index(state[before])
        color = _BOTH - color

    scratch[RANDOM] = random
    scratch[LENGTH] = length
    return area_balance(state, scratch, mark + 1)
