"""One simulation: descend, expand, play out, back up. The heart of the search.

Read :func:`simulate` first: its body is the algorithm, in the order of the literature. Everything
the loop touches is an argument: the game's functions, the tree that threads share, and a
:class:`~montego.mcts.kernels.workspace.Workspace` of each thread's own. The steps themselves are in
:mod:`~montego.mcts.kernels.selection`, :mod:`~montego.mcts.kernels.expansion` and
:mod:`~montego.mcts.kernels.backup`.

Several threads may run it on one tree without locks. Visits and values are added atomically; a
visit is added on the way down, before its reward is known, so that other threads see it as a loss
and look elsewhere (virtual loss). All-moves-as-first sums are added plainly: a lost update there
is noise in a biased estimate, and atomic additions to every edge of every node would cost more
than the playout.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

from montego.jit import Kernel, atomic_add, kernel, specialize
from montego.jit.index import Index
from montego.jit.state import LENGTH, LIMIT, TRACE, draw_below
from montego.mcts.kernels.backup import SCORE_UNIT, back_up, conclude, proof_of, reward_of, win_of
from montego.mcts.kernels.expansion import child_of, expand, unvisited, widen
from montego.mcts.kernels.selection import selection_type, selector_of
from montego.mcts.kernels.settings import settings_type
from montego.mcts.kernels.tree import (
    EXPANDED,
    FULL,
    ILLEGAL,
    MOST_VISITS,
    NO_CHILD,
    NO_EDGE,
    ROOT,
    SAFE,
    SCORES,
    SIMULATIONS,
    STOP,
    tree_type,
)
from montego.mcts.kernels.workspace import (
    Workspace,
    acquire,
    add,
    add_visits,
    release,
    workspace_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.game import (
        Experience,
        Hash,
        LegalMoves,
        Play,
        Playout,
        Priors,
        Score,
    )
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree


def simulate_signature(types: Any) -> Any:
    """Return Numba's signature of :func:`simulate`."""
    state, knowledge, scratch = types.int32[::1], types.float64[::1], types.uint64[::1]
    moves, reals = types.int32[::1], types.float64[::1]
    function = types.FunctionType
    return types.int64(
        selection_type(types),
        function(types.int64(state, knowledge, scratch, moves)),
        function(types.void(state, knowledge, scratch, types.int64)),
        function(types.float64(state, knowledge, scratch)),
        function(types.float64(state, knowledge, scratch)),
        function(types.void(state, knowledge, scratch, moves, types.int64, reals, reals)),
        function(
            types.void(state, knowledge, scratch, moves, types.int64, reals, reals, reals, reals)
        ),
        function(types.uint64(state, knowledge, scratch)),
        tree_type(types),
        workspace_type(types),
        settings_type(types),
        state,
        knowledge,
        types.uint64[::1],
        types.int32[::1],
        types.int64,
        types.int64,
    )


@kernel(inline=True)
def select(
    selection: Callable[..., int],
    tree: Tree,
    node: int,
    count: int,
    settings: Settings,
    work: Workspace,
) -> int:
    """Return which of the node's first *count* edges to follow, by the selection given."""
    first = int(tree.first_edge[Index(node)])
    return selection(tree, node, first, count, settings, work.scratch, work.urgencies)


chosen = selector_of("ucb1")
"""Stands in the next for the selection that a copy will have inlined."""


@kernel(inline=True)
def select_inlined(
    selection: Callable[..., int],  # noqa: ARG001
    tree: Tree,
    node: int,
    count: int,
    settings: Settings,
    work: Workspace,
) -> int:
    """As :func:`select`, for a selection known to the compiler."""
    first = int(tree.first_edge[Index(node)])
    return chosen(tree, node, first, count, settings, work.scratch, work.urgencies)


@kernel(signature=simulate_signature)
def simulate(
    selection: Callable[..., int],
    legal_moves: LegalMoves,
    play: Play,
    final_score: Score,
    playout: Playout,
    priors: Priors,
    experience: Experience,
    hash_of: Hash,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    start: State,
    knowledge: Knowledge,
    history: NDArray[np.uint64],
    limits: NDArray[np.int32],
    first_player: int,
    count: int,
) -> int:
    """Run up to *count* simulations from *start* and return how many were run.

    Fewer if the tree is full, ``counters[STOP]`` was set, the root is proven, visited as often as
    can be counted, or the game over: one is enough then. *history* holds the hashes of the game so
    far, *limits* says which moves are left out near the root; *first_player* is 1 if the first
    player is to move in *start*.
    """
    state, scratch = work.state, work.scratch
    done = 0
    while done < count:
        if tree.counters[STOP] != 0 or tree.counters[FULL] != 0:
            return done
        if tree.node_visits[ROOT] >= MOST_VISITS:
            return done
        if settings.solver != 0 and tree.proof[ROOT] > SAFE:
            return done
        if tree.expansion[ROOT] == EXPANDED and tree.edge_count[ROOT] == 0:
            return done
        for index in range(Index(len(start))):
            state[index] = start[index]

        # 1. Descend to a leaf, by the selection; expand it if it has been visited often enough.
        acquire(tree, settings)
        node, depth = ROOT, 0
        add(tree.node_visits, node, settings.virtual_loss, settings)
        illegal = False
        while True:
            work.nodes[Index(depth)] = node
            if settings.own_hash != 0:
                work.hashes[depth] = hash_of(state, knowledge, scratch)
                if depth > 0 and repeats(work.hashes, depth, history):
                    illegal = True
                    break
            if tree.expansion[Index(node)] != EXPANDED:
                before = int(tree.node_visits[node]) - settings.virtual_loss
                if node != ROOT and (
                    before < settings.expand_after or depth >= settings.depth_limit
                ):
                    break
                if not expand(
                    legal_moves,
                    priors,
                    experience,
                    tree,
                    work,
                    settings,
                    knowledge,
                    limits,
                    node,
                    depth,
                ):
                    break
            edges = int(tree.edge_count[Index(node)])
            if edges == 0:
                break
            if settings.widening > 0.0:
                edges = widen(edges, int(tree.node_visits[node]), settings.widening)
            edge = NO_EDGE
            if settings.expand_one != 0:
                edge = unvisited(tree, int(tree.first_edge[node]), edges)
            if edge == NO_EDGE:
                edge = int(select(selection, tree, node, edges, settings, work))
            if edge == NO_EDGE and edges < int(tree.edge_count[node]):
                # All moves that widening allows are closed.
                edges = int(tree.edge_count[node])
                edge = int(select(selection, tree, node, edges, settings, work))
            if edge == NO_EDGE:
                break
            play(state, knowledge, scratch, int(tree.move[Index(edge)]))
            work.edges[Index(depth)] = edge
            depth += 1
            add_visits(tree, Index(edge), settings.virtual_loss, settings)
            node = child_of(tree, Index(edge), settings)
            if node == NO_CHILD:
                tree.counters[FULL] = 1
                break
            add(tree.node_visits, Index(node), settings.virtual_loss, settings)
        release(tree, settings)
        if illegal or tree.counters[FULL] != 0:
            withdraw(tree, work, depth, settings, node != NO_CHILD)
            if illegal:
                tree.prior_visits[work.edges[depth - 1]] = ILLEGAL
                parent = int(work.nodes[depth - 1])
                if settings.solver != 0 and tree.proof[parent] <= SAFE:
                    conclude(tree, parent)
                continue
            return done

        # 2. Play out. A finished game has its score already.
        finished = tree.expansion[node] == EXPANDED and tree.edge_count[node] == 0
        if finished:
            score = final_score(state, knowledge, scratch)
            scratch[LENGTH] = 0
        elif settings.own_playout != 0:
            score = playout(state, knowledge, scratch)
        else:
            score = play_randomly(
                legal_moves, play, final_score, state, knowledge, scratch, work.moves
            )

        # 3. Back up.
        acquire(tree, settings)
        if finished and settings.solver != 0:
            mover_is_first = first_player == 1 - (depth & 1)
            tree.proof[node] = proof_of(score if mover_is_first else -score)
        reward = reward_of(score, tree, settings)
        back_up(tree, work, settings, depth, first_player, reward, win_of(score))
        release(tree, settings)
        add(tree.counters, SIMULATIONS, 1, settings)
        add(tree.counters, SCORES, math.floor(score * SCORE_UNIT + 0.5), settings)
        done += 1
    return done


@kernel(inline=True)
def repeats(hashes: NDArray[np.uint64], depth: int, history: NDArray[np.uint64]) -> bool:
    """Say whether the last hash of the path stands in it before, or in the game's history."""
    last = hashes[depth]
    for earlier in range(depth):
        if hashes[earlier] == last:
            return True
    for earlier in range(len(history)):  # noqa: SIM110  # Numba has no any() of generators.
        if history[earlier] == last:
            return True
    return False


@kernel(inline=True)
def withdraw(tree: Tree, work: Workspace, depth: int, settings: Settings, leaf: bool) -> None:
    """Take back the visits of a descent that led to no result."""
    for level in range(depth):
        add_visits(tree, int(work.edges[level]), -settings.virtual_loss, settings)
        atomic_add(tree.node_visits, int(work.nodes[level]), -settings.virtual_loss)
    if leaf and depth > 0:
        atomic_add(tree.node_visits, int(tree.child[work.edges[depth - 1]]), -settings.virtual_loss)
    if depth == 0:
        atomic_add(tree.node_visits, ROOT, -settings.virtual_loss)


@kernel
def play_randomly(
    legal_moves: LegalMoves,
    play: Play,
    final_score: Score,
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[np.int32],
) -> float:
    """Play uniformly random legal moves to the end; for games without a playout of their own."""
    length = Index(0)
    while length < Index(scratch[LIMIT]):
        count = int(legal_moves(state, knowledge, scratch, moves))
        if count == 0:
            break
        move = int(moves[draw_below(scratch, Index(count))])
        play(state, knowledge, scratch, move)
        scratch[Index(TRACE) + length] = Index(move)
        length += Index(1)
    scratch[LENGTH] = length
    return final_score(state, knowledge, scratch)


INLINED = ("ucb1", "rave-mse")
"""Selections with a copy of :func:`simulate` of their own: worth a tenth in small games.

The others, and formulas of users, are called through a pointer, and share one compilation.
"""


@cache
def simulator_of(selection: str | Kernel[..., float]) -> Kernel[..., int]:
    """Return :func:`simulate`, or its copy with the selection of that name inlined."""
    if isinstance(selection, Kernel) or selection not in INLINED:
        return simulate
    name = selection.replace("-", "_")
    inlined = specialize(select_inlined, name, {"chosen": selector_of(selection)})
    return specialize(simulate, name, {"select": inlined})
