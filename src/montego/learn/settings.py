"""What can be set of learning, with bounds and meaning. Loads nothing that takes long."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any

from montego.go.local_shape import LEAST_SIZE, MOST_SIZE
from montego.go.vocabulary.rules import KOMI_LIMIT
from montego.go.vocabulary.vertex import MAX_SIZE
from montego.learn.errors import LearnError
from montego.setting import setting, wanted_instead

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

METHODS = ("gradient", "mm")


@dataclass(frozen=True, kw_only=True)
class MoveSettings:
    """How moves are learned.

    Raises:
        LearnError: If a setting has a value that it cannot have.
    """

    size: int = setting(9, "lines of the board", bounds=(5, MAX_SIZE), flag="N")
    method: str = setting(
        "gradient",
        "gradient: stochastic gradient ascent, good after one or two passes; mm: "
        "minorization-maximization, as Coulom's, which wants more",
        choices=METHODS,
        flag="WORD",
    )
    passes: int = setting(2, "times that all games are gone through", bounds=(1, 1000), flag="N")
    least: int = setting(
        15, "shapes that were played less often are not learned", bounds=(1, 10**9), flag="N"
    )
    rate: float = setting(0.1, "of the gradient's steps", bounds=(1e-6, 10.0), flag="X")
    seed: int = setting(1, "of the order of the games", bounds=(0, 2**63 - 1), flag="N")

    def __post_init__(self) -> None:
        _check(self)


_settings = partial(setting, flag="X")


@dataclass(frozen=True, kw_only=True)
class ShapeSettings:
    """How local shape is learned.

    Raises:
        LearnError: If a setting has a value that it cannot have.
    """

    size: int = setting(9, "lines of the board", bounds=(LEAST_SIZE, MOST_SIZE), flag="N")
    komi: float = _settings(7.5, "what White gets", bounds=(-KOMI_LIMIT, KOMI_LIMIT))
    exploration: float = _settings(
        0.1, "share of the moves that are any legal ones, not the best", bounds=(0.0, 1.0)
    )
    rate: float = _settings(
        1.0, "how far a value goes towards what came of its position", bounds=(1e-6, 10.0)
    )
    decay: float = _settings(
        50_000.0, "games after which the rate is half of that", bounds=(1.0, 1e12)
    )
    trace: float = _settings(
        0.8,
        "λ: 0 learns from the value of the next position alone, TD(0), and 1 from the result of "
        "the game alone",
        bounds=(0.0, 1.0),
    )
    seed: int = setting(1, "of the random numbers", bounds=(0, 2**63 - 1), flag="N")

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, kw_only=True)
class BalanceSettings:
    """How playouts are balanced.

    Raises:
        LearnError: If a setting has a value that it cannot have.
    """

    size: int = setting(9, "lines of the board", bounds=(5, MAX_SIZE), flag="N")
    komi: float = _settings(7.5, "what White gets", bounds=(-KOMI_LIMIT, KOMI_LIMIT))
    playouts: int = setting(
        32,
        "of a position at a time, and as many again: the error of one half meets the gradient of "
        "the other",
        bounds=(1, 10**6),
        flag="N",
    )
    imitation: int = setting(
        10,
        "passes over the moves that were made in the positions, to begin with weights by which "
        "they are likely; 0: begin with all moves alike",
        bounds=(0, 1000),
        flag="N",
    )
    batch: int = setting(32, "positions for a step", bounds=(1, 10**6), flag="N")
    rate: float = _settings(3.0, "of the steps", bounds=(1e-9, 1e6))
    decay: float = _settings(
        8000.0, "positions after which the rate is half of that", bounds=(1.0, 1e12)
    )
    seed: int = setting(1, "of the random numbers", bounds=(0, 2**63 - 1), flag="N")

    def __post_init__(self) -> None:
        _check(self)


def check_unchanged(
    path: str | os.PathLike[str],
    kept: Mapping[str, Any],
    settings: Any,
    *,
    free: Collection[str] = (),
    also: Sequence[str] = (),
) -> None:
    """Refuse to go on from a file that was learned with other settings.

    *kept* are the file's, by name. Those in *free* may be others now; *also* is what else is not
    the same, in words.

    Raises:
        LearnError: If anything is not the same.
    """
    wanted = {name: value for name, value in asdict(settings).items() if name not in free}
    other = [f"{name} {kept.get(name)}" for name in wanted if kept.get(name) != wanted[name]]
    other += also
    if other:
        raise LearnError(
            f"{os.fspath(path)!r} was learned with {', '.join(other)}: say the same to go on, or "
            "name another file"
        )


def _check(settings: Any) -> None:
    for field in fields(settings):
        value = getattr(settings, field.name)
        wanted = wanted_instead(field, value)
        if wanted is not None:
            raise LearnError(f"invalid {field.name} {value!r}: say {wanted}")
