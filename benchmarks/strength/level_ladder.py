"""How far apart the levels are: a ladder of games between neighbours, and games against GNU Go.

    python benchmarks/strength/level_ladder.py 9 --games 400 --output ladder-9x9

Each level meets the next and the next but one, both colors, from balanced openings where there are
some; GNU Go at some of its levels meets those that may be near it. The arena plays the games, keeps
them in the folder and goes on there when it is run again; all are rated together, GNU Go at its
level 10 being 0. With ``--people`` it is a ladder of the opponents that choose what people choose.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.arena.contest import Conditions
from montego.arena.opening import BALANCED, read_openings
from montego.arena.rating import rate, rated_games
from montego.arena.store import read_records
from montego.arena.tournament import Tournament, run_tournament
from montego.arena.workers import EngineSpec
from montego.engine.options.levels import LEVELS, PEOPLE
from montego.sources import sources_digest

if TYPE_CHECKING:
    from montego.arena.record import GameRecord
    from montego.arena.tournament import Kind

GNU_GO = "gnugo --mode gtp --level {} --chinese-rules --capture-all-dead --positional-superko"
GNU_GO_LEVELS = (1, 4, 7, 10)
NEAR_GNU_GO = ("12k", "9k", "6k")


def level_engine(level: str) -> EngineSpec:
    """Return a level as an engine."""
    return EngineSpec(level, f"montego gtp --level {level} --threads 1 --rules chinese-kgs")


def play(
    kind: Kind,
    engines: list[EngineSpec],
    games: int,
    folder: Path,
    size: int,
    challengers: tuple[str, ...] = (),
) -> None:
    """Play about so many games, as far as they are not in the folder."""
    event = Tournament(
        kind=kind,
        engines=tuple(engines),
        challengers=challengers,
        conditions=Conditions(size=size, komi=7.5, rules="chinese-kgs"),
        openings=tuple(read_openings(BALANCED, size)),
        seed=1,
    )
    event = replace(event, rounds=max(1, round(games / event.wanted)))
    told = 0

    def report(records: list[GameRecord]) -> bool:
        nonlocal told
        if len(records) > told:
            told = len(records)
            last = records[-1]
            line = f"{told}/{event.wanted} {last.black.name} - {last.white.name}: {last.result}"
            print(line, file=sys.stderr, flush=True)
        return True

    run_tournament(event, folder, report=report)


def main() -> None:
    """Play, rate and print; the figures as JSON go to standard output."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--gnugo", type=int, default=0, help="games against GNU Go")
    parser.add_argument("--levels", nargs="+", default=list(LEVELS))
    parser.add_argument("--people", action="store_true")
    parser.add_argument("--output", type=Path, required=True)
    given = parser.parse_args()
    levels = [*PEOPLE] if given.people else given.levels
    folder, size = given.output, given.size
    play("ladder", [level_engine(level) for level in levels], given.games, folder / "levels", size)
    records = read_records(folder / "levels")
    if given.gnugo:
        gnugo = [EngineSpec(f"gnugo-{level}", GNU_GO.format(level)) for level in GNU_GO_LEVELS]
        near = [level_engine(level) for level in NEAR_GNU_GO if level in levels]
        challengers = tuple(engine.name for engine in near)
        play("gauntlet", [*near, *gnugo], given.gnugo, folder / "gnugo", size, challengers)
        records += read_records(folder / "gnugo")
    figures = rated(records, size)
    (folder / "ratings.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(table(figures))


def rated(records: list[GameRecord], size: int) -> dict[str, Any]:
    """Return the ratings of all who played, the weakest first, and what lies between neighbours."""
    names = {player.name for record in records for player in (record.black, record.white)}
    anchors = {"gnugo-10": 0.0} if "gnugo-10" in names else None
    ratings = rate(rated_games(records), anchors=anchors)
    order = [level for level in (*LEVELS, *PEOPLE) if level in names]
    found = {rating.name: rating for rating in ratings.ratings}
    steps = []
    for apart in (1, 2):
        for low, high in zip(order, order[apart:], strict=False):
            elo, deviation = ratings.difference(high, low)
            steps.append({"from": low, "to": high, "elo": round(elo), "error": round(deviation)})
    return {
        "size": size,
        "games": len(records),
        "faults": sum(record.ending not in ("score", "resignation") for record in records),
        "sources": sources_digest(),
        "ratings": [
            {
                "name": name,
                "elo": round(found[name].elo),
                "low": round(found[name].low),
                "high": round(found[name].high),
                "games": found[name].games,
                "points": found[name].points,
            }
            for name in [*order, *sorted(names - set(order))]
        ],
        "steps": steps,
    }


def table(figures: dict[str, Any]) -> str:
    """Return the ratings as a table of Markdown."""
    lines = ["| | Elo | 95% interval | points | games |", "|---|---|---|---|---|"]
    lines += [
        f"| {one['name']} | {one['elo']} | {one['low']} to {one['high']} | {one['points']:g} | "
        f"{one['games']} |"
        for one in figures["ratings"]
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
