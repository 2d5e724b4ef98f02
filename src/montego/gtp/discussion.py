"""What a session says on standard error while it plays: chat for OGS, live graphics for GoGui.

Programs that merge standard error into standard output look at how lines begin, so no line here
begins with ``info``, ``play``, ``=`` or ``?``.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.engine.decision import Decision
    from montego.engine.searching.analysis import Analysis
    from montego.gtp.session import Session

GREETING = "Montego understands the commands of KataGo"
"""gtp2ogs shows the expected variation only after some line had the name in it."""

SHOWN_MOVES = 10
SHOWN_VARIATION = 6


def discuss(session: Session, decision: Decision) -> None:
    """Tell spectators on OGS what was expected, if the session's manners ask for it.

    Values and scores are those of the player who moved.
    """
    if not session.manners.discuss or decision.analysis is None or decision.analysis.best is None:
        return
    analysis = decision.analysis.in_truth()
    score = analysis.mean_score if analysis.to_play == "black" else -analysis.mean_score
    session.tell(
        f"MALKOVICH:Visits {analysis.visits} Winrate {analysis.value:.2%} "
        f"ScoreLead {score:.1f} ScoreStdev {analysis.score_deviation:.1f} "
        f"PV {' '.join(decision.analysis.best.variation)}"
    )
    if analysis.proviso:
        session.tell(f"MALKOVICH:The win rate is that{analysis.proviso}.")


@contextmanager
def live_graphics(session: Session) -> Iterator[Callable[[Analysis], None] | None]:
    """Give a report for the player that draws the search in GoGui; None if nobody asked for it.

    The picture is wiped at the end, before the reply.
    """
    if not session.live_graphics:
        yield None
        return

    def report(analysis: Analysis) -> None:
        session.tell(f"gogui-gfx:\n{search_graphics(analysis)}\n")

    try:
        yield report
    finally:
        session.tell("gogui-gfx: CLEAR")


def search_graphics(analysis: Analysis) -> str:
    """Return GoGui's graphics of a search: visits as labels, values as influence, the variation."""
    moves = [info for info in analysis.moves if info.vertex != "pass"][:SHOWN_MOVES]
    lines = []
    if moves:
        labels = " ".join(f"{info.vertex} {info.visits}" for info in moves)
        sign = 1.0 if analysis.to_play == "black" else -1.0
        values = " ".join(f"{info.vertex} {sign * (2 * info.value - 1):.2f}" for info in moves)
        lines += [f"INFLUENCE {values}", f"LABEL {labels}"]
    best = analysis.best
    if best is not None:
        lines.insert(0, f"VAR {variation_with_colors(analysis)}")
    lines.append(f"TEXT {analysis.visits} visits, {analysis.to_play} {analysis.value:.1%}")
    return "\n".join(lines)


def variation_with_colors(analysis: Analysis) -> str:
    """Return the expected continuation as ``b D4 w Q16 ...``; passes as ``b PASS``."""
    if analysis.best is None:
        return ""
    first = "b" if analysis.to_play == "black" else "w"
    colors = (first, "w" if first == "b" else "b")
    moves = analysis.best.variation[:SHOWN_VARIATION]
    return " ".join(f"{colors[index % 2]} {move.upper()}" for index, move in enumerate(moves))
