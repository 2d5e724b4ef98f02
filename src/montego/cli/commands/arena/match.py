"""``montego match``: two GTP engines against one another."""

from __future__ import annotations

import math
import shlex
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.arena.contest import Conditions
from montego.arena.match import Match, run_match
from montego.arena.opening import Opening, read_openings
from montego.arena.record import FORFEITS
from montego.arena.statistics import (
    elo_interval,
    likelihood_of_superiority,
    parse_sprt,
    wilson_interval,
)
from montego.arena.store import GAMES as GAME_LINES
from montego.arena.store import set_aside
from montego.arena.workers import EngineSpec
from montego.cli.cluster_option import SPREAD, venue_of
from montego.cli.command import Namespace, argument, command
from montego.cli.output import live_display, plain_text, print_result, tell
from montego.go.handicap import HANDICAP_KOMI
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.timing import check_seconds, parse_time_control, seconds_per_move
from montego.gtp.client import split_command

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from montego.arena.match import MatchSummary, Side
    from montego.arena.record import GameRecord
    from montego.arena.statistics import Tally, TestState

GAMES = 100


@command(
    "Play a match between two GTP engines, colors in turn, and rate them.",
    argument("commands CMD", "how to start the engine", nargs=2),
    argument("--names A B", "default: their own"),
    argument("--games N", f"default {GAMES}, or each opening once with each color", type=int),
    argument("--size S", "default 19", default=19),
    argument("--komi K", "default: the rules' own"),
    argument("--rules R", "default chinese", default="chinese"),
    argument("--seconds T", "the most for each move", type=float),
    argument(
        "--clock CLOCK",
        "absolute:600, canadian:600+300/25, byoyomi:600+5x30 or fischer:600+5, in seconds",
    ),
    argument(
        "--timeout T",
        "an engine without a clock that takes longer for a move hangs; default 600 seconds",
        default=600.0,
    ),
    argument(
        "--move-limit N",
        "moves after which a game is a draw; default four times the points of the board, at least "
        "100",
        type=int,
    ),
    argument(
        "--openings FOLDER",
        "SGF files to begin with, or 'balanced' for those that come along for 9x9, 13x13 and 19x19",
    ),
    argument(
        "--handicap N",
        "the second engine is Black in every game and takes N stones; komi is 0.5 then unless "
        "--komi says otherwise",
        default=0,
    ),
    argument("--sprt TEST", "stop when decided, for example elo0=0,elo1=20"),
    argument(
        "--book FILE|off", "the book of engines that are 'montego gtp' and name none of their own"
    ),
    argument("--referee CMD", "an engine that knows dead stones"),
    argument("--seed N", "for openings and engines", type=int),
    argument("--concurrency N", "games at a time, on each machine", default=1),
    SPREAD,
    argument("--output FOLDER", "keep games here, and go on with them"),
    argument(
        "--anew", "begin anew: a folder that is there already is renamed to FOLDER.old-1 and so on"
    ),
    argument("--json", "the summary as JSON"),
    epilog="With --output, run the same command again to go on after an interruption. "
    "{seed} in a command is replaced by the game's own seed.",
)
def match(options: Namespace) -> int:
    """Play the match and print its summary."""
    wanted = _match(options)
    if options.anew:
        if options.output is None:
            raise GoError("--anew is for a folder of --output")
        begin_anew(options.output)
    started = time.monotonic()
    latest: list[MatchSummary] = []  # The match as it was shown last.
    try:
        with venue_of(options, wanted.concurrency) as venue, live_display(per_second=4) as show:
            wanted = replace(wanted, venue=venue)
            before, begun = 0, started

            def report(summary: MatchSummary, record: GameRecord | None) -> bool:
                nonlocal before, begun
                latest[:] = [summary]
                games = summary.tally.games
                if record is None:
                    before, begun = games, time.monotonic()
                pace = _pace(games - before, summary.wanted - games, time.monotonic() - begun)
                if show is not None:
                    show(_table(summary, pace))
                elif record is not None:
                    tally, name = summary.tally, summary.first.name
                    score = f"{name} {_counts(tally)}, {_share(tally)}, {_elo(tally)}"
                    test = "" if summary.test is None else f"; {_test_line(summary.test)}"
                    tell(f"{game_line(record)}; {score}{test}; {pace}")
                return True

            summary = run_match(wanted, options.output, report=report)
    except KeyboardInterrupt:
        if latest and not options.json:
            sys.stdout.write(plain_text(_table(latest[0])))
        raise
    figures = summary.to_dict() | {"wall_seconds": round(time.monotonic() - started, 3)}
    print_result(options, figures, plain_text(_table(summary)))
    return 0


def _match(options: Namespace) -> Match:
    """Return the match that is asked for; engines without a name are asked for theirs.

    Raises:
        GoError: If it makes no sense, or an engine does not answer.
    """
    rules = parse_rules(options.rules)
    check_seconds("--timeout", options.timeout)
    conditions = Conditions(
        size=options.size,
        komi=rules.komi if options.komi is None else parse_komi(options.komi),
        rules=str(rules),
        hang_seconds=options.timeout,
        move_limit=options.move_limit,
    )
    if options.clock is not None and options.seconds is not None:
        raise GoError("say --seconds or --clock, not both")
    if options.seconds is not None:
        check_seconds("--seconds", options.seconds)
        conditions = replace(conditions, control=seconds_per_move(options.seconds))
    elif options.clock is not None:
        conditions = replace(conditions, control=parse_time_control(options.clock))
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


def begin_anew(folder: str | Path, lines: str = GAME_LINES) -> None:
    """Rename a folder with games, and say so."""
    aside = set_aside(folder, lines)
    if aside is not None:
        tell(f"montego: what was in {folder} is in {aside} now")


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
    names = []
    for start in commands:
        engine = EngineSpec(split_command(start)[0], start).start()
        names.append(engine.title)
        engine.close()
    return [f"{names[0]} (1)", f"{names[1]} (2)"] if names[0] == names[1] else names


def game_line(record: GameRecord) -> str:
    """Return one game as a line."""
    event = f" [{record.event.kind}: {record.event.text}]" if record.event else ""
    return (
        f"game {record.game}: {record.black.name} (B), {record.white.name} (W): {record.result}, "
        f"{len(record.moves)} moves, {record.seconds:.1f} s{event}"
    )


def _pace(played: int, left: int, seconds: float) -> str:
    """Return games per hour and the time left, as far as they are known."""
    if played < 1 or seconds <= 0:
        return f"{left} games left"
    hours, rest = divmod(round(left * seconds / played), 3600)
    return (
        f"{3600 * played / seconds:.0f} games an hour, "
        f"{hours}:{rest // 60:02d}:{rest % 60:02d} left for {left}"
    )


def _table(summary: MatchSummary, *more: str) -> RenderableType:
    """Return the match as a table with some lines below it, and *more* lines."""
    from rich.console import Group
    from rich.markup import escape
    from rich.table import Table
    from rich.text import Text

    table = Table(title=f"{summary.tally.games} of {summary.wanted} games", title_justify="left")
    for title in ("engine", "+ - =", "as Black", "as White", "score", "faults", "s/move"):
        table.add_column(title)
    for side in (summary.first, summary.second):
        counts = map(_counts, (side.tally, side.as_black, side.as_white))
        faults = [f"{fault} {side.faults[fault]}" for fault in FORFEITS if side.faults.get(fault)]
        own = (_share(side.tally), ", ".join(faults) or "none", _per_move(side))
        table.add_row(escape(side.name), *counts, *own)
    tally = summary.tally
    superiority = f"likelihood of superiority {100 * likelihood_of_superiority(tally):.1f} %"
    lines = [f"{summary.first.name}: {_elo(tally)}, {superiority}"]
    if summary.test is not None:
        elo0, elo1 = summary.test.sprt.elo0, summary.test.sprt.elo1
        lines.append(f"test of Elo {elo0:g} against {elo1:g}: {_test_line(summary.test)}")
    for count, what in (
        (summary.disagreements, "without agreement on dead stones"),
        (summary.referee_failures, "that the referee could not judge"),
        (summary.move_limits, "ended by the limit of moves, counted as draws"),
    ):
        if count:
            lines.append(f"games {what}: {count}")
    return Group(table, Text("\n".join([*lines, *more])))


def _test_line(test: TestState) -> str:
    lower, upper = test.sprt.bounds
    told = f"log-likelihood ratio {test.ratio:+.2f} in [{lower:+.2f}, {upper:+.2f}]"
    return f"{told}, {test.decision} accepted" if test.decision else told


def _counts(tally: Tally) -> str:
    return f"{tally.wins}-{tally.losses}-{tally.draws}"


def _share(tally: Tally) -> str:
    if not tally.games:
        return "?"
    low, high = wilson_interval(tally.wins + tally.draws / 2, tally.games)
    return f"{100 * tally.score:.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def _elo(tally: Tally) -> str:
    """Return Elo with its interval."""
    if not tally.games:
        return "Elo ?"
    elo, low, high = (
        f"{bound:+.0f}" if math.isfinite(bound) else ("+∞" if bound > 0 else "-∞")
        for bound in elo_interval(tally)
    )
    return f"Elo {elo} [{low}, {high}]"


def _per_move(side: Side) -> str:
    if not side.moves:
        return "?"
    cpu = f" ({side.cpu_seconds / side.cpu_moves:.3g} CPU)" if side.cpu_moves else ""
    return f"{side.seconds / side.moves:.3g}{cpu}"
