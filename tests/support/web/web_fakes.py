"""Stand-ins for what surrounds a session: a thinker, a page, and a clock that tests move."""

from __future__ import annotations

import heapq
import itertools
import threading
from typing import TYPE_CHECKING, TypeVar

from montego.web.messages.replies import Estimation, Findings, GameState, MoveReport
from montego.web.messages.requests import NewGame
from montego.web.session.players import begin
from montego.web.session.session import Session
from montego.web.thinking.thinker import READY, ChosenMove, Programs, Thinker

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from montego.web.game.tree import SavedGame
    from montego.web.messages.replies import Progress, Reply
    from montego.web.messages.requests import Strength
    from montego.web.thinking.thinker import Question

PATIENCE = 20.0  # Seconds that a test waits for what must happen,
COMPILING = 900.0  # and for what may have to be compiled first.

T = TypeVar("T", bound="Reply")


class FakeThinker(Thinker):
    """Plays the first legal move, or what the test put into ``moves``; waits while held."""

    def __init__(self) -> None:
        self.moves: list[str] = []
        self.dead: list[str] = []
        self.values: dict[int, float] = {}
        """Black's chance by the number of moves played; 0.5 for others."""
        self.simulations = 100
        self.error: Exception | None = None
        self.progress: Progress = READY
        self.questions: list[tuple[str, Question]] = []
        self.closed = 0
        self.learned = 0
        self.trouble = ""
        """What goes wrong with learning."""
        self.running = 0
        self.most_running = 0
        self._free = threading.Event()
        self._free.set()
        self._changed = threading.Condition()

    def hold(self) -> None:
        """Think from now on until interrupted or released."""
        self._free.clear()

    def release(self) -> None:
        self._free.set()

    def wait_for(self, what: str, count: int = 1) -> Question:
        """Return the latest question of a kind, once so many were asked."""

        def asked() -> list[Question]:
            return [question for kind, question in self.questions if kind == what]

        with self._changed:
            assert self._changed.wait_for(lambda: len(asked()) >= count, PATIENCE), what
            return asked()[-1]

    def wait_learned(self, count: int) -> None:
        """Wait until it was told so often to keep what it learned."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.learned >= count, PATIENCE)

    def count(self, what: str) -> int:
        return sum(kind == what for kind, _ in self.questions)

    def preparation(self, strength: Strength | None = None) -> Progress:  # noqa: ARG002
        return self.progress

    def choose(self, question: Question) -> ChosenMove:
        self._think("choose", question)
        move = self.moves.pop(0) if self.moves else question.state.legal_moves()[0]
        return ChosenMove(move=move, findings=self._found(question, move), lines=["because"])

    def analyze(self, question: Question) -> Findings:
        self._think("analyze", question)
        return self._found(question, question.state.legal_moves()[0])

    def explain(self, question: Question, move: str, findings: Findings) -> list[str]:
        return [f"{move} and not {findings.moves[0].move}", question.color]

    def reasons(self, _question: Question, move: str) -> list[str]:
        return [] if move == "pass" else ["it looks good"]

    def estimate(self, question: Question) -> Estimation:
        self._think("estimate", question)
        return Estimation(score=4.5, ownership=[0.0] * question.state.size**2, dead=self.dead)

    def learn(self) -> str:
        with self._changed:
            self.learned += 1
            self._changed.notify_all()
        return self.trouble

    def close(self) -> None:
        self.closed += 1

    def _think(self, what: str, question: Question) -> None:
        with self._changed:
            self.questions.append((what, question))
            self.running += 1
            self.most_running = max(self.most_running, self.running)
            self._changed.notify_all()
        try:
            if question.report is not None:
                question.report(self._found(question, "pass"))
            while not (self._free.is_set() or question.interrupt.is_set()):
                self._free.wait(0.005)
            if self.error is not None:
                raise self.error
        finally:
            with self._changed:
                self.running -= 1

    def _found(self, question: Question, move: str) -> Findings:
        value = self.values.get(len(question.moves), 0.5)
        report = MoveReport(
            move=move,
            visits=90,
            value=value,
            prior=0.5,
            rave=0.5,
            rave_visits=3.0,
            score=1.5,
            variation=[move, "pass"],
        )
        return Findings(
            to_play=question.color,
            simulations=self.simulations,
            seconds=0.1,
            value=value,
            moves=[report],
        )


class Page:
    """A listener that remembers, and waits for what must come."""

    def __init__(self, session: Session, patience: float = PATIENCE) -> None:
        self.replies: list[Reply] = []
        self._patience = patience
        self._news = threading.Condition()
        self.leave = session.watch(self._listen)

    def _listen(self, reply: Reply) -> None:
        with self._news:
            self.replies.append(reply)
            self._news.notify_all()

    def all(self, kind: type[T]) -> list[T]:
        with self._news:
            return [reply for reply in self.replies if isinstance(reply, kind)]

    def wait(self, kind: type[T], condition: Callable[[T], bool] = lambda _reply: True) -> T:
        """Return the latest message of a kind for which the condition holds."""

        def found() -> list[T]:
            return [r for r in self.replies if isinstance(r, kind) and condition(r)]

        with self._news:
            assert self._news.wait_for(found, self._patience), f"no such {kind.__name__}"
            return found()[-1]

    def wait_state(self, condition: Callable[[GameState], bool]) -> GameState:
        """Wait until the latest state of the game is as it should be."""

        def latest() -> GameState | None:
            states = [r for r in self.replies if isinstance(r, GameState)]
            return states[-1] if states and condition(states[-1]) else None

        with self._news:
            assert self._news.wait_for(latest, self._patience), "the game never came to that"
            state = latest()
        assert state is not None
        return state

    def forget(self) -> None:
        with self._news:
            self.replies.clear()


class FakeTime:
    """A steady clock that stands still until the test moves it."""

    def __init__(self) -> None:
        self.time = 1000.0
        self._numbers = itertools.count()
        self._alarms: list[tuple[float, int, Callable[[], None]]] = []
        self._lock = threading.Lock()

    def now(self) -> float:
        return self.time

    def timer(self, seconds: float, function: Callable[[], None]) -> Callable[[], None]:
        with self._lock:
            alarm = (self.time + seconds, next(self._numbers), function)
            heapq.heappush(self._alarms, alarm)

        def cancel() -> None:
            with self._lock:
                if alarm in self._alarms:
                    self._alarms.remove(alarm)
                    heapq.heapify(self._alarms)

        return cancel

    def advance(self, seconds: float) -> None:
        """Let time pass, and ring what is due on the way."""
        end = self.time + seconds
        while True:
            with self._lock:
                if not self._alarms or self._alarms[0][0] > end:
                    break
                due, _, function = heapq.heappop(self._alarms)
            self.time = max(self.time, due)
            function()
        self.time = end


def make_session(
    request: NewGame | None = None,
    thinker: FakeThinker | None = None,
    *,
    saved: SavedGame | None = None,
    time: FakeTime | None = None,
    engine: FakeThinker | None = None,
    pace: float = 0.0,
) -> Session:
    """Return a session whose thinker and time are fakes."""
    made = thinker or FakeThinker()
    programs = Programs(
        montego=lambda: made,
        engine=None if engine is None else lambda: engine,
        engine_name="Tiny",
    )
    begun = begin(request or NewGame(), programs) if saved is None else saved
    extra: dict[str, Any] = {} if time is None else {"now": time.now, "timer": time.timer}
    return Session(begun, programs=programs, pace=pace, **extra)
