"""``montego book import`` and ``export``: game records and JSON in, an SGF tree and JSON out."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.book.file import (
    add_book,
    add_position,
    amount,
    book_path,
    check_writable,
    game_at,
    open_to_read,
    open_to_write,
    replaced,
)
from montego.cli.progress import progress_bar
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse

    from montego.book.sgf_import import Account, Import
    from montego.book.store import Book

BATCH = 20_000  # Positions that are gathered before they are merged.
POSITIONS = 5_000
SHOWN = 20  # Reasons that are told one by one, if nobody asks for all as JSON.


def add_verbs(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``import`` and ``export``."""
    reader = verbs.add_parser(
        "import",
        help="learn from game records, or take in a book as JSON",
        description="Count the games of SGF files, of all SGF files in folders, and of trees that "
        "'export' wrote; or add a book that 'export' wrote as JSON. What cannot be read is named "
        "and left out. The status is 1 if nothing was counted.",
        epilog="A game counts as visits to its moves, with 1 as the value of the winner's moves "
        "and 0 of the loser's. Importing a file twice counts it twice.",
    )
    reader.add_argument("files", nargs="+", metavar="FILE", help="SGF files, folders, JSON")
    add_book(reader)
    reader.add_argument(
        "--visits",
        type=float,
        default=10.0,
        metavar="N",
        help="what a game is worth, in visits; default 10",
    )
    reader.add_argument(
        "--depth",
        type=int,
        default=40,
        metavar="N",
        help="moves of a game that are counted; default 40",
    )
    reader.add_argument(
        "--variations", action="store_true", help="count variations too, as half won"
    )
    reader.add_argument(
        "--undecided", action="store_true", help="count games without a winner too, as half won"
    )
    reader.add_argument("--rules", metavar="R", help="instead of what the files say")
    reader.add_argument("--komi", metavar="K", help="instead of what the files say")
    reader.add_argument("--json", action="store_true", help="what was done, as JSON")
    reader.set_defaults(run=run_import)

    writer = verbs.add_parser(
        "export",
        help="an SGF tree, or the whole book as JSON",
        description="Write the tree of openings as an SGF file, with counts and values in its "
        "comments, or the whole book as JSON, from which 'import' makes the same book again.",
    )
    writer.add_argument("file", metavar="FILE", help="what to write: .sgf or .json")
    add_position(writer)
    add_book(writer)
    writer.add_argument(
        "--depth", type=int, default=30, metavar="N", help="SGF: moves in a row; default 30"
    )
    writer.add_argument(
        "--width", type=int, metavar="N", help="SGF: moves of a position; default all"
    )
    writer.add_argument(
        "--least-visits",
        type=float,
        default=1.0,
        metavar="N",
        help="SGF: leave out moves with fewer; default 1",
    )
    writer.add_argument(
        "--positions",
        type=int,
        default=POSITIONS,
        metavar="N",
        help=f"SGF: at most so many, the most visited first; default {POSITIONS}",
    )
    writer.set_defaults(run=run_export)


def run_import(options: argparse.Namespace) -> int:
    """Carry out ``montego book import``."""
    from montego.book.sgf_import import Account, import_sgf, sgf_files  # noqa: PLC0415

    how = _how(options)
    documents = [Path(name) for name in options.files if name.lower().endswith(".json")]
    paths = sgf_files(name for name in options.files if not name.lower().endswith(".json"))
    for path in documents:
        _check_document(path)
    check_writable(options)
    account = Account()
    with _Intake(options) as intake:
        try:
            with progress_bar("importing", enabled=not options.json) as show:
                for number, path in enumerate(paths):
                    show(number / len(paths), path.name)
                    import_sgf(path, how, intake.gathering, account)
                    intake.merge(at_least=BATCH)
                for path in documents:
                    show(0.0, path.name)
                    intake.take_in(path)
        finally:
            # After Ctrl-C too: what was counted until then is kept.
            intake.merge()
            _report(options, account, intake)
    return int(account.games == 0 and intake.positions == 0)


class _Intake:
    """The way into the book. It is opened, and made, when there is something to put in."""

    def __init__(self, options: argparse.Namespace) -> None:
        from montego.book.gathering import Gathering  # noqa: PLC0415

        self.gathering = Gathering()
        self.positions = 0
        """Positions taken in from JSON."""
        self._options = options
        self._book: Book | None = None

    def __enter__(self) -> _Intake:  # noqa: PYI034  # Nobody inherits from it.
        return self

    def __exit__(self, *exception: object) -> None:
        if self._book is not None:
            self._book.close()

    def _open(self) -> Book:
        if self._book is None:
            self._book = open_to_write(self._options)
        return self._book

    def merge(self, at_least: int = 1) -> None:
        """Put into the book what was gathered, if it is that many positions."""
        if self.gathering.positions >= at_least:
            self.gathering.merge_into(self._open())

    def take_in(self, path: Path) -> None:
        """Add a book that was exported as JSON."""
        from montego.book.json_exchange import import_json  # noqa: PLC0415

        with path.open(encoding="utf-8") as stream:
            self.positions += import_json(self._open(), stream)


def _how(options: argparse.Namespace) -> Import:
    from montego.book.sgf_import import Import  # noqa: PLC0415
    from montego.go.vocabulary.rules import parse_komi, parse_rules  # noqa: PLC0415

    return Import(
        visits=options.visits,
        depth=options.depth,
        variations=options.variations,
        undecided=options.undecided,
        rules=None if options.rules is None else parse_rules(options.rules),
        komi=None if options.komi is None else parse_komi(options.komi),
    )


def _check_document(path: Path) -> None:
    """Read a book as JSON to its end.

    Raises:
        GoError: If that cannot be done; the message names the file.
    """
    from montego.book.json_exchange import read_json  # noqa: PLC0415

    try:
        with path.open(encoding="utf-8") as stream:
            for _ in read_json(stream).positions:
                pass
    except OSError as error:
        raise GoError(f"{path}: {error.strerror or error}") from None
    except GoError as error:
        raise GoError(f"{path}: {error}") from None


def _report(options: argparse.Namespace, account: Account, intake: _Intake) -> None:
    """Say what was counted, and why what was not was not."""
    if options.json:
        document = {
            "book": str(book_path(options)),
            "games": account.games,
            "moves": account.moves,
            "positions": intake.positions,
            "skipped": account.skipped,
            "cut_short": account.cut_short,
        }
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")
        return
    for title, reasons in (("left out", account.skipped), ("cut short", account.cut_short)):
        for reason in reasons[:SHOWN]:
            sys.stderr.write(f"{title}: {reason}\n")
        if len(reasons) > SHOWN:
            sys.stderr.write(f"{title}: {len(reasons) - SHOWN} more; --json lists them all\n")
    counted = []
    if account.games:
        counted.append(f"{amount(account.games, 'game')} with {amount(account.moves, 'move')}")
    if intake.positions:
        counted.append(amount(intake.positions, "position"))
    if counted:
        sys.stdout.write(f"{' and '.join(counted)} counted into {book_path(options)}\n")
    else:
        sys.stdout.write("nothing was counted\n")


def run_export(options: argparse.Namespace) -> int:
    """Carry out ``montego book export``."""
    target = Path(options.file)
    kind = target.suffix.lower()
    if kind not in (".sgf", ".json"):
        raise GoError(f"cannot export to {target}: say a file that ends in .sgf or .json")
    with open_to_read(options) as book:
        if kind == ".json":
            written = _export_json(options, book, target)
        else:
            written = _export_sgf(options, book, target)
    sys.stdout.write(f"{written} written to {target}\n")
    return 0


def _export_json(options: argparse.Namespace, book: Book, target: Path) -> str:
    from montego.book.json_exchange import export_json  # noqa: PLC0415

    if options.moves or not options.record is options.size is options.rules is options.komi is None:
        raise GoError("JSON has all of a book: moves and boards are chosen for SGF only")
    total = max(book.statistics().positions, 1)
    with progress_bar("exporting") as show, replaced(target) as stream:
        written = export_json(book, stream, lambda done: show(done / total, ""))
    return amount(written, "position")


def _export_sgf(options: argparse.Namespace, book: Book, target: Path) -> str:
    from montego.book.opening_tree import Extent  # noqa: PLC0415
    from montego.book.sgf_export import export_sgf  # noqa: PLC0415

    extent = Extent(depth=options.depth, width=options.width, least_visits=options.least_visits)
    if options.positions < 1:
        raise GoError(f"cannot export {options.positions} positions: say a number from 1")
    game = game_at(options, book)
    found = export_sgf(book, game, extent, positions=options.positions)
    if found is None:
        raise GoError(f"{book.path}: nothing is known of this position")
    with replaced(target) as stream:
        stream.write(found.record.to_sgf())
    return f"{amount(found.positions, 'position')} with {amount(found.moves, 'move')}"
