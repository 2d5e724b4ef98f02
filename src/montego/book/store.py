"""A book: one SQLite file with what searches learned about positions.

Several processes, and threads of each, may read and write a book at once. A merge is one
transaction: others see all of it or nothing, and a process that is killed in the middle loses that
merge and no more. How the file looks inside is :mod:`montego.book.schema`'s affair, what adding
means :mod:`montego.book.rows`'.

A book keeps at most ``size_limit`` positions; when it is full, the least useful make room.
"""

from __future__ import annotations

import contextlib
import heapq
import math
import os
import sqlite3
import threading
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from montego.book import rows, schema, upkeep
from montego.book.errors import BookError, ReadOnlyBook

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from montego.book.experience import Experience
    from montego.book.position import GameSettings
    from montego.book.statistics import BookStatistics

DATA_DIR_VARIABLE = "MONTEGO_DATA_DIR"

_ASKED_TOGETHER = 8.0  # How many times as visited the first of a question may be as the last.


def default_book() -> Path:
    """Return where the user's own book is: in the data folder unless the environment says."""
    named = os.environ.get(DATA_DIR_VARIABLE)
    if named:
        return Path(named).expanduser() / "book.sqlite"
    import platformdirs  # noqa: PLC0415  # Needed by nobody who names a file.

    return platformdirs.user_data_path("montego", appauthor=False) / "book.sqlite"


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
        book is made if it is missing, other folders are not. A book on a read-only disk can be
        opened with *read_only*, which never makes one.

        Raises:
            NoBook: If there is none, or a folder or device in its place.
            ForeignFile: If the file is another program's.
            NewerBook: If a later version of Montego wrote it.
            DamagedBook: If it was cut off or overwritten.
            ReadOnlyBook: If it cannot be written, and *read_only* is not set.
            BookLocked: If another program writes for longer than *patience*.
            BookFull: If there is no room to make it.
            BookError: If anything else is wrong with it.
        """
        if path is None:
            path = default_book()
            if create and not read_only:
                with contextlib.suppress(OSError):  # Reported when the file cannot be made.
                    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = Path(path)
        connection = schema.connect(path, create=create, read_only=read_only, patience=patience)
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

    def settings(self) -> list[GameSettings]:
        """Return the settings that the book has positions for, those with most first."""
        with self._reading() as connection:
            return [settings for _, settings in rows.known_settings(connection)]

    def find(self, settings: GameSettings, key: int) -> Experience | None:
        """Return what the book knows of a position, or None."""
        return self.find_many(settings, (key,)).get(key)

    def find_many(self, settings: GameSettings, keys: Iterable[int]) -> dict[int, Experience]:
        """Return what the book knows of positions, by key; unknown ones are left out."""
        with self._reading() as connection:
            number = rows.settings_number(connection, settings)
            if number is None:
                return {}
            return rows.fetch(connection, number, settings.size, tuple(keys))

    def subtree(self, settings: GameSettings, key: int, *, limit: int) -> dict[int, Experience]:
        """Return what the book knows of a position and those after it, *limit* of them at most.

        They are the most visited ones that can be reached from it by moves the book knows, about
        in that order; a position stands behind one that it was reached from.
        """
        found: dict[int, Experience] = {}
        with self._reading() as connection:
            number = rows.settings_number(connection, settings)
            if number is None:
                return found
            frontier = _Frontier(key)
            while batch := frontier.most_visited(min(rows.BATCH, limit - len(found))):
                fetched = rows.fetch(connection, number, settings.size, batch)
                for known in batch:
                    experience = fetched.get(known)
                    if experience is not None:
                        found[known] = experience
                        frontier.add_after(experience)
        return found

    def positions(self, settings: GameSettings) -> Iterator[Experience]:
        """Yield every position, by key. The book may change meanwhile: it is read bit by bit."""
        last: int | None = None
        while True:
            with self._reading() as connection:
                number = rows.settings_number(connection, settings)
                batch = [] if number is None else rows.batch_after(connection, number, last)
                experiences = [rows.to_experience(row) for row in batch]
            if not experiences:
                return
            yield from experiences
            last = experiences[-1].key

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
        if not news:
            return
        rows.refuse_nonsense(news, settings.size)
        with self._writing() as connection:
            number = rows.add_settings(connection, settings, games)
            merge = rows.next_merge(connection)
            rows.add(connection, number, settings.size, news, merge, None if counted else games)
            _make_room(connection)
        self._shorten_log()

    def absorb(self, other: Book) -> int:
        """Add all that another book knows, in one piece, and return how many positions it had.

        Others who want to write this book have to wait until it is done.

        Raises:
            BookError: Also if both are the same file.
        """
        if self.path.samefile(other.path):
            raise BookError(f"the book {self.path} cannot be merged into itself")
        count = 0
        with self._writing() as connection:
            merge = rows.next_merge(connection)
            for part in other.statistics().settings:
                number = rows.add_settings(connection, part.settings, part.games)
                positions = other.positions(part.settings)
                while batch := list(islice(positions, rows.BATCH)):
                    rows.refuse_nonsense(batch, part.settings.size)
                    rows.add(connection, number, part.settings.size, batch, merge)
                    count += len(batch)
            _make_room(connection)
        self._shorten_log()
        return count

    @property
    def size_limit(self) -> int | None:
        """How many positions the book may have; None for any number. It is kept in the file.

        Setting it removes nothing yet: the next merge does, or :meth:`prune`.
        """
        with self._reading() as connection:
            return rows.size_limit(connection)

    @size_limit.setter
    def size_limit(self, positions: int | None) -> None:
        if positions is not None and positions < 1:
            raise BookError(f"a book of {positions} positions is none: say a number from 1")
        with self._writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO facts VALUES ('size_limit', ?)", (positions,)
            )

    def statistics(self) -> BookStatistics:
        """Return what is in the book, in numbers."""
        with self._reading() as connection:
            return upkeep.gather_statistics(connection, self.path)

    def prune(self, positions: int | None = None, bytes: int | None = None) -> int:  # noqa: A002
        """Remove the least useful positions and make the file smaller; return how many went.

        Afterwards there are at most so many *positions*, and the file has at most so many *bytes*
        if that is possible at all. With neither only gaps go. The size limit stays as it is.
        """
        removed = 0
        with self._reading() as connection:
            self._refuse_if_read_only()
            if positions is not None:
                removed += upkeep.remove_to(connection, max(0, positions))
            if bytes is None:
                upkeep.shrink(connection)
            else:
                removed += upkeep.shrink_to(connection, bytes)
        return removed

    def check(self) -> list[str]:
        """Read the whole book and return what is wrong with it, in words; nothing if it is sound.

        Stops after some twenty. A file that cannot be opened has been refused before this.
        """
        with self._reading() as connection:
            return list(islice(upkeep.complaints(connection), upkeep.MOST_COMPLAINTS))

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection, and say of what fails what it means for the book."""
        with self._lock:
            if self._connection is None:
                raise BookError(f"the book {self.path} is closed")
            try:
                yield self._connection
            except schema.FAILURES as error:
                raise schema.failure(error, self.path) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """As :meth:`_reading`, in a transaction."""
        with self._reading() as connection:
            self._refuse_if_read_only()
            with schema.transaction(connection):
                yield connection

    def _shorten_log(self) -> None:
        """Have many late changes moved into the file meanwhile: merging does not wait for it."""
        with self._lock:
            moving = self._mover is not None and self._mover.is_alive()
            if not moving and upkeep.has_long_log(self.path):
                self._mover = threading.Thread(
                    target=schema.move_log, args=(self.path,), name="book log", daemon=True
                )
                self._mover.start()

    def _refuse_if_read_only(self) -> None:
        if self.read_only:
            raise ReadOnlyBook(f"the book {self.path} was opened to be read only")


def _make_room(connection: sqlite3.Connection) -> None:
    limit = rows.size_limit(connection)
    if limit is not None:
        rows.remove_least(connection, max(0, rows.count_positions(connection) - limit))


class _Frontier:
    """Positions to ask for next: those that moves of known ones lead to, by the moves' visits."""

    def __init__(self, root: int) -> None:
        # Of each known position the moves with a position after them, the most visited first; one
        # of them at a time is in the queue, with the number of its position and its rank there.
        self._visits: list[list[float]] = [[0.0]]
        self._after: list[list[int]] = [[root]]
        self._queue = [(0.0, 0, 0)]
        self._asked: set[int] = set()

    def add_after(self, experience: Experience) -> None:
        """Let the positions after one be asked for."""
        table = experience.table
        places = table["after"].nonzero()[0]
        if len(places):
            places = places[np.argsort(-table["visits"][places], kind="stable")]
            visits = table["visits"][places].tolist()
            heapq.heappush(self._queue, (-visits[0], len(self._visits), 0))
            self._visits.append(visits)
            self._after.append(table["after"][places].tolist())

    def most_visited(self, count: int) -> list[int]:
        """Return the keys of at most so many positions that were not asked for; none at the end.

        Few questions of many positions are quicker than many questions, but what comes after the
        first of them may be visited more than the last of them: they must not differ by much.
        """
        batch: list[int] = []
        least = -math.inf
        queue = self._queue
        while queue and len(batch) < count:
            visits, number, rank = queue[0]
            if -visits < least:
                break
            key, further = self._after[number][rank], rank + 1
            if further < len(self._after[number]):
                heapq.heapreplace(queue, (-self._visits[number][further], number, further))
            else:
                heapq.heappop(queue)
            if key not in self._asked:
                if not batch:
                    least = -visits / _ASKED_TOGETHER
                self._asked.add(key)
                batch.append(key)
        return batch
