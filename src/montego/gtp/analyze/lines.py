"""An analysis as text: info lines of Leela Zero and KataGo, JSON of CGOS, graphics of GoGui, chat.

Programs read these lines with grammars of their own, and narrow ones. So: single blanks; numbers
of KataGo's lines always with a decimal point, those of Leela Zero's whole; a segment ends with
its variation, which is never empty; owners of points come last; nothing stands in a line that was
not asked for.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from montego.gtp.analyze.arguments import AnalysisRequest

SCORE_LIMIT = 1500.0  # No score lies beyond: the largest board, and the largest komi.
CGOS_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
DRAWN_MOVES, DRAWN_VARIATION = 10, 6  # How much of an analysis GoGui is shown.

# The figures of KataGo's lines in their order, with the digits behind the point.
_PLACES = {
    "utility": 6,
    "winrate": 6,
    "scoreMean": 3,
    "scoreStdev": 3,
    "scoreLead": 3,
    "scoreSelfplay": 3,
    "prior": 6,
    "lcb": 6,
    "utilityLcb": 6,
}


def reading_order(size: int) -> list[str]:
    """Return all vertices of a board as reports have its points: row by row from the top left."""
    return [format_vertex((column, row)) for row in reversed(range(size)) for column in range(size)]


def viewer_of(perspective: str, to_play: str) -> str:
    """Return ``"black"`` or ``"white"``: whose eyes a report sees with.

    *perspective* is a value of the option of that name.
    """
    return to_play if perspective == "side-to-move" else perspective


def reported_moves(
    analysis: Analysis, min_moves: int = 0, max_moves: int | None = None
) -> list[MoveInfo]:
    """Return the moves worth telling, best first: those with visits, and one in any case.

    *min_moves* asks for more, *max_moves* for fewer; there may be none at all.
    """
    count = max(sum(info.visits > 0 for info in analysis.moves), min_moves, 1)
    visited_first = sorted(analysis.moves, key=lambda info: info.visits == 0)
    return visited_first[:count][:max_moves]


def root_figures(analysis: Analysis, viewer: str) -> dict[str, float]:
    """Return what KataGo's programs are told of a position, under KataGo's names."""
    winrate = _seen(analysis.value, analysis.to_play, viewer)
    return _figures(winrate, analysis.mean_score, analysis.score_deviation, viewer)


def move_figures(info: MoveInfo, analysis: Analysis, viewer: str) -> dict[str, float]:
    """Return what KataGo's programs are told of a move, under KataGo's names.

    A move without a score of its own has the position's.
    """
    winrate = _seen(info.value, analysis.to_play, viewer)
    bound = _seen(info.lower_bound, analysis.to_play, viewer)
    score = analysis.mean_score if info.score is None else info.score
    deviation = info.score_deviation
    deviation = analysis.score_deviation if deviation is None else deviation
    return _figures(winrate, score, deviation, viewer) | {
        "prior": _share(info.prior),
        "lcb": bound,
        "utilityLcb": 2.0 * bound - 1.0,
    }


def _figures(winrate: float, score: float, deviation: float, viewer: str) -> dict[str, float]:
    seen = (_finite(score) if viewer == "black" else -_finite(score)) + 0.0
    return {
        "winrate": winrate,
        "utility": 2.0 * winrate - 1.0,
        "scoreMean": seen,
        "scoreStdev": _finite(deviation),
        "scoreLead": seen,
        "scoreSelfplay": seen,
    }


def seen_ownership(ownership: Iterable[float], viewer: str) -> list[float]:
    """Return the owners of points as *viewer* sees them: 1 is the viewer's own."""
    sign = 1.0 if viewer == "black" else -1.0
    return [sign * min(max(value, -1.0), 1.0) + 0.0 for value in ownership]


def ownership_deviation(ownership: Iterable[float]) -> list[float]:
    """Return how far playouts differ about each point; each of them said 1 or -1."""
    return [math.sqrt(max(1.0 - value * value, 0.0)) for value in ownership]


def lz_line(analysis: Analysis, request: AnalysisRequest) -> str:
    """Return the line of ``lz-analyze``: win rates are whole numbers from 0 to 10000."""
    viewer = viewer_of(request.perspective, analysis.to_play)
    segments = []
    for order, info in enumerate(_moves_or_pass(analysis, request)):
        figures = move_figures(info, analysis, viewer)
        winrate, prior, bound = (round(figures[n] * 10_000) for n in ("winrate", "prior", "lcb"))
        segments.append(
            f"info move {info.vertex} visits {info.visits} winrate {winrate} prior {prior} "
            f"lcb {bound} order {order} pv {_variation(info, request)}"
        )
    return " ".join(segments)


def kata_line(analysis: Analysis, request: AnalysisRequest) -> str:
    """Return the line of ``kata-analyze`` with everything that *request* asks for."""
    viewer = viewer_of(request.perspective, analysis.to_play)
    parts = [
        _kata_segment(order, info, analysis, request, viewer)
        for order, info in enumerate(_moves_or_pass(analysis, request))
    ]
    if request.root_info:
        unsettled = " noResultValue 0.000000" if request.no_result_value else ""
        parts.append(
            f"rootInfo visits {analysis.visits} {_named(root_figures(analysis, viewer))} "
            f"weight {_decimal(analysis.visits, 1)}{unsettled}"
        )
    if request.ownership and analysis.ownership is not None:
        parts.append(_points("ownership", seen_ownership(analysis.ownership, viewer)))
    if request.ownership_deviation and analysis.ownership is not None:
        parts.append(_points("ownershipStdev", ownership_deviation(analysis.ownership)))
    return " ".join(parts)


def cgos_line(analysis: Analysis, _request: AnalysisRequest) -> str:
    """Return the line of JSON that the server CGOS shows to those who watch a game."""
    viewer = analysis.to_play
    root = root_figures(analysis, viewer)
    moves = []
    for info in reported_moves(analysis):
        figures = move_figures(info, analysis, viewer)
        moves.append(
            {
                "move": info.vertex,
                "winrate": round(figures["winrate"], 4),
                "score": round(figures["scoreLead"], 2),
                "prior": round(figures["prior"], 4),
                "visits": info.visits,
                "pv": " ".join(info.variation[1:]),
            }
        )
    report: dict[str, object] = {
        "winrate": round(root["winrate"], 4),
        "score": round(root["scoreLead"], 2),
        "visits": analysis.visits,
        "moves": moves,
    }
    if analysis.ownership is not None:
        report["ownership"] = cgos_ownership(seen_ownership(analysis.ownership, viewer))
    return json.dumps(report, separators=(",", ":"))


def cgos_ownership(ownership: Sequence[float]) -> str:
    """Return one character a point, from ``A`` for -1 over ``f`` for 0 to ``+`` for 1."""
    return "".join(CGOS_DIGITS[round((value + 1.0) / 2.0 * 62.0)] for value in ownership)


def search_graphics(analysis: Analysis) -> str:
    """Return GoGui's graphics of a search: visits as labels, values as influence, the variation."""
    lines = []
    if analysis.best is not None:
        lines.append(f"VAR {variation_with_colors(analysis)}")
    moves = [info for info in analysis.moves if info.vertex != "pass"][:DRAWN_MOVES]
    if moves:
        sign = 1.0 if analysis.to_play == "black" else -1.0
        values = " ".join(f"{info.vertex} {sign * (2 * info.value - 1):.2f}" for info in moves)
        labels = " ".join(f"{info.vertex} {info.visits}" for info in moves)
        lines += [f"INFLUENCE {values}", f"LABEL {labels}"]
    lines.append(f"TEXT {analysis.visits} visits, {analysis.to_play} {analysis.value:.1%}")
    return "\n".join(lines)


def variation_with_colors(analysis: Analysis) -> str:
    """Return the expected continuation as ``b D4 w Q16 ...``; passes as ``b PASS``."""
    colors = "bw" if analysis.to_play == "black" else "wb"
    moves = analysis.best.variation[:DRAWN_VARIATION] if analysis.best is not None else ()
    return " ".join(f"{colors[index % 2]} {move.upper()}" for index, move in enumerate(moves))


def ogs_comment(analysis: Analysis) -> str:
    """Return what spectators on OGS are told, in the words that gtp2ogs looks for.

    Win rate and score are those of the player to move.
    """
    seen = analysis.in_truth()
    score = seen.mean_score if seen.to_play == "black" else -seen.mean_score
    variation = " ".join(seen.best.variation) if seen.best is not None else ""
    comment = (
        f"MALKOVICH:Visits {seen.visits} Winrate {seen.value:.2%} ScoreLead {score:.1f} "
        f"ScoreStdev {seen.score_deviation:.1f} PV {variation}"
    )
    if seen.proviso:
        comment += f"\nMALKOVICH:The win rate is that{seen.proviso}."
    return comment


def _moves_or_pass(analysis: Analysis, request: AnalysisRequest) -> list[MoveInfo]:
    """Return the moves to tell; where nothing is known, a pass without visits.

    A line with no move at all is one that programs do not expect, and some wait for one.
    """
    most = None if request.max_moves is None else max(request.max_moves, 1)
    moves = reported_moves(analysis, request.min_moves, most)
    if moves:
        return moves
    return [
        MoveInfo(
            vertex="pass",
            visits=0,
            value=analysis.value,
            prior=1.0,
            lower_bound=0.0,
            rave_value=analysis.value,
            rave_visits=0.0,
            variation=("pass",),
            order=0,
        )
    ]


def _kata_segment(
    order: int, info: MoveInfo, analysis: Analysis, request: AnalysisRequest, viewer: str
) -> str:
    unsettled = "noResultValue 0.000000 " if request.no_result_value else ""
    segment = (
        f"info move {info.vertex} visits {info.visits} edgeVisits {info.visits} "
        f"{_named(move_figures(info, analysis, viewer))} weight {_decimal(info.visits, 1)} "
        f"{unsettled}order {order} pv {_variation(info, request)}"
    )
    parts = [segment]
    visits = " ".join(map(str, variation_visits(info)[: request.variation_length]))
    if request.pv_visits:
        parts.append(f"pvVisits {visits}")
    if request.pv_edge_visits:
        parts.append(f"pvEdgeVisits {visits}")
    if request.moves_ownership and info.ownership is not None:
        parts.append(_points("movesOwnership", seen_ownership(info.ownership, viewer)))
    return " ".join(parts)


def _variation(info: MoveInfo, request: AnalysisRequest) -> str:
    return " ".join(info.variation[: request.variation_length])


def variation_visits(info: MoveInfo) -> list[int]:
    """Return as many numbers as the variation has moves: the visits of each.

    Where the search did not say, the first has the move's visits and the others one each.
    """
    known = info.variation_visits or (info.visits,)
    missing = len(info.variation) - len(known)
    return [*known[: len(info.variation)], *(1 for _ in range(missing))]


def _seen(value: float, to_play: str, viewer: str) -> float:
    share = _share(value)
    return share if viewer == to_play else 1.0 - share


def _share(value: float) -> float:
    """Return a number from 0 to 1, whatever came; a missing one is 0."""
    return min(max(value, 0.0), 1.0) if not math.isnan(value) else 0.0


def _finite(number: float) -> float:
    return min(max(number, -SCORE_LIMIT), SCORE_LIMIT) if not math.isnan(number) else 0.0


def _decimal(number: float, places: int = 6) -> str:
    """Return a number with a decimal point, and zero without a sign."""
    text = f"{number:.{places}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def _named(figures: dict[str, float]) -> str:
    return " ".join(
        f"{name} {_decimal(figures[name], places)}"
        for name, places in _PLACES.items()
        if name in figures
    )


def _points(name: str, values: Iterable[float]) -> str:
    return f"{name} {' '.join(_decimal(value, 3) for value in values)}"
