"""``montego network``: what a network is, whether it works here, how fast, and in eight bits."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.cli.command import Namespace, argument, command, group
from montego.cli.output import amount, print_result, progress_bar
from montego.network.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.mcts.game import GameDefinition
    from montego.network.network import Network

SIZE = 9
"""Of the board of a game with sizes, where neither the network nor anybody says one."""

POSITIONS = 100
"""That a network is tried on: of games that it plays against itself."""

CALIBRATION = 512
"""Positions by which a network is rounded, of such games; half as many more say what that cost."""

MOST_POSITIONS = 100_000

TOLERANCE = 0.01
"""By which win probabilities may differ between the two ways to run a network."""

FILE = argument("file FILE", "an ONNX file, or `default` for the one that comes with Montego")
GAME = argument("--game NAME", "with `default`: which game's (default go)", default="go")
LINES = argument("--size N", "lines of the board, for a network that knows several", type=int)
JSON = argument("--json", "one JSON object, for programs")


@command(
    "Show what a network is for, how it was made, and how large it is. It is not run.",
    FILE,
    GAME,
    LINES,
    JSON,
)
def info(options: Namespace) -> None:
    """Carry out ``montego network info``."""
    network, _ = _open(options)
    described, model = network.description, network.model
    figures: dict[str, object] = {
        "file": network.name,
        "name": described.name,
        "game": described.game,
        "boards": described.boards,
        "planes": described.planes,
        "version": described.version,
        "komi": described.komi,
        "weights": model.weights,
        "kind": described.weights,
        "bytes": len(network.data),
        "outputs": list(model.outputs),
        "operators": model.operators,
        "training": described.training,
        "licence": described.licence,
    }
    lines = [
        ("game", f"{described.game}, {described.boards}"),
        ("sees", f"{described.planes} planes, version {described.version}"),
        ("says", ", ".join(model.outputs)),
        ("weights", f"{model.weights:,}, {described.weights}, {len(network.data):,} bytes"),
        ("operators", ", ".join(f"{count} {name}" for name, count in model.operators.items())),
    ]
    if described.komi is not None:
        lines.append(("komi", f"{described.komi[0]:g} to {described.komi[1]:g}"))
    lines += [(f"training, {name}", str(value)) for name, value in described.training.items()]
    if described.licence:
        lines.append(("licence", described.licence))
    title = described.name or network.name
    text = "".join(f"  {label:<20} {value}\n" for label, value in lines)
    print_result(options, figures, f"{title}\n{text}")


@command(
    "Let a network judge positions of games that it plays against itself, and see whether it "
    "answers numbers, the same ones whichever way it is run, and nearly the same in every symmetry "
    "of the board. The exit status is 1 if it does not work.",
    FILE,
    GAME,
    LINES,
    argument("--positions N", f"default {POSITIONS}", default=POSITIONS),
    argument("--seed SEED", "of the games (default 0)", default=0),
    JSON,
)
def test(options: Namespace) -> int:
    """Carry out ``montego network test``."""
    network, game = _open(options)
    from montego.network.judge import Judge  # These load NumPy.
    from montego.network.network import Network
    from montego.network.samples import sample_states

    _check_sample(options, 1)
    judge = Judge(network, game, memory=0.0)
    with progress_bar("judging", enabled=not options.json) as show:
        states = sample_states(judge, game, options.positions, options.seed)
        other = Judge(Network(network.data, network.name, way="Python"), game, memory=0.0)
        difference = spread = 0.0
        features = game.features
        assert features is not None  # noqa: S101  # It has a judge.
        symmetries = len(features.symmetries)
        for number, state in enumerate(states):
            values = [judge.judge(state, symmetry).value for symmetry in range(symmetries)]
            spread += (max(values) - min(values)) / len(states)
            difference = max(difference, abs(other.judge(state, 0).value - values[0]))
            show((number + 1) / len(states), "")
    begin = game.initial_state()
    first = judge.judge(begin, 0)
    best = sorted(first.chances.items(), key=lambda item: -item[1])[:3]
    failures = judge.counts().failures + other.counts().failures
    works = failures == 0 and difference <= TOLERANCE
    figures: dict[str, Any] = {
        "file": network.name,
        "way": network.session.way,
        "positions": len(states),
        "failures": failures,
        "difference_between_ways": difference,
        "symmetry_spread": spread,
        "value": first.value,
        "moves": {game.format_move(begin, move): chance for move, chance in best},
        "works": works,
    }
    moves = ", ".join(f"{move} {chance:.0%}" for move, chance in figures["moves"].items())
    text = (
        f"{network.description.name or network.name} on {game.name}, by onnxruntime in "
        f"{network.session.way}\n"
        f"  {amount(len(states), 'position')}, {amount(failures, 'failure')}\n"
        f"  win probability at the beginning {first.value:.3f}; {moves}\n"
        f"  largest difference between C and Python {difference:.6f}\n"
        f"  mean spread over {amount(symmetries, 'view')} of the board {spread:.3f}\n"
        f"{'it works' if works else 'it does NOT work'}\n"
    )
    print_result(options, figures, text)
    return 0 if works else 1


@command(
    "Let a network judge positions, one at a time, and report how many it does in a second and in "
    "a second of processor time.",
    FILE,
    GAME,
    LINES,
    argument("--seconds SECONDS", "how long (default 5)", default=5.0),
    argument("--threads THREADS", "default 1", default=1),
    argument("--by WAY", "how to call onnxruntime; default the faster", choices=("C", "Python")),
    JSON,
)
def bench(options: Namespace) -> None:
    """Carry out ``montego network bench``."""
    network, game = _open(options, way=options.by)
    from montego.network.judge import Judge  # These load NumPy.
    from montego.network.samples import sample_states
    from montego.network.speed import measure

    if not 0 < options.seconds < 1e6 or not 1 <= options.threads <= 1024:
        raise NetworkError("invalid --seconds or --threads: say numbers above 0")
    states = sample_states(Judge(network, game), game, POSITIONS)
    speed = measure(network, game, states, options.seconds, options.threads)
    figures: dict[str, Any] = {
        "file": network.name,
        "game": game.name,
        "way": network.session.way,
        "kind": network.description.weights,
        "threads": options.threads,
        "evaluations": speed.evaluations,
        "seconds": speed.seconds,
        "cpu_seconds": speed.cpu_seconds,
        "evaluations_per_second": speed.evaluations / speed.seconds,
        "evaluations_per_cpu_second": speed.evaluations / max(speed.cpu_seconds, 1e-9),
    }
    text = (
        f"{network.description.name or network.name} on {game.name}, "
        f"{network.description.weights}, by onnxruntime in {network.session.way}, "
        f"{amount(options.threads, 'thread')}\n"
        f"  {speed.evaluations:,} evaluations in {speed.seconds:.2f} seconds\n"
        f"  {figures['evaluations_per_second']:,.0f} a second\n"
        f"  {figures['evaluations_per_cpu_second']:,.0f} a second of processor time\n"
    )
    print_result(options, figures, text, indent=None)


@command(
    "Write a network again with weights and activations of eight bits, as the ones that come along "
    "have them: twice as fast or more, a third of the size, and a little less exact. Positions of "
    "games that it plays against itself calibrate it, and others tell how far the two agree.",
    FILE,
    argument("output OUTPUT", "where to write it; must not be FILE"),
    GAME,
    LINES,
    argument("--positions N", f"to calibrate by (default {CALIBRATION})", default=CALIBRATION),
    argument("--seed SEED", "of the games (default 0)", default=0),
    JSON,
)
def round_(options: Namespace) -> None:
    """Carry out ``montego network round``."""
    network, game = _open(options)
    from montego.network.judge import Judge  # These load NumPy.
    from montego.network.network import Network
    from montego.network.quantization import agreement, quantized
    from montego.network.samples import planes_of, sample_states

    output = Path(options.output)
    if network.description.weights != "float32":
        raise NetworkError(f"{network.name} has weights of {network.description.weights} already")
    if output.exists() and options.file != "default" and output.samefile(options.file):
        raise NetworkError("the rounded network cannot take the place of the one it is made from")
    _check_sample(options, 10)
    judge = Judge(network, game)
    with (
        _unfinished(output) as unfinished,
        progress_bar("rounding", enabled=not options.json) as show,
    ):
        states = sample_states(judge, game, options.positions, options.seed)
        show(0.4, "")
        data = quantized(network, planes_of(game, states))
        show(0.8, "")
        others = sample_states(judge, game, options.positions // 2, options.seed + 1)
        found = agreement(network, Network(data, output.name), planes_of(game, others))
        unfinished.write_bytes(data)
    figures: dict[str, object] = {
        "file": str(output),
        "bytes": len(data),
        "positions": len(states),
        "compared": len(others),
        "best_move": found.best_move,
        "divergence": found.divergence,
        "value_error": found.value_error,
    }
    text = (
        f"{output}: {len(data):,} bytes, of {len(network.data):,}\n"
        f"  the same best move in {found.best_move:.1%} of {amount(len(others), 'position')}\n"
        f"  win probabilities differ by {found.value_error:.3f} (root of the mean square)\n"
    )
    print_result(options, figures, text)


def _check_sample(options: Namespace, least: int) -> None:
    """Refuse a number of positions, or a seed, of which there is nothing to be had."""
    if not least <= options.positions <= MOST_POSITIONS:
        raise NetworkError(f"invalid --positions: say a number from {least} to {MOST_POSITIONS}")
    if options.seed < 0:
        raise NetworkError("invalid --seed: say a number from 0 on")


@contextmanager
def _unfinished(output: Path) -> Iterator[Path]:
    """Give a file that takes the place of *output* at the end, unless something goes wrong.

    Raises:
        NetworkError: If it cannot be written, before any work is done if that is known.
    """
    if output.is_dir():
        raise NetworkError(f"cannot write {output}: it is a folder")
    unfinished = output.parent / f".{output.name}.part"
    try:
        unfinished.touch()
        try:
            yield unfinished
            unfinished.replace(output)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise NetworkError(f"cannot write {output}: {error.strerror}") from None


def _open(options: Namespace, way: str | None = None) -> tuple[Network, GameDefinition]:
    """Return the network that the command line asks for, and the game to try it on.

    Raises:
        NetworkError: If there is none, or it is for no game that we know of that size.
    """
    from montego.network.network import Network, find_network

    if options.file != "default":
        network = Network.open(options.file, way=way)
        most = network.description.most[0]
        game = _game(network.description.game, options.size or most)
        if game.features is not None:
            network.check(game.features)
        return network, game
    game = _game(options.game, options.size or SIZE)
    shown = game.features
    path = None if shown is None else find_network(shown.game, (shown.height, shown.width))
    if path is None:
        raise NetworkError(f"no network for {game.name} comes with Montego")
    return Network.open(path, way=way), game


def _game(name: str, size: int) -> GameDefinition:
    """Return the game of that name, on a board of that size where it has sizes."""
    from montego.engine.knowledge.definition import go_game
    from montego.games import GAMES, make_game

    if name == "go":
        return go_game(size)
    try:
        return make_game(name, size=size if name in GAMES and GAMES[name].has_sizes else None)
    except ValueError as error:
        raise NetworkError(str(error)) from None


network = group(
    __doc__,
    "what to do",
    "VERB",
    {
        "info": ("what a network is", info),
        "test": ("whether it works", test),
        "bench": ("how fast it judges", bench),
        "round": ("write it again with eight bits", round_),
    },
)
