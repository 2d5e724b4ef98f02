"""Between a book and the tree of a search: what goes into it, and what it found.

The book keeps one orientation of each position, a search has the board as it lies: see
:mod:`montego.book.position`. What the book knows at and below the root goes into the search's
knowledge (:mod:`montego.engine.knowledge.experience`), the positions played through from the root.
What a search found near its root is read off its tree again, less what nodes started with because
the book knew them.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.book.experience import RECORD, SUMS, Experience
from montego.book.position import canonical_table, pose_of_state, real_table
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
from montego.go.kernels.layout import PASS, SIZE, all_points, state_length
from montego.jit.state import new_scratch
from montego.mcts.game import no_hash
from montego.mcts.view import recalled_sums

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from numpy.typing import NDArray

    from montego.book.experience import Table
    from montego.book.position import GameSettings, Pose
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

LEAST_VISITS = 16
"""A node below the root with fewer visits of its own is not worth keeping."""

MOST = 300
"""Nodes of a tree that are looked at; a search that went on for hours has many more."""

WELL_KNOWN = 100
"""Visits from which also moves are kept that were never tried, for their AMAF statistics.

Without them they would look as good as at first sight again; in lesser nodes they would fill the
book with little.
"""

LITTLE = 1e-9  # Visits, instead of none, to divide by.


# From the book


def room_for(state: State) -> State:
    """Return room for the boards of :func:`recall_subtree`, for positions like this one."""
    return np.empty((LOADED, len(state)), np.int32)


def recall_subtree(
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
            recalled[key] = _entry(table, points)
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


def _entry(table: Table, points: NDArray[np.intp]) -> Entry:
    """Return records of the book, for moves at these points, as an entry of the kernels' table."""
    entry = np.empty((len(table), FIELDS))
    visits, amaf_visits = table["visits"], table["amaf_visits"]
    entry[:, POINT] = points
    entry[:, VISITS] = visits
    entry[:, VALUE] = table["value_sum"] / np.maximum(visits, LITTLE)
    entry[:, AMAF_VISITS] = amaf_visits
    entry[:, AMAF_VALUE] = table["amaf_sum"] / np.maximum(amaf_visits, LITTLE)
    return entry


# To the book


@dataclass(frozen=True, eq=False)
class FoundNode:
    """A node, as the board lies: its moves and, in the same order, what was found about them.

    Only what this search found itself.
    """

    pose: Pose
    ply: int
    moves: NDArray[np.int64]  # by the book's numbers
    sums: NDArray[np.float64]  # (move, 4): visits, values, AMAF visits, AMAF values
    after: NDArray[np.int64]  # the book's key of the position after each; 0 where nobody looked

    @property
    def visits(self) -> float:
        """The visits to all of its moves."""
        return float(self.sums[:, 0].sum())

    def copy(self) -> FoundNode:
        """Return the same, without what :meth:`link` will tell this one."""
        return replace(self, after=self.after.copy())

    def since(self, earlier: FoundNode | None) -> NDArray[np.float64]:
        """Return the sums less those of the same node at an earlier time."""
        if earlier is None or len(earlier.sums) != len(self.sums):
            return self.sums
        return np.maximum(self.sums - earlier.sums, 0.0)

    def link(self, number: int, key: int) -> None:
        """Note the key of the position after a move, by the book's number: it was played."""
        self.after[self.moves == number] = key

    def experience(self, sums: NDArray[np.float64], size: int) -> Experience:
        """Return as the book wants it what is new, see :meth:`since`."""
        visits = float(sums[:, 0].sum())
        least = 0.0 if visits >= WELL_KNOWN else 1.0
        tried = (sums[:, 0] >= least) & (sums[:, 0] + sums[:, 2] > 0.0)
        kept = np.flatnonzero(tried | (self.after != 0))
        table = np.zeros(len(kept), RECORD)
        table["move"] = self.moves[kept]
        for column, field in enumerate(SUMS):
            table[field] = sums[kept, column]
        table["after"] = self.after[kept]
        table = canonical_table(self.pose, size, table)
        return Experience(self.pose.key, visits, table, depth=self.ply)


def found_nodes(
    search: Search,
    path: tuple[Hashable, ...],
    *,
    ply: int,
    depth: int,
    recalled: Mapping[int, Entry],
) -> dict[tuple[int, tuple[Hashable, ...]], FoundNode]:
    """Return the shallow nodes of a search, by tree and path; *path* leads to its root.

    Of each tree the :data:`MOST` most visited ones. They stand under the paths that lead to them,
    so that a node that is met again, when its tree has grown, replaces what was found before. The
    root is *ply* plies into the game; nothing deeper than *depth* plies is returned. *recalled* is
    what nodes started with, by the key of their position, as ``write_experience`` got it. The
    search must not be running.
    """
    found: dict[tuple[int, tuple[Hashable, ...]], FoundNode] = {}
    if ply > depth:
        return found
    game, start, scale = search.game, search.state, search.config.experience_per_tree
    scratch = new_scratch(game.longest_game, 0, game.scratch_room)
    for number, root in enumerate(search.roots()):
        waiting = [(0.0, 0, root, start, pose_of_state(start), path, ply)]
        met = seen = 0  # So that what is equally visited comes in order; nodes looked at.
        while waiting and seen < MOST:
            _, _, node, state, pose, way, level = heapq.heappop(waiting)
            seen += 1
            if len(node.moves) == 0:
                continue
            numbers = (node.move_visits, node.rewards, node.amaf_visits, node.amaf_rewards)
            sums = np.stack(numbers, axis=1, dtype=np.float64)
            if node.recalled > 0:
                known = recalled.get(int(key_of(state)))
                if known is None:
                    continue  # Whose visits these are nobody can tell any more.
                sums = np.maximum(sums - _started_with(known, node.moves, scale), 0.0)
            after = np.zeros(len(node.moves), np.int64)
            if level < depth:
                for rank in np.flatnonzero(sums[:, 0] >= LEAST_VISITS).tolist():
                    child = node.child(rank)
                    if child is None or not child.is_expanded:
                        continue
                    move = int(node.moves[rank])
                    beyond = state.copy()
                    game.play(beyond, game.knowledge, scratch, move)
                    lies = pose_of_state(beyond)
                    after[rank] = lies.key
                    met += 1
                    further = (child, beyond, lies, (*way, move), level + 1)
                    heapq.heappush(waiting, (-float(sums[rank, 0]), met, *further))
            # However short a search was, it was about the root.
            visits = sums[:, 0].sum()
            is_known = visits > 0.0 if level == ply else visits >= LEAST_VISITS
            # Where moves were left out, the others got visits that are not theirs.
            if is_known and level - ply >= search.limited_depth:
                moves = numbers_of(int(state[SIZE]))[node.moves]
                found[number, way] = FoundNode(pose, level, moves, sums, after)
    return found


def _started_with(known: Entry, moves: NDArray[Any], scale: float) -> NDArray[np.float64]:
    """Return the sums that experience gave to these moves."""
    by_point = {int(row[POINT]): row for row in known}
    nothing = np.zeros(FIELDS)
    rows = np.array([by_point.get(move, nothing) for move in moves.tolist()])
    value, visits, amaf_value, amaf_visits = (
        rows[:, field] for field in (VALUE, VISITS, AMAF_VALUE, AMAF_VISITS)
    )
    return np.stack(recalled_sums(value, visits, amaf_value, amaf_visits, scale), axis=1)


@cache
def numbers_of(size: int) -> NDArray[np.int64]:
    """Return the book's number of each move of the search; a pass, which is 0, comes last."""
    numbers = np.zeros(state_length(size), np.int64)
    numbers[list(all_points(size))] = range(size * size)
    numbers[0] = size * size
    return numbers
