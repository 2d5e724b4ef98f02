"""A search that helps another one, on whatever machine it is: the other end of a crew's link.

Knows nothing of Ray. A call never waits for a search, or for a compilation: a thread of the
member's own does both, and whoever asks too early hears that there is nothing yet.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from montego.engine.options.options import Options, usable_cores
from montego.mcts.config import SEEDS
from montego.mcts.search import Search
from montego.mcts.sharing import SharedTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from montego.cluster.spec import Sharing
    from montego.go.vocabulary.rules import Rules
    from montego.mcts.sharing import Order

SILENCE = 30.0
"""Seconds without a word after which a member thinks that nobody listens any more, and rests."""
SEED_STEP = 15_485_863  # From member to member; far from the step from game to game.


@dataclass(frozen=True)
class Job:
    """What makes a search: the player's options, board and rules."""

    options: Options
    size: int
    rules: Rules

    def build(self, number: int, threads: int | None) -> Search:
        """Return the search of member *number*: as the player's, with other random numbers.

        Threads are the options' own, or those given, or one a core. The book is the player's alone:
        what it knows comes with what is shared.

        Raises:
            GoError: If a file that the options name is not on this machine.
        """
        options = self.options.replace(book=None, with_=None, log=None)
        threads = options.threads or threads or usable_cores()
        definition = options.game_definition(self.size, self.rules, 0.0)
        definition = replace(definition, knowledge=definition.knowledge.copy())
        config = options.search_config(self.size)
        seed = (config.seed + number * SEED_STEP) % SEEDS
        return Search(definition, replace(config, threads=threads, seed=seed))


@dataclass(frozen=True)
class Errand:
    """One run that a member takes part in."""

    number: int
    """Another one for each run: answers to older ones mean nothing."""
    job: Job
    order: Order
    knowledge: Mapping[int, float]
    sharing: Sharing


class Member:
    """Searches what it is told to, and exchanges what it finds."""

    def __init__(
        self,
        number: int = 1,
        threads: int | None = None,
        build: Callable[[Job, int, int | None], Search] = Job.build,
    ) -> None:
        """Be member *number*, from 1; the searcher itself is 0."""
        self._number = number
        self._threads = threads
        self._build = build
        self._lock = threading.Condition()
        self._errand: Errand | None = None  # the latest
        self._running: int | None = None  # the number of the errand that the search is at
        self._wanted: Job | None = None  # to be prepared
        self._is_preparing = False
        self._job: Job | None = None
        self._search: Search | None = None
        self._given = SharedTable()  # in the latest exchange
        self._heard = time.monotonic()
        self._trouble = ""
        threading.Thread(target=self._work, name="member", daemon=True).start()

    def prepare(self, job: Job) -> None:
        """Build and compile a search in the background, so that the first errand finds it ready."""
        with self._lock:
            self._wanted = job
            self._lock.notify_all()

    def is_ready(self) -> bool:
        """Say whether there is a search, and nothing left to prepare."""
        with self._lock:
            return self._search is not None and self._wanted is None and not self._is_preparing

    def begin(self, errand: Errand) -> str:
        """Begin to search; return what went wrong with the errand before, or nothing."""
        with self._lock:
            trouble, self._trouble = self._trouble, ""
            self._errand, self._running = errand, None
            self._given = SharedTable()
            self._heard = time.monotonic()
            self._halt()
            self._lock.notify_all()
        return trouble

    def exchange(self, number: int, total: SharedTable) -> SharedTable | None:
        """Take what all have found, and give what this one has; None if it is not that far.

        *total* has what this member gave the last time among it.
        """
        with self._lock:
            self._heard = time.monotonic()
            search, errand = self._search, self._errand
            if search is None or errand is None or self._running != number:
                return None
            search.absorb(total - self._given)
            self._given = search.share(errand.sharing.depth, errand.sharing.least)
            return self._given

    def end(self, number: int) -> SharedTable | None:
        """Stop searching, and give what is left; None if it never began."""
        with self._lock:
            search, errand, is_running = self._search, self._errand, self._running == number
            if errand is None or errand.number != number:
                return None
            self._errand = self._running = None
            self._halt()
            if search is None or not is_running:
                return None
            depth = 1 if errand.sharing.merge == "root" else errand.sharing.depth
            return search.share(depth, errand.sharing.least)

    def _halt(self) -> None:
        if self._search is not None:
            self._search.stop()

    def _work(self) -> None:
        """Search whatever was asked for last."""
        done: Errand | None = None
        while True:
            with self._lock:
                while (errand := self._errand) is None or errand is done:
                    if self._wanted is not None:
                        break
                    self._lock.wait()
                wanted, self._wanted = self._wanted, None
                self._is_preparing = wanted is not None
            try:
                if wanted is not None:
                    self._become(wanted).run(simulations=1)
                    self._is_preparing = False
                    continue
                done = errand
                if errand is not None:
                    self._run(errand)
            except Exception as error:  # noqa: BLE001  # Whatever it is, the crew is told.
                with self._lock:
                    self._trouble = " ".join(f"{error}".split()) or type(error).__name__
                    self._running, self._is_preparing = None, False

    def _become(self, job: Job) -> Search:
        """Return the search for a job, the one that there is if it can be."""
        if self._search is None or self._job != job:
            self._search, self._job = None, None  # Its memory is free before the next one's.
            self._search = self._build(job, self._number, self._threads)
            self._job = job
        return self._search

    def _run(self, errand: Errand) -> None:
        search = self._become(errand.job)
        for place, value in errand.knowledge.items():
            search.game.knowledge[place] = value
        search.obey(errand.order)
        with self._lock:
            if self._errand is not errand:
                return
            self._running = errand.number

        def watch(running: Search, _part: float) -> None:
            if self._errand is not errand or time.monotonic() - self._heard > SILENCE:
                running.stop()

        search.run(
            simulations=None,
            seconds=None,
            early_stop=False,
            votes=1,
            reward_points=errand.order.reward_points,
            limits=errand.order.limits,
            progress=watch,
        )
