"""Command lines of the fake engines, and short matches between them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from montego.arena.contest import Conditions
from montego.arena.match import Match
from montego.arena.workers import EngineSpec
from places import TINY

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.arena.record import GameRecord

SMALL = Conditions(size=5, komi=0.5, hang_seconds=20.0)


def tiny_command(*options: object) -> list[str]:
    """Return the words that start the fake engine; -S and -E spare it half of its start."""
    return [sys.executable, "-S", "-E", str(TINY), *map(str, options)]


def tiny(name: str, *options: object) -> EngineSpec:
    """Return a fake engine for a match."""
    words = " ".join(f"'{word}'" for word in tiny_command(*options))
    return EngineSpec(name, words, timeout=20.0, start_timeout=20.0)


def tiny_match(first: EngineSpec, second: EngineSpec, games: int = 2, **fields: object) -> Match:
    """Return a match on a tiny board."""
    return Match(first=first, second=second, games=games, **{"conditions": SMALL, **fields})  # type: ignore[arg-type]


def collect(records: list[GameRecord]) -> Callable[[object, GameRecord | None], bool]:
    """Return what a match can report to: every game that ends is added to *records*."""

    def report(_: object, record: GameRecord | None) -> bool:
        if record is not None:
            records.append(record)
        return True

    return report
