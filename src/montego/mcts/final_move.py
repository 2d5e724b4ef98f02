"""The move to play when a search is over, by the rule that its configuration names."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from montego.jit import Kernel, interpreted
from montego.mcts.kernels.formula import Statistics
from montego.mcts.kernels.selection import FORMULAS
from montego.mcts.report import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from montego.mcts.config import Config
    from montego.mcts.report import Candidate


def final_choice(candidates: Sequence[Candidate], config: Config) -> Candidate | None:
    """Return the move to play by the configuration's rule, or None if there is none.

    With ``combined`` it is the one whose value the selection finds greatest, without a bonus for
    exploration: Algorithm 2 of document 001, which chooses its move as it chooses its path.
    """
    if config.final_move != "combined":
        return choose(candidates, config.final_move)
    # The best is the one with the greatest value; what is proven overrules that, as ever.
    valued = {
        candidate.move: value
        for candidate, value in zip(candidates, combined_values(candidates, config), strict=True)
    }
    judged = [
        replace(candidate, value=valued[candidate.move], visits=max(candidate.visits, 1))
        for candidate in candidates
    ]
    best = choose(judged, "max")
    return next(
        (candidate for candidate in candidates if best and candidate.move == best.move), None
    )


def combined_values(candidates: Sequence[Candidate], config: Config) -> list[float]:
    """Return the value of each move by the selection's formula, without exploration.

    A selection that does not judge moves one by one has their means.
    """
    formula = _formula_of(config.selection)
    if formula is None:
        return [candidate.value for candidate in candidates]
    priors = [candidate.prior_visits * config.prior_to_visits for candidate in candidates]
    parent = sum(candidate.visits for candidate in candidates) + sum(priors)
    settings = SimpleNamespace(
        exploration=0.0,
        first_play_urgency=-math.inf,
        rave_equivalence=config.rave_equivalence,
        rave_bias=config.rave_bias,
        progressive_bias=0.0,
    )
    values = []
    for candidate, prior in zip(candidates, priors, strict=True):
        to_amaf = candidate.prior_visits * config.prior_to_amaf
        won = candidate.visits * candidate.value if candidate.visits else 0.0
        statistics = Statistics(
            parent=float(parent),
            log_parent=math.log(max(parent, 1.0)),
            n=candidate.visits + prior,
            w=won + prior * candidate.prior_value,
            m=candidate.amaf_visits + to_amaf,
            a=candidate.amaf_visits * candidate.amaf_value + to_amaf * candidate.prior_value,
            squares=candidate.tally * candidate.visits + prior * candidate.prior_value,
            p=candidate.prior_value,
            combined=0.0,
        )
        values.append(float(formula(statistics, settings)))
    return values


@cache
def _formula_of(selection: str | Kernel[..., float]) -> Callable[..., Any] | None:
    """Return a selection's formula in plain Python; None if it has none."""
    kernel = selection if isinstance(selection, Kernel) else FORMULAS.get(selection)
    return None if kernel is None else interpreted(kernel)
