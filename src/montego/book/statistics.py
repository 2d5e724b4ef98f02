"""What is in a book, in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from montego.book.position import GameSettings


@dataclass(frozen=True)
class SettingsStatistics:
    """What a book has for one board size, rule set and komi."""

    settings: GameSettings
    positions: int
    visits: float
    """Visits to all of its positions; those to a position count for the ones above it again."""

    games: int
    deepest: int
    """Plies from the beginning of a game to the deepest position."""


@dataclass(frozen=True)
class BookStatistics:
    """What a book has in all."""

    path: Path
    format: int
    bytes: int
    """The file and what lies beside it while the book is open."""

    positions: int
    games: int
    merges: int
    size_limit: int | None
    settings: tuple[SettingsStatistics, ...]
    """By positions, the most first."""
