"""The trees of one search, as its threads share them: one, or one a thread in root parallel search.

A tree is never changed in place but by simulations. Moving the root and pruning copy what is to
stay into a spare tree and exchange the two, while no thread is inside: that is what the gate is
for.
"""

from __future__ import annotations

import math
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from montego.jit import interpreted
from montego.mcts.errors import InvalidConfig
from montego.mcts.kernels.gumbel import LEAST_CHANCE, gumbel, log_chance
from montego.mcts.kernels.joining import join_into, join_trees
from montego.mcts.kernels.pruning import STOPPED, copy_subtree, count_by_visits, least_visits
from montego.mcts.kernels.tree import (
    CLAIMED,
    EDGES,
    EXPANDED,
    FULL,
    LOCK,
    MOST_VISITS,
    NO_CHILD,
    NODES,
    RECENT,
    ROOT,
    SAFE,
    SCORES,
    SIMULATIONS,
    STOP,
    UNEXPANDED,
    UNPROVEN,
    WINS,
    Tree,
    clear_tree,
    least_memory,
    new_tree,
)
from montego.mcts.kernels.variety import vary
from montego.mcts.report import merge
from montego.mcts.sharing import Ledger
from montego.mcts.view import PROOFS, view_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from montego.jit.state import Scratch
    from montego.mcts.config import Config
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.report import Candidate
    from montego.mcts.sharing import SharedTable


CHANCES = 100.0
"""Visits that the chances of an evaluation count for beside those of an adviser."""


def check_memory(config: Config, name: str, move_count: int) -> None:
    """Refuse a memory limit that is too small for the game *name* with so many moves.

    Raises:
        InvalidConfig: If it is; the message says how much it wants.
    """
    least = config.trees * least_memory(move_count)
    if config.memory < least * (1.0 - 1e-9):
        enough = math.ceil(100 * least) / 100
        raise InvalidConfig(
            f"invalid memory {config.memory:g}: {name} wants at least {enough:g} MB"
        )


class TreeSize(NamedTuple):
    """How large a tree is."""

    nodes: int
    edges: int
    share: float
    """Of the memory that it may take, from 0 to 1."""


class Forest:
    """Trees of equal size, and the gate to them."""

    def __init__(
        self,
        count: int,
        nodes: int,
        edges: int,
        *,
        compiled: bool,
        judged: bool = False,
        gumbel: bool = False,
        keep_inverse_sqrt: int = 0,
        scores: int = 0,
        plays: int = 0,
    ) -> None:
        """Make *count* trees for so many nodes and edges; *keep_inverse_sqrt* is the setting.

        *judged* says whether moves begin with chances, by an evaluation, instead of priors, and
        *gumbel* whether their logarithms are kept.
        *scores* and *plays* are as for :func:`~montego.mcts.kernels.tree.new_tree`.
        """
        self._judged = judged
        self._keeps_logarithms = gumbel
        self._kept: set[int] = set()  # Trees whose root was grown below another.
        self.trees = [new_tree(nodes, edges, scores, plays) for _ in range(count)]
        self.identity = object()
        """Another one each time the trees are made mere roots."""
        self._advised: dict[tuple[int, int], float] = {}  # prior visits by tree and move
        self._spare: Tree | None = None
        self._gate = threading.Condition()
        self._inside = 0  # threads inside a tree at this moment; guarded by the gate
        self._is_shut = False  # whether somebody waits for them to come out; so is this
        self._is_stopped = False  # whether simulations are to end for good
        # What other searches know of the first tree, and the simulations and scores from them.
        self._ledger = Ledger(keep_inverse_sqrt != 0)
        self._absorbed = (0, 0)
        self._keep_inverse_sqrt = keep_inverse_sqrt
        self._copy: Callable[..., int] = copy_subtree
        self._count: Callable[..., int] = count_by_visits
        self._join: Callable[..., int] = join_trees
        if not compiled:
            self._copy, self._count = interpreted(copy_subtree), interpreted(count_by_visits)
            self._join = interpreted(join_trees)

    def place_of(self, thread: int) -> int:
        """Return the index of a thread's tree."""
        return thread if len(self.trees) > 1 else 0

    @contextmanager
    def entered(self, place: int) -> Iterator[Tree]:
        """Give the tree at *place* to run simulations in; it stays the tree until they are done."""
        with self._gate:
            while self._is_shut:
                self._gate.wait()
            tree = self.trees[place]
            self._inside += 1
        try:
            yield tree
        finally:
            with self._gate:
                self._inside -= 1
                self._gate.notify_all()

    def stop(self) -> None:
        """End the simulations in all trees."""
        self._is_stopped = True
        for tree in self.trees:
            tree.counters[STOP] = 1

    @contextmanager
    def quiet(self) -> Iterator[Tree]:
        """Give the first tree while no thread is inside any; they go on afterwards.

        Simulations under way are finished first, which takes as long as one.
        """
        with self._gate:
            while self._is_shut:
                self._gate.wait()
            self._is_shut = True
            try:
                for tree in self.trees:
                    tree.counters[STOP] = 1
                while self._inside > 0:
                    self._gate.wait()
                yield self.trees[0]
            finally:
                for tree in self.trees:
                    tree.counters[STOP] = 0
                    if self._is_stopped:  # Asked last: whoever stops the search says so first.
                        tree.counters[STOP] = 1
                self._is_shut = False
                self._gate.notify_all()

    def share(self, depth: int, least: float) -> SharedTable:
        """Return what the first tree has gained: see :meth:`Ledger.share`; also during a search."""
        with self.quiet() as tree:
            return self._ledger.share(tree, depth, least)

    def absorb(self, table: SharedTable) -> None:
        """Add what others have gained to the first tree, also during a search."""
        with self.quiet() as tree:
            self._ledger.absorb(tree, table)
            simulations, scores = self._absorbed
            self._absorbed = (simulations + table.simulations, scores + table.scores)

    def clear(self) -> None:
        """Make all trees mere roots. Advice may be given again."""
        self.identity = object()
        self._advised.clear()
        self._kept.clear()
        self._ledger.clear()
        self._absorbed = (0, 0)
        for tree in self.trees:
            clear_tree(tree)

    def mend(self) -> None:
        """Make the trees ready to be grown, even if the last search was broken off midway.

        Interpreted functions can be, by Ctrl-C or by an error of their own.
        """
        self._inside = 0
        self._is_shut = self._is_stopped = False
        for tree in self.trees:
            tree.counters[[STOP, FULL, LOCK]] = 0
            expansion = tree.expansion[: tree.counters[NODES]]
            expansion[expansion == CLAIMED] = UNEXPANDED

    def advance(self, move: int) -> None:
        """Make what is known about the position after *move* the new roots."""
        self._advised.clear()
        self._ledger.advance(move)
        self._absorbed = (0, 0)
        for place, tree in enumerate(self.trees):
            children = (int(tree.child[edge]) for edge in _edges_with(tree, move))
            child = next((child for child in children if child != NO_CHILD), NO_CHILD)
            self._kept.discard(place)
            if child == NO_CHILD:
                clear_tree(tree)
                continue
            self.trees[place] = below = self._copied(tree, child, 0)
            if below.expansion[ROOT] == EXPANDED:
                self._kept.add(place)
            # The running average is that of the position: others had other scores.
            below.counters[[SIMULATIONS, SCORES, RECENT, WINS]] = 0
            below.recent[:] = 0

    def vary(self, settings: Settings, scratch: Scratch) -> None:
        """Bring variety to roots that have their moves from an earlier search, once.

        Others get it when they get their moves. While nobody searches.
        """
        kept, self._kept = self._kept, set()
        if not self._judged or (settings.root_noise, settings.root_temperature) == (0.0, 1.0):
            return
        for place in kept:
            tree, edges = self.trees[place], _root_edges(self.trees[place])
            chances = tree.prior_value[edges].astype(np.float64)
            interpreted(vary)(chances, np.empty_like(chances), len(chances), settings, scratch)
            tree.prior_value[edges] = chances
            if settings.gumbel != 0:
                for edge in range(edges.start, edges.stop):
                    noise = settings.root_noise * interpreted(gumbel)(scratch)
                    tree.memo[edge] = interpreted(log_chance)(float(tree.prior_value[edge])) + noise

    def join(self, move_count: int) -> None:
        """Make one tree of all, the first, while nobody searches; the others become mere roots.

        What has no room in it is left out.
        """
        joined, *others = self.trees
        for tree in others:
            join_into(joined, tree, move_count, self._keep_inverse_sqrt, self._join)
            for counter in (SIMULATIONS, SCORES, RECENT, WINS):
                joined.counters[counter] += tree.counters[counter]
            clear_tree(tree)

    def make_room(self, place: int) -> None:
        """Prune the least visited nodes, once no thread is inside any tree.

        The first thread that comes does it; the others find it done. The stop signal ends it, and
        the tree stays full.
        """
        with self._gate:
            while self._inside > 0:
                self._gate.wait()
            tree = self.trees[place]
            if tree.counters[FULL] == 0:
                return
            least = least_visits(tree, self._count)
            if least != STOPPED:
                self.trees[place] = self._copied(tree, ROOT, least, heed_stop=True)
                if place == 0:
                    self._ledger.prune(self.trees[0])

    def counted(self) -> tuple[int, int]:
        """Return the simulations and the sum of scores so far, over all trees and from others."""
        simulations, scores = self._absorbed
        return (
            simulations + sum(int(tree.counters[SIMULATIONS]) for tree in self.trees),
            scores + sum(int(tree.counters[SCORES]) for tree in self.trees),
        )

    @contextmanager
    def held(self) -> Iterator[list[Tree]]:
        """Give the trees to look at: nobody exchanges them meanwhile. Simulations go on."""
        with self._gate:
            yield self.trees

    def candidates(self) -> list[Candidate]:
        """Return what is known of the root's moves, most visits first; also during a search."""
        with self._gate:
            if len(self.trees) == 1:
                return view_of(self.trees[0]).candidates()
            return merge([view_of(tree).candidates() for tree in self.trees])

    def root_visits(self, move_count: int) -> NDArray[np.int64] | None:
        """Return the visits of each move at the root; None before all roots are expanded."""
        visits = np.zeros(move_count, np.int64)
        for tree in self.trees:
            if tree.expansion[ROOT] != EXPANDED:
                return None
            edges = _root_edges(tree)
            np.add.at(visits, tree.move[edges], tree.visits[edges])
        return visits

    def size(self) -> TreeSize:
        """Return how large the first tree is."""
        tree = self.trees[0]
        nodes, edges = int(tree.counters[NODES]), int(tree.counters[EDGES])
        return TreeSize(nodes, edges, max(nodes / len(tree.node_visits), edges / len(tree.move)))

    def advise(self, visits: Mapping[int, float]) -> bool:
        """Add won visits to the prior knowledge of moves at the roots; also during a search.

        Say whether all roots have their moves: before that nothing can be added. Nothing is added
        twice to the same tree, also if that is copied or pruned in between. For a moment threads
        see a mixture of old and new. Where an evaluation gives moves their chances, these are mixed
        with the shares of the visits.
        """
        for number, tree in enumerate(self.trees):
            if tree.expansion[ROOT] != EXPANDED:
                return False
            if self._judged:
                self._advise_chances(number, tree, visits)
                continue
            for move, more in visits.items():
                for edge in _open_edges(tree, move):
                    known = float(tree.prior_visits[edge])
                    if known != self._advised.get((number, move)):
                        value = (known * float(tree.prior_value[edge]) + more) / (known + more)
                        self._set_prior(tree, edge, value, known + more)
                        self._advised[number, move] = float(tree.prior_visits[edge])
        return True

    def _advise_chances(self, number: int, tree: Tree, visits: Mapping[int, float]) -> None:
        more = {move: v for move, v in visits.items() if (number, move) not in self._advised}
        total = CHANCES + sum(more.values())
        if total == CHANCES:
            return
        edges = _root_edges(tree)
        before = tree.prior_value[edges].astype(np.float64)
        added = np.array([more.get(int(move), 0.0) for move in tree.move[edges]])
        after = (CHANCES * before + added) / total
        tree.prior_value[edges] = after
        if self._keeps_logarithms:
            least = LEAST_CHANCE
            tree.memo[edges] += np.log(np.maximum(after, least) / np.maximum(before, least))
        self._advised |= {(number, move): v for move, v in more.items()}

    def inherit(self, uncles: Iterable[Candidate], share: float) -> None:
        """Let the moves at the roots begin with the statistics of the same moves two plies before.

        As 004 4.3.6.1 has it, a move's mean is that of its own simulations and of its uncle's, or
        of a *share* of these. They count as a prior, so that the most visited move is that of this
        search. Roots without moves, and closed moves, stay as they are; and so do moves that have
        their chances from an evaluation.
        """
        for tree in () if self._judged else self.trees:
            for uncle in uncles:
                for edge in _open_edges(tree, uncle.move):
                    self._set_prior(tree, edge, uncle.value, share * uncle.visits)

    def _set_prior(self, tree: Tree, edge: int, value: float, visits: float) -> None:
        before = float(tree.prior_visits[edge])
        tree.prior_value[edge] = value
        tree.prior_visits[edge] = visits
        tree.prior_total[ROOT] += float(tree.prior_visits[edge]) - before

    def is_decided(self, place: int) -> bool:
        """Say whether nothing is left to search.

        The root is proven, the game is over, or there are as many visits as can be counted.
        """
        tree = self.trees[place]
        over = tree.expansion[ROOT] == EXPANDED and tree.edge_count[ROOT] == 0
        full = tree.node_visits[ROOT] >= MOST_VISITS
        return bool(over or full or tree.proof[ROOT] > SAFE)

    def proof(self) -> str | None:
        """Return what any tree has proven for the player to move."""
        proofs = (PROOFS.get(int(tree.proof[ROOT])) for tree in self.trees)
        return next((proof for proof in proofs if proof is not None), None)

    def _copied(self, tree: Tree, root: int, least: int, *, heed_stop: bool = False) -> Tree:
        """Return what is below *root* in the spare tree; the old one becomes the spare.

        *least* is as for :func:`~montego.mcts.kernels.pruning.copy_subtree`. With *heed_stop* the
        stop signal ends it, and the old tree is returned as it was.
        """
        target = self._spare
        if target is None:
            arrays = (tree.node_visits, tree.move, tree.recent, tree.anywhere)
            self._spare = target = new_tree(*map(len, arrays))
        elif not clear_tree(target, (lambda: bool(tree.counters[STOP])) if heed_stop else None):
            return tree
        copied = self._copy(tree, target, root, least, self._keep_inverse_sqrt, int(heed_stop))
        if copied == STOPPED:
            return tree
        # Simulations and scores go on counting while a search runs: results are differences.
        for counter in (SIMULATIONS, SCORES, RECENT, WINS, STOP):
            target.counters[counter] = tree.counters[counter]
        target.recent[:] = tree.recent
        target.anywhere[:] = tree.anywhere
        if target.expansion[ROOT] != EXPANDED:
            # What is proven about a position without moves would leave nothing to choose.
            target.proof[ROOT] = UNPROVEN
        self._spare = tree
        return target


def _root_edges(tree: Tree) -> slice:
    """Return where a root's moves are; nowhere before it has any."""
    if tree.expansion[ROOT] != EXPANDED:
        return slice(0, 0)
    first = int(tree.first_edge[ROOT])
    return slice(first, first + int(tree.edge_count[ROOT]))


def _edges_with(tree: Tree, move: int) -> list[int]:
    """Return the edge of a root's move in a list, or an empty list if it has none."""
    edges = _root_edges(tree)
    return [edges.start + int(rank) for rank in np.flatnonzero(tree.move[edges] == move)]


def _open_edges(tree: Tree, move: int) -> list[int]:
    """As :func:`_edges_with`, without edges that are closed."""
    return [edge for edge in _edges_with(tree, move) if tree.prior_visits[edge] >= 0.0]
