"""Several programs with one book: nothing is lost, and who is killed loses one merge at most."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import book_made_up
from book_made_up import SETTINGS, SHARED, line_from, once
from montego.book.errors import BookLocked
from montego.book.store import Book

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Process = subprocess.Popen[bytes]
Start = Callable[..., Process]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts programs with the book; those still there in the end are killed."""
    processes: list[Process] = []

    def start_one(*words: object) -> Process:
        command = [sys.executable, book_made_up.__file__, *map(str, words)]
        pipe = subprocess.PIPE
        processes.append(subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0))
        return processes[-1]

    yield start_one
    for process in processes:
        if process.returncode is None:
            process.kill()
            process.communicate()


def end(process: Process) -> bytes:
    """Kill it as the system would, and return what it had said that was not read."""
    process.kill()
    output, errors = process.communicate()
    assert errors == b""
    return output


def visits_of(book: Book) -> dict[int, float]:
    return {experience.key: experience.visits for experience in book.positions(SETTINGS)}


def test_programs_that_hammer_one_book_lose_nothing(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "book.sqlite"
    merges = 120
    workers = [start("merge", path, own_key, merges) for own_key in (101, 102)]
    assert workers[0].stdout is not None
    assert workers[0].stdout.readline() == b"1\n"  # There is something to be read.
    with Book.open(path, patience=60.0) as book:
        for _ in range(merges):
            book.merge(SETTINGS, line_from(103))
            line = book.subtree(SETTINGS, 101, limit=9)
            assert list(line) == [101, *range(1, 9)]
            # Others merge between the questions, each time all of a line.
            visits = [experience.visits for experience in line.values()]
            assert visits == sorted(visits)
        for worker in workers:
            output, errors = worker.communicate()
            assert (errors, worker.returncode) == (b"", 0)
            assert int(output.split()[-1]) == merges
        found = list(book.positions(SETTINGS))
        expected = {**dict.fromkeys(SHARED, 3.0 * merges), **dict.fromkeys((101, 102, 103), merges)}
        assert {experience.key: experience.visits for experience in found} == expected
        for experience in found:
            (known,) = experience.moves
            assert experience.games == expected[experience.key]
            assert (known.visits, known.value_sum) == (experience.visits, experience.visits / 2)
            assert known.amaf_sum == experience.visits / 4
        statistics = book.statistics()
        assert (statistics.merges, statistics.games) == (3 * merges, 3 * merges)
        assert statistics.positions == len(expected)
        assert book.check() == []
    assert [file.name for file in tmp_path.iterdir()] == ["book.sqlite"]


def test_a_program_killed_while_it_merges_loses_one_merge_at_most(
    tmp_path: Path, start: Start
) -> None:
    path = tmp_path / "book.sqlite"
    told = 0
    for round_number in range(5):
        worker = start("merge", path, 101, 1_000_000)
        assert worker.stdout is not None
        output = b"".join(worker.stdout.readline() for _ in range(3 + 5 * round_number))
        time.sleep(0.0037 * round_number)  # Somewhere in a merge.
        output += end(worker)
        told += output.count(b"\n")
        with Book.open(path, create=False) as book:
            visits = visits_of(book)
            assert book.check() == []
        merges = visits[101]
        assert visits == dict.fromkeys((*SHARED, 101), merges)
        assert told <= merges <= told + 1  # It may have merged what it did not say any more.
        told = int(merges)


def test_a_program_killed_while_it_holds_the_lock_gives_it_back(
    tmp_path: Path, start: Start
) -> None:
    path = tmp_path / "book.sqlite"
    with Book.open(path, patience=0.05) as book:
        book.merge(SETTINGS, [once(1)])
        worker = start("hold", path)
        assert worker.stdout is not None
        assert worker.stdout.readline() == b"writing\n"
        with pytest.raises(BookLocked):
            book.merge(SETTINGS, [once(1)])
        assert visits_of(book) == {1: 1.0}
        end(worker)
        book.merge(SETTINGS, [once(1)])
        assert visits_of(book) == {1: 2.0}
        assert book.check() == []


def test_programs_that_make_one_book_at_once_make_one(tmp_path: Path, start: Start) -> None:
    path = tmp_path / "book.sqlite"
    workers = [start("merge", path, 100 + number, 3) for number in range(6)]
    for worker in workers:
        output, errors = worker.communicate()
        assert (output, errors, worker.returncode) == (b"1\n2\n3\n", b"", 0)
    with Book.open(path, create=False) as book:
        assert visits_of(book)[1] == 18.0
        assert book.check() == []
