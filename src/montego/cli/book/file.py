"""Which book and which position the verbs of ``montego book`` are about."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

import montego
import montego.book
from montego.cli.command import Namespace, argument
from montego.engine.options.options import find_option
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import parse_komi, parse_rules
from montego.go.vocabulary.vertex import check_size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego import Game
    from montego.book import Book, GameSettings

OWN = "default"
DATABASE_HEADER = b"SQLite format 3\0"

BOOK = argument("--book FILE", "the book's file; default: your own", default=OWN)
RECORD = argument("--from FILE.sgf", "begin at the end of this game's main line", dest="record")
POSITION = (
    argument(
        "moves MOVE",
        "begin after these moves, such as E5 G5; default the empty board",
        nargs="*",
    ),
    RECORD,
    argument("--size S", "of the board", type=int),
    argument("--rules R", "of the games"),
    argument("--komi K", "of the games; what is not said is what most are"),
)
"""Where in the book to begin; :func:`game_at` reads it."""


def book_path(options: Namespace) -> Path:
    """Return the file that ``--book`` names.

    Raises:
        GoError: If it names none.
    """
    from montego.book.store import default_book  # Loads NumPy.

    return _named(options) or default_book()


def open_book(options: Namespace, *, create: bool = False, read_only: bool = False) -> Book:
    """Open the book that ``--book`` names; with *create* make it if there is none.

    Raises:
        BookError: If there is none, or it cannot be read, or written unless *read_only*.
    """
    return montego.book.Book.open(_named(options), create=create, read_only=read_only)


def check_writable(options: Namespace) -> None:
    """Find out before the work is done whether the book can be written; none is made yet.

    Raises:
        GoError: If it cannot.
    """
    path = book_path(options)
    if path.exists():
        open_book(options).close()
    elif _named(options) is not None and not path.parent.is_dir():
        raise GoError(f"cannot make the book {path}: there is no such folder")


def _named(options: Namespace) -> Path | None:
    """Return the file that was named; None for the user's own, whose folder is made if missing.

    Raises:
        GoError: If none was.
    """
    place = find_option("book").parse(options.book) if options.book.strip() else None
    if not isinstance(place, str):
        raise GoError(f"invalid --book {options.book!r}: say a file; this command is about a book")
    return None if place == OWN else Path(place)


@contextmanager
def replaced(path: Path) -> Iterator[IO[str]]:
    """Write a file as a whole, or not at all: what was there before stays if anything fails.

    Raises:
        GoError: If it cannot be written, or a book or something else than a file has its name.
    """
    scrap = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists():
            if not path.is_file():
                raise GoError(f"cannot write {path}: it is no ordinary file")
            with path.open("rb") as present:
                if present.read(len(DATABASE_HEADER)) == DATABASE_HEADER:
                    raise GoError(f"cannot write {path}: it is a book; say another file")
        with scrap.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        scrap.replace(path)
    except OSError as error:
        raise GoError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            scrap.unlink(missing_ok=True)


def game_at(options: Namespace, book: Book) -> Game:
    """Return a game that stands where the options of :data:`POSITION` say.

    Raises:
        GoError: If they make no sense, or the book has nothing for the board and rules.
    """

    def new_game() -> Game:
        settings = _settings(options, book)
        return montego.Game(settings.size, rules=parse_rules(settings.rules), komi=settings.komi)

    return first_game(options, (options.size, options.rules, options.komi), new_game)


def first_game(options: Namespace, board: tuple[object, ...], new_game: Callable[[], Game]) -> Game:
    """Return the game of ``--from``, or else a new one, after the moves that were given.

    Commas between these will do as well as blanks. *board* is what was said about size, rules and
    komi; all are None if nothing was.

    Raises:
        GoError: If a record would have another board, or a move cannot be played.
    """
    if options.record is None:
        game = new_game()
    elif any(said is not None for said in board):
        raise GoError("a record says its own board, rules and komi: leave the options out")
    else:
        game = montego.Game.from_sgf_file(options.record).copy()
    for vertex in " ".join(options.moves).replace(",", " ").split():
        game.play(game.to_play, vertex)
    return game


def _settings(options: Namespace, book: Book) -> GameSettings:
    """Return the settings that fit the options, of which the book knows most."""
    from montego.book.position import half_points, rules_text

    size = None if options.size is None else check_size(options.size)
    rules = None if options.rules is None else rules_text(parse_rules(options.rules))
    komi = None if options.komi is None else half_points(parse_komi(options.komi))
    known = book.settings()
    for settings in known:
        if (
            size in (None, settings.size)
            and rules in (None, settings.rules)
            and komi in (None, half_points(settings.komi))
        ):
            return settings
    if not known:
        raise GoError(f"{book.path}: there is nothing in this book yet")
    there = "; ".join(map(str, known))
    raise GoError(f"{book.path}: nothing for that board, rules and komi; there is {there}")
