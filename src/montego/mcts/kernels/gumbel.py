"""Choosing moves by an evaluation: PUCT, and Gumbel's way for few visits (Danihelka et al. 2022).

Both want what ``Config.evaluation`` gives a node: the chance of each move, in ``prior_value``, and
the node's own value, in ``judged``. A node's *improved policy* is softmax(ln p + σ(q)), p a move's
chance and q its value, where σ(q) = (visits + most) · scale · q grows with the visits of the most
visited move. A move without visits has the node's mixed value for its own.

At the root the moves compete in rounds (sequential halving): all that are considered get the same
visits, then the better half of them, and so on; which moves are considered is drawn by adding
Gumbel's noise to ln p. Below the root the visits follow the improved policy without a draw.
``memo`` keeps ln p of every edge, at the root with its noise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit import kernel
from montego.jit.index import Index
from montego.jit.state import RANDOM, advance
from montego.mcts.kernels.tree import NO_EDGE, ROOT, UNIT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import Scratch
    from montego.mcts.kernels.settings import Settings
    from montego.mcts.kernels.tree import Tree

LEAST_CHANCE = 1e-9  # The logarithm of less says no more.
GROWTH_BASE = 500.0  # Visits at which PUCT's exploration begins to grow.
_RANDOM_UNIT = 1.0 / 9007199254740992.0


@kernel(inline=True)
def draw_real(scratch: Scratch) -> float:
    """Advance the random numbers and return one above 0 and below 1."""
    random = advance(Index(scratch[RANDOM]))
    scratch[RANDOM] = random
    return (float(np.int64(random >> Index(11))) + 0.5) * _RANDOM_UNIT


@kernel(inline=True)
def log_chance(chance: float) -> float:
    """Return the logarithm of a move's chance, which may be 0."""
    return math.log(max(chance, LEAST_CHANCE))


@kernel(inline=True)
def gumbel(scratch: Scratch) -> float:
    """Draw from Gumbel's distribution."""
    return -math.log(-math.log(draw_real(scratch)))


@kernel
def soften_noise(tree: Tree, loudness: float) -> None:
    """Multiply the noise of the root's moves."""
    first = int(tree.first_edge[ROOT])
    for edge in range(first, first + int(tree.edge_count[ROOT])):
        plain = log_chance(np.float64(tree.prior_value[edge]))
        tree.memo[edge] = plain + loudness * (np.float64(tree.memo[edge]) - plain)


@kernel(inline=True)
def mixed_value(tree: Tree, node: int, first: int, count: int) -> tuple[float, int, int]:
    """Return a node's mixed value, the visits of all its moves, and of the most visited one.

    The mixed value is the mean of the node's own and, by their chances, of the moves that were
    tried, which counts for as much as their visits (equation 33).
    """
    total, most = 0, 0
    tried, weighted = 0.0, 0.0
    for edge in range(first, first + count):
        visits = int(tree.visits[edge])
        if visits > 0:
            chance = max(np.float64(tree.prior_value[edge]), LEAST_CHANCE)
            total += visits
            most = max(most, visits)
            tried += chance
            weighted += chance * (float(tree.value[edge]) * UNIT / float(visits))
    value: float = np.float64(tree.judged[node])
    if total > 0:
        value = (value + float(total) * (weighted / tried)) / (1.0 + float(total))
    return value, total, most


@kernel(inline=True)
def improve(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scores: NDArray[Any],
) -> tuple[int, float]:
    """Write ``memo`` + σ(q) for each move; return the visits of all of them and the best score.

    A move that is closed gets less than anything.
    """
    mixed, total, most = mixed_value(tree, node, first, count)
    scale = (settings.gumbel_visits + float(most)) * settings.gumbel_scale
    best = -math.inf
    for rank in range(count):
        edge = first + rank
        visits = int(tree.visits[edge])
        value = mixed
        if visits > 0:
            value = float(tree.value[edge]) * UNIT / float(visits)
        score: float = np.float64(tree.memo[edge]) + scale * value
        if tree.prior_visits[edge] < 0.0:
            score = -math.inf
        scores[rank] = score
        best = max(best, score)
    return total, best


@kernel(inline=True)
def to_chances(scores: NDArray[Any], count: int) -> None:
    """Turn scores into chances that add up to 1: softmax. At least one must be finite."""
    best = -math.inf
    for rank in range(count):
        best = max(best, scores[rank])
    total = 0.0
    for rank in range(count):
        scores[rank] = math.exp(scores[rank] - best)
        total += scores[rank]
    for rank in range(count):
        scores[rank] /= total


@kernel(inline=True)
def visits_in_turn(simulation: int, simulations: int, considered: int) -> int:
    """Return how many visits a move has when it is its turn at the root (sequential halving).

    *simulation* counts from 0; of *simulations* in all each round gets as many.
    """
    rounds = 1
    while 1 << rounds < considered:
        rounds += 1
    left, begin, visits = considered, 0, 0
    while True:
        each = max(simulations // (rounds * left), 1)
        if simulation < begin + each * left or left <= 1:
            return visits + (simulation - begin) // left
        begin += each * left
        visits += each
        left = max(left // 2, 2)


@kernel(inline=True)
def select_gumbel(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,  # noqa: ARG001
    urgencies: NDArray[Any],
) -> int:
    """Return the edge whose turn it is at the root, and below it the one furthest behind.

    Behind what the improved policy would have given it of the visits so far.
    """
    total, greatest = improve(tree, node, first, count, settings, urgencies)
    best, chosen = -math.inf, NO_EDGE
    if node == ROOT and total < settings.planned:
        considered = min(settings.considered, count)
        wanted = visits_in_turn(total, settings.planned, max(considered, 1))
        for rank in range(count):
            if tree.visits[first + rank] == wanted and urgencies[rank] > best:
                best, chosen = urgencies[rank], first + rank
        if chosen != NO_EDGE:
            return chosen
    if greatest == -math.inf:
        return NO_EDGE
    # As few passes as can be: on a GPU each waits for memory, and nothing else is to be done.
    weight = 0.0
    for rank in range(count):
        urgencies[rank] = math.exp(urgencies[rank] - greatest)
        weight += urgencies[rank]
    best = -math.inf
    for rank in range(count):
        behind = urgencies[rank] / weight - float(tree.visits[first + rank]) / (1.0 + float(total))
        if behind > best:  # Never a closed move: it weighs nothing, and one is behind by more.
            best, chosen = behind, first + rank
    return chosen


@kernel
def gumbel_choice(tree: Tree, node: int, settings: Settings, scores: NDArray[Any]) -> int:
    """Return the edge to play: of the most visited the one with the best score; NO_EDGE if none."""
    first, count = int(tree.first_edge[node]), int(tree.edge_count[node])
    improve(tree, node, first, count, settings, scores)
    most, best, chosen = -1, -math.inf, NO_EDGE
    for rank in range(count):
        visits = int(tree.visits[first + rank])
        if scores[rank] > -math.inf and (visits > most or (visits == most and scores[rank] > best)):
            most, best, chosen = visits, scores[rank], first + rank
    return chosen


@kernel
def improved_policy(tree: Tree, node: int, settings: Settings, chances: NDArray[Any]) -> int:
    """Write the improved policy of an expanded node, a chance for each move; return how many.

    Without the root's noise: this is what a network learns.
    """
    first, count = int(tree.first_edge[node]), int(tree.edge_count[node])
    improve(tree, node, first, count, settings, chances)
    for rank in range(count):
        edge = first + rank
        noise = np.float64(tree.memo[edge]) - log_chance(np.float64(tree.prior_value[edge]))
        chances[rank] -= noise
    to_chances(chances, count)
    return count


@kernel(inline=True)
def select_puct(
    tree: Tree,
    node: int,
    first: int,
    count: int,
    settings: Settings,
    scratch: Scratch,  # noqa: ARG001
    urgencies: NDArray[Any],
) -> int:
    """Return the edge with the greatest q + c p √N / (1 + n) (Silver et al. 2017).

    A move without visits has the node's mean value, less a reduction that grows with the chances of
    the moves that were tried; c grows with the visits of the node.
    """
    total, tried = 0, 0.0
    rewards: float = np.float64(tree.judged[node])
    for edge in range(first, first + count):
        visits = int(tree.visits[edge])
        if visits > 0:
            total += visits
            tried += np.float64(tree.prior_value[edge])
            rewards += float(tree.value[edge]) * UNIT
    unseen = rewards / (1.0 + float(total)) - settings.first_play_reduction * math.sqrt(tried)
    growth = settings.exploration_growth * math.log(1.0 + float(total) / GROWTH_BASE)
    bonus = (settings.exploration + growth) * math.sqrt(max(float(total), 1.0))
    best, chosen = -math.inf, NO_EDGE
    for rank in range(count):
        edge = first + rank
        times = float(tree.visits[edge])
        value = float(tree.value[edge]) * UNIT / times if times > 0.0 else unseen
        urgencies[rank] = value + bonus * np.float64(tree.prior_value[edge]) / (1.0 + times)
        if tree.prior_visits[edge] >= 0.0 and urgencies[rank] > best:
            best, chosen = urgencies[rank], edge
    return chosen
