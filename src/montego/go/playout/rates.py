"""How the sequence-like playout weighs its rules: the parameters a person can set."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial

from montego.go.vocabulary.errors import GoError
from montego.setting import setting, wanted_instead

_rate = partial(setting, bounds=(0.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class Rates:
    """The chance that a playout tries each rule at a move, from 0 (never) to 1 (always).

    The rules are tried in this order; the first that finds a move plays it.

    Raises:
        GoError: If a rate is outside its range.
    """

    ko: float = _rate(0.4, "retake a ko that was taken two moves ago or less")
    capture: float = _rate(1.0, "capture the stone just played and its chain")
    atari: float = _rate(0.9, "save chains that the last move put into atari, larger ones first")
    two_liberties: float = _rate(
        0.8, "attack and defend chains with two liberties at the last move"
    )
    eye_fix: float = _rate(1.0, "save an eye that the last move threatens to make false")
    nakade: float = _rate(0.8, "play the vital point of a small eye space at the last move")
    pattern: float = _rate(1.0, "3x3 patterns around the last two moves")
    fill_board: float = _rate(
        0.0, "tries to find an empty 3x3 area far from stones", bounds=(0.0, 100.0)
    )
    self_atari: float = _rate(
        0.6, "refuse a self-atari, and play the chain's other liberty instead"
    )
    ladder: float = _rate(1.0, "read a ladder before running out of atari")

    def __post_init__(self) -> None:
        for rate in fields(self):
            value = getattr(self, rate.name)
            wanted = wanted_instead(rate, value)
            if wanted is not None:
                raise GoError(f"invalid rate {rate.name} {value!r}: say {wanted}")
