"""The review of a game: which moves lost the most, from what a search says of each position."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from montego.web.game.tree import Judged
from montego.web.messages.replies import Mistake

if TYPE_CHECKING:
    from montego.web.game.tree import Node
    from montego.web.thinking.thinker import Findings

REVIEW_SIMULATIONS = 800
"""For each position."""

WORTH_A_WORD = 0.03
"""Chance that a move must have lost to be listed: less is within the error of the search."""

MOST_MISTAKES = 30


def judged_by(findings: Findings) -> Judged:
    """Return what a review keeps of a search."""
    best = findings.moves[0] if findings.moves else None
    return Judged(
        value=findings.value,
        best=None if best is None else best.move,
        variation=() if best is None else tuple(best.variation),
    )


def mistakes_in(line: list[Node]) -> list[Mistake]:
    """Return the moves of a line that lost some chance, the largest loss first.

    *line* goes from the root to the end; moves whose positions were not judged are left out.
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
