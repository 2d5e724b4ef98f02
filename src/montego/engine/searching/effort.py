"""The effort of one search: made in one go, or in two parts with a pause between; how far it is.

In the pause somebody may look at what was found, and go from wins to points or back. The tree then
begins anew, and what was made before still counts as made.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypedDict

from montego.engine.clock import LEAST
from montego.engine.knowledge.tuning import BEGUN_ANEW
from montego.mcts.kernels.backup import SCORE_UNIT
from montego.mcts.kernels.tree import SCORES, SIMULATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts.config import Config
    from montego.mcts.limits import MoveLimit
    from montego.mcts.report import SearchResult
    from montego.mcts.search import Changes, Search


class LeftOut(TypedDict):
    """Moves that a search is to leave out, as ``Search.run`` takes them."""

    limits: list[MoveLimit]
    avoided: list[int]


class Effort:
    """What the latest run of a search takes and makes. Not thread-safe: for who searches."""

    def __init__(self) -> None:
        self._begun = 0.0
        self._before = (0, 0)  # simulations and scores of the tree when it began
        self._result: SearchResult | None = None  # if it is over

    def elapsed(self) -> float:
        """Return the seconds since it began."""
        return time.perf_counter() - self._begun

    def progress(self, search: Search) -> tuple[int, float]:
        """Return simulations and mean score, by the search's komi; 0 without simulations.

        While it runs, and there are several trees, those of one of them.
        """
        if self._result is not None:
            return self._result.simulations, self._result.mean_score
        simulations, scores = _counted(search)
        if simulations >= self._before[0]:  # Else a restriction made the tree start anew.
            simulations, scores = simulations - self._before[0], scores - self._before[1]
        return simulations, scores / SCORE_UNIT / simulations if simulations else 0.0

    def run(
        self,
        search: Search,
        config: Config,
        left_out: LeftOut,
        watch: Callable[[float], bool],
        *,
        pause: Callable[[], float] | None = None,
        pause_after: float = 0.5,
    ) -> None:
        """Search as *config* says, without what is *left_out*, until *watch* says that it is over.

        *watch* is asked at once, and then with the seconds so far. *pause* is called as
        ``Searcher.run`` says, and returns the ``reward_points`` for the rest.
        """
        self._begun = time.perf_counter()
        search.restrict(**left_out)
        self._before = _counted(search)
        self._result = None

        def progress(_search: Search, _part: float) -> None:
            if watch(self.elapsed()):
                search.stop()

        if watch(0.0):
            return
        go_on = partial(search.run, **left_out, progress=progress)
        whole = _changes(config)
        endless = config.simulations is None and config.seconds is None
        if pause is None or endless or config.votes > 1:
            self._result = go_on(**whole)
            return
        found = go_on(**_changes(_first_part(config, pause_after)))
        simulations, seconds = config.simulations, config.seconds
        left = None if simulations is None else max(simulations - found.simulations, 0)

        def is_over() -> bool:
            late = seconds is not None and self.elapsed() >= seconds
            return left == 0 or late or search.is_stopped

        beginnings, (simulated, scored), before = search.beginnings, _counted(search), self._before
        if not is_over():
            config = replace(config, reward_points=pause())
        if search.beginnings != beginnings:
            # From wins to points or back: nobody could choose from a tree that is next to empty.
            self._before = (before[0] - simulated, before[1] - scored)
            least = BEGUN_ANEW if left is None else min(left, BEGUN_ANEW)
            few = _changes(replace(_without_end(config), simulations=least, seconds=None))
            begun = search.run(**left_out, **few)
            if not any(candidate.visits for candidate in begun.candidates):
                begun = search.run(**left_out, **few)  # A stop came too soon; it is heard below.
            found = _joined(found, begun)
            left = None if left is None else max(left - begun.simulations, 0)
        if not (is_over() or watch(self.elapsed())):
            rest = None if seconds is None else max(seconds - self.elapsed(), LEAST)
            last = _changes(replace(config, simulations=left, seconds=rest))
            found = _joined(found, go_on(**last))
        self._result = found


def _changes(config: Config) -> Changes:
    """Return what a run with that configuration may do otherwise than the search's own says."""
    return {
        "simulations": config.simulations,
        "seconds": config.seconds,
        "early_stop": config.early_stop,
        "final_move": config.final_move,
        "votes": config.votes,
        "reward_points": config.reward_points,
    }


def _counted(search: Search) -> tuple[int, int]:
    """Return simulations and the sum of scores so far; of one tree if there are several."""
    counters = search.tree.counters
    return int(counters[SIMULATIONS]), int(counters[SCORES])


def _first_part(config: Config, share: float) -> Config:
    """Return a configuration for that share of a search."""
    simulations, seconds = config.simulations, config.seconds
    return replace(
        _without_end(config),
        simulations=None if simulations is None else math.ceil(simulations * share),
        seconds=None if seconds is None else seconds * share,
    )


def _without_end(config: Config) -> Config:
    """Return the configuration for a part of a search that neither ends early nor goes on late.

    Robust-max would add simulations before it is time.
    """
    final_move = "robust" if config.final_move == "robust-max" else config.final_move
    return replace(config, early_stop=False, final_move=final_move)


def _joined(first: SearchResult, then: SearchResult) -> SearchResult:
    """Return the result of a search that was made in two parts."""
    simulations = first.simulations + then.simulations
    scores = (part.mean_score * part.simulations for part in (first, then))
    return replace(
        then,
        simulations=simulations,
        seconds=first.seconds + then.seconds,
        mean_score=sum(scores) / max(simulations, 1),
    )
