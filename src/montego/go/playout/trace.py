"""A playout traced move by move, each with its reason: for people, not for playouts.

The policy's own source runs, interpreted, with a :func:`~montego.go.playout.reason.record` that
keeps the reasons. So nobody who asks once waits for a compiler, and what is shown is the game that
the compiled playout plays with the same seed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.go.kernels.layout import SIZE, TO_PLAY, format_move
from montego.go.playout.knowledge import MOVES_PER_POINT, new_knowledge
from montego.go.playout.policy import find_policy
from montego.go.playout.reason import Reason, is_traced, record
from montego.go.vocabulary.color import format_color, opponent
from montego.jit import interpreted
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from montego.go.playout.order import RuleOrder
    from montego.go.vocabulary.color import Color
    from montego.jit.state import Knowledge, State


class TracedMove(NamedTuple):
    """A move of a playout, and how it came about."""

    color: Color
    vertex: str
    reason: Reason


@dataclass(frozen=True)
class TracedPlayout:
    """A whole playout."""

    moves: tuple[TracedMove, ...]
    score: int
    """Black's area minus White's as the policy counts it, without komi."""

    def counts(self) -> dict[Reason, int]:
        """Return how many moves each reason made, the most frequent first."""
        return dict(Counter(move.reason for move in self.moves).most_common())


def trace_playout(
    base: State,
    policy: str,
    seed: int,
    *,
    knowledge: Knowledge | None = None,
    limit: int | None = None,
    order: RuleOrder | None = None,
) -> TracedPlayout:
    """Play one game from *base*, which stays as it is, to the end or for *limit* moves.

    *knowledge* has the rates and patterns; without, the usual ones. *order* is that of the rules,
    if *knowledge* was made with one. A game that two passes have ended is only counted.

    Raises:
        GoError: If there is no such policy.
    """
    found = find_policy(policy, order)
    size = int(base[SIZE])
    most = MOVES_PER_POINT * size * size if limit is None else limit
    traced: list[tuple[int, Reason]] = []

    def keep(scratch: Any, length: int, move: int, reason: int) -> None:
        record.python(scratch, length, move, reason)
        traced.append((int(move), Reason(int(reason))))

    playout = interpreted(found.playout, {record: keep, is_traced: lambda: True})
    score = playout(
        base.copy(),
        new_knowledge(balanced=found.weights()) if knowledge is None else knowledge,
        new_scratch(most, seed, found.room(size)),
    )
    colors = int(base[TO_PLAY]), opponent(int(base[TO_PLAY]))
    return TracedPlayout(
        tuple(
            TracedMove(format_color(colors[number % 2]), format_move(move, size), reason)
            for number, (move, reason) in enumerate(traced)
        ),
        int(score),
    )
