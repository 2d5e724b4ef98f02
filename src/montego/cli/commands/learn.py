"""``montego learn``: the documents' own ways of learning."""

from __future__ import annotations

import math
import sys
import time
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from montego.cli.command import Namespace, argument, command, group
from montego.cli.output import amount, print_result, progress_bar, tell
from montego.cli.termination import asked_to_end

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence

    from montego.learn.balance.learner import BalanceLearner, BalanceTally
    from montego.learn.balance.positions import JudgedPositions
    from montego.learn.moves.learner import MoveLearner, MoveTally
    from montego.learn.settings import BalanceSettings
    from montego.learn.shapes.learner import ShapeLearner, ShapeTally

T = TypeVar("T")
Tally = TypeVar("Tally", "ShapeTally", "BalanceTally")

KEEP_EVERY = 20.0
"""Seconds between two times that what was learned is written down."""
TELL_EVERY = 30.0
"""Seconds between two lines about how it goes, where nothing else shows it."""


def _add_flags(parser: argparse.ArgumentParser, settings: type[Any]) -> None:
    """Add a flag for each setting."""
    for field in fields(settings):
        default = field.default
        told = f"{default:g}" if isinstance(default, float) else str(default)
        parser.add_argument(
            f"--{field.name}",
            type=type(default),
            default=default,
            metavar=field.metadata["flag"],
            help=f"{field.metadata['meaning']} (default {told})",
        )


def _settings_of(options: Namespace, settings: type[T]) -> T:
    """Return the settings that flags were given for."""
    return settings(**{field.name: getattr(options, field.name) for field in fields(settings)})  # type: ignore[arg-type]


def _shape_flags(parser: argparse.ArgumentParser) -> None:
    from montego.learn.settings import ShapeSettings

    _add_flags(parser, ShapeSettings)


def _balance_flags(parser: argparse.ArgumentParser) -> None:
    from montego.learn.settings import BalanceSettings

    _add_flags(parser, BalanceSettings)


def _move_flags(parser: argparse.ArgumentParser) -> None:
    from montego.learn.settings import MoveSettings

    _add_flags(parser, MoveSettings)


@command(
    "Learn which moves players choose from their games: the strengths of shapes and traits, by the "
    "model of Bradley and Terry (documents 000 and 001, after Coulom). Every tenth game of each "
    "file, up to 150, is held back and says how often the favorite was played. The same command "
    "goes on after an interruption, or with more passes.",
    argument("games GAMES", "SGF files, folders of them, or JSON lines, also gzipped", nargs="+"),
    argument("--output FILE", "where strengths are kept, for --set prediction=FILE", required=True),
    argument("--most N", "at most so many games of each file or folder", type=int),
    _move_flags,
    argument("--json", "the result as JSON"),
    epilog="'montego gtp --network none --set prediction=FILE' plays with it; in 'montego play' "
    "with the same flags, the prior is one of the heat maps.",
)
def _moves(options: Namespace) -> None:
    """Learn, and tell what was learned."""
    from montego.learn.moves.learner import MoveLearner
    from montego.learn.moves.lessons import read_lessons
    from montego.learn.moves.meaning import in_words, strongest_traits
    from montego.learn.settings import MoveSettings

    settings = _settings_of(options, MoveSettings)
    check_writable(options.output)
    if options.most is not None:
        check_count("most", options.most)
    with progress_bar("reading games", enabled=_is_shown(options)) as show:
        lessons = read_lessons(
            options.games,
            settings.size,
            most=options.most,
            note=lambda games: show(0.0, amount(games, "game")),
        )
        show(0.0, "looking for shapes")
        learner = MoveLearner(settings, lessons)
    learner.go_on(options.output)
    finished = _learn_moves(learner, options)
    held = learner.judge(lessons.held_back)
    document = {
        "games": len(lessons.learned),
        "shapes": len(learner.shapes),
        "done": learner.done,
        "held_back": {"games": len(lessons.held_back), **held._asdict()},
        "traits": dict(strongest_traits(learner, 10)),
    }
    lines = [
        in_words(learner),
        f"learned from {amount(len(lessons.learned), 'game')}, {len(learner.shapes):,} shapes",
        f"held back: {amount(len(lessons.held_back), 'game')}, {_foretold(held)}",
    ]
    _print_learned(options, document, lines, finished=finished)


def _print_learned(
    options: Namespace, document: dict[str, Any], lines: Sequence[str], *, finished: bool
) -> None:
    """Print what was learned, whether that is all, and where it is written."""
    stopped = [] if finished else ["stopped; the same command goes on"]
    text = "\n".join([*lines, *stopped, f"written: {options.output}\n"])
    print_result(options, document | {"files": [options.output]}, text)


@contextmanager
def _watched(
    options: Namespace, title: str, save: Callable[[str], None]
) -> Iterator[tuple[Callable[[float, str], None], Callable[[], bool]]]:
    """Show how learning goes, and write down what was learned, now and then and at the end.

    Yields what is to be told the part done and a line about it, and what says whether to stop.
    """
    from montego.jit.interrupt import stopped_by_ctrl_c  # Loads Numba.

    kept = told = time.monotonic()
    shown = _is_shown(options)

    def note(part: float, line: str) -> None:
        nonlocal kept, told
        show(part, line)
        now = time.monotonic()
        if now - kept >= KEEP_EVERY:
            save(options.output)
            kept = now
        if now - told >= TELL_EVERY and not shown:
            tell(line)
            told = now

    with (
        stopped_by_ctrl_c(lambda: None) as interrupted,
        progress_bar(title, enabled=shown) as show,
    ):
        yield note, lambda: interrupted.is_set() or asked_to_end()
    save(options.output)


def _learn_moves(learner: MoveLearner, options: Namespace) -> bool:
    """Learn until all is gone through, or somebody says stop; say whether it is."""

    def told(tally: MoveTally) -> None:
        line = f"{learner.done:,} of {amount(learner.total, 'game')}, {_foretold(tally)}"
        note(learner.done / learner.total, line)

    with _watched(options, "learning moves", learner.save) as (note, is_over):
        return learner.learn(is_over=is_over, note=told)


def _foretold(tally: MoveTally) -> str:
    return (
        f"{amount(tally.moves, 'move')}, {100 * tally.first:.1f} % foretold, "
        f"{100 * tally.among_five:.1f} % among the first five, loss {tally.loss:.3f}"
    )


def _is_shown(options: Namespace) -> bool:
    """Say whether a bar can be seen."""
    return sys.stderr.isatty() and not options.json


@command(
    "Learn what local shapes are worth, every square of up to 3x3 points at every place, by "
    "temporal differences from games of a player against itself: document 001's RLGO. The same "
    "command goes on after an interruption, or with more games.",
    argument("--games N", "games in all, those of earlier runs included", default=100_000),
    argument("--output FILE", "where the weights are kept, for --set shapes=FILE", required=True),
    argument("--picture FILE", "draw what the weights mean, as SVG"),
    _shape_flags,
    argument("--json", "the result as JSON"),
    epilog="'montego gtp --preset rlgo --set shapes=FILE' plays by nothing else.",
)
def _shapes(options: Namespace) -> None:
    """Learn, and show what was learned."""
    from montego.arena.store import write_whole
    from montego.learn.settings import ShapeSettings
    from montego.learn.shapes.learner import ShapeLearner
    from montego.learn.shapes.meaning import in_words, picture

    settings = _settings_of(options, ShapeSettings)
    check_writable(options.output)
    if options.picture is not None:
        check_writable(options.picture)
    check_count("games", options.games)
    learner = ShapeLearner.begin_or_go_on(options.output, settings)
    before = learner.games
    latest = _learn_shapes(learner, options)
    written = [options.output]
    if options.picture is not None:
        write_whole(Path(options.picture), picture(settings.size, learner.values))
        written.append(options.picture)
    found = {} if latest is None else latest._asdict() | {"games": learner.games - before}
    lines = [in_words(settings.size, learner.values)]
    if latest is not None:
        lines.append(_in_a_line(learner, latest))
    if learner.games < options.games:
        lines.append(f"stopped after {amount(learner.games, 'game')}; the same command goes on")
    lines.append(f"written: {', '.join(written)}\n")
    print_result(
        options, {"games": learner.games, "latest": found, "files": written}, "\n".join(lines)
    )


def _learn_shapes(learner: ShapeLearner, options: Namespace) -> ShapeTally | None:
    """Learn until there are so many games, or somebody says stop; return what came of the last."""
    latest: ShapeTally | None = None

    def told(tally: ShapeTally) -> None:
        nonlocal latest
        latest = tally if latest is None else _averaged(latest, tally)
        note(learner.games / options.games, _in_a_line(learner, latest))

    with _watched(options, "learning local shape", learner.save) as (note, is_over):
        learner.learn(options.games - learner.games, is_over=is_over, note=told)
    return latest


def _averaged(past: Tally, new: Tally, share: float = 0.02) -> Tally:
    """Return a running average of the figures; the first is how many they are of."""
    figures = (old + share * (now - old) for old, now in zip(past[1:], new[1:], strict=True))
    return type(past)(new[0], *figures)


def _in_a_line(learner: ShapeLearner, tally: ShapeTally) -> str:
    return (
        f"{amount(learner.games, 'game')}, {tally.moves:.0f} moves each, Black wins "
        f"{100 * tally.black_wins:.0f} %, values off by {tally.error:.3f}"
    )


@command(
    "Balance playouts: learn weights of shapes and traits by which the mean result of playouts is "
    "what a network or a search says of the position, by the gradient of the squared error "
    "(document 001 section 6, after Silver and Tesauro). Positions are of games that the network "
    "plays by its policy, or at random, or of records. The same command goes on after an "
    "interruption, or with more passes; positions are judged once and kept in the file.",
    argument("games GAMES", "SGF files, folders of them, or JSON lines, also gzipped", nargs="*"),
    argument("--output FILE", "where weights are kept, for --set balance=FILE", required=True),
    argument(
        "--passes N",
        "times in all that positions are gone through; 0: imitate moves only",
        default=2,
    ),
    argument("--positions N", "positions to judge", default=8000),
    argument("--random", "positions of random games, not of the network's"),
    argument("--temperature X", "of the network's choice of moves", type=float, default=1.0),
    argument("--simulations N", "judge by a search; 0: by the network alone", default=0),
    _balance_flags,
    argument("--json", "the result as JSON"),
    epilog="'montego gtp --network none --playout balanced --set balance=FILE' plays with it.",
)
def _balance(options: Namespace) -> None:
    """Learn, and tell what was learned."""
    from montego.learn.balance.learner import BalanceLearner
    from montego.learn.balance.meaning import in_words, strongest_traits
    from montego.learn.errors import LearnError
    from montego.learn.settings import BalanceSettings

    settings = _settings_of(options, BalanceSettings)
    check_writable(options.output)
    if options.passes < 0:
        raise LearnError(f"invalid passes {options.passes}: say a number from 0")
    check_count("positions", options.positions)
    if options.simulations < 0:
        raise LearnError(f"invalid simulations {options.simulations}: say a number from 0")
    if not 0.01 <= options.temperature <= 100.0:
        raise LearnError(
            f"invalid temperature {options.temperature}: say a number from 0.01 to 100"
        )
    learner = BalanceLearner.begin_or_go_on(
        options.output, settings, lambda: _judged_positions(options, settings)
    )
    finished = _learn_balance(learner, options)
    with progress_bar("playing out what was held back", enabled=_is_shown(options)):
        held = learner.judge(is_over=asked_to_end)
    positions = learner.positions
    document = {
        "positions": len(positions),
        "done": learner.done,
        "held_back": held._asdict(),
        "traits": dict(strongest_traits(learner.values)),
    }
    lines = [
        in_words(learner.values),
        f"learned from {amount(len(positions.learned), 'position')}",
        f"held back: {amount(held.positions, 'position')}, {_in_the_mean(held)}",
    ]
    _print_learned(options, document, lines, finished=finished)


def _judged_positions(options: Namespace, settings: BalanceSettings) -> JudgedPositions:
    """Return positions and what they are worth, as the flags say."""
    from montego.engine.teacher import Teacher, collect
    from montego.jit.interrupt import stopped_by_ctrl_c  # Loads Numba.
    from montego.learn.balance.positions import JudgedPositions
    from montego.learn.moves.lessons import read_lessons

    size = settings.size
    teacher = Teacher(size, settings.komi, simulations=options.simulations, seed=settings.seed)
    if options.games:
        found = read_lessons(options.games, size)
        source = teacher.from_games([*found.learned, *found.held_back])
    elif options.random:
        source = teacher.from_random_games()
    else:
        source = teacher.from_self_play(options.temperature)
    with (
        stopped_by_ctrl_c(lambda: None) as interrupted,
        progress_bar("judging positions", enabled=_is_shown(options)) as show,
    ):
        judged = collect(
            source,
            options.positions,
            is_over=lambda: interrupted.is_set() or asked_to_end(),
            note=lambda count: show(count / options.positions, amount(count, "position")),
        )
        if len(judged) < options.positions and (interrupted.is_set() or asked_to_end()):
            raise KeyboardInterrupt  # With fewer positions the same command would learn otherwise.
    return JudgedPositions(size, judged)


def _learn_balance(learner: BalanceLearner, options: Namespace) -> bool:
    """Learn until all passes are done, or somebody says stop; say whether they are."""
    latest: BalanceTally | None = None
    total = options.passes * learner.each

    def told(tally: BalanceTally) -> None:
        nonlocal latest
        if tally.positions == 0:
            share = math.exp(learner.likelihood)
            times = amount(learner.imitated, "time")
            note(0.0, f"{times} over the moves that were made, chance {share:.3f}")
            return
        latest = tally if latest is None else _averaged(latest, tally)
        line = f"{learner.done:,} of {amount(total, 'position')}, {_in_the_mean(latest)}"
        note(learner.done / max(total, 1), line)

    learner.save(options.output)  # Judging took long.
    with _watched(options, "balancing playouts", learner.save) as (note, is_over):
        return learner.learn(options.passes, is_over=is_over, note=told)


def _in_the_mean(tally: BalanceTally) -> str:
    return f"playouts off by {max(tally.error, 0.0) ** 0.5:.3f}, on average by {tally.bias:+.3f}"


def check_count(name: str, count: int) -> None:
    """Refuse less than one of something.

    Raises:
        LearnError: If there would be none.
    """
    from montego.learn.errors import LearnError

    if count < 1:
        raise LearnError(f"invalid {name} {count}: say a number from 1")


def check_writable(name: str) -> None:
    """Refuse a file that cannot be written before anything is learned.

    Raises:
        LearnError: If its folder is not there, or it is a folder itself.
    """
    from montego.learn.errors import LearnError

    path = Path(name)
    if path.is_dir() or not path.parent.is_dir():
        raise LearnError(f"cannot write {name!r}: there is no such folder, or it is one itself")


learn = group(
    "Learn as the documents do, on a CPU and in minutes.",
    "what to learn",
    "WHAT",
    {
        "moves": ("which moves players choose, from their games", _moves),
        "shapes": ("what local shapes are worth, from self-play", _shapes),
        "balance": ("playouts that are right in the mean", _balance),
    },
    epilog="'montego learn WHAT --help' says more. 'montego train' is for networks.",
)
