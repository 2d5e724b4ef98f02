"""Threads: many short searches whose numbers must add up exactly afterwards.

Visits and values are added atomically, so nothing may be missing. All-moves-as-first sums are not:
they may lack a little, and never have too much.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import check_memo, check_tree, edges_of, reachable, same_trees
from montego.games import make_game
from montego.games.hex import hex_game
from montego.jit import compile_off
from montego.mcts import Config, Search
from montego.mcts.kernels.tree import CLAIMED, LOCK, NODES, ROOT, SIMULATIONS, amaf_sums

if TYPE_CHECKING:
    from montego.mcts import GameDefinition

pytestmark = pytest.mark.skipif(compile_off(), reason="interpreted threads take turns")

GAMES = {
    "tic-tac-toe": lambda: make_game("tic-tac-toe"),
    "connect-four": lambda: make_game("connect-four"),
    "hex": lambda: hex_game(4),
}


def run(game: GameDefinition, **fields: Any) -> Search:
    usual: dict[str, Any] = {"early_stop": False, "memory": 4, "selection": "ucb1"}
    fields = usual | {"simulations": 400} | fields
    search = Search(game, Config(**fields))
    result = search.run()
    assert result.simulations == fields["simulations"]
    assert search._forest._inside == 0
    for tree in search._forest.trees:
        assert tree.counters[LOCK] == 0
        assert not (tree.expansion[: tree.counters[NODES]] == CLAIMED).any()
    return search


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("parallel", ["tree", "lock", "root"])
def test_totals_add_up(game: str, parallel: str) -> None:
    rounds = 6 if parallel == "lock" else 25
    for number in range(rounds):
        threads = 2 + number % 3
        search = run(
            GAMES[game](),
            threads=threads,
            parallel=parallel,
            virtual_loss=1 + 2 * (number % 2),
            expand_after=1 + number % 2,
            seed=number,
        )
        assert len(search._forest.trees) == (threads if parallel == "root" else 1)
        for tree in search._forest.trees:
            check_tree(tree, threads=threads)
            if parallel == "root":
                check_memo(tree)
        total = sum(int(tree.node_visits[ROOT]) for tree in search._forest.trees)
        assert total == 400
        assert sum(candidate.visits for candidate in search.candidates()) <= 400


@pytest.mark.parametrize("parallel", ["tree", "lock"])
def test_as_first_sums_never_have_too_much(parallel: str) -> None:
    for number in range(10):
        search = run(hex_game(4), threads=3, parallel=parallel, selection="rave-mse", seed=number)
        tree = search.tree
        check_tree(tree, threads=3)
        for node in reachable(tree):
            for edge in edges_of(tree, node):
                weight, rewards = amaf_sums(int(tree.amaf[edge]))
                assert 0.0 <= rewards <= weight <= tree.node_visits[node]
                # Under one lock nothing is lost either: who played a move has it counted.
                if parallel == "lock":
                    assert weight >= tree.visits[edge]


def test_proofs_of_several_threads_are_proofs() -> None:
    for number in range(12):
        search = Search(
            make_game("tic-tac-toe"),
            Config(simulations=30_000, threads=2 + number % 3, solver=True, memory=20, seed=number),
        )
        search.play(0)
        search.play(1)  # A losing answer to the corner.
        result = search.run()
        check_tree(search.tree, threads=4, values=False)
        assert result.proof == "win"
        assert result.move is not None


@pytest.mark.parametrize("parallel", ["tree", "lock", "root"])
def test_a_full_tree_is_pruned_while_threads_search(parallel: str) -> None:
    search = Search(
        make_game("connect-four"),
        Config(
            simulations=30_000 if parallel != "lock" else 12_000,
            threads=3,
            parallel=parallel,
            memory=1.0,
            early_stop=False,
        ),
    )
    result = search.run()
    assert result.simulations == search.config.simulations
    for tree in search._forest.trees:
        check_tree(tree, threads=3, pruned=True)
    assert sum(int(tree.node_visits[ROOT]) for tree in search._forest.trees) == result.simulations
    assert search.best() == 3


def test_root_parallel_trees_are_added_up() -> None:
    search = run(make_game("connect-four"), threads=3, parallel="root", simulations=3000)
    by_move = {candidate.move: candidate for candidate in search.candidates()}
    for move, candidate in by_move.items():
        edges = [
            (tree, edge)
            for tree in search._forest.trees
            for edge in edges_of(tree, ROOT)
            if tree.move[edge] == move
        ]
        assert candidate.visits == sum(int(tree.visits[edge]) for tree, edge in edges)
        value = sum(int(tree.value[edge]) for tree, edge in edges) / (1 << 24)
        assert candidate.value == pytest.approx(value / candidate.visits)
    # The trees are not the same.
    assert not same_trees(search._forest.trees[0], search._forest.trees[1])


def test_a_virtual_loss_changes_nothing_for_one_thread() -> None:
    searches = [run(make_game("tic-tac-toe"), virtual_loss=loss, seed=1) for loss in (1, 1)]
    assert same_trees(searches[0].tree, searches[1].tree)
    search = run(make_game("tic-tac-toe"), virtual_loss=7, expand_after=3, seed=1)
    check_tree(search.tree)
    for node in reachable(search.tree):
        through = sum(int(search.tree.visits[edge]) for edge in edges_of(search.tree, node))
        if node != ROOT and through:
            assert search.tree.node_visits[node] - through == 3  # As said: after three visits.


def test_moving_on_with_threads() -> None:
    search = run(make_game("connect-four"), threads=2, simulations=3000)
    for _ in range(4):
        move = search.best()
        assert move is not None
        search.play(move)
        check_tree(search.tree, threads=2, fresh=False)
        before = int(search.tree.node_visits[ROOT])
        assert search.run(simulations=500).simulations == 500
        assert search.tree.node_visits[ROOT] == before + 500


def test_several_searches_at_once() -> None:
    searches = [
        Search(make_game("connect-four"), Config(simulations=2000, early_stop=False, memory=4))
        for _ in range(4)
    ]
    threads = [threading.Thread(target=search.run) for search in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for search in searches[1:]:
        assert same_trees(searches[0].tree, search.tree)
    assert search.tree.counters[SIMULATIONS] == 2000


def test_an_early_stop_of_threads_waits_for_what_is_under_way() -> None:
    for seed in range(20):
        config = Config(simulations=2000, threads=3, seed=seed, memory=4, virtual_loss=3)
        search = Search(make_game("connect-four"), config)
        result = search.run()
        first, second = np.sort([candidate.visits for candidate in result.candidates])[:-3:-1]
        assert result.simulations == 2000 or first - second > 2000 - result.simulations
