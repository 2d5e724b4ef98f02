"""Worker processes that run trials, and whatever may become of them.

Each worker has a pipe of its own, so that one that dies takes nothing with it but the trial it was
at; that is tried once more by another. Workers do not hear Ctrl-C, which is the parent's: it ends
them. If the parent itself is killed, they notice at their next trial and end.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from concurrent.futures import FIRST_COMPLETED
from concurrent.futures import wait as wait_for
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, Protocol, Self, cast

from montego.experiments.experiment import Trial, TrialResult
from montego.go.vocabulary.errors import GoError
from montego.mcts.errors import MctsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess


class FarSeat(Protocol):
    """A place on another machine where functions are run, one at a time."""

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        """Have it ``run`` a function with a tuple of arguments; raises ValueError if it is gone."""


class TrialPool(Protocol):
    """What runs trials."""

    def run(
        self,
        function: Callable[[Trial], Any],
        trials: Iterable[Trial],
        *,
        alone: bool = False,
        may_begin: Callable[[], bool] = lambda: True,
    ) -> Iterator[TrialResult | FailedTrial]:
        """Run trials, as :meth:`WorkerPool.run` does."""

    def close(self) -> None:
        """End whatever runs."""


ATTEMPTS = 2
"""How often a trial is begun whose worker dies."""
SPREAD_ATTEMPTS, LOST_PAUSE = 5, 1.0
"""The same on other machines, which take a while to come back, and the seconds in between."""


@dataclass(frozen=True)
class FailedTrial:
    """A trial that could not be run, and why."""

    trial: Trial
    reason: str
    """One line."""
    details: str = ""
    """The traceback, if the function raised something."""


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    job: _Job | None = None


@dataclass
class _Job:
    trial: Trial
    attempts: int = 0


class WorkerPool:
    """Processes that run trials; started when they are needed, ended when the block is left."""

    def __init__(self, processes: int) -> None:
        self._count = max(1, processes)
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def run(
        self,
        function: Callable[[Trial], Any],
        trials: Iterable[Trial],
        *,
        alone: bool = False,
        may_begin: Callable[[], bool] = lambda: True,
    ) -> Iterator[TrialResult | FailedTrial]:
        """Run all trials and yield what becomes of each, in the order in which they end.

        *alone* runs one at a time. Once *may_begin* says no, trials under way are finished and no
        others begun. Whoever stops early must close the pool: workers are busy.
        """
        waiting = deque(map(_Job, trials))
        limit = min(1 if alone else self._count, len(waiting))
        while waiting or any(worker.job for worker in self._workers):
            if not may_begin():
                waiting.clear()
            for worker in self._ready(limit)[: len(waiting)] if waiting else ():
                worker.job = job = waiting.popleft()
                job.attempts += 1
                with contextlib.suppress(OSError):  # It has died; reading from it will tell.
                    worker.pipe.send((function, job.trial))
            busy = {worker.pipe: (worker, worker.job) for worker in self._workers if worker.job}
            # Not forever: Windows hears no Ctrl-C then.
            for pipe in wait(list(busy), timeout=0.5):
                worker, job = busy[cast("Connection", pipe)]
                worker.job = None
                try:
                    answer = worker.pipe.recv()
                except (EOFError, OSError):
                    worker.process.join(5.0)
                    worker.pipe.close()
                    self._workers.remove(worker)
                    if job.attempts < ATTEMPTS:
                        waiting.appendleft(job)
                        continue
                    answer = FailedTrial(job.trial, f"its process ended{_how(worker.process)}")
                yield answer

    def close(self) -> None:
        """End all workers, whatever they do."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join(5.0)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._workers.clear()

    def _ready(self, limit: int) -> list[_Worker]:
        """Return workers with nothing to do, starting some if there are fewer than *limit*."""
        busy = sum(worker.job is not None for worker in self._workers)
        while len(self._workers) < limit:
            self._workers.append(self._start())
        idle = [worker for worker in self._workers if worker.job is None]
        return idle[: max(0, limit - busy)]

    def _start(self) -> _Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_work, args=(theirs,), daemon=True)
        with _ignoring_ctrl_c():
            process.start()
        theirs.close()  # Or its end would never be seen.
        return _Worker(process, ours)


class SpreadPool:
    """Runs trials at seats on other machines. A trial whose seat is gone is tried at another."""

    def __init__(self, seats: Callable[[], Sequence[FarSeat]], close: Callable[[], None]) -> None:
        """Ask for *seats* when trials begin; *close* gives all of them up."""
        self._seats = seats
        self._close = close

    def run(
        self,
        function: Callable[[Trial], Any],
        trials: Iterable[Trial],
        *,
        alone: bool = False,
        may_begin: Callable[[], bool] = lambda: True,
    ) -> Iterator[TrialResult | FailedTrial]:
        """Run trials as :meth:`WorkerPool.run` does.

        Raises:
            GoError: If there are no seats, or none is left.
        """
        waiting = deque(map(_Job, trials))
        free = list(self._seats())[: 1 if alone else None]
        busy: dict[Future[Any], tuple[FarSeat, _Job]] = {}
        while waiting or busy:
            while waiting and free and may_begin():
                seat, job = free.pop(), waiting.popleft()
                job.attempts += 1
                busy[seat.ask("run", attempt, (function, job.trial))] = (seat, job)
            if not busy:
                if waiting and not free:
                    raise GoError("no machine of the cluster is left")
                return
            # Not forever: Windows hears no Ctrl-C then.
            done, _ = wait_for(busy, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in done:
                seat, job = busy.pop(future)
                try:
                    yield future.result()
                except GoError as error:
                    free.insert(0, seat)  # It may be back by its turn.
                    if job.attempts < SPREAD_ATTEMPTS:
                        time.sleep(LOST_PAUSE)
                        waiting.appendleft(job)
                        continue
                    yield FailedTrial(job.trial, f"it was lost with its machine: {error}")
                else:
                    free.append(seat)

    def close(self) -> None:
        """End whatever runs."""
        self._close()


@contextlib.contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C for a moment: a process that is started now will do so from its beginning."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _how(process: SpawnProcess) -> str:
    code = process.exitcode
    if code is None or code >= 0:
        return f" with status {code}"
    with contextlib.suppress(ValueError):
        return f" by {signal.Signals(-code).name}"
    return f" by signal {-code}"


def _work(pipe: Connection) -> None:
    """Run trials until there are no more. The body of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        while True:
            run, trial = pipe.recv()
            pipe.send(attempt(run, trial))
    os._exit(0)  # Nobody is listening any more: leave without a word.


def attempt(run: Callable[[Trial], Any], trial: Trial) -> TrialResult | FailedTrial:
    """Run a trial, and return what became of it, whatever that is."""
    begin = time.perf_counter()
    try:
        # As it will be read again, so that a summary is the same now and later.
        value = json.loads(json.dumps(run(trial), allow_nan=False))
    except Exception as error:  # noqa: BLE001  # Whatever it is, the parent is told.
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        # What is wrong with an engine or a setting is said in one line.
        is_explained = isinstance(error, GoError | MctsError)
        return FailedTrial(trial, reason, "" if is_explained else traceback.format_exc())
    if value is None:
        return FailedTrial(trial, "'run' returned None: perhaps a 'return' is missing")
    return TrialResult(trial, value, time.perf_counter() - begin)
