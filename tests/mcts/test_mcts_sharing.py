"""Searches that tell one another what they find: sums are exact, whoever tells what and when."""

from __future__ import annotations

import multiprocessing
import pickle
import random
import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.games import make_game
from montego.games.hex import hex_game
from montego.jit import compile_off
from montego.mcts import Config, InvalidConfig, MctsError, Search
from montego.mcts.kernels.tree import ROOT
from montego.mcts.sharing import AMAF_ROOM, Gains, SharedTable, _add, _find, _standing, total_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from multiprocessing.connection import Connection

    from montego.mcts.sharing import Order, Path

pytestmark = pytest.mark.small_boards


def new_search(seed: int = 0, size: int = 3, **fields: Any) -> Search:
    usual: dict[str, Any] = {"early_stop": False, "memory": 4, "selection": "rave-mse"}
    return Search(hex_game(size), Config(**usual | {"seed": seed} | fields))


def sums_at(search: Search, path: Path = ()) -> Gains:
    node = _find(search.tree, path)
    assert node is not None
    return _standing(search.tree, node)


def same(one: Gains, other: Gains) -> bool:
    return (
        one.visits == other.visits
        and np.array_equal(one.moves, other.moves)
        and np.array_equal(one.sums, other.sums)
    )


def test_what_is_told_in_pieces_is_what_is_told_at_once() -> None:
    whole, pieces = new_search(), new_search()
    tables = []
    for _ in range(8):
        pieces.run(simulations=40)
        tables.append(pieces.share(depth=2, least=0.0))
    for _ in range(8):
        whole.run(simulations=40)
    once, total = whole.share(depth=2, least=0.0), total_of(tables)

    assert total.simulations == once.simulations == 320
    assert total.scores == once.scores
    assert total.nodes.keys() == once.nodes.keys()
    assert all(same(total.nodes[path], once.nodes[path]) for path in once.nodes)
    assert pieces.share(depth=2, least=0.0) == SharedTable()


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_merged_sums_are_those_of_one_tree_with_all_simulations(order: tuple[int, ...]) -> None:
    givers = [new_search(seed) for seed in (1, 2, 3)]
    for giver in givers:
        giver.run(simulations=200)
    tables = [giver.share(depth=2, least=0.1) for giver in givers]
    taker = new_search(4)
    taker.run(simulations=200)
    before = {path: sums_at(taker, path) for path in tables[0].nodes if _find(taker.tree, path)}

    for number in order:
        taker.absorb(tables[number])

    for path, own in before.items():
        expected = own
        for table in tables:
            expected = expected.plus(table.nodes[path]) if path in table.nodes else expected
        assert same(sums_at(taker, path), expected)
    assert taker.counted()[0] == 800
    assert taker.root().visits == 800


def test_nothing_goes_back_to_where_it_came_from() -> None:
    one, other = new_search(1), new_search(2)
    one.run(simulations=100)
    other.run(simulations=100)
    other.absorb(one.share())
    told = other.share()
    assert told.simulations == 100
    assert told.nodes[()].visits == 100
    one.absorb(told)
    assert one.root().visits == other.root().visits == 200
    assert one.share() == other.share() == SharedTable()


def test_what_is_unknown_waits_until_the_tree_gets_there() -> None:
    giver, taker = new_search(1), new_search(2)
    giver.run(simulations=300)
    table = giver.share(depth=2, least=0.0)
    taker.absorb(table)
    assert taker.root().visits == 0
    taker.run(simulations=200)
    told = taker.share(depth=2, least=0.0)
    assert told.simulations == 200
    assert told.nodes[()].visits == 200
    assert taker.root().visits == 500


def test_only_nodes_near_the_root_with_their_share_are_told_of() -> None:
    search = new_search(size=4)
    search.run(simulations=500)
    assert set(search.share(depth=1).nodes) == {()}
    search = new_search(size=4)
    search.run(simulations=500)
    told = search.share(depth=3, least=0.1).nodes
    assert len(told) > 1
    assert all(len(path) < 3 for path in told)
    assert all(gains.visits >= 50 for gains in told.values())


def test_a_ledger_follows_the_game_and_shares_the_rest_of_a_subtree() -> None:
    one, other = new_search(1, size=4), new_search(2, size=4)
    one.run(simulations=300)
    other.run(simulations=300)
    other.absorb(one.share(depth=2, least=0.0))
    other.share(depth=2, least=0.0)
    move = other.best()
    assert move is not None
    own = sum(gains.visits for gains in new_like(other, move).nodes.values())
    other.play(move)
    told = other.share(depth=2, least=0.0)
    # What was one ply below what is shared is news now; the root itself was told of before.
    assert () not in told.nodes
    assert sum(gains.visits for gains in told.nodes.values()) == own
    assert told.simulations == 0


def new_like(search: Search, move: int) -> SharedTable:
    """Return what nodes two plies below *search* hold, those behind *move* alone."""
    nodes: dict[Path, Gains] = {}
    for reply in sums_at(search, (move,)).moves.tolist():
        if (node := _find(search.tree, (move, reply))) is not None:
            nodes[reply,] = _standing(search.tree, node)
    return SharedTable(nodes=nodes)


def test_another_position_begins_with_nothing_told() -> None:
    search = new_search()
    search.run(simulations=100)
    search.share()
    search.set_state(search.state)
    assert search.share() == SharedTable()
    assert search.counted() == (0, 0.0)
    search.run(simulations=50)
    assert search.share().nodes[()].visits == 50


def test_pruning_loses_nothing_of_what_is_told() -> None:
    search = new_search(size=5, memory=1)
    tables = []
    for _ in range(20):
        search.run(simulations=200)
        tables.append(search.share(depth=2, least=0.02))
    total = total_of(tables)
    assert total.simulations == 4000
    assert total.nodes[()].visits == search.root().visits == 4000
    assert all((gains.sums[0] >= 0).all() for gains in total.nodes.values())


def test_moves_that_a_tree_leaves_out_are_left_out() -> None:
    giver, taker = new_search(1), new_search(2)
    giver.run(simulations=100)
    taker.run(simulations=50, avoided=[4])
    taker.absorb(giver.share(depth=1))
    assert 4 not in [candidate.move for candidate in taker.candidates()]
    assert taker.root().visits == 150


def test_a_table_travels_and_is_added_and_taken_away_in_whole_numbers() -> None:
    searches = [new_search(seed) for seed in range(3)]
    for search in searches:
        search.run(simulations=100)
    tables = [search.share() for search in searches]
    copied = pickle.loads(pickle.dumps(tables[0]))  # noqa: S301  # Our own.
    rest = total_of(tables) - copied
    assert rest.simulations == 200
    expected = tables[1] + tables[2]
    assert all(same(rest.nodes[path], gains) for path, gains in expected.nodes.items())


def test_words_have_an_end_and_do_not_run_over() -> None:
    search = new_search()
    search.run(simulations=50)
    moves = sums_at(search).moves
    sums = np.zeros((4, len(moves)), np.int64)
    sums[2, 0], sums[3, 1], sums[0, 2] = AMAF_ROOM, 2**31, 7
    added = _add(search.tree, ROOT, Gains(7, moves, sums), keep_inverse_sqrt=False)
    assert added.sums.sum() == 7
    assert added.visits == 7
    too_many = _add(search.tree, ROOT, Gains(2**30, moves, sums), keep_inverse_sqrt=False)
    assert too_many.visits == 0


def test_what_a_selection_keeps_of_each_edge_is_kept_up() -> None:
    one, other = (new_search(seed, selection="ucb1") for seed in (1, 2))
    one.run(simulations=100)
    other.run(simulations=100)
    other.absorb(one.share())
    visits = other.root().move_visits.astype(np.float64)
    first = other.root().first_edge
    kept = other.tree.memo[first : first + len(visits)]
    assert np.allclose(kept[visits > 0], 1.0 / np.sqrt(visits[visits > 0]))


def test_several_trees_cannot_be_shared() -> None:
    if compile_off():
        pytest.skip("interpreted threads take turns")
    search = new_search(threads=2, parallel="root", memory=8)
    for attempt in (search.share, lambda: search.absorb(SharedTable())):
        with pytest.raises(MctsError, match="one tree"):
            attempt()
    with pytest.raises(InvalidConfig, match="one tree"):
        Search(hex_game(3), Config(threads=2, parallel="root"), fellows=Company())
    with pytest.raises(MctsError, match="say 1 or more"):
        new_search().share(depth=0)


class Company:
    """Fellows that note what they hear, and share what another search found."""

    def __init__(self, tables: Iterable[SharedTable] = ()) -> None:
        self.heard: list[Order | str] = []
        self.tables = list(tables)
        self.knowledge: dict[int, float] = {}
        self.search: Search | None = None

    def begin(self, search: Search, order: Order) -> None:
        self.heard.append(order)
        self.search = search
        for table in self.tables:
            search.absorb(table)

    def end(self) -> None:
        self.heard.append("end")


def test_fellows_hear_of_every_run_and_know_how_to_follow() -> None:
    company = Company()
    search = Search(hex_game(3), Config(simulations=20, memory=4), fellows=company)
    follower = new_search()
    search.run()
    search.play(4)
    search.run(avoided=[0], reward_points=0.0)
    search.set_state(search.state)
    search.run()
    orders = [heard for heard in company.heard if not isinstance(heard, str)]
    assert company.heard[1::2] == ["end"] * 3
    assert [order.moves for order in orders] == [(), (4,), ()]
    assert orders[0].line == orders[1].line != orders[2].line
    for order in orders:
        follower.obey(order)
        follower.run(simulations=30, limits=order.limits)
        assert np.array_equal(follower.state, order.state)
    # The tree was kept from the first to the second, until moves were left out.
    follower.obey(orders[0])
    assert follower.root().visits == 0
    follower.run(simulations=30)
    moved_on = pickle.loads(pickle.dumps(orders[1]))  # noqa: S301
    assert moved_on.limits == orders[1].limits


def test_simulations_of_fellows_count_to_the_limit() -> None:
    giver = new_search(1)
    giver.run(simulations=150)
    company = Company([giver.share()])
    config = Config(simulations=200, memory=4, early_stop=False, selection="rave-mse")
    search = Search(hex_game(3), config, fellows=company)
    result = search.run()
    assert result.simulations == 350  # What came before the budget began is on top of it.
    search.share()  # Adds what waited for the root.
    assert search.root().visits == 350


def test_others_share_and_absorb_while_threads_search() -> None:
    if compile_off():
        pytest.skip("interpreted threads take turns")
    giver = new_search(1, size=4)
    giver.run(simulations=20_000)
    gift = giver.share()
    search = new_search(2, size=4, threads=3, memory=64)
    told: list[SharedTable] = []
    runner = threading.Thread(target=search.run, kwargs={"seconds": 60.0})
    runner.start()
    deadline = time.monotonic() + 60
    while len(told) < 20 and time.monotonic() < deadline:
        time.sleep(random.random() / 200)
        told.append(search.share())
        search.absorb(gift)
    search.stop()
    runner.join(timeout=60)
    assert not runner.is_alive()
    told.append(search.share())
    own = total_of(told)
    simulations, _ = search.counted()
    assert simulations == own.simulations + len(told[:-1]) * gift.simulations
    assert own.nodes[()].visits == own.simulations
    assert search.root().visits == simulations


def test_absorbed_simulations_end_a_search_that_runs() -> None:
    if compile_off():
        pytest.skip("interpreted threads take turns")
    giver = new_search(1)
    giver.run(simulations=100)
    million = SharedTable(simulations=1_000_000, nodes=giver.share().nodes)
    search = new_search(2)
    runner = threading.Thread(target=search.run, kwargs={"simulations": 500_000, "seconds": 120.0})
    runner.start()
    deadline = time.monotonic() + 60
    while search.counted()[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.001)
    search.absorb(million)
    runner.join(timeout=60)
    assert not runner.is_alive()
    assert 1_000_000 < search.counted()[0] < 1_500_000


def tell_and_hear(pipe: Connection, seed: int) -> None:
    """Be a process that searches, and exchanges what it finds whenever it is asked."""
    search = new_search(seed)
    while (table := pipe.recv()) is not None:
        search.absorb(table)
        search.run(simulations=50)
        pipe.send(search.share())
    pipe.send((search.root().visits, search.counted()[0]))


def test_processes_that_exchange_end_up_with_all_simulations() -> None:
    context = multiprocessing.get_context("spawn")
    pipes = []
    processes = []
    for seed in (1, 2):
        ours, theirs = context.Pipe()
        process = context.Process(target=tell_and_hear, args=(theirs, seed), daemon=True)
        process.start()
        theirs.close()
        pipes.append(ours)
        processes.append(process)
    given = [SharedTable(), SharedTable()]
    for _ in range(5):
        total = total_of(given)
        for pipe, own in zip(pipes, given, strict=True):
            pipe.send(total - own)
        for number, pipe in enumerate(pipes):
            assert pipe.poll(120)
            given[number] = pipe.recv()
    for pipe in pipes:
        pipe.send(None)
        assert pipe.poll(60)
        # All of its own, and what the other had told before the last round.
        assert pipe.recv() == (5 * 50 + 4 * 50, 5 * 50 + 4 * 50)
    for process in processes:
        process.join(timeout=30)


def test_any_small_game_shares() -> None:
    for name in ("tic-tac-toe", "connect-four"):
        one, other = (
            Search(make_game(name), Config(simulations=200, memory=4, seed=seed, early_stop=False))
            for seed in (1, 2)
        )
        one.run()
        other.run()
        one.absorb(other.share())
        assert one.root().visits == 400
