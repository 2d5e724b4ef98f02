"""The playout policies by name. Their kernels are loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from montego.go.playout.order import RuleOrder
    from montego.jit import Kernel
    from montego.jit.state import Knowledge, Scratch, State


class Policy(NamedTuple):
    """A way of playing to the end: where its kernel is, and what it does."""

    module: str
    function: str
    meaning: str

    @property
    def playout(self) -> Kernel[[State, Knowledge, Scratch], int]:
        """The kernel. Loads its module."""
        kernel: Kernel[[State, Knowledge, Scratch], int] = getattr(self._load(), self.function)
        return kernel

    def room(self, size: int) -> int:
        """Return how many integers of scratch space of its own the policy needs."""
        room: Callable[[int], int] | None = getattr(self._load(), f"{self.function}_room", None)
        return 0 if room is None else room(size)

    def weights(self) -> NDArray[np.float64] | None:
        """Return the learned weights that the policy plays by, those that come along; or None."""
        weights: Callable[[], NDArray[np.float64]] | None = getattr(
            self._load(), f"{self.function}_weights", None
        )
        return None if weights is None else weights()

    def _load(self) -> object:
        return import_module(f"montego.go.playout.{self.module}")


POLICIES = {
    "uniform": Policy("uniform", "uniform", "any legal move but into an eye (diagonal rule)"),
    "uniform-enclosed": Policy(
        "uniform", "uniform_enclosed", "any legal move but into an eye of a single chain"
    ),
    "uniform-prisoners": Policy(
        "uniform",
        "uniform_prisoners",
        "the same, counted by prisoners and empty points instead of the area",
    ),
    "naive": Policy("naive", "naive", "chains found by scanning after each move"),
    "common-fate": Policy("common_fate", "common_fate", "chains merged into one node of a graph"),
    "analyze-after": Policy(
        "analyze_after", "analyze_after", "stones placed without captures, settled at the end"
    ),
    "analyze-after-captures": Policy(
        "analyze_after",
        "analyze_after_captures",
        "the same, counted by captured stones instead of the area",
    ),
    "sequence": Policy("sequence", "sequence", "answers to the last moves, else at random"),
    "urgency": Policy(
        "urgency", "urgency", "captures, escapes and patterns more often than others"
    ),
    "balanced": Policy("balanced.softmax", "balanced", "any move, as often as learned weights say"),
}


_IN_ORDER = Policy("ordered", "in_order", "answers to the last moves in an order of one's own")


def find_policy(name: str, order: RuleOrder | None = None) -> Policy:
    """Return the policy of that name; for ``sequence``, the one that plays its rules in *order*.

    Raises:
        GoError: If there is none; the message lists the names.
    """
    policy = POLICIES.get(name)
    if policy is None:
        raise GoError(f"unknown playout policy {name!r}: say one of {', '.join(POLICIES)}")
    if name == "sequence" and order is not None and not order.is_usual:
        return _IN_ORDER
    return policy
