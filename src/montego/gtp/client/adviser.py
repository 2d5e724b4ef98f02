"""A GTP engine as an adviser: GNU Go, unmodified, or any engine that knows ``reg_genmove``.

Threads talk to its process about one question after another, so that asking never waits. Its answer
is what it would play and, if it can tell, what moves are worth to it (GNU Go's
``all_move_values``). After any failure the adviser is of no use; make another one.
"""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from montego.engine.hybrid import Advice, AdviserError
from montego.go.vocabulary.errors import InvalidVertex
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.gtp.client.engine import Engine, shorten, split_command
from montego.gtp.client.follower import Follower

if TYPE_CHECKING:
    from montego.go.game import Game

QUOTED = 60  # Characters of nonsense that a message repeats.
LEAST = 0.05  # Seconds that a command is given when the patience is used up.
GOODBYE = 3.0  # Seconds to wait at the end for who talks to the engine.


class GtpAdviser:
    """An engine that is asked for advice; see :class:`montego.engine.hybrid.Adviser`.

    Its process starts with the first question.
    """

    def __init__(self, command: str, patience: float = 60.0) -> None:
        """Ask the engine that *command* starts, and wait *patience* seconds for each answer.

        Raises:
            GoError: If *command* is no command line.
        """
        self._command = split_command(command)
        self._patience = patience
        self._name = Path(self._command[0]).name
        self._latest: Future[Advice] | None = None
        self._engine: Engine | None = None
        self._follower = Follower()
        self._until = 0.0  # When the patience for the question under way ends.
        self._is_closed = False
        self._talking = threading.Lock()  # Held by who talks to the engine.

    def ask(self, game: Game, color: str) -> Future[Advice]:
        """Ask what *color* should play, and return what will hold the answer."""
        self.cancel()
        answer: Future[Advice] = Future()
        self._latest = answer
        until = time.monotonic() + self._patience
        question = (answer, game.copy(), color, until)
        threading.Thread(target=self._answer, args=question, name="adviser", daemon=True).start()
        return answer

    def cancel(self) -> None:
        """Drop the latest question if it has not begun: GTP cannot stop what is under way."""
        if self._latest is not None:
            self._latest.cancel()

    def close(self) -> None:
        """End the engine at once, and with it a question that waits for an answer."""
        self._is_closed = True
        self.cancel()
        if self._engine is not None:
            self._engine.abandon()
        if self._talking.acquire(timeout=GOODBYE):
            if self._engine is not None:
                self._engine.close()
            self._talking.release()

    # In a thread of its own for each question

    def _answer(self, answer: Future[Advice], game: Game, color: str, until: float) -> None:
        with self._talking:
            if not answer.set_running_or_notify_cancel():
                return
            self._until = until
            try:
                answer.set_result(self._advise(game, color))
            except Exception as error:  # noqa: BLE001  # Whoever asked gets it.
                answer.set_exception(error)

    def _advise(self, game: Game, color: str) -> Advice:
        begun = time.monotonic()
        engine = self._running()
        for command in self._follower.commands(engine, game):
            self._send(command)
        move = self._send(f"reg_genmove {color}").strip().lower()
        values: dict[str, float] = {}
        if move != "pass" and self._has_values():
            values = parse_values(self._send("all_move_values"), game.size)
            # GNU Go values to retake a ko at once as well, though it would not play that.
            values = {at: value for at, value in values.items() if game.fault(color, at) is None}
        if move not in ("pass", "resign"):
            move = _vertex(move, game.size)
            fault = game.fault(color, move)
            if fault is not None:
                raise AdviserError(f"{engine.name}: it suggests {move}, which is illegal: {fault}")
            # What it would play is worth as much as the best, whatever it says of the value.
            values[move] = max(values.values(), default=1.0)
        return Advice(
            adviser=engine.title, move=move, values=values, seconds=time.monotonic() - begun
        )

    def _running(self) -> Engine:
        """Return the engine, started if it is not running.

        Its next reply must come before the patience for the question ends.
        """
        is_new = self._engine is None
        if self._engine is None:
            self._engine = Engine(self._command, name=self._name)
            if self._is_closed:  # By somebody who saw no engine to end.
                raise AdviserError(f"{self._name}: it was closed")
        engine = self._engine
        engine.timeout = engine.start_timeout = max(self._until - time.monotonic(), LEAST)
        if is_new:
            if not engine.knows("reg_genmove"):
                raise AdviserError(f"{self._name}: it cannot advise: it knows no reg_genmove")
            engine.introduce()
        return engine

    def _send(self, command: str) -> str:
        return self._running().send(command)

    def _has_values(self) -> bool:
        """Say whether to ask for the values of moves.

        GNU Go 3.8 forgets the empty line that ends a reply if ``all_move_values`` has none to
        tell, and would be taken to hang. Its ``top_moves`` is never short of an end.
        """
        engine = self._running()
        return engine.knows("all_move_values") and (
            not engine.knows("top_moves") or bool(self._send("top_moves"))
        )


def parse_values(text: str, size: int) -> dict[str, float]:
    """Return what ``all_move_values`` or ``top_moves`` says: vertices and numbers in turn.

    Moves that are worth nothing, and passes, are left out.

    Raises:
        AdviserError: If it says anything else.
    """
    words = text.split()
    values = {}
    for word, number in zip(words[::2], words[1::2], strict=False):
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise _nonsense(f"{word} {number}")
        if value > 0 and word.lower() != "pass":
            values[_vertex(word, size)] = value
    if len(words) % 2:
        raise _nonsense(words[-1])
    return values


def _vertex(word: str, size: int) -> str:
    try:
        return format_vertex(parse_vertex(word, size))
    except InvalidVertex:
        raise _nonsense(word, " is no move") from None


def _nonsense(said: str, what: str = "") -> AdviserError:
    return AdviserError(f"the adviser talks nonsense: {shorten(said, QUOTED)!r}{what}")
