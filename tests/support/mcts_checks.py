"""What the tests of the search share: a check of whole trees, and small games made for tests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit.state import LENGTH, TRACE
from montego.mcts import Config, GameDefinition, Search
from montego.mcts.kernels.tree import (
    EDGES,
    EXPANDED,
    ILLEGAL,
    NO_CHILD,
    NODES,
    ONE,
    PROVEN_DRAW,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROOT,
    SAFE,
    SIMULATIONS,
    UNPROVEN,
    Tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from montego.jit.state import Knowledge, Scratch, State


def searched(game: GameDefinition, simulations: int = 400, **fields: Any) -> Search:
    """A search that has run, all of its simulations; plain UCT unless something else is said."""
    uct = {"selection": "ucb1", "exploration": 0.7, "rave_bias": 0.02}
    usual = {"early_stop": False, "seed": 11, **uct}
    search = Search(game, Config(**{"simulations": simulations, **usual, **fields}))
    search.run()
    return search


def edges_of(tree: Tree, node: int) -> range:
    if tree.expansion[node] != EXPANDED:
        return range(0)
    first = int(tree.first_edge[node])
    return range(first, first + int(tree.edge_count[node]))


def reachable(tree: Tree) -> list[int]:
    """The nodes from the root downwards; none may be met twice."""
    nodes = [ROOT]
    for node in nodes:
        nodes += [int(tree.child[edge]) for edge in edges_of(tree, node) if tree.child[edge]]
    assert len(set(nodes)) == len(nodes)
    return nodes


def check_tree(
    tree: Tree, *, pruned: bool = False, threads: int = 1, values: bool = True, fresh: bool = True
) -> None:
    """Check all that must hold in a tree between simulations.

    *values* says that the mean of rewards from 0 to 1 was backed up, *fresh* that the root was
    never moved, *pruned* that some nodes may have lost their moves.
    """
    nodes = reachable(tree)
    taken = [edge for node in nodes for edge in edges_of(tree, node)]
    assert len(set(taken)) == len(taken)
    assert len(taken) <= tree.counters[EDGES] <= len(tree.move)
    assert len(nodes) <= tree.counters[NODES] <= len(tree.node_visits)
    if threads == 1:
        assert len(nodes) == tree.counters[NODES]
        assert len(taken) == tree.counters[EDGES]
    if fresh:
        assert tree.node_visits[ROOT] == tree.counters[SIMULATIONS]
    for node in nodes:
        edges = edges_of(tree, node)
        through = sum(int(tree.visits[edge]) for edge in edges)
        own = int(tree.node_visits[node]) - through
        assert own >= 0
        if len(edges) > 0 and fresh and not pruned and threads == 1 and node != ROOT:
            assert own >= 1
        for edge in edges:
            check_edge(tree, edge, pruned=pruned, values=values)
        priors = [float(tree.prior_visits[edge]) for edge in edges]
        if min(priors, default=0.0) >= 0.0:  # Closed moves have nothing to add up.
            assert math.isclose(tree.prior_total[node], sum(priors), rel_tol=1e-5)
        # A pruned node is still known to be safe, or won, when it gets its moves back.
        if not (pruned and tree.proof[node] in (SAFE, PROVEN_WIN)):
            check_proof(tree, node)
    moves = [[int(tree.move[edge]) for edge in edges_of(tree, node)] for node in nodes]
    assert all(len(set(row)) == len(row) for row in moves)


def check_memo(tree: Tree) -> None:
    """Check what plain UCB1 keeps of every edge: 1 / √visits, and 0 without any."""
    visits = tree.visits[: tree.counters[EDGES]]
    kept = np.where(visits > 0, 1.0 / np.sqrt(np.maximum(visits, 1)), 0.0)
    assert np.array_equal(tree.memo[: tree.counters[EDGES]], kept.astype(np.float32))


def check_edge(tree: Tree, edge: int, *, pruned: bool, values: bool) -> None:
    visits, child = int(tree.visits[edge]), int(tree.child[edge])
    if child == NO_CHILD:
        assert visits == 0
        return
    assert visits == tree.node_visits[child]
    if not values:
        return
    assert 0 <= tree.value[edge] <= visits * ONE
    if pruned or tree.proof[child] == SAFE:
        return
    # What the move won and what its answers won add up to one a visit, except for the child's own
    # playouts, which nobody below has seen. Each visit may round down by a unit.
    below = edges_of(tree, child)
    through = sum(int(tree.visits[answer]) for answer in below)
    lost = sum(int(tree.value[answer]) for answer in below)
    own = int(tree.value[edge]) - (through * ONE - lost)
    assert -visits <= own <= (visits - through) * ONE + visits


def check_proof(tree: Tree, node: int) -> None:
    """What is said to be proven about a node follows from what is said about its children."""
    proof = int(tree.proof[node])
    if proof == UNPROVEN or tree.expansion[node] != EXPANDED:
        return
    edges = [edge for edge in edges_of(tree, node) if tree.prior_visits[edge] != ILLEGAL]
    if not edges:
        assert proof != SAFE
        return
    below = [
        UNPROVEN if tree.child[edge] == NO_CHILD else int(tree.proof[tree.child[edge]])
        for edge in edges
    ]
    if proof == SAFE:
        assert PROVEN_DRAW in below
    elif proof == PROVEN_WIN:
        assert PROVEN_LOSS in below
    elif proof == PROVEN_LOSS:
        assert set(below) == {PROVEN_WIN}
    else:
        assert PROVEN_DRAW in below
        assert set(below) <= {PROVEN_DRAW, PROVEN_WIN}


def visits_by_move(tree: Tree, node: int = ROOT) -> dict[int, int]:
    return {int(tree.move[edge]): int(tree.visits[edge]) for edge in edges_of(tree, node)}


def same_trees(one: Tree, two: Tree) -> bool:
    """Whether two trees are equal in every number that is in use."""
    if not np.array_equal(one.counters, two.counters):
        return False
    edges, nodes = int(one.counters[EDGES]), int(one.counters[NODES])
    for name in Tree._fields[:-1]:
        used = edges if len(getattr(one, name)) == len(one.move) else nodes
        if not np.array_equal(getattr(one, name)[:used], getattr(two, name)[:used]):
            return False
    return True


def moves_of(state: State) -> tuple[int, ...]:
    """The moves that led to a position of a scripted game."""
    return tuple(int(move) for move in state[1 : 1 + int(state[0])])


def scripted_game(
    outcome: Callable[[tuple[int, ...]], float | None],
    *,
    move_count: int = 3,
    longest_game: int = 8,
    legal: Callable[[tuple[int, ...]], Iterable[int]] | None = None,
    **more: Any,
) -> GameDefinition:
    """A game in plain Python whose position is the list of its moves.

    *outcome* gives the score of a finished game and None for one that goes on.
    """
    choices = legal or (lambda _moves: range(move_count))

    def legal_moves(state: State, _knowledge: Knowledge, _scratch: Scratch, moves: Any) -> int:
        past = moves_of(state)
        found = [] if outcome(past) is not None else list(choices(past))
        moves[: len(found)] = found
        return len(found)

    def play(state: State, _knowledge: Knowledge, _scratch: Scratch, move: int) -> None:
        state[1 + int(state[0])] = move
        state[0] += 1

    def score(state: State, _knowledge: Knowledge, _scratch: Scratch) -> float:
        return outcome(moves_of(state)) or 0.0

    return GameDefinition(
        name="script",
        initial_state=lambda: np.zeros(2 * longest_game + 4, np.int32),
        legal_moves=legal_moves,
        play=play,
        score=score,
        to_play=lambda state: int(state[0]) % 2,
        move_count=move_count,
        longest_game=longest_game,
        **more,
    )


def drawn_playout(_state: State, _knowledge: Knowledge, scratch: Scratch) -> float:
    """A playout that says nothing: what a search learns comes from the rules alone."""
    scratch[LENGTH] = 0
    scratch[TRACE] = 0
    return 0.0
