"""A question to the player, with everything that its answer depends on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from montego.engine.decision import Decision

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from montego.engine.adviser.hybrid import Counsel
    from montego.engine.clock import TimeBudget
    from montego.engine.decision import DecisionReason
    from montego.engine.ending.judge import Judge
    from montego.engine.options.options import Options
    from montego.engine.searching.analysis import Analysis, Restriction, VertexLimit
    from montego.engine.searching.searcher import Searcher
    from montego.go.game import Game


class Asked(TypedDict, total=False):
    """What a caller may ask for beside a move; each may be left out."""

    cleanup: bool
    """Capture dead stones before passing: ``kgs-genmove_cleanup``."""
    restrict: Restriction | None
    """Moves not to be considered."""
    report: Callable[[Analysis], None] | None
    """Called with what is known so far, by the thinking thread, and once more at the end.

    As ``Analysis.in_truth`` has it: whoever follows a game knows only one komi.
    """
    every: float | None
    """Seconds between reports; None or 0 for the one at the end only."""
    ownership: bool
    """Whether reports say who owns each point."""
    glance: int | None
    """For many reports a second: how many moves those on the way list. They are as
    ``Observer.glance`` says, and sample scores and owners only once in a while."""
    interrupt: threading.Event | None
    """Ends the thinking as ``Player.stop`` does; may be set before it begins."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """Everything that a decision depends on. The last fields are as in :class:`Asked`."""

    game: Game
    color: str
    options: Options
    """With the level's changes filled in."""
    level: str | None
    searcher: Searcher
    judge: Judge
    begun: float
    """When the question came, by ``time.perf_counter``."""
    budget: TimeBudget | None
    """What the clock allows; None without one."""
    offset: float
    """Points of komi that are only imagined."""
    points: bool | None
    """Whether to count points, since the game was decided at the last move; None if that is not
    known."""
    halt: threading.Event
    """Set by whoever wants the thinking to end."""
    cleanup: bool = False
    restrict: Restriction | None = None
    report: Callable[[Analysis], None] | None = None
    every: float | None = None
    ownership: bool = False
    glance: int | None = None
    interrupt: threading.Event | None = None
    counsel: Counsel | None = None
    """The question to an adviser, if there is one."""

    @property
    def elapsed(self) -> float:
        """Seconds since the question came."""
        return time.perf_counter() - self.begun

    def is_interrupted(self) -> bool:
        """Say whether somebody wants it to end."""
        return self.halt.is_set() or (self.interrupt is not None and self.interrupt.is_set())

    def at_root(self) -> tuple[frozenset[str] | None, frozenset[str]]:
        """Return the only vertices allowed, None for all, and those to be avoided."""
        if self.restrict is None:
            return None, frozenset()
        return self.restrict.at_root(self.color)

    def allows(self, vertex: str) -> bool:
        """Say whether the client lets the next move be there."""
        allowed, avoided = self.at_root()
        return vertex not in avoided and (allowed is None or vertex in allowed)

    @property
    def limits(self) -> tuple[VertexLimit, ...]:
        """What the search is not to consider, for either player and to any depth."""
        return () if self.restrict is None else self.restrict.limits

    def answer(
        self, vertex: str, reason: DecisionReason, analysis: Analysis | None = None, note: str = ""
    ) -> Decision:
        """Return the decision to play *vertex*."""
        return Decision(
            color=self.color,
            vertex=vertex,
            reason=reason,
            analysis=analysis,
            seconds=self.elapsed,
            note=note,
        )
