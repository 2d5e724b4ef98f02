"""What prior knowledge is worth: the equivalent experience of each source, in visits."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial

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

    def __post_init__(self) -> None:
        for weight in fields(self):
            value = getattr(self, weight.name)
            if wanted_instead(weight, value) is not None:
                raise GoError(f"invalid weight {weight.name} {value!r}: say a number from 0")
