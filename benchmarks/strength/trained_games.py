"""What networks for other games than Go are worth: Hex against RAVE, Connect 4 against a solver.

    python benchmarks/strength/trained_games.py hex --games 20 --seconds 0.1 --rave-seconds 1
    python benchmarks/strength/trained_games.py connect-four --games 50 --seconds 0.1

Time is processor time: how many simulations it gives is measured first, alone, and is then the
number that each move gets, so that others on the machine do not matter. Hex is played on 11x11
without the swap, each pair of games from the same random stone. In Connect 4 the network has the
first move of positions with eight random stones that are won for it, against replies that hold a
draw or a win wherever there is one, and are random among the best. ``--network FILE`` takes another
network than the one that comes along.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hex_match import play_match
from montego.arena.statistics import wilson_interval
from montego.games.connect_four import connect_four
from montego.games.hex import hex_game
from montego.jit.state import new_scratch
from montego.mcts import Config, Search
from montego.network.game import BY_NETWORK, judged_game

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "oracles"))
from connect_four_solver import WIN, Solver

if TYPE_CHECKING:
    from montego.jit.state import Scratch, State
    from montego.mcts import GameDefinition

STONES = 8
SIZE = 11


def main() -> None:
    """Play, and print the score."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("game", choices=("hex", "connect-four"))
    parser.add_argument("--network", metavar="FILE", help="default: the one that comes along")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.1, help="a move of the network's search")
    parser.add_argument("--rave-seconds", type=float, default=1.0, help="a move of RAVE's")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    play = _hex if given.game == "hex" else _connect_four
    won = play(given)
    low, high = wilson_interval(won, given.games)
    print(f"{won} of {given.games} ({100 * low:.1f} to {100 * high:.1f} %)")


def _paced(game: GameDefinition, config: Config, seconds: float) -> Search:
    """Return a search that makes as many simulations a move as that processor time allows."""
    trial = Search(game, replace(config, simulations=50, early_stop=False))
    trial.run()  # Compiles.
    counted, begin = 50, time.process_time()
    while time.process_time() - begin < 2.0:
        trial.set_state(game.initial_state())
        trial.run(simulations=counted)
    begin = time.process_time()
    trial.set_state(game.initial_state())
    trial.run(simulations=2_000)
    rate = 2_000 / (time.process_time() - begin)
    simulations = max(2, int(rate * seconds))
    print(f"{game.name}, {config.selection}: {simulations:,} simulations a move", flush=True)
    return Search(game, replace(config, simulations=simulations))


def _hex(given: argparse.Namespace) -> int:
    game = hex_game(SIZE, swap=False)
    network = replace(BY_NETWORK, seed=given.seed, memory=100.0)
    rave = Config(
        selection="rave-mse", exploration=0.0, rave_bias=0.02, memory=600.0, seed=given.seed + 1
    )
    players = [
        _paced(judged_game(game, given.network), network, given.seconds),
        _paced(game, rave, given.rave_seconds),
    ]

    def progress(played: int, won: int) -> None:
        print(f"game {played}: {won} won", flush=True)

    return play_match(game, players, SIZE * SIZE, given.games, given.seed, progress)


def _connect_four(given: argparse.Namespace) -> int:
    game, solver, chance = connect_four(), Solver(), random.Random(given.seed)
    config = replace(BY_NETWORK, seed=given.seed, memory=50.0)
    search = _paced(judged_game(game, given.network), config, given.seconds)
    position = Search(game, Config(memory=1.0, simulations=1))
    won = 0
    for number in range(given.games):
        position.set_state(_won_opening(game, solver, chance))
        is_first = True
        while position.legal_moves():
            if is_first:
                search.set_state(position.state)
                move = search.run().move
            else:
                found = solver.moves(position.state)
                best = max(found.values())
                move = chance.choice([move for move, value in found.items() if value == best])
            assert move is not None  # noqa: S101  # The game goes on.
            position.play(move)
            is_first = not is_first
        won += game.score(position.state, game.knowledge, _scratch(game)) > 0
        print(f"game {number + 1}: {won} won", flush=True)
    return won


def _won_opening(game: GameDefinition, solver: Solver, chance: random.Random) -> State:
    """Return a position with STONES random stones that the player to move, the first, wins."""
    position = Search(game, Config(memory=1.0, simulations=1))
    while True:
        position.set_state(game.initial_state())
        for _ in range(STONES):
            if position.legal_moves():
                position.play(chance.choice(position.legal_moves()))
        if position.legal_moves() and solver.outcome(position.state) == WIN:
            return position.state


def _scratch(game: GameDefinition) -> Scratch:
    return new_scratch(game.longest_game, 0, game.scratch_room)


if __name__ == "__main__":
    main()
