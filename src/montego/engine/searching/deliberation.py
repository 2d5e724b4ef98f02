"""When to stop thinking: early if nothing can change any more, late if the choice is unclear.

Pure logic over the statistics at the root, for games with a clock. Searches with fixed simulations
or seconds have the search's own early stop.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from montego.mcts.kernels.tree import EXPANDED, ROOT, UNIT

if TYPE_CHECKING:
    from montego.engine.clock import TimeBudget
    from montego.mcts.kernels.tree import Tree

FIRST_LOOK = 0.25  # Part of the target before which no choice is called settled.
CLOSE = 1.3  # Below this ratio of visits the two best moves are as good as equal.
CLEAR = 2.5  # Above this ratio the choice is clear.
SHORT_EXTENSION = 1.5  # How many targets a choice in between may take.
ENOUGH_VISITS = 0.5  # Share of the leader's visits from which a better value makes it doubtful.


def left_to_search(simulations: int, recalled: int, least: float) -> int:
    """Return how many simulations are wanted where *recalled* visits were made in earlier games.

    A share of *least* is made in any case, and one at least.
    """
    return max(simulations - recalled, math.ceil(simulations * least), 1)


def is_known(made: int, recalled: int, elapsed: float, seconds: float, least: float) -> bool:
    """Say whether *recalled* visits and those *made* so far are what *seconds* would have given.

    By the pace so far; a share of *least* of the time is taken in any case.
    """
    if recalled <= 0 or elapsed < least * seconds:
        return False
    return made + recalled >= made / max(elapsed, 1e-6) * seconds


class Standing(NamedTuple):
    """The two leading moves at the root."""

    visits: int
    """Of the most visited move."""
    second_visits: int
    value: float
    second_value: float
    simulations: int
    """Made in this search so far."""


def standing_of(tree: Tree, simulations: int) -> Standing | None:
    """Return how the two leading moves at the root stand; None if too little is known."""
    if tree.expansion[ROOT] != EXPANDED:
        return None
    first, count = int(tree.first_edge[ROOT]), int(tree.edge_count[ROOT])
    visits = tree.visits[first : first + count].copy()
    if count < 2 or visits.max() == 0:
        return None
    leader = int(visits.argmax())
    most = int(visits[leader])
    visits[leader] = -1
    second = int(visits.argmax())
    second_visits = int(visits[second])
    return Standing(
        visits=most,
        second_visits=second_visits,
        value=float(tree.value[first + leader]) * UNIT / max(most, 1),
        second_value=float(tree.value[first + second]) * UNIT / max(second_visits, 1),
        simulations=simulations,
    )


def is_settled(standing: Standing, elapsed: float, until: float) -> bool:
    """Say whether the second move cannot catch up by *until* at the pace so far."""
    pace = standing.simulations / max(elapsed, 1e-6)
    return standing.visits - standing.second_visits > pace * max(until - elapsed, 0.0)


def is_enough(
    standing: Standing | None, elapsed: float, budget: TimeBudget, *, early_stop: bool = True
) -> bool:
    """Say whether to stop thinking after *elapsed* seconds.

    *standing* is None if nothing is known yet; then only the limit counts. Without *early_stop*
    the target is always used up.
    """
    if elapsed >= budget.most:
        return True
    if standing is None or elapsed < FIRST_LOOK * budget.target:
        return False
    if elapsed < budget.target:
        return early_stop and is_settled(standing, elapsed, budget.target)
    if is_settled(standing, elapsed, budget.most):
        return True
    ratio = standing.visits / max(standing.second_visits, 1)
    doubtful = (
        standing.second_value > standing.value
        and standing.second_visits >= ENOUGH_VISITS * standing.visits
    )
    if ratio < CLOSE or doubtful:
        return False
    return ratio >= CLEAR or elapsed >= SHORT_EXTENSION * budget.target
