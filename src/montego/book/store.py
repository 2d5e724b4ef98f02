"""A book: one SQLite file with what searches learned about positions.

Several processes, and threads of each, may read and write a book at once. A merge is one
transaction: others see all of it or nothing, and a process that is killed in the middle loses that
merge and no more. How the file looks inside is :mod:`montego.book.database`'s affair.

A book keeps at most ``size_limit`` positions; when it is full, the least useful make room. A
position keeps at most :data:`MOST_VISITS`; beyond, all of its numbers shrink in proportion, so that
old experience fades as new is added.
"""

from __future__ import annotations

import contextlib
import heapq
import math
import sqlite3
import sys
import threading
from collections import Counter
from dataclasses import dataclass
from itertools import islice, pairwise, repeat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from montego.book import database
from montego.book.errors import BookError, ReadOnlyBook, UnreadableRow
from montego.book.experience import (
    Experience,
    added,
    decode,
    encode,
    number_fault,
    stacked,
    stored_fault,
    table_fault,
)
from montego.book.position import GameSettings, half_points
from montego.folders import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_VISITS = 1_000_000.0  # Single precision counts whole visits up to sixteen times as many.

# What a position is worth is the logarithm of its visits, so that one number, written once, ranks
# it among others for good: every position fades at the same rate.
MERGES_PER_HALVING = 2_000  # Merges without a position that make it worth half of its visits.
PLIES_PER_HALVING = 20

BATCH = 500  # Rows asked for at once; every SQLite takes 999 parameters.
MOST_COMPLAINTS = 20

_ASKED_TOGETHER = 8.0  # How many times as visited the first of a question may be as the last.


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


def default_book() -> Path:
    """Return where the user's own book is: in the data folder unless the environment says."""
    return data_folder() / "book.sqlite"


class Book:
    """A book that is open. Every method may be called from any thread; close it in the end.

    Every method raises :class:`BookError`, with a sentence for the user, if the file cannot be
    used; then nothing in it has changed.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
        """Use :meth:`open`."""
        self.path = path
        self.read_only = read_only
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.RLock()
        self._mover: threading.Thread | None = None

    @classmethod
    def open(
        cls,
        path: Path | str | None = None,
        *,
        create: bool = True,
        read_only: bool = False,
        patience: float = 10.0,
    ) -> Book:
        """Open the book at *path*, or the user's own; with *create* make it if there is none.

        *patience* is how many seconds to wait for others who write. The folder of the user's own
        book, where presets keep theirs, is made if it is missing, other folders are not. A book on
        a read-only disk can be opened with *read_only*, which never makes one.

        Raises:
            NoBook: If there is none, or a folder or device in its place.
            ReadOnlyBook: If it cannot be written, and *read_only* is not set.
            BookLocked: If another program writes for longer than *patience*.
            BookError: If anything else is wrong with it: another program's file, a later format,
                damage, no room.
        """
        path = default_book() if path is None else Path(path)
        if path.parent == default_book().parent and create and not read_only:
            with contextlib.suppress(OSError):  # Reported when the file cannot be made.
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        connection = database.connect(path, create=create, read_only=read_only, patience=patience)
        return cls(connection, path, read_only=read_only)

    def close(self) -> None:
        """Close the file; calling it again does nothing."""
        with self._lock:
            if self._mover is not None:
                self._mover.join()
            if self._connection is not None:
                with contextlib.suppress(sqlite3.Error):  # Merges are in the file already.
                    self._connection.close()
                self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # Reading

    def settings(self) -> list[GameSettings]:
        """Return the settings that the book has positions for, those with most first."""
        with self._reading() as connection:
            return [settings for _, settings, *_ in _known_settings(connection)]

    def find(self, settings: GameSettings, key: int) -> Experience | None:
        """Return what the book knows of a position, or None."""
        return self.find_many(settings, (key,)).get(key)

    def find_many(self, settings: GameSettings, keys: Iterable[int]) -> dict[int, Experience]:
        """Return what the book knows of positions, by key; unknown ones are left out."""
        with self._reading() as connection:
            return _section_of(connection, settings).fetch(tuple(keys))

    def subtree(self, settings: GameSettings, key: int, *, limit: int) -> dict[int, Experience]:
        """Return what the book knows of a position and those after it, *limit* of them at most.

        They are the most visited ones that can be reached from it by moves the book knows, about
        in that order; a position stands behind one that it was reached from.
        """
        found: dict[int, Experience] = {}
        asked: set[int] = set()
        # What moves of known positions lead to, the most visited moves first. Two numbers keep
        # equally visited ones in the order in which they were met.
        queue = [(0.0, 0, 0, key)]  # Visits are negative: the least comes first.
        with self._reading() as connection:
            section = _section_of(connection, settings)
            while queue and len(found) < limit:
                # Few questions of many positions are quicker than many questions, but what comes
                # after the first of them may be visited more than the last of them: they must not
                # differ by much.
                batch: list[int] = []
                room, least = min(BATCH, limit - len(found)), -math.inf
                while queue and len(batch) < room and -queue[0][0] >= least:
                    negative, _, _, key = heapq.heappop(queue)
                    if key not in asked:
                        asked.add(key)
                        batch.append(key)
                        least = max(least, -negative / _ASKED_TOGETHER)
                fetched = section.fetch(batch)
                for known in (fetched[key] for key in batch if key in fetched):
                    found[known.key] = known
                    after = known.table["after"]
                    places = after.nonzero()[0]
                    visits = (-known.table["visits"][places]).tolist()
                    rest = (repeat(len(found)), places.tolist(), after[places].tolist())
                    for entry in zip(visits, *rest, strict=False):
                        heapq.heappush(queue, entry)
        return found

    def positions(self, settings: GameSettings) -> Iterator[Experience]:
        """Yield every position, by key. The book may change meanwhile: it is read bit by bit."""
        for batch in self._batches(settings):
            yield from batch

    def _batches(self, settings: GameSettings) -> Iterator[list[Experience]]:
        last = -math.inf
        while True:
            with self._reading() as connection:
                rows = _section_of(connection, settings).rows_after(last)
                batch = [_to_experience(row) for row in rows]
            if not batch:
                return
            yield batch
            last = batch[-1].key

    def statistics(self) -> BookStatistics:
        """Return what is in the book, in numbers. Reads an index, not the positions."""
        with self._reading() as connection:
            each = []
            for section, settings, positions, games in _known_settings(connection):
                if not (isinstance(positions, int) and isinstance(games, int)):
                    raise UnreadableRow("the numbers of its positions are overwritten")
                # By itself SQLite would walk over the positions, blobs and all.
                visits, deepest = connection.execute(
                    "SELECT total(visits), coalesce(max(depth), 0) "
                    "FROM positions INDEXED BY positions_by_worth WHERE settings = ?",
                    (section.number,),
                ).fetchone()
                each.append(SettingsStatistics(settings, positions, visits, games, deepest))
            return BookStatistics(
                path=self.path,
                format=database.FORMAT,
                bytes=sum(map(database.length, (self.path, database.log_of(self.path)))),
                positions=sum(part.positions for part in each),
                games=database.number(connection, "SELECT coalesce(sum(games), 0) FROM settings"),
                merges=_fact(connection, "merges") or 0,
                size_limit=_fact(connection, "size_limit"),
                settings=tuple(each),
            )

    def check(self) -> list[str]:
        """Read the whole book and return what is wrong with it, in words; nothing if it is sound.

        Stops after some twenty. A file that cannot be opened has been refused before this.
        """
        with self._reading() as connection:
            return list(islice(_complaints(connection), MOST_COMPLAINTS))

    # Writing

    def merge(
        self,
        settings: GameSettings,
        experiences: Iterable[Experience],
        *,
        games: int = 1,
        counted: bool = False,
    ) -> None:
        """Add what was learned to what the book knows, in one piece.

        *games* is how many games it was learned from; each position counts them, unless they are
        *counted*: then each says itself how many games told of it. Sums of values are brought
        within 0 and the number of visits, which some rewards exceed.

        Raises:
            BookError: Also if a number makes no sense, such as a move that the board does not have.
        """
        news = list(experiences)
        if news:
            self._add([(settings, games, [news])], None if counted else games)

    def absorb(self, other: Book) -> int:
        """Add all that another book knows, in one piece, and return how many positions it had.

        Others who want to write this book have to wait until it is done.

        Raises:
            BookError: Also if both are the same file.
        """
        if self.path.samefile(other.path):
            raise BookError(f"the book {self.path} cannot be merged into itself")
        parts = other.statistics().settings
        return self._add((one.settings, one.games, other._batches(one.settings)) for one in parts)

    def _add(
        self,
        parts: Iterable[tuple[GameSettings, int, Iterable[Sequence[Experience]]]],
        games_each: int | None = None,
    ) -> int:
        """Add positions, batch by batch, and return how many there were.

        Of each part the settings, how many games it is from, and batches. Each position counts
        *games_each* more, or as many as it has itself.
        """
        count = 0
        with self._writing() as connection:
            connection.execute("UPDATE facts SET value = value + 1 WHERE name = 'merges'")
            merge = _fact(connection, "merges") or 0
            for settings, games, batches in parts:
                section = _section_of(connection, settings, games)
                for batch in batches:
                    _refuse_nonsense(batch, settings.size)
                    section.add(batch, merge, games_each)
                    count += len(batch)
            limit = _fact(connection, "size_limit")
            if limit is not None:
                _remove_to(connection, limit)
        self._shorten_log()
        return count

    @property
    def size_limit(self) -> int | None:
        """How many positions the book may have; None for any number. It is kept in the file.

        Setting it removes nothing yet: the next merge does, or :meth:`prune`.
        """
        with self._reading() as connection:
            return _fact(connection, "size_limit")

    @size_limit.setter
    def size_limit(self, positions: int | None) -> None:
        if positions is not None and positions < 1:
            raise BookError(f"a book of {positions} positions is none: say a number from 1")
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO facts VALUES ('size_limit', ?)", (positions,)
            )

    def prune(self, positions: int | None = None, bytes: int | None = None) -> int:  # noqa: A002
        """Remove the least useful positions and make the file smaller; return how many went.

        Afterwards there are at most so many *positions*, and the file has at most so many *bytes*
        if that is possible at all: without positions it still takes some pages. With neither only
        gaps go. The size limit stays as it is. Needs as much room again while it lasts; as long as
        another program reads, the new file stays in the log beside the old one.
        """
        with self._writing() as connection:
            removed = 0 if positions is None else _remove_to(connection, max(0, positions))
        while True:
            with self._reading() as connection:
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                pages = database.number(connection, "PRAGMA page_count")
                used = pages * database.number(connection, "PRAGMA page_size")
                left = _count_positions(connection)
            if bytes is None or used <= bytes:
                return removed
            with self._writing() as connection:
                gone = _remove_to(connection, max(0, min(left - 1, int(left * bytes / used))))
            if gone == 0:
                return removed
            removed += gone

    # The file

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection, and say of what fails what it means for the book."""
        with self._lock:
            if self._connection is None:
                raise BookError(f"the book {self.path} is closed")
            try:
                yield self._connection
            except database.FAILURES as error:
                raise database.failure(error, self.path) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """As :meth:`_reading`, in a transaction."""
        with self._reading() as connection:
            if self.read_only:
                raise ReadOnlyBook(f"the book {self.path} was opened to be read only")
            with database.transaction(connection):
                yield connection

    def _shorten_log(self) -> None:
        """Have many late changes moved into the file meanwhile: merging does not wait for it."""
        with self._lock:
            moving = self._mover is not None and self._mover.is_alive()
            if not moving and database.length(database.log_of(self.path)) >= database.LOG_BYTES:
                self._mover = threading.Thread(
                    target=database.move_log, args=(self.path,), name="book log", daemon=True
                )
                self._mover.start()


# The rows, inside a transaction that somebody else began. What reads them raises UnreadableRow if
# they make no sense.

_Row = tuple[int, float, int, int, object]  # A position's key, visits, games, depth and blob.
_COLUMNS = "key, visits, games, depth, moves"


class _Section(NamedTuple):
    """The positions of one of the settings in a book; *number* 0 is a section that has none."""

    connection: sqlite3.Connection
    number: int
    size: int

    def fetch(self, keys: Sequence[int]) -> dict[int, Experience]:
        """Return the positions with these keys that there are."""
        found: dict[int, Experience] = {}
        for start in range(0, len(keys), BATCH):
            batch = keys[start : start + BATCH]
            marks = ", ".join("?" * len(batch))
            query = f"SELECT {_COLUMNS} FROM positions WHERE settings = ? AND key IN ({marks})"  # noqa: S608
            for row in self.connection.execute(query, (self.number, *batch)).fetchall():
                found[row[0]] = _to_experience(row)
        every = stacked([experience.table for experience in found.values()])
        fault = table_fault(every, self.size, stored=True)
        if fault is not None:
            raise UnreadableRow(f"of a position in it, {fault}")
        return found

    def rows_after(self, key: float) -> list[_Row]:
        """Return the next rows after *key*, by key; none if there are no more."""
        rows = self.connection.execute(
            f"SELECT {_COLUMNS} FROM positions WHERE settings = ? AND key > ? ORDER BY key LIMIT ?",  # noqa: S608  # Our own columns.
            (self.number, key, BATCH),
        ).fetchall()
        if any(later <= earlier for earlier, later in pairwise([key, *(row[0] for row in rows)])):
            raise UnreadableRow("its positions are in no order")  # One might go round in circles.
        return rows

    def add(self, news: Sequence[Experience], merge: int, games: int | None) -> None:
        """Add what is new to what there is; *news* must make sense.

        Every position counts *games* more, or as many as it has itself.
        """
        keys = list({experience.key: None for experience in news})
        known = self.fetch(keys)
        places = {key: place for place, key in enumerate(keys)}
        parts = [*known.values(), *news]
        owners = [places[part.key] for part in parts]
        visits = np.bincount(owners, [part.visits for part in parts])
        factors = np.minimum(1.0, MOST_VISITS / np.maximum(visits, 1.0))
        depths = dict.fromkeys(keys, sys.maxsize)
        # A game that comes to a position twice is one game all the same.
        counts = dict.fromkeys(keys, games or 0)
        for part in parts:
            depths[part.key] = min(depths[part.key], part.depth)
        for part in known.values() if games is not None else parts:
            counts[part.key] += part.games
        tables = added([part.table for part in parts], owners, factors)
        rows = []
        for key, kept, table in zip(keys, (visits * factors).tolist(), tables, strict=True):
            recency, depth = merge / MERGES_PER_HALVING, depths[key]
            worth = math.log2(1.0 + kept) + recency - depth / PLIES_PER_HALVING
            blob = encode(table)
            rows.append((self.number, key, kept, counts[key], depth, merge, worth, blob))
        self.connection.executemany(
            """
            INSERT INTO positions (settings, key, visits, games, depth, merged, worth, moves)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (settings, key) DO UPDATE SET
                visits = excluded.visits, games = excluded.games, depth = excluded.depth,
                merged = excluded.merged, worth = excluded.worth, moves = excluded.moves
            """,
            rows,
        )
        self.connection.execute(
            "UPDATE settings SET positions = positions + ? WHERE id = ?",
            (len(keys) - len(known), self.number),
        )


def _section_of(
    connection: sqlite3.Connection, settings: GameSettings, games: int | None = None
) -> _Section:
    """Return the section for the settings; one without positions if the book does not know them.

    With *games* it is made if need be, and so many games more are counted there.
    """
    values = (settings.size, settings.rules, half_points(settings.komi))
    if games is not None:
        connection.execute(
            "INSERT INTO settings (size, rules, komi_half_points, games) VALUES (?, ?, ?, ?) ON "
            "CONFLICT (size, rules, komi_half_points) DO UPDATE SET games = games + excluded.games",
            (*values, games),
        )
    row = connection.execute(
        "SELECT id FROM settings WHERE size = ? AND rules = ? AND komi_half_points = ?", values
    ).fetchone()
    return _Section(connection, 0 if row is None else int(row[0]), settings.size)


def _known_settings(
    connection: sqlite3.Connection,
) -> Iterator[tuple[_Section, GameSettings, object, object]]:
    """Yield what has positions: section, settings, and how many positions and games the book says.

    Those with most positions come first.
    """
    for number, size, rules, half, positions, games in connection.execute(
        "SELECT id, size, rules, komi_half_points, positions, games FROM settings "
        "WHERE positions > 0 ORDER BY positions DESC, id"
    ).fetchall():
        if not (isinstance(rules, str) and all(isinstance(n, int) for n in (number, size, half))):
            raise UnreadableRow("settings are overwritten")
        section = _Section(connection, number, size)
        yield section, GameSettings(size, rules, half / 2), positions, games


def _to_experience(row: _Row) -> Experience:
    key, visits, games, depth, blob = row
    is_number = isinstance(visits, float) and 0.0 <= visits < math.inf
    if not (is_number and isinstance(games, int) and isinstance(depth, int)):
        raise UnreadableRow("a position's numbers are overwritten")
    return Experience(key, visits, decode(blob), depth=depth, games=games)


def _fact(connection: sqlite3.Connection, name: str) -> int | None:
    """Return one of the numbers that are kept about the whole book."""
    row = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    if row is None or not isinstance(row[0], int | None):
        raise UnreadableRow(f"its fact {name!r} is overwritten")
    value: int | None = row[0]
    return value


def _refuse_nonsense(news: Sequence[Experience], size: int) -> None:
    """Check that experiences can be added.

    Raises:
        BookError: If one of them makes no sense; the message says which and why.
    """
    # One look at all moves is quick; who has the fault is asked only if there is one.
    sound = table_fault(stacked([new.table for new in news]), size) is None
    for new in news:
        fault = number_fault(new) or (None if sound else table_fault(new.table, size))
        if fault is not None:
            raise BookError(f"nothing can be learned of position {new.key}: {fault}")


def _count_positions(connection: sqlite3.Connection) -> int:
    return database.number(connection, "SELECT coalesce(sum(positions), 0) FROM settings")


def _remove_to(connection: sqlite3.Connection, positions: int) -> int:
    """Remove the positions worth least until so many are left, and return how many went."""
    surplus = max(0, _count_positions(connection) - positions)
    rows = connection.execute(
        "SELECT id, settings FROM positions ORDER BY worth LIMIT ?", (surplus,)
    ).fetchall()
    connection.executemany("DELETE FROM positions WHERE id = ?", [(row[0],) for row in rows])
    connection.executemany(
        "UPDATE settings SET positions = positions - ? WHERE id = ?",
        [(gone, number) for number, gone in Counter(row[1] for row in rows).items()],
    )
    return len(rows)


def _complaints(connection: sqlite3.Connection) -> Iterator[str]:
    """Look at every page and every position, and yield what is wrong, in words."""
    try:
        for (found,) in connection.execute(f"PRAGMA integrity_check({MOST_COMPLAINTS})").fetchall():
            if found != "ok":
                yield f"the file is damaged: {found.strip()}"
        for number, said, counted in connection.execute(
            "SELECT settings.id, settings.positions, count(positions.id) FROM settings "
            "LEFT JOIN positions ON positions.settings = settings.id GROUP BY settings.id"
        ).fetchall():
            if said != counted:
                yield f"settings {number} should have {said} positions and have {counted}"
        orphans = "SELECT count(*) FROM positions WHERE settings NOT IN (SELECT id FROM settings)"
        lost = database.number(connection, orphans)
        if lost:
            yield f"{lost} positions belong to no settings"
        for section, *_ in _known_settings(connection):
            last = -math.inf
            while rows := section.rows_after(last):
                for row in rows:
                    try:
                        fault = stored_fault(_to_experience(row), section.size)
                    except UnreadableRow as error:
                        fault = str(error)
                    if fault is not None:
                        yield f"position {row[0]}: {fault}"
                last = rows[-1][0]
    except database.FAILURES as error:
        yield f"the file is damaged: {error}"
