"""The book in a player's hands: read before each search, added to after the game.

Before a search all that the book knows at and below the root goes into the search's knowledge,
turned to how the board lies. What searches find near their roots is noted before it is lost, and
merged when the game is over.

Whatever is wrong with the book, the player plays on without it: nothing here raises. The trouble is
told once, and can be asked for. Files are opened when a search first wants them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from montego.book.errors import BookError, BookLocked, ReadOnlyBook
from montego.book.position import pose_of_state, settings_of
from montego.engine.book.transfer import found_nodes, numbers_of, recall_subtree, room_for
from montego.engine.knowledge.experience import POINT, VALUE, VISITS, write_experience
from montego.engine.options.option import DEFAULT_BOOK
from montego.go.game import Move
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from numpy.typing import NDArray

    from montego.book.position import GameSettings
    from montego.book.store import Book
    from montego.engine.book.transfer import FoundNode
    from montego.engine.options.options import Options
    from montego.go.game import Game
    from montego.jit.state import State
    from montego.mcts.search import Search

    Entries = dict[int, NDArray[np.float64]]
    Place = tuple[GameSettings, int, tuple[int, tuple[Hashable, ...]]]
    R = TypeVar("R")

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
        self._wanted = _wishes(options)
        self._place, self._depth, self._learns = self._wanted
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
        self._tree = 0  # a number of its own for each tree
        self._beginnings = 0  # as the search counts them, in this tree
        self._imagined = False  # whether something in the tree was searched with another komi
        # What nodes of the tree may have started with. It stays what it is while the tree is
        # kept, whatever others write into the book meanwhile: it has to be taken off again.
        self._recalled: Entries = {}
        self._boards: State | None = None
        # By place: what was found, and as much of it as the book has got. A place is the settings,
        # the number of the tree (and, if threads have their own, which), and the path to the node.
        self._found: dict[Place, FoundNode] = {}
        self._merged: dict[Place, FoundNode] = {}
        self._uncounted = 1  # games, this one included, that the book has not counted yet
        self._is_locked = False  # whether others wrote for too long the last time

    def serves(self, options: Options) -> bool:
        """Say whether this is the book that the options ask for, kept as they ask."""
        return self._wanted == _wishes(options)

    # Before a search

    def load(self, search: Search, game: Game, *, begun: bool, imagined: bool) -> None:
        """Write what the book knows at and below the root of *search* into its knowledge.

        The root must be the position of *game*, but for whose turn it is. *begun* says that the
        search has a new tree; *imagined* that it plays with a komi of its own, which no book knows.
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
        if begun or search.beginnings != self._beginnings:
            self._tree += 1
            self._imagined = False
            self._recalled = {}
        self._imagined |= imagined
        self._beginnings = search.beginnings
        self._settings = settings_of(game)
        self._at_root = None
        entries: Entries = {}
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

    def _entries(self, search: Search, game: Game) -> Entries:
        book = self._opened()
        if book is None or self._settings is None:
            return {}
        # New memory for every search would cost more than all that is done with it.
        if self._boards is None or self._boards.shape[1] != len(search.state):
            self._boards = room_for(search.state)
        entries = recall_subtree(book, self._settings, search, game, self._recalled, self._boards)
        self._at_root = next(iter(entries.values()), None)
        return entries

    # After it

    def note(self, search: Search) -> None:
        """Remember what *search* has found so far; before its root moves, and at the end."""
        if self._closed or not self._learns or self._imagined or self._settings is None:
            return
        if search.beginnings != self._beginnings:
            # It was told to begin anew since: other nodes stand under the same paths.
            self._tree += 1
            self._beginnings = search.beginnings
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
        """Let what was found know which positions the moves led to that were played since.

        Whoever walks through the book can then follow the game, whatever the search expected.
        """
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
        """Merge as :meth:`learn` does, and be ready for another game.

        While others write for too long, what was found is kept and merged later.
        """
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


def _wishes(options: Options) -> tuple[str | None, int, bool]:
    return options.book, options.book_depth, options.book_learn
