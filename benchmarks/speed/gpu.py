"""What one GPU makes of Montego's kernels: is it right, and how fast is it? In two minutes or so.

Call it as ``PYTHONPATH=src python3 benchmarks/speed/gpu.py``. It needs NumPy, Numba and numba-cuda,
and of Montego only what playouts and search need; where machine code is kept can be named by
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

from montego.games.connect_four import connect_four
from montego.games.hex import hex_game
from montego.games.tic_tac_toe import tic_tac_toe
from montego.go.kernels.layout import all_points, empty_state
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.policy import POLICIES, find_policy
from montego.go.sampling.gpu import GpuPlayouts, sample_on_gpu
from montego.go.sampling.run import sample_playouts
from montego.go.sampling.tally import tally_playouts
from montego.jit.gpu import device, gpu_name
from montego.jit.state import RANDOM
from montego.mcts.sampling.playouts import Playouts

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.mcts.game import GameDefinition

BEGIN = time.perf_counter()
SLOW = ("sequence", "urgency")  # Policies that are compiled for long; they come last.


def main() -> None:
    """Print versions, checks and speeds, each part by itself: one that fails stops no other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="tiny boards, no figures")
    parser.add_argument("--limit", type=float, default=150.0, help="begin no part after so long")
    options = parser.parse_args()
    parts: list[tuple[str, Callable[[], None]]] = [("versions", print_versions)]
    policies = sorted(POLICIES, key=lambda name: name in SLOW)
    if options.smoke:
        parts += [(f"check {name}", partial(check, name, 2, 2)) for name in policies]
        parts += [("games", partial(measure_games, 6, 6))]
    else:
        for size in (9, 13, 19):
            parts += [(f"uniform {size}", partial(measure, "uniform", size))]
        parts += [("scores", compare_scores), ("ownership", measure_ownership)]
        parts += [("games", partial(measure_games, None, 2_000_000))]
        for name in policies:
            parts += [(f"check {name}", partial(check, name, 9, 2048))]
            parts += [(f"{name} 9", partial(measure, name, 9))]
        parts += [("check uniform 19", partial(check, "uniform", 19, 512))]
    for name, part in parts:
        if time.perf_counter() - BEGIN > options.limit:
            print(f"{name}: no time left", flush=True)
            continue
        try:
            part()
        except Exception:  # noqa: BLE001  # The other parts are still worth their time.
            print(f"{name} FAILED", flush=True)
            traceback.print_exc()


def print_versions() -> None:
    """Print what this machine has."""
    found = {"python": platform.python_version()}
    for name in ("numpy", "numba", "numba-cuda", "cuda-bindings", "cuda-core", "llvmlite"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "-"
    print(", ".join(f"{name} {text}" for name, text in found.items()))
    print(
        f"GPU: {gpu_name()}, {device.multiprocessors()} multiprocessors; cores: {os.cpu_count()}",
        flush=True,
    )


def check(policy: str, size: int, games: int) -> None:
    """Compare every game with the same game on the CPU, by the frequencies of two rounds."""
    base, rounds = empty_state(size), 2
    begin = time.perf_counter()
    playouts = GpuPlayouts(size, policy, games=games, seed=5, owners=True)
    playouts.play(base, rounds)
    found = playouts.frequencies()
    seconds = time.perf_counter() - begin
    points = np.array(list(all_points(size)), np.uint64)
    owners, totals = np.zeros(size * size, np.int64), np.zeros(1, np.int64)
    different = 0
    for start, row in zip(playouts.starts, found, strict=True):
        on_cpu = play_on_cpu(policy, base, int(start), points, owners, totals, rounds)
        different += not np.array_equal(row, on_cpu)
    same_owners = np.array_equal(owners, playouts.owners())
    print(
        f"check {policy} {size}x{size}: {different} of {games} games differ, owners "
        f"{'equal' if same_owners else 'DIFFER'}, moves {playouts.moves()} on the GPU and "
        f"{totals[0]} on the CPU; compiled and run in {seconds:.1f} s",
        flush=True,
    )


def play_on_cpu(
    policy: str,
    base: NDArray[Any],
    start: int,
    points: NDArray[np.uint64],
    owners: NDArray[np.int64],
    totals: NDArray[np.int64],
    rounds: int,
) -> NDArray[np.int64]:
    """Return the frequencies of one game's scores, and add to *owners* and *totals*."""
    size = int(base[0])
    found = find_policy(policy)
    scratch = new_scratch(size, 0, found.room(size))
    scratch[RANDOM] = start
    frequency = np.zeros(2 * size * size + 1, np.int64)
    given = base, base.copy(), new_knowledge(), scratch
    tally_playouts(found.playout, *given, points, owners, frequency, totals, rounds)
    return frequency


def measure(policy: str, size: int) -> None:
    """Print playouts a second on the GPU, and of all cores of this machine."""
    base, threads = empty_state(size), os.cpu_count() or 1
    on_gpu = sample_on_gpu(base, policy, seconds=1.0).summary(7.5)
    begin = time.perf_counter()
    sample_playouts(base, policy, count=threads)
    begin = time.perf_counter()
    cpu = sample_playouts(base, policy, seconds=1.0, threads=threads).summary(7.5)
    speed = cpu["playouts"] / (time.perf_counter() - begin)
    print(
        f"{policy} {size}x{size}: {on_gpu['playouts_per_second'] / 1e6:.3f} M playouts/s "
        f"({on_gpu['moves_per_playout']:.1f} moves, Black wins {on_gpu['black_win_rate']:.4f}); "
        f"{threads} threads of the CPU {speed / 1e6:.3f} M "
        f"({cpu['moves_per_playout']:.1f} moves, {cpu['black_win_rate']:.4f}); "
        f"at {time.perf_counter() - BEGIN:.0f} s",
        flush=True,
    )


def compare_scores() -> None:
    """Print chi-square of a million scores on either machine."""
    threads = os.cpu_count() or 1
    one, two = (
        sample_playouts(
            empty_state(9), "uniform", count=1_000_000, threads=threads, seed=1, device=place
        ).frequency.astype(float)
        for place in ("gpu", "cpu")
    )
    common = one + two >= 40
    one, two = one[common], two[common]
    ratio = np.sqrt(two.sum() / one.sum())
    found = ((one * ratio - two / ratio) ** 2 / (one + two)).sum()
    freedom = len(one) - 1
    print(
        f"scores of {one.sum():,.0f} and {two.sum():,.0f} games: chi-square {found:.1f} with "
        f"{freedom} degrees of freedom, {(found - freedom) / np.sqrt(2 * freedom):+.1f} standard "
        "deviations",
        flush=True,
    )


def measure_ownership() -> None:
    """Print how long 100,000 playouts of a position take, with what they say of it."""
    for _ in range(2):  # The first compiles.
        begin = time.perf_counter()
        sample = sample_playouts(
            empty_state(9), "uniform", count=100_000, owners=True, device="gpu"
        )
        seconds = time.perf_counter() - begin
    figures = sample.summary(7.5)
    print(
        f"{figures['playouts']:,.0f} playouts with ownership in {seconds * 1e3:.0f} ms: Black wins "
        f"{figures['black_win_rate']:.4f}, mean score {figures['mean_score']:+.2f}, ownership of "
        f"the middle {sample.ownership[4, 4]:+.3f}",
        flush=True,
    )


def measure_games(games: int | None, count: int) -> None:
    """Print playouts a second of the other games: on the GPU, and of all cores."""
    chosen: tuple[GameDefinition, ...] = (tic_tac_toe(), connect_four(), hex_game(11))
    threads = os.cpu_count() or 1
    for game in chosen if games is None else chosen[:2]:
        speeds, values = [], []
        for place in ("gpu", "cpu"):
            playouts = Playouts(game, device=place, games=games, threads=threads)
            playouts.play([game.initial_state()], 1)
            begin = time.perf_counter()
            (outcome,) = playouts.play([game.initial_state()], count)
            speeds.append(outcome.playouts / (time.perf_counter() - begin) / 1e6)
            values.append(outcome.value)
        print(
            f"{game.name}: {speeds[0]:.2f} M playouts/s, {threads} threads of the CPU "
            f"{speeds[1]:.2f} M; value {values[0]:.4f} and {values[1]:.4f}; "
            f"at {time.perf_counter() - BEGIN:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
