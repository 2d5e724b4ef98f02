"""``montego bench``: how fast this machine plays, and a fixed-seed signature of how it plays."""

from __future__ import annotations

import json
import sys
import time
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.cli.departure import leave_if_interrupted
from montego.cli.progress import progress_bar
from montego.engine.options.options import Options
from montego.go.playout.policy import POLICIES
from montego.go.vocabulary.rules import parse_komi
from montego.go.vocabulary.vertex import check_size
from montego.mcts.config import SELECTIONS, WITH_AMAF, Config

if TYPE_CHECKING:
    import argparse

SIGNATURE_SIZES = (5, 9, 13, 19)
SIGNATURE_PLAYOUTS = 200
SIGNATURE_SEARCH_SIZE = 7
SIGNATURE_SIMULATIONS = 500

_LABELS = {
    "playouts": ("playouts", ",.0f"),
    "cpu_seconds": ("seconds of processor time", ".2f"),
    "playouts_per_second": ("playouts per second of processor time", ",.0f"),
    "moves_per_playout": ("moves per playout", ".1f"),
    "black_win_rate": ("Black's win rate", ".4f"),
    "mean_score": ("mean score without komi", "+.2f"),
    "score_deviation": ("its standard deviation", ".2f"),
}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``bench`` and its kinds to the command line."""
    parser = commands.add_parser("bench", help="measure speed", description=__doc__)
    kinds = parser.add_subparsers(title="what to measure", metavar="KIND", required=True)

    playouts = kinds.add_parser(
        "playouts",
        help="random games from the empty board",
        description="Play random games from the empty board and report their number per second of "
        "processor time, summed over the threads, and what came out of them.",
        epilog="policies: "
        + "; ".join(f"{name}: {policy.meaning}" for name, policy in POLICIES.items()),
    )
    playouts.add_argument("--size", type=int, default=9, help="lines of the board (default 9)")
    playouts.add_argument(
        "--policy", default="uniform", metavar="NAME", help="how moves are chosen (see below)"
    )
    playouts.add_argument("--threads", type=int, default=1, help="default 1")
    playouts.add_argument("--seconds", type=float, default=5.0, help="how long (default 5)")
    playouts.add_argument("--playouts", type=int, help="how many, instead of --seconds")
    playouts.add_argument("--komi", default="7.5", help="for the win rate (default 7.5)")
    playouts.add_argument("--seed", type=int, default=0, help="of the random numbers (default 0)")
    playouts.add_argument("--json", action="store_true", help="one JSON object, for programs")
    playouts.set_defaults(run=run_playouts)

    search = kinds.add_parser(
        "search",
        help="a tree search of Go from the empty board",
        description="Search the empty board of Go as the player does, without stopping early, and "
        "report simulations per second of processor time, summed over the threads.",
    )
    search.add_argument("--size", type=int, default=9, help="lines of the board (default 9)")
    search.add_argument("--simulations", type=int, default=20_000, help="default 20000")
    search.add_argument("--threads", type=int, default=1, help="default 1")
    search.add_argument(
        "--plain",
        action="store_true",
        help="the search alone: uniform playouts, no priors, all else as mcts.Config has it",
    )
    search.add_argument(
        "--selection",
        default="rave-mse",
        metavar="NAME",
        help=f"default rave-mse, the player's; one of {', '.join(SELECTIONS)}",
    )
    search.add_argument("--exploration", type=float, help="default 0 with RAVE, else Config's")
    search.add_argument(
        "--playouts", metavar="POLICY", help="default the player's; uniform if --plain"
    )
    search.add_argument("--seed", type=int, default=0, help="of the random numbers (default 0)")
    search.add_argument("--json", action="store_true", help="one JSON object, for programs")
    search.set_defaults(run=run_search)

    signature = kinds.add_parser(
        "signature",
        help="one number that changes when play does",
        description="Play a fixed set of games with fixed seeds and print one number. It is the "
        "same on every machine, and changes only when the way of playing does.",
    )
    signature.set_defaults(run=run_signature)


def run_playouts(options: argparse.Namespace) -> int:
    """Carry out ``montego bench playouts``."""
    size, komi = check_size(options.size), parse_komi(options.komi)
    from montego.go.kernels.layout import empty_state  # noqa: PLC0415  # Loads NumPy.
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415

    with progress_bar("playing", enabled=not options.json) as show:
        sample = sample_playouts(
            empty_state(size),
            options.policy,
            count=options.playouts,
            seconds=options.seconds,
            threads=options.threads,
            seed=options.seed,
            progress=lambda part: show(part, ""),
        )
    figures = sample.summary(komi)
    settings = {
        "size": size,
        "policy": options.policy,
        "threads": options.threads,
        "komi": komi,
        "seed": options.seed,
    }
    if options.json:
        sys.stdout.write(json.dumps(settings | figures) + "\n")
        leave_if_interrupted()
        return 0
    sys.stdout.write(
        f"{options.policy} playouts on {size}x{size}, {options.threads} thread(s), komi {komi:g}\n"
    )
    for key, (label, form) in _LABELS.items():
        sys.stdout.write(f"  {label:<40}{format(figures[key], form):>14}\n")
    leave_if_interrupted()
    return 0


def run_search(options: argparse.Namespace) -> int:
    """Carry out ``montego bench search``."""
    exploration = options.exploration
    if exploration is None:
        exploration = 0.0 if options.selection in WITH_AMAF else Config.exploration
    given = {"selection": options.selection, "exploration": exploration, "early_stop": False}
    size = check_size(options.size)
    if options.plain:
        from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # Loads NumPy.

        playouts = options.playouts or "uniform"
        config = Config(
            simulations=options.simulations, threads=options.threads, seed=options.seed, **given
        )
        game = go_game(size, playout=playouts)
    else:
        playouts = options.playouts or Options.playout
        player = Options(
            simulations=options.simulations,
            threads=options.threads,
            seed=options.seed,
            playout=playouts,
        )
        config = replace(player.search_config(size), **given)
        game = player.game_definition(size)
    from montego.mcts.search import Search  # noqa: PLC0415  # These load NumPy.

    # Once to compile, or to load what is compiled.
    Search(game, replace(config, simulations=10 * config.threads)).run()
    search = Search(game, config)
    with progress_bar("searching", enabled=not options.json) as show:
        begin = time.process_time()
        result = search.run(progress=lambda _search, part: show(part, ""))
        seconds = time.process_time() - begin
    figures: dict[str, object] = {
        "size": size,
        "selection": options.selection,
        "playouts": playouts,
        "priors": not options.plain,
        "threads": options.threads,
        "seed": options.seed,
        "simulations": result.simulations,
        "cpu_seconds": seconds,
        "simulations_per_second": result.simulations / seconds * options.threads,
        "nodes": search.size().nodes,
        "edges": search.size().edges,
        "move": game.format_move(search.state, result.move or 0),
        "value": result.value,
    }
    if options.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        leave_if_interrupted()
        return 0
    sys.stdout.write(
        f"{options.selection} on {size}x{size}, {playouts} playouts, "
        f"{'no ' if options.plain else ''}priors, {options.threads} thread(s)\n"
        f"  {result.simulations:,} simulations in {seconds:.2f} seconds of processor time\n"
        f"  {figures['simulations_per_second']:,.0f} simulations per second of it\n"
        f"  {figures['nodes']:,} nodes, {figures['edges']:,} edges; "
        f"{figures['move']} at {result.value:.3f}\n"
    )
    leave_if_interrupted()
    return 0


def run_signature(options: argparse.Namespace) -> int:  # noqa: ARG001
    """Carry out ``montego bench signature``."""
    sys.stdout.write(f"{signature()}\n")
    return 0


def signature() -> int:
    """Return a number that depends on every score and visit of fixed playouts and searches.

    Of all playout policies, of all selections with uniform playouts, and of the player as it comes.
    """
    from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # These load NumPy.
    from montego.go.kernels.layout import empty_state  # noqa: PLC0415
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415
    from montego.mcts.search import Search  # noqa: PLC0415

    checksum = 0
    for policy in POLICIES:
        for size in SIGNATURE_SIZES:
            sample = sample_playouts(empty_state(size), policy, count=SIGNATURE_PLAYOUTS, seed=size)
            text = f"{policy} {size} {sample.moves} {sample.frequency.tolist()}"
            checksum = zlib.crc32(text.encode(), checksum)
            leave_if_interrupted()
    for selection in SELECTIONS:
        config = Config(
            simulations=SIGNATURE_SIMULATIONS, selection=selection, early_stop=False, memory=50.0
        )
        result = Search(go_game(SIGNATURE_SEARCH_SIZE), config).run()
        visits = [(candidate.move, candidate.visits) for candidate in result.candidates]
        checksum = zlib.crc32(f"{selection} {sorted(visits)}".encode(), checksum)
        leave_if_interrupted()
    for size in SIGNATURE_SIZES:
        player = Options(simulations=SIGNATURE_SIMULATIONS, memory=50.0, seed=size)
        result = Search(player.game_definition(size), player.search_config(size)).run()
        visits = [(candidate.move, candidate.visits) for candidate in result.candidates]
        checksum = zlib.crc32(f"player {size} {sorted(visits)}".encode(), checksum)
        leave_if_interrupted()
    return checksum
