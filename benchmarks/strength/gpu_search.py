"""Searches that play out in blocks on a GPU against searches on the CPU, at equal time.

    PYTHONPATH=src python3 benchmarks/strength/gpu_search.py --size 9 --seconds 0.2 --games 20

Four pairs: flat Monte Carlo on GPU and CPU; the leaf parallel tree on the GPU against UCT and
against MC-RAVE on all cores, all with uniform playouts; and the tree on the GPU against flat Monte
Carlo there. Pairs take turns, and sides change after every game of a pair; ``--pairs`` chooses some
of them.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from montego.engine.knowledge.definition import go_game
from montego.jit.state import new_scratch
from montego.mcts.config import Config
from montego.mcts.sampling.blocks import BLOCK, EXPLORATION, LEAVES, flat_search, leaf_search
from montego.mcts.sampling.playouts import Playouts
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.jit.state import State
    from montego.mcts.game import GameDefinition
    from montego.mcts.report import SearchResult

    Player = Callable[[State], SearchResult]

PAIRS = {"flat-flat": (1, 2), "tree-uct": (0, 3), "tree-rave": (0, 4), "tree-flat": (0, 1)}
"""Who plays whom, by their places in the list of players."""


def main() -> None:
    """Print the simulations of a move, and after every game how many that pair has won."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.2, help="a move (default 0.2)")
    parser.add_argument("--games", type=int, default=10, help="a pair (default 10)")
    parser.add_argument("--pairs", nargs="+", choices=list(PAIRS), default=list(PAIRS))
    parser.add_argument("--limit", type=float, default=400.0, help="begin no game after so long")
    parser.add_argument("--block", type=int, default=BLOCK)
    parser.add_argument("--leaves", type=int, default=LEAVES)
    parser.add_argument("--exploration", type=float, default=EXPLORATION)
    parser.add_argument("--device", choices=("gpu", "cpu"), default="gpu")
    options = parser.parse_args()
    end = time.perf_counter() + options.limit
    game, threads = go_game(options.size), os.cpu_count() or 1
    on_gpu = Playouts(game, device=options.device)
    on_cpu = Playouts(game, threads=threads)
    tree = partial(
        leaf_search,
        Playouts(game, device=options.device, games=options.block * options.leaves),
        seconds=options.seconds,
        block=options.block,
        leaves=options.leaves,
        exploration=options.exploration,
    )
    flat = partial(flat_search, on_gpu, seconds=options.seconds, block=options.block)
    common = Config(seconds=options.seconds, simulations=None, threads=threads, early_stop=False)
    config = replace(common, selection="ucb1", exploration=0.7)
    rave = replace(common, selection="rave-mse", exploration=0.0)
    players: dict[str, Player] = {
        f"tree on {options.device}": tree,
        f"flat on {options.device}": flat,
        f"flat on {threads} threads": partial(
            flat_search, on_cpu, seconds=options.seconds, block=options.block
        ),
        f"UCT on {threads} threads": partial(searched, game, config),
        f"RAVE on {threads} threads": partial(searched, game, rave),
    }
    names = list(players)
    for name, player in players.items():
        player(game.initial_state())  # Compiles.
        result = player(game.initial_state())
        print(
            f"{name}: {result.simulations:,} playouts in {result.seconds:.2f} s from the empty "
            f"board, {game.format_move(game.initial_state(), result.move or 0)} at "
            f"{result.value:.3f}, {result.candidates[0].visits:,} of them there",
            flush=True,
        )
    won = dict.fromkeys((PAIRS[name] for name in options.pairs), 0)
    for played in range(options.games):
        swapped = played % 2
        for first, second in won:
            if time.perf_counter() > end:
                return
            pair = players[names[first]], players[names[second]]
            score = play_game(game, pair[swapped], pair[1 - swapped])
            won[first, second] += (score > 0) != bool(swapped)
            points = f"{won[first, second]} of {played + 1}"
            print(f"{names[first]} against {names[second]}: {points}", flush=True)


def searched(game: GameDefinition, config: Config, state: State) -> SearchResult:
    """Return what a search on the CPU finds, its tree begun anew."""
    return Search(game, config, state=state).run()


def play_game(game: GameDefinition, first: Player, second: Player) -> float:
    """Return the first player's score of a game."""
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    state = game.initial_state()
    for _ in range(game.longest_game):
        result = (first, second)[game.to_play(state)](state)
        if result.move is None:
            break
        game.play(state, game.knowledge, scratch, result.move)
    return float(game.score(state, game.knowledge, scratch))


if __name__ == "__main__":
    main()
