"""The search over many trees whose leaves are judged together: a move of many games at a time.

A tree a game, and the same steps as :func:`~montego.mcts.kernels.simulation.simulate`, cut where a
network judges all leaves in one batch: :func:`find_leaf` descends and shows the leaf,
:func:`take_answer` expands it with what was answered, and backs up. :func:`begin_move` and
:func:`make_move` are what comes before and after the simulations of a move. Every kernel works on
one game, so that a loop runs them on a CPU and a grid on a GPU.

What is answered lies at the end of a game's own knowledge: a score for each move, whose softmax
over the legal moves are the chances, then how loud the root's noise is, the number of moves, and
last the value. *place* is what is kept of a game between these steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import copy_state, draw_below
from montego.mcts.kernels.backup import back_up, reward_of
from montego.mcts.kernels.expansion import expand
from montego.mcts.kernels.gumbel import gumbel_choice, improved_policy, soften_noise, to_chances
from montego.mcts.kernels.simulation import (
    LEAF,
    REPEATED,
    descend,
    forbid,
    is_over,
    withdraw,
)
from montego.mcts.kernels.tree import EDGES, FULL, NO_CHILD, NODES, ROOT, STOP, UNIT
from montego.mcts.kernels.workspace import Task, mover_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State
    from montego.mcts.kernels.functions import (
        Experience,
        Hash,
        LegalMoves,
        Play,
        Priors,
        Score,
        Turn,
    )
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree
    from montego.mcts.kernels.workspace import Workspace

# Elements of *place*.
NODE = 0  # the leaf that waits for an answer
DEPTH = 1  # its depth
WAITS = 2  # 1 if an answer is wanted; 0 at the end of a game, and where no leaf was found
VIEW = 3  # how the leaf was shown: see ``Features.write``
TURN = 4  # who is to move at the root: 0 for the first player, else 1
LENGTH = 5  # moves of the game so far
MOVE = 6  # the move made last
MOVER = 7  # who made it
OVER = 8  # 1 if it ended the game
RANDOM_MOVES = 9  # moves at the beginning of the game that are drawn and not searched
LIMIT = 10  # moves after which the game is counted as it stands
ROOT_VIEW = 11  # how the root was shown
PLACES = 12

# Numbers behind the scores of the moves, from the end.
VALUE = 1
MOVES = 2  # how many moves have a score
LOUDNESS = 3  # what the root's noise is multiplied by
ANSWER_TAIL = 3

TRIES = 8  # Descents that may end in a repetition before a game sits out a simulation.


@kernel
def answered(
    state: State,  # noqa: ARG001
    knowledge: Knowledge,
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],
    count: int,
    chances: NDArray[Any],
) -> float:
    """Be the evaluation of a game whose answers were written behind its knowledge."""
    first = len(knowledge) - ANSWER_TAIL - int(knowledge[len(knowledge) - MOVES])
    for rank in range(count):
        chances[rank] = float(knowledge[first + int(moves[rank])])
    to_chances(chances, count)
    return float(knowledge[len(knowledge) - VALUE])


@kernel
def begin_move(
    turn: Turn,
    initial: State,
    tree: Tree,
    settings: Settings,
    start: State,
    knowledge: Knowledge,
    scratch: Scratch,
    place: NDArray[Any],
    first_turn: int,
) -> None:
    """Begin a game anew if it is over, and a tree in any case."""
    if place[OVER] != 0:
        copy_state(initial, start)
        place[LENGTH] = 0
        place[OVER] = 0
        place[TURN] = first_turn
    if settings.own_turn != 0:
        place[TURN] = turn(start, knowledge, scratch)
    for edge in range(int(tree.counters[EDGES])):
        tree.move[edge] = 0
        tree.child[edge] = NO_CHILD
        tree.visits[edge] = 0
        tree.value[edge] = 0
        tree.memo[edge] = 0.0
        tree.prior_value[edge] = 0.0
        tree.prior_visits[edge] = 0.0
    for node in range(int(tree.counters[NODES])):
        tree.node_visits[node] = 0
        tree.expansion[node] = 0
        tree.edge_count[node] = 0
        tree.proof[node] = 0
        tree.again[node] = 0
    for counter in range(len(tree.counters)):
        tree.counters[counter] = 0
    tree.counters[NODES] = 1


@kernel
def find_leaf(
    selection: Callable[..., int],
    legal_moves: LegalMoves,
    play: Play,
    priors: Priors,
    experience: Experience,
    hash_of: Hash,
    turn: Turn,
    write: Callable[..., int],
    tree: Tree,
    work: Workspace,
    settings: Settings,
    start: State,
    knowledge: Knowledge,
    history: NDArray[Any],
    limits: NDArray[Any],
    place: NDArray[Any],
    planes: NDArray[Any],
) -> None:
    """Descend to a leaf and show it; *place* says where that is."""
    task = Task(start, knowledge, history, limits, 1 - int(place[TURN]))
    place[WAITS] = 0
    place[NODE] = -1
    for _ in range(TRIES):
        if tree.counters[FULL] != 0 or tree.counters[STOP] != 0:
            return
        node, depth, fate = descend(
            selection,
            legal_moves,
            play,
            priors,
            experience,
            hash_of,
            turn,
            answered,
            tree,
            work,
            settings,
            task,
        )
        if fate == LEAF:
            place[NODE] = node
            place[DEPTH] = depth
            if not is_over(tree, node):
                place[WAITS] = 1
                place[VIEW] = write(work.state, knowledge, work.scratch, planes)
                if depth == 0:
                    place[ROOT_VIEW] = place[VIEW]
            return
        withdraw(tree, work, depth, settings, node != NO_CHILD)
        if fate == REPEATED:
            forbid(tree, work, depth, settings)


@kernel
def take_answer(
    legal_moves: LegalMoves,
    priors: Priors,
    experience: Experience,
    final_score: Score,
    tree: Tree,
    work: Workspace,
    settings: Settings,
    start: State,
    knowledge: Knowledge,
    history: NDArray[Any],
    limits: NDArray[Any],
    place: NDArray[Any],
) -> None:
    """Expand the leaf with the answer behind the knowledge, and back up its value or the score."""
    task = Task(start, knowledge, history, limits, 1 - int(place[TURN]))
    node, depth = int(place[NODE]), int(place[DEPTH])
    if node < 0:
        return
    if place[WAITS] != 0 and depth < settings.depth_limit:
        expand(
            legal_moves,
            priors,
            experience,
            answered,
            tree,
            work,
            settings,
            task,
            node,
            depth,
        )
        if node == ROOT and settings.root_noise > 0.0:
            soften_noise(tree, float(knowledge[len(knowledge) - LOUDNESS]))
    score, reward = 0.0, 0.5
    if is_over(tree, node):
        score = final_score(work.state, knowledge, work.scratch)
        reward = reward_of(score, tree, settings)
    else:
        value = float(knowledge[len(knowledge) - VALUE])
        reward = value if mover_at(work, settings, task, depth) == 0 else 1.0 - value
    back_up(tree, work, settings, task, node, depth, reward, score)


@kernel
def make_move(
    legal_moves: LegalMoves,
    play: Play,
    final_score: Score,
    owners: Callable[..., None],
    tree: Tree,
    work: Workspace,
    settings: Settings,
    start: State,
    knowledge: Knowledge,
    place: NDArray[Any],
    readings: NDArray[Any],
    policy: NDArray[Any],
    result: NDArray[Any],
    owned: NDArray[Any],
    views: int,
) -> None:
    """Choose a move, write what is to be learned from the position, and make the move.

    *policy* becomes the improved policy by output; *readings* has, for each view, the output that
    stands for a move. If the game ends, *result* is its score and who owns what is in *owned*, both
    the first player's. The value of the position for the player to move is in *result* at 1.
    """
    for output in range(len(policy)):
        policy[output] = 0.0
    count = improved_policy(tree, ROOT, settings, work.prior_values)
    first = int(tree.first_edge[ROOT])
    offset = int(place[ROOT_VIEW]) * (len(readings) // views)
    value = 0.0
    for rank in range(count):
        edge = first + rank
        output = int(readings[offset + int(tree.move[edge])])
        if output >= 0:
            policy[output] = work.prior_values[rank]
        visits = float(tree.visits[edge])
        mean = float(np.float64(tree.judged[ROOT]))
        if visits > 0.0:
            mean = float(tree.value[edge]) * UNIT / visits
        value += work.prior_values[rank] * mean
    edge = gumbel_choice(tree, ROOT, settings, work.urgencies)
    if place[LENGTH] < place[RANDOM_MOVES]:
        edge = first + int(draw_below(work.scratch, Index(count)))
    move = int(tree.move[edge])
    place[MOVE] = move
    place[MOVER] = place[TURN]
    place[TURN] = 1 - place[TURN]
    place[LENGTH] += 1
    play(start, knowledge, work.scratch, move)
    result[1] = value
    left = int(legal_moves(start, knowledge, work.scratch, work.moves))
    if left == 0 or place[LENGTH] >= place[LIMIT]:
        place[OVER] = 1
        # Counting may spoil the position, but not for who counts the owners next.
        result[0] = final_score(start, knowledge, work.scratch)
        owners(start, knowledge, work.scratch, owned)


@kernel
def no_owners(state: State, knowledge: Knowledge, scratch: Scratch, owned: NDArray[Any]) -> None:
    """Stand for who owns what in a game in which nobody owns anything."""
