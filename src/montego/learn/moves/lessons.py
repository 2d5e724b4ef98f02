"""Games of others as lessons: where they come from, and which of them are held back.

SGF files, folders of them, and JSON lines (also gzipped) with ``size``, ``first`` and ``moves``,
two letters a move as in SGF.
"""

from __future__ import annotations

import gzip
import json
import zlib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.game import Game
from montego.go.kernels.layout import PASS, point_at
from montego.go.sgf.record import read_sgf_file
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import parse_vertex
from montego.learn.errors import LearnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

EVERY = 10
"""One game in so many of each file is held back,"""
HELD_BACK = 150
"""up to this many."""


class LessonGame(NamedTuple):
    """A game to learn from, from the empty board."""

    first: int
    """Who moves first; then they move in turn."""
    moves: NDArray[np.int64]
    """Points, or PASS."""


class Lessons(NamedTuple):
    """All games that were found."""

    learned: list[LessonGame]
    held_back: list[LessonGame]

    @property
    def digest(self) -> int:
        """A number that other games would hardly have."""
        value = 0
        for lesson in (*self.learned, *self.held_back):
            value = zlib.crc32(lesson.moves.tobytes(), value)
        return value


def read_lessons(
    paths: Sequence[str | Path],
    size: int,
    *,
    most: int | None = None,
    note: Callable[[int], None] = lambda _games: None,
) -> Lessons:
    """Return the games of files that were played on such a board, without handicap or set-up.

    At most *most* of each file or folder. *note* is told how many there are so far.

    Raises:
        LearnError: If a file cannot be read, or there is no game to learn from.
    """
    found = Lessons([], [])
    for path in map(Path, paths):
        kept = 0
        for number, lesson in enumerate(_read(path, size)):
            if most is not None and number >= most:
                break
            if number % EVERY == 0 and kept < HELD_BACK:
                found.held_back.append(lesson)
                kept += 1
            else:
                found.learned.append(lesson)
            note(len(found.learned) + len(found.held_back))
    if not found.learned:
        raise LearnError(f"there is no game on {size}x{size} without handicap to learn from")
    return found


def _read(path: Path, size: int) -> Iterator[LessonGame]:
    try:
        if path.name.endswith((".jsonl", ".jsonl.gz")):
            yield from _from_json_lines(path, size)
        else:
            for file in sorted(path.rglob("*.sgf")) if path.is_dir() else [path]:
                yield from _from_sgf(file, size)
    except OSError as error:
        raise LearnError(f"cannot read {str(path)!r}: {error.strerror or error}") from None
    except GoError as error:
        raise LearnError(str(error)) from None
    except (ValueError, KeyError, TypeError, EOFError, zlib.error):
        raise LearnError(f"{str(path)!r} is no file of games") from None


def _from_sgf(path: Path, size: int) -> Iterator[LessonGame]:
    record = read_sgf_file(path)
    try:
        game = Game.from_record(record)
    except GoError as error:
        raise GoError(f"{path}: {error}") from None
    colors = [move.color for move in game.moves]
    first = WHITE if colors[:1] == ["white"] else BLACK
    in_turn = all(color != other for color, other in pairwise(colors))
    if game.size != size or not colors or not in_turn or len(game.moves) != len(game.history):
        return
    points = []
    for move in game.moves:
        at = parse_vertex(move.vertex, size)
        points.append(int(PASS) if at is None else point_at(*at, size))
    yield LessonGame(first, np.array(points, np.int64))


def _from_json_lines(path: Path, size: int) -> Iterator[LessonGame]:
    opener: Any = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            game = json.loads(line)
            text = game["moves"]
            if game["size"] != size or game.get("ab") or game.get("aw") or len(text) < 4 * size:
                continue
            points = [_point(text[at : at + 2], size) for at in range(0, len(text), 2)]
            first = BLACK if game.get("first", "B") == "B" else WHITE
            yield LessonGame(first, np.array(points, np.int64))


def _point(letters: str, size: int) -> int:
    column, row = (ord(letter) - ord("a") for letter in letters)
    if not (0 <= column < size and 0 <= row < size):
        return int(PASS)
    return point_at(column, size - 1 - row, size)
