"""An analysis as text: info lines of Leela Zero and KataGo, JSON of CGOS, graphics of GoGui, chat.

Programs read these lines with grammars of their own, and narrow ones. So: single blanks; numbers
of KataGo's lines always with a decimal point, those of Leela Zero's whole; a segment ends with
its variation, which is never empty; owners of points come last; nothing stands in a line that was
not asked for.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.go.vocabulary.vertex import format_vertex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from montego.engine.opinion import NetworkOpinion
    from montego.gtp.analyze.arguments import AnalysisRequest

SCORE_LIMIT = 1500.0  # No score lies beyond: the largest board, and the largest komi.
CGOS_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
DRAWN_MOVES, DRAWN_VARIATION = 10, 6  # How much of an analysis GoGui is shown.

# Digits behind the point in KataGo's lines; of other numbers there are 6.
_PLACES = {"weight": 1} | dict.fromkeys(
    (
        "scoreMean", "scoreStdev", "scoreLead", "scoreSelfplay",
        "ownership", "ownershipStdev", "movesOwnership",
    ), 3,
)  # fmt: skip  # A list to read, not a column.


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


def root_report(analysis: Analysis, viewer: str) -> dict[str, Any]:
    """Return what KataGo's programs are told of a position, under KataGo's names."""
    winrate = _seen(analysis.value, analysis.to_play, viewer)
    return {
        "visits": analysis.visits,
        **_figures(winrate, analysis.mean_score, analysis.score_deviation, viewer),
        "weight": float(analysis.visits),
    }


def move_report(
    order: int, info: MoveInfo, analysis: Analysis, request: AnalysisRequest, viewer: str
) -> dict[str, Any]:
    """Return what *request* wants KataGo's programs to be told of a move, under KataGo's names.

    A move without a score of its own has the position's.
    """
    winrate = _seen(info.value, analysis.to_play, viewer)
    bound = _seen(info.lower_bound, analysis.to_play, viewer)
    score, deviation = info.score, info.score_deviation
    report = {
        "move": info.vertex,
        "visits": info.visits,
        "edgeVisits": info.visits,
        **_figures(
            winrate,
            analysis.mean_score if score is None else score,
            analysis.score_deviation if deviation is None else deviation,
            viewer,
        ),
        "prior": _share(info.prior),
        "lcb": bound,
        "utilityLcb": 2.0 * bound - 1.0,
        "weight": float(info.visits),
        **({"noResultValue": 0.0} if request.no_result_value else {}),
        "order": order,
        "pv": list(info.variation[: request.variation_length]),
    }
    visits = variation_visits(info)[: request.variation_length]
    if request.pv_visits:
        report["pvVisits"] = visits
    if request.pv_edge_visits:
        report["pvEdgeVisits"] = visits
    if request.moves_ownership and info.ownership is not None:
        report["movesOwnership"] = seen_ownership(info.ownership, viewer)
    return report


def _figures(winrate: float, score: float, deviation: float, viewer: str) -> dict[str, float]:
    seen = (_finite(score) if viewer == "black" else -_finite(score)) + 0.0
    return {
        "utility": 2.0 * winrate - 1.0,
        "winrate": winrate,
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
        report = move_report(order, info, analysis, request, viewer)
        winrate, prior, bound = (round(report[n] * 10_000) for n in ("winrate", "prior", "lcb"))
        segments.append(
            f"info move {info.vertex} visits {info.visits} winrate {winrate} prior {prior} "
            f"lcb {bound} order {order} pv {' '.join(report['pv'])}"
        )
    return " ".join(segments)


def kata_line(analysis: Analysis, request: AnalysisRequest) -> str:
    """Return the line of ``kata-analyze`` with everything that *request* asks for."""
    viewer = viewer_of(request.perspective, analysis.to_play)
    parts = [
        f"info {_words(move_report(order, info, analysis, request, viewer))}"
        for order, info in enumerate(_moves_or_pass(analysis, request))
    ]
    if request.root_info:
        unsettled = " noResultValue 0.000000" if request.no_result_value else ""
        parts.append(f"rootInfo {_words(root_report(analysis, viewer))}{unsettled}")
    if request.ownership and analysis.ownership is not None:
        parts.append(_words({"ownership": seen_ownership(analysis.ownership, viewer)}))
    if request.ownership_deviation and analysis.ownership is not None:
        parts.append(_words({"ownershipStdev": ownership_deviation(analysis.ownership)}))
    return " ".join(parts)


def cgos_line(analysis: Analysis, request: AnalysisRequest) -> str:
    """Return the line of JSON that the server CGOS shows to those who watch a game."""
    viewer = analysis.to_play
    root = root_report(analysis, viewer)
    moves = []
    for order, info in enumerate(reported_moves(analysis)):
        move = move_report(order, info, analysis, request, viewer)
        moves.append(
            {
                "move": info.vertex,
                "winrate": round(move["winrate"], 4),
                "score": round(move["scoreLead"], 2),
                "prior": round(move["prior"], 4),
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
    unsearched = MoveInfo(vertex="pass", variation=("pass",), value=analysis.value)
    return reported_moves(analysis, request.min_moves, most) or [unsearched]


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
    return float(min(max(value, 0.0), 1.0)) if not math.isnan(value) else 0.0


def _finite(number: float) -> float:
    return float(min(max(number, -SCORE_LIMIT), SCORE_LIMIT)) if not math.isnan(number) else 0.0


def _words(report: dict[str, Any]) -> str:
    """Return names and values as KataGo's lines have them."""
    return " ".join(
        " ".join([name, *(_word(name, item) for item in value)])
        if isinstance(value, list)
        else f"{name} {_word(name, value)}"
        for name, value in report.items()
    )


def _word(name: str, value: object) -> str:
    """Return a value; a number that is none of a count has a point, and zero has no sign."""
    if not isinstance(value, float):
        return str(value)
    text = f"{value:.{_PLACES.get(name, 6)}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def raw_network_text(symmetry: int, said: NetworkOpinion, size: int) -> str:
    """Return what a network says in the words of KataGo, for White; boards from the top row."""
    lines = [
        f"symmetry {symmetry}",
        f"whiteWin {said.white_win:.6f}",
        f"whiteLoss {1.0 - said.white_win:.6f}",
        "noResult 0.000000",
    ]
    if said.black_score is not None:
        lines.append(f"whiteLead {-said.black_score:.3f}")
        lines.append(f"whiteScoreSelfplay {-said.black_score:.3f}")
    chances = [said.chances.get(vertex) for vertex in reading_order(size)]
    lines.append("policy")
    lines += _rows(["NAN" if chance is None else f"{chance:.6f}" for chance in chances], size)
    lines.append(f"policyPass {said.chances.get('pass', 0.0):.6f}")
    if said.black_ownership is not None:
        lines.append("whiteOwnership")
        lines += _rows([f"{-owner + 0.0:.7f}" for owner in said.black_ownership], size)
    return "\n".join(lines)


def _rows(words: list[str], size: int) -> list[str]:
    return [" ".join(words[start : start + size]) for start in range(0, len(words), size)]
