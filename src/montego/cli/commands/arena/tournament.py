"""``montego tournament``: several engines, ratings of all, and a report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.report import cross_table, fault_counts, html_report
from montego.arena.store import read_records
from montego.arena.tournament import rate_tournament, read_tournament, run_tournament
from montego.cli.cluster_option import SPREAD, venue_of
from montego.cli.command import Namespace, argument, command
from montego.cli.commands.arena.match import begin_anew, game_line
from montego.cli.output import live_display, plain_text, print_result, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from montego.arena.rating import Ratings
    from montego.arena.record import GameRecord
    from montego.arena.tournament import Tournament

REPORT = "report.html"


@command(
    "Play the tournament that a TOML file describes, rate the engines, and write "
    f"{REPORT} beside the games. Run it again to go on after an interruption.",
    argument("file FILE.toml", "engines and conditions"),
    argument("--output FOLDER", "instead of the one in the file"),
    argument("--concurrency N", "games at a time, on each machine", type=int),
    SPREAD,
    argument(
        "--anew", "begin anew: a folder that is there already is renamed to FOLDER.old-1 and so on"
    ),
    argument("--report", "play nothing, only report"),
    argument("--json", "the ratings as JSON"),
)
def tournament(options: Namespace) -> None:
    """Play the tournament, print the table, write the report."""
    plan, folder = read_tournament(options.file)
    if options.output is not None:
        folder = Path(options.output)
    if options.anew and not options.report:
        begin_anew(folder)
    if options.concurrency is not None:
        plan = replace(plan, concurrency=options.concurrency)
    try:
        if options.report:
            records = read_records(folder)
        else:
            with venue_of(options, plan.concurrency) as venue:
                records = _play(replace(plan, venue=venue), folder)
    except KeyboardInterrupt:
        _write_report(plan, folder, read_records(folder))
        raise
    _write_report(plan, folder, records)
    ratings = rate_tournament(plan, records)
    table = plain_text(_table(plan, records, ratings), width=140)
    print_result(options, _figures(plan, records, ratings), f"{table}report: {folder / REPORT}\n")


def _play(plan: Tournament, folder: Path) -> list[GameRecord]:
    """Play what is left; the table is shown live on a terminal, else a line a game."""
    seen: set[int] = set()  # Numbers of the games that were shown.
    with live_display(per_second=2) as show:

        def report(records: list[GameRecord]) -> bool:
            if show is not None:
                show(_table(plan, records, rate_tournament(plan, records)))
            for record in records:
                if record.game not in seen:
                    seen.add(record.game)
                    if show is None:
                        tell(f"{len(seen)}/{plan.wanted} {game_line(record)}")
            return True

        return run_tournament(plan, folder, report=report)


def _table(plan: Tournament, records: Sequence[GameRecord], ratings: Ratings) -> Table:
    from rich.markup import escape
    from rich.table import Table

    table = Table(
        title=f"{escape(plan.name)}: {len(records)} of {plan.wanted} games",
        caption=f"Black's advantage {ratings.black_advantage:+.0f} Elo "
        f"[{ratings.black_advantage_low:+.0f}, {ratings.black_advantage_high:+.0f}]",
    )
    names = [rating.name for rating in ratings.ratings]
    for title in ("", "engine", "Elo", "95 %", "points", *map(str, range(1, len(names) + 1))):
        table.add_column(title, justify="left" if title == "engine" else "right")
    table.add_column("faults")
    cells, faults = cross_table(names, records), fault_counts(names, records)
    for place, rating in enumerate(ratings.ratings, 1):
        own = rating.name
        against = [
            "·" if own == other else f"{cells[own, other][0]:g}/{cells[own, other][1]}"
            for other in names
        ]
        table.add_row(
            str(place),
            escape(own),
            f"{rating.elo:.0f}",
            f"{rating.low:.0f} … {rating.high:.0f}",
            f"{rating.points:g}/{rating.games}",
            *against,
            ", ".join(f"{ending} {count}" for ending, count in faults[own].items()),
        )
    return table


def _figures(plan: Tournament, records: Sequence[GameRecord], ratings: Ratings) -> dict[str, Any]:
    names = [rating.name for rating in ratings.ratings]
    cells, faults = cross_table(names, records), fault_counts(names, records)
    return {
        "name": plan.name,
        "games": len(records),
        "wanted": plan.wanted,
        "black_advantage": round(ratings.black_advantage, 2),
        "black_advantage_low": round(ratings.black_advantage_low, 2),
        "black_advantage_high": round(ratings.black_advantage_high, 2),
        "engines": [
            {
                "name": rating.name,
                "elo": round(rating.elo, 2),
                "low": round(rating.low, 2),
                "high": round(rating.high, 2),
                "games": rating.games,
                "points": rating.points,
                "faults": {str(ending): count for ending, count in faults[rating.name].items()},
                "against": {
                    other: dict(zip(("points", "games"), cells[rating.name, other], strict=True))
                    for other in names
                    if other != rating.name
                },
            }
            for rating in ratings.ratings
        ],
    }


def _write_report(plan: Tournament, folder: Path, records: list[GameRecord]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REPORT).write_text(html_report(plan, records), encoding="utf-8")
