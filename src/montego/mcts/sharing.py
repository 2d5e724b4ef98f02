"""What searches of one position on several machines tell one another: MoGo's way (001 section 6).

Each has a tree of its own. Now and then it gives away what its nodes near the root have gained
since the last time, :meth:`Ledger.share`, and adds what others gave, :meth:`Ledger.absorb`.
Everything is sums of integers, so that adding is exact and the order does not matter; what came
from others is remembered as known, and never goes back to where it came from.

Nodes go by the moves that lead to them from the root: their places in arrays are each tree's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from montego.mcts.kernels.tree import (
    AMAF_ENOUGH,
    AMAF_MASK,
    AMAF_ONE,
    EXPANDED,
    MOST_VISITS,
    NO_CHILD,
    ROOT,
    SCORES,
    SIMULATIONS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.limits import MoveLimit
    from montego.mcts.search import Search

Path: TypeAlias = tuple[int, ...]
"""The moves from the root to a node."""

VISITS, VALUE, AMAF, TALLY = range(4)  # Rows of the sums, each as the tree has it.
WORD = 2**31 - 1  # What a tally must stay below.
AMAF_ROOM = 4 * AMAF_ENOUGH * AMAF_ONE - 1  # The weight that fits the word of an edge.


class Gains(NamedTuple):
    """What a node has gained: visits of its own, and the sums of its moves, in order of these."""

    visits: int
    moves: NDArray[np.int32]
    sums: NDArray[np.int64]
    """A row each for visits, value, AMAF word and tally, a column for each move."""

    def plus(self, other: Gains, factor: int = 1) -> Gains:
        """Return both together, or with a *factor* of -1 the difference."""
        visits = self.visits + factor * other.visits
        if np.array_equal(self.moves, other.moves):
            return Gains(visits, self.moves, self.sums + factor * other.sums)
        moves = np.union1d(self.moves, other.moves)
        sums = np.zeros((4, len(moves)), np.int64)
        sums[:, np.searchsorted(moves, self.moves)] += self.sums
        sums[:, np.searchsorted(moves, other.moves)] += factor * other.sums
        return Gains(visits, moves, sums)


@dataclass(frozen=True)
class SharedTable:
    """What a search has gained near its root, or several have together. Plain data, for a wire."""

    simulations: int = 0
    scores: int = 0
    """The first player's, in units of 1 / ``SCORE_UNIT``."""
    nodes: dict[Path, Gains] = field(default_factory=dict)

    def __add__(self, other: SharedTable) -> SharedTable:
        """Return what both have gained."""
        return self._plus(other, 1)

    def __sub__(self, other: SharedTable) -> SharedTable:
        """Return what is left without what *other* has contributed."""
        return self._plus(other, -1)

    def _plus(self, other: SharedTable, factor: int) -> SharedTable:
        nodes = dict(self.nodes)
        for path, gains in other.nodes.items():
            before = nodes.get(path) or Gains(0, gains.moves, np.zeros_like(gains.sums))
            nodes[path] = before.plus(gains, factor)
        return SharedTable(
            self.simulations + factor * other.simulations,
            self.scores + factor * other.scores,
            nodes,
        )


def total_of(tables: Iterable[SharedTable]) -> SharedTable:
    """Return all tables together."""
    return reduce(SharedTable.__add__, tables, SharedTable())


@dataclass(frozen=True)
class Order:
    """What is to be searched, for a search elsewhere. Plain data, for a wire."""

    line: str
    """Another one each time the position is set and not reached by moves."""
    moves: tuple[int, ...]
    """Played since: who has searched an earlier position of the line keeps what it knows."""
    state: State
    """The position that they lead to."""
    history: tuple[int, ...]
    """Hashes of the positions before it."""
    limits: tuple[MoveLimit, ...]
    reward_points: float


class Fellows(Protocol):
    """Searches elsewhere that help with one search: they search what it does, and share."""

    knowledge: dict[int, float]
    """Numbers of the game's knowledge, by their places, that are others than when the game was
    made. Whoever changes them writes them down here before a run."""

    def begin(self, search: Search, order: Order) -> None:
        """Hear that *search* begins. Does not wait for anybody.

        From now on until :meth:`end` others may call its ``share`` and ``absorb``.
        """

    def end(self) -> None:
        """Hear that its budget is spent; what fellows still have is to be added soon, or never."""


@dataclass
class Ledger:
    """What others know of one tree. For a moment in which nobody simulates in it."""

    keep_inverse_sqrt: bool = False
    """The setting of that name."""
    known: dict[Path, Gains] = field(default_factory=dict)
    """What was shared of each node, or absorbed, so far: the next share is what came after it."""
    waiting: dict[Path, Gains] = field(default_factory=dict)
    """What was absorbed for nodes that the tree does not have yet."""
    counted: tuple[int, int] = (0, 0)
    """Simulations and scores of the tree that were shared."""

    def share(self, tree: Tree, depth: int, least: float) -> SharedTable:
        """Return what the tree has gained since the last time, and remember that others know it.

        Of nodes to whom fewer than *depth* moves lead, and that have a share of *least* of the
        root's visits. Others are told of the rest when they reach that.
        """
        self._place(tree)
        nodes: dict[Path, Gains] = {}
        enough = least * float(tree.node_visits[ROOT])
        open_nodes: list[tuple[Path, int]] = [((), ROOT)]
        for path, node in open_nodes:
            if tree.expansion[node] != EXPANDED:
                continue
            now = _standing(tree, node)
            known = self.known.get(path)
            gains = now if known is None else now.plus(known, -1)
            self.known[path] = now
            if gains.visits or gains.sums.any():
                nodes[path] = gains
            if len(path) + 1 >= depth:
                continue
            edges = _edges(tree, node)
            children = tree.child[edges]
            visited = (children != NO_CHILD) & (tree.node_visits[children] >= enough)
            for rank in np.flatnonzero(visited).tolist():
                move = int(tree.move[edges][rank])
                open_nodes.append(((*path, move), int(children[rank])))
        counted = (int(tree.counters[SIMULATIONS]), int(tree.counters[SCORES]))
        before, self.counted = self.counted, counted
        return SharedTable(counted[0] - before[0], counted[1] - before[1], nodes)

    def absorb(self, tree: Tree, table: SharedTable) -> None:
        """Add what others have gained to the tree; it will not be shared as the tree's own.

        What is meant for nodes that the tree does not have waits until it does.
        """
        for path, gains in table.nodes.items():
            before = self.waiting.get(path)
            self.waiting[path] = gains if before is None else before.plus(gains)
        self._place(tree)

    def advance(self, move: int) -> None:
        """Follow the tree, whose root moves on by *move*."""
        for nodes in (self.known, self.waiting):
            below = {path[1:]: gains for path, gains in nodes.items() if path[:1] == (move,)}
            nodes.clear()
            nodes.update(below)
        self.counted = (0, 0)

    def clear(self) -> None:
        """Follow the tree, which begins anew."""
        self.known.clear()
        self.waiting.clear()
        self.counted = (0, 0)

    def prune(self, tree: Tree) -> None:
        """Follow the tree, some of whose nodes have lost their moves: they begin anew."""
        for path in [path for path in self.known if _find(tree, path) is None]:
            del self.known[path]

    def _place(self, tree: Tree) -> None:
        """Add what waits to the nodes that have their moves by now."""
        for path in sorted(self.waiting, key=len):
            node = _find(tree, path)
            if node is None:
                continue
            added = _add(tree, node, self.waiting.pop(path), self.keep_inverse_sqrt)
            known = self.known.get(path)
            self.known[path] = added if known is None else known.plus(added)


def _edges(tree: Tree, node: int) -> slice:
    first = int(tree.first_edge[node])
    return slice(first, first + int(tree.edge_count[node]))


def _standing(tree: Tree, node: int) -> Gains:
    """Return all that a node has, its moves in order."""
    edges = _edges(tree, node)
    moves = tree.move[edges]
    order = np.argsort(moves)
    sums = np.empty((4, len(order)), np.int64)
    for row, array in enumerate((tree.visits, tree.value, tree.amaf, tree.tally)):
        sums[row] = array[edges][order]
    if len(tree.anywhere):
        # What is kept for the whole tree is written over the words of its nodes: it is not theirs.
        sums[AMAF] = 0
    return Gains(int(tree.node_visits[node]), moves[order], sums)


def _find(tree: Tree, path: Path) -> int | None:
    """Return the node that moves lead to, if it has its moves."""
    node = ROOT
    for move in path:
        if tree.expansion[node] != EXPANDED:
            return None
        edges = _edges(tree, node)
        places = np.flatnonzero(tree.move[edges] == move)
        if len(places) == 0:
            return None
        node = int(tree.child[edges.start + int(places[0])])
        if node == NO_CHILD:
            return None
    return node if tree.expansion[node] == EXPANDED else None


def _add(tree: Tree, node: int, gains: Gains, keep_inverse_sqrt: bool) -> Gains:
    """Add to a node, and return what was added: without moves that it lacks, or that do not fit."""
    edges = _edges(tree, node)
    own: NDArray[Any] = tree.move[edges]
    order = np.argsort(own)
    moves, sums = own[order], gains.sums
    if not np.array_equal(moves, gains.moves):
        aligned = np.zeros((4, len(moves)), np.int64)
        _, here, there = np.intersect1d(moves, gains.moves, return_indices=True)
        aligned[:, here] = sums[:, there]
        sums = aligned
    # Words have an end: an estimate of so many visits is as good as it gets.
    if int(tree.node_visits[node]) + gains.visits > MOST_VISITS:
        return Gains(0, moves, np.zeros_like(sums))
    places = edges.start + order
    sums = sums.copy()
    weights = (tree.amaf[places] & AMAF_MASK) + (sums[AMAF] & AMAF_MASK)
    sums[AMAF, (weights > AMAF_ROOM) | (len(tree.anywhere) > 0)] = 0
    sums[TALLY, tree.tally[places].astype(np.int64) + sums[TALLY] > WORD] = 0
    tree.visits[places] += sums[VISITS].astype(np.int32)
    tree.value[places] += sums[VALUE]
    tree.amaf[places] += sums[AMAF]
    tree.tally[places] += sums[TALLY].astype(np.int32)
    tree.node_visits[node] += gains.visits
    if keep_inverse_sqrt:
        visits = np.maximum(tree.visits[places], 0).astype(np.float64)
        tree.memo[places] = np.divide(
            1.0, np.sqrt(visits), out=np.zeros_like(visits), where=visits > 0
        )
    return Gains(gains.visits, moves, sums)
