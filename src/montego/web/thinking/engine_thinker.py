"""A GTP engine as a player: the program that the command line named, and nothing else.

When the engine dies, hangs or plays what the rules forbid, the thinker raises a sentence, the game
waits, and the next question starts the engine again.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from montego.go.game import Move
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.timing import Remaining
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.gtp.client import Engine, EngineError, Fault
from montego.gtp.client.follower import Follower, tell_control, tell_time_left
from montego.web.game.clocks import time_control
from montego.web.thinking.thinker import ChosenMove, Thinker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from montego.go.game import Game
    from montego.web.messages.requests import Color
    from montego.web.thinking.thinker import Question

HANG_SECONDS = 600.0
"""After which an engine without a clock is taken to hang."""

GRACE_SECONDS = 10.0
"""After its time is up in which an engine may still answer; the clock decides about the game."""

STOP_SECONDS = 1.0
"""That an engine gets to finish when nobody wants its move any more; GTP cannot stop it."""


class EngineThinker(Thinker):
    """An engine in one game, which only plays: not all engines can say what they think."""

    def __init__(self, command: str | Sequence[str], *, name: str | None = None) -> None:
        self._command = command
        self._name = name
        self._engine: Engine | None = None
        self._follower = Follower()
        self._is_closed = False
        self._asking = threading.Lock()

    def choose(self, question: Question) -> ChosenMove:
        """Ask the engine for a move, which it plays as its own command line says."""
        game: Game = question.state
        with self._asking:
            engine = self._running()
            with _stopped(engine, question.interrupt):
                for command in self._follower.commands(engine, game):
                    engine.send(command)
                timeout = HANG_SECONDS
                if question.clocks is not None:
                    control = time_control(question.clock)
                    tell_control(engine, control)
                    for color, face in zip(("black", "white"), question.clocks, strict=True):
                        left = Remaining(face.seconds, face.periods)
                        tell_time_left(engine, color, control, left)
                        if color == question.color:
                            timeout = control.until_flag(left) + GRACE_SECONDS
                answer = engine.send(f"genmove {question.color}", timeout=timeout)
            return ChosenMove(move=self._check(engine, game, question.color, answer))

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
            self._follower.forget()
            self._engine = Engine(self._command, name=self._name)
        return self._engine

    def _check(self, engine: Engine, game: Game, color: Color, answer: str) -> str:
        """Return the move that an engine gave, in the referee's writing."""
        word = next(iter(answer.lower().split()), "")
        if word == "resign":
            self._follower.forget()  # Nobody knows what the engine makes of it.
            return word
        try:
            vertex = format_vertex(parse_vertex(word, game.size))
        except InvalidVertex:
            self._follower.forget()
            raise GoError(f"{engine.name} answered {answer[:40]!r} instead of a move") from None
        fault = game.fault(color, vertex)
        if fault is not None:
            self._follower.forget()
            raise GoError(f"{engine.name} played {vertex}, which is illegal: {fault}")
        self._follower.played(Move(color, vertex))
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
