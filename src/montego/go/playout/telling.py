"""A playout told move by move, each with its reason: for people, not for playouts.

The policy's own source runs, interpreted, with a :func:`~montego.go.playout.reason.record` that
keeps the reasons. So nobody who asks once waits for a compiler, and what is told is the game that
the compiled playout plays with the same seed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.go.kernels.layout import PASS, SIZE, TO_PLAY, coordinates_of
from montego.go.playout.knowledge import new_knowledge
from montego.go.playout.policy import find_policy
from montego.go.playout.reason import Reason, is_told, record
from montego.go.playout.scratch import MOVES_PER_POINT
from montego.go.vocabulary.color import format_color, opponent
from montego.go.vocabulary.vertex import format_vertex
from montego.jit import interpreted
from montego.jit.state import new_scratch

if TYPE_CHECKING:
    from montego.jit.state import Knowledge, State


class ToldMove(NamedTuple):
    """A move of a playout, and how it came about."""

    color: str
    vertex: str
    reason: Reason


@dataclass(frozen=True)
class ToldPlayout:
    """A whole playout."""

    moves: tuple[ToldMove, ...]
    score: int
    """Black's area minus White's as the policy counts it, without komi."""

    def counts(self) -> dict[Reason, int]:
        """Return how many moves each reason made, the most frequent first."""
        return dict(Counter(move.reason for move in self.moves).most_common())


def tell_playout(
    base: State,
    policy: str,
    seed: int,
    *,
    knowledge: Knowledge | None = None,
    limit: int | None = None,
) -> ToldPlayout:
    """Play one game from *base*, which stays as it is, to the end or for *limit* moves.

    *knowledge* has the rates and patterns; without, the usual ones. A game that two passes have
    ended is only counted.

    Raises:
        GoError: If there is no such policy.
    """
    found = find_policy(policy)
    size = int(base[SIZE])
    most = MOVES_PER_POINT * size * size if limit is None else limit
    told: list[tuple[int, Reason]] = []

    def keep(scratch: Any, length: int, move: int, reason: int) -> None:
        record.python(scratch, length, move, reason)
        told.append((int(move), Reason(int(reason))))

    playout = interpreted(found.playout, {record: keep, is_told: lambda: True})
    score = playout(
        base.copy(),
        new_knowledge() if knowledge is None else knowledge,
        new_scratch(most, seed, found.room(size)),
    )
    colors = int(base[TO_PLAY]), opponent(int(base[TO_PLAY]))
    return ToldPlayout(
        tuple(
            ToldMove(format_color(colors[number % 2]), _name(move, size), reason)
            for number, (move, reason) in enumerate(told)
        ),
        int(score),
    )


def _name(move: int, size: int) -> str:
    return format_vertex(None if move == PASS else coordinates_of(move, size))
