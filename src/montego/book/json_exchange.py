"""A whole book as one JSON document, and back without loss.

    {"format": "montego-book", "version": 1, "size_limit": 200000,
     "settings": [{"size": 9, "rules": "...", "komi": 7.5, "games": 12}],
     "positions": [
      {"settings": 0, "key": "00f3...", "visits": 4120.0, "depth": 0, "games": 12,
       "moves": [[40, 3000.0, 1500.5, 210.0, 100.25, "93ab..."], ...]},
      ...]}

A move is its number in the position's canonical orientation (row times size plus column, size times
size for a pass), then visits, the sum of their values, the same two for AMAF, and the key of the
position after it, or null. Keys are 16 hexadecimal digits: programs that keep numbers as floats
would spoil them. There is a position a line, so that a book of any size is written and read without
having it in memory; ``positions`` therefore comes last.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from typing import IO, TYPE_CHECKING, Annotated

import msgspec

from montego.book.errors import BookError
from montego.book.experience import Experience, MoveExperience
from montego.book.position import GameSettings, rules_text
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.book.store import Book

FORMAT, VERSION = "montego-book", 1

_CHUNK = 1 << 20  # Characters: far more than the settings of any book take.
_LONGEST = 4 * _CHUNK  # Far more than any position takes.
_BETWEEN = re.compile(r"[\s,]*")
_POSITIONS = re.compile(r'"positions"\s*:\s*\[')
_MOST = 1 << 53  # Of whole numbers; programs that keep them as floats have no more.

_Key = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
_Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
_Sum = Annotated[float, msgspec.Meta(ge=0, le=_MOST)]


class _Settings(msgspec.Struct):
    size: int
    rules: str
    komi: float
    games: _Count


class _Header(msgspec.Struct):
    """What stands before the positions."""

    size_limit: Annotated[int, msgspec.Meta(ge=1, le=_MOST)] | None
    settings: list[_Settings]


class _Entry(msgspec.Struct):
    """One of the positions."""

    settings: _Count
    key: _Key
    visits: _Sum
    depth: Annotated[int, msgspec.Meta(ge=0, le=1 << 31)]
    games: _Count
    moves: list[tuple[_Count, _Sum, _Sum, _Sum, _Sum, _Key | None]]


class NotOurJson(BookError):  # noqa: N818  # Named for what is the matter.
    """A JSON document that is no book, or a damaged one; the message says where."""


def export_json(book: Book, stream: IO[str], report: Callable[[int], None]) -> int:
    """Write all of *book*, and return the number of positions; *report* is told of it on the way.

    Raises:
        BookError: If the book cannot be read.
        OSError: If the stream cannot be written.
    """
    statistics = book.statistics()
    known = [(one.settings, one.games) for one in statistics.settings]
    head = {
        "format": FORMAT,
        "version": VERSION,
        "size_limit": statistics.size_limit,
        "settings": [{**asdict(settings), "games": games} for settings, games in known],
    }
    stream.write(json.dumps(head)[:-1] + ', "positions": [')
    written = 0
    for index, (settings, _) in enumerate(known):
        for experience in book.positions(settings):
            entry = {
                "settings": index,
                "key": _hexadecimal(experience.key),
                "visits": experience.visits,
                "depth": experience.depth,
                "games": experience.games,
                "moves": [
                    [*numbers, _hexadecimal(after) if after else None]
                    for *numbers, after in experience.table.tolist()
                ],
            }
            stream.write((",\n" if written else "\n") + json.dumps(entry))
            written += 1
            report(written)
    stream.write("\n]}\n")
    return written


def import_json(book: Book, stream: IO[str]) -> int:
    """Add the positions of a document to *book*, and return their number.

    A book that has none yet gets the document's limit as well. The positions of one of the
    settings are one transaction. Read the document to its end with :func:`read_json` first:
    what is wrong with it is found too late here.
    """
    document = read_json(stream)
    if book.statistics().positions == 0:
        book.size_limit = document.size_limit
    number = 0
    for settings, found in groupby(document.positions, key=itemgetter(0)):
        experiences = [experience for _, experience in found]
        games = document.games.pop(settings, 0)
        book.merge(settings, experiences, games=games, counted=True)
        number += len(experiences)
    return number


@dataclass(frozen=True)
class Document:
    """A book as JSON, while it is read."""

    size_limit: int | None
    games: dict[GameSettings, int]
    """How many games it learned from, for each of the settings."""
    positions: Iterator[tuple[GameSettings, Experience]]
    """Raises :class:`NotOurJson` where the document is damaged."""


def read_json(stream: IO[str]) -> Document:
    """Return the document in *stream*; its positions are read as they are asked for.

    Raises:
        NotOurJson: If it is no book, or not of this version, or damaged.
    """
    text = _read_text(stream)
    place = _POSITIONS.search(text)
    try:
        header = json.loads(f"{text[: place.end()]}]}}") if place else None
    except (ValueError, RecursionError):
        header = None
    if place is None or not isinstance(header, dict) or header.get("format") != FORMAT:
        raise NotOurJson("this is no book that Montego exported as JSON")
    if header.get("version") != VERSION:
        raise NotOurJson(
            f"this book is in version {header.get('version')!r} of the format; this Montego knows "
            f"version {VERSION}"
        )
    try:
        found = msgspec.convert(header, _Header)
        settings = [
            GameSettings(
                check_size(one.size), rules_text(parse_rules(one.rules)), parse_komi(one.komi)
            )
            for one in found.settings
        ]
    except (GoError, msgspec.ValidationError) as error:
        raise NotOurJson(f"the header of the book makes no sense: {error}") from None
    return Document(
        size_limit=found.size_limit,
        games={own: one.games for own, one in zip(settings, found.settings, strict=True)},
        positions=_positions(text[place.end() :], stream, settings),
    )


def _positions(
    buffer: str, stream: IO[str], settings: list[GameSettings]
) -> Iterator[tuple[GameSettings, Experience]]:
    """Yield the positions in *buffer* and in what follows it."""
    decoder = json.JSONDecoder()
    place = number = 0
    while True:
        place = _BETWEEN.match(buffer, place).end()  # type: ignore[union-attr]  # It may be empty.
        if buffer.startswith("]", place):
            return
        try:
            entry, place = decoder.raw_decode(buffer, place)
        except (ValueError, RecursionError):
            buffer, place = buffer[place:], 0
            more = _read_text(stream) if len(buffer) < _LONGEST else ""
            if not more:
                raise NotOurJson(f"the book ends or is damaged after position {number}") from None
            buffer += more
            continue
        number += 1
        try:
            yield _read(entry, settings)
        except (GoError, msgspec.ValidationError) as error:
            raise NotOurJson(f"position {number} makes no sense: {error}") from None


def _read_text(stream: IO[str]) -> str:
    try:
        return stream.read(_CHUNK)
    except UnicodeDecodeError:
        raise NotOurJson(
            "there are bytes in it that are no text, so this book is damaged"
        ) from None


def _read(decoded: object, settings: list[GameSettings]) -> tuple[GameSettings, Experience]:
    entry = msgspec.convert(decoded, _Entry)
    if entry.settings >= len(settings):
        raise GoError(f"there are no settings {entry.settings}")
    own = settings[entry.settings]
    moves = []
    for move, visits, value_sum, amaf_visits, amaf_sum, after in entry.moves:
        if move > own.size * own.size:
            raise GoError(f"it has a move {move} on a board of size {own.size}")
        if value_sum > visits or amaf_sum > amaf_visits:
            raise GoError("a value of a move is greater than 1")
        key = None if after is None else _key(after)
        moves.append(MoveExperience(move, visits, value_sum, amaf_visits, amaf_sum, key))
    if len({move.move for move in moves}) != len(moves):
        raise GoError("a move comes twice")
    key, depth, games = _key(entry.key), entry.depth, entry.games
    return own, Experience(key, entry.visits, moves, depth=depth, games=games)


def _hexadecimal(key: int) -> str:
    return f"{key & 0xFFFF_FFFF_FFFF_FFFF:016x}"


def _key(text: str) -> int:
    number = int(text, 16)
    return number - (1 << 64) if number >= 1 << 63 else number
