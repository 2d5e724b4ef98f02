"""``montego book``: the book of openings that learns, from the command line.

Each verb takes the book's file with ``--book``; without, it is the user's own. Verbs that only read
never make a file.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from montego.cli.book import exchange as book_exchange
from montego.cli.book import learn as book_learn
from montego.cli.book import show as book_show
from montego.cli.book.file import (
    add_book,
    amount,
    book_path,
    check_writable,
    open_others,
    open_to_read,
    open_to_write,
)
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse

    from montego.book.statistics import BookStatistics

MEGABYTE = 1 << 20
MOST_POSITIONS = 10**12
LEAST_MEGABYTES = 0.1  # An empty book takes nearly as much.


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``book`` and its verbs to the command line."""
    parser = commands.add_parser(
        "book",
        help="the book: what was learned about openings",
        description="Look into the book that learns from every game, teach it, and take care of "
        "it. Every verb takes the book's file with --book; without, it is your own.",
        epilog="'montego book VERB --help' says more about each.",
    )
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    book_show.add_verb(verbs)
    book_learn.add_verb(verbs)
    book_exchange.add_verbs(verbs)
    _add_merge(verbs)
    _add_stats(verbs)
    _add_prune(verbs)
    _add_check(verbs)


def _add_merge(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    merge = verbs.add_parser(
        "merge",
        help="add other books to this one",
        description="Add what other books know to this one, which is made if it is not there. "
        "The others stay as they are.",
    )
    merge.add_argument("others", nargs="+", metavar="OTHER", help="the books to add")
    add_book(merge)
    merge.add_argument("--json", action="store_true", help="what was added, as JSON")
    merge.set_defaults(run=run_merge)


def _add_stats(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    stats = verbs.add_parser(
        "stats",
        help="how much is in the book",
        description="Say how much is in the book: positions, visits and games by board and rules.",
    )
    add_book(stats)
    stats.add_argument("--json", action="store_true", help="as JSON")
    stats.set_defaults(run=run_stats)


def _add_prune(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    prune = verbs.add_parser(
        "prune",
        help="forget the least useful positions",
        description="Take out the least useful positions: those with the fewest visits, not met "
        "for the longest time, deepest in the game.",
    )
    add_book(prune)
    prune.add_argument("--positions", type=int, metavar="N", help="keep at most so many")
    prune.add_argument("--megabytes", type=float, metavar="X", help="keep at most so much")
    prune.add_argument(
        "--limit",
        metavar="N|none",
        help="from now on let the book never grow beyond so many positions",
    )
    prune.add_argument("--json", action="store_true", help="what was done, as JSON")
    prune.set_defaults(run=run_prune)


def _add_check(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = verbs.add_parser(
        "check",
        help="look for damage",
        description="Read all of the book and say what is wrong with it. Nothing is changed. The "
        "status is 0 if the book is sound, else 1.",
    )
    add_book(check)
    check.add_argument("--json", action="store_true", help="as JSON")
    check.set_defaults(run=run_check)


def run_merge(options: argparse.Namespace) -> int:
    """Carry out ``montego book merge``."""
    from montego.cli.progress import progress_bar  # noqa: PLC0415  # --help needs none of it.

    check_writable(options)
    others = open_others(options.others, book_path(options))
    try:
        # Whatever is wrong with one of them is found before anything is added.
        for other in others:
            faults = other.check()
            if faults:
                raise GoError(f"the book {other.path} is damaged: {faults[0]}")
        with (
            open_to_write(options) as book,
            progress_bar("merging", enabled=not options.json) as show,
        ):
            before = book.statistics().positions
            added = 0
            for number, other in enumerate(others):
                show(number / len(others), str(other.path))
                added += book.absorb(other)
            after = book.statistics()
    finally:
        for other in others:
            other.close()
    if options.json:
        figures = {"books": len(others), "merged": added, "new": after.positions - before}
        _print_json(figures | {"positions": after.positions, "book": str(after.path)})
    else:
        sys.stdout.write(
            f"{amount(added, 'position')} of {amount(len(others), 'book')} added, "
            f"{after.positions - before:,} of them new; {after.path} has {after.positions:,}\n"
        )
    return 0


def run_stats(options: argparse.Namespace) -> int:
    """Carry out ``montego book stats``."""
    with open_to_read(options) as book:
        found = book.statistics()
    if options.json:
        _print_json(_figures(found))
    else:
        sys.stdout.write(_text(found))
    return 0


def run_prune(options: argparse.Namespace) -> int:
    """Carry out ``montego book prune``."""
    limit = _limit(options.limit)
    if options.positions is None and options.megabytes is None and options.limit is None:
        raise GoError("say how much to keep: --positions N, --megabytes X or --limit N")
    if options.positions is not None and options.positions < 0:
        raise GoError(f"cannot keep {options.positions} positions: say a number from 0")
    if options.megabytes is not None and not LEAST_MEGABYTES <= options.megabytes < 1e9:
        raise GoError(
            f"cannot keep {options.megabytes:g} megabytes: say a number from {LEAST_MEGABYTES:g}"
        )
    size = None if options.megabytes is None else int(options.megabytes * MEGABYTE)
    with open_to_write(options, create=False) as book:
        taken = 0
        if options.limit is not None:
            book.size_limit = limit
            taken += 0 if limit is None else book.prune(positions=limit)
        if options.positions is not None or size is not None:
            taken += book.prune(positions=options.positions, bytes=size)
        left = book.statistics()
    if options.json:
        _print_json({"pruned": taken, "positions": left.positions, "bytes": left.bytes})
    else:
        sys.stdout.write(
            f"{amount(taken, 'position')} taken out, {_extent(left)} left in {left.path}\n"
        )
    return 0


def _limit(text: str | None) -> int | None:
    """Return a number of positions, None for no limit.

    Raises:
        GoError: If it is neither a number from 1 nor ``none``.
    """
    if text is None or text.strip().lower() == "none":
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= MOST_POSITIONS:
        raise GoError(f"invalid --limit {text!r}: say a number of positions from 1, or none")
    return int(text)


def run_check(options: argparse.Namespace) -> int:
    """Carry out ``montego book check``."""
    with open_to_read(options) as book:
        faults = book.check()
        path = str(book.path)
    if options.json:
        _print_json({"book": path, "sound": not faults, "faults": faults})
    elif faults:
        sys.stdout.write(f"{path}: damaged\n" + "".join(f"  {fault}\n" for fault in faults))
    else:
        sys.stdout.write(f"{path}: sound\n")
    return int(bool(faults))


def _print_json(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def _figures(found: BookStatistics) -> dict[str, Any]:
    return {
        "book": str(found.path),
        "format": found.format,
        "bytes": found.bytes,
        "positions": found.positions,
        "games": found.games,
        "merges": found.merges,
        "size_limit": found.size_limit,
        "settings": [
            {
                "size": one.settings.size,
                "rules": one.settings.rules,
                "komi": one.settings.komi,
                "positions": one.positions,
                "visits": one.visits,
                "games": one.games,
                "deepest": one.deepest,
            }
            for one in found.settings
        ],
    }


def _text(found: BookStatistics) -> str:
    limit = "none" if found.size_limit is None else amount(found.size_limit, "position")
    lines = [
        f"{found.path}",
        f"  {_extent(found)}; limit: {limit}; format {found.format}",
        f"  {amount(found.games, 'game')} in {amount(found.merges, 'merge')}",
    ]
    lines += [
        f"\n{one.settings}\n  {amount(one.positions, 'position')}, {one.visits:,.0f} visits, "
        f"{amount(one.games, 'game')}, up to {amount(one.deepest, 'move')} deep"
        for one in found.settings
    ]
    return "\n".join(lines) + "\n"


def _extent(found: BookStatistics) -> str:
    return f"{amount(found.positions, 'position')}, {found.bytes / MEGABYTE:.1f} MB"
