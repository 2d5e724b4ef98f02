"""The book in a player's hands: read before each search, added to after the game.

Before a search what the book knows at and below the root goes into the search's knowledge
(:mod:`montego.engine.knowledge.experience`), turned to how the board lies: the book keeps one
orientation of each position. What searches find near their roots, less what nodes started with
because the book knew them, is noted before it is lost, and merged when the game is over.

Whatever is wrong with the book, the player plays on without it: nothing here raises. The trouble is
told once, and can be asked for. Files are opened when a search first wants them.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from montego.book.errors import BookError, BookLocked, ReadOnlyBook
from montego.book.experience import RECORD, SUMS, Experience
from montego.book.position import canonical_table, pose_of_state, real_table, settings_of
from montego.engine.knowledge.definition import history_of
from montego.engine.knowledge.experience import (
    AMAF_VALUE,
    AMAF_VISITS,
    FIELDS,
    POINT,
    VALUE,
    VISITS,
    key_of,
    write_experience,
)
from montego.engine.options.options import DEFAULT_BOOK
from montego.go.game import Move
from montego.go.kernels.layout import PASS, SIZE, all_points, state_length
from montego.jit.state import new_scratch
from montego.mcts.game import no_hash
from montego.mcts.view import recalled_sums

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping

    from numpy.typing import NDArray

    from montego.book.experience import Table
    from montego.book.position import GameSettings, Pose
    from montego.book.store import Book
    from montego.engine.options.options import Options
    from montego.go.game import Game
    from montego.jit.state import State
    from montego.mcts.search import Search

    Entry = NDArray[np.float64]
    Place = tuple[GameSettings, object, tuple[int, tuple[Hashable, ...]]]
    R = TypeVar("R")

LOADED = 64
"""Positions at and below the root that are loaded before a search, the most visited ones.

On 9x9 they take less than four milliseconds (``benchmarks/speed/book_speed.py``), and the kernels'
table has room for some 300 with all of their moves; on 19x19 for some 70. This is a number, not a
time, so that the same book and seed play the same game.
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
    in *recalled* is taken from there, all else is added to it; *boards* has room for LOADED states.

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
    past = set(history_of(game))
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
    """Return the :data:`MOST` most visited nodes of each tree, by tree and path.

    *path* leads to the root, which is *ply* plies into the game; nothing deeper than *depth* plies
    is returned. *recalled* is what nodes started with, by the key of their position, as
    ``write_experience`` got it. The search must not be running.
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


LEARNED = 300
"""Positions that are merged at a time, the most visited ones; the others wait for the next time."""

KEPT = 4 * LEARNED
"""Nodes that are remembered at most, the most visited ones: some 20 MB on 19x19."""

PATIENCE = 2.0  # Seconds to wait for others who write into the book.


class BookKeeper:
    """One player's book. Not thread-safe; the player takes care of that."""

    def __init__(self, options: Options, tell: Callable[[str], None]) -> None:
        """Keep the book that the options name, if any; nothing is opened yet.

        *tell* gets a line about each trouble, once.
        """
        self._place, self._depth, self._learns = self._wanted = _settings_of(options)
        self._tell = tell
        self.trouble: str | None = None
        """What is wrong with the book, in a sentence; None if nothing is."""
        self._book: Book | None = None
        self._closed = self._place is None
        self._settings: GameSettings | None = None  # of the game that is searched
        self._root: State | None = None
        self._path: tuple[Hashable, ...] = ()  # to the root, from the beginning of the game
        self._ply = 0  # of the root
        self._at_root: NDArray[np.float64] | None = None  # what the book knows of it
        self._tree: object = None  # stands for the tree of the latest search
        self._imagined = False  # whether something in the tree was searched with another komi
        # What nodes of the tree may have started with. It stays what it is while the tree is
        # kept, whatever others write into the book meanwhile: it has to be taken off again.
        self._recalled: dict[int, Entry] = {}
        self._boards: State | None = None
        # By place: what was found, and as much of it as the book has got. A place is the settings,
        # the tree (and, if threads have their own, which), and the path to the node.
        self._found: dict[Place, FoundNode] = {}
        self._merged: dict[Place, FoundNode] = {}
        self._uncounted = 1  # games, this one included, that the book has not counted yet
        self._is_locked = False  # whether others wrote for too long the last time

    def serves(self, options: Options) -> bool:
        """Say whether this is the book that the options ask for, kept as they ask."""
        return self._wanted == _settings_of(options)

    # Before a search

    def load(self, search: Search, game: Game, *, imagined: bool) -> None:
        """Write what the book knows at and below the root of *search* into its knowledge.

        The root must be the position of *game*, but for whose turn it is. *imagined* says that the
        search plays with a komi of its own, which no book knows.
        """
        if self._closed:
            return
        state, history = search.state, game.history
        # Moves as the search has them: a node has the same path before and after the root moves.
        path = tuple(
            search.game.parse_move(state, done.vertex) if isinstance(done, Move) else done
            for done in history
        )
        self._guarded(lambda: self._link(search, path))
        self._root, self._path = state, path
        self._ply = sum(isinstance(done, Move) for done in history)
        if search.tree_identity is not self._tree:
            self._tree = search.tree_identity
            self._imagined = False
            self._recalled = {}
        self._imagined |= imagined
        self._settings = settings_of(game)
        self._at_root = None
        entries: dict[int, Entry] = {}
        if not self._imagined and search.config.experience > 0.0:
            entries = self._guarded(lambda: self._entries(search, game)) or {}
        write_experience(search.game.knowledge, entries)

    def at_root(self) -> dict[int, tuple[float, float]]:
        """Return visits and mean value that the book has for moves of the position to search."""
        known = self._at_root
        if known is None:
            return {}
        return {
            int(row[POINT]): (float(row[VISITS]), float(row[VALUE])) for row in known if row[VISITS]
        }

    def _entries(self, search: Search, game: Game) -> dict[int, Entry]:
        book = self._opened()
        if book is None or self._settings is None:
            return {}
        # New memory for every search would cost more than all that is done with it.
        if self._boards is None or self._boards.shape[1] != len(search.state):
            self._boards = np.empty((LOADED, len(search.state)), np.int32)
        entries = recall_subtree(book, self._settings, search, game, self._recalled, self._boards)
        self._at_root = next(iter(entries.values()), None)
        return entries

    # After it

    def note(self, search: Search) -> None:
        """Remember what *search* has found so far; before its root moves, and at the end."""
        if self._closed or not self._learns or self._imagined or self._settings is None:
            return
        # It may have begun anew since: other nodes stand under the same paths.
        self._tree = search.tree_identity
        found = self._guarded(
            lambda: found_nodes(
                search, self._path, ply=self._ply, depth=self._depth, recalled=self._recalled
            )
        )
        if found:
            self._found |= {
                (self._settings, self._tree, place): node for place, node in found.items()
            }
            if len(self._found) > KEPT:
                most = sorted(self._found.items(), key=lambda item: -item[1].visits)
                self._found = dict(most[:KEPT])

    def _link(self, search: Search, path: tuple[Hashable, ...]) -> None:
        """Note where the moves led that were played since, so that a book can be walked through."""
        before = len(self._path)
        if self._root is None or self._settings is None or path[:before] != self._path:
            return
        definition, state = search.game, self._root.copy()
        scratch = new_scratch(definition.longest_game, 0, definition.scratch_room)
        numbers = numbers_of(self._settings.size)
        for length, move in enumerate(path[before:], start=before):
            if not isinstance(move, int) or length > self._depth:
                return
            definition.play(state, definition.knowledge, scratch, move)
            key = pose_of_state(state).key
            for tree in range(search.config.trees):
                node = self._found.get((self._settings, self._tree, (tree, path[:length])))
                if node is not None:
                    node.link(int(numbers[move]), key)

    def learn(self) -> int:
        """Merge what was noted since the last time into the book; return how many positions."""
        if not self.learns or not self._found:
            return 0
        return self._guarded(self._merge) or 0

    @property
    def learns(self) -> bool:
        """Whether what is found will be merged; not with a book that failed or is only read."""
        return self._learns and not self._closed

    def _merge(self) -> int:
        book = self._opened()
        if book is None or book.read_only:
            return 0
        count, waiting = 0, set()
        for settings in {place[0] for place in self._found}:
            news = []
            for place, node in self._found.items():
                sums = node.since(self._merged.get(place))
                if place[0] == settings and self._is_news(place, node, sums):
                    news.append((place, node, sums))
            news.sort(key=lambda one: -one[2][:, 0].sum())
            told = news[:LEARNED]
            if told:
                experiences = [node.experience(sums, settings.size) for _, node, sums in told]
                book.merge(settings, experiences, games=self._uncounted)
                self._uncounted = 0
                count += len(told)
            self._merged |= {place: node.copy() for place, node, _ in told}
            waiting |= {place for place, _, _ in news[LEARNED:]}
        present = {place for place in {*self._found, *self._merged} if self._may_grow(place)}
        self._found = {p: node for p, node in self._found.items() if p in waiting | present}
        kept = present | self._found.keys()
        self._merged = {p: node for p, node in self._merged.items() if p in kept}
        if self._is_locked:
            self._is_locked, self.trouble = False, None
        return count

    def _is_news(self, place: Place, node: FoundNode, sums: NDArray[np.float64]) -> bool:
        """Say whether the book has not got all of a node: visits, or a move that was played."""
        merged = self._merged.get(place)
        is_linked = merged is not None and not np.array_equal(merged.after, node.after)
        return is_linked or bool(sums[:, 0].sum() >= 1.0)

    def _may_grow(self, place: Place) -> bool:
        """Say whether the tree still has the node: nothing is found at others any more."""
        settings, tree, (_, path) = place
        is_present = (settings, tree) == (self._settings, self._tree)
        return is_present and path[: len(self._path)] == self._path

    def end_game(self) -> int:
        """Merge as :meth:`learn` does, and be ready for another game; while others write, later."""
        count = self.learn()
        self._uncounted = self._uncounted + 1 if self._is_locked else 1
        return count

    def close(self) -> None:
        """Close the file. Nothing is merged."""
        self._closed = True
        if self._book is not None:
            self._book.close()
            self._book = None

    # The file

    def _opened(self) -> Book | None:
        """Return the book, opened if need be; None if it cannot be."""
        if self._book is None and not self._closed:
            from montego.book.store import Book  # noqa: PLC0415  # Loads sqlite3.

            path = None if self._place == DEFAULT_BOOK else self._place
            if not self._learns:
                self._book = Book.open(path, read_only=True, patience=PATIENCE)
                return self._book
            try:
                self._book = Book.open(path, patience=PATIENCE)
            except ReadOnlyBook as error:
                # Told only once it can be read: what cannot has its own words.
                self._book = Book.open(path, read_only=True, patience=PATIENCE)
                self._learns = False
                self._complain(f"{error}; it is read, and nothing is learned")
        return self._book

    def _guarded(self, task: Callable[[], R]) -> R | None:
        """Do what may fail; if it does, do without the book from now on."""
        try:
            return task()
        except BookLocked as error:
            self._is_locked = True
            if self.trouble is None:
                self._complain(str(error))
            return None  # Others will be done some time.
        except BookError as error:
            self._complain(f"{error}; playing without the book")
        except Exception as error:  # noqa: BLE001  # A bug here must not cost a game.
            self._complain(f"the book failed ({error!r}); playing without it")
        self.close()
        return None

    def _complain(self, text: str) -> None:
        self.trouble = text
        self._tell(f"montego: {text}")


def _settings_of(options: Options) -> tuple[str | None, int, bool]:
    return options.book, options.book_depth, options.book_learn
