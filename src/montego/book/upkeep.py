"""Looking after a book: what is in it, whether it is sound, and making it smaller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.book import rows, schema
from montego.book.encoding import stored_fault
from montego.book.errors import UnreadableRow
from montego.book.statistics import BookStatistics, SettingsStatistics

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

MOST_COMPLAINTS = 20


def gather_statistics(connection: sqlite3.Connection, path: Path) -> BookStatistics:
    """Count what is in the book. Reads an index, not the positions."""
    counts = {
        number: (positions, games)
        for number, positions, games in connection.execute(
            "SELECT id, positions, games FROM settings"
        ).fetchall()
    }
    if not all(isinstance(count, int) for pair in counts.values() for count in pair):
        raise UnreadableRow("the numbers of its positions are overwritten")
    each = []
    for number, settings in rows.known_settings(connection):
        # By itself SQLite would walk over the positions, blobs and all.
        visits, deepest = connection.execute(
            "SELECT total(visits), coalesce(max(depth), 0) "
            "FROM positions INDEXED BY positions_by_worth WHERE settings = ?",
            (number,),
        ).fetchone()
        positions, games = counts[number]
        each.append(SettingsStatistics(settings, positions, visits, games, deepest))
    return BookStatistics(
        path=path,
        format=schema.FORMAT,
        bytes=file_bytes(path),
        positions=sum(part.positions for part in each),
        games=sum(games for _, games in counts.values()),
        merges=rows.fact(connection, "merges") or 0,
        size_limit=rows.size_limit(connection),
        settings=tuple(each),
    )


def file_bytes(path: Path) -> int:
    """Return the bytes of the file and of the log of late changes beside it."""
    return _length(path) + _length(schema.log_of(path))


def has_long_log(path: Path) -> bool:
    """Say whether there are so many late changes that they should be moved into the file."""
    return _length(schema.log_of(path)) >= schema.LOG_BYTES


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # Somebody took it away.
        return 0


def remove_to(connection: sqlite3.Connection, positions: int) -> int:
    """Remove the positions worth least until so many are left, and return how many went."""
    with schema.transaction(connection):
        surplus = max(0, rows.count_positions(connection) - positions)
        return rows.remove_least(connection, surplus)


def shrink(connection: sqlite3.Connection) -> None:
    """Write the file anew without gaps. Needs as much room again while it lasts.

    As long as another program reads, the new file stays in the log beside the old one.
    """
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def shrink_to(connection: sqlite3.Connection, size: int) -> int:
    """Remove the positions worth least until a file without gaps has at most *size* bytes.

    Returns how many went. A book without positions still takes some pages.
    """

    def number(name: str) -> int:
        return int(connection.execute(f"PRAGMA {name}").fetchone()[0])

    removed = 0
    while True:
        shrink(connection)
        used = number("page_count") * number("page_size")
        positions = rows.count_positions(connection)
        fitting = min(positions - 1, int(positions * size / used))
        gone = 0 if used <= size else remove_to(connection, max(0, fitting))
        if gone == 0:
            return removed
        removed += gone


def complaints(connection: sqlite3.Connection) -> Iterator[str]:
    """Look at every page and every position, and yield what is wrong, in words."""
    try:
        for (found,) in connection.execute(f"PRAGMA integrity_check({MOST_COMPLAINTS})").fetchall():
            if found != "ok":
                yield f"the file is damaged: {found.strip()}"
        yield from _wrong_counts(connection)
        for number, settings in rows.known_settings(connection):
            yield from _wrong_positions(connection, number, settings.size)
    except schema.FAILURES as error:
        yield f"the file is damaged: {error}"


def _wrong_counts(connection: sqlite3.Connection) -> Iterator[str]:
    for number, said, counted in connection.execute(
        "SELECT settings.id, settings.positions, count(positions.id) FROM settings "
        "LEFT JOIN positions ON positions.settings = settings.id GROUP BY settings.id"
    ).fetchall():
        if said != counted:
            yield f"settings {number} should have {said} positions and have {counted}"
    (lost,) = connection.execute(
        "SELECT count(*) FROM positions WHERE settings NOT IN (SELECT id FROM settings)"
    ).fetchone()
    if lost:
        yield f"{lost} positions belong to no settings"


def _wrong_positions(connection: sqlite3.Connection, number: int, size: int) -> Iterator[str]:
    last: int | None = None
    while batch := rows.batch_after(connection, number, last):
        for row in batch:
            try:
                fault = stored_fault(rows.to_experience(row), size)
            except UnreadableRow as error:
                fault = str(error)
            if fault is not None:
                yield f"position {row[0]}: {fault}"
        last = batch[-1][0]
