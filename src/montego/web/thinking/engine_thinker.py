"""A GTP engine as a player: the program that the command line named, and nothing else.

The engine follows the game as well as it can: what it has been told is compared with the position
asked about, moves that follow are sent, and whatever was taken back makes it start from an empty
board. When it dies, hangs or plays what the rules forbid, the thinker raises a sentence, the game
waits, and the next question starts the engine again.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from montego.go.game import Move, Setup
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.rules import rules_name
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.gtp.client import Engine, EngineError, Fault
from montego.web.game.clocks import until_flag
from montego.web.thinking.thinker import Answer, Thinker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from montego.go.game import Game
    from montego.web.game.clocks import Faces
    from montego.web.messages.requests import ClockSettings, Color
    from montego.web.thinking.thinker import Question

HANG_SECONDS = 600.0
"""After which an engine without a clock is taken to hang."""

GRACE_SECONDS = 10.0
"""After its time is up in which an engine may still answer; the clock decides about the game."""

STOP_SECONDS = 1.0
"""That an engine gets to finish when nobody wants its move any more; GTP cannot stop it."""

_KGS_RULES = {
    "chinese": "chinese",
    "japanese": "japanese",
    "aga": "aga",
    "new-zealand": "new_zealand",
}


class EngineThinker(Thinker):
    """An engine in one game, which only plays: not all engines can say what they think."""

    def __init__(self, command: str | Sequence[str], *, name: str | None = None) -> None:
        self._command = command
        self._name = name
        self._engine: Engine | None = None
        self._beginning: tuple[object, ...] | None = None
        self._told: list[Move | Setup] = []
        self._is_closed = False
        self._asking = threading.Lock()

    def choose(self, question: Question) -> Answer:
        """Ask the engine for a move; it plays as its own command line says.

        Raises:
            GoError: If the engine fails; the message says how.
        """
        game: Game = question.state
        with self._asking:
            engine = self._running()
            with _stopped(engine, question.interrupt):
                self._follow(engine, game)
                timeout = HANG_SECONDS
                if question.clocks is not None:
                    _tell_clocks(engine, question.clock, question.clocks)
                    face = question.clocks[question.color != "black"]
                    timeout = until_flag(question.clock, face) + GRACE_SECONDS
                answer = engine.send(f"genmove {question.color}", timeout=timeout)
            return Answer(move=self._check(engine, game, question.color, answer))

    def close(self) -> None:
        """End the engine, and with it a question that waits for an answer."""
        self._is_closed = True
        engine = self._engine
        if engine is not None:
            engine.abandon()
            with self._asking:
                engine.close()

    def _running(self) -> Engine:
        """Return the engine, a new one if there is none or the last one failed."""
        if self._is_closed:
            raise GoError("the engine was closed")
        if self._engine is None or not self._engine.is_usable:
            if self._engine is not None:
                self._engine.close()
            self._beginning = None
            self._engine = Engine(self._command, name=self._name)
        return self._engine

    def _follow(self, engine: Engine, game: Game) -> None:
        """Bring the engine to a position."""
        history = game.history
        beginning = (game.size, game.komi, game.rules)
        if self._beginning != beginning or history[: len(self._told)] != self._told:
            self._beginning = None  # Until all of it is told.
            name = rules_name(game.rules)
            if engine.try_send(f"kata-set-rules {name}") is None and name in _KGS_RULES:
                engine.try_send(f"kgs-rules {_KGS_RULES[name]}")
            engine.send(f"boardsize {game.size}")
            engine.send("clear_board")
            engine.send(f"komi {game.komi:g}")
            self._told = []
            self._beginning = beginning
        for step in history[len(self._told) :]:
            if isinstance(step, Setup):
                _tell_setup(engine, step, is_handicap=game.handicap >= 2 and not self._told)
            else:
                engine.send(f"play {step.color} {step.vertex}")
            self._told.append(step)

    def _check(self, engine: Engine, game: Game, color: Color, answer: str) -> str:
        """Return the move that an engine gave in the referee's writing.

        Raises:
            GoError: If it is none, or illegal.
        """
        word = next(iter(answer.lower().split()), "")
        if word == "resign":
            self._beginning = None  # Nobody knows what the engine makes of it.
            return word
        try:
            vertex = format_vertex(parse_vertex(word, game.size))
        except InvalidVertex:
            self._beginning = None
            raise GoError(f"{engine.name} answered {answer[:40]!r} instead of a move") from None
        fault = game.fault(color, vertex)
        if fault is not None:
            self._beginning = None
            raise GoError(f"{engine.name} played {vertex}, which is illegal: {fault}")
        self._told.append(Move(color, vertex))
        return vertex


@contextmanager
def _stopped(engine: Engine, interrupt: threading.Event) -> Iterator[None]:
    """End the engine soon after *interrupt* is set; what waits for it then fails."""
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            if interrupt.wait(0.05):
                if not done.wait(STOP_SECONDS):
                    engine.abandon()
                return

    watcher = threading.Thread(target=watch, name="engine-stop", daemon=True)
    watcher.start()
    try:
        yield
    except EngineError as error:
        if interrupt.is_set() and error.fault == Fault.DIED:
            raise GoError(f"{engine.name} was stopped before it had a move") from None
        raise
    finally:
        done.set()


def _tell_setup(engine: Engine, setup: Setup, *, is_handicap: bool) -> None:
    """Put stones on the engine's board; GTP knows a handicap, and else only moves."""
    black = sorted(setup.black)
    if is_handicap and engine.knows("set_free_handicap"):
        engine.send(f"set_free_handicap {' '.join(black)}")
        return
    for color, vertices in (("black", black), ("white", sorted(setup.white))):
        for vertex in vertices:
            engine.send(f"play {color} {vertex}")
    if setup.empty:
        raise GoError(f"{engine.name} cannot take stones off the board in the middle of a game")


def _tell_clocks(engine: Engine, clock: ClockSettings, clocks: Faces) -> None:
    """Tell an engine the time system as well as it understands, and what both players have."""
    main, period = round(clock.main), max(1, round(clock.period))
    if clock.kind == "byoyomi":
        told = f"kgs-time_settings byoyomi {main} {period} {clock.periods}"
        if engine.try_send(told) is None:
            engine.try_send(f"time_settings {main} {period} 1")
    elif clock.kind == "fischer":
        known = (engine.try_send("kata-list_time_settings") or "").split()
        told = f"kata-time_settings fischer {clock.main:g} {clock.period:g}"
        if "fischer" not in known or engine.try_send(told) is None:
            engine.try_send(f"time_settings {main} 0 0")
    else:
        engine.try_send(f"time_settings {main} 0 0")
    for color, face in zip(("black", "white"), clocks, strict=True):
        stones = face.periods
        if stones and not engine.knows("kgs-time_settings"):
            stones = 1
        engine.try_send(f"time_left {color} {max(0, int(face.seconds))} {stones}")
