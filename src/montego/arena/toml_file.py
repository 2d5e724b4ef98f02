"""Reading TOML files that people wrote, with messages for people.

What a field may hold, and what it is if it is missing, is said by the dataclass that it goes into.
The files of tournaments and of tuning have engines in common, and how games are played.
"""

from __future__ import annotations

import dataclasses
import sys
import tomllib
from typing import TYPE_CHECKING, Any

from montego.arena.contest import Conditions
from montego.arena.opening import read_openings
from montego.arena.workers import EngineSpec, Series
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.timing import check_seconds, parse_time_control, seconds_per_move
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from montego.go.vocabulary.timing import TimeControl

ENGINE_FIELDS = ("name", "command", "elo", "timeout", "start_timeout")
SERIES_FIELDS = (
    *("size", "komi", "rules", "seconds", "clock", "timeout", "move_limit"),
    *("openings", "seed", "referee", "concurrency", "output"),
)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# What a value must be, what it becomes, and what people are told to say.
_KINDS: dict[str, tuple[Callable[[Any], bool], Callable[[Any], Any], str]] = {
    "str": (lambda value: isinstance(value, str), str, "a text in quotes"),
    "float": (_is_number, float, "a number"),
    "int": (lambda value: type(value) is int, int, "a whole number"),
    "bool": (lambda value: type(value) is bool, bool, "true or false"),
    "tuple[str, ...]": (_is_texts, tuple, "a list of texts"),
}


class TomlTable:
    """A table of a TOML file; *place* is what messages call it.

    Raises:
        GoError: If it has a field that is not *allowed*. All methods raise it for wrong types.
    """

    def __init__(self, values: dict[str, Any], place: str, allowed: tuple[str, ...]) -> None:
        self.values = values
        self.place = place
        for name in values:
            if name not in allowed:
                raise GoError(f"{place}: unknown field {name!r}: say one of {', '.join(allowed)}")

    def field(self, name: str, kind: str, default: Any = None) -> Any:
        """Return a field of one of the kinds above, or the default if there is none."""
        if name not in self.values:
            return default
        fits, convert, wanted = _KINDS[kind]
        if not fits(self.values[name]):
            raise GoError(f"{self.place}: {name} = {self.values[name]!r}: say {wanted}")
        return convert(self.values[name])

    def text(self, name: str, default: str = "") -> str:
        """Return a text."""
        return str(self.field(name, "str", default))

    def fields(self, target: type, *names: str) -> dict[str, Any]:
        """Return those of the named fields of a dataclass that the table has."""
        kinds = {
            field.name: str(field.type).removesuffix(" | None")
            for field in dataclasses.fields(target)
        }
        return {
            name: self.field(name, kinds[name] if kinds[name] in _KINDS else "str")
            for name in names
            if name in self.values
        }

    def table(self, name: str, allowed: tuple[str, ...]) -> TomlTable:
        """Return a table inside this one, which must be there."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise GoError(f"{self.place}: the table [{name}] is missing")
        return TomlTable(value, f"{self.place} [{name}]", allowed)

    def tables(self, name: str, allowed: tuple[str, ...]) -> list[TomlTable]:
        """Return the tables of an array such as ``[[engine]]``, empty if there is none."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise GoError(f"{self.place}: write [[{name}]]")
        return [TomlTable(item, f"{self.place} [[{name}]]", allowed) for item in value]


def read_table(path: Path, allowed: tuple[str, ...]) -> TomlTable:
    """Return the whole of a file as a table.

    Raises:
        GoError: If it cannot be read, is no TOML, or has a field that is not *allowed*.
    """
    try:
        return TomlTable(tomllib.loads(path.read_text(encoding="utf-8")), path.name, allowed)
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise GoError(str(error) if isinstance(error, GoError) else f"{path}: {error}") from None


def engine_of(table: TomlTable) -> EngineSpec:
    """Return the engine that a table with a name and a command describes. Raises GoError."""
    name, command = table.text("name"), table.text("command")
    if not command:
        raise GoError(f"{table.place}: engine {name!r} needs a command")
    if not name:
        raise GoError(f"{table.place}: the engine with the command {command!r} needs a name")
    return EngineSpec(name, command, **table.fields(EngineSpec, "timeout", "start_timeout"))


def series_of(table: TomlTable, folder: Path) -> dict[str, Any]:
    """Return the fields of a ``Series`` in a table; paths are relative to *folder*.

    Raises:
        GoError: If something makes no sense.
    """
    rules = parse_rules(table.text("rules", "chinese"))
    conditions = Conditions(
        size=check_size(table.field("size", "int", 19)),
        komi=parse_komi(table.field("komi", "float", rules.komi)),
        rules=str(rules),
        control=_control(table),
        hang_seconds=table.field("timeout", "float", 600.0),
        move_limit=table.field("move_limit", "int"),
    )
    found = table.fields(Series, "seed", "concurrency") | {"conditions": conditions}
    if table.text("openings"):
        place, seed = folder / table.text("openings"), found.get("seed")
        found["openings"] = read_openings(place, conditions.size, rules=str(rules), seed=seed)
    if table.text("referee"):
        found["referee"] = EngineSpec("referee", table.text("referee"))
    return found


def _control(table: TomlTable) -> TimeControl | None:
    seconds = table.field("seconds", "float")
    if seconds is None:
        return parse_time_control(table.text("clock")) if "clock" in table.values else None
    if "clock" in table.values:
        raise GoError(f"{table.place}: say seconds or clock, not both")
    check_seconds("seconds", seconds)
    return seconds_per_move(seconds)
