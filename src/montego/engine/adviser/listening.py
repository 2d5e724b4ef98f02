"""Listening to the adviser while the search goes on, and deciding when both have done enough.

The question itself, and what becomes of its answer, is the counsel's:
:mod:`montego.engine.adviser.hybrid`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.adviser.hybrid import Counsel
    from montego.engine.request import Request

HELD = 0.5  # Part of the seconds that is kept for after the answer, where it is a prior.
REWRITE_EVERY = 0.05  # Seconds between two looks at whether advice is in the tree.


class Listening:
    """Watches a search as its caller does, and listens to the adviser meanwhile."""

    def __init__(
        self,
        counsel: Counsel,
        request: Request,
        simulations: int | None,
        seconds: float | None,
        watch: Callable[[float], bool],
    ) -> None:
        self._counsel = counsel
        self._request = request
        self._simulations = simulations
        self._seconds = seconds
        self._watch = watch
        self._next_write = 0.0
        self._heard: float | None = None  # when there was nothing more to wait for
        self.keeps_time = request.budget is None and not request.options.has_limit
        """Whether this decides how long to search: nobody set a limit, so there may be more."""
        self._is_prior = request.options.with_mode == "priors"

    def is_over(self, elapsed: float) -> bool:
        """Say whether to end the search after *elapsed* seconds."""
        counsel, request = self._counsel, self._request
        counsel.look()
        if self._is_prior and elapsed >= self._next_write and counsel.write(request):
            # Written again in case the tree was begun anew, which is rare.
            self._next_write = elapsed + REWRITE_EVERY
        over = self._watch(elapsed)
        if request.is_interrupted():
            return True
        if counsel.is_waiting:
            return False
        if self._heard is None:
            self._heard = elapsed
        if self.keeps_time and self._seconds is not None:
            more = HELD * self._seconds if self._is_prior else 0.0
            return over or elapsed >= max(self._seconds, self._heard + more)
        return over or self._is_settled()

    def hear(self) -> None:
        """Wait for the advice before the rest of the simulations, and write it into the tree."""
        self._counsel.wait(self._request)
        self._counsel.write(self._request)

    def _is_settled(self) -> bool:
        """Say whether the most visited move cannot be overtaken, as the search itself would."""
        config = self._request.searcher.config
        if not (self._is_prior and config.early_stop and config.final_move == "robust"):
            return False
        if self._simulations is None or config.solver or config.threads > 1:
            return False
        standing = self._request.searcher.standing()
        if standing is None:
            return False
        left = self._simulations - standing.simulations
        return standing.visits - standing.second_visits > left
