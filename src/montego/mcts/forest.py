"""The trees of one search, as its threads share them: one, or one a thread in root parallel search.

A tree is never changed in place but by simulations. Moving the root and pruning copy what is to
stay into a spare tree and exchange the two, while no thread is inside: that is what the gate is
for.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from montego.jit import interpreted
from montego.mcts.kernels.pruning import STOPPED, copy_subtree, count_by_visits, least_visits
from montego.mcts.kernels.tree import (
    CLAIMED,
    EXPANDED,
    FULL,
    LOCK,
    MOST_VISITS,
    NO_CHILD,
    NODES,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROOT,
    SAFE,
    SCORES,
    SIMULATIONS,
    STOP,
    UNEXPANDED,
    UNPROVEN,
    Tree,
    clear_tree,
    new_tree,
)
from montego.mcts.report import PROOFS, Candidate, candidates_of, merge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray


class Forest:
    """Trees of equal size, and the gate to them."""

    def __init__(
        self, count: int, nodes: int, edges: int, *, compiled: bool, keep_inverse_sqrt: int = 0
    ) -> None:
        """Make *count* trees for so many nodes and edges; *keep_inverse_sqrt* is the setting."""
        self.trees = [new_tree(nodes, edges) for _ in range(count)]
        self.cleared = 0
        """How often the trees were made mere roots."""
        self._spare: Tree | None = None
        self._gate = threading.Condition()
        self._inside = 0  # threads inside a tree at this moment; guarded by the gate
        self._keep_inverse_sqrt = keep_inverse_sqrt
        self._copy: Callable[..., int] = copy_subtree
        self._count: Callable[..., int] = count_by_visits
        if not compiled:
            self._copy, self._count = interpreted(copy_subtree), interpreted(count_by_visits)

    def place_of(self, thread: int) -> int:
        """Return the index of a thread's tree."""
        return thread if len(self.trees) > 1 else 0

    @contextmanager
    def entered(self, place: int) -> Iterator[Tree]:
        """Give the tree at *place* to run simulations in; it stays the tree until they are done."""
        with self._gate:
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
        for tree in self.trees:
            tree.counters[STOP] = 1

    def clear(self) -> None:
        """Make all trees mere roots."""
        self.cleared += 1
        for tree in self.trees:
            clear_tree(tree)

    def mend(self) -> None:
        """Make the trees ready to be grown, even if the last search was broken off midway.

        Interpreted functions can be, by Ctrl-C or by an error of their own.
        """
        self._inside = 0
        for tree in self.trees:
            tree.counters[[STOP, FULL, LOCK]] = 0
            expansion = tree.expansion[: tree.counters[NODES]]
            expansion[expansion == CLAIMED] = UNEXPANDED

    def advance(self, move: int) -> None:
        """Make what is known about the position after *move* the new roots."""
        self.trees = [self._below(tree, move) for tree in self.trees]

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

    def counted(self) -> tuple[int, int]:
        """Return the simulations and the sum of scores so far, over all trees."""
        return (
            sum(int(tree.counters[SIMULATIONS]) for tree in self.trees),
            sum(int(tree.counters[SCORES]) for tree in self.trees),
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
                return candidates_of(self.trees[0])
            return merge([candidates_of(tree) for tree in self.trees])

    def root_visits(self, move_count: int) -> NDArray[np.int64] | None:
        """Return the visits of each move at the root; None before all roots are expanded."""
        visits = np.zeros(move_count, np.int64)
        for tree in self.trees:
            if tree.expansion[ROOT] != EXPANDED:
                return None
            first = int(tree.first_edge[ROOT])
            edges = slice(first, first + int(tree.edge_count[ROOT]))
            np.add.at(visits, tree.move[edges], tree.visits[edges])
        return visits

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
        proofs = {int(tree.proof[ROOT]) for tree in self.trees} - {UNPROVEN, SAFE}
        # What PROOFS says is the view of the player who moved before.
        turned = {PROVEN_WIN: PROVEN_LOSS, PROVEN_LOSS: PROVEN_WIN}
        return next((PROOFS[turned.get(proof, proof)] for proof in proofs), None)

    def _below(self, tree: Tree, move: int) -> Tree:
        """Return the tree below *move*, or an empty one if nothing is known about it."""
        if tree.expansion[ROOT] == EXPANDED:
            first = int(tree.first_edge[ROOT])
            for edge in range(first, first + int(tree.edge_count[ROOT])):
                if tree.move[edge] == move and tree.child[edge] != NO_CHILD:
                    below = self._copied(tree, int(tree.child[edge]), 0)
                    # The running average is that of the position: others had other scores.
                    below.counters[[SIMULATIONS, SCORES]] = 0
                    return below
        clear_tree(tree)
        return tree

    def _copied(self, tree: Tree, root: int, least: int, *, heed_stop: bool = False) -> Tree:
        """Return what is below *root* in the spare tree; the old one becomes the spare.

        *least* is as for :func:`~montego.mcts.kernels.pruning.copy_subtree`. With *heed_stop* the
        stop signal ends it, and the old tree is returned as it was.
        """

        def is_stopped() -> bool:
            return heed_stop and bool(tree.counters[STOP] != 0)

        target = self._spare
        if target is None:
            self._spare = target = new_tree(len(tree.node_visits), len(tree.move))
        elif not clear_tree(target, is_stopped):
            return tree
        copied = self._copy(tree, target, root, least, self._keep_inverse_sqrt, int(heed_stop))
        if copied == STOPPED:
            return tree
        # Simulations and scores go on counting while a search runs: results are differences.
        for counter in (SIMULATIONS, SCORES, STOP):
            target.counters[counter] = tree.counters[counter]
        if target.expansion[ROOT] != EXPANDED:
            # What is proven about a position without moves would leave nothing to choose.
            target.proof[ROOT] = UNPROVEN
        self._spare = tree
        return target
