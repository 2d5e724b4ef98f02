"""Making one tree of two that grew from the same position: root parallel search as 003 has it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.mcts.kernels.tree import (
    EDGES,
    EXPANDED,
    NO_CHILD,
    NODES,
    ROOT,
    UNPROVEN,
    inverse_sqrt,
    new_tree,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.mcts.kernels.tree import Tree


@kernel
def adopt_moves(target: Tree, node: int, source: Tree, other: int) -> bool:
    """Give an unexpanded node the moves of another tree's, without visits; say if they fit."""
    count = int(source.edge_count[other])
    first = int(target.counters[EDGES])
    if first + count > len(target.move):
        return False
    begin = int(source.first_edge[other])
    for rank in range(count):
        target.move[first + rank] = source.move[begin + rank]
        target.prior_value[first + rank] = source.prior_value[begin + rank]
        target.prior_visits[first + rank] = source.prior_visits[begin + rank]
    target.counters[EDGES] = first + count
    target.first_edge[node] = first
    target.edge_count[node] = count
    target.prior_total[node] = source.prior_total[other]
    target.judged[node] = source.judged[other]
    target.expansion[node] = EXPANDED
    return True


@kernel
def join_trees(
    target: Tree,
    source: Tree,
    here: NDArray[Any],
    there: NDArray[Any],
    edges: NDArray[Any],
    keep_inverse_sqrt: int,
) -> int:
    """Add all that *source* knows to *target*, node by node; return how many were joined.

    *here* and *there* are room for a number a node of *source*, *edges* for one a move. What has no
    room in *target* is left out, with all below it. Moves are the same ones where both trees have
    them; priors stay those of *target*, but for moves that are closed.
    """
    here[0], there[0] = ROOT, ROOT
    waiting, done = 1, 0
    while done < waiting:
        node, other = int(here[done]), int(there[done])
        done += 1
        target.node_visits[node] += source.node_visits[other]
        target.again[node] = source.again[other]
        if target.proof[node] == UNPROVEN:
            target.proof[node] = source.proof[other]
        if source.expansion[other] != EXPANDED:
            continue
        fresh = target.expansion[node] != EXPANDED
        if fresh and not adopt_moves(target, node, source, other):
            target.node_visits[node] -= source.recalled[other]
            continue
        target.recalled[node] += source.recalled[other]
        first = int(target.first_edge[node])
        for edge in range(first, first + int(target.edge_count[node])):
            edges[target.move[edge]] = edge
        begin = int(source.first_edge[other])
        for known in range(begin, begin + int(source.edge_count[other])):
            edge = int(edges[source.move[known]])
            if edge < first or target.move[edge] != source.move[known]:
                continue
            target.visits[edge] += source.visits[known]
            target.value[edge] += source.value[known]
            target.amaf[edge] += source.amaf[known]
            target.tally[edge] += source.tally[known]
            if keep_inverse_sqrt != 0:
                target.memo[edge] = inverse_sqrt(int(target.visits[edge]))
            if source.prior_visits[known] < 0.0:
                target.prior_visits[edge] = source.prior_visits[known]
            below = int(source.child[known])
            if below == NO_CHILD:
                continue
            child = int(target.child[edge])
            if child == NO_CHILD:
                child = int(target.counters[NODES])
                if child >= len(target.node_visits):
                    continue
                target.counters[NODES] = child + 1
                target.child[edge] = child
            here[waiting], there[waiting] = child, below
            waiting += 1
    return waiting


def join_into(
    target: Tree, source: Tree, move_count: int, keep_inverse_sqrt: int, join: Any
) -> None:
    """Add all that *source* knows to *target*; *join* is :func:`join_trees` or its twin."""
    nodes = int(source.counters[NODES])
    here, there = np.zeros(nodes, np.int32), np.zeros(nodes, np.int32)
    join(target, source, here, there, np.zeros(move_count, np.int32), keep_inverse_sqrt)


@cache
def compile_joining() -> None:
    """Compile it, once: it comes at the end of a search."""
    join_into(new_tree(2, 2), new_tree(2, 2), 2, 0, join_trees)
