"""When things happen: which job may search, and when a session is woken.

All games of the server share one :class:`Gate` with as many places as there are cores. A job waits
there for a place and leaves it when it is done. Those for whom a person waits go first, then games
that Montego plays by itself, then analysis; within each, who came first. An analysis gives way: it
is interrupted when somebody more urgent waits, or when others like it have waited for a while, and
comes again as a new job. A person never waits long behind other people's games: after a moment the
search is let in all the same, and the machine is shared.
"""

from __future__ import annotations

import enum
import itertools
import math
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from montego.engine.options.options import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Literal

    from montego.web.messages.requests import Side

    Timer = Callable[[float, Callable[[], None]], Callable[[], None]]
    """Calls a function once, from another thread, after some seconds; returns how to prevent it."""

    JobKind = Literal[
        "move",
        "check",
        "hint",
        "estimate",
        "explain",
        "proposal",
        "review",
        "analysis",
        "learn",
        "prepare",
    ]

SLICE_SECONDS = 2.0
"""How long an analysis is left alone while others like it wait."""

PATIENCE_SECONDS = 0.5
"""How long a person's search waits before it is let in beyond the number of places."""

CROWD = 4
"""How many times the places there may be searches at most, patience or not."""

_LOOK_SECONDS = 0.1  # Between two looks at the clock while waiting.
_LEAST_ALARM = 0.005  # Seconds; a clock that is read a moment too early is not read in a loop.
_LONGEST_ALARM = 3600.0


class Urgency(enum.IntEnum):
    """Who is let in first."""

    PERSON = 0  # A person waits for a move, a hint or an estimate.
    GAME = 1  # Montego plays by itself, or against an engine.
    ANALYSIS = 2  # Analysis and review, which have no end or a far one, and give way.


@dataclass(eq=False)
class SessionJob:
    """Something to think about in a session."""

    kind: JobKind = "prepare"
    run: Callable[[SessionJob], None] = lambda _job: None
    """Does it; when it is done, something else is wanted."""
    node: int = 0
    """Of the game's tree, where it is about one."""
    urgency: Urgency | None = None
    """None if it does not search, and needs no place."""
    side: Side = "montego"
    """Whose thinker does it."""
    details: Any = None
    """What else tells it from other jobs: a move's strength, when an analysis began."""
    interrupt: threading.Event = field(default_factory=threading.Event)
    """Ends it soon."""
    dropped: bool = False
    """Whether nobody wants its result any more."""
    number: int = 0
    """In the order in which jobs came to the gate."""
    since: float = 0.0
    """When it began to wait at the gate, and once it is inside, when it was let in."""
    called: threading.Event = field(default_factory=threading.Event)
    """Set when its waiting is over, with or without a place."""
    asked_to_leave: bool = False
    """Whether it was interrupted for others, and may come again."""

    @property
    def key(self) -> tuple[object, ...]:
        """What it is about: jobs with the same key are the same."""
        return self.kind, self.node, self.side, self.details


class Gate:
    """The places for searches. Every method may be called from any thread."""

    def __init__(self, places: int | None = None) -> None:
        self.places = max(1, usable_cores() if places is None else places)
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: list[SessionJob] = []
        self._inside: set[SessionJob] = set()

    @property
    def searching(self) -> int:
        """How many are inside."""
        return len(self._inside)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @contextmanager
    def place(self, job: SessionJob) -> Iterator[bool]:
        """Wait for a place, and leave it in the end; False if the job is dropped before that.

        A job that does not search is let in at once.
        """
        if job.urgency is None:
            yield True
            return
        with self._lock:
            if not job.dropped:
                job.number, job.since = next(self._numbers), time.monotonic()
                self._waiting.append(job)
                self._waiting.sort(key=lambda waiting: (waiting.urgency, waiting.number))
        try:
            while not (job.dropped or job.called.is_set()):
                self._let_in()
                job.called.wait(_LOOK_SECONDS)
            yield job in self._inside
        finally:
            with self._lock:
                self._inside.discard(job)
            self._let_in()

    def drop(self, job: SessionJob) -> None:
        """End a job, and have its result ignored; it keeps a place that it has until it leaves."""
        with self._lock:
            job.dropped = True
            job.interrupt.set()
            if job in self._waiting:
                self._waiting.remove(job)
            job.called.set()

    def _let_in(self) -> None:
        """Admit whom the rules admit, and ask for room for the others."""
        with self._lock:
            now = time.monotonic()
            for job in list(self._waiting):
                impatient = job.urgency == Urgency.PERSON and now - job.since >= PATIENCE_SECONDS
                if len(self._inside) < self.places * (CROWD if impatient else 1):
                    self._waiting.remove(job)
                    self._inside.add(job)
                    job.since = now
                    job.called.set()
            leaving = sum(job.asked_to_leave for job in self._inside)
            for waiting in self._waiting[leaving:]:
                willing = [job for job in self._inside if _gives_way(job, waiting, now)]
                if not willing:
                    break  # Those behind it are no more urgent.
                chosen = min(willing, key=lambda job: job.since)
                chosen.asked_to_leave = True
                chosen.interrupt.set()


def _gives_way(job: SessionJob, other: SessionJob, now: float) -> bool:
    """Say whether a job can be interrupted for another, and has not been."""
    if job.urgency != Urgency.ANALYSIS or job.asked_to_leave:
        return False
    return other.urgency != Urgency.ANALYSIS or now - job.since >= SLICE_SECONDS


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
            seconds = min(max(seconds, _LEAST_ALARM), _LONGEST_ALARM)
            self._cancel = self._timer(seconds, self._ring)

    def cancel(self) -> None:
        """Do not ring."""
        if self._cancel is not None:
            self._cancel()
            self._cancel = None
