"""Many playouts from one position: the kernel that loops, and the threads around it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.go.kernels.layout import SIZE
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.policy import find_policy
from montego.go.vocabulary.errors import GoError
from montego.jit import kernel
from montego.jit.interrupt import stopped_by_ctrl_c
from montego.jit.state import LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

SLICE_SECONDS = 0.02  # Between slices of this length Python looks at the clock and at Ctrl-C.


def playout_type(types: Any) -> Any:
    """Return Numba's type of a playout: ``(state, knowledge, scratch) -> score``."""
    return types.FunctionType(types.int64(types.int32[::1], types.float64[::1], types.uint64[::1]))


@kernel(
    signature=lambda types: types.void(
        playout_type(types),
        types.int32[::1],
        types.int32[::1],
        types.float64[::1],
        types.uint64[::1],
        types.int64[::1],
        types.int64[::1],
    )
)
def run_playouts(
    playout: Callable[[State, Knowledge, Scratch], int],
    base: State,
    work: State,
    knowledge: Knowledge,
    scratch: Scratch,
    scores: NDArray[np.int64],
    lengths: NDArray[np.int64],
) -> None:
    """Play a game from *base* for every element of *scores* and write its score and length.

    *work* is as long as *base* and holds the last final position afterwards.
    """
    for game in range(len(scores)):
        for index in range(len(base)):
            work[index] = base[index]
        scores[game] = playout(work, knowledge, scratch)
        lengths[game] = scratch[LENGTH]


@dataclass(frozen=True)
class Sample:
    """What many playouts from one position came to."""

    frequency: NDArray[np.int64]
    """How often each score came up: index 0 is White having the whole board."""
    moves: int
    """Moves of all playouts together, passes included."""
    cpu_seconds: float
    """Processor time of all threads together."""
    threads: int

    @property
    def scores(self) -> NDArray[np.int64]:
        """The scores that belong to :attr:`frequency`: Black's area minus White's, no komi."""
        area = len(self.frequency) // 2
        return np.arange(-area, area + 1)

    def summary(self, komi: float) -> dict[str, float]:
        """Return the figures that describe the sample, wins counted with *komi*, draws as half.

        ``playouts_per_second`` is per second of processor time, summed over the threads.
        """
        playouts = int(self.frequency.sum())
        part = self.frequency / playouts
        margins = self.scores - komi
        mean = float(part @ self.scores)
        return {
            "playouts": playouts,
            "cpu_seconds": self.cpu_seconds,
            "playouts_per_second": playouts / self.cpu_seconds * self.threads,
            "moves_per_playout": self.moves / playouts,
            "black_win_rate": float(part @ ((margins > 0) + 0.5 * (margins == 0))),
            "mean_score": mean,
            "score_deviation": float(np.sqrt(part @ (self.scores - mean) ** 2)),
        }


def sample_playouts(
    base: State,
    policy: str,
    *,
    count: int | None = None,
    seconds: float = 5.0,
    threads: int = 1,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Sample:
    """Play out *base* on *threads* threads: *count* times, or for *seconds* of wall-clock time.

    Every thread has random numbers of its own, by *seed*, and an equal share of *count*.
    Compilation is not counted. *progress* is told the part done, from 0 to 1. Ctrl-C ends the
    sample early; what was played until then is returned.

    Raises:
        GoError: If there is no such policy, or a number is out of range.
    """
    _check(count, seconds, threads, seed)
    find_policy(policy)
    with stopped_by_ctrl_c(lambda: None) as interrupted:  # In a compiler it would do harm.
        trial = _Worker(base, policy, seed)
        trial.play(1)
        begin = time.perf_counter()
        trial.play(10)
        batch = max(1, int(10 * SLICE_SECONDS / max(time.perf_counter() - begin, 1e-6)))
    if interrupted.is_set():
        raise KeyboardInterrupt

    workers = [_Worker(base, policy, seed + (number << 32)) for number in range(threads)]
    shares = [
        None if count is None else (count + number) // threads
        for number in reversed(range(threads))
    ]
    stop = threading.Event()
    begin = time.perf_counter()

    def part_done(worker: _Worker, share: int | None) -> float:
        if share is None:
            return (time.perf_counter() - begin) / seconds
        return worker.games / share if share else 1.0

    def work(worker: _Worker, share: int | None) -> None:
        while not stop.is_set() and (done := part_done(worker, share)) < 1.0:
            worker.play(batch if share is None else min(batch, share - worker.games))
            if worker is workers[0] and progress is not None:
                progress(done)

    helpers = [
        threading.Thread(target=work, args=pair, daemon=True)
        for pair in list(zip(workers, shares, strict=True))[1:]
    ]
    with stopped_by_ctrl_c(stop.set) as interrupted:
        for helper in helpers:
            helper.start()
        try:
            work(workers[0], shares[0])
        except KeyboardInterrupt:
            # The second Ctrl-C, or one that the program handles itself.
            interrupted.set()
            stop.set()
        for helper in helpers:
            helper.join()
    if interrupted.is_set() and not any(worker.games for worker in workers):
        raise KeyboardInterrupt
    if progress is not None:
        progress(1.0)
    return Sample(
        sum((worker.frequency for worker in workers), np.zeros_like(trial.frequency)),
        sum(worker.moves for worker in workers),
        sum(worker.cpu_seconds for worker in workers),
        threads,
    )


def _check(count: int | None, seconds: float, threads: int, seed: int) -> None:
    if count is not None and count < 1:
        raise GoError(f"invalid number of playouts {count}: say at least 1")
    if not 0 < seconds < float("inf"):
        raise GoError(f"invalid time {seconds:g}: say a number of seconds above 0")
    if not 1 <= threads <= 1024:
        raise GoError(f"invalid number of threads {threads}: say 1 to 1024")
    if seed < 0:
        raise GoError(f"invalid seed {seed}: say a whole number from 0")


class _Worker:
    """One thread's buffers and results."""

    def __init__(self, base: State, policy: str, seed: int) -> None:
        size = int(base[SIZE])
        found = find_policy(policy)
        self.playout = found.playout
        self.base, self.work = base, base.copy()
        self.knowledge = new_knowledge()
        self.scratch = new_scratch(size, seed, found.room(size))
        self.area = size * size
        self.frequency = np.zeros(2 * self.area + 1, np.int64)
        self.games = self.moves = 0
        self.cpu_seconds = 0.0

    def play(self, games: int) -> None:
        scores, lengths = np.empty(games, np.int64), np.empty(games, np.int64)
        begin = time.thread_time()
        run_playouts(
            self.playout, self.base, self.work, self.knowledge, self.scratch, scores, lengths
        )
        self.cpu_seconds += time.thread_time() - begin
        self.frequency += np.bincount(scores + self.area, minlength=len(self.frequency))
        self.moves += int(lengths.sum())
        self.games += games
