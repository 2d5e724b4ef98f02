"""RAVE against plain UCT on Hex at equal simulations: the claim of document 001 in another game.

Each pair of games begins with the same random stone, once with either player first; without the
swap rule. Every move is searched from scratch, with exactly the simulations given.

    python benchmarks/strength/hex_rave.py --games 200 --simulations 1000 --selection rave-mse
"""

from __future__ import annotations

import argparse
import math
import time

from hex_match import play_match
from montego.arena.statistics import wilson_interval
from montego.games.hex import hex_game
from montego.mcts import Config, Search


def main() -> None:
    """Play the match and print its score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--selection", default="rave-mse", help="what plays against ucb1")
    parser.add_argument("--bias", type=float, default=0.02, help="of rave-mse")
    parser.add_argument("--equivalence", type=float, default=1000.0, help="of rave-hand")
    parser.add_argument("--exploration", type=float, default=0.0, help="of RAVE")
    parser.add_argument("--uct-exploration", type=float, default=0.7, help="of plain UCT")
    parser.add_argument(
        "--uct-urgency", type=float, default=math.inf, help="first-play urgency of plain UCT"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    game = hex_game(options.size, swap=False)
    common = {"simulations": options.simulations, "early_stop": False, "memory": 100.0}
    players = [
        Search(
            game,
            Config(
                **common,
                selection=options.selection,
                rave_bias=options.bias,
                rave_equivalence=options.equivalence,
                exploration=options.exploration,
                seed=options.seed,
            ),
        ),
        Search(
            game,
            Config(
                **common,
                selection="ucb1",
                exploration=options.uct_exploration,
                first_play_urgency=options.uct_urgency,
                seed=options.seed + 1,
            ),
        ),
    ]

    def report(played: int, won: int) -> None:
        if played % 20 == 0:
            print(f"{played} games: {won} won", flush=True)

    begin = time.perf_counter()
    won = play_match(game, players, options.size**2, options.games, options.seed, report)
    low, high = wilson_interval(won, options.games)
    print(
        f"hex {options.size}x{options.size}, {options.simulations} simulations a move: "
        f"{options.selection} (exploration {options.exploration:g}, bias {options.bias:g}, "
        f"equivalence {options.equivalence:g}) against ucb1 (exploration "
        f"{options.uct_exploration:g}, first-play urgency {options.uct_urgency:g})"
    )
    print(
        f"{won} of {options.games} games won: {100 * won / options.games:.1f}%, "
        f"95% interval {100 * low:.1f} to {100 * high:.1f}%; "
        f"{time.perf_counter() - begin:.0f} s"
    )


if __name__ == "__main__":
    main()
