"""Which of a position's moves to follow down the tree.

``select_best`` judges every move by a formula; :func:`selector_of` makes a copy of it for each,
with the formula inlined. The others here do not judge moves one by one. All have the signature
``(tree, node, first, count, settings, scratch, urgencies) -> edge`` and return NO_EDGE if every
move is closed; ``urgencies`` is room for a number a move, and for GROUP more.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import Kernel, kernel, specialize
from montego.jit.index import Index
from montego.jit.record import record_type
from montego.jit.state import RANDOM, advance
from montego.mcts.kernels import formula
from montego.mcts.kernels.formula import Statistics, explore, variance_of_mean
from montego.mcts.kernels.gumbel import select_gumbel, select_puct
from montego.mcts.kernels.settings import Settings
from montego.mcts.kernels.tree import NO_EDGE, TALLY_UNIT, UNIT, Tree, amaf_rewards, amaf_weight
from montego.mcts.kernels.workspace import GROUP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch


LEAST_COMBINED = 1e-6  # Least combined value that is kept; 0 means that there is none.

_LOGS = np.array([0.0, *(math.log(count) for count in range(1, 4096))])


@kernel
def urgency(move: Statistics, settings: Settings) -> float:
    """Stand in the templates below for the formula that a copy will call."""
    return move.w


@kernel(inline=True)
def log_of(visits: float) -> float:
    """Return the natural logarithm of a number of visits, and 0 for none.

    Small whole numbers, which most are, from a table: it is asked at every level of every descent.
    """
    if 0.0 <= visits < len(_LOGS):
        whole = int(visits)
        if visits == whole:
            return float(_LOGS[Index(whole)])
    return math.log(max(visits, 1.0))


def selection_type(types: Any) -> Any:
    """Return Numba's type of a selection."""
    numbers = (types.int64, types.int64, types.int64)
    return types.FunctionType(
        types.int64(
            record_type(types, Tree),
            *numbers,
            record_type(types, Settings),
            types.uint64[::1],
            types.float64[::1],
        )
    )


@kernel(inline=True)
def visits_of(tree: Tree, node: int, settings: Settings) -> float:
    """Return N(s), in which what its moves started with is counted as well (001 equation 52)."""
    visits = float(tree.node_visits[Index(node)])
    if settings.plain != 0 or settings.prior_to_visits == 0.0:
        return visits
    return visits + np.float64(tree.prior_total[Index(node)]) * settings.prior_to_visits


@kernel(inline=True)
def statistics_of(
    tree: Tree, edge: int, parent: float, log_parent: float, settings: Settings
) -> Statistics:
    """Return what is known of a move, its prior mixed in as experience (001 section 5.1)."""
    # float64, not float: Numba's float() leaves a float32 what it is.
    if settings.plain != 0:
        # No priors to look at: the same numbers, for a third of the loads.
        return Statistics(
            parent,
            log_parent,
            float(tree.visits[edge]),
            float(tree.value[edge]) * UNIT,
            amaf_weight(tree, edge),
            amaf_rewards(tree, edge),
            float(tree.tally[edge]) * TALLY_UNIT,
            0.5,
            np.float64(tree.memo[edge]),
        )
    prior_value = np.float64(tree.prior_value[edge])
    prior_visits = np.float64(tree.prior_visits[edge])
    to_visits = prior_visits * settings.prior_to_visits
    to_amaf = prior_visits * settings.prior_to_amaf
    return Statistics(
        parent,
        log_parent,
        float(tree.visits[edge]) + to_visits,
        float(tree.value[edge]) * UNIT + to_visits * prior_value,
        amaf_weight(tree, edge) + to_amaf,
        amaf_rewards(tree, edge) + to_amaf * prior_value,
        float(tree.tally[edge]) * TALLY_UNIT + to_visits * prior_value,
        prior_value,
        np.float64(tree.memo[edge]),
    )


@kernel(inline=True)
def judge(tree: Tree, edge: int, parent: float, log_parent: float, settings: Settings) -> float:
    """Return how urgent a move is by the formula, and less than anything if it is closed."""
    value = urgency(statistics_of(tree, edge, parent, log_parent, settings), settings)
    return value if settings.plain != 0 or tree.prior_visits[edge] >= 0.0 else -math.inf


@kernel(inline=True)
def most_urgent(urgencies: NDArray[Any], first: int, count: int) -> int:
    """Return the edge that was judged most urgent; of equals the first."""
    best, chosen = -math.inf, NO_EDGE
    for rank in range(Index(count)):
        if urgencies[rank] > best:
            best, chosen = urgencies[rank], first + int(np.int64(rank))
    return chosen


@kernel(inline=True)
def select_best(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """Return the edge that the formula finds most urgent; of equals the first.

    Unless the game orders its moves, edges were shuffled when they were made, so the first of
    equals is a random one.
    """
    parent = visits_of(tree, node, settings)
    log_parent = log_of(parent)
    # Whole groups, so that the compiler makes vector instructions of the loop, and nothing but:
    # a tenth more simulations on the 9x9 board with RAVE, a fifth in tic-tac-toe.
    for rank in range(Index(count + GROUP - 1) // Index(GROUP) * Index(GROUP)):
        urgencies[rank] = -math.inf
        if rank < Index(count):
            urgencies[rank] = judge(tree, Index(first) + rank, parent, log_parent, settings)
    return most_urgent(urgencies, first, count)


@kernel(inline=True)
def select_ucb1(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """As :func:`select_best` with UCB1, of what is kept of each edge where that is enough.

    With r = 1 / √n the formula is (w r + c √ln N) r: no division and no root at every edge, which
    makes 1.14 times the simulations in tic-tac-toe.
    """
    if settings.keep_inverse_sqrt == 0:
        return select_best(tree, node, first, count, settings, scratch, urgencies)
    bonus = settings.exploration * math.sqrt(log_of(float(tree.node_visits[Index(node)])))
    for rank in range(Index(count + GROUP - 1) // Index(GROUP) * Index(GROUP)):
        urgencies[rank] = -math.inf
        if rank < Index(count):
            edge = Index(first) + rank
            inverse = np.float64(tree.memo[edge])
            known = (float(tree.value[edge]) * UNIT * inverse + bonus) * inverse
            urgencies[rank] = known if inverse > 0.0 else settings.first_play_urgency
    return most_urgent(urgencies, first, count)


@kernel(inline=True)
def select_by_chances(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """As :func:`select_best` with PUCT; with an evaluation as :func:`select_puct` has it."""
    if settings.evaluation > 0.0:
        return select_puct(tree, node, first, count, settings, scratch, urgencies)
    return select_best(tree, node, first, count, settings, scratch, urgencies)


@kernel(inline=True)
def select_best_remembering(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """As :func:`select_best`, and keep every value for the next time, as 001's equation 46 asks.

    What is kept is the combined value without the bonus for exploration, and never quite 0, which
    stands for none.
    """
    parent = visits_of(tree, node, settings)
    log_parent = log_of(parent)
    best, chosen = -math.inf, NO_EDGE
    for edge in range(first, first + count):
        if tree.prior_visits[edge] >= 0.0:
            statistics = statistics_of(tree, edge, parent, log_parent, settings)
            value = urgency(statistics, settings)
            combined = value - explore(log_parent, statistics.n, settings)
            tree.memo[edge] = max(combined, LEAST_COMBINED) if combined < math.inf else 0.0
            if value > best:
                best, chosen = value, edge
    return chosen


@kernel(inline=True)
def select_flat(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """Return the least visited edge: flat Monte Carlo, which treats all moves alike."""
    least, chosen = -1, NO_EDGE
    for edge in range(first, first + count):
        visits = int(tree.visits[edge])
        if tree.prior_visits[edge] >= 0.0 and (chosen == NO_EDGE or visits < least):
            least, chosen = visits, edge
    return chosen


@kernel(inline=True)
def mean_of(tree: Tree, edge: int, settings: Settings) -> tuple[float, float]:
    """Return a move's mean value and its visits, the prior's included; one half without any."""
    statistics = statistics_of(tree, edge, 0.0, 0.0, settings)
    return (statistics.w / statistics.n if statistics.n > 0.0 else 0.5), statistics.n


@kernel(inline=True)
def best_mean(tree: Tree, first: int, count: int, settings: Settings) -> float:
    """Return the best mean among the open moves that were tried; one half if none was."""
    best = -math.inf
    for edge in range(first, first + count):
        mean, visits = mean_of(tree, edge, settings)
        if tree.prior_visits[edge] >= 0.0 and visits > 0.0:
            best = max(best, mean)
    return best if best > -math.inf else 0.5


@kernel(inline=True)
def draw_edge(tree: Tree, first: int, count: int, scratch: Scratch, urgencies: NDArray[Any]) -> int:
    """Draw an open edge with chances in proportion to ``urgencies``; NO_EDGE if all are closed."""
    total = 0.0
    for rank in range(count):
        if tree.prior_visits[first + rank] >= 0.0:
            total += urgencies[rank]
    random = advance(Index(scratch[RANDOM]))
    scratch[RANDOM] = random
    left = total * (float(random >> Index(11)) / 9007199254740992.0)
    chosen = NO_EDGE
    for rank in range(count):
        if tree.prior_visits[first + rank] >= 0.0:
            chosen = first + rank
            left -= urgencies[rank]
            if left < 0.0:
                break
    return chosen


@kernel(inline=True)
def select_gaussian(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """Draw an edge by the chance that it is better than the best seems: Crazy Stone (001 3.6).

    A mean is taken to be normal around the true value, so that the chance is
    erfc((Q* - Q) / (√2 σ)) / 2, σ² the variance of the mean; that of a move without visits is 1/4.
    """
    best = best_mean(tree, first, count, settings)
    for rank in range(count):
        mean, visits = mean_of(tree, first + rank, settings)
        variance = 0.25
        if visits > 0.0:
            variance = variance_of_mean(visits, mean * visits)
        urgencies[rank] = 0.5 * math.erfc((best - mean) / math.sqrt(2.0 * variance))
    return draw_edge(tree, first, count, scratch, urgencies)


@kernel(inline=True)
def select_softmax(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """Draw an edge with chances in proportion to exp(Q / τ): the softmax policy (001 3.5)."""
    best = best_mean(tree, first, count, settings)
    for rank in range(count):
        mean, _ = mean_of(tree, first + rank, settings)
        # From the best down: the exponential of a large number is infinite.
        urgencies[rank] = math.exp((mean - best) / settings.selection_temperature)
    return draw_edge(tree, first, count, scratch, urgencies)


@kernel(inline=True)
def select_unpruned(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """Return the least visited edge that is not statistically inferior: progressive pruning.

    001 3.5. A move is inferior if its mean and so many standard errors are less than the best mean
    and as many less of its own; only after so many visits of both. The best move stays.
    """
    errors = settings.pruning_errors
    floor = -math.inf
    for edge in range(first, first + count):
        mean, visits = mean_of(tree, edge, settings)
        if tree.prior_visits[edge] >= 0.0 and visits >= settings.pruning_after:
            spread = math.sqrt(variance_of_mean(visits, mean * visits))
            floor = max(floor, mean - errors * spread)
    least, chosen = -1, NO_EDGE
    for edge in range(first, first + count):
        if tree.prior_visits[edge] < 0.0:
            continue
        mean, visits = mean_of(tree, edge, settings)
        if visits >= settings.pruning_after:
            spread = math.sqrt(variance_of_mean(visits, mean * visits))
            if mean + errors * spread < floor:
                continue
        tried = int(tree.visits[edge])
        if chosen == NO_EDGE or tried < least:
            least, chosen = tried, edge
    return chosen


@kernel(inline=True)
def _objective_urgency(tree: Tree, edge: int, best: float, settings: Settings) -> float:
    """Return document 002's urgency: erfc((v0 - v) / (√2 σ)), σ = √(v (1 - v)) with a floor.

    The floor is 1 / √(4 (n + 1)): a move that lost its only game has σ = 0, and with a floor
    that did not depend on the visits it would never be tried again.
    """
    statistics = statistics_of(tree, edge, 0.0, 0.0, settings)
    mean = statistics.w / statistics.n if statistics.n > 0.0 else best
    floor = 0.25 / (statistics.n + 1.0)
    spread = math.sqrt(max(mean * (1.0 - mean), floor))
    return math.erfc((best - mean) / (math.sqrt(2.0) * spread))


@kernel(inline=True)
def select_objective(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,
    urgencies: NDArray[Any],
) -> int:
    """Draw an edge by its fairness: Objective Monte Carlo (document 002, section 2.1.4).

    Fairness is N U(m) / (n U), with U(m) the move's urgency and U the sum of all; the factor common
    to all moves does not matter to the draw. A move without visits counts as visited once.
    """
    best = best_mean(tree, first, count, settings)
    for rank in range(count):
        visits = max(float(tree.visits[first + rank]), 1.0)
        urgencies[rank] = _objective_urgency(tree, first + rank, best, settings) / visits
    return draw_edge(tree, first, count, scratch, urgencies)


FORMULAS: dict[str, Kernel[..., float]] = {
    "ucb1": formula.ucb1,
    "ucb1-tuned": formula.ucb1_tuned,
    "greedy": formula.greedy,
    "rave": formula.rave,
    "rave-hand": formula.rave_hand,
    "rave-child": formula.rave_child,
    "rave-mse": formula.rave_mse,
    "rave-mse-exact": formula.rave_mse_exact,
    "rave-variance": formula.rave_variance,
    "progressive-bias": formula.progressive_bias,
    "puct": formula.puct,
}


@cache
def selector_of(selection: str | Kernel[..., float]) -> Kernel[..., int]:
    """Return the selection of that name, or ``select_best`` with a formula of the user's own."""
    if isinstance(selection, Kernel):
        return specialize(select_best, selection.__name__, {urgency: selection})
    if selection == "flat":
        return select_flat
    drawn = {
        "objective": select_objective,
        "gaussian": select_gaussian,
        "softmax": select_softmax,
        "progressive-pruning": select_unpruned,
    }
    if selection in drawn:
        return drawn[selection]
    if selection == "gumbel":
        return select_gumbel
    templates = {
        "ucb1": select_ucb1,
        "rave-mse-exact": select_best_remembering,
        "puct": select_by_chances,
    }
    template = templates.get(selection, select_best)
    return specialize(template, selection.replace("-", "_"), {urgency: FORMULAS[selection]})
