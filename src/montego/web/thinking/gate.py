"""Who may search: a gate for all games of the server, with as many places as there are cores.

A search takes a :class:`Ticket`, waits for a place and leaves it when it is done. Those for whom a
person waits go first, then games that Montego plays by itself, then analysis; within each, who came
first. Searches without an end give way: they are interrupted when somebody more urgent waits, or
when others like them have waited for a while, and then ask again with a new ticket. A person never
waits long behind other people's games: after a moment the search is let in all the same, and the
machine is shared.
"""

from __future__ import annotations

import enum
import itertools
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from montego.engine.cores import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SLICE_SECONDS = 2.0
"""How long a search without an end is left alone while others like it wait."""

PATIENCE_SECONDS = 0.5
"""How long a person's search waits before it is let in beyond the number of places."""

CROWD = 4
"""How many times the places there may be searches at most, patience or not."""

_LOOK_SECONDS = 0.1  # Between two looks at the clock while waiting.


class Urgency(enum.IntEnum):
    """Who is let in first."""

    PERSON = 0  # A person waits for a move, a hint or an estimate.
    GAME = 1  # Montego plays by itself, or against an engine.
    STUDY = 2  # Analysis and review, which have no end or a far one.


class Gate:
    """The places for searches. Every method may be called from any thread."""

    def __init__(self, places: int | None = None) -> None:
        self.places = max(1, usable_cores() if places is None else places)
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: list[Ticket] = []
        self._inside: set[Ticket] = set()

    @property
    def searching(self) -> int:
        """How many are inside."""
        return len(self._inside)

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def ticket(self, urgency: Urgency, interrupt: Callable[[], None] | None = None) -> Ticket:
        """Return a ticket, which does not wait yet.

        *interrupt* is called, from another thread and at most once, when the search should end
        soon, leave and ask again; it must be quick. None for a search that ends by itself before
        long.
        """
        return Ticket(self, urgency, interrupt, next(self._numbers))

    @contextmanager
    def place(
        self, urgency: Urgency, interrupt: Callable[[], None] | None = None
    ) -> Iterator[Ticket]:
        """Wait for a place and leave it in the end; see :meth:`ticket`."""
        ticket = self.ticket(urgency, interrupt)
        ticket.enter()
        try:
            yield ticket
        finally:
            ticket.leave()

    def enter(self, ticket: Ticket) -> bool:
        """See :meth:`Ticket.enter`."""
        with self._lock:
            if ticket.cancelled:
                return False
            ticket.since = time.monotonic()
            self._waiting.append(ticket)
            self._waiting.sort(key=lambda waiting: (waiting.urgency, waiting.number))
        self._let_in()
        while not ticket.called.wait(_LOOK_SECONDS):
            self._let_in()
        return ticket in self._inside

    def leave(self, ticket: Ticket) -> None:
        """See :meth:`Ticket.leave`."""
        with self._lock:
            self._inside.discard(ticket)
            self._forget(ticket)
        self._let_in()

    def cancel(self, ticket: Ticket) -> None:
        """See :meth:`Ticket.cancel`."""
        with self._lock:
            ticket.cancelled = True
            self._forget(ticket)

    def _forget(self, ticket: Ticket) -> None:
        """Take a ticket out of the line. Holds the lock."""
        if ticket in self._waiting:
            self._waiting.remove(ticket)
            ticket.called.set()

    def _let_in(self) -> None:
        """Admit whom the rules admit, and ask for room for the others."""
        with self._lock:
            now = time.monotonic()
            for ticket in list(self._waiting):
                impatient = (
                    ticket.urgency == Urgency.PERSON and now - ticket.since >= PATIENCE_SECONDS
                )
                if len(self._inside) < self.places * (CROWD if impatient else 1):
                    self._waiting.remove(ticket)
                    self._inside.add(ticket)
                    ticket.since = now
                    ticket.called.set()
            asked = self._ask_for_room(now)
        for ticket in asked:
            ticket.give_way()  # Without the lock: nobody knows what an interrupt waits for.

    def _ask_for_room(self, now: float) -> list[Ticket]:
        """Return the searches that have to go for those who wait. Holds the lock."""
        asked: list[Ticket] = []
        leaving = sum(ticket.asked_to_leave for ticket in self._inside)
        for waiting in self._waiting[leaving:]:
            willing = [ticket for ticket in self._inside if ticket.would_leave_for(waiting, now)]
            if not willing:
                break  # Those behind it are no more urgent.
            chosen = max(willing, key=lambda ticket: (ticket.urgency, -ticket.since))
            chosen.asked_to_leave = True
            asked.append(chosen)
        return asked


class Ticket:
    """The right to one search; see :class:`Gate`. Not to be used again after it has left."""

    def __init__(
        self, gate: Gate, urgency: Urgency, interrupt: Callable[[], None] | None, number: int
    ) -> None:
        self.urgency = urgency
        self.number = number
        self.called = threading.Event()
        """Set when the waiting is over, with or without a place."""
        self.since = 0.0
        """When it began to wait, and once it is inside, when it was let in."""
        self.cancelled = False
        self.asked_to_leave = False
        """Whether the search was interrupted for others, and may ask again."""
        self._gate = gate
        self._interrupt = interrupt

    def enter(self) -> bool:
        """Wait for a place; False if the ticket is cancelled before there is one."""
        return self._gate.enter(self)

    def cancel(self) -> None:
        """Wait no longer; a search that is under way keeps its place until it leaves."""
        self._gate.cancel(self)

    def leave(self) -> None:
        """Give the place, or the place in the line, to others. May be called twice."""
        self._gate.leave(self)

    def would_leave_for(self, other: Ticket, now: float) -> bool:
        """Say whether the search can be interrupted for another, and has not been."""
        if self._interrupt is None or self.asked_to_leave:
            return False
        if self.urgency == other.urgency:
            return now - self.since >= SLICE_SECONDS
        return self.urgency > other.urgency

    def give_way(self) -> None:
        """Interrupt the search."""
        if self._interrupt is not None:
            self._interrupt()
