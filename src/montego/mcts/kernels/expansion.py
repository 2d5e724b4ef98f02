"""Giving a node its moves: the second step of a simulation, and what widens it.

What is known beforehand comes from two sources: priors, which say what a move is worth, and
experience, which says what earlier searches found and counts as if it had been found here.

Threads may arrive at a node at the same time: one claims it, the others play out from it meanwhile.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import draw_below
from montego.mcts.kernels.backup import AMAF_OFF
from montego.mcts.kernels.gumbel import gumbel, log_chance
from montego.mcts.kernels.settings import TALLY_OFF
from montego.mcts.kernels.tree import (
    AMAF_ENOUGH,
    AMAF_MOST,
    CLAIMED,
    EDGES,
    ENOUGH,
    EXPANDED,
    FULL,
    NO_CHILD,
    NO_EDGE,
    NODES,
    ONE,
    ROOT,
    TALLY_ONE,
    UNEXPANDED,
    UNIT,
    amaf_word,
)
from montego.mcts.kernels.variety import vary
from montego.mcts.kernels.workspace import add, exchange, mover_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge
    from montego.mcts.kernels.functions import Evaluate, Experience, LegalMoves, Priors
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.kernels.workspace import Task, Workspace


@kernel
def expand(
    legal_moves: LegalMoves,
    priors: Priors,
    experience: Experience,
    evaluate: Evaluate,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    node: int,
    depth: int,
) -> bool:
    """Give a node its edges, and let the game's evaluation judge it; say whether it has them now.

    Not if another thread is at it, or the tree is full. The workspace's state is the node's.
    """
    if exchange(tree.expansion, node, UNEXPANDED, CLAIMED, settings) != UNEXPANDED:
        return bool(tree.expansion[node] == EXPANDED)
    count = int(legal_moves(work.state, task.knowledge, work.scratch, work.moves))
    if depth < task.limits[0]:
        mover = mover_at(work, settings, task, depth)
        count = keep_allowed(work.moves, count, task.limits, depth, mover == task.first_player)
    # Edges are reserved only if they fit: to add and to take back would let another thread reserve
    # the same ones in between.
    first = int(tree.counters[EDGES])
    while True:
        if first + count > len(tree.move):
            tree.counters[FULL] = 1
            exchange(tree.expansion, node, CLAIMED, UNEXPANDED, settings)
            return False
        found = int(exchange(tree.counters, EDGES, first, first + count, settings))
        if found == first:
            break
        first = found
    if settings.shuffle != 0:
        # A random order, so that the first of equals is nobody's favorite.
        for rank in range(count - 1, 0, -1):
            other = int(draw_below(work.scratch, Index(rank + 1)))
            work.moves[rank], work.moves[other] = work.moves[other], work.moves[rank]
    find_priors(priors, tree, work, settings, task, count, depth)
    if settings.evaluation > 0.0 and count > 0:
        tree.judged[node] = evaluate(
            work.state, task.knowledge, work.scratch, work.moves, count, work.chances
        )
        if node == ROOT:
            vary(work.chances, work.prior_values, count, settings, work.scratch)
        for rank in range(count):
            work.prior_values[rank] = work.chances[rank]
            work.prior_visits[rank] = 0.0
            if settings.gumbel != 0:
                # As the edge will have it, in 32 bits.
                tree.memo[first + rank] = log_chance(np.float64(np.float32(work.chances[rank])))
                if node == ROOT and settings.root_noise > 0.0:
                    tree.memo[first + rank] += settings.root_noise * gumbel(work.scratch)
    if settings.widening > 0.0:
        sort_by_prior(work, count)
    prior_total = 0.0
    for rank in range(count):
        edge = first + rank
        # The rest of an unused edge is 0 already.
        tree.move[edge] = work.moves[rank]
        tree.prior_value[edge] = work.prior_values[rank]
        tree.prior_visits[edge] = work.prior_visits[rank]
        prior_total += max(work.prior_visits[rank], 0.0)
    tree.prior_total[node] = prior_total
    if settings.own_experience != 0:
        recall(experience, tree, work, settings, task.knowledge, node, first, count)
    tree.first_edge[node] = first
    tree.edge_count[node] = count
    # Published last: whoever sees EXPANDED sees all of the above.
    exchange(tree.expansion, node, CLAIMED, EXPANDED, settings)
    return True


@kernel(inline=True)
def keep_allowed(
    moves: NDArray[np.int32], count: int, limits: NDArray[np.int32], depth: int, opponent: bool
) -> int:
    """Drop the moves that are left out at that depth; all stay if none would. Return how many do.

    *limits* is as :func:`montego.mcts.limits.packed_limits` makes it; *opponent* says whether the
    player to move is not the one who moves at the root.
    """
    own = 1 + int(opponent) * (len(limits) // 2)
    kept = 0
    for rank in range(count):
        kept += int(limits[own + moves[rank]] <= depth)
    if kept == 0 or kept == count:  # noqa: PLR1714  # Numba has no sets of these.
        return count
    kept = 0
    for rank in range(count):
        if limits[own + moves[rank]] <= depth:
            moves[kept] = moves[rank]
            kept += 1
    return kept


@kernel(inline=True)
def find_priors(
    priors: Priors,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    count: int,
    depth: int,
) -> None:
    """Write a value and what it is worth for each move: the mean over all sources of priors."""
    for rank in range(count):
        work.prior_values[rank] = 0.5
        work.prior_visits[rank] = 0.0
    if settings.own_priors != 0:
        priors(
            work.state,
            task.knowledge,
            work.scratch,
            work.moves,
            count,
            work.prior_values,
            work.prior_visits,
        )
        for rank in range(count):
            work.prior_visits[rank] *= settings.prior_game
    if settings.prior_even > 0.0:
        for rank in range(count):
            add_prior(work, rank, 0.5, settings.prior_even)
    if settings.prior_grandfather <= 0.0 and settings.prior_grandparent <= 0.0:
        return
    if depth < 2 or (
        mover_at(work, settings, task, depth - 2) != mover_at(work, settings, task, depth)
    ):
        # Nobody knows better than that: the game is even.
        for rank in range(count):
            add_prior(work, rank, 0.5, settings.prior_grandfather)
        return
    grandparent = int(work.nodes[depth - 2])
    first = int(tree.first_edge[grandparent])
    beyond = first + int(tree.edge_count[grandparent])
    for edge in range(first, beyond):
        work.uncles[tree.move[edge]] = edge
    for rank in range(count):
        move = int(work.moves[rank])
        uncle = int(work.uncles[move])
        visits, rewards, prior, believed = 0.0, 0.0, 0.0, 0.5
        if first <= uncle < beyond and tree.move[uncle] == move:
            visits = float(tree.visits[uncle])
            rewards = float(tree.value[uncle]) * UNIT
            prior = max(np.float64(tree.prior_visits[uncle]), 0.0)
            believed = np.float64(tree.prior_value[uncle])
        # 001 5.1: the grandfather's value, worth a constant; an uncle that was not visited has the
        # value that it began with, and a move that was not there one half. 004 4.3.6.1: the
        # uncle's own statistics, as many visits as it had.
        known = visits + prior
        value = (rewards + prior * believed) / known if known > 0.0 else 0.5
        add_prior(work, rank, value, settings.prior_grandfather)
        if visits > 0.0:
            add_prior(work, rank, rewards / visits, settings.prior_grandparent * visits)


@kernel(inline=True)
def add_prior(work: Workspace, rank: int, value: float, visits: float) -> None:
    """Mix another source of prior knowledge into a move's."""
    total = work.prior_visits[rank] + visits
    if total > 0.0:
        old = work.prior_values[rank] * work.prior_visits[rank]
        work.prior_values[rank] = (old + value * visits) / total
        work.prior_visits[rank] = total


@kernel(inline=True)
def recall(
    experience: Experience,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    knowledge: Knowledge,
    node: int,
    first: int,
    count: int,
) -> None:
    """Let a node start as if what experience knows of its moves had been found in this search.

    Numbers stay within what the sums can hold; a node without any visits to recall stays as it is.
    """
    for rank in range(count):
        work.known_visits[rank] = 0.0
        work.known_amaf_visits[rank] = 0.0
    experience(
        work.state,
        knowledge,
        work.scratch,
        work.moves,
        count,
        work.known_values,
        work.known_visits,
        work.known_amaf_values,
        work.known_amaf_visits,
    )
    total = 0
    for rank in range(count):
        edge = first + rank
        visits = int(min(work.known_visits[rank] * settings.experience, ENOUGH) + 0.5)
        value = work.known_values[rank]
        tree.visits[edge] = visits
        tree.value[edge] = int(value * visits * ONE)
        if settings.tally != TALLY_OFF:
            tree.tally[edge] = int(value * visits * TALLY_ONE)  # As wins and losses.
        total += visits
    if total == 0:
        return
    if settings.amaf != AMAF_OFF:
        for rank in range(count):
            edge = first + rank
            known = max(work.known_amaf_visits[rank], 0.0)
            weight = min(known * settings.experience, AMAF_ENOUGH)
            value = min(max(work.known_amaf_values[rank], -AMAF_MOST), AMAF_MOST)
            tree.amaf[edge] = amaf_word(weight, value * weight)
    tree.recalled[node] = total
    add(tree.node_visits, node, total, settings)


@kernel
def sort_by_prior(work: Workspace, count: int) -> None:
    """Order the moves by prior value, the best first, as widening wants them. Insertion sort."""
    for rank in range(1, count):
        move, value = work.moves[rank], work.prior_values[rank]
        visits = work.prior_visits[rank]
        place = rank
        while place > 0 and work.prior_values[place - 1] < value:
            work.moves[place] = work.moves[place - 1]
            work.prior_values[place] = work.prior_values[place - 1]
            work.prior_visits[place] = work.prior_visits[place - 1]
            place -= 1
        work.moves[place] = move
        work.prior_values[place] = value
        work.prior_visits[place] = visits


@kernel(inline=True)
def widen(edges: int, visits: int, mu: float) -> int:
    """Return how many moves, best prior first, are considered: 1 + ln n / ln μ (000 3.2.2)."""
    return min(edges, int(1.0 + math.log(max(float(visits), 1.0)) / math.log(mu)))


@kernel(inline=True)
def unvisited(tree: Tree, first: int, count: int) -> int:
    """Return the first edge that was never tried, or NO_EDGE."""
    for edge in range(first, first + count):
        if tree.visits[edge] == 0 and tree.prior_visits[edge] >= 0.0:
            return edge
    return NO_EDGE


@kernel(inline=True)
def child_of(tree: Tree, edge: int, settings: Settings) -> int:
    """Return the node an edge leads to, made if need be; NO_CHILD if there is no room for it."""
    child = int(tree.child[edge])
    if child != NO_CHILD:
        return child
    fresh = int(add(tree.counters, NODES, 1, settings))
    if fresh >= len(tree.node_visits):
        add(tree.counters, NODES, -1, settings)
        return NO_CHILD
    # An unused node is 0 in every field: unvisited, unexpanded, unproven. If another thread was
    # faster, its node is taken and this one stays unused.
    before = int(exchange(tree.child, edge, NO_CHILD, fresh, settings))
    return fresh if before == NO_CHILD else before
