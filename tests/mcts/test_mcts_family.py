"""What the documents tell of beside the usual search, against what is worked out independently.

Games here are plain Python, so that nothing is compiled but where several threads are wanted.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import check_tree, edges_of, reachable, scripted_game, searched
from montego.games.tic_tac_toe import tic_tac_toe
from montego.jit import interpreted
from montego.jit.state import new_scratch
from montego.mcts import Candidate, Config, Search
from montego.mcts.final_move import combined_values, final_choice
from montego.mcts.kernels import backup, formula
from montego.mcts.kernels.formula import Statistics
from montego.mcts.kernels.joining import join_into, join_trees
from montego.mcts.kernels.selection import FORMULAS, selector_of
from montego.mcts.kernels.tree import (
    AMAF_ONE,
    CLOSED,
    EDGES,
    EXPANDED,
    NO_CHILD,
    NO_EDGE,
    ONE,
    ROOT,
    SIMULATIONS,
    UNIT,
    WINS,
    Tree,
    amaf_sums,
    amaf_word,
    new_tree,
)
from montego.mcts.kernels.workspace import GROUP
from montego.mcts.learned_bias import ENOUGH, MANY, LearnedBias

if TYPE_CHECKING:
    from montego.mcts import GameDefinition
    from montego.mcts.kernels.settings import Settings

MOVES = 5


def outcome(moves: tuple[int, ...]) -> float | None:
    """Who has played more of the points 1, 2 and 4; over when all points are played."""
    if len(moves) < MOVES:
        return None
    return sum(
        (1.5 if place % 2 == 0 else -1.0) * (move in (1, 2, 4)) for place, move in enumerate(moves)
    )


def recorded(**more: Any) -> tuple[GameDefinition, list[tuple[int, ...]]]:
    """A game in which each point is played once, and the list of the games that were finished."""
    games: list[tuple[int, ...]] = []
    game = scripted_game(
        outcome,
        move_count=MOVES,
        legal=lambda past: [move for move in range(MOVES) if move not in past],
        **more,
    )
    score = game.score

    def keep(state: Any, knowledge: Any, scratch: Any) -> float:
        games.append(tuple(int(move) for move in state[1 : 1 + int(state[0])]))
        return score(state, knowledge, scratch)

    return replace(game, score=keep), games


def reward(moves: tuple[int, ...]) -> float:
    """The first player's."""
    score = outcome(moves)
    assert score is not None
    return 0.5 + 0.5 * ((score > 0) - (score < 0))


def nodes_by_path(tree: Tree) -> dict[tuple[int, ...], int]:
    """The nodes of a tree by the moves that lead to them."""
    found: dict[tuple[int, ...], int] = {(): ROOT}
    paths: list[tuple[int, ...]] = [()]
    for path in paths:
        for edge in edges_of(tree, found[path]):
            if tree.child[edge] != NO_CHILD:
                below = (*path, int(tree.move[edge]))
                found[below] = int(tree.child[edge])
                paths.append(below)
    return found


# Expansion.


def test_with_expansion_at_once_every_statistic_is_that_of_algorithm_2() -> None:
    game, games = recorded()
    search = searched(
        game, 120, selection="rave-mse", exploration=0.0, expand_after=0, decisive=False
    )
    # 001 algorithm 2, from the games alone.
    known: set[tuple[int, ...]] = set()
    visits: Counter[tuple[tuple[int, ...], int]] = Counter()
    wins: defaultdict[tuple[tuple[int, ...], int], float] = defaultdict(float)
    amaf_visits: Counter[tuple[tuple[int, ...], int]] = Counter()
    amaf_wins: defaultdict[tuple[tuple[int, ...], int], float] = defaultdict(float)
    for moves in games:
        path: tuple[int, ...] = ()
        last = 0
        while path in known and len(path) < MOVES:
            path = moves[: len(path) + 1]
        known.add(path)
        last = len(path)
        for depth in range(min(last, MOVES - 1) + 1):
            state = moves[:depth]
            own = reward(moves) if depth % 2 == 0 else 1.0 - reward(moves)
            visits[state, moves[depth]] += 1
            wins[state, moves[depth]] += own
            for later in moves[depth::2]:
                amaf_visits[state, later] += 1
                amaf_wins[state, later] += own
    tree = search.root().tree
    found = nodes_by_path(tree)
    compared = 0
    for path, node in found.items():
        for edge in edges_of(tree, node):
            key = path, int(tree.move[edge])
            weight, rewards = amaf_sums(int(tree.amaf[edge]))
            assert int(tree.visits[edge]) == visits[key]
            assert float(tree.value[edge]) * UNIT == pytest.approx(wins[key], abs=1e-4)
            assert float(weight) == amaf_visits[key]
            assert float(rewards) == pytest.approx(amaf_wins[key], abs=1e-2)
            compared += int(tree.visits[edge] > 0)
    assert compared > 20
    assert sum(visits[(), move] for move in range(MOVES)) == 120


def test_without_it_a_new_leaf_has_no_moves_yet() -> None:
    game, _ = recorded()
    at_once = searched(game, 1, expand_after=0).root()
    later = searched(game, 1, expand_after=1).root()
    assert at_once.move_visits.sum() == later.move_visits.sum() == 1
    assert at_once.child(int(at_once.move_visits.argmax())) is None
    assert later.child(int(later.move_visits.argmax())) is not None


def tried(tree: Tree, node: int) -> int:
    return sum(int(tree.visits[edge] > 0) for edge in edges_of(tree, node))


def test_an_expansion_adds_several_nodes_with_a_playout_from_each() -> None:
    greedy = {"selection": "greedy", "first_play_urgency": 0.3, "decisive": False}
    game, _ = recorded()
    tree = searched(game, 300, expand_nodes=3, **greedy).root().tree
    expanded = [node for node in reachable(tree) if len(edges_of(tree, node)) > 0]
    few = [node for node in expanded if tried(tree, node) < min(3, len(edges_of(tree, node)))]
    assert len(few) <= 1  # The last expansion may be under way.
    single = searched(game, 300, expand_nodes=1, **greedy).root().tree
    assert any(
        tried(single, node) < min(3, len(edges_of(single, node)))
        for node in reachable(single)
        if len(edges_of(single, node)) > 0
    )
    check_tree(tree)


def test_several_nodes_do_not_depend_on_how_a_search_is_cut_into_slices() -> None:
    game, _ = recorded()
    config = Config(simulations=60, expand_nodes=3, early_stop=False, seed=3, decisive=False)
    whole = Search(game, config).run()
    again = Search(game, config).run()
    assert [(c.move, c.visits) for c in whole.candidates] == [
        (c.move, c.visits) for c in again.candidates
    ]


# Priors.


def test_grandfather_knowledge_gives_every_move_a_prior() -> None:
    game, _ = recorded()
    tree = searched(game, 80, prior_grandfather=7.0, first_play_urgency=math.inf).root().tree
    edges = range(int(tree.counters[EDGES]))
    assert all(tree.prior_visits[edge] == 7.0 for edge in edges)
    root = edges_of(tree, ROOT)
    assert {float(tree.prior_value[edge]) for edge in root} == {0.5}
    values = {float(tree.prior_value[edge]) for edge in edges if edge not in root}
    assert len(values) > 3  # Two plies on they are those of the grandfather.


# All moves as first, for the whole tree.


def test_all_moves_as_first_of_the_whole_tree_are_w_of_a_over_n_of_a() -> None:
    game, games = recorded()
    search = searched(
        game, 90, selection="rave-hand", exploration=0.0, amaf_scope="tree", decisive=False
    )
    tree = search.root().tree
    for player in (0, 1):
        for move in range(MOVES):
            where = [moves for moves in games if move in moves[player::2]]
            weight, rewards = amaf_sums(int(tree.anywhere[move + player * MOVES]))
            won = sum(reward(m) if player == 0 else 1.0 - reward(m) for m in where)
            assert float(weight) == len(where)
            assert float(rewards) == pytest.approx(won, abs=1e-2)
    # Positions of one player share what they know of a move, but for the last simulation.
    shared = {
        int(tree.move[edge]): float(amaf_sums(int(tree.amaf[edge]))[0])
        for edge in edges_of(tree, ROOT)
    }
    for move, weight in shared.items():
        assert abs(weight - float(amaf_sums(int(tree.anywhere[move]))[0])) <= 1


# Rewards.


def test_the_average_is_that_of_the_latest_simulations() -> None:
    game, games = recorded()
    config: dict[str, Any] = {"reward_average": True, "reward_window": 12, "decisive": False}
    search = searched(game, 50, **config)
    settings = Config(**config).settings(game)
    mean = interpreted(backup.average_score)(search.root().tree, settings)
    scores = [outcome(moves) or 0.0 for moves in games]
    assert mean == pytest.approx(sum(scores[-12:]) / 12, abs=1e-2)
    whole = interpreted(backup.average_score)(
        search.root().tree, settings._replace(reward_window=0)
    )
    assert whole == pytest.approx(sum(scores) / 50, abs=1e-2)


@pytest.mark.parametrize(
    ("wins", "temperature"), [(50, 0.0), (100, 0.8), (0, 0.8), (75, 0.4), (25, 0.4)]
)
def test_the_temperature_of_the_reward_adapts_to_how_decided_the_game_is(
    wins: int, temperature: float
) -> None:
    game, _ = recorded()
    tree = new_tree(2, 2)
    tree.counters[[SIMULATIONS, WINS]] = 100, wins
    settings = Config(reward_temperature=0.8, reward_adapts=True).settings(game)
    found = interpreted(backup.reward_temperature)(tree, settings)
    assert found == pytest.approx(temperature)
    fixed = Config(reward_temperature=0.8).settings(game)
    assert interpreted(backup.reward_temperature)(tree, fixed) == 0.8


def test_wins_are_counted_for_it() -> None:
    game, games = recorded()
    search = searched(game, 40, reward_temperature=1.0, reward_adapts=True)
    won = sum((outcome(moves) or 0.0) > 0 for moves in games)
    assert int(search.root().tree.counters[WINS]) == won


# Playouts cut off.


def test_a_playout_is_cut_off_and_counted_as_it_stands() -> None:
    game, games = recorded()
    searched(game, 30, cutoff=1, decisive=False)
    lengths = Counter(map(len, games))
    assert min(lengths) == 2  # A leaf one move deep, and a move.
    whole, finished = recorded()
    searched(whole, 30, decisive=False)
    assert {len(moves) for moves in finished} == {MOVES}


def test_an_evaluation_judges_where_a_playout_was_cut_off() -> None:
    shown: list[tuple[int, ...]] = []

    def evaluate(state: Any, _k: Any, _s: Any, _m: Any, _c: int, _chances: Any) -> float:
        shown.append(tuple(int(move) for move in state[1 : 1 + int(state[0])]))
        return 0.8  # Of the player to move.

    game, games = recorded(evaluate=evaluate)
    result = Search(game, Config(simulations=1, cutoff=1, seed=2)).run()
    assert shown == [games[0]]
    assert len(shown[0]) == 2  # The first player is to move there.
    assert result.value == pytest.approx(0.8, abs=1e-4)
    result = Search(game, Config(simulations=1, cutoff=2, seed=2)).run()
    assert result.value == pytest.approx(0.2, abs=1e-4)


# The final move.


def candidate(move: int, visits: int, value: float, **more: Any) -> Candidate:
    known = {"amaf_visits": 0.0, "amaf_value": 0.5, "prior_visits": 0.0, "prior_value": 0.5}
    return Candidate(
        move=move, visits=visits, value=value, proof=None, variation=(move,), **known | more
    )


def test_the_greatest_combined_value_is_that_of_the_formula_without_exploration() -> None:
    config = Config(selection="rave-mse", exploration=2.0, rave_bias=0.1, final_move="combined")
    moves = [
        candidate(0, 60, 0.50, amaf_visits=80.0, amaf_value=0.40),
        candidate(1, 20, 0.55, amaf_visits=90.0, amaf_value=0.70),
        candidate(2, 0, 0.50, amaf_visits=10.0, amaf_value=0.60, prior_visits=5.0, prior_value=0.9),
    ]

    def by_hand(one: Candidate) -> float:
        n, m = one.visits + one.prior_visits, one.amaf_visits + one.prior_visits
        q = (one.visits * one.value + one.prior_visits * one.prior_value) / n
        amaf = (one.amaf_visits * one.amaf_value + one.prior_visits * one.prior_value) / m
        beta = m / (n + m + 4 * n * m * 0.1**2)
        return (1 - beta) * q + beta * amaf

    assert combined_values(moves, config) == pytest.approx([by_hand(one) for one in moves])
    assert final_choice(moves, config) is max(moves, key=by_hand)
    assert final_choice(moves, replace(config, final_move="robust")) is moves[0]
    won = replace(moves[0], proof="win")
    assert final_choice([won, *moves[1:]], config) is won
    assert final_choice([], config) is None


def test_a_search_plays_the_greatest_combined_value() -> None:
    game, _ = recorded()
    config = Config(
        simulations=60, selection="rave-hand", exploration=0.0, final_move="combined", seed=5
    )
    search = Search(game, config)
    result = search.run()
    values = dict(
        zip(
            (one.move for one in result.candidates),
            combined_values(result.candidates, config),
            strict=True,
        )
    )
    assert result.move == max(values, key=lambda move: values[move])
    assert search.best() == result.move


# Formulas.

MOVE = Statistics(
    parent=100.0,
    log_parent=math.log(100.0),
    n=20.0,
    w=12.0,
    m=50.0,
    a=35.0,
    squares=12.0,
    p=0.8,
    combined=0.0,
)


def test_rave_by_variance_weighs_each_mean_by_its_own() -> None:
    settings = Config(rave_bias=0.1, exploration=0.0).settings(recorded()[0])
    own, amaf = 13 / 22, 36 / 52
    sigma, other = own * (1 - own) / 20, amaf * (1 - amaf) / 50
    beta = sigma / (sigma + other + 0.1**2)
    judged = interpreted(FORMULAS["rave-variance"])
    assert judged(MOVE, settings) == pytest.approx((1 - beta) * 0.6 + beta * 0.7)
    assert judged(MOVE._replace(n=0.0, w=0.0), settings) == pytest.approx(0.7)
    assert judged(MOVE._replace(m=0.0, a=0.0), settings) == pytest.approx(0.6)
    unknown = MOVE._replace(n=0.0, w=0.0, m=0.0, a=0.0)
    assert judged(unknown, settings) == math.inf
    certain = interpreted(formula.variance_of_mean)(5.0, 5.0)
    assert 0 < certain < 0.03


def tree_of(moves: list[tuple[int, float]]) -> Tree:
    """A root whose moves have these visits and means."""
    tree = new_tree(2, len(moves))
    for edge, (visits, mean) in enumerate(moves):
        tree.move[edge] = edge
        tree.visits[edge] = visits
        tree.value[edge] = int(visits * mean * ONE)
    tree.expansion[ROOT] = EXPANDED
    tree.edge_count[ROOT] = len(moves)
    tree.counters[EDGES] = len(moves)
    return tree


def draws(selection: str, tree: Tree, settings: Settings, times: int = 4000) -> list[float]:
    """How often each move is chosen."""
    scratch = new_scratch(4, 9)
    count = int(tree.edge_count[ROOT])
    urgencies = np.zeros(count + GROUP)
    select = interpreted(selector_of(selection))
    found = Counter(
        int(select(tree, ROOT, 0, count, settings, scratch, urgencies)) for _ in range(times)
    )
    return [found[edge] / times for edge in range(count)]


STANDING = [(40, 0.6), (30, 0.55), (10, 0.2), (0, 0.0)]


def test_the_gaussian_choice_is_the_chance_to_be_better_than_the_best() -> None:
    settings = Config().settings(recorded()[0])
    chances = []
    for visits, mean in STANDING:
        variance, mu = 0.25, 0.5
        if visits:
            mu = mean
            p = (visits * mean + 1) / (visits + 2)
            variance = p * (1 - p) / visits
        # The upper tail of a normal distribution around the move's own mean.
        chances.append(1 - 0.5 * (1 + math.erf((0.6 - mu) / math.sqrt(2 * variance))))
    expected = [chance / sum(chances) for chance in chances]
    assert draws("gaussian", tree_of(STANDING), settings) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("temperature", [0.05, 0.5])
def test_softmax_draws_by_the_exponential_of_the_mean(temperature: float) -> None:
    settings = Config(selection_temperature=temperature).settings(recorded()[0])
    powers = [math.exp((mean if n else 0.5) / temperature) for n, mean in STANDING]
    expected = [power / sum(powers) for power in powers]
    assert draws("softmax", tree_of(STANDING), settings) == pytest.approx(expected, abs=0.03)


def test_progressive_pruning_leaves_out_what_is_inferior_and_treats_the_rest_alike() -> None:
    settings = Config(pruning_errors=2.0, pruning_after=30).settings(recorded()[0])
    # The second is least visited but surely worse; the third may be as good; the last is unknown.
    tree = tree_of([(400, 0.7), (100, 0.2), (120, 0.66), (150, 0.69)])
    assert draws("progressive-pruning", tree, settings, 1) == [0, 0, 1, 0]
    young = tree_of([(400, 0.7), (20, 0.0), (120, 0.66), (150, 0.69)])
    assert draws("progressive-pruning", young, settings, 1) == [0, 1, 0, 0]
    closed = tree_of([(400, 0.7)])
    closed.prior_visits[0] = CLOSED
    scratch, urgencies = new_scratch(4, 9), np.zeros(1 + GROUP)
    select = interpreted(selector_of("progressive-pruning"))
    assert select(closed, ROOT, 0, 1, settings, scratch, urgencies) == NO_EDGE


def test_progressive_pruning_looks_one_move_deep() -> None:
    game, _ = recorded()
    search = searched(game, 60, selection="progressive-pruning", decisive=False)
    assert max(map(len, nodes_by_path(search.root().tree))) == 1


# The learned bias.


def test_the_bias_is_what_all_moves_as_first_are_off_by() -> None:
    tree = tree_of([(MANY * 50, 0.5)] * ENOUGH + [(5, 0.9)])
    for edge in range(ENOUGH):
        mean = 0.6 if edge % 2 else 0.4
        tree.amaf[edge] = amaf_word(MANY * 50, mean * MANY * 50)
    bias = LearnedBias(0.02)
    assert bias.value == 0.02
    bias.learn(tree)
    assert bias.value == pytest.approx(0.1, abs=0.005)
    even = LearnedBias(0.02)
    for edge in range(ENOUGH):
        tree.amaf[edge] = amaf_word(MANY * 50, 0.5 * MANY * 50)
    even.learn(tree)
    assert even.value == 0.0
    assert AMAF_ONE * MANY * 50 < 1 << 28


def test_a_search_that_learns_its_bias_begins_with_the_one_it_was_given() -> None:
    game, _ = recorded()
    config = Config(
        simulations=4000, selection="rave-mse", rave_bias=0.03, rave_bias_learned=True, solver=False
    )
    search = Search(game, replace(config, decisive=False))
    assert search.rave_bias == 0.03
    search.run()
    assert search.rave_bias != 0.03


# Trees joined.


def sums_by_path(tree: Tree) -> dict[tuple[tuple[int, ...], int], tuple[int, int, int]]:
    return {
        (path, int(tree.move[edge])): (
            int(tree.visits[edge]),
            int(tree.value[edge]),
            int(tree.amaf[edge]),
        )
        for path, node in nodes_by_path(tree).items()
        for edge in edges_of(tree, node)
    }


def test_joined_trees_have_the_sums_of_both_in_every_position() -> None:
    game, _ = recorded()
    first, second = (
        searched(game, 60, seed=seed, selection="rave-hand", exploration=0.2, decisive=False)
        for seed in (1, 2)
    )
    target, source = first.root().tree, second.root().tree
    before, added = sums_by_path(target), sums_by_path(source)
    join_into(target, source, MOVES, 0, interpreted(join_trees))
    joined = sums_by_path(target)
    assert set(joined) == set(before) | set(added)
    for key, sums in joined.items():
        one, other = before.get(key, (0, 0, 0)), added.get(key, (0, 0, 0))
        assert sums == tuple(a + b for a, b in zip(one, other, strict=True))
    assert int(target.node_visits[ROOT]) == 120
    check_tree(target, threads=2, fresh=False)


def test_what_has_no_room_is_left_out() -> None:
    game, _ = recorded()
    source = searched(game, 60, seed=2, decisive=False).root().tree
    small = new_tree(4, MOVES + 4)
    join_into(small, source, MOVES, 0, interpreted(join_trees))
    assert sum(int(small.visits[edge]) for edge in edges_of(small, ROOT)) == 60
    assert len(nodes_by_path(small)) <= 4


def test_a_search_on_threads_joins_its_trees_when_it_is_over() -> None:
    search = Search(
        tic_tac_toe(),
        Config(simulations=600, threads=2, parallel="joined", early_stop=False, decisive=False),
    )
    result = search.run()
    assert sum(one.visits for one in result.candidates) == 600
    one, other = search.roots()
    assert int(one.tree.node_visits[ROOT]) == 600
    assert other.is_expanded is False
    check_tree(one.tree, threads=2)
