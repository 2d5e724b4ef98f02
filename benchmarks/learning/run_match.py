"""Who of two runs of ``montego train`` has the stronger network: many games at once, on a GPU.

    python benchmarks/learning/run_match.py training/go-9x9 /tmp/another --simulations 64 \
        --games 1024

Both search alike, with Gumbel and so many simulations a move; each begins half of the games, whose
first moves are drawn, so that they differ, and half of them at random, so that more is asked than
the openings that both have come to; komi is one of those that are trained for. A match takes
seconds on a GPU. It says which of two relatives is ahead, and more than another program would
say: what is shown to be stronger here is worth a match with the player.
"""

from __future__ import annotations

import argparse

import torch

from montego.arena.statistics import wilson_interval
from montego.train.game import find_game
from montego.train.games.rating import elo_of
from montego.train.games.start import MOVES_FOR_A_RANDOM_ONE, make_table
from montego.train.learning.judge import NetJudge
from montego.train.run import network_in
from montego.train.settings import TrainingSettings


def main() -> None:
    """Play, and print the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("runs", nargs=2, metavar="FOLDER")
    parser.add_argument("--game", default="go")
    parser.add_argument("--size", type=int, help="default: the usual one of the game, 9 for Go")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--simulations", type=int, nargs="+", default=[64])
    parser.add_argument("--device", choices=("cpu", "gpu"), default="gpu")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    device = torch.device("cuda" if given.device == "gpu" else "cpu")
    judges = []
    for folder in given.runs:
        net = network_in(folder)
        judges.append(NetJudge(net.shape, device))
        judges[-1].refresh(net)
    game = find_game(given.game, given.size)
    for simulations in given.simulations:
        settings = TrainingSettings(
            simulations=simulations, random_moves=game.longest_game // MOVES_FOR_A_RANDOM_ONE
        )
        table = make_table(game, settings, given.device, games=given.games, seed=given.seed)
        share = table.match(*judges)
        low, high = wilson_interval(share * given.games, given.games)
        print(
            f"{simulations} simulations: {given.runs[0]} won {100 * share:.1f} % of {given.games} "
            f"({100 * low:.1f} to {100 * high:.1f}), {elo_of(share, given.games):+.0f} Elo",
            flush=True,
        )


if __name__ == "__main__":
    main()
