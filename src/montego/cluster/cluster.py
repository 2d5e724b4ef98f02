"""The machines of a cluster as the command line sees them: who is there, and how to ask them."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self

from montego.cluster.broker import Call, Demand, Failed, Joined, Reply, Started, Told, serve
from montego.cluster.crew import Crew
from montego.cluster.errors import ClusterError, MachineLost, check_installed
from montego.cluster.member import Job
from montego.cluster.spec import LOCAL
from montego.engine.options.options import usable_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection

    from montego.cluster.spec import ClusterSpec
    from montego.engine.options.options import Options
    from montego.go.vocabulary.rules import Rules

READY_SECONDS = 120.0
"""How long a cluster may take to be there for those who cannot do without."""
GOODBYE_SECONDS = 5.0
POLL_SECONDS = 5.0
GONE = "the cluster is gone: going on alone"


class MachineLink:
    """A way to one object on a machine. Calls of it are carried out in order."""

    def __init__(self, cluster: Cluster, name: str, process: int) -> None:
        self._cluster = cluster
        self.name = name
        self.process = process
        """The number of the process there, when it joined."""

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        """Call a method there; the future raises MachineLost if there is no answer."""
        return self._cluster.call(self.name, method, arguments)


class Cluster:
    """Machines, found and asked by a broker process. Every method may be called from any thread."""

    def __init__(
        self,
        spec: ClusterSpec,
        kind: str,
        say: Callable[[str], None],
        *,
        settings: Mapping[str, Any] | None = None,
        each: int | None = 1,
        helps: bool = False,
    ) -> None:
        """Begin to look for machines; waits for nothing. *say* gets lines for people.

        The rest is as in :class:`~montego.cluster.broker.Demand`.

        Raises:
            ClusterError: If Ray is not installed.
        """
        check_installed()
        self.spec = spec
        self.failure = ""
        """Why there is no cluster, or no more."""
        self._say = say
        self._lock = threading.Condition()
        self._links: dict[str, MachineLink] = {}
        self._waiting: dict[int, Future[Any]] = {}
        self._calls = 0
        self._job: Job | None = None  # of the latest searcher
        self._expected: int | None = None
        self._is_closed = False
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._sending = threading.Lock()
        demand = Demand(spec, kind, dict(settings or {}), each, helps)
        self._process = context.Process(target=serve, args=(theirs, demand), daemon=True)
        self._process.start()
        theirs.close()
        threading.Thread(target=self._listen, args=(self._pipe,), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def links(self) -> list[MachineLink]:
        """Return the ways to all who are there now."""
        with self._lock:
            return list(self._links.values())

    def wait(self, seconds: float = READY_SECONDS) -> list[MachineLink]:
        """Wait until those who were there at the beginning have joined, and return them.

        Raises:
            ClusterError: If nobody has by then, though somebody was expected.
        """
        deadline = time.monotonic() + seconds
        with self._lock:
            while not self.failure and (
                self._expected is None or len(self._links) < self._expected
            ):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._lock.wait(min(left, 0.5))
            if not self._links and self._expected != 0:
                raise ClusterError(self.failure or "no machine of the cluster answers")
            return list(self._links.values())

    def call(self, host: str, method: str, arguments: tuple[Any, ...]) -> Future[Any]:
        """Ask something of a host."""
        future: Future[Any] = Future()
        with self._lock:
            self._calls += 1
            number = self._calls
            if self.failure or self._is_closed:
                reason = "the cluster is closed" if self._is_closed else self.failure
                future.set_exception(MachineLost(reason))
                return future
            self._waiting[number] = future
        try:
            with self._sending:
                self._pipe.send(Call(number, host, method, arguments))
        except (OSError, ValueError):
            self._lose()
        return future

    def enlist(self, options: Options, size: int, rules: Rules) -> Crew:
        """Return fellows for a searcher: ``Player`` takes this method."""
        job = Job(options, size, rules)
        with self._lock:
            self._job = job
        for link in self.links():
            link.ask("prepare", job)
        return Crew(job, self.spec.sharing, self.links, self._say)

    def wait_until_ready(self, seconds: float = READY_SECONDS) -> int:
        """Wait until all who joined have their search ready, and return how many are.

        Raises:
            ClusterError: As :meth:`wait` does.
        """
        deadline = time.monotonic() + seconds
        links = self.wait(seconds)
        ready: set[str] = set()
        while len(ready) < len(links) and not self.failure and time.monotonic() < deadline:
            asked = {link.name: link.ask("is_ready") for link in links if link.name not in ready}
            for name, reply in asked.items():
                with contextlib.suppress(MachineLost, TimeoutError):
                    if reply.result(timeout=POLL_SECONDS):
                        ready.add(name)
            time.sleep(0.05)
        return len(ready)

    def close(self) -> None:
        """End everything on the machines, and the broker. Takes a few seconds at most."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
        with contextlib.suppress(OSError, ValueError), self._sending:
            self._pipe.send(None)
        self._process.join(GOODBYE_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(GOODBYE_SECONDS)
        self._lose()

    def _listen(self, pipe: Connection) -> None:
        """Hear what the broker says, in a thread, until it says no more."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._take(pipe.recv())
        self._lose()

    def _take(self, message: object) -> None:
        match message:
            case Reply(number, answer, lost, raised):
                with self._lock:
                    future = self._waiting.pop(number, None)
                if future is not None:
                    if lost:
                        future.set_exception((ClusterError if raised else MachineLost)(lost))
                    else:
                        future.set_result(answer)
            case Joined(host, process):
                link = MachineLink(self, host, process)
                with self._lock:
                    self._links[host] = link
                    job = self._job
                    self._lock.notify_all()
                if job is not None:
                    link.ask("prepare", job)
            case Started(hosts):
                with self._lock:
                    self._expected = hosts
                    self._lock.notify_all()
            case Told(text):
                self._say(text)
                with self._lock:
                    if self._expected:
                        self._expected -= 1
                    self._lock.notify_all()
            case Failed(reason):
                self._lose(reason)

    def _lose(self, reason: str = "") -> None:
        """Go on without a cluster: nobody answers any more. Said once."""
        with self._lock:
            is_news = not self.failure and not self._is_closed
            self.failure = self.failure or reason or GONE
            waiting, self._waiting = list(self._waiting.values()), {}
            self._links.clear()
            self._lock.notify_all()
        if is_news:
            self._say(f"{reason}; going on alone" if reason else GONE)
        for future in waiting:
            future.set_exception(MachineLost(self.failure))


def spread_cluster(
    spec: ClusterSpec, kind: str, say: Callable[[str], None], *, each: int | None
) -> Cluster:
    """Return a cluster for a ``table`` or a ``bench`` of games or trials on its machines.

    *each* is how many on each machine, None for one a core; on this machine alone the spec says.

    Raises:
        ClusterError: If Ray is not installed.
    """
    return Cluster(spec, kind, lambda text: say(f"montego: cluster: {text}"), each=each)


def search_cluster(spec: ClusterSpec, options: Options, say: Callable[[str], None]) -> Cluster:
    """Return a cluster whose machines search with this process; it waits for none of them.

    Raises:
        ClusterError: If Ray is not installed, or the options' searches cannot share.
    """
    config = options.search_config(options.size)
    if config.trees > 1 or config.votes > 1:
        raise ClusterError(
            "--cluster wants searches with one tree: neither votes nor parallel root or joined"
        )
    return Cluster(
        spec,
        "search",
        lambda text: say(f"montego: cluster: {text}"),
        settings={"threads": local_threads(spec)},
        helps=True,
    )


def local_threads(spec: ClusterSpec) -> int | None:
    """Return the threads of each search where several share this machine; None for all cores."""
    return max(usable_cores() // spec.count, 1) if spec.place == LOCAL else None
