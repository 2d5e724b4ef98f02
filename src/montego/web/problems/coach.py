"""What takes the trainer seconds, and keeps no page waiting: one thing at a time."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import TYPE_CHECKING

from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.web.messages.replies import Failure, ProblemsFound, as_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from montego.web.messages.replies import Reply
    from montego.web.messages.requests import Solve
    from montego.web.problems.mistakes import ReviewedMistake
    from montego.web.problems.trainer import Trainer
    from montego.web.session.session import Session

MOST_MISTAKES = 60
"""Looked at in one go, the latest games first: what is left is for the next time."""


class Coach:
    """The trainer, and a thread for what it is asked. Every method may be called anywhere."""

    def __init__(self, folder: Path) -> None:
        """Keep problems and practice in *folder*, which need not exist."""
        self._folder = folder
        self._busy = threading.Lock()

    @cached_property
    def trainer(self) -> Trainer:
        """The trainer, made when it is first asked for: it loads the solver."""
        from montego.web.problems.trainer import Trainer  # noqa: PLC0415  # Loads NumPy.

        return Trainer(self._folder)

    def add(self, data: bytes, collection: str, name: str) -> int:
        """Add the problems of a record to a set, as :meth:`Trainer.add` does."""
        return self.trainer.add(data, collection, name)

    def solve(self, session: Session, request: Solve, tell: Callable[[Reply], None]) -> None:
        """Solve a position of a game, and tell the page.

        Raises:
            ValueError: If the game has no such position, is no Go, or something else is solved.
        """
        with session.lock:
            state = session.game.state(session.game.tree[request.node].id)
        if not isinstance(state, Game):
            raise GoError("only Go has problems of life and death")

        def work() -> Reply:
            from montego.web.problems.trainer import solution_of  # noqa: PLC0415  # Loads NumPy.

            to_move = request.to_move or state.to_play
            return solution_of(session.id, request.node, state.board, to_move, request.target)

        self._start(work, tell, request.number)

    def find_problems(
        self, mistakes: Iterable[ReviewedMistake], tell: Callable[[Reply], None], number: int
    ) -> None:
        """Make problems of mistakes, and tell the page how many.

        Raises:
            ValueError: If something else is solved.
        """

        def work() -> Reply:
            taken = [mistake for mistake, _ in zip(mistakes, range(MOST_MISTAKES), strict=False)]
            found = self.trainer.learn_from(taken)
            return ProblemsFound(found, len(taken), self.trainer.standing())

        self._start(work, tell, number)

    def _start(self, work: Callable[[], Reply], tell: Callable[[Reply], None], number: int) -> None:
        if not self._busy.acquire(blocking=False):
            raise GoError("Montego is solving something else: try again in a few seconds")

        def run() -> None:
            try:
                reply = work()
            except ValueError as error:
                reply = Failure(as_sentence(str(error)), number)
            finally:
                self._busy.release()
            tell(reply)

        threading.Thread(target=run, name="solving", daemon=True).start()
