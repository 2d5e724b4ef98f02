"""A network inside the search against the network alone, and what a judged node costs in memory.

Both take turns in one process, round after round, and what counts is runs of the network per second
of processor time: others on the machine disturb that less than wall time. Nothing is remembered, so
that the network is run for every node. The positions are of games that the network plays against
itself; memory is that of the empty board. A search takes a few milliseconds to begin and to end,
which rounds should be long for. Two threads against two processes:
``search_threads.py speed --game network``.

    python benchmarks/speed/network_search.py --sizes 9 13 19
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

from montego.engine.options.options import Options
from montego.mcts import Search
from montego.mcts.kernels.tree import EDGE_BYTES, NODE_BYTES
from montego.network.judge import MEMORY, VALUE_ROOM, Judge
from montego.network.network import Network
from montego.network.samples import sample_states
from montego.network.speed import measure

POSITIONS = 40
EACH = 3  # Rounds that a tree grows on.
KILOBYTE = 1024


def main() -> None:
    """Measure on each board and print a line, or all as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--network", default="default", help="default, or an ONNX file")
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 13, 19])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each part of a round")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args()
    report = {}
    for size in options.sizes:
        found = compare(options.network, size, options.rounds, options.seconds)
        report[f"{size}x{size}"] = found
        if not options.json:
            print(
                f"{size}x{size}: alone {found['alone']:,.0f}, in the search "
                f"{found['inside']:,.0f} evaluations per second of processor time, median of "
                f"{options.rounds} rounds: {found['percent']:.1f}% "
                f"(quartiles {found['lower']:.1f} and {found['upper']:.1f}); "
                f"{found['kilobytes']:.2f} KB a judged node",
                flush=True,
            )
    if options.json:
        print(json.dumps(report, indent=2))


def compare(name: str, size: int, rounds: int, seconds: float) -> dict[str, float]:
    """Return the speeds on one board, and the memory of a judged node."""
    player = Options(network=name, simulations=10**6, threads=1, seed=1)
    path = player.network_path(size)
    if path is None:
        raise SystemExit(f"there is no network for {size}x{size}")
    network = Network.open(path)
    game = player.replace(network=None).game_definition(size)
    judge = Judge(network, game, memory=0.0)
    states = sample_states(Judge(network, game, memory=MEMORY), game, POSITIONS)
    search = Search(judge.judged_game(), player.search_config(size))
    search.run(simulations=50)  # Compiles it.
    ratios: list[float] = []
    alone: list[float] = []
    inside: list[float] = []
    for number in range(rounds):
        speed = measure(network, game, states, seconds)
        alone.append(speed.evaluations / speed.cpu_seconds)
        if number % EACH == 0:
            search.set_state(states[number * 7 % POSITIONS])
        runs, begin = judge.counts().runs, time.process_time()
        search.run(seconds=seconds, early_stop=False)
        inside.append((judge.counts().runs - runs) / (time.process_time() - begin))
        ratios.append(100.0 * inside[-1] / alone[-1])
    lower, middle, upper = statistics.quantiles(ratios, n=4)
    search.set_state(game.initial_state())
    search.run(simulations=100)
    remembered = 8 * (1 + (VALUE_ROOM + size * size + 2) // 2)
    return {
        "alone": statistics.median(alone),
        "inside": statistics.median(inside),
        "percent": middle,
        "lower": lower,
        "upper": upper,
        "kilobytes": (bytes_of(search) + remembered) / KILOBYTE,
    }


def bytes_of(search: Search) -> float:
    """Return what a node takes in the tree, its moves included, where the network judged it."""
    used = search.size()
    judged = int((search.tree.edge_count[: used.nodes] > 0).sum())
    return (used.nodes * NODE_BYTES + used.edges * EDGE_BYTES) / judged


if __name__ == "__main__":
    main()
