"""What the player found, in the terms of the protocol: chances are Black's, numbers are short."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

from montego.web.messages.replies import AnalysisReport, MoveReport
from montego.web.thinking.thinker import Findings

if TYPE_CHECKING:
    from typing import Literal

    from montego.engine.searching.analysis import Analysis, MoveInfo
    from montego.web.messages.requests import Color

MOST_MOVES = 30
GLANCED_MOVES = 12
"""In reports while a search runs: each move takes time from the search."""

LONGEST_VARIATION = 16


def findings_of(analysis: Analysis) -> Findings:
    """Return an analysis of the player as findings."""
    black = analysis.to_play == "black"
    return Findings(
        to_play=cast("Color", analysis.to_play),
        simulations=analysis.simulations,
        seconds=round(analysis.seconds, 2),
        value=_chance(analysis.value, black=black),
        score=round(analysis.mean_score, 1) if analysis.simulations else None,
        moves=[_move(move, black=black) for move in analysis.moves[:MOST_MOVES]],
        ownership=rounded(analysis.ownership),
    )


@lru_cache(maxsize=16)
def rounded(ownership: tuple[float, ...] | None) -> list[float] | None:
    """Return the owners of points with two decimals.

    The same ones come with many reports, so that the list is kept: do not change it.
    """
    return None if ownership is None else [round(value, 2) for value in ownership]


def report_of(
    findings: Findings,
    *,
    game: str,
    node: int,
    purpose: Literal["move", "analysis", "hint", "review"],
    final: bool,
) -> AnalysisReport:
    """Return findings about a node as pages are told them."""
    return AnalysisReport(
        game=game,
        node=node,
        to_play=findings.to_play,
        purpose=purpose,
        simulations=findings.simulations,
        seconds=findings.seconds,
        value=findings.value,
        score=findings.score,
        moves=findings.moves[:MOST_MOVES],
        ownership=findings.ownership,
        final=final,
    )


def _move(move: MoveInfo, *, black: bool) -> MoveReport:
    return MoveReport(
        move=move.vertex,
        visits=move.visits,
        value=_chance(move.value, black=black),
        prior=round(move.prior, 4),
        rave=_chance(move.rave_value, black=black),
        rave_visits=round(move.rave_visits, 1),
        score=None if move.score is None else round(move.score, 1),
        variation=list(move.variation[:LONGEST_VARIATION]),
    )


def _chance(value: float, *, black: bool) -> float:
    return round(value if black else 1.0 - value, 4)
