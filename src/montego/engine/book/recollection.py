"""What the book knows at and below a position, made ready for a search of it.

The book keeps one orientation of each position; a search has the board as it lies. So the positions
are played through from the root: each is turned to how it lies now, and stands under its own key,
as :func:`montego.engine.knowledge.experience.write_experience` wants it.
"""

from __future__ import annotations

import heapq
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from montego.book.position import pose_of_state, real_table
from montego.engine.knowledge import definition
from montego.engine.knowledge.experience import (
    AMAF_VALUE,
    AMAF_VISITS,
    FIELDS,
    POINT,
    VALUE,
    VISITS,
    key_of,
)
from montego.go.kernels.layout import PASS, all_points
from montego.jit.state import new_scratch
from montego.mcts.game import no_hash

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.book.experience import Table
    from montego.book.position import GameSettings
    from montego.book.store import Book
    from montego.go.game import Game
    from montego.jit.state import State
    from montego.mcts.search import Search

    Entry = NDArray[np.float64]

LOADED = 64
"""Positions at and below the root that are loaded before a search, the most visited ones.

On 9x9 they take less than four milliseconds (``benchmarks/book_speed.py``), and the kernels' table
has room for some 300 with all of their moves; on 19x19 for some 70. This is a number, not a time,
so that the same book and seed play the same game.
"""

LITTLE = 1e-9  # Visits, instead of none, to divide by.


def room_for(state: State) -> State:
    """Return room for the boards of :func:`recollect`, for positions like this one."""
    return np.empty((LOADED, len(state)), np.int32)


def recollect(
    book: Book,
    settings: GameSettings,
    search: Search,
    game: Game,
    recalled: dict[int, Entry],
    boards: State,
) -> dict[int, Entry]:
    """Return what the book knows, by key, the root of *search* first; nothing if it knows none.

    From the root by moves to positions that the book knows as well, the most visited first. What is
    in *recalled* is taken from there, all else is added to it; *boards* is written over.

    Raises:
        BookError: If the book cannot be read.
    """
    size, root = game.size, pose_of_state(search.state).key
    known = book.subtree(settings, root, limit=LOADED)
    if root not in known:
        return {}
    play, knowledge = search.game.play, search.game.knowledge
    scratch = new_scratch(search.game.longest_game, 0, search.game.scratch_room)
    entries: dict[int, Entry] = {}
    boards[0] = search.state  # Those of the entries, in their order.
    waiting: list[tuple[float, int, int, int, int]] = [(0.0, 0, 0, -1, root)]
    met = 0  # So that what is equally visited comes in order.
    while waiting and len(entries) < LOADED:
        _, _, parent, move, expected = heapq.heappop(waiting)
        number = len(entries)
        state = boards[number]
        if number > 0:
            state[:] = boards[parent]
            play(state, knowledge, scratch, move)
        key, pose = int(key_of(state)), pose_of_state(state)
        if key in entries or pose.key != expected:
            continue
        table, moves = real_table(pose, size, known[pose.key].table)
        points = _points(size)[moves]
        if key not in recalled:
            recalled[key] = entry_of(table, points)
        entries[key] = recalled[key] if number > 0 else _allowed(recalled[key], search, game)
        visits = table["visits"]
        for place, after in enumerate(table["after"].tolist()):
            if after in known:
                met += 1
                there = (met, number, int(points[place]), after)
                heapq.heappush(waiting, (-float(visits[place]), *there))
    return entries


def _allowed(entry: Entry, search: Search, game: Game) -> Entry:
    """Leave out moves from the root that superko forbids; simple ko is part of the position."""
    go = search.game
    if go.hash is no_hash:
        return entry
    past = set(definition.history_of(game))
    scratch = new_scratch(go.longest_game, 0, go.scratch_room)
    kept = []
    for row in entry:
        beyond = search.state
        go.play(beyond, go.knowledge, scratch, int(row[POINT]))
        kept.append(int(go.hash(beyond, go.knowledge, scratch)) not in past)
    return entry[kept]


@cache
def _points(size: int) -> NDArray[np.intp]:
    """Return the search's move for each of the book's."""
    return np.array([*all_points(size), int(PASS)], np.intp)


def entry_of(table: Table, points: NDArray[np.intp]) -> Entry:
    """Return records of the book, for moves at these points, as an entry of the kernels' table."""
    entry = np.empty((len(table), FIELDS))
    visits, amaf_visits = table["visits"], table["amaf_visits"]
    entry[:, POINT] = points
    entry[:, VISITS] = visits
    entry[:, VALUE] = table["value_sum"] / np.maximum(visits, LITTLE)
    entry[:, AMAF_VISITS] = amaf_visits
    entry[:, AMAF_VALUE] = table["amaf_sum"] / np.maximum(amaf_visits, LITTLE)
    return entry
