"""Two threads on one tree: how fast against two processes, how strong against one thread.

Speed: threads and processes take turns, round after round, each from an empty tree. A process
grows a tree as large as the threads do together: deep trees cost more a simulation than shallow
ones, with RAVE a seventh more at twice the size, whoever grows them. What counts is wall time, so
the machine should have nothing else to do; processor time, which others disturb less, is shown
beside it. Strength: a match on Hex at equal simulations in all; each pair of games begins with the
same random stone, once with either player first.

    python benchmarks/strength/search_threads.py speed --game go --simulations 100000
    python benchmarks/strength/search_threads.py speed --game player --simulations 20000
    python benchmarks/strength/search_threads.py speed --game network --simulations 4000
    python benchmarks/strength/search_threads.py strength --games 400 --simulations 2000
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from hex_match import play_match
from montego.arena.statistics import wilson_interval
from montego.engine.options.options import Options
from montego.games import make_game
from montego.games.hex import hex_game
from montego.mcts import Config, Search

if TYPE_CHECKING:
    from montego.mcts import GameDefinition

PLAYERS = {
    "player": Options(network=None),
    "network": Options(network="default", network_memory=0.0),
}


def main() -> None:
    """Run the part that was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("part", choices=["speed", "strength", "worker"])
    parser.add_argument(
        "--game",
        default="go",
        help="go (9x9, uniform playouts), hex, ...; or player: Go 9x9 as the player searches it; "
        "or network: the same with the network, which remembers nothing",
    )
    parser.add_argument("--size", type=int, default=7, help="of the Hex board in the match")
    parser.add_argument("--selection", default="ucb1")
    parser.add_argument("--exploration", type=float, default=0.7)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--parallel", default="tree")
    parser.add_argument("--virtual-loss", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    {"speed": speed, "strength": strength, "worker": work}[options.part](options)


def config_of(options: argparse.Namespace, threads: int, simulations: int, seed: int) -> Config:
    """Return a configuration with so many threads and simulations, and all else as asked."""
    if options.game in PLAYERS:
        player = PLAYERS[options.game].replace(
            simulations=simulations, threads=threads, seed=seed, memory=400.0
        )
        return replace(player.search_config(9), early_stop=False)
    return Config(
        simulations=simulations,
        early_stop=False,
        selection=options.selection,
        exploration=options.exploration,
        threads=threads,
        parallel=options.parallel,
        virtual_loss=options.virtual_loss,
        memory=400.0,
        seed=seed,
    )


def game_of(name: str) -> GameDefinition:
    """Return the game of that name."""
    if name in PLAYERS:
        return PLAYERS[name].game_definition(9)
    if name != "go":
        return make_game(name)
    from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # Only where it is wanted.

    return go_game(9)


def timed(search: Search) -> tuple[float, float]:
    """Search from an empty tree; return simulations per second of wall and of processor time."""
    search.set_state(search.game.initial_state())
    wall, processor = time.perf_counter(), time.process_time()
    simulations = search.run().simulations
    return (
        simulations / (time.perf_counter() - wall),
        simulations / (time.process_time() - processor),
    )


def work(options: argparse.Namespace) -> None:
    """Be one of the processes: search whenever a line comes in, and answer with the speed."""
    search = Search(game_of(options.game), config_of(options, 1, options.simulations, options.seed))
    search.run(simulations=1000)
    print("ready", flush=True)
    for _ in sys.stdin:
        print(*timed(search), flush=True)


def speed(options: argparse.Namespace) -> None:
    """Compare the speeds and print them."""
    search = Search(
        game_of(options.game), config_of(options, options.threads, options.simulations, 0)
    )
    search.run(simulations=1000)
    processes = [
        subprocess.Popen(
            [sys.executable, __file__, "worker", *sys.argv[2:], "--seed", str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(options.threads)
    ]
    pipes = [(process.stdin, process.stdout) for process in processes]
    for _, answers in pipes:
        if answers is not None:
            answers.readline()
    ratios, shares = [], []
    for number in range(options.rounds):
        together, each = timed(search)
        for requests, _ in pipes:
            if requests is not None:
                print("go", file=requests, flush=True)
        lines = [answers.readline().split() for _, answers in pipes if answers is not None]
        apart = sum(float(line[0]) for line in lines)
        ratios.append(together / apart)
        shares.append(each / statistics.mean(float(line[1]) for line in lines))
        print(
            f"round {number + 1}: {options.threads} threads {together:,.0f}, "
            f"{options.threads} processes {apart:,.0f} simulations/s, {100 * ratios[-1]:.1f}%; "
            f"of processor time {100 * shares[-1]:.1f}%",
            flush=True,
        )
    for process in processes:
        process.communicate()
    print(
        f"{options.game}, {search.config.selection}, {options.simulations} simulations: median "
        f"{100 * statistics.median(ratios):.1f}% of independent processes; by processor time "
        f"{100 * statistics.median(shares):.1f}%"
    )


def strength(options: argparse.Namespace) -> None:
    """Play several threads against one and print the score."""
    game = hex_game(options.size, swap=False)
    players = [
        Search(game, config_of(options, threads, options.simulations, seed))
        for threads, seed in ((options.threads, 1), (1, 2))
    ]
    won = play_match(game, players, options.size**2, options.games, options.seed)
    low, high = wilson_interval(won, options.games)
    print(
        f"hex {options.size}x{options.size}, {options.selection}, {options.simulations} simulations"
        f" a move: {options.threads} threads ({options.parallel}, virtual loss "
        f"{options.virtual_loss}) won {won} of {options.games} games against one: "
        f"{100 * won / options.games:.1f}%, 95% interval {100 * low:.1f} to {100 * high:.1f}%"
    )


if __name__ == "__main__":
    main()
