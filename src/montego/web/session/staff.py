"""The thinkers of a session: each made when it is first needed, and closed when nobody is there."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from montego.web.game.kinds import thinker_for
from montego.web.thinking.memory import give_back

if TYPE_CHECKING:
    from montego.web.game.referee import Referee
    from montego.web.game.saved import Agreement
    from montego.web.messages.requests import Side
    from montego.web.thinking.thinker import Programs, Thinker


class Staff:
    """Who thinks in one game. Every method may be called from any thread."""

    def __init__(self, agreement: Agreement, referee: Referee, programs: Programs) -> None:
        self._agreement = agreement
        self._referee = referee
        self._programs = programs
        self._lock = threading.Lock()
        self._thinkers: dict[Side, Thinker] = {}
        self._closed = False

    def thinker(self, side: Side) -> Thinker:
        """Return what thinks for a side. Takes a moment the first time.

        Raises:
            ValueError: If there is no such program, or the session is closed.
        """
        with self._lock:
            if self._closed:
                raise ValueError("this game was closed")
            found = self._thinkers.get(side)
            if found is None:
                found = self._thinkers[side] = self._make(side)
            return found

    def learn(self) -> str:
        """Keep what the thinkers learned in the game; return what went wrong, in sentences."""
        with self._lock:
            thinkers = list(self._thinkers.values())
        return " ".join(filter(None, [thinker.learn() for thinker in thinkers]))

    def dismiss(self) -> None:
        """Free what thinkers have taken; they are made again when they are needed."""
        with self._lock:
            thinkers, self._thinkers = list(self._thinkers.values()), {}
        if thinkers:
            while thinkers:
                thinkers.pop().close()  # No name is left for the last of them.
            give_back()

    def close(self) -> None:
        """End all thinkers for good."""
        self._closed = True
        self.dismiss()

    def _make(self, side: Side) -> Thinker:
        if side == "engine":
            if self._programs.engine is None:
                raise ValueError("no engine was named when Montego was started")
            return self._programs.engine()
        adviser = None
        if side == "hybrid":
            adviser = self._programs.adviser
            if adviser is None:
                raise ValueError("no adviser was named when Montego was started")
        if self._programs.montego is not None:
            return self._programs.montego()
        return thinker_for(self._agreement, self._referee, self._programs.options, adviser)
