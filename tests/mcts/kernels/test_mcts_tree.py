"""The tree: copying, pruning, moving the root, holding the memory limit, and repetition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import (
    check_memo,
    check_tree,
    drawn_playout,
    edges_of,
    reachable,
    same_trees,
    scripted_game,
    searched,
    visits_by_move,
)
from montego.games import make_game
from montego.games.hex import hex_game
from montego.jit.record import arrays_of
from montego.mcts import Config, GameDefinition, Search
from montego.mcts.errors import InvalidConfig
from montego.mcts.kernels.tree import (
    EDGE_BYTES,
    EDGES,
    FULL,
    ILLEGAL,
    NODE_BYTES,
    NODES,
    PROVEN_LOSS,
    ROOT,
    SIMULATIONS,
    Tree,
    capacity_for,
    least_memory,
    new_tree,
)

if TYPE_CHECKING:
    from montego.jit.state import State


EDGE_ARRAYS = len([flat for flat in arrays_of(Tree).values() if flat.extent == "edge"])


def subtree(tree: Tree, node: int) -> list[tuple[Any, ...]]:
    """All that is known below a node, in an order that does not depend on where it lies."""
    fields = (tree.node_visits, tree.proof, tree.recalled, tree.prior_total)
    known: list[tuple[Any, ...]] = [tuple(array[node] for array in fields)]
    for edge in edges_of(tree, node):
        known.append(tuple(array[edge] for array in (tree.move, *tree[2:EDGE_ARRAYS])))
        if tree.child[edge]:
            known += subtree(tree, int(tree.child[edge]))
    return known


def child_by(tree: Tree, move: int) -> int:
    return next(int(tree.child[edge]) for edge in edges_of(tree, ROOT) if tree.move[edge] == move)


# --- Memory ---


def test_bytes_of_nodes_and_edges() -> None:
    assert EDGE_BYTES <= 44
    assert NODE_BYTES <= 64
    tree = new_tree(100, 1000)
    assert sum(array.itemsize for array in tree if len(array) == 1000) == EDGE_BYTES
    assert sum(array.itemsize for array in tree if len(array) == 100) == NODE_BYTES


def test_two_trees_fit_into_the_memory() -> None:
    nodes, edges = capacity_for(8.0, 100)
    assert 7_900_000 < 2 * (nodes * NODE_BYTES + edges * EDGE_BYTES) <= 8_000_000


@pytest.mark.parametrize("move_count", [2178, 4348, 5746])
def test_the_least_memory_has_room_for_the_moves_of_two_nodes(move_count: int) -> None:
    room = 2 * move_count + 2
    assert min(capacity_for(least_memory(move_count), move_count)) >= room
    assert min(capacity_for(0.99 * least_memory(move_count), move_count)) < room
    game = scripted_game(lambda _moves: None, move_count=move_count)
    Search(game, Config(memory=least_memory(move_count)))
    with pytest.raises(InvalidConfig, match="at least") as refused:
        Search(game, Config(memory=0.99 * least_memory(move_count)))
    # What it names is enough.
    Search(game, Config(memory=float(str(refused.value).split()[-2])))


@pytest.mark.parametrize("selection", ["ucb1", "rave-mse"])
def test_the_memory_limit_is_held_in_a_long_search(selection: str) -> None:
    game = make_game("connect-four")
    search = Search(
        game,
        # With a c that makes the tree broad.
        Config(
            memory=1, simulations=60_000, early_stop=False, selection=selection, exploration=0.7
        ),
    )
    sizes = {len(array) for array in search.tree}
    pruned = 0
    seen = search.tree
    for _ in range(6):
        result = search.run(simulations=10_000)
        assert result.simulations == 10_000
        pruned += search.tree is not seen
        seen = search.tree
        assert {len(array) for array in search.tree} == sizes
        check_tree(search.tree, pruned=True)
        if selection == "ucb1":
            check_memo(search.tree)
    assert pruned > 0
    assert search.tree.node_visits[ROOT] == 60_000
    assert sum(visits_by_move(search.tree).values()) == 60_000
    assert search.best() == 3


def test_pruning_keeps_what_was_visited_most() -> None:
    search = searched(make_game("connect-four"), 3000, memory=1)
    before = subtree_visits(search.tree)
    search.tree.counters[FULL] = 1
    search._forest.make_room(0)
    after = subtree_visits(search.tree)
    check_tree(search.tree, pruned=True)
    # Every path that is left has its visits, and what is gone was visited less than what is left.
    assert after.items() <= before.items()
    assert search.tree.counters[SIMULATIONS] == 3000


def subtree_visits(tree: Tree) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {(): int(tree.node_visits[ROOT])}
    waiting: list[tuple[tuple[int, ...], int]] = [((), ROOT)]
    for path, node in waiting:
        for edge in edges_of(tree, node):
            if tree.child[edge]:
                below = (*path, int(tree.move[edge]))
                found[below] = int(tree.visits[edge])
                waiting.append((below, int(tree.child[edge])))
    return found


def test_a_full_tree_of_nodes_is_pruned_too() -> None:
    # More room for edges than for nodes would ever be needed: nodes run out first.
    config = Config(simulations=5000, early_stop=False, selection="ucb1")
    search = Search(make_game("tic-tac-toe"), config)
    search._forest.trees = [new_tree(60, 5000)]
    assert search.run().simulations == 5000
    assert search.tree.counters[NODES] <= 60
    check_tree(search.tree, pruned=True)
    check_memo(search.tree)
    assert search.best() == 4


def test_the_smallest_memory_still_searches() -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=3000, early_stop=False))
    search._forest.trees = [new_tree(20, 20)]
    assert search.run().simulations == 3000
    check_tree(search.tree, pruned=True)


def test_a_proof_that_lost_its_moves_does_not_end_the_search() -> None:
    # The first player can only win: 0 wins at once.
    game = make_game("tic-tac-toe")
    search = Search(game, Config(simulations=500, solver=True))
    for move in (0, 3, 1):
        search.play(move)
    search.run()
    tree = search.tree
    node = child_by(tree, 8)
    tree.expansion[node], tree.proof[node] = 0, PROVEN_LOSS
    search.play(8)
    result = search.run()
    assert result.move == 2
    assert result.proof == "win"


# --- Moving on ---


@pytest.mark.parametrize("selection", ["ucb1", "rave-mse"])
def test_the_subtree_is_kept_exactly(selection: str) -> None:
    search = searched(make_game("connect-four"), 4000, selection=selection)
    move = search.best()
    assert move is not None
    known = subtree(search.tree, child_by(search.tree, move))
    search.play(move)
    assert subtree(search.tree, ROOT) == known
    check_tree(search.tree, fresh=False)
    visits = int(search.tree.node_visits[ROOT])
    result = search.run(simulations=1000)
    assert result.simulations == 1000
    assert search.tree.node_visits[ROOT] == visits + 1000
    check_tree(search.tree, fresh=False)
    if selection == "ucb1":
        check_memo(search.tree)


def test_a_move_that_was_never_tried_starts_a_new_tree() -> None:
    search = Search(make_game("connect-four"), Config(early_stop=False))
    search.play(2)
    assert search.candidates() == []
    search.run(simulations=100)
    assert search.tree.node_visits[ROOT] == 100


def test_playing_on_and_searching_keeps_all_trees_of_a_root_parallel_search() -> None:
    search = Search(
        make_game("tic-tac-toe"),
        Config(simulations=2000, threads=1, parallel="root", early_stop=False),
    )
    search._forest.trees.append(new_tree(len(search.tree.node_visits), len(search.tree.move)))
    search.run()
    search.play(4)
    for tree in search._forest.trees:
        check_tree(tree, fresh=False)


def test_another_position_starts_a_new_tree() -> None:
    game = make_game("tic-tac-toe")
    search = searched(game, 300)
    search.play(0)
    search.set_state(game.initial_state())
    assert search.candidates() == []
    assert np.array_equal(search.state, game.initial_state())
    search.run()
    check_tree(search.tree)


def test_the_position_is_a_copy() -> None:
    state = make_game("tic-tac-toe").initial_state()
    search = Search(make_game("tic-tac-toe"), state=state)
    search.state[:] = 7
    state[:] = 7
    assert not search.state.any()


# --- Repetition ---


def cyclic_game(**more: Any) -> GameDefinition:
    """A token on a ring of five places is moved one place on (0) or back (1).

    Who brings it to place 3 wins; a position is a place. From 0, moving on to 1 and 2 lets the
    opponent win.
    """

    def place(moves: tuple[int, ...]) -> int:
        return sum(1 if move == 0 else -1 for move in moves) % 5

    def outcome(moves: tuple[int, ...]) -> float | None:
        if place(moves) != 3:
            return None
        return 1.0 if len(moves) % 2 == 1 else -1.0

    def hash_of(state: State, _knowledge: Any, _scratch: Any) -> int:
        return 1 + place(tuple(int(move) for move in state[1 : 1 + int(state[0])]))

    return scripted_game(outcome, move_count=2, longest_game=30, hash=hash_of, **more)


def no_path_repeats(tree: Tree, history: set[int]) -> None:
    waiting: list[tuple[int, int, frozenset[int]]] = [(ROOT, 0, frozenset())]
    for node, place, seen in waiting:
        for edge in edges_of(tree, node):
            target = (place + (1 if tree.move[edge] == 0 else -1)) % 5
            if tree.visits[edge] > 0:
                assert target not in seen | {place}
                assert 1 + target not in history
                waiting.append((int(tree.child[edge]), target, seen | {place}))


@pytest.mark.parametrize("solver", [False, True])
def test_no_position_of_the_path_comes_again(solver: bool) -> None:
    search = Search(cyclic_game(), Config(simulations=300, solver=solver, early_stop=False))
    result = search.run()
    no_path_repeats(search.tree, set())
    assert (search.tree.prior_visits == ILLEGAL).any()
    assert solver or result.simulations == 300
    assert search.tree.node_visits[ROOT] == result.simulations
    check_tree(search.tree)
    # On to 1, and now back to 0 is forbidden: the opponent must go on to 2, whence 3 wins. Back to
    # 4 lets the opponent win at once.
    assert result.move == 0
    assert result.proof == ("win" if solver else None)


def test_positions_of_the_history_do_not_come_again() -> None:
    search = Search(cyclic_game(), Config(simulations=200, early_stop=False), history=[2])
    result = search.run()
    no_path_repeats(search.tree, {2})
    assert result.simulations == 200
    # Only 4 is left. The forbidden move is no candidate.
    assert result.move == 1
    assert [candidate.move for candidate in result.candidates] == [1]


def test_one_simulation_is_enough_to_avoid_a_forbidden_move() -> None:
    for seed in range(10):
        search = Search(cyclic_game(), Config(simulations=1, seed=seed), history=[2])
        assert search.run().move == 1


def test_where_everything_repeats_there_is_no_move() -> None:
    search = Search(cyclic_game(), Config(simulations=20, early_stop=False), history=[2, 5])
    result = search.run()
    assert result.move is None
    assert result.simulations == 20


def test_moves_that_were_played_belong_to_the_history() -> None:
    search = Search(cyclic_game(), Config(simulations=50, early_stop=False))
    search.play(0)
    result = search.run()
    assert [candidate.move for candidate in result.candidates] == [0]
    search.set_state(search.game.initial_state())
    assert len(search.run().candidates) == 2


def test_an_endless_game_is_cut_off_in_the_tree_as_in_playouts() -> None:
    # Two players move a token to and fro for ever: the tree must not outgrow its path's storage.
    game = scripted_game(lambda _m: None, move_count=1, longest_game=5, playout=drawn_playout)
    search = Search(game, Config(simulations=50, early_stop=False))
    assert search.run().simulations == 50
    assert len(reachable(search.tree)) == 7  # The root and six moves: one more than a game has.
    check_tree(search.tree)


def test_equal_trees_are_told_from_others() -> None:
    searches = [Search(hex_game(3), Config(simulations=50, seed=seed)) for seed in (1, 1, 2)]
    for search in searches:
        search.run()
    assert same_trees(searches[0].tree, searches[1].tree)
    assert not same_trees(searches[0].tree, searches[2].tree)
    assert searches[0].tree.counters[EDGES] > 0
