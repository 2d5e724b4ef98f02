"""Being woken at a time: one alarm after another, by a timer that tests can replace."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

LEAST = 0.005  # Seconds; so that a clock that is read a moment too early is not read in a loop.
LONGEST = 3600.0


class Timer(Protocol):
    """Calls a function once, from another thread, after some seconds."""

    def __call__(self, seconds: float, function: Callable[[], None], /) -> Callable[[], None]:
        """Return how to prevent that."""
        ...


def threading_timer(seconds: float, function: Callable[[], None]) -> Callable[[], None]:
    """Wake up with a thread of Python's own."""
    timer = threading.Timer(seconds, function)
    timer.daemon = True
    timer.start()
    return timer.cancel


class Alarm:
    """One alarm, which can be set again and again. Whoever owns it holds a lock."""

    def __init__(self, timer: Timer, ring: Callable[[], None]) -> None:
        self._timer = timer
        self._ring = ring
        self._cancel: Callable[[], None] | None = None

    def set(self, seconds: float) -> None:
        """Ring after so long, and not when it was set before; infinity is never.

        It may ring too early, when that is very long.
        """
        self.cancel()
        if seconds < math.inf:
            self._cancel = self._timer(min(max(seconds, LEAST), LONGEST), self._ring)

    def cancel(self) -> None:
        """Do not ring."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None
