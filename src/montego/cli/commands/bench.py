"""``montego bench``: how fast this machine plays, and a fixed-seed signature of how it plays."""

from __future__ import annotations

import sys
import time
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from montego.cli.cluster_option import CLUSTER, search_cluster_of
from montego.cli.command import Namespace, argument, command, group
from montego.cli.output import amount, print_result, progress_bar, tell
from montego.cli.termination import leave_if_interrupted
from montego.engine.knowledge.tuning import EXPLORATION_WITHOUT_RAVE
from montego.engine.options.options import Options
from montego.go.playout.policy import POLICIES
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size
from montego.mcts.config import WITH_AMAF, WITHOUT_EVALUATION, Config

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.mcts import SearchResult

SIGNATURE_SIZES = (5, 9, 13, 19)
SIGNATURE_PLAYOUTS = 200
SIGNATURE_SEARCH_SIZE = 7
SIGNATURE_SIMULATIONS = 500
SIGNATURE_POLICIES = (
    "uniform", "uniform-enclosed", "naive", "common-fate", "analyze-after", "sequence", "urgency",
)  # fmt: skip
SIGNATURE_SELECTIONS = (
    "ucb1", "ucb1-tuned", "greedy", "rave", "rave-hand", "rave-child", "rave-mse",
    "rave-mse-exact", "progressive-bias", "puct", "flat", "objective",
)  # fmt: skip
"""What the signature is of. Others may come without changing it; fixed games are their test."""

_LABELS = {
    "playouts": ("playouts", ",.0f"),
    "cpu_seconds": ("seconds of processor time", ".2f"),
    "playouts_per_second": ("playouts per second of processor time", ",.0f"),
    "moves_per_playout": ("moves per playout", ".1f"),
    "black_win_rate": ("Black's win rate", ".4f"),
    "mean_score": ("mean score without komi", "+.2f"),
    "score_deviation": ("its standard deviation", ".2f"),
}


SIZE = argument("--size SIZE", "lines of the board (default 9)", default=9)
THREADS = argument("--threads THREADS", "default 1", default=1)
SEED = argument("--seed SEED", "of the random numbers (default 0)", default=0)
JSON = argument("--json", "one JSON object, for programs")


@command(
    "Play random games from the empty board and report their number per second of processor time, "
    "summed over the threads, and what came out of them. On a GPU the second is the clock's.",
    SIZE,
    argument("--policy NAME", "how moves are chosen (see below)", default="uniform"),
    argument(
        "--device NAME",
        "cpu (default), or gpu: tens of thousands of games at once, whatever --threads says",
        choices=("cpu", "gpu"),
        default="cpu",
    ),
    THREADS,
    argument("--seconds SECONDS", "how long (default 5)", default=5.0),
    argument("--playouts PLAYOUTS", "how many, instead of --seconds", type=int),
    argument("--komi KOMI", "for the win rate (default 7.5)", default="7.5"),
    SEED,
    JSON,
    epilog="policies: " + "; ".join(f"{name}: {one.meaning}" for name, one in POLICIES.items()),
)
def bench_playouts(options: Namespace) -> None:
    """Carry out ``montego bench playouts``."""
    size, komi = check_size(options.size), parse_komi(options.komi)
    from montego.go.kernels.layout import empty_state  # Loads NumPy.
    from montego.go.sampling.run import sample_playouts

    with progress_bar("playing", enabled=not options.json) as show:
        sample = sample_playouts(
            empty_state(size),
            options.policy,
            count=options.playouts,
            seconds=options.seconds,
            threads=options.threads,
            seed=options.seed,
            device=options.device,
            progress=lambda part: show(part, ""),
        )
    figures = sample.summary(komi)
    settings: dict[str, object] = {
        "size": size,
        "policy": options.policy,
        "device": options.device,
        "threads": options.threads,
        "komi": komi,
        "seed": options.seed,
    }
    labels, place = _LABELS, amount(options.threads, "thread")
    if options.device == "gpu":
        from montego.jit.gpu import gpu_name  # Loads NumPy and Numba.

        place = gpu_name()
        settings |= {"threads": None, "gpu": place}
        figures = {key.removeprefix("cpu_"): value for key, value in figures.items()}
        labels = {
            key.removeprefix("cpu_"): (label.removesuffix(" of processor time"), form)
            for key, (label, form) in _LABELS.items()
        }
    lines = [f"{options.policy} playouts on {size}x{size}, {place}, komi {komi:g}\n"]
    for key, (label, form) in labels.items():
        lines.append(f"  {label:<40}{format(figures[key], form):>14}\n")
    print_result(options, settings | figures, "".join(lines), indent=None)
    leave_if_interrupted()


@command(
    "Search the empty board of Go as the player without a network does, but never stopping early, "
    "and report simulations per second of processor time, summed over the threads; with --cluster "
    "those of all machines per second of the clock.",
    SIZE,
    argument("--simulations SIMULATIONS", "default 20000", default=20_000),
    THREADS,
    argument(
        "--plain",
        "the search alone: uniform playouts, no priors, all else as mcts.Config has it",
    ),
    argument(
        "--selection NAME",
        f"default rave-mse, the player's; one of {', '.join(WITHOUT_EVALUATION)}",
        default="rave-mse",
    ),
    argument("--exploration EXPLORATION", "default 0 with RAVE, else the player's", type=float),
    argument("--playouts POLICY", "default the player's; uniform if --plain"),
    CLUSTER,
    SEED,
    JSON,
)
def bench_search(options: Namespace) -> None:
    """Carry out ``montego bench search``."""
    exploration = options.exploration
    if exploration is None:
        exploration = 0.0 if options.selection in WITH_AMAF else EXPLORATION_WITHOUT_RAVE
    given = {"selection": options.selection, "exploration": exploration, "early_stop": False}
    limits = {name: getattr(options, name) for name in ("simulations", "threads", "seed")}
    size = check_size(options.size)
    if options.cluster is not None:
        _bench_cluster(options, size, limits, given)
        return
    if options.plain:
        from montego.engine.knowledge.definition import go_game  # Loads NumPy.

        playouts = options.playouts or "uniform"
        config = Config(**limits, **given)
        game = go_game(size, playout=playouts)
    else:
        playouts = options.playouts or Options.playout
        player = Options(**limits, playout=playouts, network=None)
        config = replace(player.search_config(size), **given)
        game = player.game_definition(size)
    from montego.mcts.search import Search  # Loads NumPy.

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
    text = (
        f"{options.selection} on {size}x{size}, {playouts} playouts, "
        f"{'no ' if options.plain else ''}priors, {amount(options.threads, 'thread')}\n"
        f"  {result.simulations:,} simulations in {seconds:.2f} seconds of processor time\n"
        f"  {figures['simulations_per_second']:,.0f} simulations per second of it\n"
        f"  {figures['nodes']:,} nodes, {figures['edges']:,} edges; "
        f"{figures['move']} at {result.value:.3f}\n"
    )
    print_result(options, figures, text, indent=None)
    leave_if_interrupted()


def _bench_cluster(
    options: Namespace, size: int, limits: dict[str, Any], given: dict[str, object]
) -> None:
    """Search with a cluster, and report how fast all of it is."""
    if options.plain:
        raise GoError("--plain and --cluster do not go together: say one of them")
    player = Options(**limits, network=None)
    for name, value in given.items():
        player = player.set(name.replace("_", "-"), str(value).lower())
    if options.playouts is not None:
        player = player.set("playout", options.playouts)
    cluster, player = search_cluster_of(options, player, tell)
    if cluster is None:
        raise AssertionError
    from montego.go.playout.knowledge import KOMI  # These load NumPy.
    from montego.mcts.search import Search

    with cluster:
        rules = parse_rules(player.rules)
        game, config = player.game_definition(size, rules), player.search_config(size)
        fellows = cluster.enlist(player, size, rules)
        fellows.knowledge[KOMI] = float(game.knowledge[KOMI])
        Search(game, replace(config, simulations=10 * config.threads)).run()
        machines = 1 + cluster.wait_until_ready()
        search = Search(game, config, fellows=fellows)
        with progress_bar("searching", enabled=not options.json) as show:
            result = search.run(progress=lambda _search, part: show(part, ""))
    figures: dict[str, object] = {
        "size": size,
        "selection": options.selection,
        "playouts": player.playout,
        "threads": options.threads,
        "seed": options.seed,
        "cluster": options.cluster,
        "searches": machines,
        "tables": fellows.answers,
        "simulations": result.simulations,
        "seconds": result.seconds,
        "simulations_per_second": result.simulations / result.seconds,
        "move": game.format_move(search.state, result.move or 0),
        "value": result.value,
    }
    text = (
        f"{options.selection} on {size}x{size}, {machines} searches that share, "
        f"{amount(options.threads, 'thread')} in each at least\n"
        f"  {result.simulations:,} simulations in {result.seconds:.2f} seconds of the clock\n"
        f"  {figures['simulations_per_second']:,.0f} simulations per second\n"
        f"  {fellows.answers} tables came in; {figures['move']} at {result.value:.3f}\n"
    )
    print_result(options, figures, text, indent=None)
    leave_if_interrupted()


@command(
    "Play a fixed set of games with fixed seeds and print one number. It is the same on every "
    "machine, and changes only when the way of playing does."
)
def bench_signature(options: Namespace) -> None:  # noqa: ARG001
    """Carry out ``montego bench signature``."""
    sys.stdout.write(f"{signature()}\n")


def signature() -> int:
    """Return a number that depends on every score and visit of fixed playouts and searches.

    Of playout policies, of selections with uniform playouts, and of the player without a network,
    whose numbers are the same on every machine.
    """
    checksum = 0
    for text in _fixed_games():
        checksum = zlib.crc32(text.encode(), checksum)
        leave_if_interrupted()
    return checksum


def _fixed_games() -> Iterator[str]:
    """Yield what came out of each part of :func:`signature`."""
    from montego.engine.knowledge.definition import go_game  # These load NumPy.
    from montego.go.kernels.layout import empty_state
    from montego.go.sampling.run import sample_playouts
    from montego.mcts.search import Search

    for policy in SIGNATURE_POLICIES:
        for size in SIGNATURE_SIZES:
            sample = sample_playouts(empty_state(size), policy, count=SIGNATURE_PLAYOUTS, seed=size)
            yield f"{policy} {size} {sample.moves} {sample.frequency.tolist()}"
    for selection in SIGNATURE_SELECTIONS:
        config = Config(
            simulations=SIGNATURE_SIMULATIONS,
            selection=selection,
            exploration=EXPLORATION_WITHOUT_RAVE,
            rave_bias=0.02,
            early_stop=False,
            memory=50.0,
        )
        result = Search(go_game(SIGNATURE_SEARCH_SIZE), config).run()
        yield f"{selection} {_visits(result)}"
    for size in SIGNATURE_SIZES:
        player = Options(simulations=SIGNATURE_SIMULATIONS, memory=50.0, seed=size, network=None)
        result = Search(player.game_definition(size), player.search_config(size)).run()
        yield f"player {size} {_visits(result)}"


def _visits(result: SearchResult) -> list[tuple[int, int]]:
    return sorted((candidate.move, candidate.visits) for candidate in result.candidates)


bench = group(
    __doc__,
    "what to measure",
    "KIND",
    {
        "playouts": ("random games from the empty board", bench_playouts),
        "search": ("a tree search of Go from the empty board", bench_search),
        "signature": ("one number that changes when play does", bench_signature),
    },
)
