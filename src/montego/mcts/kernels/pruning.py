"""Making room in a tree: which nodes are to stay, and copying these.

Both passes look for the stop signal on the way: a large tree takes a while.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import atomic_add, kernel
from montego.mcts.kernels.tree import (
    EDGES,
    EXPANDED,
    NO_CHILD,
    NODES,
    ROOT,
    STOP,
    inverse_sqrt,
    new_tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.mcts.kernels.tree import Tree

PRUNED_SHARE = 0.5  # How full a tree may be after pruning.
LOOK_EVERY = 256  # Nodes between two looks for the stop signal.
STOPPED = -1

LEVELS = 32  # Powers of two that a number of visits may reach.


@kernel
def count_by_visits(tree: Tree, edges: NDArray[Any], children: NDArray[Any]) -> int:
    """Add up the edges of expanded nodes, and the nodes behind them, by ⌊log₂ visits⌋.

    Visits of this search: what experience added is not evenly spread, and may grow downwards.
    Returns how many nodes were looked at, or STOPPED.
    """
    nodes = int(tree.counters[NODES])
    for node in range(nodes):
        if node % LOOK_EVERY == 0 and atomic_add(tree.counters, STOP, 0) != 0:
            return STOPPED
        if tree.expansion[node] != EXPANDED:
            continue
        level, visits = 0, int(tree.node_visits[node]) - int(tree.recalled[node])
        while level < LEVELS - 1 and visits >> (level + 1) != 0:
            level += 1
        first, count = int(tree.first_edge[node]), int(tree.edge_count[node])
        edges[level] += count
        for edge in range(first, first + count):
            children[level] += int(tree.child[edge] != NO_CHILD)
    return nodes


def least_visits(tree: Tree, count: Callable[[Tree, NDArray[Any], NDArray[Any]], int]) -> int:
    """Return the visits from which nodes keep their moves, so that no more than half is taken.

    A power of two. Those of this search never grow downwards, so "at least so many" is a subtree
    with the same root. *count* is :func:`count_by_visits`; STOPPED if that was.
    """
    edges, children = np.zeros(LEVELS, np.int64), np.zeros(LEVELS, np.int64)
    if count(tree, edges, children) == STOPPED:
        return STOPPED
    level = 1
    while 1 << level < tree.node_visits[ROOT] - tree.recalled[ROOT] and (
        edges[level:].sum() > PRUNED_SHARE * len(tree.move)
        or children[level:].sum() > PRUNED_SHARE * len(tree.node_visits)
    ):
        level += 1
    return 1 << level


@kernel
def copy_subtree(
    source: Tree, target: Tree, root: int, least: int, keep_inverse_sqrt: int, heed_stop: int
) -> int:
    """Copy what lies below *root* into *target*, where it becomes the root; return its nodes.

    Below nodes with fewer than *least* visits of this search nothing is kept: they become
    unexpanded leaves, which forget what they recalled and may recall it again, and children that
    were never expanded are kept as they are. *target* must be cleared and have room.
    Nodes are copied in breadth-first order, which needs no stack: a copied node's index in *source*
    waits in its ``first_edge`` until its turn comes.

    *keep_inverse_sqrt* is the setting of that name. With *heed_stop* the stop signal of *source*
    ends it, and STOPPED is returned; *target* has to be cleared then.
    """
    target.first_edge[ROOT] = root
    target.node_visits[ROOT] = source.node_visits[root]
    target.proof[ROOT] = source.proof[root]
    target.again[ROOT] = source.again[root]
    nodes, edges, node = 1, 0, 0
    while node < nodes:
        if heed_stop != 0 and node % LOOK_EVERY == 0 and atomic_add(source.counters, STOP, 0) != 0:
            target.counters[NODES] = nodes
            target.counters[EDGES] = edges
            return STOPPED
        old = target.first_edge[node]
        keep = node == ROOT or source.node_visits[old] - source.recalled[old] >= least
        if keep and source.expansion[old] == EXPANDED:
            count = source.edge_count[old]
            for offset in range(count):
                old_edge = source.first_edge[old] + offset
                edge = edges + offset
                visits = int(source.visits[old_edge])
                target.move[edge] = source.move[old_edge]
                target.visits[edge] = visits
                target.value[edge] = source.value[old_edge]
                target.amaf[edge] = source.amaf[old_edge]
                target.tally[edge] = source.tally[old_edge]
                target.memo[edge] = source.memo[old_edge]
                if keep_inverse_sqrt != 0:
                    target.memo[edge] = inverse_sqrt(visits)
                target.prior_value[edge] = source.prior_value[old_edge]
                target.prior_visits[edge] = source.prior_visits[old_edge]
                child = source.child[old_edge]
                target.child[edge] = NO_CHILD
                if child != NO_CHILD:
                    target.child[edge] = nodes
                    target.first_edge[nodes] = child
                    target.node_visits[nodes] = source.node_visits[child]
                    target.proof[nodes] = source.proof[child]
                    target.again[nodes] = source.again[child]
                    nodes += 1
            target.first_edge[node] = edges
            target.edge_count[node] = count
            target.recalled[node] = source.recalled[old]
            target.prior_total[node] = source.prior_total[old]
            target.judged[node] = source.judged[old]
            target.expansion[node] = EXPANDED
            edges += count
        else:
            target.first_edge[node] = 0
            target.node_visits[node] -= source.recalled[old]
        node += 1
    target.counters[NODES] = nodes
    target.counters[EDGES] = edges
    return nodes


@cache
def compile_pruning() -> None:
    """Compile both passes, once: they come in the middle of a search."""
    room = np.zeros(LEVELS, np.int64)
    count_by_visits(new_tree(2, 2), room, room)
    copy_subtree(new_tree(2, 2), new_tree(2, 2), ROOT, 0, 0, 0)
