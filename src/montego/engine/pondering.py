"""Thinking in the opponent's time: a thread that grows the tree until somebody calls."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from montego.engine.searching.searcher import Searcher
    from montego.go.game import Game

LONGEST = 600.0  # Seconds; an opponent who takes longer has probably left.


class Pondering:
    """At most one search in the background. Not thread-safe: the player takes care of that."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._searcher: Searcher | None = None
        self._halt = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether it is at it."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, searcher: Searcher, game: Game, *, points: bool) -> None:
        """Search on in *game*, for *points* or wins, unless it is over or nothing is compiled yet.

        The searcher belongs to the thread until :meth:`stop`.
        """
        if game.is_over or not searcher.preparation.is_ready:
            return
        # As in the player's own search, so that the tree stays of one piece.
        searcher.follow(game, game.to_play, searcher.offset, points=points)
        self._searcher = searcher
        self._halt.clear()
        self._thread = threading.Thread(target=self._ponder, name="pondering", daemon=True)
        self._thread.start()

    def halt(self) -> None:
        """Ask it to end, without waiting. Thread-safe."""
        self._halt.set()
        if self._searcher is not None:
            self._searcher.stop()

    def stop(self) -> None:
        """End it, and wait until it has ended; the searcher is free again."""
        thread = self._thread
        if thread is not None:
            self.halt()
            thread.join()
        self._thread = self._searcher = None

    def _ponder(self) -> None:
        assert self._searcher is not None  # noqa: S101  # start() sets it.
        try:
            self._searcher.run(
                simulations=None, seconds=LONGEST, early_stop=False, watch=self._is_over
            )
        except Exception as error:  # noqa: BLE001  # A thread has nobody to raise it to.
            sys.stderr.write(f"montego: pondering ended: {error}\n")

    def _is_over(self, _elapsed: float) -> bool:
        return self._halt.is_set()
