"""``montego match``: two GTP engines against one another."""

from __future__ import annotations

import json
import shlex
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.go.handicap import HANDICAP_KOMI
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse

    from montego.arena.clock import TimeControl
    from montego.arena.contest import Conditions
    from montego.arena.match import Match

GAMES = 100


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``match`` to the command line."""
    parser = commands.add_parser(
        "match",
        help="two GTP engines against one another",
        description="Play a match between two GTP engines, colors in turn, and rate them.",
        epilog="With --output, run the same command again to go on after an interruption. "
        "{seed} in a command is replaced by the game's own seed.",
    )
    parser.add_argument("commands", nargs=2, metavar="CMD", help="how to start the engine")
    parser.add_argument("--names", nargs=2, metavar=("A", "B"), help="default: their own")
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help=f"default {GAMES}, or each opening once with each color",
    )
    add_conditions(parser)
    parser.add_argument("--openings", metavar="FOLDER", help="SGF files to begin with")
    parser.add_argument(
        "--handicap",
        type=int,
        default=0,
        metavar="N",
        help="the second engine is Black in every game and takes N stones; komi is 0.5 then "
        "unless --komi says otherwise",
    )
    parser.add_argument(
        "--sprt", metavar="TEST", help="stop when decided, for example elo0=0,elo1=20"
    )
    parser.add_argument(
        "--book",
        metavar="FILE|off",
        help="the book of engines that are 'montego gtp' and name none of their own",
    )
    add_running(parser)
    parser.set_defaults(run=run)


def add_conditions(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a game is played."""
    parser.add_argument("--size", type=int, default=19, metavar="S", help="default 19")
    parser.add_argument("--komi", metavar="K", help="default: the rules' own")
    parser.add_argument("--rules", default="chinese", metavar="R", help="default chinese")
    parser.add_argument("--seconds", type=float, metavar="T", help="the most for each move")
    parser.add_argument(
        "--clock",
        metavar="CLOCK",
        help="absolute:600, canadian:600+300/25, byoyomi:600+5x30 or fischer:600+5, in seconds",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=600.0,
        metavar="T",
        help="an engine without a clock that takes longer for a move hangs; default 600 seconds",
    )


def add_running(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how games are run and kept."""
    parser.add_argument("--referee", metavar="CMD", help="an engine that knows dead stones")
    parser.add_argument("--seed", type=int, metavar="N", help="for openings and engines")
    parser.add_argument("--concurrency", type=int, default=1, metavar="N", help="games at a time")
    parser.add_argument("--output", metavar="FOLDER", help="keep games here, and go on with them")
    parser.add_argument("--json", action="store_true", help="the summary as JSON")


def run(options: argparse.Namespace) -> int:
    """Play the match and print its summary."""
    from montego.arena.match import run_match  # noqa: PLC0415  # --help needs none of it.
    from montego.cli.match_table import LiveTable, summary_text  # noqa: PLC0415

    match = _match(options)
    started = time.monotonic()
    table = LiveTable()
    try:
        with table:
            summary = run_match(match, options.output, report=table.update)
    except KeyboardInterrupt:
        if table.latest is not None and not options.json:
            sys.stdout.write(summary_text(table.latest))
        raise
    if options.json:
        figures = summary.to_dict() | {"wall_seconds": round(time.monotonic() - started, 3)}
        sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(summary_text(summary))
    return 0


def conditions_of(options: argparse.Namespace) -> Conditions:
    """Return what the options of :func:`add_conditions` say.

    Raises:
        GoError: If one makes no sense.
    """
    from montego.arena.clock import check_seconds  # noqa: PLC0415
    from montego.arena.contest import Conditions  # noqa: PLC0415
    from montego.go.vocabulary.rules import parse_komi, parse_rules  # noqa: PLC0415

    rules = parse_rules(options.rules)
    check_seconds("--timeout", options.timeout)
    return Conditions(
        size=options.size,
        komi=rules.komi if options.komi is None else parse_komi(options.komi),
        rules=str(rules),
        control=_control(options),
        hang_seconds=options.timeout,
    )


def _control(options: argparse.Namespace) -> TimeControl | None:
    from montego.arena.clock import (  # noqa: PLC0415
        check_seconds,
        parse_time_control,
        seconds_per_move,
    )

    if options.clock is not None and options.seconds is not None:
        raise GoError("say --seconds or --clock, not both")
    if options.seconds is not None:
        check_seconds("--seconds", options.seconds)
        return seconds_per_move(options.seconds)
    return None if options.clock is None else parse_time_control(options.clock)


def _match(options: argparse.Namespace) -> Match:
    from montego.arena.match import Match  # noqa: PLC0415
    from montego.arena.opening import Opening, read_openings  # noqa: PLC0415
    from montego.arena.sprt import parse_sprt  # noqa: PLC0415
    from montego.arena.workers import EngineSpec  # noqa: PLC0415

    conditions = conditions_of(options)
    if options.handicap and options.komi is None:
        conditions = replace(conditions, komi=HANDICAP_KOMI)
    openings: tuple[Opening, ...] = ()
    if options.openings is not None:
        openings = read_openings(
            options.openings, conditions.size, rules=conditions.rules, seed=options.seed
        )
    games = options.games if options.games is not None else 2 * len(openings) or GAMES
    sprt = None if options.sprt is None else parse_sprt(options.sprt)
    commands = [with_book(command, options.book) for command in options.commands]
    if options.book not in (None, "off") and commands == options.commands:
        raise GoError("--book is for engines that are 'montego gtp' and name none of their own")
    names = options.names or _own_names(commands)
    return Match(
        first=EngineSpec(names[0], commands[0]),
        second=EngineSpec(names[1], commands[1]),
        games=games,
        conditions=conditions,
        openings=openings,
        handicap=options.handicap,
        seed=options.seed,
        referee=EngineSpec("referee", options.referee) if options.referee else None,
        concurrency=options.concurrency,
        sprt=sprt,
    )


def with_book(command: str, book: str | None) -> str:
    """Return the command with ``--book``, if it is Montego's and says nothing of one."""
    words = command.split()
    if book is None or words[:2] != ["montego", "gtp"]:
        return command
    if any(word.partition("=")[0] == "--book" for word in words):
        return command
    return f"{command} --book {shlex.quote(book)}"


def _own_names(commands: list[str]) -> list[str]:
    """Return what the engines call themselves, with a number where both say the same."""
    from montego.arena.workers import EngineSpec  # noqa: PLC0415
    from montego.gtp.client.client import split_command  # noqa: PLC0415

    names = []
    for command in commands:
        engine = EngineSpec(split_command(command)[0], command).start()
        names.append(engine.title)
        engine.close()
    return [f"{names[0]} (1)", f"{names[1]} (2)"] if names[0] == names[1] else names
