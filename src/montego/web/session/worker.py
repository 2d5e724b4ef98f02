"""The thread of a session that thinks. It does what is wanted most, and stops when that changes.

Nothing is queued here: whenever something has changed the worker asks what is wanted now. What it
is doing goes on if that is still wanted; else it is interrupted, and its result is dropped.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.web.thinking.gate import Gate, Ticket, Urgency

LOGGER = logging.getLogger(__name__)


@dataclass(eq=False)
class Job:
    """Something to think about."""

    key: tuple[object, ...]
    """Says what it is: jobs with the same key are the same."""
    run: Callable[[Job], None]
    """Does it, without the lock; either changes what is wanted, or was interrupted."""
    urgency: Urgency
    prepare: Callable[[Job], bool]
    """Waits, before a place at the gate is taken, for what it needs; False to give it up."""
    gives_way: bool = False
    """Whether it may be interrupted for others and begun again."""
    searches: bool = True
    """Whether it needs a place at the gate."""
    interrupt: threading.Event = field(default_factory=threading.Event)
    """Ends it soon."""
    dropped: bool = False
    """Whether nobody wants its result any more. Read and written with the lock held."""
    ticket: Ticket | None = None

    def drop(self) -> None:
        """End it, and have its result ignored. The lock is held."""
        self.dropped = True
        self.interrupt.set()
        if self.ticket is not None:
            self.ticket.cancel()


class Worker:
    """One thread, started when there is something to do."""

    def __init__(
        self,
        lock: threading.RLock,
        wanted: Callable[[], Job | None],
        failed: Callable[[Job, Exception], None],
        gate: Gate,
    ) -> None:
        """Use the *lock* that guards what *wanted* looks at; *failed* is called without it."""
        self._condition = threading.Condition(lock)
        self._wanted = wanted
        self._failed = failed
        self._gate = gate
        self._thread: threading.Thread | None = None
        self._closed = False
        self.current: Job | None = None
        """What is being done. Read with the lock held."""

    def reconsider(self) -> None:
        """Ask again what is wanted. The lock is held; returns at once."""
        job, wanted = self.current, self._wanted()
        if job is not None and (wanted is None or wanted.key != job.key):
            job.drop()
        if wanted is not None and self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._work, name="thinking", daemon=True)
            self._thread.start()
        self._condition.notify_all()

    def close(self) -> None:
        """End what is under way, and the thread soon after. The lock is held."""
        self._closed = True
        if self.current is not None:
            self.current.drop()
        self._condition.notify_all()

    def join(self, seconds: float) -> None:
        """Wait for the thread to end. The lock is not held."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(seconds)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                self._do(job)
            except Exception as error:  # Whatever it is, the game goes on.
                if not isinstance(error, ValueError):
                    LOGGER.exception("thinking failed")
                self._failed(job, error)
            finally:
                with self._condition:
                    self.current = None

    def _next(self) -> Job | None:
        """Wait for something to do; None when there will be nothing any more."""
        with self._condition:
            while not self._closed:
                self.current = self._wanted()
                if self.current is not None:
                    return self.current
                self._condition.wait()
            return None

    def _do(self, job: Job) -> None:
        if not job.prepare(job):
            return
        if not job.searches:
            job.run(job)
            return
        give_way = job.interrupt.set if job.gives_way else None
        with self._condition:
            ticket = job.ticket = self._gate.ticket(job.urgency, give_way)
            if job.dropped:
                return
        try:
            if ticket.enter():
                job.run(job)
        finally:
            ticket.leave()
