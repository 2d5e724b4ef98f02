"""One simulation: descend, expand, play out, back up. The heart of the search.

Read :func:`simulate` first: its body is the algorithm, in the order of the literature, and then
:func:`descend`. Everything the loop touches is an argument: the game's functions, the tree that
threads share, a :class:`~montego.mcts.kernels.workspace.Workspace` of each thread's own, and the
:class:`~montego.mcts.kernels.workspace.Task`. The steps themselves are in
:mod:`~montego.mcts.kernels.selection`, :mod:`~montego.mcts.kernels.expansion` and
:mod:`~montego.mcts.kernels.backup`.

Several threads may run it on one tree without locks. Visits and values are added atomically; a
visit is added on the way down, before its reward is known, so that other threads see it as a loss
and look elsewhere (virtual loss). All-moves-as-first sums are added plainly: a lost update there
is noise in a biased estimate, and atomic additions to every edge of every node would cost more
than the playout.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import Kernel, atomic_add, kernel, specialize
from montego.jit.index import Index
from montego.jit.record import record_type
from montego.jit.state import (
    LENGTH,
    LIMIT,
    MOVE_BITS,
    MOVE_MASK,
    TRACE,
    copy_state,
    draw_below,
)
from montego.mcts.kernels.backup import back_up, conclude, reward_of
from montego.mcts.kernels.expansion import child_of, expand, unvisited, widen
from montego.mcts.kernels.functions import function_types
from montego.mcts.kernels.selection import selection_type, selector_of
from montego.mcts.kernels.settings import Settings
from montego.mcts.kernels.tree import (
    CLAIMED,
    EXPANDED,
    FULL,
    ILLEGAL,
    MOST_VISITS,
    NO_CHILD,
    NO_EDGE,
    PROVEN_WIN,
    ROOT,
    SAFE,
    STOP,
    UNEXPANDED,
    Tree,
    proof_of_move,
)
from montego.mcts.kernels.workspace import (
    ALONE,
    Task,
    Workspace,
    acquire,
    add,
    add_visits,
    exchange,
    mover_at,
    release,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.kernels.functions import (
        Evaluate,
        Experience,
        Hash,
        LegalMoves,
        Play,
        Playout,
        Priors,
        Score,
        Turn,
    )

# How a descent ends: at a leaf, with a move that repeats a position, or for want of room.
LEAF, REPEATED, NO_ROOM = 0, 1, 2


def simulate_signature(types: Any) -> Any:
    """Return Numba's signature of :func:`simulate`."""
    records = [record_type(types, record) for record in (Tree, Workspace, Settings, Task)]
    return types.int64(selection_type(types), *function_types(types), *records, types.int64)


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
    turn: Turn,
    evaluate: Evaluate,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    count: int,
) -> int:
    """Run up to *count* simulations and return how many were run.

    Fewer if the tree is full, ``counters[STOP]`` was set, the root is proven, visited as often as
    can be counted, or the game over: one is enough then.
    """
    done = 0
    while done < count and is_open(tree, settings):
        # 1. Descend to a leaf, by the selection; expand it if it has been visited often enough.
        node, depth, fate = descend(
            selection,
            legal_moves,
            play,
            priors,
            experience,
            hash_of,
            turn,
            evaluate,
            tree,
            work,
            settings,
            task,
        )
        if fate != LEAF:
            work.follow[0] = ALONE
            withdraw(tree, work, depth, settings, node != NO_CHILD)
            if fate == REPEATED:
                forbid(tree, work, depth, settings)
            continue
        # 2. Judge the leaf: ask the game's evaluation, play out, or both.
        value = 0.5
        if settings.evaluation > 0.0:
            value = judged_value(legal_moves, evaluate, tree, work, settings, task, node, depth)
        score, reward = 0.0, value
        if settings.evaluation < 1.0 or is_over(tree, node):
            score = play_out(
                legal_moves, play, final_score, playout, turn, tree, work, settings, task, node
            )
            reward = reward_of(score, tree, settings)
            if settings.judge_cut != 0 and work.scratch[LENGTH] >= work.scratch[LIMIT]:
                reward = value_of_cut(
                    legal_moves, play, turn, evaluate, tree, work, settings, task, depth
                )
            if settings.evaluation > 0.0 and not is_over(tree, node):
                reward += settings.evaluation * (value - reward)
        # 3. Back up.
        back_up(tree, work, settings, task, node, depth, reward, score)
        if settings.expand_nodes > 1:
            work.follow[0] = unfinished(tree, work, settings, depth)
        done += 1
    return done


@kernel(inline=True)
def is_open(tree: Tree, settings: Settings) -> bool:
    """Say whether another simulation may begin."""
    if tree.counters[STOP] != 0 or tree.counters[FULL] != 0:
        return False
    if tree.node_visits[ROOT] >= MOST_VISITS:
        return False
    if (settings.solver != 0 or settings.decisive != 0) and tree.proof[ROOT] > SAFE:
        return False
    return not is_over(tree, ROOT)


@kernel(inline=True)
def is_over(tree: Tree, node: int) -> bool:
    """Say whether a node is known to be the end of a game."""
    return bool(tree.expansion[node] == EXPANDED and tree.edge_count[node] == 0)


@kernel(inline=True)
def descend(
    selection: Callable[..., int],
    legal_moves: LegalMoves,
    play: Play,
    priors: Priors,
    experience: Experience,
    hash_of: Hash,
    turn: Turn,
    evaluate: Evaluate,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
) -> tuple[int, int, int]:
    """Go down from the root, expanding what was visited often enough, and return how that ends.

    The node where it ends, its depth, and LEAF, REPEATED or NO_ROOM. The path is in the workspace,
    and so is the position there. Visits are counted on the way; where no leaf is reached,
    :func:`withdraw` takes them back. With an evaluation, or if nothing is to be waited for, a leaf
    is expanded at its first visit, and the descent ends there; not if the settings say that leaves
    are judged apart.
    """
    copy_state(task.start, work.state)
    acquire(tree, settings)
    node, depth, fate = ROOT, 0, LEAF
    add(tree.node_visits, node, settings.virtual_loss, settings)
    while True:
        work.nodes[Index(depth)] = node
        if settings.own_turn != 0:
            work.movers[depth] = turn(work.state, task.knowledge, work.scratch)
            if depth > 0:
                tree.again[node] = int(work.movers[depth] == work.movers[depth - 1])
        if settings.own_hash != 0:
            work.hashes[depth] = hash_of(work.state, task.knowledge, work.scratch)
            if depth > 0 and repeats(work.hashes, depth, task.history):
                fate = REPEATED
                break
        if tree.expansion[Index(node)] != EXPANDED:
            before = int(tree.node_visits[node]) - settings.virtual_loss
            early = before < settings.expand_after and settings.evaluation == 0.0
            if node != ROOT and (early or depth >= settings.depth_limit):
                break
            if settings.apart != 0:
                break
            expanded = expand(
                legal_moves,
                priors,
                experience,
                evaluate,
                tree,
                work,
                settings,
                task,
                node,
                depth,
            )
            if not expanded or settings.evaluation > 0.0 or settings.expand_after == 0:
                break
        if settings.amaf_tree != 0:
            recall_anywhere(tree, work, settings, task, node, depth)
        if settings.expand_nodes > 1 and depth <= work.follow[0]:
            edge = follow_path(tree, work, node, depth)
        else:
            edge = choose_edge(selection, tree, node, settings, work)
        if edge == NO_EDGE:
            break
        play(work.state, task.knowledge, work.scratch, int(tree.move[Index(edge)]))
        work.edges[Index(depth)] = edge
        depth += 1
        add_visits(tree, Index(edge), settings.virtual_loss, settings)
        node = child_of(tree, Index(edge), settings)
        if node == NO_CHILD:
            tree.counters[FULL] = 1
            break
        add(tree.node_visits, Index(node), settings.virtual_loss, settings)
    release(tree, settings)
    if fate == LEAF and tree.counters[FULL] != 0:
        fate = NO_ROOM
    return node, depth, fate


@kernel
def follow_path(tree: Tree, work: Workspace, node: int, depth: int) -> int:
    """Return the edge that leads to where an expansion is to add more nodes, or one of these."""
    if depth < work.follow[0]:
        return int(work.edges[depth])
    return unvisited(tree, int(tree.first_edge[node]), int(tree.edge_count[node]))


@kernel
def unfinished(tree: Tree, work: Workspace, settings: Settings, depth: int) -> int:
    """Return how far the next descent follows this one; ALONE if it goes its own way.

    An expansion adds several nodes, with a playout from each (000 3.1.2): as long as fewer moves of
    the leaf's parent were tried, and there are others, the next simulation tries one of these.
    """
    if depth == 0:
        return ALONE
    parent = int(work.nodes[depth - 1])
    first, count = int(tree.first_edge[parent]), int(tree.edge_count[parent])
    tried = 0
    for edge in range(first, first + count):
        tried += int(tree.visits[edge] > 0)
    if tried >= settings.expand_nodes or unvisited(tree, first, count) == NO_EDGE:
        return ALONE
    return depth - 1


@kernel
def recall_anywhere(
    tree: Tree, work: Workspace, settings: Settings, task: Task, node: int, depth: int
) -> None:
    """Give a node's moves what is known of them as first in the whole tree: W(a) / N(a) of 002."""
    offset = mover_at(work, settings, task, depth) * len(work.moves)
    first = int(tree.first_edge[node])
    for edge in range(first, first + int(tree.edge_count[node])):
        tree.amaf[edge] = tree.anywhere[int(tree.move[edge]) + offset]


@kernel(inline=True)
def choose_edge(
    selection: Callable[..., int], tree: Tree, node: int, settings: Settings, work: Workspace
) -> int:
    """Return which edge of an expanded node to follow; NO_EDGE if none is open."""
    first, count = int(tree.first_edge[Index(node)]), int(tree.edge_count[Index(node)])
    if count == 0:
        return NO_EDGE
    if settings.decisive != 0 and tree.proof[Index(node)] == PROVEN_WIN:
        won = winning_edge(tree, first, count)
        if won != NO_EDGE:
            return won
    allowed = count
    if settings.widening > 0.0:
        allowed = widen(count, int(tree.node_visits[node]), settings.widening)
    edge = NO_EDGE
    if settings.expand_one != 0:
        edge = unvisited(tree, first, allowed)
    if edge == NO_EDGE:
        edge = int(select(selection, tree, node, first, allowed, settings, work))
    if edge == NO_EDGE and allowed < count:
        # All moves that widening allows are closed.
        edge = int(select(selection, tree, node, first, count, settings, work))
    return edge


@kernel
def winning_edge(tree: Tree, first: int, count: int) -> int:
    """Return the first edge that is a proven win of the player who makes the move, or NO_EDGE."""
    for edge in range(first, first + count):
        if proof_of_move(tree, edge) == PROVEN_WIN:
            return edge
    return NO_EDGE


@kernel(inline=True)
def select(
    selection: Callable[..., int],
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    work: Workspace,
) -> int:
    """Return which of *count* edges from *first* on to follow, by the selection given."""
    return selection(tree, node, first, count, settings, work.scratch, work.urgencies)


chosen = selector_of("flat")
"""Stands in the next for the selection that a copy will have inlined."""


@kernel(inline=True)
def select_inlined(
    selection: Callable[..., int],  # noqa: ARG001
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    work: Workspace,
) -> int:
    """As :func:`select`, for a selection known to the compiler."""
    return chosen(tree, node, first, count, settings, work.scratch, work.urgencies)


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


@kernel(inline=True)
def forbid(tree: Tree, work: Workspace, depth: int, settings: Settings) -> None:
    """Close the last edge of the path for good: it repeats a position."""
    tree.prior_visits[work.edges[depth - 1]] = ILLEGAL
    parent = int(work.nodes[depth - 1])
    if settings.solver != 0 and tree.proof[parent] <= SAFE:
        conclude(tree, parent)


@kernel(inline=True)
def play_out(
    legal_moves: LegalMoves,
    play: Play,
    final_score: Score,
    playout: Playout,
    turn: Turn,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    node: int,
) -> float:
    """Return the score of a game to the end from a leaf. A finished game has its score already.

    A leaf from which no move was played out, since there was none, is known to be the end from then
    on.
    """
    if is_over(tree, node):
        work.scratch[LENGTH] = 0
        return final_score(work.state, task.knowledge, work.scratch)
    if settings.own_playout != 0:
        score = playout(work.state, task.knowledge, work.scratch)
    else:
        score = play_randomly(
            legal_moves,
            play,
            final_score,
            turn,
            work.state,
            task.knowledge,
            work.scratch,
            work.moves,
            settings.own_turn,
        )
    if work.scratch[LENGTH] == Index(0):
        # Asked once more: a playout may as well judge a position without playing on.
        moves = int(legal_moves(work.state, task.knowledge, work.scratch, work.moves))
        if moves == 0 and (
            exchange(tree.expansion, node, UNEXPANDED, CLAIMED, settings) == UNEXPANDED
        ):
            exchange(tree.expansion, node, CLAIMED, EXPANDED, settings)
    return score


@kernel(inline=True)
def judged_value(
    legal_moves: LegalMoves,
    evaluate: Evaluate,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    node: int,
    depth: int,
) -> float:
    """Return what the game's evaluation says of a leaf: the first player's win probability.

    A leaf that could not be expanded, because another thread is at it or it is too deep, is judged
    here; the end of a game is not judged.
    """
    value: float = np.float64(tree.judged[node])
    if tree.expansion[node] != EXPANDED:
        count = int(legal_moves(work.state, task.knowledge, work.scratch, work.moves))
        value = 0.5
        if count > 0:
            value = evaluate(
                work.state, task.knowledge, work.scratch, work.moves, count, work.chances
            )
    return value if mover_at(work, settings, task, depth) == 0 else 1.0 - value


@kernel
def value_of_cut(
    legal_moves: LegalMoves,
    play: Play,
    turn: Turn,
    evaluate: Evaluate,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    depth: int,
) -> float:
    """Return what the game's evaluation says of where a playout was cut off: the first player's.

    A playout leaves no position behind, so that its moves are played once more.
    """
    copy_state(task.start, work.state)
    for level in range(depth):
        play(work.state, task.knowledge, work.scratch, int(tree.move[work.edges[level]]))
    length = int(work.scratch[LENGTH])
    for time in range(length):
        move = int(np.int64(work.scratch[Index(TRACE) + Index(time)])) & MOVE_MASK
        play(work.state, task.knowledge, work.scratch, move)
    count = int(legal_moves(work.state, task.knowledge, work.scratch, work.moves))
    if count == 0:
        return 0.5
    value = evaluate(work.state, task.knowledge, work.scratch, work.moves, count, work.chances)
    mover = (depth + length + 1 - task.first_player) & 1
    if settings.own_turn != 0:
        mover = turn(work.state, task.knowledge, work.scratch)
    return value if mover == 0 else 1.0 - value


@kernel
def play_randomly(
    legal_moves: LegalMoves,
    play: Play,
    final_score: Score,
    turn: Turn,
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[np.int32],
    own_turn: int,
) -> float:
    """Play uniformly random legal moves to the end; for games without a playout of their own.

    The trace says who made each move if the game says whose turn it is.
    """
    length = Index(0)
    while length < Index(scratch[LIMIT]):
        count = int(legal_moves(state, knowledge, scratch, moves))
        if count == 0:
            break
        move = int(moves[draw_below(scratch, Index(count))])
        mover = Index(turn(state, knowledge, scratch)) if own_turn != 0 else Index(0)
        play(state, knowledge, scratch, move)
        scratch[Index(TRACE) + length] = Index(move) | mover << Index(MOVE_BITS)
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
    inlined = specialize(select_inlined, name, {chosen: selector_of(selection)})
    return specialize(simulate, name, {select: inlined})
