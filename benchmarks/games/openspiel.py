"""Simulations per second of processor time: Montego against OpenSpiel's two searches.

Plain UCT with one random playout a leaf, one thread, from the beginning of each game; the three
searches take turns, so that they share whatever else the machine does. Needs ``open_spiel``:
``pip install open_spiel``, then ``python benchmarks/games/openspiel.py``.

What is the same: UCB1 with the same constant (OpenSpiel's rewards run from -1 to 1 and ours from 0
to 1, hence half its constant), a leaf is expanded at its second visit, no solver, the tree
starts empty every time. What is not: OpenSpiel's Hex knows no swap, so ours is played without.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts as python_mcts

from montego.games import make_game
from montego.games.hex import hex_game
from montego.mcts import Config, Search
from packed_tic_tac_toe import packed_tic_tac_toe

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts import GameDefinition

UCT_CONSTANT = 2.0
MEGABYTES = 200  # For either. 50,000 simulations of Hex fill most of it.

GAMES: dict[str, tuple[Callable[[], GameDefinition], str]] = {
    "tic-tac-toe": (packed_tic_tac_toe, "tic_tac_toe"),
    "connect-four": (lambda: make_game("connect-four"), "connect_four"),
    "hex 11x11": (lambda: hex_game(11, swap=False), "hex(board_size=11)"),
}

ENGINES = ("montego", "openspiel_cpp", "openspiel_python")


def search_montego(game: GameDefinition, simulations: int, seed: int) -> Callable[[], int]:
    """Return a function that searches from the beginning and returns the simulations it ran."""
    config = Config(
        simulations=simulations,
        selection="ucb1",
        exploration=UCT_CONSTANT / 2,
        early_stop=False,
        seed=seed,
        memory=MEGABYTES,
    )
    search = Search(game, config)
    return lambda: search.run().simulations


def search_cpp(game: Any, simulations: int, seed: int) -> Callable[[], int]:
    """As :func:`search_montego`, for OpenSpiel's search in C++."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    solve = verbose = False
    bot = pyspiel.MCTSBot(
        game, evaluator, UCT_CONSTANT, simulations, MEGABYTES, solve, seed, verbose
    )
    state = game.new_initial_state()
    return lambda: int(bot.mcts_search(state).explore_count)


def search_python(game: Any, simulations: int, seed: int) -> Callable[[], int]:
    """As :func:`search_montego`, for OpenSpiel's search in Python."""
    random = np.random.RandomState(seed)
    evaluator = python_mcts.RandomRolloutEvaluator(1, random)
    bot = python_mcts.MCTSBot(
        game, UCT_CONSTANT, simulations, evaluator, solve=False, random_state=random
    )
    state = game.new_initial_state()
    return lambda: int(bot.mcts_search(state).explore_count)


def measure(name: str, simulations: int, python_simulations: int, rounds: int) -> dict[str, float]:
    """Return simulations per second of processor time of the three searches on one game."""
    make, openspiel_name = GAMES[name]
    game, openspiel_game = make(), pyspiel.load_game(openspiel_name)
    search_montego(game, 100, 0)()  # Compiles, or loads what is compiled.
    done = dict.fromkeys(ENGINES, 0)
    spent = dict.fromkeys(ENGINES, 0.0)
    for seed in range(1, rounds + 1):
        searches = {
            "montego": search_montego(game, simulations, seed),
            "openspiel_cpp": search_cpp(openspiel_game, simulations, seed),
            "openspiel_python": search_python(openspiel_game, python_simulations, seed),
        }
        for engine, search in searches.items():
            begin = time.process_time()
            done[engine] += search()
            spent[engine] += time.process_time() - begin
    return {engine: done[engine] / spent[engine] for engine in ENGINES}


def main() -> None:
    """Measure every game and print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--simulations", type=int, default=50_000, help="a search (default 50000)")
    parser.add_argument(
        "--python-simulations", type=int, default=500, help="of the Python search (default 500)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="searches each (default 3)")
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
    options = parser.parse_args()

    results = {
        name: measure(name, options.simulations, options.python_simulations, options.rounds)
        for name in GAMES
    }
    if options.json:
        print(json.dumps({"settings": vars(options), "simulations_per_cpu_second": results}))
        return
    print(f"simulations per second of processor time; {options.simulations} a search")
    print(f"{'':<14}{'Montego':>12}{'C++':>12}{'Python':>12}{'to C++':>10}{'to Python':>12}")
    for name, rates in results.items():
        rate = [rates[engine] for engine in ENGINES]
        print(
            f"{name:<14}{rate[0]:>12,.0f}{rate[1]:>12,.0f}{rate[2]:>12,.0f}"
            f"{rate[0] / rate[1]:>9.1f}x{rate[0] / rate[2]:>11.0f}x"
        )


if __name__ == "__main__":
    main()
