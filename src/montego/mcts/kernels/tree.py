"""The search tree: arrays, one element a node or an edge.

A *node* is a position, an *edge* a move from it; a node's edges lie side by side. Statistics belong
to edges and are the mover's: ``value`` sums the rewards of the player who makes the move. All
memory is allocated once. Node 0 is the root; since the root is nobody's child, 0 also means "no
child yet".

What is not in use is 0 in every array, and new nodes and edges rely on that: a search touches only
the arrays it needs.

Rewards are kept as integers, in units of 1 / ONE, so that threads can add them atomically.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from montego.jit import kernel
from montego.jit.record import Flat, allocate, arrays_of

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = 0
NO_CHILD = 0
NO_EDGE = -1

ONE = 1 << 24  # A full reward: a win.
UNIT = 1.0 / ONE

# All moves as first: an edge's weight and rewards share a word, the weight in the lower bits. At
# every simulation nearly every edge of every node of the path is written, so what counts is how
# little memory that is: less to load, and less that threads take from each other.
AMAF_ONE = 64  # The weight of a visit; earlier moves may count for up to two.
AMAF_UNIT = 1.0 / AMAF_ONE
AMAF_BITS = 28
AMAF_MASK = (1 << AMAF_BITS) - 1
AMAF_REWARD = 1024  # A full reward.
AMAF_REWARD_UNIT = 1.0 / AMAF_REWARD
AMAF_MOST = 8.0  # Rewards are counted up to this and down to its negative, to fit the word.
AMAF_ENOUGH = 1 << 20
"""Visits of a node, recalled ones apart, up to which all moves as first are counted: they are as
good as they get by then, and fit the word."""

TALLY_ONE = 32  # A square of a full reward, or a win.
TALLY_UNIT = 1.0 / TALLY_ONE
TALLY_MOST = 7.9  # More would be the square of a reward beyond 2.8, which no formula is for.
ENOUGH = 1 << 23
"""Visits of an edge up to which tallies are counted, to stay within their 32 bits: they are as good
as they get by then."""

# As prior_visits, for edges that are never selected: what is behind it is proven, or it is illegal
# because it repeats a position (superko).
CLOSED = -1.0
ILLEGAL = -2.0

# How far a node is expanded.
UNEXPANDED, CLAIMED, EXPANDED = 0, 1, 2

# What is proven about a node, for the player to move there. Up to SAFE it is still searched: with a
# proven draw among its moves a player is safe from losing, and may have better.
UNPROVEN, SAFE, PROVEN_WIN, PROVEN_LOSS, PROVEN_DRAW = 0, 1, 2, 3, 4

# Elements of ``counters``.
NODES = 0  # nodes in use
EDGES = 1  # edges in use
SIMULATIONS = 2  # simulations finished since the root became what it is
FULL = 3  # 1 once an expansion found no room
STOP = 4  # set to 1 from outside to end a slice
LOCK = 5  # 1 while a thread holds the whole tree
SCORES = 6  # sum of the first player's scores, in units of 1 / 1024
RECENT = 7  # the same of those in ``recent``
WINS = 8  # simulations that the first player won, where somebody wants to know
COUNTERS = 9

MOST_VISITS = 1 << 30
"""Visits of a root at which a search ends by itself: twice as many would not fit their word."""

CLEARED_AT_ONCE = 1 << 20  # Elements: some milliseconds.


EdgeInt: TypeAlias = Annotated[NDArray[Any], Flat(np.int32, "edge")]
EdgeSum: TypeAlias = Annotated[NDArray[Any], Flat(np.int64, "edge")]
EdgeReal: TypeAlias = Annotated[NDArray[Any], Flat(np.float32, "edge")]
NodeInt: TypeAlias = Annotated[NDArray[Any], Flat(np.int32, "node")]
NodeReal: TypeAlias = Annotated[NDArray[Any], Flat(np.float32, "node")]


class Tree(NamedTuple):
    """The arrays. Edge arrays have one length, node arrays another."""

    # Edges: 44 bytes each.
    move: EdgeInt  # the move
    child: EdgeInt  # the node it leads to, or NO_CHILD
    visits: EdgeInt  # simulations through it, those under way included
    value: EdgeSum  # sum of the mover's rewards, in units of 1 / ONE
    amaf: EdgeSum  # weight and rewards of all moves as first, see AMAF_ONE
    tally: EdgeInt  # the mover's squared rewards, or wins, in units of 1 / TALLY_ONE
    memo: EdgeReal  # what selections keep: 1 / √visits, or a combined value; or 0
    prior_value: EdgeReal  # the mover's value before any visit
    prior_visits: EdgeReal  # what that is worth in visits, or CLOSED or ILLEGAL

    # Nodes: 33 bytes each.
    first_edge: NodeInt  # valid when EXPANDED
    edge_count: NodeInt  # 0 for a finished game; valid when EXPANDED
    node_visits: NodeInt  # simulations through it, those under way included
    expansion: NodeInt  # UNEXPANDED, CLAIMED by a thread, or EXPANDED
    proof: NodeInt  # UNPROVEN and so on
    recalled: NodeInt  # visits that its moves started with, by experience
    prior_total: NodeReal  # sum of its moves' ``prior_visits`` when they were made
    # 1 if the player to move made the move before, too; else 0.
    again: Annotated[NDArray[Any], Flat(np.int8, "node")]
    judged: NodeReal  # what the game's evaluation says of the player to move; valid when EXPANDED

    counters: Annotated[NDArray[Any], Flat(np.int64, "counter")]  # see NODES and those after it

    # What is kept for the whole tree; of no length where nobody asked for it.
    recent: Annotated[NDArray[Any], Flat(np.int64, "score")]  # the latest scores, a ring of them
    anywhere: Annotated[NDArray[Any], Flat(np.int64, "play")]  # by move and player: as ``amaf``


def _bytes_of(extent: str) -> int:
    kinds = [array.kind for array in arrays_of(Tree).values() if array.extent == extent]
    return sum(np.dtype(kind).itemsize for kind in kinds)


EDGE_BYTES, NODE_BYTES = _bytes_of("edge"), _bytes_of("node")


NODE_SHARE = 0.12  # Of the memory, for nodes; the rest is for edges.


def new_tree(nodes: int, edges: int, scores: int = 0, plays: int = 0) -> Tree:
    """Return a tree that is only a root, with room for that many nodes and edges.

    *scores* and *plays* are the lengths of ``recent`` and of ``anywhere``.
    """
    extents = {"edge": edges, "node": nodes, "counter": COUNTERS, "score": scores, "play": plays}
    tree = allocate(Tree, extents)
    tree.counters[NODES] = 1
    return tree


def clear_tree(tree: Tree, is_stopped: Callable[[], bool] | None = None) -> bool:
    """Make the tree a mere root again. Touches only what was used.

    *is_stopped* is asked now and then; if it says so, False is returned and the tree has to be
    cleared again.
    """
    in_use = {
        "edge": int(tree.counters[EDGES]),
        "node": int(tree.counters[NODES]),
        "counter": 0,
        "score": len(tree.recent),
        "play": len(tree.anywhere),
    }
    for array, flat in zip(tree, arrays_of(Tree).values(), strict=True):
        used = in_use[flat.extent]
        for begin in range(0, used, CLEARED_AT_ONCE):
            if is_stopped is not None and is_stopped():
                return False
            array[begin : min(begin + CLEARED_AT_ONCE, used)] = 0
    tree.counters[:] = 0
    tree.counters[NODES] = 1
    return True


def capacity_for(megabytes: float, branching: int) -> tuple[int, int]:
    """Return how many nodes and edges fit, if a node in two is expanded to *branching* moves.

    Two trees share the memory: pruning and moving the root copy from one into the other.
    """
    budget = megabytes * 1_000_000 / 2
    edges = int(budget * (1.0 - NODE_SHARE) / EDGE_BYTES)
    nodes = int(budget * NODE_SHARE / NODE_BYTES)
    return max(nodes, 2), max(edges, branching)


def least_memory(move_count: int) -> float:
    """Return the megabytes that a tree needs for a game with that many moves.

    The root and a child must fit with all their moves, or pruning could not make room.
    """
    room = 2 * move_count + 3  # One to spare for what rounding takes.
    nodes, edges = room * NODE_BYTES / NODE_SHARE, room * EDGE_BYTES / (1.0 - NODE_SHARE)
    return 2 * math.ceil(max(nodes, edges)) / 1_000_000


def amaf_sums(words: Any) -> tuple[Any, Any]:
    """Return the weights and the sums of rewards in words of ``amaf``, one or an array of them."""
    return (words & AMAF_MASK) * AMAF_UNIT, (words >> AMAF_BITS) * AMAF_REWARD_UNIT


@kernel(inline=True)
def inverse_sqrt(visits: int) -> float:
    """Return 1 / √visits, and 0 for none: what ``memo`` keeps for UCB1."""
    return 1.0 / math.sqrt(float(visits)) if visits > 0 else 0.0


@kernel(inline=True)
def amaf_weight(tree: Tree, edge: int) -> float:
    """Return an edge's weight as :func:`amaf_sums` has it, in compiled code."""
    return float(tree.amaf[edge] & AMAF_MASK) * AMAF_UNIT


@kernel(inline=True)
def amaf_rewards(tree: Tree, edge: int) -> float:
    """Return an edge's sum of rewards as :func:`amaf_sums` has it, in compiled code."""
    return float(tree.amaf[edge] >> AMAF_BITS) * AMAF_REWARD_UNIT


@kernel(inline=True)
def amaf_word(weight: float, rewards: float) -> int:
    """Return the word with this weight and sum of rewards."""
    return (int(rewards * AMAF_REWARD) << AMAF_BITS) + int(weight * AMAF_ONE)


@kernel(inline=True)
def proof_of_move(tree: Tree, edge: int) -> int:
    """Return what is proven about a move for the player who makes it; UNPROVEN without a child."""
    child = int(tree.child[edge])
    if child == NO_CHILD:
        return UNPROVEN
    proof = int(tree.proof[child])
    if tree.again[child] == 0:
        if proof == PROVEN_WIN:
            return PROVEN_LOSS
        if proof == PROVEN_LOSS:
            return PROVEN_WIN
    return proof
