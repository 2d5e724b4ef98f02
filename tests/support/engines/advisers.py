"""Advisers for tests: the command line of the fake engine, and one without any process."""

from __future__ import annotations

import shlex
import sys
from concurrent.futures import Future
from typing import TYPE_CHECKING

from montego.engine.hybrid import Advice
from places import ADVISER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.go.game import Game


def adviser_command(*options: object) -> str:
    """Return the command line of the fake engine; -S and -E spare it half of its start."""
    return shlex.join([sys.executable, "-S", "-E", str(ADVISER), *map(str, options)])


class PresentAdviser:
    """Answers at once, always the same; or never, or fails."""

    def __init__(
        self, values: Mapping[str, float], *, error: Exception | None = None, silent: bool = False
    ) -> None:
        self.values = dict(values)
        self.error = error
        self.silent = silent
        self.questions: list[tuple[int, str]] = []
        self.answers: list[Future[Advice]] = []
        self.cancelled = 0
        self.closed = 0

    def ask(self, game: Game, color: str) -> Future[Advice]:
        self.questions.append((len(game.moves), color))
        answer: Future[Advice] = Future()
        self.answers.append(answer)
        if self.error is not None:
            answer.set_exception(self.error)
        elif not self.silent:
            answer.set_result(self.advice())
        return answer

    def advice(self) -> Advice:
        best = max(self.values, key=lambda vertex: self.values[vertex], default="pass")
        return Advice(adviser="Friend 1.0", move=best, values=self.values, seconds=0.0)

    def cancel(self) -> None:
        self.cancelled += 1

    def close(self) -> None:
        self.closed += 1
