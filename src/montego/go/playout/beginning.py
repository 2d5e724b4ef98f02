"""Where a playout may begin, and why there, for every policy: for people, not for playouts.

Runs interpreted, as :mod:`~montego.go.playout.explain` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.kernels.layout import KO, PASS, SIZE, TO_PLAY, coordinates_of, point_at
from montego.go.kernels.patterns import code_of, weight_at
from montego.go.kernels.tactics import is_self_atari
from montego.go.playout.explain import slow, suggestions
from montego.go.playout.knowledge import PATTERNS, new_knowledge
from montego.go.playout.policy import find_policy
from montego.go.playout.rates import Rates
from montego.go.playout.reason import Reason
from montego.go.playout.scratch import new_scratch
from montego.go.playout.sequence import sensible, sequence_room
from montego.go.playout.uniform import is_enclosed, is_eye
from montego.go.playout.urgency import CAPTURE, ESCAPE, PATTERN, PLAIN, stones_at_stake
from montego.go.vocabulary.color import parse_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.jit.index import Index

if TYPE_CHECKING:
    from montego.go.game import Game
    from montego.jit.state import Knowledge, State


def first_reasons(
    game: Game,
    color: str | int | None = None,
    *,
    policy: str = "sequence",
    rates: Rates | None = None,
    patterns: str | None = None,
) -> dict[str, Reason]:
    """Return the moves that a playout may begin with, each with the first reason there is for it.

    For *color*, or the player to move. In the sequence-like playout the rules come first, those
    that *rates* never tries left out, and then what is up to chance; in the urgency-based one it
    is the largest part of a move's urgency. What superko forbids is left out. No playout begins
    with :attr:`Reason.KO`: it takes back only what was taken in it.

    Raises:
        GoError: If there is no such player or policy, or the file of patterns cannot be read or
            understood.
    """
    find_policy(policy)
    player = parse_color(game.to_play if color is None else color)
    state = game.board.state.copy()
    points = _open_points(game, player, policy)
    if policy == "urgency":
        knowledge = new_knowledge(patterns=patterns)
        return {at: _most_urgent(state, knowledge, points[at], player) for at in points}
    if policy in ("naive", "common-fate"):
        points = {at: point for at, point in points.items() if _is_safe(state, point, player)}
    found: dict[str, Reason] = {}
    if policy == "sequence":
        rates = Rates() if rates is None else rates
        for suggestion in suggestions(game, player, patterns):
            if getattr(rates, suggestion.reason.name.lower()) > 0:
                found.setdefault(suggestion.vertex, suggestion.reason)
        if rates.fill_board >= 1:
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
    is_spared = slow(is_enclosed if policy == "uniform-enclosed" else is_eye)
    points = {}
    for vertex in game.legal_moves(player):
        coordinates = parse_vertex(vertex, game.size)
        if coordinates is not None:
            point = Index(point_at(*coordinates, game.size))
            if not is_spared(game.board.state, point, player):
                points[vertex] = point
    return points


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
    certain = new_knowledge(rates=Rates(self_atari=1.0))
    ko = Index(int(state[KO])) if player == state[TO_PLAY] else PASS
    found: dict[str, str | None] = {}
    for vertex, point in points.items():
        move = slow(sensible)(state, certain, scratch, point, player, ko)
        if move != point:
            found[vertex] = None if move == PASS else format_vertex(coordinates_of(int(move), size))
    return found
