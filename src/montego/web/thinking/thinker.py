"""What a session asks of an engine: Montego itself, or a program behind GTP.

All methods but :meth:`Thinker.preparation` and :meth:`Thinker.close` are called by the session's
thinking thread, one at a time, and may take as long as they need; they end soon after
``Question.interrupt`` is set. Whoever cannot answer raises ``ValueError`` with a sentence.

Chances are Black's, scores Black's points minus White's, as everywhere in the protocol.
"""

from __future__ import annotations

import ctypes
import gc
import threading
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import TimeControl
from montego.network.network import find_network
from montego.web.game.clocks import time_control
from montego.web.messages.replies import Estimation, Findings, Progress
from montego.web.messages.requests import ClockSettings, Strength

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from montego.engine.clock import Clock
    from montego.engine.options.options import Options
    from montego.engine.player import Enlist
    from montego.mcts.game import GameDefinition
    from montego.web.game.clocks import Faces
    from montego.web.game.go_referee import GoReferee
    from montego.web.game.referee import Referee, State
    from montego.web.game.search_referee import SearchReferee
    from montego.web.messages.requests import Color, GameKind, Side

JUDGED: dict[str, tuple[int, int] | None] = {"hex": None, "connect-four": (6, 7)}
"""Games other than Go for which networks come along; rows and columns, or None for any size."""

READY = Progress(text="")
"""What :meth:`Thinker.preparation` says when there is nothing to wait for."""


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
    clocks: Faces | None = None
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
class ChosenMove:
    """What to play."""

    move: str
    """In the referee's writing, or ``"resign"``."""
    findings: Findings | None = None
    lines: list[str] = field(default_factory=list)
    """Why, in words."""
    notice: str = ""
    """Something that went wrong on the way and that people should know, in a sentence."""


class Thinker(ABC):
    """Something that plays one game and says what it thinks; the least of them can only move."""

    def preparation(self, strength: Strength | None = None) -> Progress:  # noqa: ARG002
        """Begin, unless that was done, to load or compile what a search needs; say how far it is.

        *strength* is that of the move to come; None for a search at full strength. Returns at once.
        :data:`READY` when a search can start.
        """
        return READY

    @abstractmethod
    def choose(self, question: Question) -> ChosenMove:
        """Decide what ``question.color`` should play, within its strength and the clock."""

    def analyze(self, question: Question) -> Findings:  # noqa: ARG002
        """Search at full strength until interrupted, or for the question's limits."""
        raise GoError("a GTP engine only plays; ask Montego what it thinks")

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:  # noqa: ARG002
        """Say in a few lines what :meth:`analyze` found about *move* in that position."""
        return []

    def reasons(self, question: Question, move: str) -> list[str]:  # noqa: ARG002
        """Say what shape and tactics speak for *move*, as ends of a sentence; none if nothing."""
        return []

    def estimate(self, question: Question) -> Estimation:  # noqa: ARG002
        """Judge the score as it stands, and which stones are dead."""
        raise GoError("a GTP engine only plays; ask Montego for the score")

    def learn(self) -> str:
        """Keep for later games what was learned in this one, if there is a book.

        Returns a sentence about what went wrong, or nothing.
        """
        return ""

    @abstractmethod
    def close(self) -> None:
        """Stop, and free memory and processes. Any thread; what is under way ends soon."""


def chance_for(color: str, value: float) -> float:
    """Return Black's chance as the one of a player, or a player's as Black's."""
    return value if color == "black" else 1.0 - value


def set_clock(clock: Clock, question: Question) -> None:
    """Set a clock of Montego's to the time system of a question, and what is left to both."""
    settings, faces = question.clock, question.clocks
    if faces is None or settings.kind == "none":
        clock.set(TimeControl())
        return
    clock.set(time_control(settings))
    for color, face in zip(("black", "white"), faces, strict=True):
        clock.time_left(color, face.seconds, face.periods)


# The thinkers of a session


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
    own: GameDefinition | None = None
    """The game of one's own that was named on the command line; Montego's thinker plays it."""
    book: Path | None = None
    """The file of the book that Montego reads and that pages walk through, if any."""
    enlist: Enlist | None = None
    """Finds other machines that search with Montego's player of Go, if there are any."""

    def require(self, side: Side) -> None:
        """Raise a ``ValueError`` with a sentence unless there is a program for a side."""
        if side == "engine" and self.engine is None:
            raise ValueError("no engine was named when Montego was started")
        if side == "hybrid" and self.adviser is None:
            raise ValueError("no adviser was named when Montego was started")

    def network(self, kind: GameKind, size: int, style: str | None = None) -> bool | None:
        """Say whether a network judges where Montego plays as well as it can, or can in a style.

        None for games that have none whatever their board. In others than Go it is the one that
        comes along, unless the command line wants none.
        """
        from montego.engine.options.options import Options  # noqa: PLC0415  # Takes time.

        options = self.options or Options()
        if kind == "go":
            return options.replace(style=style).network_name(size) is not None
        if kind not in JUDGED:
            return None
        height, width = JUDGED[kind] or (size, size)
        return options.network is not None and find_network(kind, (height, width)) is not None


class Thinkers:
    """Who thinks in one game. Every method may be called from any thread."""

    def __init__(self, referee: Referee, programs: Programs) -> None:
        self._referee = referee
        self._programs = programs
        self._lock = threading.Lock()
        self._made: dict[Side, Thinker] = {}
        self._closed = False

    def get(self, side: Side) -> Thinker:
        """Return what thinks for a side. Takes a moment the first time: not for the event loop.

        Raises:
            ValueError: If there is no such program, or the session is closed.
        """
        with self._lock:
            if self._closed:
                raise ValueError("this game was closed")
            found = self._made.get(side)
            if found is None:
                found = self._made[side] = self._make(side)
            return found

    def learn(self) -> str:
        """Keep what the thinkers learned in the game; return what went wrong, in sentences."""
        with self._lock:
            thinkers = list(self._made.values())
        return " ".join(filter(None, [thinker.learn() for thinker in thinkers]))

    def dismiss(self) -> None:
        """Free what thinkers have taken; they are made again when they are needed."""
        if self._end():
            give_back()

    def close(self) -> None:
        """End all thinkers for good. Whoever goes on without them calls :func:`give_back`."""
        self._closed = True
        self._end()

    def _end(self) -> bool:
        """End the thinkers; say whether there were any."""
        with self._lock:
            thinkers, self._made = list(self._made.values()), {}
        were_any = bool(thinkers)
        while thinkers:
            thinkers.pop().close()  # No name is left for the last of them.
        return were_any

    def _make(self, side: Side) -> Thinker:
        programs, referee = self._programs, self._referee
        programs.require(side)
        make = programs.engine if side == "engine" else programs.montego
        if make is not None:
            return make()
        if referee.kind == "go":
            from montego.web.thinking.go_thinker import GoThinker  # noqa: PLC0415  # Takes time.

            adviser = programs.adviser if side == "hybrid" else None
            return GoThinker(cast("GoReferee", referee), programs.options, adviser, programs.enlist)
        from montego.web.thinking.search_thinker import SearchThinker  # noqa: PLC0415  # As above.

        by_network = programs.network(referee.kind, referee.size) is True
        return SearchThinker(cast("SearchReferee", referee), by_network=by_network)


def give_back() -> None:
    """Give memory that nobody uses back to the system. Takes some milliseconds.

    The C library keeps what threads have freed in arenas of theirs, of up to 64 MB each. A server
    that played many games, each with threads of its own, would seem to grow without end.
    """
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # Only glibc has such a function.
        ctypes.CDLL(None).malloc_trim(0)
