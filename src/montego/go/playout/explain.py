"""What playouts would play here, and why: for people, not for playouts.

:func:`suggestions` are the answers of the sequence-like playout to the last moves,
:func:`first_reasons` where a playout of any policy may begin. The rules run interpreted, so that
nobody who asks once waits for a compiler.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.go.kernels.eye import is_enclosed, is_eye
from montego.go.kernels.layout import (
    BEFORE_LAST,
    EMPTY_COUNT,
    KO,
    LAST,
    PASS,
    SIZE,
    TO_PLAY,
    format_move,
    parse_move,
)
from montego.go.kernels.patterns import (
    PATTERNS,
    code_of,
    matches,
    read_patterns,
    swap_colors,
    weight_at,
)
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
from montego.go.kernels.tactics import is_self_atari
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.order import RuleOrder
from montego.go.playout.policy import find_policy
from montego.go.playout.rates import Rates
from montego.go.playout.reason import Reason
from montego.go.playout.sequence import sensible, sequence_room
from montego.go.playout.urgency import CAPTURE, ESCAPE, PATTERN, PLAIN, stones_at_stake
from montego.go.vocabulary.color import WHITE, parse_color
from montego.jit import interpreted
from montego.jit.index import Index
from montego.jit.state import room_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from montego.go.game import Game
    from montego.jit.state import Knowledge, Scratch, State


ENCLOSED = ("uniform-enclosed", "uniform-prisoners")
"""Policies that spare eyes of a single chain alone."""


_BALANCED_RULES = "capture, atari, two-liberties, eye-fix, nakade"


class SuggestedMove(NamedTuple):
    """A move that a rule suggests; the weight is compared with others of the same reason only."""

    vertex: str
    reason: Reason
    weight: int


def suggestions(
    game: Game,
    color: str | int | None = None,
    patterns: str | None = None,
    order: RuleOrder | None = None,
) -> list[SuggestedMove]:
    """Return the moves that the rules suggest after the last ones, in the order they are tried.

    For *color*, or the player to move. The rates, by which a playout leaves rules out, are not
    looked at, nor are retaking a ko and the moves it makes at random, which
    :func:`first_reasons` adds. What superko forbids is left out. *patterns* is the path of a file,
    or None for our own; *order* is that of the rules, or None for the usual one.

    Raises:
        GoError: If there is no such player, or the file cannot be read or understood.
    """
    player = _player(game, color)
    state = game.board.state.copy()
    size = int(state[SIZE])
    names = (RuleOrder() if order is None else order).names
    scratch = new_scratch(size, 0, sequence_room(size))
    weights: dict[tuple[str, Reason], int] = {}
    for reason, count in _ask(state, new_knowledge(patterns=patterns), scratch, player, names):
        queue = int(room_of(scratch))
        for place in range(queue, queue + 2 * count, 2):
            vertex = format_move(int(scratch[place]), size)
            if game.fault(player, vertex) is None:
                key = vertex, reason
                weights[key] = weights.get(key, 0) + int(scratch[place + 1])
    return [SuggestedMove(*key, weight) for key, weight in weights.items()]


def matching_patterns(
    game: Game, color: str | int | None = None, patterns: str | None = None
) -> list[tuple[str, str]]:
    """Return the legal moves that match 3x3 patterns, with the names of these, in reading order.

    Anywhere on the board, for *color* or the player to move; a move that matches several comes
    several times. *patterns* as in :func:`suggestions`.

    Raises:
        GoError: As in :func:`suggestions`.
    """
    player = _player(game, color)
    known = read_patterns(patterns)
    found = []
    for vertex, point in _legal_points(game, player).items():
        code = slow(code_of)(game.board.state, point)
        code = slow(swap_colors)(code) if player == WHITE else code
        found += [(vertex, pattern.name) for pattern in matches(known, int(code))]
    return found


def _ask(
    state: State, knowledge: Knowledge, scratch: Scratch, player: int, rules: Sequence[str]
) -> Iterator[tuple[Reason, int]]:
    """Let one rule after the other fill the queue, and yield how many moves are in it."""
    last, before, ko = Index(state[LAST]), Index(state[BEFORE_LAST]), _ko(state, player)
    empties = int(state[EMPTY_COUNT])
    near = (state, scratch, 0, player, last, ko)
    for rule in rules:
        if rule == "capture-any":
            count = slow(suggest_captures_anywhere)(state, scratch, 0, player, ko, empties)
            yield Reason.CAPTURE, count
        elif rule == "atari-any":
            count = slow(suggest_rescues_anywhere)(state, scratch, 0, player, ko, empties, True)
            yield Reason.ATARI, count
        elif last == PASS:
            continue
        elif rule == "atari":
            yield Reason.ATARI, slow(suggest_rescue)(*near, empties, True)
        elif rule in _NEAR:
            reason, suggest = _NEAR[rule]
            yield reason, slow(suggest)(*near)
        elif rule in ("pattern", "pattern-last"):
            for move in (last, before)[: 2 if rule == "pattern" else 1]:
                if move != PASS:
                    count = slow(suggest_patterns)(state, knowledge, scratch, 0, player, move, ko)
                    yield Reason.PATTERN, count


_NEAR = {
    "capture": (Reason.CAPTURE, suggest_capture),
    "two-liberties": (Reason.TWO_LIBERTIES, suggest_two_liberties),
    "eye-fix": (Reason.EYE_FIX, suggest_eye_fix),
    "nakade": (Reason.NAKADE, suggest_nakade),
}
"""Rules that ask for nothing but the last move."""


def first_reasons(
    game: Game,
    color: str | int | None = None,
    *,
    policy: str = "sequence",
    rates: Rates | None = None,
    patterns: str | None = None,
    order: RuleOrder | None = None,
) -> dict[str, Reason]:
    """Return the moves that a playout may begin with, each with the first reason there is for it.

    For *color*, or the player to move. In the sequence-like playout the rules come first, those
    in their *order*, those that *rates* never tries left out, and then what is up to chance; in the
    urgency-based one it is the largest part of a move's urgency; in the balanced one the first rule
    that makes it more likely. What superko forbids is left out. No playout begins
    with :attr:`Reason.KO`: it takes back only what was taken in it.

    Raises:
        GoError: If there is no such player or policy, or the file of patterns cannot be read or
            understood.
    """
    find_policy(policy)
    player = _player(game, color)
    state = game.board.state.copy()
    points = _open_points(game, player, policy)
    if policy == "urgency":
        knowledge = new_knowledge(patterns=patterns)
        return {at: _most_urgent(state, knowledge, points[at], player) for at in points}
    if policy in ("naive", "common-fate"):
        points = {at: point for at, point in points.items() if _is_safe(state, point, player)}
    found: dict[str, Reason] = {}
    if policy == "balanced":
        for suggestion in suggestions(game, player, order=RuleOrder(order=_BALANCED_RULES)):
            if suggestion.vertex in points:
                found.setdefault(suggestion.vertex, suggestion.reason)
    if policy == "sequence":
        rates = Rates() if rates is None else rates
        for suggestion in suggestions(game, player, patterns, order):
            if getattr(rates, suggestion.reason.name.lower()) > 0:
                found.setdefault(suggestion.vertex, suggestion.reason)
        if rates.fill_board >= 1 and "fill-board" in (order or RuleOrder()).names:
            empty_areas = [at for at in points if slow(code_of)(state, points[at]) == 0]
            found = dict.fromkeys(empty_areas, Reason.FILL_BOARD) | found
        if rates.self_atari > 0:
            others = _instead_of_self_atari(state, points, player)
            played = {other for other in others.values() if other is not None}
            found = dict.fromkeys(played & set(points), Reason.OTHER_LIBERTY) | found
            if rates.self_atari >= 1:
                points = {at: point for at, point in points.items() if at not in others}
    return dict.fromkeys(points, Reason.RANDOM) | found


def _open_points(game: Game, player: int, policy: str) -> dict[str, int]:
    """Return the legal points that the policy does not spare as eyes, by vertex."""
    is_spared = slow(is_enclosed if policy in ENCLOSED else is_eye)
    return {
        vertex: point
        for vertex, point in _legal_points(game, player).items()
        if not is_spared(game.board.state, point, player)
    }


def _is_safe(state: State, point: int, player: int) -> bool:
    """Say whether document 004's policies play here: they capture, but play no other self-atari."""
    captured, _ = slow(stones_at_stake)(state, point, player)
    return captured > 0 or not slow(is_self_atari)(state, point, player)


def _most_urgent(state: State, knowledge: Knowledge, point: int, player: int) -> Reason:
    """Return the reason that adds most to a move's urgency."""
    captured, saved = slow(stones_at_stake)(state, point, player)
    weight = int(slow(weight_at)(state, knowledge, PATTERNS, point, player))
    parts = {
        Reason.RANDOM: PLAIN,
        Reason.CAPTURE: PLAIN * CAPTURE * captured,
        Reason.ATARI: PLAIN * ESCAPE * saved,
        Reason.PATTERN: PATTERN * weight,
    }
    return max(parts, key=lambda reason: parts[reason])


def _instead_of_self_atari(
    state: State, points: dict[str, int], player: int
) -> dict[str, str | None]:
    """Return the self-ataris that are refused, each with what is played instead, if anything."""
    size = int(state[SIZE])
    scratch = new_scratch(size, 0, sequence_room(size))
    certain, ko = new_knowledge(rates=Rates(self_atari=1.0)), _ko(state, player)
    found: dict[str, str | None] = {}
    for vertex, point in points.items():
        move = slow(sensible)(state, certain, scratch, point, player, ko)
        if move != point:
            found[vertex] = None if move == PASS else format_move(int(move), size)
    return found


def _player(game: Game, color: str | int | None) -> int:
    return parse_color(game.to_play if color is None else color)


def _legal_points(game: Game, player: int) -> dict[str, int]:
    """Return the points where *player* may play, by vertex."""
    size = game.size
    return {vertex: Index(parse_move(vertex, size)) for vertex in game.legal_moves(player)}


def _ko(state: State, player: int) -> int:
    """Return the point that simple ko forbids to *player*: to the one to move only; or PASS."""
    return Index(state[KO]) if player == state[TO_PLAY] else PASS


@cache
def slow(kernel: Any) -> Any:
    """Return a kernel's interpreted twin, made once."""
    return interpreted(kernel)
