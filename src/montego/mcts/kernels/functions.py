"""The functions of a game as kernels call them, and what stands for those that a game lacks.

Numba has no optional functions: where a game has none, a function that does nothing is passed, and
a setting says that it is not to be called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.jit import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import Knowledge, Scratch, State

    Reals = NDArray[Any]
    LegalMoves = Callable[[State, Knowledge, Scratch, NDArray[Any]], int]
    Play = Callable[[State, Knowledge, Scratch, int], Any]
    Score = Callable[[State, Knowledge, Scratch], float]
    Playout = Callable[[State, Knowledge, Scratch], float]
    Priors = Callable[[State, Knowledge, Scratch, NDArray[Any], int, Reals, Reals], Any]
    Experience = Callable[
        [State, Knowledge, Scratch, NDArray[Any], int, Reals, Reals, Reals, Reals], Any
    ]
    Hash = Callable[[State, Knowledge, Scratch], int]
    Turn = Callable[[State, Knowledge, Scratch], int]
    Evaluate = Callable[[State, Knowledge, Scratch, NDArray[Any], int, Reals], float]

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "legal_moves": ("int64", "moves"),
    "play": ("void", "int64"),
    "score": ("float64",),
    "playout": ("float64",),
    "priors": ("void", "moves", "int64", "reals", "reals"),
    "experience": ("void", "moves", "int64", "reals", "reals", "reals", "reals"),
    "hash": ("uint64",),
    "turn": ("int64",),
    "evaluate": ("float64", "moves", "int64", "reals"),
}
"""By name, in the order in which the search takes them: what each returns, and what it is given
after ``(state, knowledge, scratch)``."""


def function_types(types: Any) -> list[Any]:
    """Return Numba's types of all functions of a game."""
    kinds = {"moves": types.int32[::1], "reals": types.float64[::1]}
    given = (types.int32[::1], types.float64[::1], types.uint64[::1])
    return [
        types.FunctionType(
            getattr(types, returned)(
                *given, *(kinds.get(kind) or getattr(types, kind) for kind in further)
            )
        )
        for returned, *further in FUNCTIONS.values()
    ]


@kernel
def no_playout(state: State, knowledge: Knowledge, scratch: Scratch) -> float:  # noqa: ARG001
    """Stand for the random playout that the search makes of a game's moves."""
    return 0.0


@kernel
def no_priors(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    values: Reals,
    visits: Reals,
) -> None:
    """Stand for the priors of a game that has none."""


@kernel
def no_experience(
    state: State,
    knowledge: Knowledge,
    scratch: Scratch,
    moves: NDArray[Any],
    count: int,
    values: Reals,
    visits: Reals,
    amaf_values: Reals,
    amaf_visits: Reals,
) -> None:
    """Stand for the experience of a game that keeps none."""


@kernel
def no_hash(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Stand for the hash of a game in which positions may come again."""
    return 0


@kernel
def alternating(state: State, knowledge: Knowledge, scratch: Scratch) -> int:  # noqa: ARG001
    """Stand for whose turn it is in a game whose players move in turn."""
    return 0


@kernel
def no_evaluation(
    state: State,  # noqa: ARG001
    knowledge: Knowledge,  # noqa: ARG001
    scratch: Scratch,  # noqa: ARG001
    moves: NDArray[Any],  # noqa: ARG001
    count: int,  # noqa: ARG001
    chances: Reals,  # noqa: ARG001
) -> float:
    """Stand for the evaluation of a game that has none."""
    return 0.5
