"""``montego tournament``: several engines, ratings of all, and a report."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from rich.table import Table

    from montego.arena.rating import Ratings
    from montego.arena.record import GameRecord
    from montego.arena.tournament import Tournament

REPORT = "report.html"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``tournament`` to the command line."""
    parser = commands.add_parser(
        "tournament",
        help="several GTP engines: round robin, gauntlet or Swiss",
        description="Play the tournament that a TOML file describes, rate the engines, and write "
        f"{REPORT} beside the games. Run it again to go on after an interruption.",
    )
    parser.add_argument("file", metavar="FILE.toml", help="engines and conditions")
    parser.add_argument("--output", metavar="FOLDER", help="instead of the one in the file")
    parser.add_argument("--concurrency", type=int, metavar="N", help="games at a time")
    parser.add_argument("--report", action="store_true", help="play nothing, only report")
    parser.add_argument("--json", action="store_true", help="the ratings as JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Play the tournament, print the table, write the report."""
    from dataclasses import replace  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from montego.arena.report import html_report  # noqa: PLC0415  # --help needs none of it.
    from montego.arena.store import read_records  # noqa: PLC0415
    from montego.arena.tournament import rate_tournament, run_tournament  # noqa: PLC0415
    from montego.arena.tournament_file import read_tournament  # noqa: PLC0415

    tournament, folder = read_tournament(options.file)
    if options.output is not None:
        folder = Path(options.output)
    if options.concurrency is not None:
        tournament = replace(tournament, concurrency=options.concurrency)
    records: list[GameRecord] = []
    try:
        if options.report:
            records = read_records(folder)
        else:
            with _Progress(tournament) as progress:
                records = run_tournament(tournament, folder, report=progress.update)
    except KeyboardInterrupt:
        _write_report(folder, html_report(tournament, read_records(folder)))
        raise
    _write_report(folder, html_report(tournament, records))
    ratings = rate_tournament(tournament, records)
    if options.json:
        figures = _figures(tournament, records, ratings)
        sys.stdout.write(json.dumps(figures, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(_plain(_rating_table(tournament, records, ratings)))
        sys.stdout.write(f"report: {folder / REPORT}\n")
    return 0


class _Progress:
    """The table while the tournament runs: live on a terminal, else a line a game."""

    def __init__(self, tournament: Tournament) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.live import Live  # noqa: PLC0415

        self._tournament = tournament
        self._seen: set[int] = set()  # numbers of the games that were shown
        console = Console(stderr=True)
        self._live = Live(console=console, refresh_per_second=2) if console.is_terminal else None

    def __enter__(self) -> _Progress:  # noqa: PYI034  # Nobody inherits from it.
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live is not None:
            self._live.stop()

    def update(self, records: list[GameRecord]) -> bool:
        """Show the games so far. Always True."""
        from montego.arena.tournament import rate_tournament  # noqa: PLC0415
        from montego.cli.match_table import game_line  # noqa: PLC0415

        if self._live is not None:
            ratings = rate_tournament(self._tournament, records)
            self._live.update(_rating_table(self._tournament, records, ratings))
        for record in [record for record in records if record.game not in self._seen]:
            self._seen.add(record.game)
            if self._live is None:
                done = f"{len(self._seen)}/{self._tournament.wanted}"
                sys.stderr.write(f"{done} {game_line(record)}\n")
                sys.stderr.flush()
        return True


def _rating_table(tournament: Tournament, records: Sequence[GameRecord], ratings: Ratings) -> Table:
    from rich.markup import escape  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    from montego.arena.report import cross_table, fault_counts  # noqa: PLC0415

    table = Table(
        title=f"{escape(tournament.name)}: {len(records)} of {tournament.wanted} games",
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


def _plain(table: Table) -> str:
    from rich.console import Console  # noqa: PLC0415

    stream = io.StringIO()
    Console(file=stream, width=140, color_system=None, force_terminal=False).print(table)
    return stream.getvalue()


def _figures(
    tournament: Tournament, records: Sequence[GameRecord], ratings: Ratings
) -> dict[str, Any]:
    from montego.arena.report import cross_table, fault_counts  # noqa: PLC0415

    names = [rating.name for rating in ratings.ratings]
    faults = fault_counts(names, records)
    cells = cross_table(names, records)
    return {
        "name": tournament.name,
        "games": len(records),
        "wanted": tournament.wanted,
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
                    other: {
                        "points": cells[rating.name, other][0],
                        "games": cells[rating.name, other][1],
                    }
                    for other in names
                    if other != rating.name
                },
            }
            for rating in ratings.ratings
        ],
    }


def _write_report(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REPORT).write_text(text, encoding="utf-8")
