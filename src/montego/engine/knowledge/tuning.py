"""How the player is tuned for Go: the one place to edit when a measurement says so.

What is named here differs from the defaults of :class:`~montego.mcts.config.Config`,
:class:`~montego.go.playout.rates.Rates` and
:class:`~montego.engine.knowledge.weights.PriorWeights`; all else is as they have it. What a person
sets with an option wins over both.
"""

from __future__ import annotations

from typing import TypeAlias

Value: TypeAlias = int | float | bool | str | None

DEFAULT_PLAYOUT = "sequence"
"""The playout policy unless another one is asked for."""

DEFAULT_SECONDS = 3.0
"""Seconds a move where there is neither a limit nor a clock; then on all cores."""

BEGUN_ANEW = 200
"""Simulations that are made in any case where a search goes from wins to points, or back."""

SIZES = (9, 13, 19)
"""The boards that are tuned for. Others take the settings of the nearest one."""

SEARCH: dict[str, Value] = {
    "selection": "rave-mse",
    "exploration": 0.0,  # With RAVE; without it the search explores as Config does.
    "expand_after": 4,
    "amaf_earliness": True,
    "prior_to_amaf": 0.0,  # Priors are about the next move, AMAF about moves at any time.
}
"""Fields of ``Config`` on every board."""

SEARCH_BY_SIZE: dict[int, dict[str, Value]] = {9: {}, 13: {}, 19: {}}
"""Fields of ``Config`` that want another value on some board."""

RATES: dict[str, Value] = {}
"""Fields of ``Rates`` on every board."""

RATES_BY_SIZE: dict[int, dict[str, Value]] = {9: {}, 13: {}, 19: {}}
"""Fields of ``Rates`` that want another value on some board."""

WEIGHTS: dict[str, Value] = {
    "prediction": 100.0,
    # What rules say about a move is part of what was learned, and says less beside it.
    "capture": 0.0,
    "escape": 0.0,
    "atari": 0.0,
    "self_atari": 0.0,
    "pattern": 0.0,
    "policy": 0.0,
    "distance_1": 0.0,
    "distance_2": 0.0,
    "distance_3": 0.0,
    "line": 0.0,
    "eye": 0.0,
}
"""Fields of ``PriorWeights`` on every board."""

WEIGHTS_BY_SIZE: dict[int, dict[str, Value]] = {9: {}, 13: {}, 19: {}}
"""Fields of ``PriorWeights`` that want another value on some board."""


def tuned_size(size: int) -> int:
    """Return which of :data:`SIZES` a board of that size is tuned as; of two equals the smaller."""
    return min(SIZES, key=lambda tuned: (abs(tuned - size), tuned))


def tuned_search(size: int) -> dict[str, Value]:
    """Return the fields of ``Config`` that differ from its defaults on that board."""
    return SEARCH | SEARCH_BY_SIZE[tuned_size(size)]


def tuned_rates(size: int) -> dict[str, Value]:
    """Return the fields of ``Rates`` that differ from its defaults on that board."""
    return RATES | RATES_BY_SIZE[tuned_size(size)]


def tuned_weights(size: int) -> dict[str, Value]:
    """Return the fields of ``PriorWeights`` that differ from its defaults on that board."""
    return WEIGHTS | WEIGHTS_BY_SIZE[tuned_size(size)]
