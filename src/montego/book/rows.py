"""Reading and adding to the rows of a book, inside a transaction that somebody else began.

A position keeps at most :data:`MOST_VISITS`; beyond, all of its numbers shrink in proportion, so
that old experience fades as new is added.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from montego.book.addition import added, stacked
from montego.book.encoding import decode, encode, fault_of, table_fault, value_fault
from montego.book.errors import BookError, UnreadableRow
from montego.book.experience import Experience
from montego.book.position import GameSettings, half_points

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

MOST_VISITS = 1_000_000.0  # Single precision counts whole visits up to sixteen times as many.

# What a position is worth is the logarithm of its visits, so that one number, written once, ranks
# it among others for good: every position fades at the same rate.
MERGES_PER_HALVING = 2_000  # Merges without a position that make it worth half of its visits.
PLIES_PER_HALVING = 20

BATCH = 500  # Rows asked for at once; every SQLite takes 999 parameters.

Row = tuple[int, float, int, int, object]
"""A position's key, visits, games, depth and blob of moves."""

_COLUMNS = "key, visits, games, depth, moves"
_SETTINGS_NUMBER = "SELECT id FROM settings WHERE size = ? AND rules = ? AND komi_half_points = ?"
_WRITE = """
    INSERT INTO positions (settings, key, visits, games, depth, merged, worth, moves)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (settings, key) DO UPDATE SET
        visits = excluded.visits, games = excluded.games, depth = excluded.depth,
        merged = excluded.merged, worth = excluded.worth, moves = excluded.moves
"""


def worth(visits: float, depth: int, merge: int) -> float:
    """Return how much a position is worth that was last met in that merge, in doublings."""
    return math.log2(1.0 + visits) + merge / MERGES_PER_HALVING - depth / PLIES_PER_HALVING


def settings_number(connection: sqlite3.Connection, settings: GameSettings) -> int | None:
    """Return the number under which a book knows the settings, or None."""
    values = (settings.size, settings.rules, half_points(settings.komi))
    row = connection.execute(_SETTINGS_NUMBER, values).fetchone()
    return None if row is None else int(row[0])


def known_settings(connection: sqlite3.Connection) -> list[tuple[int, GameSettings]]:
    """Return all settings that have positions, with their numbers; those with most come first."""
    rows = connection.execute(
        "SELECT id, size, rules, komi_half_points FROM settings WHERE positions > 0 "
        "ORDER BY positions DESC, id"
    ).fetchall()
    for number, size, rules, half in rows:
        if not (isinstance(rules, str) and all(isinstance(n, int) for n in (number, size, half))):
            raise UnreadableRow("settings are overwritten")
    return [(number, GameSettings(size, rules, half / 2)) for number, size, rules, half in rows]


def fetch(
    connection: sqlite3.Connection, number: int, size: int, keys: Sequence[int]
) -> dict[int, Experience]:
    """Return the positions with these keys that there are, of a board of *size*.

    Raises:
        UnreadableRow: If one of them makes no sense.
    """
    found: dict[int, Experience] = {}
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        marks = ", ".join("?" * len(batch))
        query = f"SELECT {_COLUMNS} FROM positions WHERE settings = ? AND key IN ({marks})"  # noqa: S608
        for row in connection.execute(query, (number, *batch)).fetchall():
            found[row[0]] = to_experience(row)
    every = stacked([experience.table for experience in found.values()])
    fault = table_fault(every, size) or value_fault(every)
    if fault is not None:
        raise UnreadableRow(f"of a position in it, {fault}")
    return found


def batch_after(connection: sqlite3.Connection, number: int, key: int | None) -> list[Row]:
    """Return the next rows by key, after *key* or from the first; none if there are no more.

    Raises:
        UnreadableRow: If they are in no order, so that one might go round in circles.
    """
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM positions WHERE settings = ? AND key > ? ORDER BY key LIMIT ?",  # noqa: S608  # Our own columns.
        (number, float("-inf") if key is None else key, BATCH),
    ).fetchall()
    keys = [row[0] for row in rows] if key is None else [key, *(row[0] for row in rows)]
    if any(later <= earlier for earlier, later in pairwise(keys)):
        raise UnreadableRow("its positions are in no order")
    return rows


def to_experience(row: Row) -> Experience:
    """Make an experience of a row.

    Raises:
        UnreadableRow: If it makes no sense.
    """
    key, visits, games, depth, blob = row
    if not (
        isinstance(visits, float)
        and isinstance(games, int)
        and isinstance(depth, int)
        and 0.0 <= visits < math.inf
    ):
        raise UnreadableRow("a position's numbers are overwritten")
    return Experience.from_table(key, visits, decode(blob), depth=depth, games=games)


def next_merge(connection: sqlite3.Connection) -> int:
    """Count one more merge and return its number."""
    connection.execute("UPDATE facts SET value = value + 1 WHERE name = 'merges'")
    return fact(connection, "merges") or 0


def fact(connection: sqlite3.Connection, name: str) -> int | None:
    """Return one of the numbers that are kept about the whole book.

    Raises:
        UnreadableRow: If it is missing.
    """
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    if row is None or not isinstance(row[0], int | None):
        raise UnreadableRow(f"its fact {name!r} is overwritten")
    value: int | None = row[0]
    return value


def refuse_nonsense(news: Sequence[Experience], size: int) -> None:
    """Check that experiences can be added.

    Raises:
        BookError: If one of them makes no sense; the message says which and why.
    """
    # One look at all moves is quick; who has the fault is asked only if there is one.
    sound = table_fault(stacked([new.table for new in news]), size) is None
    for new in news:
        fault = fault_of(new, size, moves=not sound)
        if fault is not None:
            raise BookError(f"nothing can be learned of position {new.key}: {fault}")


def add(
    connection: sqlite3.Connection,
    number: int,
    size: int,
    news: Sequence[Experience],
    merge: int,
    games: int | None = None,
) -> None:
    """Add what is new to what there is; *news* must make sense.

    Every position counts *games* more, or as many as it has itself.
    """
    keys = list({experience.key: None for experience in news})
    known = fetch(connection, number, size, keys)
    places = {key: place for place, key in enumerate(keys)}
    parts = [*known.values(), *news]
    owners = [places[part.key] for part in parts]
    visits = np.bincount(owners, [part.visits for part in parts])
    factors = np.minimum(1.0, MOST_VISITS / np.maximum(visits, 1.0))
    depths = dict.fromkeys(keys, sys.maxsize)
    counts = {key: known[key].games if key in known else 0 for key in keys}
    for part in parts:
        depths[part.key] = min(depths[part.key], part.depth)
    if games is None:
        for part in news:
            counts[part.key] += part.games
    else:
        # A game that comes to a position twice is one game all the same.
        for key in {part.key for part in news}:
            counts[key] += games
    tables = added([part.table for part in parts], owners, factors)
    rows = []
    for key, kept, table in zip(keys, (visits * factors).tolist(), tables, strict=True):
        depth = depths[key]
        value = worth(kept, depth, merge)
        rows.append((number, key, kept, counts[key], depth, merge, value, encode(table)))
    connection.executemany(_WRITE, rows)
    connection.execute(
        "UPDATE settings SET positions = positions + ? WHERE id = ?",
        (len(keys) - len(known), number),
    )


def add_settings(connection: sqlite3.Connection, settings: GameSettings, games: int) -> int:
    """Count games for the settings, which are added if they are new, and return their number."""
    values = (settings.size, settings.rules, half_points(settings.komi), games)
    connection.execute(
        "INSERT INTO settings (size, rules, komi_half_points, games) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (size, rules, komi_half_points) DO UPDATE SET games = games + excluded.games",
        values,
    )
    row = connection.execute(_SETTINGS_NUMBER, values[:3]).fetchone()
    return int(row[0])


def remove_least(connection: sqlite3.Connection, count: int) -> int:
    """Remove the *count* positions that are worth least, and return how many there were."""
    rows = connection.execute(
        "SELECT id, settings FROM positions ORDER BY worth LIMIT ?", (count,)
    ).fetchall()
    connection.executemany("DELETE FROM positions WHERE id = ?", [(row[0],) for row in rows])
    connection.executemany(
        "UPDATE settings SET positions = positions - ? WHERE id = ?",
        [(gone, number) for number, gone in Counter(row[1] for row in rows).items()],
    )
    return len(rows)


def count_positions(connection: sqlite3.Connection) -> int:
    """Return how many positions there are in all."""
    row = connection.execute("SELECT coalesce(sum(positions), 0) FROM settings").fetchone()
    return int(row[0])


def size_limit(connection: sqlite3.Connection) -> int | None:
    """Return how many positions the book may have; None for any number."""
    return fact(connection, "size_limit")
