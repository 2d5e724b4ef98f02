"""``montego book show``: the opening tree as text, as a page for the browser, or as JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from montego.cli.book.file import add_book, add_position, game_at, open_to_read, replaced
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    import argparse

DEPTH, WIDTH = 3, 4
MOST_POSITIONS, MOST_BOARDS = 10_000, 2_000  # A page has a board for each.


def add_verb(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``show``."""
    show = verbs.add_parser(
        "show",
        help="the tree of openings",
        description="Show what the book knows as a tree of moves: visits, their share of the "
        "position's, and how often the player who makes the move won. Moves that symmetry makes "
        "the same are one.",
    )
    add_position(show)
    add_book(show)
    add_extent(show, depth=DEPTH, width=WIDTH)
    show.add_argument(
        "--html", metavar="FILE", help="write a page with boards and branches that fold"
    )
    show.add_argument("--json", action="store_true", help="the tree as JSON")
    show.set_defaults(run=run)


def add_extent(parser: argparse.ArgumentParser, *, depth: int, width: int | None) -> None:
    """Add the options that say how much is shown."""
    every = "all" if width is None else str(width)
    parser.add_argument(
        "--depth", type=int, default=depth, metavar="N", help=f"moves in a row; default {depth}"
    )
    parser.add_argument(
        "--width",
        type=int,
        default=width,
        metavar="N",
        help=f"moves of a position; default {every}",
    )
    parser.add_argument(
        "--least-visits",
        type=float,
        default=1.0,
        metavar="N",
        help="leave out moves with fewer; default 1",
    )


def run(options: argparse.Namespace) -> int:
    """Carry out ``montego book show``."""
    from montego.book.opening_tree import Extent, opening_tree  # noqa: PLC0415  # Needs NumPy.
    from montego.book.position import settings_of  # noqa: PLC0415
    from montego.book.tree_page import tree_page  # noqa: PLC0415
    from montego.book.tree_text import tree_data, tree_text  # noqa: PLC0415

    extent = Extent(
        depth=options.depth,
        width=options.width,
        least_visits=options.least_visits,
        positions=MOST_POSITIONS if options.html is None else MOST_BOARDS,
    )
    with open_to_read(options) as book:
        game = game_at(options, book)
        tree = opening_tree(book, game, extent)
        path = book.path
    settings = settings_of(game)
    moves = [move.vertex for move in game.moves]
    if tree is None:
        raise GoError(f"{path}: nothing is known of this position ({settings})")
    after = f"after {' '.join(moves)}" if moves else "from the beginning"
    if options.json:
        place = {"size": settings.size, "rules": settings.rules, "komi": settings.komi}
        document = {"book": str(path), **place, "moves": moves, "position": tree_data(tree)}
        sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    elif options.html is not None:
        with replaced(Path(options.html)) as stream:
            stream.write(tree_page(tree, f"Montego's book {after}", [str(settings)]))
        sys.stdout.write(f"written: {options.html}\n")
    else:
        sys.stdout.write(
            f"{settings}, {after}: {tree.visits:,.0f} visits, {tree.to_play} to play\n\n"
            f"{tree_text(tree)}"
        )
    return 0
