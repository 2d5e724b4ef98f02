"""How much searching is left: simulations or seconds, shared by the threads."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.mcts.config import Config

CHECKPOINTS = 10  # How often in its second half a search asks whether its result is settled.


class Budget:
    """What a search may still spend. Thread-safe.

    Simulations are handed out so that one thread stops at fixed numbers of them to look at the
    result: what a search with one thread does must not depend on the clock.
    """

    def __init__(self, config: Config, begin: float) -> None:
        self._lock = threading.Lock()
        self._simulations = config.simulations
        self._seconds = config.seconds
        self._begin = begin
        self._closed = False
        self._threads = config.threads
        self._early_stop = config.early_stop
        # No move can be out of reach before half of the simulations are done.
        self._half = (config.simulations or 0) // 2
        self._step = max(self._half // CHECKPOINTS, 1)
        self.taken = 0
        """Simulations handed out so far."""
        self.done = 0
        """Simulations reported as done; other threads may be at those in between."""

    def take(self, count: int) -> int:
        """Return how many of *count* simulations may be run now; 0 means the budget is spent.

        However short the time, the first are granted: a search should have an answer.
        """
        with self._lock:
            late = self._seconds is not None and self._elapsed() >= self._seconds
            if self._closed or (late and self.taken > 0):
                return 0
            if self._simulations is not None:
                # A fair share of what is left, so that no thread waits long for the last slice.
                count = min(count, math.ceil((self._simulations - self.taken) / self._threads))
                if self._early_stop:
                    past = self.taken - self._half
                    count = min(count, -past if past < 0 else self._step - past % self._step)
            self.taken += count
            return count

    def report(self, taken: int, done: int) -> None:
        """Say that of *taken* simulations *done* were run; the others are given back."""
        with self._lock:
            self.taken -= taken - done
            self.done += done

    def close(self) -> None:
        """Hand out nothing any more."""
        self._closed = True

    def is_checkpoint(self) -> bool:
        """Say whether this is a time to look whether the search is settled."""
        if not self._early_stop:
            return False
        if self._simulations is not None:
            past = self.taken - self._half
            return past >= 0 and past % self._step == 0
        return self.part_done() >= 0.5

    def left(self) -> float:
        """Return how many simulations are still to come, by the pace so far if time decides."""
        lefts = []
        if self._simulations is not None:
            lefts.append(float(self._simulations - self.done))
        if self._seconds is not None:
            pace = self.done / max(self._elapsed(), 1e-6)
            lefts.append(pace * max(self._seconds - self._elapsed(), 0.0))
        return min(lefts, default=float("inf"))

    def part_done(self) -> float:
        """Return the part of the budget that is spent, from 0 to 1; 0 if there is no limit."""
        parts = [0.0]
        if self._simulations is not None:
            parts.append(self.taken / self._simulations)
        if self._seconds is not None:
            parts.append(self._elapsed() / self._seconds)
        return min(max(parts), 1.0)

    def _elapsed(self) -> float:
        return time.perf_counter() - self._begin
