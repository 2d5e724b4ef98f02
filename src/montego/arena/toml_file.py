"""Reading TOML files that people wrote, with messages for people.

The files of tournaments and of tuning have in common how games are played.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from montego.arena.contest import Conditions
from montego.arena.opening import read_openings
from montego.arena.workers import EngineSpec
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.timing import check_seconds, parse_time_control, seconds_per_move
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    from pathlib import Path

    from montego.go.vocabulary.timing import TimeControl

Wanted = TypeVar("Wanted")


class TomlTable(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A table of a file; a field that it does not know is a mistake."""


class SeriesTable(TomlTable):
    """How games are played, and where they are kept."""

    size: int = 19
    komi: float | None = None
    rules: str = "chinese"
    seconds: float | None = None
    clock: str | None = None
    timeout: float = 600.0
    move_limit: int | None = None
    openings: str = ""
    seed: int | None = None
    referee: str = ""
    concurrency: int = 1
    output: str = ""

    def series(self, folder: Path) -> dict[str, Any]:
        """Return the fields of a ``Series``, and as they are those that a kind of file adds.

        Paths are relative to *folder*.

        Raises:
            GoError: If something makes no sense.
        """
        rules = parse_rules(self.rules)
        conditions = Conditions(
            size=check_size(self.size),
            komi=parse_komi(rules.komi if self.komi is None else self.komi),
            rules=str(rules),
            control=self._control(),
            hang_seconds=self.timeout,
            move_limit=self.move_limit,
        )
        found = {
            name: getattr(self, name)
            for name in self.__struct_fields__
            if name not in SeriesTable.__struct_fields__
        }
        found |= {"conditions": conditions, "concurrency": self.concurrency}
        if self.seed is not None:
            found["seed"] = self.seed
        if self.openings:
            found["openings"] = read_openings(
                folder / self.openings, self.size, rules=str(rules), seed=self.seed
            )
        if self.referee:
            found["referee"] = EngineSpec("referee", self.referee)
        return found

    def _control(self) -> TimeControl | None:
        if self.seconds is None:
            return None if self.clock is None else parse_time_control(self.clock)
        if self.clock is not None:
            raise GoError("say seconds or clock, not both")
        check_seconds("seconds", self.seconds)
        return seconds_per_move(self.seconds)


def read_toml(path: Path, wanted: type[Wanted]) -> Wanted:
    """Return a file as a struct of its tables.

    Raises:
        GoError: If it cannot be read, is no TOML, or does not fit; the message says where.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=wanted)
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    except (ValueError, msgspec.MsgspecError) as error:
        reason, _, place = str(error).partition(" - at `$.")
        where = f", {place.rstrip('`')}" if place else ""
        raise GoError(f"{path.name}{where}: {reason}") from None
