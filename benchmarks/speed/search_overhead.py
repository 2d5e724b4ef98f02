"""What the tree costs: searches of Go beside the bare playouts they are made of.

Alternates playouts without a tree, plain UCT and MC-RAVE from the empty board, one thread, and
prints for each the best speed and the median cost over the playouts of the same round.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time

from montego.engine.knowledge.definition import go_game
from montego.go.sampling.run import sample_playouts
from montego.mcts import Config, Search

CONFIGS = {
    "UCT": Config(early_stop=False, selection="ucb1", exploration=0.7),
    "MC-RAVE": Config(early_stop=False, selection="rave-mse", exploration=0.0),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    game = go_game(options.size)
    state = game.initial_state()
    speeds: dict[str, list[float]] = {name: [] for name in ("playouts", *CONFIGS)}
    for _ in range(options.rounds):
        sample = sample_playouts(state, "uniform", count=options.simulations)
        speeds["playouts"].append(sample.summary(7.5)["playouts_per_second"])
        for name, config in CONFIGS.items():
            Search(game, config).run(simulations=10)
            search = Search(game, config)
            begin = time.process_time()
            search.run(simulations=options.simulations)
            speeds[name].append(options.simulations / (time.process_time() - begin))
    report = {
        name: {
            "per_second": max(found),
            "over_playouts_best": max(speeds["playouts"]) / max(found) - 1.0,
            "over_playouts": statistics.median(
                bare / speed - 1.0 for bare, speed in zip(speeds["playouts"], found, strict=True)
            ),
        }
        for name, found in speeds.items()
    }
    if options.json:
        print(json.dumps(report))
        return
    for name, figures in report.items():
        print(
            f"{name:<10}{figures['per_second']:>10,.0f} per second of processor time, "
            f"{figures['over_playouts']:>6.1%} over the playouts of the same round, "
            f"{figures['over_playouts_best']:.1%} best against best"
        )


if __name__ == "__main__":
    main()
