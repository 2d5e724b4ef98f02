"""What a search found, as plain data, and its choice of a move."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFIDENCE = 1.96  # Standard errors below the mean, for the lower confidence bound.


@dataclass(frozen=True)
class Candidate:
    """A move at the root and what the search thinks of it. Values are the mover's."""

    move: int
    visits: int
    value: float
    """Mean reward, usually the win probability; of the prior if there were no visits."""
    amaf_visits: float
    amaf_value: float
    prior_visits: float
    prior_value: float
    proof: str | None
    """``"win"``, ``"loss"`` or ``"draw"`` once proven, with the moves that the search may make: a
    proof with moves left out says nothing of these."""
    variation: tuple[int, ...]
    """The expected continuation, this move first."""
    tally: float = 0.0
    """With ``reward_points`` the share of its visits that were won, for then the value is another;
    with UCB1-TUNED and formulas of one's own the mean square of the rewards; else 0."""

    @property
    def lower_bound(self) -> float:
        """The value less about two standard errors; below every value if there were no visits."""
        if self.visits == 0:
            return -math.inf
        spread = math.sqrt(max(self.value * (1.0 - self.value), 0.25 / (self.visits + 1)))
        return self.value - CONFIDENCE * spread / math.sqrt(self.visits)


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search."""

    move: int | None
    """The move to play; None if the game is over, or the search was stopped before it began."""
    value: float
    """Its value for the player to move."""
    simulations: int
    """Simulations of this search, those kept from before not included."""
    seconds: float
    mean_score: float
    """Mean score of the playouts, the first player's."""
    candidates: tuple[Candidate, ...]
    """All moves at the root, most visits first."""
    proof: str | None
    """``"win"``, ``"loss"`` or ``"draw"`` for the player to move, once proven."""
    votes: tuple[tuple[int, int], ...] = ()
    """With majority voting: moves and their votes, most first."""

    @property
    def variation(self) -> tuple[int, ...]:
        """The expected continuation, the chosen move first."""
        for candidate in self.candidates:
            if candidate.move == self.move:
                return candidate.variation
        return ()


def merge(lists: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Add up what several searches of one position found: root parallel search."""
    by_move: dict[int, list[Candidate]] = {}
    for found in lists:
        for candidate in found:
            by_move.setdefault(candidate.move, []).append(candidate)
    return sorted((_sum(same) for same in by_move.values()), key=lambda merged: -merged.visits)


def _sum(same: list[Candidate]) -> Candidate:
    visits = sum(candidate.visits for candidate in same)
    amaf_visits = sum(candidate.amaf_visits for candidate in same)
    value = sum(candidate.value * candidate.visits for candidate in same)
    amaf = sum(candidate.amaf_value * candidate.amaf_visits for candidate in same)
    tally = sum(candidate.tally * candidate.visits for candidate in same)
    leader = max(same, key=lambda candidate: candidate.visits)
    return Candidate(
        move=leader.move,
        visits=visits,
        value=value / visits if visits else leader.prior_value,
        amaf_visits=amaf_visits,
        amaf_value=amaf / amaf_visits if amaf_visits else 0.5,
        prior_visits=leader.prior_visits,
        prior_value=leader.prior_value,
        proof=next((candidate.proof for candidate in same if candidate.proof), None),
        variation=leader.variation,
        tally=tally / visits if visits else 0.0,
    )


def choose(candidates: Sequence[Candidate], final_move: str) -> Candidate | None:
    """Return the move to play by a rule of 000 3.1.2, or None if there is none.

    A proven win is always taken and a proven loss never, if there is a choice. A proven draw is
    taken unless the rule chooses, among the moves not proven, one that promises more.
    """
    if not candidates:
        return None
    by_proof: dict[str | None, list[Candidate]] = {}
    for candidate in candidates:
        by_proof.setdefault(candidate.proof, []).append(candidate)
    if "win" in by_proof:
        return by_proof["win"][0]
    chosen = _choose_unproven(by_proof[None], final_move) if None in by_proof else None
    if "draw" in by_proof and (chosen is None or chosen.value <= 0.5):
        return by_proof["draw"][0]
    return chosen or by_proof["loss"][0]


def _choose_unproven(candidates: Sequence[Candidate], final_move: str) -> Candidate:
    visited = [candidate for candidate in candidates if candidate.visits] or candidates
    robust = max(visited, key=lambda candidate: (candidate.visits, candidate.value))
    best = max(visited, key=lambda candidate: (candidate.value, candidate.visits))
    if final_move == "max":
        return best
    if final_move == "confident":
        # A bound over a handful of visits says nothing: ask for a tenth of the leader's.
        known = [candidate for candidate in visited if candidate.visits * 10 >= robust.visits]
        return max(known, key=lambda candidate: candidate.lower_bound)
    return robust


def elect(results: Sequence[SearchResult]) -> tuple[Candidate | None, list[tuple[int, int]]]:
    """Return the move most searches chose, and the moves with their votes, most first.

    Among moves with as many votes the one with more visits comes first. What one search has proven
    overrules the votes: a win is taken, a loss is not if there is another choice.
    """
    found = merge([result.candidates for result in results])
    ballots = Counter(result.move for result in results if result.move is not None)
    elected = sorted(
        (candidate for candidate in found if candidate.move in ballots),
        key=lambda candidate: -ballots[candidate.move],
    )
    votes = [(candidate.move, ballots[candidate.move]) for candidate in elected]
    wins = [candidate for candidate in found if candidate.proof == "win"]
    open_moves = [candidate for candidate in (*elected, *found) if candidate.proof != "loss"]
    return next(iter([*wins, *open_moves, *elected]), None), votes


def is_robust_max(candidates: Sequence[Candidate]) -> bool:
    """Say whether one move has both the most visits and the best value."""
    robust, best = choose(candidates, "robust"), choose(candidates, "max")
    return robust is best
