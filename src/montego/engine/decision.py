"""What the player decided, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.engine.searching.analysis import Analysis


class DecisionReason(Enum):
    """Why the player answers what it answers; the value is the reason in words."""

    SEARCH = "the search prefers it"
    EXPERIENCE = "it did best in earlier games"
    LEVEL = "the level plays less than its best"
    COLD_START = "the search is still being compiled; a move by simple rules"
    NOTHING_TO_GAIN = "the result is settled and nothing is left to gain"
    ANSWERED_PASS = "the opponent passed, and the count is good enough"  # noqa: S105  # No password.
    CLEANUP = "dead stones are to be captured before the end"
    ADVICE = "the search and its adviser prefer it together"
    NO_MOVES = "there is no move left but to pass"
    RESIGNED = "the game is lost"
    CANCELLED = "the search was cancelled"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The answer to ``genmove``."""

    color: str
    """``"black"`` or ``"white"``: who is to play it."""
    vertex: str | None
    """``"D4"``, ``"pass"``, ``"resign"``; None if the search was cancelled."""
    reason: DecisionReason
    analysis: Analysis | None
    """What the search found; None if there was none. Its komi may be an imagined one."""
    seconds: float
    """Time it took to decide."""
    note: str = ""
    """More about the reason, in a few words: why it passes, or does not."""
    advice: tuple[str, ...] = ()
    """What an adviser said and what that changed, in words; nothing without one."""

    @property
    def is_move(self) -> bool:
        """Whether it can be played on the board: a point or a pass."""
        return self.vertex is not None and self.vertex != "resign"
