"""An opening tree as a game record: counts and values in the comments, the most visited first.

Every position is in it once, however many orders of moves lead to it, and the most visited ones
come first until there are enough. So that :mod:`montego.book.sgf_import` finds the numbers again,
they are written into properties of Montego's own, which editors keep and do not show:

    XB   at the root: this is a book, and the number of the format
    XV   at a move: its visits, the sum of its values, and the same two for AMAF
    XN   at a position: its visits, how deep in a game it was met, and how many games told of it
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from montego.book.opening_tree import Extent, known_moves
from montego.book.position import pose_of_game, settings_of
from montego.go.sgf.transcript import transcribe
from montego.go.vocabulary.color import parse_color
from montego.go.vocabulary.errors import IllegalMove
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from montego.book.experience import Experience, MoveExperience
    from montego.book.store import Book
    from montego.go.game import Game
    from montego.go.sgf.node import Node
    from montego.go.sgf.record import Record

FORMAT = "1"
BOOK_MARK, MOVE_NUMBERS, POSITION_NUMBERS = "XB", "XV", "XN"


@dataclass(frozen=True, kw_only=True)
class Export:
    """A record, and how much of the book is in it."""

    record: Record
    positions: int
    moves: int


def export_sgf(book: Book, game: Game, extent: Extent, *, positions: int) -> Export | None:
    """Return the tree below the position of *game*, at most so many positions; None if nothing.

    The moves of *game* come first. A move that the rules forbid in this game is not in it.
    """
    settings = settings_of(game)
    known = book.find(settings, pose_of_game(game).key)
    if known is None:
        return None
    record = transcribe(game, None)
    record.root.set_text(BOOK_MARK, FORMAT)
    node = record.main_line()[-1]
    node.comment = f"Montego's book, {settings}: {_number(known.visits)} visits here."
    order = count()
    waiting: list[tuple[float, int, int, Game, Node, Experience]] = []
    heapq.heappush(waiting, (-known.visits, next(order), 0, game, node, known))
    seen = {known.key}
    written = moves = 0
    while waiting and written < positions:
        _, _, depth, at, node, known = heapq.heappop(waiting)
        node.set_text(POSITION_NUMBERS, _words(known.visits, known.depth, known.games))
        written += 1
        for move, vertex in known_moves(at, known, extent):
            after = at.copy()
            try:
                after.play(at.to_play, vertex)
            except IllegalMove:
                continue
            child = _add(node, at, move, vertex)
            moves += 1
            found = (
                book.find(settings, pose_of_game(after).key) if depth + 1 < extent.depth else None
            )
            if found is None:
                continue
            if found.key in seen:
                child.comment += " The position is elsewhere in the tree."
                continue
            seen.add(found.key)
            heapq.heappush(waiting, (-found.visits, next(order), depth + 1, after, child, found))
    return Export(record=record, positions=written, moves=moves)


def _add(node: Node, game: Game, move: MoveExperience, vertex: str) -> Node:
    child = node.add_move(parse_color(game.to_play), parse_vertex(vertex, game.size))
    child.set_text(
        MOVE_NUMBERS, _words(move.visits, move.value_sum, move.amaf_visits, move.amaf_sum)
    )
    child.comment = (
        f"{_number(move.visits)} visits, {game.to_play.capitalize()} wins {100 * move.value:.1f}%."
    )
    return child


def _words(*numbers: float) -> str:
    """Return numbers so that reading them gives the same numbers."""
    return " ".join(f"{number:.17g}" for number in numbers)


def _number(visits: float) -> str:
    return f"{visits:,.0f}"
