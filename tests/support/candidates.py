"""Moves as a search finds them, for those who choose among them."""

from __future__ import annotations

from montego.mcts.report import Candidate


def candidate(
    move: int,
    visits: int,
    value: float = 0.5,
    *,
    prior: tuple[float, float] = (0.0, 0.5),
    proof: str | None = None,
) -> Candidate:
    """Return a move with so many visits; the rest is as of a move that nothing is known of."""
    return Candidate(
        move=move,
        visits=visits,
        value=value,
        amaf_visits=0.0,
        amaf_value=0.5,
        prior_visits=prior[0],
        prior_value=prior[1],
        proof=proof,
        variation=(move,),
    )
