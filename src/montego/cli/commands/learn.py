"""``montego learn``: the documents' own ways of learning."""

from __future__ import annotations

import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from montego.cli.command import Namespace, argument, command, group
from montego.cli.output import amount, print_result, progress_bar, tell
from montego.cli.termination import asked_to_end

if TYPE_CHECKING:
    import argparse

    from montego.learn.moves.learner import MoveLearner, MoveTally
    from montego.learn.shapes.learner import ShapeLearner, ShapeTally

T = TypeVar("T")

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
        "files": [options.output],
    }
    lines = [
        in_words(learner),
        f"learned from {amount(len(lessons.learned), 'game')}, {len(learner.shapes):,} shapes",
        f"held back: {amount(len(lessons.held_back), 'game')}, {_foretold(held)}",
    ]
    if not finished:
        lines.append("stopped; the same command goes on")
    lines.append(f"written: {options.output}\n")
    print_result(options, document, "\n".join(lines))


def _learn_moves(learner: MoveLearner, options: Namespace) -> bool:
    """Learn until all is gone through, or somebody says stop; say whether it is."""
    from montego.jit.interrupt import stopped_by_ctrl_c  # Loads Numba.

    kept = told = time.monotonic()
    shown = _is_shown(options)

    def note(tally: MoveTally) -> None:
        nonlocal kept, told
        show(learner.done / learner.total, _foretold(tally))
        now = time.monotonic()
        if now - kept >= KEEP_EVERY:
            learner.save(options.output)
            kept = now
        if now - told >= TELL_EVERY and not shown:
            tell(f"{learner.done:,} of {amount(learner.total, 'game')}, {_foretold(tally)}")
            told = now

    with (
        stopped_by_ctrl_c(lambda: None) as interrupted,
        progress_bar("learning moves", enabled=shown) as show,
    ):
        finished = learner.learn(is_over=lambda: interrupted.is_set() or asked_to_end(), note=note)
    learner.save(options.output)
    return finished


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
    from montego.jit.interrupt import stopped_by_ctrl_c  # Loads Numba.

    latest: ShapeTally | None = None
    kept = told = time.monotonic()

    def note(tally: ShapeTally) -> None:
        nonlocal latest, kept, told
        latest = tally if latest is None else _averaged(latest, tally)
        line = _in_a_line(learner, latest)
        show(learner.games / options.games, line)
        now = time.monotonic()
        if now - kept >= KEEP_EVERY:
            learner.save(options.output)
            kept = now
        if now - told >= TELL_EVERY and not shown:
            tell(line)
            told = now

    shown = _is_shown(options)
    with (
        stopped_by_ctrl_c(lambda: None) as interrupted,
        progress_bar("learning local shape", enabled=shown) as show,
    ):
        learner.learn(
            options.games - learner.games,
            is_over=lambda: interrupted.is_set() or asked_to_end(),
            note=note,
        )
    learner.save(options.output)
    return latest


def _averaged(past: ShapeTally, new: ShapeTally, share: float = 0.02) -> ShapeTally:
    """Return a running average of the figures."""
    return type(past)(
        new.games, *(old + share * (now - old) for old, now in zip(past[1:], new[1:], strict=True))
    )


def _in_a_line(learner: ShapeLearner, tally: ShapeTally) -> str:
    return (
        f"{amount(learner.games, 'game')}, {tally.moves:.0f} moves each, Black wins "
        f"{100 * tally.black_wins:.0f} %, values off by {tally.error:.3f}"
    )


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
    },
    epilog="'montego learn WHAT --help' says more. 'montego train' is for networks.",
)
