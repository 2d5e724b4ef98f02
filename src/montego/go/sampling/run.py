"""Many playouts from one position, on the threads of a CPU or on a GPU."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from montego.go.kernels.layout import SIZE, all_points
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.policy import find_policy
from montego.go.sampling.tally import MOVES, tally_playouts
from montego.go.vocabulary.errors import GoError
from montego.jit.interrupt import stopped_by_ctrl_c

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import State

SLICE_SECONDS = 0.02  # Between slices of this length Python looks at the clock and at Ctrl-C.


@dataclass(frozen=True)
class Sample:
    """What many playouts from one position came to."""

    frequency: NDArray[np.int64]
    """How often each score came up: index 0 is White having the whole board, or more than that.

    More only where prisoners count, and so for Black at the other end.
    """
    moves: int
    """Moves of all playouts together, passes included."""
    cpu_seconds: float
    """Processor time of all threads together; of a GPU, time by the clock."""
    threads: int
    owners: NDArray[np.int64] | None = None
    """Black's games minus White's at each point, as a diagram is read; None if nobody asked."""

    @property
    def ownership(self) -> NDArray[np.float64]:
        """Whose each point was at the end, 1 for always Black's, -1 White's; a row a line.

        The top line comes first.

        Raises:
            GoError: If it was not counted.
        """
        if self.owners is None:
            raise GoError("ownership was not counted: ask for owners")
        size = math.isqrt(len(self.owners))
        mean: NDArray[np.float64] = self.owners / self.frequency.sum()
        return mean.reshape(size, size)

    @property
    def scores(self) -> NDArray[np.int64]:
        """The scores that belong to :attr:`frequency`: Black's area minus White's, no komi."""
        area = len(self.frequency) // 2
        return np.arange(-area, area + 1)

    def summary(self, komi: float) -> dict[str, float]:
        """Return the figures that describe the sample, wins counted with *komi*, draws as half.

        ``playouts_per_second`` is per second of processor time, summed over the threads; on a GPU
        per second by the clock.
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
    owners: bool = False,
    device: str = "cpu",
    progress: Callable[[float], None] | None = None,
) -> Sample:
    """Play out *base* on *threads* threads: *count* times, or for *seconds* of wall-clock time.

    Every thread has random numbers of its own, by *seed*, and an equal share of *count*.
    Compilation is not counted. With *owners* it is counted who has which point at the end.
    *progress* is told the part done, from 0 to 1. Ctrl-C ends the sample early; what was played
    until then is returned.

    *device* is ``"cpu"``, ``"gpu"``, or ``"auto"`` for the GPU where there is one, and for the CPU,
    with a warning, if that fails. On a GPU tens of thousands of games are played at once, whatever
    *threads* says, and at least *count*.

    Raises:
        GoError: If there is no such policy, or a number is out of range.
        DeviceError: If there is no such device, or the GPU that was asked for by name fails.
    """
    _check(count, seconds, threads, seed)
    find_policy(policy)
    if device != "cpu":
        # Only where a GPU is asked for.
        from montego.jit.gpu import DeviceError, chosen_device, go_on_without  # noqa: PLC0415

        if chosen_device(device) == "gpu":
            from montego.go.sampling.gpu import sample_on_gpu  # noqa: PLC0415

            try:
                return sample_on_gpu(
                    base,
                    policy,
                    count=count,
                    seconds=seconds,
                    seed=seed,
                    owners=owners,
                    progress=progress,
                )
            except DeviceError as error:
                go_on_without(error, device)
    with stopped_by_ctrl_c(lambda: None) as interrupted:  # In a compiler it would do harm.
        trial = _Sampler(base, policy, seed, owners=owners)
        trial.play(1)
        begin = time.perf_counter()
        trial.play(10)
        batch = max(1, int(10 * SLICE_SECONDS / max(time.perf_counter() - begin, 1e-6)))
    if interrupted.is_set():
        raise KeyboardInterrupt

    workers = [
        _Sampler(base, policy, seed + (number << 32), owners=owners) for number in range(threads)
    ]
    shares = [
        None if count is None else (count + number) // threads
        for number in reversed(range(threads))
    ]
    stop = threading.Event()
    begin = time.perf_counter()

    def part_done(worker: _Sampler, share: int | None) -> float:
        if share is None:
            return (time.perf_counter() - begin) / seconds
        return worker.games / share if share else 1.0

    def work(worker: _Sampler, share: int | None) -> None:
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
        sum((worker.owners for worker in workers), np.zeros_like(trial.owners)) if owners else None,
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


class _Sampler:
    """One thread's buffers and results."""

    def __init__(self, base: State, policy: str, seed: int, *, owners: bool) -> None:
        size = int(base[SIZE])
        found = find_policy(policy)
        self.playout = found.playout
        self.base, self.work = base, base.copy()
        self.knowledge = new_knowledge(balanced=found.weights())
        self.scratch = new_scratch(size, seed, found.room(size))
        points = list(all_points(size)) if owners else []
        self.points = np.array(points, np.uint64)
        self.owners = np.zeros(len(points), np.int64)
        self.frequency = np.zeros(2 * size * size + 1, np.int64)
        self.totals = np.zeros(1, np.int64)
        self.games = 0
        self.cpu_seconds = 0.0

    @property
    def moves(self) -> int:
        return int(self.totals[MOVES])

    def play(self, games: int) -> None:
        begin = time.thread_time()
        tally_playouts(
            self.playout,
            self.base,
            self.work,
            self.knowledge,
            self.scratch,
            self.points,
            self.owners,
            self.frequency,
            self.totals,
            games,
        )
        self.cpu_seconds += time.thread_time() - begin
        self.games += games
