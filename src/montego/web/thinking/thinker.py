"""What a session asks of an engine: Montego itself, or a program behind GTP.

All methods but :meth:`Thinker.preparation` and :meth:`Thinker.close` are called by the session's
worker thread, one at a time, and may take as long as they need; they end soon after
``Question.interrupt`` is set. Whoever cannot answer raises ``ValueError`` with a sentence.

Chances are Black's, scores Black's points minus White's, as everywhere in the protocol.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from montego.web.messages.replies import MoveReport, Progress
from montego.web.messages.requests import ClockSettings, Strength

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from montego.engine.options.options import Options
    from montego.web.game.referee import State
    from montego.web.messages.replies import ClockFace
    from montego.web.messages.requests import Color

READY = Progress(text="")
"""What :meth:`Thinker.preparation` says when there is nothing to wait for."""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a search knows about a position at one moment."""

    to_play: Color
    simulations: int
    seconds: float
    value: float
    """Black's chance if the best move is played."""
    score: float | None = None
    moves: list[MoveReport] = field(default_factory=list)
    """Best first, at most 30."""
    ownership: list[float] | None = None


@dataclass(frozen=True, kw_only=True)
class Question:
    """A position to think about, and how."""

    state: State
    """The referee's, for the position."""
    moves: tuple[tuple[Color, str], ...]
    """From the root to the position: what the thinker follows to keep its tree."""
    color: Color
    """Who is to move."""
    strength: Strength = field(default_factory=Strength)
    """For :meth:`Thinker.choose`."""
    clock: ClockSettings = field(default_factory=ClockSettings)
    clocks: tuple[ClockFace, ClockFace] | None = None
    """Black's and White's at this moment; None without a clock."""
    simulations: int | None = None
    """For :meth:`Thinker.analyze`: enough when so many were made."""
    seconds: float | None = None
    """For :meth:`Thinker.analyze`: enough after so long."""
    interrupt: threading.Event = field(default_factory=threading.Event)
    """Ends the thinking; the best so far is then the answer."""
    report: Callable[[Findings], None] | None = None
    """Called with what is known so far, by the thinking thread."""
    every: float = 0.05
    """Seconds between reports."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What to play."""

    move: str
    """In the referee's writing, or ``"resign"``."""
    findings: Findings | None = None
    lines: list[str] = field(default_factory=list)
    """Why, in words."""
    reason: str = ""
    """The same in a few words, for results: ``"the game is lost"``."""
    notice: str = ""
    """Something that went wrong on the way and that people should know, in a sentence."""


@dataclass(frozen=True, kw_only=True)
class Estimation:
    """The score as it stands."""

    score: float
    ownership: list[float]
    """Row by row from the top left: 1 Black's, -1 White's."""
    dead: list[str]


class Thinker(Protocol):
    """Something that plays one game and says what it thinks."""

    def preparation(self) -> Progress:
        """Begin, unless that was done, to load or compile what a search needs; say how far it is.

        Returns at once. :data:`READY` when a search can start.
        """
        ...

    def choose(self, question: Question) -> Answer:
        """Decide what ``question.color`` should play, within its strength and the clock."""
        ...

    def analyze(self, question: Question) -> Findings:
        """Search at full strength until interrupted, or for the question's limits."""
        ...

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:
        """Say in a few lines what :meth:`analyze` found about *move* in that position."""
        ...

    def estimate(self, question: Question) -> Estimation:
        """Judge the score as it stands, and which stones are dead."""
        ...

    def learn(self) -> str:
        """Keep for later games what was learned in this one, if there is a book.

        Returns a sentence about what went wrong, or nothing.
        """
        ...

    def close(self) -> None:
        """Stop, and free memory and processes. Any thread; what is under way ends soon."""
        ...


@dataclass(frozen=True, kw_only=True)
class Programs:
    """The programs that may play in a session, each started when it is first needed."""

    engine: Callable[[], Thinker] | None = None
    """Starts the GTP engine of the command line."""
    engine_name: str = ""
    montego: Callable[[], Thinker] | None = None
    """Makes Montego's thinker; None for the one of the kind of game. For tests."""
    options: Options | None = None
    """What the command line asked of Montego's player of Go."""
    adviser: str | None = None
    """The command of the GTP engine that advises the hybrid; None if there is none."""
    adviser_name: str = ""
    book: Path | None = None
    """The file of the book that Montego reads and that pages walk through, if any."""
