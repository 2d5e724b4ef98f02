"""Experience for tests of the book, and the small programs that use a book at the same time."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing

from montego.book.experience import Experience, MoveExperience
from montego.book.position import GameSettings
from montego.book.store import Book

SETTINGS = GameSettings(9, "koSIMPLEscoreAREAtaxNONEsui0", 7.5)
SHARED = range(1, 21)


def position(
    key: int, visits: float = 10.0, *, after: tuple[int, ...] = (), depth: int = 0
) -> Experience:
    """A position with three moves at least: to the positions *after*, the first most visited."""
    moves = [
        MoveExperience(
            move=move,
            visits=visits / 2 ** (move + 1),
            value_sum=visits / 2 ** (move + 2),
            amaf_visits=visits,
            amaf_sum=visits / 2,
            after=after[move] if move < len(after) else None,
        )
        for move in range(max(3, len(after)))
    ]
    return Experience(key, visits, moves, depth=depth)


def once(key: int, after: int | None = None) -> Experience:
    """One visit, so that visits count merges; exact in sums."""
    return Experience(key, 1.0, [MoveExperience(key % 82, 1.0, 0.5, 1.0, 0.25, after)])


def line_from(key: int) -> list[Experience]:
    """One visit to a position and to all shared ones, which come after it one by one."""
    keys = (key, *SHARED)
    return [once(known, after) for known, after in zip(keys, (*SHARED, None), strict=True)]


def merge_many(path: str, own_key: int, merges: int) -> None:
    """Merge the shared positions and one of its own, again and again, and say each time so."""
    with Book.open(path, patience=60.0) as book:
        for count in range(1, merges + 1):
            book.merge(SETTINGS, line_from(own_key))
            print(count, flush=True)  # noqa: T201


def hold_lock(path: str) -> None:
    """Begin to write, say so, and never end."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        print("writing", flush=True)  # noqa: T201
        sys.stdin.read()


def merge_into_small_file(path: str, most_bytes: int) -> None:
    """Merge until no file may grow any more, and print why."""
    import resource

    with Book.open(path) as book:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        try:
            for key in range(1000, 100_000):
                book.merge(SETTINGS, [position(key)])
        except ValueError as error:
            print(type(error).__name__, error, flush=True)  # noqa: T201


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["merge", path, own_key, merges]:
            merge_many(path, int(own_key), int(merges))
        case ["hold", path]:
            hold_lock(path)
        case ["fill", path, most_bytes]:
            merge_into_small_file(path, int(most_bytes))
