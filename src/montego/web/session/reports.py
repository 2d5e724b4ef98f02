"""What searches found, as pages are told it: hints, estimates, comparisons, a review's mistakes.

Plain functions from findings to words and messages. Chances are Black's, here as there.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from montego.web.game.go_referee import points_in_words
from montego.web.game.tree import Reviewed
from montego.web.messages.replies import Mistake
from montego.web.thinking.thinker import chance_for

if TYPE_CHECKING:
    from montego.web.game.tree import GameNode
    from montego.web.messages.requests import Color
    from montego.web.thinking.thinker import Answer, Findings

WORTH_A_WORD = 0.03
"""Chance that a move must have lost to be listed: less is within the error of the search."""

MOST_MISTAKES = 30


def hint_in_words(color: Color, name: str, move: str, answer: Answer) -> str:
    """Return ``"I would play D4, which gives Black 60% to win. I expect C3."``."""
    act = "pass" if move == "pass" else f"play {move}"
    text = f"I would resign; but if not, {act}" if answer.move == "resign" else f"I would {act}"
    found = None if answer.findings is None else answer.findings.find(move)
    if found is None or not found.visits:
        return f"{text}."
    text += f", which gives {name} {chance_for(color, found.value):.0%} to win"
    follow = " ".join(found.variation[1:5])
    return f"{text}. I expect {follow}." if follow else f"{text}."


def score_in_words(score: float) -> str:
    """Return ``"Black is ahead by about 4.5 points"``."""
    points = round(abs(score) * 2) / 2
    if points == 0:
        return "The game is about even"
    return f"{'Black' if score > 0 else 'White'} is ahead by about {points_in_words(points)}"


def comparison(color: Color, name: str, move: str, after: Findings, before: Findings) -> str:
    """Say what a move that was hardly searched is worth beside the best one."""
    best = before.moves[0].move if before.moves else "the best move"
    return (
        f"After {move} {name} has {chance_for(color, after.value):.0%} to win, by a short search; "
        f"after {best} {chance_for(color, before.value):.0%}."
    )


def reviewed(findings: Findings) -> Reviewed:
    """Return what a review keeps of a search."""
    if not findings.moves:
        return Reviewed(value=findings.value)
    best = findings.moves[0]
    return Reviewed(value=findings.value, best=best.move, variation=tuple(best.variation))


def mistakes_in(line: list[GameNode]) -> list[Mistake]:
    """Return the moves of a line that lost some chance, the largest loss first.

    *line* goes from the root to the end; moves whose positions were not reviewed are left out.
    """
    found = []
    for before, node in pairwise(line):
        if before.judged is None or node.judged is None or node.color is None:
            continue
        if before.judged.best == node.move:
            continue  # What differs then is only how long was searched.
        loss = before.judged.value - node.judged.value
        if node.color == "white":
            loss = -loss
        if loss >= WORTH_A_WORD:
            found.append(
                Mistake(
                    node=node.id,
                    loss=round(loss, 4),
                    better=before.judged.best,
                    variation=list(before.judged.variation),
                )
            )
    return sorted(found, key=lambda mistake: -mistake.loss)[:MOST_MISTAKES]
