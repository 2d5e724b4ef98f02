"""Files that are no book, or a broken one: each is named in one sentence, none is changed."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import book_made_up
from book_made_up import SETTINGS, once, position
from montego.book import database
from montego.book.errors import (
    BookError,
    BookLocked,
    NoBook,
    ReadOnlyBook,
)
from montego.book.experience import encode
from montego.book.store import Book
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Iterator

POSITIONS = 300
NOBODY = 65534


@pytest.fixture(scope="module")
def sound_bytes(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a book that was closed."""
    path = tmp_path_factory.mktemp("sound") / "book.sqlite"
    with Book.open(path) as book:
        for start in range(1, POSITIONS, 50):
            keys = range(start, start + 50)
            book.merge(SETTINGS, [position(key, after=(key + 1, key + 2)) for key in keys])
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, sound_bytes: bytes) -> Path:
    """A sound book of its own."""
    path = tmp_path / "book.sqlite"
    path.write_bytes(sound_bytes)
    return path


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter; those of pytest are for their owner only."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@contextlib.contextmanager
def without_privileges() -> Iterator[None]:
    """Be nobody for a while if we are root, to whom nothing is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def write(path: Path, statement: str, values: tuple[object, ...] = ()) -> None:
    """Do to a book what no program of ours does."""
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


def use(path: Path, **options: bool) -> None:
    """Do with a book what programs do."""
    with Book.open(path, **options) as book:
        book.statistics()
        book.find_many(SETTINGS, range(1, POSITIONS))
        book.subtree(SETTINGS, 1, limit=POSITIONS)
        for settings in book.settings():
            list(book.positions(settings))


def test_every_error_is_an_input_error() -> None:
    kinds = (BookLocked, NoBook, ReadOnlyBook)
    assert all(issubclass(kind, BookError) for kind in kinds)
    assert issubclass(BookError, GoError)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("kept", [1, 15, 16, 99, 100, 3000, 8191, 8192, 30_000, 0.5, 0.9, -8192])
def test_a_book_that_was_cut_off_is_damaged(path: Path, kept: float, read_only: bool) -> None:
    whole = path.read_bytes()
    length = int(kept * len(whole)) if isinstance(kept, float) else kept
    path.write_bytes(whole[:length])
    with pytest.raises(BookError, match=r"book\.sqlite is damaged"):
        use(path, read_only=read_only)
    assert path.read_bytes() == whole[:length]


def test_an_empty_file_is_made_a_book_only_by_who_may_make_one(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    for options in ({"read_only": True}, {"create": False}):
        with pytest.raises(NoBook, match="is empty"):
            Book.open(path, **options)
    assert path.read_bytes() == b""
    use(path)


@pytest.mark.parametrize(
    "content",
    [b"(;GM[1]SZ[9])", b"\x89PNG\r\n\x1a\n" + bytes(200), bytes(10_000), b"SQLite format 2\0" * 9],
)
def test_the_file_of_another_program_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(content)
    with pytest.raises(BookError, match=r"game\.sgf is no book: another program"):
        Book.open(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("application_id", [0, 252006673])
def test_the_database_of_another_program_is_left_alone(tmp_path: Path, application_id: int) -> None:
    path = tmp_path / "mail.db"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE positions (key)")
        connection.execute(f"PRAGMA application_id = {application_id}")
        connection.execute("PRAGMA user_version = 1")
    before = path.read_bytes()
    with pytest.raises(BookError, match=r"mail\.db is no book: it is the database of another"):
        Book.open(path)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mail.db"]


@pytest.mark.parametrize("read_only", [False, True])
def test_a_book_of_a_newer_montego_is_left_alone(path: Path, read_only: bool) -> None:
    write(path, f"PRAGMA user_version = {database.FORMAT + 1}")
    before = path.read_bytes()
    with pytest.raises(BookError, match="newer Montego: it has format 2, this one knows 1"):
        Book.open(path, read_only=read_only)
    assert path.read_bytes() == before


def test_places_without_a_book(tmp_path: Path) -> None:
    cases = {
        tmp_path: "is a folder",
        tmp_path / "missing" / "book.sqlite": "no such folder",
        Path(os.devnull): "no ordinary file",
        tmp_path / "a\0b": "cannot be opened",
        tmp_path / ("a" * 300): "cannot be opened",
    }
    for place, words in cases.items():
        with pytest.raises(NoBook, match=words):
            Book.open(place)
    with pytest.raises(NoBook, match="there is no book"):
        Book.open(tmp_path / "book.sqlite", create=False)
    with pytest.raises(NoBook, match="there is no book"):
        Book.open(tmp_path / "book.sqlite", read_only=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with a name")
def test_a_pipe_does_not_make_anybody_wait(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NoBook, match="no ordinary file"):
        Book.open(tmp_path / "pipe")


def test_strange_names_are_names(tmp_path: Path, sound_bytes: bytes) -> None:
    for name in ("what?mode=ro#100%25 & é.sqlite", " ", "-wal"):
        path = tmp_path / name
        path.write_bytes(sound_bytes)
        use(path)
        with Book.open(str(path)) as book:
            book.merge(SETTINGS, [once(5)])
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
class TestPermissions:
    def test_a_read_only_file_can_be_read(self, open_folder: Path, sound_bytes: bytes) -> None:
        path = open_folder / "book.sqlite"
        path.write_bytes(sound_bytes)
        path.chmod(0o444)
        with without_privileges():
            with pytest.raises(ReadOnlyBook, match="is read-only"):
                Book.open(path)
            use(path, read_only=True)

    def test_a_read_only_folder_can_be_read(self, open_folder: Path, sound_bytes: bytes) -> None:
        path = open_folder / "book.sqlite"
        path.write_bytes(sound_bytes)
        path.chmod(0o666)
        open_folder.chmod(0o555)
        with without_privileges():
            with pytest.raises(ReadOnlyBook, match="in a folder that cannot be written"):
                Book.open(path)
            with pytest.raises(ReadOnlyBook, match="in a folder that cannot be written"):
                Book.open(open_folder / "new.sqlite")
            use(path, read_only=True)
            with Book.open(path, read_only=True) as book:
                assert book.check() == []
                assert book.statistics().positions == POSITIONS
        assert [file.name for file in open_folder.iterdir()] == ["book.sqlite"]

    def test_late_changes_in_a_read_only_folder_are_not_passed_over(
        self, open_folder: Path, sound_bytes: bytes
    ) -> None:
        source = open_folder / "source.sqlite"
        source.write_bytes(sound_bytes)
        path = open_folder / "book.sqlite"
        with Book.open(source) as book:
            book.merge(SETTINGS, [once(1)])
            shutil.copy(source, path)
            shutil.copy(f"{source}-wal", f"{path}-wal")
        for file in open_folder.iterdir():
            file.chmod(0o444)
        open_folder.chmod(0o555)
        with without_privileges(), pytest.raises(ReadOnlyBook, match="copy it elsewhere"):
            Book.open(path, read_only=True)

    def test_a_file_that_may_not_be_read_is_named(
        self, open_folder: Path, sound_bytes: bytes
    ) -> None:
        path = open_folder / "book.sqlite"
        path.write_bytes(sound_bytes)
        path.chmod(0)
        with without_privileges(), pytest.raises(BookError, match="Permission denied"):
            Book.open(path)


def test_a_book_opened_to_be_read_refuses_to_be_written(path: Path) -> None:
    with Book.open(path, read_only=True) as book:
        for task in (
            lambda: book.merge(SETTINGS, [once(1)]),
            lambda: book.prune(positions=1),
            lambda: setattr(book, "size_limit", 5),
        ):
            with pytest.raises(ReadOnlyBook, match="to be read only"):
                task()
        assert book.statistics().positions == POSITIONS
    assert sorted(file.name for file in path.parent.iterdir()) == ["book.sqlite"]


def test_a_full_disk_costs_the_merge_and_no_more(path: Path) -> None:
    connection = database.connect(path, create=False, read_only=False, patience=1.0)
    with Book(connection, path, read_only=False) as book:
        before = book.statistics()
        pages = database.number(connection, "PRAGMA page_count")
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(BookError, match="no room is left on the disk for the book"):
            book.merge(SETTINGS, [position(key) for key in range(1, 5000)])
        after = book.statistics()
        assert (after.positions, after.merges) == (before.positions, before.merges)
        assert book.check() == []
        connection.execute(f"PRAGMA max_page_count = {pages * 100}")
        book.merge(SETTINGS, [position(key) for key in range(1, 5000)])
        assert book.statistics().positions == 4999


@pytest.mark.skipif(os.name != "posix", reason="only POSIX can limit the size of files")
def test_a_file_that_may_not_grow_costs_the_merge_and_no_more(path: Path) -> None:
    limit = path.stat().st_size + 100_000
    command = [sys.executable, book_made_up.__file__, "fill", str(path), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(("BookError the book", "BookError no room"))
    with Book.open(path) as book:
        assert book.check() == []
        assert book.statistics().positions >= POSITIONS
        book.merge(SETTINGS, [once(1)])


def test_a_book_that_others_write_for_too_long_is_locked(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("UPDATE facts SET value = 7 WHERE name = 'size_limit'")
        with Book.open(path, patience=0.05) as book:
            with pytest.raises(BookLocked, match="another program has been writing into the book"):
                book.merge(SETTINGS, [once(1)])
            assert book.find(SETTINGS, 1) is not None
            assert book.size_limit == database.DEFAULT_SIZE_LIMIT
    with Book.open(path) as book:
        book.merge(SETTINGS, [once(1)])


def test_check_finds_what_is_wrong_inside(path: Path) -> None:
    with Book.open(path) as book:
        assert book.check() == []
        write(path, "UPDATE positions SET moves = x'010500' WHERE key = 5")
        write(path, "UPDATE positions SET moves = x'0700ff' WHERE key = 6")
        write(path, "UPDATE positions SET visits = -3 WHERE key = 7")
        write(path, "UPDATE settings SET positions = positions + 1")
        write(path, "INSERT INTO positions VALUES (9999, 88, 1, 1, 1, 1, 1, 1, x'')")
        found = "\n".join(book.check())
        for words in (
            "position 5: ",
            "cut off",
            "position 6: ",
            "position 7: a position's numbers",
        ):
            assert words in found
        assert f"should have {POSITIONS + 1} positions and have {POSITIONS}" in found
        assert "1 positions belong to no settings" in found
        with pytest.raises(BookError, match=r"book\.sqlite is damaged: a position's moves"):
            book.find(SETTINGS, 5)
        assert book.find(SETTINGS, 8) is not None


@pytest.mark.parametrize("field", ["value_sum", "amaf_sum"])
@pytest.mark.parametrize("value", [-1.0, 1e30])
def test_values_that_cannot_be_are_not_told(path: Path, field: str, value: float) -> None:
    with Book.open(path) as book:
        known = book.find(SETTINGS, 5)
        assert known is not None
        table = known.table.copy()
        table[field][0] = value
        write(path, "UPDATE positions SET moves = ? WHERE key = 5", (encode(table),))
        for task in (
            lambda: book.find(SETTINGS, 5),
            lambda: book.subtree(SETTINGS, 5, limit=9),
            lambda: book.merge(SETTINGS, [once(5)]),
        ):
            with pytest.raises(BookError, match="does not lie between 0 and 1"):
                task()
        assert book.find(SETTINGS, 8) is not None


def test_overwritten_bytes_never_show_more_than_a_sentence(path: Path) -> None:
    whole = path.read_bytes()
    chance = random.Random(3)
    complaints = 0
    for _ in range(60):
        spoilt = bytearray(whole)
        for _ in range(chance.choice([1, 5, 50])):
            spoilt[chance.randrange(100, len(spoilt))] = chance.randrange(256)
        page = chance.randrange(100, len(spoilt) - 3000)
        if chance.random() < 0.5:
            spoilt[page : page + 3000] = chance.randbytes(3000)
        path.write_bytes(spoilt)
        try:
            use(path)
            with Book.open(path) as book:
                complaints += len(book.check()) > 0
                book.merge(SETTINGS, [once(key) for key in range(1, POSITIONS, 7)])
                book.prune(positions=50)
        except BookError as error:
            assert "\n" not in str(error)  # noqa: PT017  # Either outcome will do.
            complaints += 1
    assert complaints > 40
