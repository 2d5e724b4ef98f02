"""What people are told about a search, also while it runs: the leading moves and their outlook."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.engine.searching.outlook import Outlook
from montego.go.kernels.layout import TO_PLAY
from montego.go.vocabulary.color import format_color
from montego.mcts.report import choose

if TYPE_CHECKING:
    from montego.engine.searching.outlook import Outcome
    from montego.engine.searching.searcher import Searcher
    from montego.mcts.report import Candidate

LEAST_BELIEF = 1e-3  # Of a move that nothing speaks for.


class Observer:
    """Reports in vertices on what a searcher finds. Changes nothing about the search.

    It belongs to its searcher, and does not keep it: a tree must leave the memory with the last who
    wants it, not when Python looks for cycles some time. Not thread-safe; asked by the thread that
    searches, between two slices.
    """

    def __init__(self, searcher: Searcher) -> None:
        self._searcher: Searcher = weakref.proxy(searcher)
        self._outlook: Outlook | None = None
        self._whole: Outcome | None = None  # the outlook of the position at the latest sample,
        self._owners: tuple[float, ...] | None = None  # and who owns its points then

    def forget(self) -> None:
        """Forget the samples: the position is another one."""
        self._outlook = self._whole = None

    def analysis(
        self, *, sampled: bool = False, ownership: bool = False, every: float = 1.0
    ) -> Analysis:
        """Return what is known now; also while a search runs.

        *sampled* makes extra playouts for the scores of the moves, which *ownership* needs too, in
        about a seventh of *every* seconds; without, those made before are used.
        """
        candidates = self._searcher.candidates()
        if sampled or (ownership and self._outlook is None):
            self._sample(candidates, every)
        whole = None if self._outlook is None else self._outlook.whole(candidates)
        moves = self._move_infos(candidates, whole, ownership=ownership, visits=True)
        owners = tuple(whole.ownership) if ownership and whole is not None else None
        return self._summary(moves, whole, owners)

    def glance(
        self, most: int, *, sampled: bool = False, ownership: bool = False, every: float = 1.0
    ) -> Analysis:
        """Return what is known now about the *most* visited moves, in about a millisecond.

        For reports that come many times a second: as :meth:`analysis`, but moves have neither
        owners of points nor the visits of their variations, and all that comes from samples is as
        it was at the latest one.
        """
        candidates, belief = self._leading(most)
        if sampled or (ownership and self._outlook is None):
            self._whole = self._sample(candidates, every).whole(candidates)
            self._owners = tuple(self._whole.ownership) if self._whole else None
        whole = None if self._outlook is None else self._whole
        moves = self._move_infos(candidates, whole, belief=belief)
        return self._summary(moves, whole, self._owners if ownership and whole else None)

    def _sample(self, candidates: list[Candidate], every: float) -> Outlook:
        """Make playouts from the candidates, and return the outlook with them."""
        searcher = self._searcher
        if self._outlook is None:
            state = searcher.search.state
            self._outlook = Outlook(searcher.counted_definition(), state, searcher.config.seed)
        self._outlook.sample(searcher.search, candidates, every)
        return self._outlook

    def _summary(
        self, moves: list[MoveInfo], whole: Outcome | None, owners: tuple[float, ...] | None
    ) -> Analysis:
        searcher = self._searcher
        simulations, mean = searcher.progress()
        return Analysis(
            to_play=format_color(int(searcher.search.state[TO_PLAY])),
            simulations=simulations,
            visits=sum(move.visits for move in moves),
            value=moves[0].value if moves else 0.5,
            mean_score=mean if whole is None else whole.mean,
            score_deviation=0.0 if whole is None else whole.deviation,
            moves=tuple(moves),
            seconds=searcher.elapsed(),
            memory_share=searcher.memory_share(),
            ownership=owners,
            book_visits=sum(visits for visits, _ in searcher.booked().values()),
            points=searcher.counts_points,
            imagined=searcher.offset,
        )

    def _leading(self, most: int) -> tuple[list[Candidate], float | None]:
        """Return the most visited moves, the one to play first, and the belief in all moves."""
        search = self._searcher.search
        root = search.root()
        several = search.config.votes > 1 or (
            search.config.parallel == "root" and search.config.threads > 1
        )
        if several or not root.is_expanded:
            return self._searcher.candidates()[:most], None
        found = root.candidates(most)
        beliefs = np.maximum(root.prior_visits * root.prior_values, LEAST_BELIEF)
        chosen = choose(found, search.config.final_move)
        found.sort(key=lambda candidate: candidate is not chosen)
        return found, float(beliefs[root.legal].sum())

    def _move_infos(
        self,
        candidates: list[Candidate],
        whole: Outcome | None,
        *,
        ownership: bool = False,
        visits: bool = False,
        belief: float | None = None,
    ) -> list[MoveInfo]:
        """Return the moves in words of the protocol; *belief* is that in all moves together."""
        beliefs = [max(c.prior_visits * c.prior_value, LEAST_BELIEF) for c in candidates]
        total = sum(beliefs) if belief is None else belief
        outcomes = {} if self._outlook is None else self._outlook.outcomes
        searcher = self._searcher
        booked, root = searcher.booked(), searcher.search.root()
        infos = []
        for order, candidate in enumerate(candidates):
            outcome = outcomes.get(candidate.move)
            chance = searcher.chance_of(candidate)
            rave = chance if searcher.rewards_points else searcher.chance(candidate.amaf_value)
            book_visits, book_value = booked.get(candidate.move, (0.0, 0.5))
            infos.append(
                MoveInfo(
                    vertex=searcher.vertex(candidate.move),
                    visits=candidate.visits,
                    value=chance,
                    prior=beliefs[order] / total,
                    lower_bound=max(replace(candidate, value=chance).lower_bound, 0.0),
                    rave_value=rave,
                    # All moves as first say nothing of wins where points are rewarded.
                    rave_visits=0.0 if searcher.rewards_points else candidate.amaf_visits,
                    variation=tuple(searcher.vertex(move) for move in candidate.variation),
                    order=order,
                    score=outcome.mean_near(whole.mean) if outcome and whole else None,
                    score_deviation=None if outcome is None else outcome.deviation,
                    proof=candidate.proof,
                    variation_visits=root.line_visits(candidate.variation) if visits else (),
                    ownership=tuple(outcome.ownership) if outcome and ownership else None,
                    book_visits=book_visits,
                    book_value=book_value,
                )
            )
        return infos
