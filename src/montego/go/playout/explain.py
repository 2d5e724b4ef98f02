"""What the sequence-like playout would answer here, and why: for people, not for playouts.

The rules run interpreted, so that nobody who asks once waits for a compiler.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.go.kernels.layout import (
    BEFORE_LAST,
    EMPTY_COUNT,
    KO,
    LAST,
    PASS,
    SIZE,
    TO_PLAY,
    coordinates_of,
    point_at,
)
from montego.go.kernels.patterns import code_of, matches, read_patterns, swap_colors
from montego.go.kernels.suggestion import (
    suggest_capture,
    suggest_eye_fix,
    suggest_nakade,
    suggest_patterns,
    suggest_rescue,
    suggest_two_liberties,
)
from montego.go.playout.knowledge import new_knowledge
from montego.go.playout.reason import Reason
from montego.go.playout.scratch import new_scratch
from montego.go.playout.sequence import sequence_room
from montego.go.vocabulary.color import WHITE, parse_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import room_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.go.game import Game
    from montego.jit.state import Knowledge, Scratch, State


class Suggestion(NamedTuple):
    """A move that a rule suggests; the weight is compared with others of the same reason only."""

    vertex: str
    reason: Reason
    weight: int


def suggestions(
    game: Game, color: str | int | None = None, patterns: str | None = None
) -> list[Suggestion]:
    """Return the moves that the rules suggest after the last ones, in the order they are tried.

    For *color*, or the player to move. The rates, by which a playout leaves rules out, are not
    looked at, nor are retaking a ko and the moves it makes at random, which are in
    :mod:`~montego.go.playout.beginning`. What superko forbids is left out. *patterns* is the path
    of a file, or None for our own.

    Raises:
        GoError: If there is no such player, or the file cannot be read or understood.
    """
    player = parse_color(game.to_play if color is None else color)
    state = game.board.state.copy()
    if state[LAST] == PASS:
        return []
    size = int(state[SIZE])
    scratch = new_scratch(size, 0, sequence_room(size))
    weights: dict[tuple[str, Reason], int] = {}
    for reason, count in _ask(state, new_knowledge(patterns=patterns), scratch, player):
        queue = int(room_of(scratch))
        for place in range(queue, queue + 2 * count, 2):
            vertex = format_vertex(coordinates_of(int(scratch[place]), size))
            if game.fault(player, vertex) is None:
                key = vertex, reason
                weights[key] = weights.get(key, 0) + int(scratch[place + 1])
    return [Suggestion(*key, weight) for key, weight in weights.items()]


def matching_patterns(
    game: Game, color: str | int | None = None, patterns: str | None = None
) -> list[tuple[str, str]]:
    """Return the legal moves that match 3x3 patterns, with the names of these, in reading order.

    Anywhere on the board, for *color* or the player to move; a move that matches several comes
    several times. *patterns* as in :func:`suggestions`.

    Raises:
        GoError: As in :func:`suggestions`.
    """
    player = parse_color(game.to_play if color is None else color)
    known = read_patterns(patterns)
    found = []
    for vertex in game.legal_moves(player):
        coordinates = parse_vertex(vertex, game.size)
        if coordinates is not None:
            point = Index(point_at(*coordinates, game.size))
            code = int(slow(code_of)(game.board.state, point))
            code = swap_colors(code) if player == WHITE else code
            found += [(vertex, pattern.name) for pattern in matches(known, code)]
    return found


def _ask(
    state: State, knowledge: Knowledge, scratch: Scratch, player: int
) -> Iterator[tuple[Reason, int]]:
    """Let one rule after the other fill the queue, and yield how many moves are in it."""
    last, before = Index(int(state[LAST])), Index(int(state[BEFORE_LAST]))
    # Simple ko forbids a point to the player to move only.
    ko = Index(int(state[KO])) if player == state[TO_PLAY] else PASS
    empties = int(state[EMPTY_COUNT])
    yield Reason.CAPTURE, slow(suggest_capture)(state, scratch, 0, player, last, ko)
    yield (
        Reason.ATARI,
        slow(suggest_rescue)(state, scratch, 0, player, last, ko, empties, True),
    )
    yield Reason.TWO_LIBERTIES, slow(suggest_two_liberties)(state, scratch, 0, player, last, ko)
    yield Reason.EYE_FIX, slow(suggest_eye_fix)(state, scratch, 0, player, last, ko)
    yield Reason.NAKADE, slow(suggest_nakade)(state, scratch, 0, player, last, ko)
    for move in (last, before):
        if move != PASS:
            count = slow(suggest_patterns)(state, knowledge, scratch, 0, player, move, ko)
            yield Reason.PATTERN, count


@cache
def slow(kernel: Any) -> Any:
    """Return a kernel's interpreted twin, made once."""
    return interpreted(kernel)
