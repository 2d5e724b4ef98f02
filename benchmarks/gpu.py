"""What one GPU makes of Montego's kernels: is it right, and how fast is it? In two minutes at most.

Call it as ``PYTHONPATH=src python3 benchmarks/gpu.py``. It needs NumPy, Numba and numba-cuda, and
of Montego only what playouts and search need; where machine code is kept can be named by
``MONTEGO_CACHE_DIR``. ``--smoke`` measures nothing and plays a few games on tiny boards, for
Numba's simulator (``NUMBA_ENABLE_CUDASIM=1``).
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
import traceback
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

os.environ.setdefault("MONTEGO_CACHE_DIR", tempfile.mkdtemp(prefix="montego-"))

import numpy as np

from montego.go.kernels.layout import all_points, empty_state
from montego.go.playout.gpu import GpuPlayouts
from montego.go.playout.knowledge import MOVES_PER_POINT, new_knowledge
from montego.go.playout.policy import find_policy
from montego.go.playout.run import sample_playouts
from montego.go.playout.knowledge import new_scratch
from montego.go.playout.tally import tally_playouts
from montego.jit.gpu import gpu_name, synchronize
from montego.jit.gpu.device import multiprocessors
from montego.jit.state import RANDOM

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BEGIN = time.perf_counter()
LIMIT_SECONDS = 95.0  # No part begins after this; each takes less than the rest.


def main() -> None:
    """Print versions, checks and speeds, each part by itself: one that fails stops no other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="tiny boards, no figures")
    smoke = parser.parse_args().smoke
    attempt("versions", print_versions)
    sizes, games = ((3,), 4) if smoke else ((9, 19), 2048)
    for size in sizes:
        attempt(f"check uniform {size}", partial(check, "uniform", size, games))
    attempt("check sequence", partial(check, "sequence", sizes[0], games))
    if smoke:
        return
    many = (128, 256, 512, 1024, 2048)
    some = (256, 512, 1024)
    for size in (9, 19, 13):
        for interleaved in (True, False):
            measured(size, "uniform", interleaved, 64, many)
    for block in (32, 128):
        measured(9, "uniform", True, block, some)
    measured(9, "uniform", True, 64, some, trace=False)
    measured(9, "sequence", True, 64, many)
    measured(9, "sequence", True, 32, some)
    attempt("CPU", measure_cpu)
    measured(19, "uniform", True, 64, some, trace=False)
    measured(9, "urgency", True, 64, some)
    measured(9, "uniform", False, 64, (512,), outlined=True)
    measured(9, "sequence", False, 64, some, outlined=True)


def attempt(name: str, part: Callable[[], None]) -> None:
    """Carry a part out if there is time for it, and say what went wrong."""
    if time.perf_counter() - BEGIN > LIMIT_SECONDS:
        print(f"{name}: no time left", flush=True)
        return
    try:
        part()
    except Exception:  # noqa: BLE001  # The other parts are still worth their time.
        print(f"{name} FAILED", flush=True)
        traceback.print_exc()


def print_versions() -> None:
    """Print what this machine has."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "numba", "numba-cuda", "cuda-bindings", "cuda-core", "llvmlite", "torch"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "-"
    print(", ".join(f"{name} {text}" for name, text in found.items()))
    from numba import cuda  # noqa: PLC0415

    print(f"numba.cuda: {cuda.__file__} {getattr(cuda, '__version__', '')}")
    print(f"GPU: {gpu_name()}, {multiprocessors()} multiprocessors; cores: {os.cpu_count()}")
    try:
        print(f"driver: {cuda.runtime.get_version()}", flush=True)
    except Exception as error:  # noqa: BLE001  # Only told.
        print(f"driver version unknown: {error}", flush=True)


def check(policy: str, size: int, games: int) -> None:
    """Compare every game with the same game on the CPU, by the frequencies of two rounds."""
    base, rounds = empty_state(size), 2
    begin = time.perf_counter()
    playouts = GpuPlayouts(size, policy, games=games, owners=True)
    starts = playouts.seed(5)
    playouts.play(base, rounds)
    synchronize()
    seconds = time.perf_counter() - begin
    found = playouts.frequencies()
    points = np.array(list(all_points(size)), np.uint64)
    owners, totals = np.zeros(size * size, np.int64), np.zeros(1, np.int64)
    different = 0
    for game in range(games):
        row = on_cpu(policy, base, starts[game], points, owners, totals, rounds)
        different += not np.array_equal(row, found[game])
    same_owners = np.array_equal(owners, playouts.owners())
    print(
        f"check {policy} {size}x{size}: {different} of {games} games differ, owners "
        f"{'equal' if same_owners else 'DIFFER'}, moves {playouts.moves()} on the GPU and "
        f"{totals[0]} on the CPU; compiled and run in {seconds:.1f} s",
        flush=True,
    )


def on_cpu(  # noqa: D103
    policy: str,
    base: NDArray[Any],
    start: int,
    points: NDArray[np.uint64],
    owners: NDArray[np.int64],
    totals: NDArray[np.int64],
    rounds: int,
) -> NDArray[np.int64]:
    size = int(base[0])
    found = find_policy(policy)
    scratch = new_scratch(size, 0, found.room(size))
    scratch[RANDOM] = start
    frequency = np.zeros(2 * size * size + 1, np.int64)
    tally_playouts(
        found.playout,
        base,
        base.copy(),
        new_knowledge(),
        scratch,
        points,
        owners,
        frequency,
        totals,
        rounds,
    )
    return frequency


def measured(size: int, policy: str, *settings: Any, **options: Any) -> None:
    """Measure as a part by itself."""
    attempt(f"{policy} {size}", lambda: measure(size, policy, *settings, **options))


def measure(
    size: int,
    policy: str,
    interleaved: bool,
    block: int,
    numbers: tuple[int, ...],
    **options: Any,
) -> None:
    """Print playouts a second for several numbers of games a multiprocessor."""
    base, processors = empty_state(size), multiprocessors()
    layout = "interleaved" if interleaved else "game by game"
    for per_processor in numbers:
        playouts = GpuPlayouts(
            size,
            policy,
            games=processors * per_processor,
            interleaved=interleaved,
            block=block,
            **options,
        )
        begin = time.perf_counter()
        playouts.play(base)
        synchronize()
        first, begin = time.perf_counter() - begin, time.perf_counter()
        playouts.play(base)
        synchronize()
        one = time.perf_counter() - begin
        playouts.clear()
        rounds = max(2, int(0.25 / one))
        begin = time.perf_counter()
        playouts.play(base, rounds)
        synchronize()
        seconds = time.perf_counter() - begin
        count = rounds * playouts.games
        frequency = playouts.frequencies().sum(axis=0)
        wins = frequency[size * size + 8 :].sum() / count
        print(
            f"{policy} {size}x{size} {layout} {options or ''} block {block}, "
            f"{per_processor} games a multiprocessor: {count / seconds / 1e6:.2f} M playouts/s "
            f"({playouts.moves() / count:.1f} moves, Black wins {wins:.4f}; one round "
            f"{one * 1e3:.1f} ms, first {first:.1f} s; at {time.perf_counter() - BEGIN:.0f} s)",
            flush=True,
        )


def measure_cpu() -> None:
    """Print what all cores of this machine make, for comparison."""
    threads = os.cpu_count() or 1
    for policy in ("uniform", "sequence"):
        begin = time.perf_counter()
        sample_playouts(empty_state(9), policy, count=threads)
        compiled = time.perf_counter()
        sample = sample_playouts(empty_state(9), policy, seconds=1.5, threads=threads)
        count, seconds = int(sample.frequency.sum()), time.perf_counter() - compiled
        print(
            f"CPU {policy} 9x9, {threads} threads: {count / seconds / 1e6:.2f} M playouts/s "
            f"({sample.moves / count:.1f} moves; compiled in {compiled - begin:.1f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
