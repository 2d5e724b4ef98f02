"""Two plain Python threads in one process against two processes, playing uniform playouts.

Kernels release the interpreter's lock, so threads should be as good as processes. Both are given
the same time in turn, several times; what counts is all playouts of the one against all of the
other. Needs as many idle cores as there are threads.

    python benchmarks/speed/threads.py --size 9 --seconds 3 --rounds 5
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from typing import TYPE_CHECKING

from montego.go.kernels.layout import empty_state
from montego.go.sampling.run import sample_playouts

if TYPE_CHECKING:
    from multiprocessing.pool import Pool


def play(size: int, seconds: float, threads: int, seed: int) -> int:
    """Return how many playouts were played."""
    sample = sample_playouts(
        empty_state(size), "uniform", seconds=seconds, threads=threads, seed=seed
    )
    return int(sample.frequency.sum())


def play_in_processes(pool: Pool, count: int, size: int, seconds: float, seed: int) -> int:
    """Return how many playouts *count* processes played together."""
    # A chunk of one each: no process gets two tasks while another has none.
    work = [(size, seconds, 1, seed + number) for number in range(count)]
    return sum(pool.starmap(play, work, chunksize=1))


def main() -> None:
    """Measure in turn and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3.0, help="per turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args()
    count, size, seconds = options.threads, options.size, options.seconds

    in_threads, in_processes = [], []
    # Fresh interpreters: what a forked one shares with its parent would flatter it.
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        play_in_processes(pool, count, size, 0.1, seed=0)
        play(size, 0.1, count, seed=0)
        for number in range(options.rounds):
            in_threads.append(play(size, seconds, count, number))
            in_processes.append(play_in_processes(pool, count, size, seconds, number))
            if not options.json:
                print(
                    f"round {number + 1}: {in_threads[-1]:,} playouts in {count} threads, "
                    f"{in_processes[-1]:,} in {count} processes, "
                    f"ratio {in_threads[-1] / in_processes[-1]:.3f}"
                )
    ratio = sum(in_threads) / sum(in_processes)
    if options.json:
        print(json.dumps({"threads": in_threads, "processes": in_processes, "ratio": ratio}))
    else:
        print(f"threads reach {ratio:.1%} of processes")


if __name__ == "__main__":
    main()
