"""What a playout's score means, and who learns of it: the last step of a simulation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from montego.jit import atomic_add, atomic_replace, kernel
from montego.jit.index import Index
from montego.jit.state import LENGTH, MOVE_BITS, MOVE_MASK, TRACE
from montego.mcts.kernels.settings import TALLY_OFF, TALLY_WINS
from montego.mcts.kernels.tree import (
    AMAF_BITS,
    AMAF_ENOUGH,
    AMAF_MASK,
    AMAF_MOST,
    AMAF_ONE,
    AMAF_REWARD,
    CLOSED,
    ENOUGH,
    EXPANDED,
    ILLEGAL,
    ONE,
    PROVEN_DRAW,
    PROVEN_LOSS,
    PROVEN_WIN,
    RECENT,
    ROOT,
    SAFE,
    SCORES,
    SIMULATIONS,
    TALLY_MOST,
    TALLY_ONE,
    UNIT,
    UNPROVEN,
    WINS,
    proof_of_move,
)
from montego.mcts.kernels.workspace import acquire, add, add_visits, mover_at, release

if TYPE_CHECKING:
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.kernels.workspace import Task, Workspace

# How AMAF counts a move that was played more than once at its place.
AMAF_OFF, AMAF_FIRST, AMAF_EVERY = 0, 1, 2

SCORE_UNIT = 1024  # Scores are summed in whole units of 1 / 1024, so that threads can add them.


@kernel(inline=True)
def floor(value: float) -> int:
    """Return the largest whole number that is not above *value*, as an int on a GPU as well."""
    return int(math.floor(value))  # noqa: RUF046  # It is a float there.


@kernel(inline=True)
def proof_of(score: float) -> int:
    """Return what a final score proves for the player whose score it is."""
    if score > 0.0:
        return PROVEN_WIN
    return PROVEN_LOSS if score < 0.0 else PROVEN_DRAW


@kernel(inline=True)
def win_of(score: float) -> float:
    """Return 1 for a score that wins, 0 for one that loses, and ½ for neither."""
    if score > 0.0:
        return 1.0
    return 0.0 if score < 0.0 else 0.5


@kernel(inline=True)
def average_score(tree: Tree, settings: Settings) -> float:
    """Return the mean score of the latest simulations, or of all since the root is what it is."""
    made = int(tree.counters[SIMULATIONS])
    if settings.reward_window > 0:
        return float(tree.counters[RECENT]) / SCORE_UNIT / min(made, settings.reward_window)
    return float(tree.counters[SCORES]) / SCORE_UNIT / made


@kernel(inline=True)
def reward_temperature(tree: Tree, settings: Settings) -> float:
    """Return how much of the reward is a smooth function of the score.

    Where it adapts (004 5.2), in proportion to how far the game is decided: nothing at as many wins
    as losses, all that the settings allow where all simulations end alike.
    """
    if settings.reward_adapts == 0:
        return settings.reward_blend
    made = int(tree.counters[SIMULATIONS])
    if made == 0:
        return 0.0
    return settings.reward_blend * abs(2.0 * float(tree.counters[WINS]) / made - 1.0)


@kernel(inline=True)
def reward_of(score: float, tree: Tree, settings: Settings) -> float:
    """Return the first player's reward for a score.

    1 for a win and 0 for a loss, unless the settings say otherwise (000 7.6, 004 5.2): wins may be
    counted from the running average score, blended with a smooth function of the score, and
    the score itself may be added; or a part of the reward is for more than the average, the rest
    for the win. The second player's reward is 1 minus this.
    """
    average = 0.0
    wants_average = settings.reward_average != 0 or settings.reward_points > 0.0
    if wants_average and tree.counters[SIMULATIONS] > 0:
        average = average_score(tree, settings)
    threshold = average if settings.reward_average != 0 else 0.0
    win = win_of(score - threshold)
    if settings.reward_blend > 0.0:
        smooth = 1.0 / (1.0 + math.exp(-(score - threshold) / settings.reward_scale))
        win += reward_temperature(tree, settings) * (smooth - win)
    if settings.reward_points > 0.0:
        win += settings.reward_points * (win_of(score - average) - win)
    reward = settings.reward_loss + (settings.reward_win - settings.reward_loss) * win
    return reward + settings.reward_score * score


@kernel(inline=True)
def back_up(
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    node: int,
    depth: int,
    reward: float,
    score: float,
) -> None:
    """Let the tree know what was found at *node*, at *depth*: reward and score, the first player's.

    A node that ends the game is proven by its score.
    """
    acquire(tree, settings)
    is_end = tree.expansion[node] == EXPANDED and tree.edge_count[node] == 0
    if is_end and (settings.solver != 0 or (settings.decisive != 0 and depth > 0)):
        mover = mover_at(work, settings, task, depth)
        tree.proof[node] = proof_of(score if mover == 0 else -score)
        if settings.solver == 0:
            take(tree, int(work.nodes[depth - 1]), int(work.edges[depth - 1]))
    update_path(tree, work, settings, task, depth, reward, win_of(score))
    release(tree, settings)
    made = add(tree.counters, SIMULATIONS, 1, settings)
    units = floor(score * SCORE_UNIT + 0.5)
    add(tree.counters, SCORES, units, settings)
    if settings.reward_window > 0:
        slot = made % settings.reward_window
        add(tree.counters, RECENT, units - int(tree.recent[slot]), settings)
        tree.recent[slot] = units
    if settings.reward_adapts != 0 and score > 0.0:
        add(tree.counters, WINS, 1, settings)


@kernel(inline=True)
def update_path(
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    depth: int,
    reward: float,
    win: float,
) -> None:
    """Let every edge of the path know the reward, and AMAF every edge beside it.

    *win* is the first player's, as :func:`win_of` has it; edges that tally wins learn of it. From
    the leaf to the root, so that at each node ``first_play`` knows the moves played from there on
    and no others.
    """
    length = int(work.scratch[LENGTH])
    move_count = len(work.moves)
    stamp = int(work.stamp[0])
    work.stamp[0] = stamp + depth + length + 1
    if settings.amaf != AMAF_OFF:
        for time in range(length - 1, -1, -1):
            # Signed, so that the two ways to know the player are of one type to the compiler.
            played = int(np.int64(work.scratch[Index(TRACE) + Index(time)]))
            move, player = played, (depth + time + 1 - task.first_player) & 1
            if settings.own_turn != 0:
                move, player = played & MOVE_MASK, played >> MOVE_BITS
            note_play(work, move, player, depth + time, stamp, move_count, settings.amaf)
    carried = reward
    if settings.expand_after == 0:
        update_leaf(tree, work, settings, task, depth, length, stamp, reward)
    for level in range(depth - 1, -1, -1):
        node, edge = Index(work.nodes[Index(level)]), Index(work.edges[Index(level)])
        mover = mover_at(work, settings, task, level)
        own = carried if mover == 0 else 1.0 - carried
        add(tree.value, edge, int(own * ONE), settings)
        if settings.tally != TALLY_OFF and tree.visits[edge] <= ENOUGH:
            tallied = min(own * own, TALLY_MOST)
            if settings.tally == TALLY_WINS:
                tallied = win if mover == 0 else 1.0 - win
            add(tree.tally, edge, int(tallied * TALLY_ONE + 0.5), settings)
        if settings.virtual_loss > 1:
            add_visits(tree, edge, 1 - settings.virtual_loss, settings)
            atomic_add(tree.node_visits, node, 1 - settings.virtual_loss)
        if settings.solver != 0:
            prove(tree, node, edge)
        if settings.amaf != AMAF_OFF:
            note_play(work, int(tree.move[edge]), mover, level, stamp, move_count, settings.amaf)
            if settings.amaf_tree == 0:
                update_amaf(tree, work, settings, node, mover, level, depth + length, stamp, own)
        if tree.proof[node] == SAFE and own < 0.5:
            # The player will not lose from here: the draw stands for the playout's loss.
            own = carried = 0.5
        if settings.backup_maximum > 0.0:
            best = best_mean(tree, node)
            mixed = own + settings.backup_maximum * (best - own)
            carried = mixed if mover == 0 else 1.0 - mixed
    if settings.amaf_tree != 0:
        update_anywhere(tree, work, settings, task, depth, length, stamp, reward)
    if settings.virtual_loss > 1:
        leaf = ROOT if depth == 0 else int(tree.child[work.edges[depth - 1]])
        atomic_add(tree.node_visits, leaf, 1 - settings.virtual_loss)


@kernel
def update_leaf(
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    depth: int,
    length: int,
    stamp: int,
    reward: float,
) -> None:
    """Count the playout's first move for the leaf, which was expanded at once (001 algorithm 2)."""
    leaf = int(work.nodes[depth])
    if length == 0 or tree.expansion[leaf] != EXPANDED:
        return
    played = int(np.int64(work.scratch[Index(TRACE)])) & MOVE_MASK
    mover = mover_at(work, settings, task, depth)
    own = reward if mover == 0 else 1.0 - reward
    first = int(tree.first_edge[leaf])
    for edge in range(first, first + int(tree.edge_count[leaf])):
        if tree.move[edge] == played:
            add(tree.value, edge, int(own * ONE), settings)
            add_visits(tree, edge, 1, settings)
            if settings.tally != TALLY_OFF and tree.visits[edge] <= ENOUGH:
                tallied = own if settings.tally == TALLY_WINS else min(own * own, TALLY_MOST)
                add(tree.tally, edge, int(tallied * TALLY_ONE + 0.5), settings)
    if settings.amaf != AMAF_OFF and settings.amaf_tree == 0:
        update_amaf(tree, work, settings, leaf, mover, depth, depth + length, stamp, own)


@kernel
def update_anywhere(
    tree: Tree,
    work: Workspace,
    settings: Settings,
    task: Task,
    depth: int,
    length: int,
    stamp: int,
    reward: float,
) -> None:
    """Count the simulation once for each move that a player made in it, wherever (002 2.2.1)."""
    move_count = len(work.moves)
    for time in range(depth + length):
        if time < depth:
            move = int(tree.move[work.edges[time]])
            player = mover_at(work, settings, task, time)
        else:
            played = int(np.int64(work.scratch[Index(TRACE) + Index(time - depth)]))
            move, player = played & MOVE_MASK, (time + 1 - task.first_player) & 1
            if settings.own_turn != 0:
                player = played >> MOVE_BITS
        place = move + player * move_count
        weight = tree.anywhere[place] & AMAF_MASK
        if work.first_play[place] == stamp + time and weight < AMAF_ENOUGH * AMAF_ONE:
            own = reward if player == 0 else 1.0 - reward
            units = floor(min(max(own, -AMAF_MOST), AMAF_MOST) * AMAF_REWARD + 0.5)
            add(tree.anywhere, place, (units << AMAF_BITS) + AMAF_ONE, settings)


@kernel(inline=True)
def note_play(
    work: Workspace, move: int, player: int, time: int, stamp: int, move_count: int, amaf: int
) -> None:
    """Note that *player* made a move at *time*; later plays of it by the same are forgotten.

    With AMAF_FIRST also those by the other player: the first play at a place decides.
    """
    work.first_play[move + player * move_count] = stamp + time
    if amaf == AMAF_FIRST:
        work.first_play[move + (1 - player) * move_count] = 0


@kernel(inline=True)
def update_amaf(
    tree: Tree,
    work: Workspace,
    settings: Settings,
    node: int,
    mover: int,
    level: int,
    end: int,
    stamp: int,
    own: float,
) -> None:
    """Count the simulation for each of the node's moves that its player made later on.

    Moves illegal in the node have no edge there, so nothing is counted for them (001 4.3). After
    AMAF_ENOUGH visits of the node the estimate is as good as it gets, and the sums stay within
    their word.
    """
    if tree.node_visits[node] - tree.recalled[node] > AMAF_ENOUGH:
        return
    move_count = len(work.moves)
    offset = mover * move_count
    other = move_count - offset
    first = int(tree.first_edge[node])
    beyond = first + int(tree.edge_count[node])
    reward = floor(min(max(own, -AMAF_MOST), AMAF_MOST) * AMAF_REWARD + 0.5)
    if settings.amaf_earliness == 0 and settings.amaf_opposite == 0:
        # The usual case. What to add is looked up: of anything else the compiler makes a branch,
        # and half of these are mispredicted.
        work.amounts[1] = (reward << AMAF_BITS) + AMAF_ONE
        for edge in range(Index(first), Index(beyond)):
            played = work.first_play[Index(tree.move[edge]) + Index(offset)] >= stamp
            tree.amaf[edge] += work.amounts[Index(played)]
        return
    for edge in range(first, beyond):
        move = int(tree.move[edge])
        time = int(work.first_play[move + offset]) - stamp
        value = reward
        if time < 0 and settings.amaf_opposite != 0:
            time = int(work.first_play[move + other]) - stamp
            value = AMAF_REWARD - reward
        if time >= 0:
            weight = AMAF_ONE
            if settings.amaf_earliness != 0:
                # From 2 for the next move down to 1 for the last (as in Fuego).
                weight = int(AMAF_ONE * (2.0 - (time - level) / max(end - level, 1)))
            tree.amaf[edge] += ((value * weight // AMAF_ONE) << AMAF_BITS) + weight


@kernel(inline=True)
def best_mean(tree: Tree, node: int) -> float:
    """Return the best mean value among the node's visited moves; there must be one."""
    best = -math.inf
    first = int(tree.first_edge[node])
    for edge in range(first, first + int(tree.edge_count[node])):
        if tree.visits[edge] > 0:
            best = max(best, float(tree.value[edge]) * UNIT / float(tree.visits[edge]))
    return best


@kernel(inline=True)
def take(tree: Tree, node: int, edge: int) -> None:
    """Prove a node by a move that ends the game and wins it: a decisive move."""
    if proof_of_move(tree, edge) == PROVEN_WIN:
        tree.proof[node] = PROVEN_WIN


@kernel(inline=True)
def prove(tree: Tree, node: int, edge: int) -> None:
    """Draw what follows for *node* from what is proven about the child behind *edge*."""
    proof = proof_of_move(tree, edge)
    if proof <= SAFE or tree.proof[node] > SAFE:
        return
    if proof == PROVEN_WIN:
        tree.proof[node] = PROVEN_WIN
        return
    # Nothing more is to be learned behind this edge.
    tree.prior_visits[edge] = CLOSED
    if proof == PROVEN_DRAW:
        atomic_replace(tree.proof, node, UNPROVEN, SAFE)
    conclude(tree, node)


@kernel(inline=True)
def conclude(tree: Tree, node: int) -> None:
    """Prove a node none of whose legal moves is open, and none of which wins."""
    legal, drawn = False, False
    first = int(tree.first_edge[node])
    for other in range(first, first + int(tree.edge_count[node])):
        if tree.prior_visits[other] == ILLEGAL:
            continue
        legal = True
        proof = proof_of_move(tree, other)
        if proof == PROVEN_DRAW:
            drawn = True
        elif proof != PROVEN_LOSS:
            return
    if legal:
        tree.proof[node] = PROVEN_DRAW if drawn else PROVEN_LOSS
