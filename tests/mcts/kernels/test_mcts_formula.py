"""Formulas, priors, rewards and back-up against numbers worked by hand. Nothing here is compiled.

That compiled code computes the same is said in ``test_mcts_search.py``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import scripted_game
from montego.jit import Kernel, interpreted, kernel
from montego.jit.state import LENGTH, TRACE, new_scratch
from montego.mcts import Candidate, Config, SearchResult
from montego.mcts.kernels import backup, expansion, formula
from montego.mcts.kernels.backup import SCORE_UNIT
from montego.mcts.kernels.formula import Statistics
from montego.mcts.kernels.selection import FORMULAS, log_of, selector_of, statistics_of, visits_of
from montego.mcts.kernels.settings import TALLY_SQUARES, TALLY_WINS
from montego.mcts.kernels.tree import (
    AMAF_ENOUGH,
    AMAF_MOST,
    CLOSED,
    EXPANDED,
    ILLEGAL,
    NO_EDGE,
    ONE,
    PROVEN_DRAW,
    PROVEN_LOSS,
    PROVEN_WIN,
    ROOT,
    SAFE,
    SCORES,
    SIMULATIONS,
    TALLY_ONE,
    TALLY_UNIT,
    UNPROVEN,
    Tree,
    amaf_sums,
    amaf_word,
    new_tree,
)
from montego.mcts.kernels.workspace import GROUP, Task, Workspace, new_workspace
from montego.mcts.limits import packed_limits
from montego.mcts.report import choose, elect, is_robust_max
from montego.mcts.view import view_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.mcts.kernels.settings import Settings

GAME = scripted_game(lambda _moves: None, move_count=7)

# Root visited 100 times; a move with 20 visits and 12 wins, 50 as-first visits and 35 wins.
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
UNTRIED = MOVE._replace(n=0.0, w=0.0, squares=0.0)
UNKNOWN = UNTRIED._replace(m=0.0, a=0.0)


def settings_of(**fields: Any) -> Settings:
    # With everything looked at that a plain search need not: priors, squares.
    return Config(**fields).settings(GAME)._replace(plain=0, tally=TALLY_SQUARES)


def urgency(name: str, move: Statistics, **fields: Any) -> float:
    return interpreted(FORMULAS[name])(move, settings_of(**fields))


# --- Formulas ---


SURE = MOVE._replace(n=400.0, w=398.0, squares=398.0)
LAST_HIGH, LAST_LOW = MOVE._replace(combined=0.9), MOVE._replace(combined=1e-6)
MIDDLE = pytest.approx((0.6 + 0.7) / 2, abs=1e-12)


def six_digits(value: float) -> object:
    return pytest.approx(value, abs=1e-6)


CASES: list[tuple[str, Statistics, dict[str, float], object]] = [
    # 12/20 + 0.7 √(ln 100 / 20) = 0.6 + 0.7 √(4.605170 / 20) = 0.6 + 0.7 × 0.479853
    ("ucb1", MOVE, {"exploration": 0.7}, six_digits(0.935897)),
    # Document 000 puts C = 2 inside the root, 004 writes √(2 ln n / T): both
    # 0.6 + √(2 × 4.605170 / 20) = 0.6 + 0.678614
    ("ucb1", MOVE, {"exploration": math.sqrt(2)}, six_digits(1.278614)),
    # The minimum is inside the root. V = 12/20 - 0.6² + √(2 ln 100 / 20) = 0.918614 > 1/4
    # 0.6 + √(4.605170 / 20 × 0.25) = 0.6 + 0.239926; outside the root it would be 0.6 + 0.119963
    ("ucb1-tuned", MOVE, {"exploration": 1.0}, six_digits(0.839926)),
    # With 20 times as many visits and nearly no spread the variance counts:
    # V = 398/400 - (398/400)² + √(2 × 4.605170 / 400) = 0.004975 + 0.151742 = 0.156717
    # 0.995 + √(4.605170 / 400 × 0.156717) = 0.995 + 0.042477
    ("ucb1-tuned", SURE, {"exploration": 1.0}, six_digits(1.037477)),
    ("greedy", MOVE, {}, 12 / 20),
    ("rave", MOVE, {}, 35 / 50),
    # k = 100 = N: β = √(100 / (3 × 100 + 100)) = 1/2: (0.6 + 0.7) / 2
    ("rave-hand", MOVE, {"rave_equivalence": 100, "exploration": 0}, MIDDLE),
    # k = 900: β = √(900 / 1200) = 0.866025: 0.133975 × 0.6 + 0.866025 × 0.7
    ("rave-hand", MOVE, {"rave_equivalence": 900, "exploration": 0}, six_digits(0.686603)),
    # UCT-RAVE adds 0.7 × 0.479853 = 0.335897.
    ("rave-hand", MOVE, {"rave_equivalence": 100, "exploration": 0.7}, six_digits(0.985897)),
    # k = 20 = n: β = 1/2.
    ("rave-child", MOVE, {"rave_equivalence": 20, "exploration": 0}, MIDDLE),
    # k = 100: β = √(100 / 160) = 0.790569: 0.209431 × 0.6 + 0.790569 × 0.7
    ("rave-child", MOVE, {"rave_equivalence": 100, "exploration": 0}, six_digits(0.679057)),
    # b = 0.1: β = 50 / (20 + 50 + 4 × 20 × 50 × 0.01) = 50 / 110: 0.6 + 0.1 × 50 / 110
    ("rave-mse", MOVE, {"rave_bias": 0.1, "exploration": 0}, six_digits(0.645455)),
    # b = 0.1, last value 0.9: 20 × 50 × 0.01 / (0.9 × 0.1) = 111.111
    # β = 50 / (20 + 50 + 111.111) = 0.276074: 0.6 + 0.1 × 0.276074
    ("rave-mse-exact", LAST_HIGH, {"rave_bias": 0.1, "exploration": 0}, six_digits(0.627607)),
    # A value of nearly 0 counts as 0.05: 10 / (0.05 × 0.95) = 210.526; β = 50 / 280.526
    # 0.6 + 0.1 × 0.178237
    ("rave-mse-exact", LAST_LOW, {"rave_bias": 0.1, "exploration": 0}, six_digits(0.617824)),
    # UCB1 + 2 × 0.8 / 21 = 0.935897 + 0.076190
    ("progressive-bias", MOVE, {"exploration": 0.7, "progressive_bias": 2.0}, six_digits(1.012087)),
    # 0.6 + 0.7 × 0.8 × √100 / 21 = 0.6 + 0.266667
    ("puct", MOVE, {"exploration": 0.7}, six_digits(0.866667)),
    # Untried, urgency 0.3: 0.3 + 0.7 × 0.8 × 10 / 1
    ("puct", UNTRIED, {"exploration": 0.7, "first_play_urgency": 0.3}, pytest.approx(5.9)),
]


@pytest.mark.parametrize(("name", "move", "fields", "value"), CASES)
def test_formulas_by_hand(
    name: str, move: Statistics, fields: dict[str, float], value: object
) -> None:
    assert urgency(name, move, **fields) == value


def test_rave_without_a_last_value_is_the_simpler_schedule() -> None:
    value = urgency("rave-mse", MOVE, rave_bias=0.1, exploration=0)
    assert value == pytest.approx(interpreted(formula.mix)(50 / 110, 20.0, 12.0, 50.0, 35.0))
    # Its 4 is 1 / (1/2 × 1/2).
    assert urgency("rave-mse-exact", MOVE, rave_bias=0.1, exploration=0) == pytest.approx(value)


def test_ucb1_tuned_survives_rounding() -> None:
    # A variance a hair below 0 must not end up under a root.
    certain = MOVE._replace(log_parent=0.0, n=3.0, w=3.0, squares=3.0 - 1e-7)
    assert urgency("ucb1-tuned", certain) == 1.0


@pytest.mark.parametrize("name", FORMULAS)
def test_an_unknown_move_has_the_first_play_urgency(name: str) -> None:
    if name == "puct":
        # 1/2 stands for infinity, or nothing but priors would ever matter: 0.5 + 0 × …
        assert urgency(name, UNKNOWN, exploration=0.0) == 0.5
    elif name == "progressive-bias":
        # 1.1 + 1 × 0.8 / (0 + 1)
        assert urgency(name, UNKNOWN, first_play_urgency=1.1) == pytest.approx(1.9)
    else:
        assert urgency(name, UNKNOWN) == math.inf
        assert urgency(name, UNKNOWN, first_play_urgency=1.1) == 1.1


@pytest.mark.parametrize("name", ["rave-hand", "rave-child", "rave-mse", "rave-mse-exact"])
def test_where_only_one_value_exists_it_is_taken(name: str) -> None:
    assert urgency(name, UNTRIED, exploration=0) == pytest.approx(0.7)
    only_visits = MOVE._replace(m=0.0, a=0.0)
    assert urgency(name, only_visits, exploration=0) == pytest.approx(0.6)


@pytest.mark.parametrize("name", ["rave-hand", "rave-child", "rave-mse", "rave-mse-exact"])
def test_an_untried_move_has_the_bonus_of_a_single_visit(name: str) -> None:
    # 0.7 as first, and 0.7 √(ln 100 / 1) = 0.7 × 2.145966 = 1.502176.
    assert urgency(name, UNTRIED, exploration=0.7) == pytest.approx(2.202176, abs=1e-6)
    once = MOVE._replace(n=1.0, w=0.7, squares=0.7)
    assert urgency(name, once, exploration=0.7) == pytest.approx(2.202176, abs=1e-6)


# --- Selection on a tree made by hand ---


def tree_of(
    *moves: tuple[int, int, float], node: int = ROOT, tree: Tree | None = None, first: int = 0
) -> Tree:
    """A node with moves of so many visits and so much reward."""
    if tree is None:
        tree = new_tree(40, 100)
    for offset, (move, visits, reward) in enumerate(moves):
        tree.move[first + offset] = move
        tree.visits[first + offset] = visits
        tree.value[first + offset] = int(reward * ONE)
        tree.tally[first + offset] = reward * TALLY_ONE
    tree.first_edge[node] = first
    tree.edge_count[node] = len(moves)
    tree.expansion[node] = EXPANDED
    tree.node_visits[node] = sum(visits for _, visits, _ in moves)
    return tree


def select(
    tree: Tree, name: str | Kernel[..., float], count: int | None = None, **fields: Any
) -> int:
    edges = int(tree.edge_count[ROOT]) if count is None else count
    scratch = new_scratch(8, 1)
    selector = interpreted(selector_of(name))
    settings = settings_of(selection=name, **fields)
    return int(selector(tree, ROOT, 0, edges, settings, scratch, np.zeros(edges + GROUP)))


def test_the_prior_is_mixed_in_as_experience() -> None:
    tree = tree_of((0, 20, 12.0))
    tree.amaf[0] = interpreted(amaf_word)(50.0, 35.0)
    tree.prior_value[0], tree.prior_visits[0] = 0.75, 8.0
    settings = settings_of(prior_to_visits=0.5, prior_to_amaf=2.0)
    found = interpreted(statistics_of)(tree, 0, 100.0, 4.6, settings)
    # To the visits 8 × 0.5 = 4 at 0.75, to AMAF 8 × 2 = 16 at 0.75.
    assert found.n == 24.0
    assert found.w == 15.0
    assert found.m == 66.0
    assert found.a == 47.0
    assert found.squares == 15.0  # The prior's visits count as wins and losses.
    assert found.p == 0.75


def test_what_the_moves_started_with_is_counted_in_their_position() -> None:
    tree = tree_of((0, 20, 12.0), (1, 3, 1.0))
    tree.prior_total[ROOT] = 8.0
    count = interpreted(visits_of)
    assert count(tree, ROOT, settings_of(prior_to_visits=0.5)) == 27.0
    assert count(tree, ROOT, settings_of(prior_to_visits=0.0)) == 23.0
    assert count(tree, ROOT, settings_of()._replace(plain=1)) == 23.0


@pytest.mark.parametrize("visits", [1.0, 2.0, 2.5, 4095.0, 4095.5, 4096.0, 1e6, 1e30, math.inf])
def test_logarithms_of_visits(visits: float) -> None:
    assert interpreted(log_of)(visits) == pytest.approx(math.log(visits))


@pytest.mark.parametrize("visits", [0.0, 0.5, -3.0])
def test_less_than_a_visit_has_no_logarithm(visits: float) -> None:
    assert interpreted(log_of)(visits) == 0.0


def test_the_most_urgent_move_is_selected_and_closed_ones_never() -> None:
    tree = tree_of((3, 10, 5.0), (1, 10, 7.0), (2, 10, 6.0))
    assert select(tree, "greedy") == 1
    tree.prior_visits[1] = CLOSED
    assert select(tree, "greedy") == 2
    tree.prior_visits[2] = ILLEGAL
    assert select(tree, "greedy") == 0
    tree.prior_visits[0] = CLOSED
    for name in ("greedy", "flat", "objective", "rave-mse-exact"):
        assert select(tree, name) == NO_EDGE


@pytest.mark.parametrize("count", [2, GROUP - 1, GROUP, GROUP + 1, 81])
def test_of_few_moves_and_of_many_the_most_urgent_is_selected(count: int) -> None:
    wins = [11 * move % count for move in range(count)]  # Each number once, and not in order.
    tree = tree_of(*((move, count, float(won)) for move, won in enumerate(wins)))
    for left in range(count, 0, -1):
        chosen = select(tree, "greedy")
        assert wins[chosen] == left - 1
        tree.prior_visits[chosen] = CLOSED
    assert select(tree, "greedy") == NO_EDGE


@pytest.mark.parametrize("count", [2, 3 * GROUP])
def test_of_equals_the_first_is_selected(count: int) -> None:
    tree = tree_of(*((move, 0, 0.0) for move in range(count)))
    assert select(tree, "ucb1") == 0
    tree.prior_visits[0] = CLOSED
    assert select(tree, "ucb1", solver=True) == 1


def test_a_formula_is_asked_about_the_moves_of_the_node_alone() -> None:
    asked = []

    @kernel
    def noting(move: Statistics, _settings: Any) -> float:
        asked.append(move.n)
        return -move.n

    tree = tree_of((0, 3, 1.0), (1, 2, 1.0), (2, 4, 1.0))
    tree_of((0, 9, 9.0), (1, 1, 1.0), node=1, tree=tree, first=3)
    assert select(tree, noting) == 1
    assert asked == [3.0, 2.0, 4.0]


def test_a_finite_first_play_urgency_lets_good_moves_be_played_again() -> None:
    # UCB1 of the only move tried: 1/1 + 0.7 √(ln 1 / 1) = 1, above 0.9 and below 1.1.
    tree = tree_of((0, 1, 1.0), (1, 0, 0.0))
    tree.memo[0] = 1.0
    for solver in (False, True):
        assert select(tree, "ucb1", first_play_urgency=0.9, solver=solver) == 0
        assert select(tree, "ucb1", first_play_urgency=1.1, solver=solver) == 1


@pytest.mark.parametrize("count", [2, GROUP, 20])
def test_ucb1_chooses_the_same_by_what_it_keeps_as_by_its_formula(count: int) -> None:
    random = np.random.default_rng(count)
    seen = set()
    for _ in range(50):
        visits = random.integers(1, 50, count)
        wins = random.random(count) * visits
        tree = tree_of(*zip(range(count), visits.tolist(), wins.tolist(), strict=True))
        tree.memo[:count] = 1.0 / np.sqrt(visits)
        chosen = select(tree, "ucb1", exploration=0.4)
        assert chosen == select(tree, "ucb1", exploration=0.4, solver=True)
        seen.add(chosen)
        # And it is what was kept that is looked at: a move that seems untried comes first.
        tree.memo[count - 1] = 0.0
        assert select(tree, "ucb1", exploration=0.4) == count - 1
    assert len(seen) > 1


def test_flat_selection_takes_the_least_visited() -> None:
    assert select(tree_of((0, 3, 3.0), (1, 2, 0.0), (2, 3, 1.0)), "flat") == 1


def test_the_combined_value_is_kept_without_the_bonus() -> None:
    tree = tree_of((0, 20, 12.0), (1, 80, 0.0), (2, 0, 0.0))
    tree.amaf[0] = interpreted(amaf_word)(50.0, 35.0)
    select(tree, "rave-mse-exact", rave_bias=0.1, exploration=0.7)
    assert tree.memo[0] == pytest.approx(0.645455, abs=1e-6)  # As for rave-mse above.
    assert 0.0 < tree.memo[1] < 1e-5  # A real 0, as opposed to no value.
    assert tree.memo[2] == 0.0


def test_objective_monte_carlo_draws_by_fairness() -> None:
    # Means 0.6, 0.5, 0.2; σ = √0.24 = 0.489898, √0.25 = 0.5, √0.16 = 0.4.
    # Urgencies erfc((0.6 - v) / (√2 σ)): erfc(0) = 1; erfc(0.141421) = 0.841481;
    # erfc(0.707107) = 0.317311.
    # Fairness is as urgency / visits: 1/50 = 0.02; 0.841481/20 = 0.042074; 0.317311/10 = 0.031731;
    # together 0.093805: shares 0.213208, 0.448527, 0.338265.
    tree = tree_of((0, 50, 30.0), (1, 20, 10.0), (2, 10, 2.0))
    settings, scratch = settings_of(selection="objective"), new_scratch(8, 1)
    room = np.zeros(3)
    selector = interpreted(selector_of("objective"))
    draws = 6000
    counts = np.bincount(
        [selector(tree, ROOT, 0, 3, settings, scratch, room) for _ in range(draws)]
    )
    for count, share in zip(counts, (0.213208, 0.448527, 0.338265), strict=True):
        assert count / draws == pytest.approx(share, abs=4 * math.sqrt(share * (1 - share) / draws))


def test_objective_monte_carlo_forgives_one_lost_game() -> None:
    tree = tree_of((0, 50, 30.0), (1, 1, 0.0))
    settings, scratch = settings_of(selection="objective"), new_scratch(8, 1)
    room = np.zeros(3)
    selector = interpreted(selector_of("objective"))
    assert 1 in {selector(tree, ROOT, 0, 2, settings, scratch, room) for _ in range(200)}


@pytest.mark.parametrize(
    ("visits", "mu", "moves"),
    [
        (1, 2.0, 1),
        (2, 2.0, 2),
        (3, 2.0, 2),
        (4, 2.0, 3),
        (8, 2.0, 4),
        (1000, 2.0, 7),
        (99, 10.0, 2),
    ],
)
def test_widening(visits: int, mu: float, moves: int) -> None:
    # 1 + ln n / ln μ, whole: 1 + log2(8) = 4; 1 + log2(1000) = 10.97, but there are only 7.
    assert interpreted(expansion.widen)(7, visits, mu) == moves


# --- Rewards ---


def reward(score: float, tree: Tree | None = None, **fields: Any) -> float:
    tree = new_tree(2, 7) if tree is None else tree
    return interpreted(backup.reward_of)(score, tree, settings_of(**fields))


@pytest.mark.parametrize(
    ("kind", "score", "expected"),
    [
        ("win", 12.5, 1.0),
        ("win", -0.5, 0.0),
        ("win", 0.0, 0.5),
        ("score", 12.5, 1.125),  # 1 + 12.5 / 100
        ("score", -30.0, -0.3),  # 0 - 30 / 100
        ("score", 0.0, 0.5),
        ("bounded-score", 5.0, 0.95),  # 0.9 + 5 / 100
        ("bounded-score", -5.0, 0.05),  # 0.1 - 5 / 100
        ("bounded-score", 0.0, 0.5),
    ],
)
def test_rewards(kind: str, score: float, expected: float) -> None:
    assert reward(score, reward=kind) == pytest.approx(expected)
    # What one player gets, the other lacks.
    assert reward(-score, reward=kind) == pytest.approx(1.0 - expected)


def test_temperature_blends_wins_with_the_score() -> None:
    # Smooth: 1 / (1 + e^(-20 / 10)) = 0.880797; half of it and half of 1: 0.940399
    assert reward(20.0, reward_temperature=1.0, reward_scale=10.0) == pytest.approx(0.880797)
    assert reward(20.0, reward_temperature=0.5, reward_scale=10.0) == pytest.approx(0.940399)
    assert reward(-20.0, reward_temperature=1.0, reward_scale=10.0) == pytest.approx(0.119203)
    assert reward(20.0, reward_temperature=0.0, reward_scale=10.0) == 1.0


def test_a_win_may_be_a_score_above_the_average() -> None:
    tree = new_tree(2, 7)
    assert reward(1.0, tree, reward_average=True) == 1.0  # Nothing to compare with yet.
    tree.counters[SIMULATIONS], tree.counters[SCORES] = 4, 26 * SCORE_UNIT  # 6.5 on average
    assert reward(6.0, tree, reward_average=True) == 0.0
    assert reward(6.5, tree, reward_average=True) == 0.5
    assert reward(7.0, tree, reward_average=True) == 1.0
    assert reward(6.0, tree) == 1.0
    # 6.5 + 10 points above the average, blended: 1 / (1 + e^-1) = 0.731059
    value = reward(16.5, tree, reward_average=True, reward_temperature=1.0, reward_scale=10.0)
    assert value == pytest.approx(0.731059)


def test_a_part_of_the_reward_may_be_for_more_than_the_average() -> None:
    tree = new_tree(2, 7)
    assert reward(1.0, tree, reward_points=0.8) == 1.0  # Nothing to compare with yet.
    tree.counters[SIMULATIONS], tree.counters[SCORES] = 4, 26 * SCORE_UNIT  # 6.5 on average
    assert reward(7.0, tree, reward_points=0.8) == 1.0
    assert reward(6.5, tree, reward_points=0.8) == pytest.approx(0.6)  # 0.2 + half of 0.8
    assert reward(6.0, tree, reward_points=0.8) == pytest.approx(0.2)
    assert reward(-1.0, tree, reward_points=0.8) == 0.0
    tree.counters[SCORES] = -26 * SCORE_UNIT
    assert reward(-1.0, tree, reward_points=0.8) == pytest.approx(0.8)


# --- Final moves ---


def candidate(move: int, visits: int, value: float, proof: str | None = None) -> Candidate:
    return Candidate(move, visits, value, 0.0, 0.5, 0.0, 0.5, proof, (move,))


def chosen(final_move: str, *candidates: Candidate) -> int:
    found = choose(candidates, final_move)
    assert found is not None
    return found.move


def test_final_moves() -> None:
    often, good, lucky = candidate(0, 60, 0.55), candidate(1, 35, 0.65), candidate(2, 5, 0.8)
    assert chosen("robust", often, good, lucky) == 0
    assert chosen("max", often, good, lucky) == 2
    assert chosen("robust-max", often, good, lucky) == 0
    assert not is_robust_max([often, good, lucky])
    assert is_robust_max([candidate(0, 60, 0.7), good])
    # 0.55 - 1.96 √(0.55 × 0.45 / 60) = 0.55 - 0.125883; 0.65 - 1.96 √(0.65 × 0.35 / 35) = 0.65 -
    # 0.158020; a handful of visits, fewer than a tenth of the most, is not trusted.
    assert often.lower_bound == pytest.approx(0.424117, abs=1e-6)
    assert good.lower_bound == pytest.approx(0.491980, abs=1e-6)
    assert chosen("confident", often, good, lucky) == 1
    assert candidate(0, 0, 0.5).lower_bound == -math.inf
    assert choose([], "robust") is None


def test_proofs_overrule_visits() -> None:
    lost, drawn = candidate(0, 90, 0.9, "loss"), candidate(1, 50, 0.7, "draw")
    bad, fair, won = candidate(2, 30, 0.4), candidate(3, 20, 0.6), candidate(4, 1, 0.0, "win")
    for rule in ("robust", "max", "robust-max", "confident"):
        assert chosen(rule, lost, drawn, bad, fair, won) == 4
        assert chosen(rule, lost, bad) == 2
        assert chosen(rule, lost, drawn) == 1
        assert chosen(rule, lost) == 0
        # A draw's playouts promise nothing: it is worth 1/2.
        assert chosen(rule, lost, drawn, bad) == 1
        assert chosen(rule, lost, drawn, fair) == 3
    assert chosen("robust", drawn, bad, fair) == 1  # The rule's own choice, 2, is worse than 1/2.
    assert chosen("max", drawn, bad, fair) == 3


def test_the_majority_elects() -> None:
    def result(*candidates: Candidate, proof: str | None = None) -> SearchResult:
        return SearchResult(candidates[0].move, 0.5, 10, 0.0, 0.0, candidates, proof)

    a, b = candidate(0, 6, 0.5), candidate(1, 4, 0.5)
    found, votes = elect([result(a, b), result(b, a), result(b, a)])
    assert found is not None
    assert (found.move, found.visits, votes) == (1, 12, [(1, 2), (0, 1)])
    # A tie goes to the move with more visits: 6 + 3 against 4 + 5.
    found, votes = elect(
        [result(a, candidate(1, 3, 0.5)), result(candidate(1, 5, 0.5), candidate(0, 4, 0.5))]
    )
    assert found is not None
    assert (found.move, votes) == (0, [(0, 1), (1, 1)])
    # One search that knows is worth more than two that guess.
    found, _ = elect([result(b, a), result(b, a), result(candidate(0, 1, 1.0, "win"), b)])
    assert found is not None
    assert found.move == 0
    found, _ = elect([result(b, a), result(b, a), result(a, candidate(1, 1, 0.0, "loss"))])
    assert found is not None
    assert found.move == 0
    assert elect([]) == (None, [])


# --- Priors ---


def priors_of(
    tree: Tree | None = None, depth: int = 0, moves: Sequence[int] = (0, 1, 2), **fields: Any
) -> tuple[list[float], list[float]]:
    """The values and visits of the moves of a node two plies below the root."""
    work = workspace()
    work.moves[: len(moves)] = moves
    if depth:
        work.nodes[: depth + 1] = range(depth + 1)

    def own(_s: Any, _k: Any, _x: Any, moves: Any, count: int, values: Any, visits: Any) -> None:
        for rank in range(count):
            if moves[rank] == 1:
                values[rank], visits[rank] = 0.9, 10.0

    settings = settings_of(**fields)._replace(own_priors=int(fields.get("prior_game", 0) > 0))
    tree = new_tree(4, 7) if tree is None else tree
    interpreted(expansion.find_priors)(own, tree, work, settings, task(), len(moves), depth)
    return work.prior_values[: len(moves)].tolist(), work.prior_visits[: len(moves)].tolist()


def workspace() -> Workspace:
    return new_workspace(GAME.initial_state(), new_scratch(16, 1), GAME.move_count, 16)


def task(first_player: int = 1) -> Task:
    return Task(
        GAME.initial_state(),
        GAME.knowledge,
        np.zeros(0, np.uint64),
        packed_limits((), GAME.move_count),
        first_player,
    )


def test_without_priors_moves_are_worth_nothing() -> None:
    assert priors_of(prior_game=0.0) == ([0.5] * 3, [0.0] * 3)


def test_the_even_prior_and_the_games_own() -> None:
    assert priors_of(prior_game=0.0, prior_even=7.0) == ([0.5] * 3, [7.0] * 3)
    assert priors_of(prior_game=2.0) == ([0.5, 0.9, 0.5], [0.0, 20.0, 0.0])
    # Together: (0.9 × 10 + 0.5 × 30) / 40 = 0.6
    values, visits = priors_of(prior_game=1.0, prior_even=30.0)
    assert values == pytest.approx([0.5, 0.6, 0.5])
    assert visits == [30.0, 40.0, 30.0]


def test_the_grandfathers_value() -> None:
    tree = tree_of((1, 10, 8.0), (2, 4, 1.0), (5, 9, 9.0), (0, 0, 0.0))
    values, visits = priors_of(tree, depth=2, prior_game=0.0, prior_grandfather=50.0)
    # Move 0 was not tried there, 1 has 8/10, 2 has 1/4; worth 50 visits each.
    assert values == pytest.approx([0.5, 0.8, 0.25])
    assert visits == [50.0] * 3
    # An uncle that was not visited has the value that it began with.
    tree.prior_value[3], tree.prior_visits[3] = 0.7, 10.0
    values, _ = priors_of(tree, depth=2, prior_game=0.0, prior_grandfather=50.0)
    assert values == pytest.approx([0.7, 0.8, 0.25])
    # Near the root there is no grandfather, and the game is even.
    even = priors_of(tree, depth=1, prior_game=0.0, prior_grandfather=50.0)
    assert even == ([0.5] * 3, [50.0] * 3)


def test_the_uncles_statistics() -> None:
    tree = tree_of((1, 10, 8.0), (2, 4, 1.0))
    values, visits = priors_of(tree, depth=2, prior_game=0.0, prior_grandparent=1.0)
    assert values == pytest.approx([0.5, 0.8, 0.25])
    assert visits == [0.0, 10.0, 4.0]
    # With an even prior of 10: (8 + 5) / 20 and (1 + 5) / 14
    values, _ = priors_of(tree, depth=2, prior_game=0.0, prior_grandparent=1.0, prior_even=10.0)
    assert values == pytest.approx([0.5, 0.65, 6 / 14])


def test_widening_sorts_by_prior_value() -> None:
    work = workspace()
    work.moves[:4], work.prior_values[:4] = [3, 1, 0, 2], [0.2, 0.9, 0.5, 0.9]
    work.prior_visits[:4] = [1, 2, 3, 4]
    interpreted(expansion.sort_by_prior)(work, 4)
    assert work.moves[:4].tolist() == [1, 2, 0, 3]
    assert work.prior_visits[:4].tolist() == [2, 4, 3, 1]


# --- Back-up ---

# Player P moves at even times, Q at odd ones. In the tree: P plays 0 and Q plays 2. In the playout:
# P 3, Q 1, P 1, Q 5, P 2, Q 3, P 6. At the root moves 0 to 4 are legal, below it 1 to 5.
PATH, PLAYOUT = (0, 2), (3, 1, 1, 5, 2, 3, 6)


def backed_up(
    first_player: int = 1,
    reward: float = 1.0,
    tree: Tree | None = None,
    win: float = 1.0,
    tally: int = TALLY_SQUARES,
    **fields: Any,
) -> Tree:
    fields.setdefault("selection", "rave-mse")
    if tree is None:
        tree = tree_of(*((move, 0, 0.0) for move in range(5)))
        tree_of(*((move, 0, 0.0) for move in range(1, 6)), node=1, tree=tree, first=5)
        tree.child[0], tree.child[6] = 1, 2
    work = workspace()
    work.nodes[:3], work.edges[:2] = [0, 1, 2], [0, 6]
    work.scratch[LENGTH] = len(PLAYOUT)
    work.scratch[TRACE : TRACE + len(PLAYOUT)] = PLAYOUT
    settings = settings_of(**fields)._replace(tally=tally)
    for edge in (0, 6):
        tree.visits[edge] += settings.virtual_loss
    for node in (0, 1, 2):
        tree.node_visits[node] += settings.virtual_loss
    interpreted(backup.update_path)(tree, work, settings, task(first_player), 2, reward, win)
    return tree


def amaf(tree: Tree, first: int) -> dict[int, tuple[float, float]]:
    """Visits and rewards as first, of the moves that have any."""
    return {
        int(tree.move[edge]): amaf_sums(int(tree.amaf[edge]))
        for edge in range(first, first + 5)
        if tree.amaf[edge]
    }


def test_the_reward_is_each_movers_own() -> None:
    tree = backed_up(first_player=1, reward=0.75)
    assert (tree.value[0], tree.value[6]) == (0.75 * ONE, 0.25 * ONE)
    assert tree.tally[0] == 0.75**2 * TALLY_ONE
    tree = backed_up(first_player=0, reward=0.75)
    assert (tree.value[0], tree.value[6]) == (0.25 * ONE, 0.75 * ONE)


@pytest.mark.parametrize(("first_player", "expected"), [(1, (1.0, 0.0)), (0, (0.0, 1.0))])
def test_wins_are_tallied_where_rewards_count_points(
    first_player: int, expected: tuple[float, float]
) -> None:
    tree = backed_up(first_player=first_player, reward=0.25, win=1.0, tally=TALLY_WINS)
    assert (tree.tally[0] * TALLY_UNIT, tree.tally[6] * TALLY_UNIT) == expected
    assert view_of(tree).candidate(0).tally == expected[0]


def test_amaf_counts_who_played_first() -> None:
    tree = backed_up()
    # From the root: 0 and 3 were P's first, 1 and 2 Q's; 6 is not legal there. P won.
    assert amaf(tree, 0) == {0: (1.0, 1.0), 3: (1.0, 1.0)}
    # After P's move: 2, 1 and 5 were Q's first, 3 was P's. Q lost.
    assert amaf(tree, 5) == {1: (1.0, 0.0), 2: (1.0, 0.0), 5: (1.0, 0.0)}


def test_amaf_of_every_player_who_played_there() -> None:
    tree = backed_up(amaf_update="every")
    assert amaf(tree, 0) == dict.fromkeys((0, 1, 2, 3), (1.0, 1.0))
    assert amaf(tree, 5) == dict.fromkeys((1, 2, 3, 5), (1.0, 0.0))


def test_amaf_with_the_opposite_reward() -> None:
    tree = backed_up(amaf_opposite=True)
    assert amaf(tree, 0) == {0: (1.0, 1.0), 3: (1.0, 1.0), 1: (1.0, 0.0), 2: (1.0, 0.0)}
    assert amaf(tree, 5) == {1: (1.0, 0.0), 2: (1.0, 0.0), 5: (1.0, 0.0), 3: (1.0, 1.0)}


def test_amaf_weighed_by_earliness() -> None:
    tree = backed_up(amaf_earliness=True, reward=0.5)
    # Nine moves from the root: weight 2 - 0/9 for the first, 2 - 2/9 for the third, in steps of
    # 1/64 downwards: 64 × 16/9 = 113.8, so 113/64. Eight from the next: 2, 2 - 2/8, 2 - 4/8.
    assert amaf(tree, 0) == {0: (2.0, 1.0), 3: (113 / 64, pytest.approx(113 / 128))}
    assert amaf(tree, 5) == {2: (2.0, 1.0), 1: (1.75, 0.875), 5: (1.5, 0.75)}


def test_amaf_stops_counting_before_its_numbers_overflow() -> None:
    tree = backed_up()
    before = tree.amaf.tolist()
    tree.node_visits[:2] = AMAF_ENOUGH
    backed_up(tree=tree)
    assert tree.amaf.tolist() == before


@pytest.mark.parametrize(
    ("reward", "counted"), [(-0.75, -0.75), (3.25, 3.25), (1e9, AMAF_MOST), (-1e9, -AMAF_MOST)]
)
@pytest.mark.parametrize("earliness", [False, True])
def test_rewards_beyond_0_and_1_are_counted_as_first(
    reward: float, counted: float, earliness: bool
) -> None:
    tree = backed_up(reward=reward, amaf_earliness=earliness)
    for _ in range(99):
        backed_up(tree=tree, reward=reward, amaf_earliness=earliness)
    found = amaf(tree, 0)
    weights = {0: 200.0, 3: 100 * 113 / 64} if earliness else {0: 100.0, 3: 100.0}
    assert {move: weight for move, (weight, _) in found.items()} == weights
    for weight, rewards in found.values():
        assert rewards == pytest.approx(weight * counted, abs=0.1)


def test_the_largest_sums_fit_their_word() -> None:
    # Recalled, and then counted twice as the opposite of the least reward.
    weight = 3.0 * AMAF_ENOUGH
    rewards = AMAF_ENOUGH * AMAF_MOST + 2.0 * AMAF_ENOUGH * (1.0 + AMAF_MOST)
    for sign in (1.0, -1.0):
        word = np.int64(interpreted(amaf_word)(weight, sign * rewards))
        assert amaf_sums(word) == (weight, sign * rewards)


def test_no_amaf_where_no_formula_asks_for_it() -> None:
    assert not backed_up(selection="ucb1").amaf.any()


def test_virtual_losses_are_taken_back() -> None:
    tree = backed_up(virtual_loss=5)
    assert tree.visits[[0, 6]].tolist() == [1, 1]
    assert tree.node_visits[:3].tolist() == [1, 1, 1]


@pytest.mark.parametrize(("share", "root"), [(0.0, 1.0), (1.0, 0.25), (0.5, 0.625)])
def test_back_up_of_the_best_move(share: float, root: float) -> None:
    tree = tree_of((0, 0, 0.0), (1, 0, 0.0))
    tree_of((1, 4, 3.0), (2, 0, 0.0), node=1, tree=tree, first=5)
    tree.child[0], tree.child[6] = 1, 2
    backed_up(tree=tree, selection="ucb1", backup_maximum=share)
    # Q loses this playout with move 2, but has won 3 of 4 with move 1: the best mean is 3/4, to P
    # 1/4. The mean passes P's reward 1 on, the maximum 1/4, halfway between is 5/8.
    assert tree.value[6] == 0
    assert tree.value[0] == pytest.approx(root * ONE)


def test_the_best_of_bad_means_may_be_below_zero() -> None:
    tree = tree_of((0, 4, -1.0), (1, 2, -1.0))
    assert interpreted(backup.best_mean)(tree, ROOT) == -0.25


# --- Solver ---


def proven(*below: int, edge: int = 0, before: int = UNPROVEN) -> tuple[int, list[bool]]:
    """What follows for a node whose moves lead to these proofs, and which moves are closed."""
    tree = tree_of(*((move, 1, 0.0) for move in range(len(below))))
    for number, proof in enumerate(below):
        tree.child[number] = number + 1
        tree.proof[number + 1] = proof
    tree.proof[ROOT] = before
    interpreted(backup.prove)(tree, ROOT, edge)
    closed = [bool(tree.prior_visits[number] == CLOSED) for number in range(len(below))]
    return int(tree.proof[ROOT]), closed


def test_one_lost_answer_wins() -> None:
    assert proven(PROVEN_LOSS, UNPROVEN)[0] == PROVEN_WIN
    assert proven(PROVEN_LOSS, PROVEN_DRAW, before=SAFE)[0] == PROVEN_WIN


def test_all_answers_must_win_to_lose() -> None:
    assert proven(PROVEN_WIN, UNPROVEN) == (UNPROVEN, [True, False])
    assert proven(PROVEN_WIN, PROVEN_WIN)[0] == PROVEN_LOSS


def test_a_draw_makes_safe_and_the_rest_decides() -> None:
    assert proven(PROVEN_DRAW, UNPROVEN) == (SAFE, [True, False])
    assert proven(PROVEN_DRAW, PROVEN_WIN)[0] == PROVEN_DRAW
    assert proven(PROVEN_DRAW, PROVEN_DRAW)[0] == PROVEN_DRAW
    assert proven(PROVEN_WIN, PROVEN_DRAW, UNPROVEN, before=SAFE)[0] == SAFE


def test_nothing_follows_from_nothing() -> None:
    assert proven(UNPROVEN, PROVEN_WIN)[0] == UNPROVEN
    assert proven(SAFE, PROVEN_WIN)[0] == UNPROVEN
    assert proven(PROVEN_WIN, PROVEN_WIN, before=PROVEN_WIN)[0] == PROVEN_WIN


def test_illegal_moves_do_not_stand_in_the_way_of_a_proof() -> None:
    tree = tree_of((0, 1, 0.0), (1, 0, 0.0))
    tree.child[:2] = 1, 2
    tree.proof[1] = PROVEN_WIN
    tree.prior_visits[1] = ILLEGAL
    interpreted(backup.prove)(tree, ROOT, 0)
    assert tree.proof[ROOT] == PROVEN_LOSS


def test_a_safe_player_does_not_lose_playouts() -> None:
    tree = tree_of((0, 0, 0.0), (1, 0, 0.0))
    tree_of((1, 1, 0.5), (2, 0, 0.0), node=1, tree=tree, first=5)
    tree.child[0], tree.child[5], tree.child[6] = 1, 3, 2
    tree.proof[3], tree.proof[1] = PROVEN_DRAW, SAFE
    backed_up(tree=tree, selection="ucb1", solver=True)
    # Q lost the playout by move 2, but has a draw in hand: P gets 1/2, not 1.
    assert tree.value[6] == 0
    assert tree.value[0] == 0.5 * ONE
