"""Replies of KataGo's JSON protocol, as objects with KataGo's names.

The figures are those of :mod:`montego.gtp.analyze.lines`; owners and policy go row by row from the
top left.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from montego.gtp.analyze.lines import (
    move_figures,
    ownership_deviation,
    reading_order,
    reported_moves,
    root_figures,
    seen_ownership,
    variation_visits,
    viewer_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.go.game import Game
    from montego.gtp.analyze.arguments import AnalysisRequest
    from montego.gtp.json.query import Query

ILLEGAL = -1.0  # What the protocol has for the policy of a point where nobody may play.


def result_reply(
    query: Query, turn: int, analysis: Analysis, game: Game, *, during_search: bool
) -> dict[str, Any]:
    """Return what was found about *game*, the position after *turn* moves of *query*."""
    asked = query.report
    viewer = viewer_of(asked.perspective, analysis.to_play)
    reply: dict[str, Any] = {
        "id": query.id,
        "turnNumber": turn,
        "isDuringSearch": during_search,
        "moveInfos": [
            _move(order, info, analysis, asked, viewer)
            for order, info in enumerate(reported_moves(analysis))
        ],
        "rootInfo": _root(analysis, game, viewer),
    }
    if asked.ownership and analysis.ownership is not None:
        reply["ownership"] = _rounded(seen_ownership(analysis.ownership, viewer), 4)
    if asked.ownership_deviation and analysis.ownership is not None:
        reply["ownershipStdev"] = _rounded(ownership_deviation(analysis.ownership), 4)
    if query.policy:
        reply["policy"] = policy(analysis, game)
    return reply


def no_result_reply(query: Query, turn: int) -> dict[str, Any]:
    """Return the last reply about a position that was not searched."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def policy(analysis: Analysis, game: Game) -> list[float]:
    """Return the prior of every point and of the pass; -1 where a move is illegal."""
    legal = {*game.legal_moves(analysis.to_play), "pass"}
    priors = {info.vertex: info.prior for info in analysis.moves}
    return _rounded(
        (
            priors.get(vertex, 0.0) if vertex in legal else ILLEGAL
            for vertex in (*reading_order(game.size), "pass")
        ),
        6,
    )


def position_hashes(game: Game, to_play: str) -> tuple[str, str]:
    """Return names for a position: one its own, one shared with its reflections and rotations."""
    rows = game.board.rows()
    pictures = []
    for turned in (rows, list(zip(*rows, strict=True))):
        for flipped in (turned, turned[::-1]):
            pictures += [
                "\n".join("".join(map(str, row)) for row in flipped),
                "\n".join("".join(map(str, row[::-1])) for row in flipped),
            ]
    ko = f"{to_play} {game.ko}"
    return _digest(f"{pictures[0]} {ko}"), _digest(f"{min(pictures)} {to_play}")


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest().upper()


def _root(analysis: Analysis, game: Game, viewer: str) -> dict[str, Any]:
    own, shared = position_hashes(game, analysis.to_play)
    figures = root_figures(analysis, viewer)
    return {
        "currentPlayer": analysis.to_play[0].upper(),
        **{name: round(value, 6) for name, value in figures.items()},
        "visits": analysis.visits,
        "weight": float(analysis.visits),
        "thisHash": own,
        "symHash": shared,
    }


def _move(
    order: int, info: MoveInfo, analysis: Analysis, asked: AnalysisRequest, viewer: str
) -> dict[str, Any]:
    length = asked.variation_length
    figures = move_figures(info, analysis, viewer)
    move: dict[str, Any] = {
        "move": info.vertex,
        "visits": info.visits,
        "edgeVisits": info.visits,
        **{name: round(value, 6) for name, value in figures.items()},
        "weight": float(info.visits),
        "order": order,
        "pv": list(info.variation[:length]),
    }
    if asked.pv_visits:
        move["pvVisits"] = move["pvEdgeVisits"] = variation_visits(info)[:length]
    if asked.moves_ownership and info.ownership is not None:
        move["ownership"] = _rounded(seen_ownership(info.ownership, viewer), 4)
    return move


def _rounded(values: Iterable[float], places: int) -> list[float]:
    return [round(value, places) + 0.0 for value in values]
