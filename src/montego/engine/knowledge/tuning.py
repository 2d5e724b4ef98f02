"""How the player is tuned for Go: the one place to edit when a measurement says so.

What is named here differs from the defaults of :class:`~montego.mcts.config.Config`,
:class:`~montego.go.playout.rates.Rates` and :class:`PriorWeights`; all else is as they have it.
What a person sets with an option wins over both.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import TypeAlias

from montego.go.vocabulary.errors import GoError
from montego.setting import setting, wanted_instead

_visits = partial(setting, bounds=(0.0, 1e6))


@dataclass(frozen=True, kw_only=True)
class PriorWeights:
    """Visits that each kind of knowledge about a move is worth; 0 does without it.

    Raises:
        GoError: If a weight is negative or no number.
    """

    even: float = _visits(10.0, "every move starts at one half")
    capture: float = _visits(15.0, "captures stones; more for more stones")
    escape: float = _visits(15.0, "saves stones from capture; more for more stones")
    atari: float = _visits(5.0, "puts a chain into atari")
    self_atari: float = _visits(10.0, "counts against a move that leaves its chain one liberty")
    pattern: float = _visits(10.0, "matches a 3x3 pattern")
    policy: float = _visits(10.0, "the playout policy might play it here, for a reason")
    distance_1: float = _visits(
        24.0, "at distance 1 of the last move, chains counting as one point"
    )
    distance_2: float = _visits(22.0, "at distance 2 of the last move")
    distance_3: float = _visits(8.0, "at distance 3 of the last move")
    line: float = _visits(
        10.0, "third line for, first and second line against, where nothing is near"
    )
    eye: float = _visits(10.0, "counts against filling what is nearly an eye")
    prediction: float = _visits(
        0.0, "a strong player would choose it; times the root of the chance that one does"
    )
    rules: float = _visits(
        0.0,
        "each move starts at 1 if the first rule of the playout that has any moves has it, else at "
        "one half: document 001's handcrafted heuristic",
    )
    shape: float = _visits(
        0.0,
        "each move starts at the chance to win that local shape sees after it: document 001's "
        "heuristic that was learned by temporal differences. Its C are these times "
        "prior-to-visits, its C̃ these times prior-to-amaf",
    )

    def __post_init__(self) -> None:
        for weight in fields(self):
            value = getattr(self, weight.name)
            if wanted_instead(weight, value) is not None:
                raise GoError(f"invalid weight {weight.name} {value!r}: say a number from 0")


Value: TypeAlias = int | float | bool | str | None

DEFAULT_PLAYOUT = "sequence"
"""The playout policy unless another one is asked for."""

DEFAULT_SECONDS = 3.0
"""Seconds a move where there is neither a limit nor a clock; then on all cores."""

BEGUN_ANEW = 200
"""Simulations that are made in any case where a search goes from wins to points, or back."""

TUNED: dict[str, dict[str, Value]] = {
    "search": {
        "selection": "rave-mse",
        "exploration": 0.0,  # With RAVE; else EXPLORATION_WITHOUT_RAVE.
        "rave_bias": 0.02,
        "expand_after": 4,
        "amaf_earliness": True,
        "prior_to_amaf": 0.0,  # Priors are about the next move, AMAF about moves at any time.
    },
    "rates": {},
    # What rules say about a move is part of what was learned, and says less beside it.
    "weights": {
        **{field.name: 0.0 for field in fields(PriorWeights)},
        "even": PriorWeights.even,
        "prediction": 100.0,
    },
}
"""Fields of ``Config``, ``Rates`` and ``PriorWeights`` on every board, by the groups of options."""

EXPLORATION_WITHOUT_RAVE = 0.7
"""``Config.exploration`` for other selections: PUCT of a network, plain UCT."""

TUNED_BY_SIZE: dict[int, dict[str, dict[str, Value]]] = {9: {}, 13: {}, 19: {}}
"""The same where a board wants other values, for each of the boards that are tuned for."""


def tuned_size(size: int) -> int:
    """Return which board one of that size is tuned as: the nearest, of two equals the smaller."""
    return min(TUNED_BY_SIZE, key=lambda known: (abs(known - size), known))


def tuned(group: str, size: int) -> dict[str, Value]:
    """Return the fields of a group that differ from their class's defaults on that board."""
    return TUNED[group] | TUNED_BY_SIZE[tuned_size(size)].get(group, {})
