"""``montego ladder``: how strong you are, and other players, by games against the levels."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.cli.command import Namespace, argument, command, group
from montego.cli.output import amount, plain_text, print_result
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rank import format_rank, parse_rank
from montego.ladder.home import LadderGame, default_home
from montego.ladder.scale import STRONGEST, WEAKEST
from montego.ladder.standing import LadderStanding, standing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.arena.record import GameRecord

JSON = argument("--json", "one JSON object, for programs")


@command(
    "Show how strong you and others are by the games that browser, console and arena have kept: on "
    "each board a rating with its 95% interval, the highest rung climbed and the level to beat "
    "next. A rung is climbed by two wins against its level or a stronger one, in even games "
    "without help.",
    argument("--player NAME", "only this one; you are 'you'"),
    JSON,
)
def show(options: Namespace) -> None:
    """Carry out ``montego ladder show``."""
    home = default_home()
    games = home.games(options.player)
    if not games and not options.json:
        whose = "" if options.player is None else f" of {options.player}"
        raise GoError(
            f"no game{whose} is kept in {home.file} yet: finish one against a level, with montego "
            "play or montego console --level"
        )
    found = {
        player: [
            standing([game for game in games if game.player == player], size)
            for size in sorted({game.size for game in games if game.player == player})
        ]
        for player in sorted({game.player for game in games})
    }
    document = {
        "file": str(home.file),
        "players": {
            player: [_figures(one) for one in standings] for player, standings in found.items()
        },
    }
    print_result(options, document, "" if options.json else _table(found))


@command(
    "Add the games of a match or tournament to the ladder: those of any engine against one that is "
    "named as a level is, such as 12k (montego match CMD 'montego gtp --level 12k' --names NAME "
    "12k --output FOLDER). Games that are there already are not added twice.",
    argument("folders FOLDER", "what --output of the arena named", nargs="+"),
    JSON,
)
def add(options: Namespace) -> None:
    """Carry out ``montego ladder add``."""
    from montego.arena.store import read_records

    home = default_home()
    known = {(game.player, game.id) for game in home.games()}
    new: list[LadderGame] = []
    for folder in options.folders:
        games = list(_against_levels(Path(folder).resolve(), read_records(folder)))
        if not games:
            raise GoError(
                f"{folder}: nobody played against a level; name the engine as the level is, with "
                "--names NAME 12k"
            )
        new += [game for game in games if (game.player, game.id) not in known]
    home.add(new)
    text = f"{amount(len(new), 'game')} added to {home.file}\n"
    print_result(options, {"file": str(home.file), "added": len(new)}, text)


def _against_levels(folder: Path, records: Iterable[GameRecord]) -> Iterable[LadderGame]:
    """Yield the games of somebody against a level, as the ladder keeps them."""
    for record in records:
        ranks = {color: _level(getattr(record, color).name) for color in ("black", "white")}
        for color, other in (("black", "white"), ("white", "black")):
            rank = ranks[other]
            if rank is None or ranks[color] is not None:
                continue
            name = getattr(record, color).name
            yield LadderGame(
                id=f"{folder.name[:40]} {record.started[:24]} {record.game}",
                time=_moment(record.started),
                player=name[:80],
                size=record.size,
                rank=rank,
                color="black" if color == "black" else "white",
                handicap=_handicap(record.opening),
                komi=record.komi,
                score=record.points(name),
            )


def _level(name: str) -> int | None:
    """Return the rank of the level that a name is; None if it is none."""
    rank = parse_rank(name)
    return rank if rank is not None and WEAKEST <= rank <= STRONGEST else None


def _handicap(opening: str) -> int:
    """Return the stones of an opening as the arena names it."""
    word, _, number = opening.partition(" ")
    return int(number) if word == "handicap" and number.isdecimal() else 0


def _moment(text: str) -> float:
    """Return when a game began, in seconds since 1970; now if it does not say."""
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return time.time()


def _figures(one: LadderStanding) -> dict[str, Any]:
    low, high = one.ranks
    return {
        "size": one.size,
        "games": one.games,
        "elo": round(one.known.elo),
        "deviation": round(one.known.deviation),
        "rank": format_rank(one.rank),
        "interval": [format_rank(low), format_rank(high)],
        "climbed": None if one.climbed is None else format_rank(one.climbed),
        "next": format_rank(one.next_rung),
    }


def _table(found: dict[str, list[LadderStanding]]) -> str:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("player", "board", "games", "rating", "95% interval", "climbed", "next"):
        table.add_column(title)
    for player, standings in found.items():
        for one in standings:
            low, high = one.ranks
            table.add_row(
                player,
                f"{one.size}x{one.size}",
                str(one.games),
                f"{format_rank(one.rank)} ({one.known.elo:+.0f} Elo)",
                f"{format_rank(low)} to {format_rank(high)}",
                "-" if one.climbed is None else format_rank(one.climbed),
                format_rank(one.next_rung),
            )
    note = "Elo 0 is GNU Go 3.8 at its level 10, called 9 kyu; levels are estimates themselves."
    return plain_text(table, note)


ladder = group(
    "How strong you are, by games against Montego's levels.",
    "verbs",
    "VERB",
    {
        "show": ("ratings, rungs climbed, and whom to play next", show),
        "add": ("the games of a match or tournament", add),
    },
)
