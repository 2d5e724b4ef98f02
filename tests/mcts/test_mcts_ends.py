"""Where a search ends although its budget does not: stops while pruning, clocks, counts."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import check_memo, check_tree, edges_of, searched
from montego.games import make_game
from montego.jit import compile_off, kernel
from montego.mcts import Config, Search, threads
from montego.mcts.errors import InvalidConfig
from montego.mcts.forest import Forest
from montego.mcts.kernels.pruning import STOPPED, count_by_visits, least_visits
from montego.mcts.kernels.tree import (
    EDGES,
    FULL,
    MOST_VISITS,
    NO_CHILD,
    NODES,
    ROOT,
    STOP,
    clear_tree,
    new_tree,
)
from montego.mcts.picture import to_json
from montego.mcts.threads import Threads

if TYPE_CHECKING:
    from montego.mcts.kernels.formula import Statistics
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.workspace import Task


def full_search() -> Search:
    search = searched(make_game("connect-four"), 1500, memory=1)
    search.tree.counters[FULL] = 1
    return search


# --- Pruning and the stop signal ---


def test_a_stop_before_pruning_leaves_the_tree_as_it_is() -> None:
    search = full_search()
    tree, nodes = search.tree, int(search.tree.counters[NODES])
    tree.counters[STOP] = 1
    search._forest.make_room(0)
    assert search.tree is tree
    assert tree.counters[NODES] == nodes
    check_tree(tree)


@pytest.mark.parametrize("moment", ["clearing", "copying"])
def test_a_stop_while_pruning_loses_nothing(moment: str) -> None:
    search = full_search()
    forest, tree = search._forest, search.tree
    if moment == "clearing":
        forest.make_room(0)  # Now there is a spare tree to be cleared.
        tree = search.tree
        tree.counters[FULL] = 1
    count = forest._count

    def count_and_stop(*arguments: Any) -> int:
        found = count(*arguments)
        tree.counters[STOP] = 1
        return found

    forest._count = count_and_stop
    simulations = int(tree.node_visits[ROOT])
    forest.make_room(0)
    assert search.tree is tree
    assert tree.counters[FULL] == 1
    forest._count = count
    # The next search prunes, into what was left half done.
    assert search.run(simulations=20_000).simulations == 20_000
    assert search.tree.node_visits[ROOT] == simulations + 20_000
    check_tree(search.tree, pruned=True)
    check_memo(search.tree)


def test_a_copy_that_was_stopped_midway_can_be_cleared() -> None:
    search = full_search()
    forest, tree = search._forest, search.tree
    tree.counters[STOP] = 1
    target = new_tree(len(tree.node_visits), len(tree.move))
    assert forest._copy(tree, target, ROOT, 0, 1, 1) == STOPPED
    assert clear_tree(target)
    used = target._asdict()
    del used["counters"]
    assert not any(array.any() for array in used.values())
    assert forest._copy(tree, target, ROOT, 0, 1, 0) == tree.counters[NODES]


def test_clearing_asks_whether_to_go_on_and_can_be_repeated() -> None:
    tree = new_tree(10, 20)
    tree.move[:5], tree.proof[:3] = 1, 2
    tree.counters[[NODES, EDGES]] = 3, 5
    assert not clear_tree(tree, lambda: True)
    asked = iter([False, False, True])
    assert not clear_tree(tree, lambda: next(asked))
    assert clear_tree(tree, lambda: False)
    assert not tree.move.any()
    assert not tree.proof.any()
    assert list(tree.counters[[NODES, EDGES]]) == [1, 0]


def test_as_much_is_kept_as_half_the_room_allows() -> None:
    search = full_search()
    tree = search.tree
    least = least_visits(tree, search._forest._count)

    def is_too_much(visits: int) -> bool:
        nodes = np.flatnonzero(tree.node_visits[: tree.counters[NODES]] >= visits)
        edges = [edge for node in nodes for edge in edges_of(tree, int(node))]
        children = int(np.count_nonzero(tree.child[edges]))
        return len(edges) > len(tree.move) / 2 or children > len(tree.node_visits) / 2

    assert least > 2
    assert not is_too_much(least)
    assert is_too_much(least // 2)
    tree.counters[STOP] = 1
    assert least_visits(tree, search._forest._count) == STOPPED
    assert least_visits(tree, count_by_visits) == STOPPED


def test_a_tree_that_is_looked_at_is_not_exchanged() -> None:
    search = Search(make_game("connect-four"), Config(memory=1, early_stop=False))
    thread = threading.Thread(target=search.run, kwargs={"simulations": 60_000})
    thread.start()
    shown = 0
    while thread.is_alive() or shown == 0:
        node = json.loads(to_json(search, depth=3))
        waiting = [node]
        for each in waiting:
            moves = [move["move"] for move in each["moves"]]
            assert len(set(moves)) == len(moves)
            waiting += [move["child"] for move in each["moves"] if move["child"]]
        shown += 1
    thread.join()


# --- Clocks ---


def test_what_has_to_be_compiled_is_compiled_before_the_clock_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    warmed: list[float] = []
    warm_up, grow = Threads.warm_up, Threads.grow

    def note_warming(own: Threads, task: Task) -> None:
        warm_up(own, task)
        warmed.append(time.perf_counter())

    def note_growing(
        own: Threads, task: Task, config: Config, begin: float, progress: Any = None
    ) -> None:
        assert begin >= warmed[-1]
        grow(own, task, config, begin, progress)

    monkeypatch.setattr(Threads, "warm_up", note_warming)
    monkeypatch.setattr(Threads, "grow", note_growing)
    search = Search(make_game("tic-tac-toe"), Config(simulations=10))
    assert search.run().simulations == 10
    assert len(warmed) == 1


def test_warming_up_leaves_no_trace() -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=10))
    before = [array.copy() for array in search.tree]
    search._threads.warm_up(search._task())
    assert all(np.array_equal(*pair) for pair in zip(before, search.tree, strict=True))


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_searching_on_for_robust_max_keeps_to_the_seconds(
    parallel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = Config(
        simulations=50, final_move="robust-max", selection="flat", parallel=parallel, threads=2
    )
    search = Search(make_game("connect-four"), config)
    search.run()
    task = search._task()
    done = search._forest.counted()[0]
    late = replace(config, seconds=0.5)
    search._threads._go_on(task, late, time.perf_counter() - 1.0, 1000)
    assert search._forest.counted()[0] == done
    # Without a clock it goes on, in every tree, by half as many at most.
    monkeypatch.setattr(threads, "is_robust_max", lambda _candidates: False)
    visits = [int(tree.node_visits[ROOT]) for tree in search._forest.trees]
    search._threads._go_on(task, config, time.perf_counter(), 1000)
    more = [
        int(tree.node_visits[ROOT]) - before
        for tree, before in zip(search._forest.trees, visits, strict=True)
    ]
    assert more == [500 // len(more)] * len(more)
    # With one it takes no larger steps than this thread alone can make in what is left.
    asked: list[int] = []

    def note(_number: int, _task: Task, count: int) -> int:
        asked.append(count)
        return 0

    monkeypatch.setattr(search._threads, "_slice", note)
    monkeypatch.setattr(time, "perf_counter", lambda: 10.0)
    search._threads._go_on(task, replace(config, seconds=10.02), 0.0, 1000)
    assert sum(asked) <= 1000 / 10 / 2 * 0.02 + len(more)


# --- Counts ---


def test_a_search_ends_when_its_root_can_count_no_more_visits() -> None:
    search = Search(make_game("connect-four"), Config(early_stop=False))
    search.run(simulations=100)
    search.tree.node_visits[ROOT] = MOST_VISITS - 5
    assert search.run(simulations=100).simulations == 5
    assert search.run().simulations == 0


# --- What cannot be searched ---


@kernel(inline=True)
def asking_too_much(move: Statistics, settings: Settings) -> float:  # noqa: ARG001
    return move.nothing_of_the_kind  # type: ignore[attr-defined,no-any-return]


@pytest.mark.skipif(compile_off(), reason="nothing is compiled")
def test_a_formula_that_cannot_be_compiled_is_one_sentence() -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=10, selection=asking_too_much))
    with pytest.raises(
        InvalidConfig, match=r"cannot compile this search: .*nothing_of_the_kind"
    ) as e:
        search.run()
    assert "\n" not in str(e.value)


@pytest.mark.parametrize("field", ["move_count", "longest_game", "scratch_room"])
@pytest.mark.parametrize("value", [-1, 1.5, True, None])
def test_a_game_with_impossible_numbers_is_refused(field: str, value: Any) -> None:
    changes: dict[str, Any] = {field: value}
    with pytest.raises(InvalidConfig, match=f"invalid {field} .* of tic-tac-toe"):
        replace(make_game("tic-tac-toe"), **changes)


def test_memory_that_the_machine_does_not_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: Any, **_more: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Forest, "__init__", refuse)
    with pytest.raises(InvalidConfig, match="invalid memory 100000: this machine does not have"):
        Search(make_game("tic-tac-toe"), Config(memory=100_000))


# --- Experience and a full tree ---


@kernel
def known_everywhere(
    state: Any,
    _knowledge: Any,
    _scratch: Any,
    _moves: Any,
    count: int,
    values: Any,
    visits: Any,
    _amaf_values: Any,
    _amaf_visits: Any,
) -> None:
    if state[4] > 0:  # All positions but the beginning, which so has the fewest visits.
        for index in range(count):
            values[index] = 0.5
            visits[index] = 300.0


def test_a_full_tree_finds_room_where_more_is_known_below_than_at_the_root() -> None:
    game = replace(make_game("connect-four"), experience=known_everywhere)
    search = Search(game, Config(simulations=4000, memory=1.0, early_stop=False))
    rescue = threading.Timer(60.0, search.stop)
    rescue.start()
    try:
        assert search.run().simulations == 4000
        assert not search.is_stopped
    finally:
        rescue.cancel()


def test_what_was_recalled_counts_once_however_often_a_node_is_dropped() -> None:
    game = replace(make_game("connect-four"), experience=known_everywhere)
    search = searched(game, 6000, memory=1.0)
    tree = search.tree
    for node in range(int(tree.counters[NODES])):
        for edge in edges_of(tree, node):
            child = int(tree.child[edge])
            if child != NO_CHILD:
                own = int(tree.node_visits[child]) - int(tree.recalled[child])
                assert own <= int(tree.visits[edge])
