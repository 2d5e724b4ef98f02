"""Which book and which position the verbs of ``montego book`` are about."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from montego.engine.options.option import expand_home
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from montego.book.position import Settings
    from montego.book.store import Book
    from montego.go.game import Game

OWN = "default"
DATABASE_HEADER = b"SQLite format 3\0"


def add_book(parser: argparse.ArgumentParser) -> None:
    """Add ``--book``."""
    parser.add_argument(
        "--book", default=OWN, metavar="FILE", help="the book's file; default: your own"
    )


def book_path(options: argparse.Namespace) -> Path:
    """Return the file that ``--book`` names.

    Raises:
        GoError: If it names none.
    """
    from montego.book.store import default_book  # noqa: PLC0415  # --help needs none of it.

    return _named(options) or default_book()


def amount(number: int, thing: str) -> str:
    """Return ``"1 game"``, ``"2,000 games"``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def open_to_read(options: argparse.Namespace) -> Book:
    """Open the book; it is neither made nor changed.

    Raises:
        BookError: If there is none, or it cannot be read.
    """
    from montego.book.store import Book  # noqa: PLC0415

    return Book.open(_named(options), create=False, read_only=True)


def open_to_write(options: argparse.Namespace, *, create: bool = True) -> Book:
    """Open the book, and make it if there is none and *create*.

    Raises:
        BookError: If there is none, or it cannot be written.
    """
    from montego.book.store import Book  # noqa: PLC0415

    return Book.open(_named(options), create=create)


def check_writable(options: argparse.Namespace) -> None:
    """Find out before the work is done whether the book can be written; none is made yet.

    Raises:
        GoError: If it cannot.
    """
    path = book_path(options)
    if path.exists():
        open_to_write(options, create=False).close()
    elif _named(options) is not None and not path.parent.is_dir():
        raise GoError(f"cannot make the book {path}: there is no such folder")


def _named(options: argparse.Namespace) -> Path | None:
    """Return the file that was named; None for the user's own, whose folder is made if missing.

    Raises:
        GoError: If none was.
    """
    from montego.engine.options.table import find_option  # noqa: PLC0415  # As above.

    place = find_option("book").parse(options.book) if options.book.strip() else None
    if not isinstance(place, str):
        raise GoError(f"invalid --book {options.book!r}: say a file; this command is about a book")
    return None if place == OWN else Path(place)


def open_others(names: Sequence[str], own: Path) -> list[Book]:
    """Open all of *names* to be read.

    Raises:
        GoError: If one is *own*.
        BookError: If one cannot be read.
    """
    from montego.book.store import Book  # noqa: PLC0415

    paths = [Path(expand_home(name)) for name in names]
    seen = {own.resolve()}
    for path in paths:
        if path.resolve() in seen:
            raise GoError(f"{path}: a book is not added to itself, nor twice")
        seen.add(path.resolve())
    with ExitStack() as opened:
        books = [
            opened.enter_context(Book.open(path, create=False, read_only=True)) for path in paths
        ]
        opened.pop_all()  # All could be opened: they stay open.
    return books


@contextmanager
def replaced(path: Path) -> Iterator[IO[str]]:
    """Write a file as a whole, or not at all: what was there before stays if anything fails.

    Raises:
        GoError: If it cannot be written, or a book or something else than a file has its name.
    """
    scrap = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():
            raise GoError(f"cannot write {path}: it is no ordinary file")
        if _is_database(path):
            raise GoError(f"cannot write {path}: it is a book; say another file")
        with scrap.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        scrap.replace(path)
    except OSError as error:
        raise GoError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            scrap.unlink(missing_ok=True)


def _is_database(path: Path) -> bool:
    """Say whether a file is there that SQLite wrote, as all books are."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(DATABASE_HEADER)) == DATABASE_HEADER
    except FileNotFoundError:
        return False


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add what says where in the book to begin."""
    parser.add_argument(
        "moves",
        nargs="*",
        metavar="MOVE",
        help="begin after these moves, such as E5 G5; default the empty board",
    )
    parser.add_argument(
        "--from",
        dest="record",
        metavar="FILE.sgf",
        help="begin at the end of this game's main line",
    )
    parser.add_argument("--size", type=int, metavar="S", help="of the board")
    parser.add_argument("--rules", metavar="R", help="of the games")
    parser.add_argument(
        "--komi", metavar="K", help="of the games; what is not said is what most are"
    )


def game_at(options: argparse.Namespace, book: Book) -> Game:
    """Return a game that stands where the options of :func:`add_position` say.

    Raises:
        GoError: If they make no sense, or the book has nothing for the board and rules.
    """
    from montego.go.game import Game  # noqa: PLC0415
    from montego.go.vocabulary.rules import parse_rules  # noqa: PLC0415

    if options.record is not None:
        if not options.size is options.rules is options.komi is None:
            raise GoError("a record says its own board, rules and komi: leave the options out")
        game = Game.from_sgf_file(options.record).copy()
    else:
        settings = _settings(options, book)
        game = Game(settings.size, rules=parse_rules(settings.rules), komi=settings.komi)
    play_moves(game, options.moves)
    return game


def play_moves(game: Game, moves: Sequence[str]) -> None:
    """Play moves in turn; commas between them will do as well as blanks.

    Raises:
        GoError: If one cannot be played.
    """
    for vertex in " ".join(moves).replace(",", " ").split():
        game.play(game.to_play, vertex)


def _settings(options: argparse.Namespace, book: Book) -> Settings:
    """Return the settings that fit the options, of which the book knows most."""
    from montego.book.position import half_points, rules_text  # noqa: PLC0415
    from montego.go.vocabulary.rules import parse_komi, parse_rules  # noqa: PLC0415
    from montego.go.vocabulary.vertex import check_size  # noqa: PLC0415

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
