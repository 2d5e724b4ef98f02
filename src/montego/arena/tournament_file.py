"""Tournaments as TOML files, and what such files have in common with others of the arena.

A table ``[tournament]`` with the fields of :class:`~montego.arena.tournament.Tournament` and the
conditions of its games, and one ``[[engine]]`` with a name and a command for each.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from montego.arena.contest import Conditions
from montego.arena.opening import Opening, read_openings
from montego.arena.toml_table import Table, read_table
from montego.arena.tournament import Tournament
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.timing import parse_time_control, seconds_per_move
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    import os

    from montego.go.vocabulary.timing import TimeControl

CONDITION_FIELDS = ("size", "komi", "rules", "seconds", "clock", "timeout", "move_limit")
RUNNING_FIELDS = ("openings", "seed", "referee", "concurrency", "output")
ENGINE_FIELDS = ("name", "command", "elo", "timeout", "start_timeout")
_OWN_FIELDS = ("name", "kind", "rounds", "challengers")


def read_tournament(path: str | os.PathLike[str]) -> tuple[Tournament, Path]:
    """Return the tournament in a file, and the folder for its games.

    Paths in the file are relative to it. Without ``output`` the folder is named after the file.

    Raises:
        GoError: If the file cannot be read, or something in it makes no sense.
    """
    path = Path(path)
    document = read_table(path, ("tournament", "engine"))
    table = document.table("tournament", (*CONDITION_FIELDS, *RUNNING_FIELDS, *_OWN_FIELDS))
    entries = document.tables("engine", ENGINE_FIELDS)
    conditions = conditions_of(table)
    tournament = Tournament(
        name=table.text("name", path.stem),
        kind=table.text("kind", "round-robin"),  # type: ignore[arg-type]  # It checks.
        engines=tuple(engine_of(entry) for entry in entries),
        rounds=table.whole("rounds", 1),
        challengers=table.texts("challengers"),
        anchors={entry.text("name"): entry.number("elo", 0) for entry in entries if "elo" in entry},
        conditions=conditions,
        openings=openings_of(table, path.parent, conditions),
        seed=table.maybe_whole("seed"),
        referee=referee_of(table),
        concurrency=table.whole("concurrency", 1),
    )
    return tournament, path.parent / table.text("output", f"{path.stem}-games")


def engine_of(table: Table, default_name: str = "") -> EngineSpec:
    """Return the engine that a table with a name and a command describes. Raises GoError."""
    name, command = table.text("name", default_name), table.text("command")
    if not command:
        raise GoError(f"{table.place}: engine {name!r} needs a command")
    if not name:
        raise GoError(f"{table.place}: the engine with the command {command!r} needs a name")
    return EngineSpec(
        name,
        command,
        timeout=table.number("timeout", 60.0),
        start_timeout=table.number("start_timeout", 300.0),
    )


def conditions_of(table: Table) -> Conditions:
    """Return the conditions of games that a table describes. Raises GoError."""
    rules = parse_rules(table.text("rules", "chinese"))
    return Conditions(
        size=check_size(table.whole("size", 19)),
        komi=parse_komi(table.number("komi", rules.komi)),
        rules=str(rules),
        control=_control(table),
        hang_seconds=table.number("timeout", 600.0),
        move_limit=table.maybe_whole("move_limit"),
    )


def openings_of(table: Table, folder: Path, conditions: Conditions) -> tuple[Opening, ...]:
    """Return the openings a table names, none if it names none. Raises GoError."""
    name = table.text("openings")
    if not name:
        return ()
    seed = table.maybe_whole("seed")
    return read_openings(folder / name, conditions.size, rules=conditions.rules, seed=seed)


def referee_of(table: Table) -> EngineSpec | None:
    """Return the referee a table names, if it names one. Raises GoError."""
    command = table.text("referee")
    return EngineSpec("referee", command) if command else None


def _control(table: Table) -> TimeControl | None:
    if "seconds" in table and "clock" in table:
        raise GoError(f"{table.place}: say seconds or clock, not both")
    if "seconds" in table:
        return seconds_per_move(table.number("seconds", 0.0))
    return parse_time_control(table.text("clock")) if "clock" in table else None
