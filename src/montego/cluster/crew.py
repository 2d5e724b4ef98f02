"""How a search and its fellows exchange: the searcher's side. Knows nothing of Ray.

In rounds, a few a second. In each the searcher adds up what came in since the last one and what it
found itself, adds the former to its own tree, and sends the sum to everybody who has answered; each
takes off what it gave itself. Nobody is waited for: who answers late gets the sums of all rounds in
between. At the end three quarters are waited for, and not for long.

Exactly one answer of a fellow is in what it is sent next: its latest. That is why it can take off
its own share, and why the same sum is right for all who are in time.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from montego.cluster.errors import MachineLost
from montego.cluster.member import Errand
from montego.mcts.sharing import SharedTable, total_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from montego.cluster.member import Job
    from montego.cluster.spec import Sharing
    from montego.mcts.search import Search
    from montego.mcts.sharing import Order

ENOUGH = 0.75
"""Share of the fellows whose last word is waited for."""
LAST_WORD = 0.1
"""Seconds that this may take."""
JOINING = 5.0
"""Seconds for a round that is under way when a search ends. It takes milliseconds."""

_NUMBERS = count(1)


class Link(Protocol):
    """A way to a :class:`~montego.cluster.member.Member`, wherever it is."""

    name: str

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        """Call a method there; the future raises if there is no answer."""


@dataclass
class _Fellow:
    """A member in one run."""

    link: Link
    reply: Future[Any]
    """What it was asked last."""
    missed: SharedTable | None = None
    """Sums of rounds that it has not been sent."""
    answered: bool = False
    """Whether it has said anything in this run."""


class Crew:
    """Fellows of one searcher, on machines that may come and go. See ``mcts.sharing.Fellows``."""

    def __init__(
        self,
        job: Job,
        sharing: Sharing,
        links: Callable[[], Iterable[Link]],
        say: Callable[[str], None],
    ) -> None:
        """Help with searches of *job*. *links* are asked for when a run begins; *say* complains."""
        self.knowledge: dict[int, float] = {}
        self.answers = 0
        """Tables that came from fellows, for those who want to know."""
        self._job = job
        self._sharing = sharing
        self._links = links
        self._say = say
        self._told: set[str] = set()
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, search: Search, order: Order) -> None:
        """Tell everybody what to search, and exchange in a thread until the end."""
        errand = Errand(next(_NUMBERS), self._job, order, dict(self.knowledge), self._sharing)
        fellows = [_Fellow(link, link.ask("begin", errand)) for link in self._links()]
        if not fellows:
            return
        self._ending.clear()
        self._thread = threading.Thread(
            target=self._exchange, args=(search, errand, fellows), name="exchange", daemon=True
        )
        self._thread.start()

    def end(self) -> None:
        """Add the last of what fellows found, as far as it comes soon."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._ending.set()
            thread.join(JOINING)

    def _exchange(self, search: Search, errand: Errand, fellows: list[_Fellow]) -> None:
        sharing = self._sharing
        due = time.monotonic() + sharing.period
        while not self._ending.wait(max(due - time.monotonic(), 0.0)):
            due = max(due + sharing.period, time.monotonic())
            if sharing.merge == "tree":
                self._round(search, errand, fellows)
        self._take_leave(search, errand, fellows)

    def _round(self, search: Search, errand: Errand, fellows: list[_Fellow]) -> None:
        free = [fellow for fellow in fellows if fellow.reply.done()]
        tables = [table for fellow in free if (table := self._answer(fellow)) is not None]
        own = search.share(self._sharing.depth, self._sharing.least)
        others = total_of(tables)
        search.absorb(others)
        total = own + others
        for fellow in fellows:
            before = fellow.missed
            fellow.missed = total if before is None else before + total
        for fellow in free:
            if not fellow.answered:
                fellows.remove(fellow)  # Lost, for this run.
            else:
                sum_of_all, fellow.missed = fellow.missed or SharedTable(), None
                fellow.reply = fellow.link.ask("exchange", errand.number, sum_of_all)

    def _take_leave(self, search: Search, errand: Errand, fellows: list[_Fellow]) -> None:
        """Stop everybody, and hear the last words of most."""
        words = {fellow.link.ask("end", errand.number): fellow for fellow in fellows}
        part = [reply for reply, fellow in words.items() if fellow.answered or fellow.reply.done()]
        deadline = time.monotonic() + LAST_WORD
        wanted = ENOUGH * len(part)
        while sum(reply.done() for reply in part) < wanted and time.monotonic() < deadline:
            waiting = [reply for reply in part if not reply.done()]
            wait(waiting, max(deadline - time.monotonic(), 0.0), FIRST_COMPLETED)
        tables = [self._answer(fellow) for fellow in fellows if fellow.reply.done()]
        for reply, fellow in words.items():
            if reply.done():
                fellow.reply = reply
                tables.append(self._answer(fellow))
        found = [table for table in tables if table is not None]
        if found:
            search.absorb(total_of(found))

    def _answer(self, fellow: _Fellow) -> SharedTable | None:
        """Return what a fellow has found, if it has answered that; one that is lost is left out."""
        try:
            answer = fellow.reply.result(timeout=0)
        except MachineLost as error:
            fellow.answered = False
            self._tell(f"{fellow.link.name} is left out for now: {error}")
            return None
        except Exception as error:  # noqa: BLE001  # Whatever it is, the search goes on.
            fellow.answered = False
            told = " ".join(f"{error}".split()) or type(error).__name__
            self._tell(f"{fellow.link.name} is left out for now: {told[:200]}")
            return None
        fellow.answered = True
        if isinstance(answer, str) and answer:
            self._tell(f"{fellow.link.name} cannot search: {answer}")
        if isinstance(answer, SharedTable):
            self.answers += 1
            return answer
        return None

    def _tell(self, text: str) -> None:
        """Say something, once."""
        if text not in self._told:
            self._told.add(text)
            self._say(text)
