"""Why this move, in words, in Hex, Connect 4 and tic-tac-toe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from montego.web.thinking.thinker import Findings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.web.game.search_referee import SearchReferee
    from montego.web.messages.replies import MoveReport
    from montego.web.messages.requests import Color

ALTERNATIVES = 3
CONTINUATION = 8
CLOSE = 0.02  # Difference of values that means nothing.
PROOFS = {
    "win": "it wins against any defense",
    "loss": "it loses if the opponent answers well, as does everything else",
    "draw": "it leads to a draw if nobody errs",
}


@dataclass(frozen=True, kw_only=True)
class SearchFindings(Findings):
    """What the tree search found: more than there is room for in a list of the best moves."""

    visits: int = 0
    """Of all moves together, those kept from earlier searches included."""
    tried: int = 0
    """How many moves were visited at all."""
    proofs: dict[str, str] = field(default_factory=dict)
    """By move: ``"win"``, ``"loss"`` or ``"draw"`` for the player to move."""


def explain_choice(
    referee: SearchReferee, color: Color, move: str, findings: Findings
) -> list[str]:
    """Return a few lines about a move of *color*, as the search saw it before the move."""
    proofs = findings.proofs if isinstance(findings, SearchFindings) else {}
    player = referee.color_name(color)
    chosen = next((report for report in findings.moves if report.move == move), None)
    if chosen is None:
        return [f"{player} plays {_named(referee, move)}. The search did not look at it."]
    best = findings.moves[0]
    reason = "the search prefers it" if chosen is best else f"the search prefers {best.move}"
    if move in proofs:
        only = proofs[move] == "loss" and chosen is not best
        reason = "it loses if the opponent answers well" if only else PROOFS[proofs[move]]
    lines = [f"{player} plays {_named(referee, move)}: {reason}."]
    visits = sum(report.visits for report in findings.moves)
    if isinstance(findings, SearchFindings):
        visits = findings.visits
        lines.append(_search(findings))
    if visits:
        lines.append(
            f"{100 * chosen.visits / visits:.0f}% went through {move}. "
            f"{player}'s chance to win is {_chance(chosen, color)}."
        )
    lines += _comparison(findings, chosen, color, proofs)
    if len(chosen.variation) > 1:
        lines.append(f"Expected: {' '.join(chosen.variation[:CONTINUATION])}.")
    if chosen.rave_visits >= 1:
        rave = chosen.rave if color == "black" else 1.0 - chosen.rave
        lines.append(f"Of the playouts with {move} at any time, {100 * rave:.0f}% were won.")
    return lines


def _named(referee: SearchReferee, move: str) -> str:
    return f"column {move}" if referee.kind == "connect-four" else move


def _search(findings: SearchFindings) -> str:
    # One simulation of a new tree goes through no move.
    kept = findings.visits - findings.simulations
    known = f" and knew {kept:,} from before" if kept > 0 else ""
    tried = "1 move was" if findings.tried == 1 else f"{findings.tried} moves were"
    return (
        f"It made {findings.simulations:,} simulations in {findings.seconds:.1f} s{known}; "
        f"{tried} tried."
    )


def _chance(report: MoveReport, color: Color) -> str:
    value = report.value if color == "black" else 1.0 - report.value
    return f"{100 * value:.0f}%"


def _comparison(
    findings: Findings, chosen: MoveReport, color: Color, proofs: Mapping[str, str]
) -> list[str]:
    others = [report for report in findings.moves if report is not chosen and report.visits]
    if not others:
        return ["Nothing else was worth a try."]
    listed = ", ".join(
        f"{report.move} ({report.visits:,} visits, {_judged(report, color, proofs)})"
        for report in others[:ALTERNATIVES]
    )
    lines = [f"Other moves: {listed}."]
    if chosen.move in proofs:
        return lines
    second = others[0]
    if second.visits > chosen.visits:
        lines.append(f"{second.move} was searched more.")
    elif 2 * second.visits > chosen.visits and abs(second.value - chosen.value) < CLOSE:
        lines.append(f"The choice between {chosen.move} and {second.move} is close.")
    elif chosen.visits > 4 * second.visits:
        lines.append("The choice is clear.")
    return lines


def _judged(report: MoveReport, color: Color, proofs: Mapping[str, str]) -> str:
    proof = proofs.get(report.move)
    return _chance(report, color) if proof is None else f"a proven {proof}"
