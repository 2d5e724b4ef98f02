"""A book as an SQLite file: its tables, how one is told from any other file, and what fails.

The file carries Montego's ``application_id`` from its first write on, and the version of its format
as ``user_version``. It is in WAL mode: readers never wait, writers wait for one another, and a
process that dies in the middle of a write leaves the file as it was before. While a book is open,
two files with its name and ``-wal`` and ``-shm`` lie beside it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from typing import TYPE_CHECKING

from montego.book.errors import (
    BookError,
    BookLocked,
    NoBook,
    ReadOnlyBook,
    UnreadableRow,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APPLICATION_ID = 0x4D6F426B  # "MoBk"
FORMAT = 1
PAGE_BYTES = 8192  # Three positions of 9x9 with all of their moves fit into a page.
CACHE_KIBIBYTES = 16_384  # More than a merge touches, so that nothing is written twice.
LOG_BYTES = 1 << 24  # Late changes beside the file that are enough to be moved into it.
LOG_PAGES = 16_384  # As many that a merge moves them itself, because nobody else came to it.
DEFAULT_SIZE_LIMIT = 200_000

FAILURES = (sqlite3.Error, UnicodeDecodeError, UnreadableRow)
"""What using a file may raise. SQLite quotes damaged names, which Python cannot decode then."""

MAGIC = b"SQLite format 3\0"
"""What every SQLite file begins with."""

_HEADER_BYTES = 100
_APPLICATION_ID_AT = slice(68, 72)

_TABLES = (
    # merges: how many there were; size_limit: positions, or NULL.
    "CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID",
    """CREATE TABLE settings (
        id INTEGER PRIMARY KEY,
        size INTEGER NOT NULL,
        rules TEXT NOT NULL,
        komi_half_points INTEGER NOT NULL,
        positions INTEGER NOT NULL DEFAULT 0, -- how many rows of that table refer to this one
        games INTEGER NOT NULL DEFAULT 0,
        UNIQUE (size, rules, komi_half_points)
    )""",
    # Rows are added at the end, so that positions of one game lie together. The blob comes last:
    # what stands before it is read without it.
    """CREATE TABLE positions (
        id INTEGER PRIMARY KEY,
        settings INTEGER NOT NULL REFERENCES settings (id),
        key INTEGER NOT NULL, -- signed, of the canonical orientation
        visits REAL NOT NULL,
        games INTEGER NOT NULL,
        depth INTEGER NOT NULL, -- plies, at the earliest
        merged INTEGER NOT NULL, -- the number of the latest merge that had it
        worth REAL NOT NULL, -- the least is pruned first
        moves BLOB NOT NULL,
        UNIQUE (settings, key)
    )""",
    # Has what statistics ask for, so that they need not walk over the blobs.
    "CREATE INDEX positions_by_worth ON positions (worth, settings, visits, depth)",
    "INSERT INTO facts VALUES ('merges', 0)",
    f"INSERT INTO facts VALUES ('size_limit', {DEFAULT_SIZE_LIMIT})",  # noqa: S608
    f"PRAGMA user_version = {FORMAT}",
)


def connect(path: Path, *, create: bool, read_only: bool, patience: float) -> sqlite3.Connection:
    """Open the file at *path* as a book, or make one there if it is missing or empty.

    Raises:
        BookError: If it is no book, or cannot be used; the class and the message say why.
    """
    exists = _inspect(path, create=create and not read_only)
    try:
        if read_only:
            connection = _connect_to_read(path, patience)
        elif exists and not _may_write(path):
            raise ReadOnlyBook(f"the book {path} is read-only")
        elif not _may_write(path.parent):
            raise ReadOnlyBook(f"the book {path} lies in a folder that cannot be written")
        else:
            connection = _connect(path, "rwc" if create else "rw", patience)
        try:
            if not read_only and number(connection, "PRAGMA user_version") <= FORMAT:
                _prepare(connection, patience)
            _check_format(number(connection, "PRAGMA user_version"), path)
        except BaseException:
            connection.close()
            raise
    except FAILURES as error:
        raise failure(error, path) from error
    return connection


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write in one piece: whatever goes wrong in between, nothing was written.

    Waits for other writers first, as long as the connection's patience lasts.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself gives up some of them.
            connection.execute("ROLLBACK")
        raise


def number(connection: sqlite3.Connection, question: str) -> int:
    """Return the answer to a question that has one number for it."""
    return int(connection.execute(question).fetchone()[0])


def log_of(path: Path) -> Path:
    """Return the file of late changes beside a book."""
    return path.with_name(f"{path.name}-wal")


def length(path: Path) -> int:
    """Return how many bytes a file has; 0 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def move_log(path: Path) -> None:
    """Move late changes into the file of a book, as far as others do not need them to stay.

    Nobody has to wait for it, and nothing comes of it if it fails.
    """
    with (
        contextlib.suppress(*FAILURES),
        contextlib.closing(_connect(path, "rw", 0.0)) as connection,
    ):
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def failure(error: Exception, path: Path) -> BookError:
    """Return what one of FAILURES means for the book, in a sentence."""
    if isinstance(error, UnicodeDecodeError | UnreadableRow):
        why = error if isinstance(error, UnreadableRow) else "it was overwritten"
        return BookError(f"the book {path} is damaged: {why}")
    code = getattr(error, "sqlite_errorcode", None)
    match code & 0xFF if code is not None else None:
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return BookError(f"the book {path} is damaged: it was cut off or overwritten")
        case sqlite3.SQLITE_READONLY:
            return ReadOnlyBook(f"the book {path} is read-only")
        case sqlite3.SQLITE_FULL:
            return BookError(f"no room is left on the disk for the book {path}")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return BookLocked(f"another program has been writing into the book {path} for too long")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return BookError(f"the book {path} cannot be opened: {error}")
        case sqlite3.SQLITE_IOERR:
            return BookError(f"the book {path} cannot be read or written: {error}")
    if str(error).startswith("no such"):  # A table or a column.
        return BookError(f"the book {path} is damaged: {error}")
    return BookError(f"the book {path} cannot be used: {error}")


def _inspect(path: Path, *, create: bool) -> bool:
    """Return whether there is a file; raise if it cannot be a book, or if one cannot be made."""
    try:
        kind = path.stat()
    except FileNotFoundError:
        if not create:
            raise NoBook(f"there is no book {path}") from None
        if not path.parent.is_dir():
            raise NoBook(f"cannot make the book {path}: there is no such folder") from None
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise NoBook(f"the book {path} cannot be opened: {reason}") from None
    if stat.S_ISDIR(kind.st_mode):
        raise NoBook(f"{path} is a folder, not a book")
    if not stat.S_ISREG(kind.st_mode):
        raise NoBook(f"{path} is no ordinary file, so it cannot be a book")
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
    except OSError as error:
        raise BookError(f"the book {path} cannot be opened: {error.strerror}") from None
    found = int.from_bytes(header[_APPLICATION_ID_AT], "big")
    if not header:
        if not create:
            raise NoBook(f"the file {path} is empty: there is no book in it yet")
    elif not header.startswith(MAGIC[: len(header)]):
        raise BookError(f"{path} is no book: another program wrote that file")
    elif len(header) < _HEADER_BYTES:
        raise BookError(f"the book {path} is damaged: it was cut off")
    elif found != APPLICATION_ID:
        raise BookError(f"{path} is no book: it is the database of another program")
    return True


def _may_write(path: Path) -> bool:
    # SQLite opens what it cannot write without a word, and complains later.
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _connect(path: Path, mode: str, patience: float) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=patience,
        isolation_level=None,  # Transactions begin where we say so.
        check_same_thread=False,
    )
    # Damaged text is found out by who compares it.
    connection.text_factory = lambda raw: raw.decode(errors="replace")
    try:
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
        number(connection, "PRAGMA user_version")  # Reads the file for the first time.
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(path: Path, patience: float) -> sqlite3.Connection:
    """Open the file to be read, even in a folder where SQLite can make no files of its own."""
    if _may_write(path) and _may_write(path.parent):
        # Who may write at all takes the files beside the book away again in the end.
        connection = _connect(path, "rw", patience)
        connection.execute("PRAGMA query_only = ON")
        return connection
    try:
        return _connect(path, "ro", patience)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}:
            raise
        if length(log_of(path)) > 0:
            raise ReadOnlyBook(
                f"the book {path} was not closed by the program that wrote it last, "
                "and its folder is read-only: copy it elsewhere, with the files beside it"
            ) from None
        return _connect(path, "ro&immutable=1", patience)


def _prepare(connection: sqlite3.Connection, patience: float) -> None:
    """Make the tables unless they are there, and choose how to write.

    Several processes may do this to one new file at once.
    """
    deadline = time.monotonic() + patience
    while True:
        try:
            if number(connection, "PRAGMA application_id") != APPLICATION_ID:
                connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # SQLite does not wait while the mode is being changed.
            busy = error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    # A commit does not wait for the disk: the machine losing power may cost the latest merges,
    # but never the book. A process that dies costs nothing that was committed.
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {LOG_PAGES}")
    connection.execute("PRAGMA journal_size_limit = 0")  # So that its length tells what is in it.
    if number(connection, "PRAGMA user_version") == 0:
        with transaction(connection):
            if number(connection, "PRAGMA user_version") == 0:
                for statement in _TABLES:
                    connection.execute(statement)


def _check_format(found: int, path: Path) -> None:
    if found > FORMAT:
        raise BookError(
            f"the book {path} was written by a newer Montego: "
            f"it has format {found}, this one knows {FORMAT}"
        )
    if found < 1:
        raise NoBook(f"the file {path} is empty: there is no book in it yet")
