"""The thinkers of a session: each made when it is first needed, and closed when nobody is there."""

from __future__ import annotations

import ctypes
import gc
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from montego.engine.options.options import Options
    from montego.web.game.go_referee import GoReferee
    from montego.web.game.referee import Referee
    from montego.web.game.search_referee import SearchReferee
    from montego.web.messages.requests import Side
    from montego.web.thinking.thinker import Thinker


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

    def require(self, side: Side) -> None:
        """Raise a ``ValueError`` with a sentence unless there is a program for a side."""
        if side == "engine" and self.engine is None:
            raise ValueError("no engine was named when Montego was started")
        if side == "hybrid" and self.adviser is None:
            raise ValueError("no adviser was named when Montego was started")


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
        with self._lock:
            thinkers, self._made = list(self._made.values()), {}
        if thinkers:
            while thinkers:
                thinkers.pop().close()  # No name is left for the last of them.
            give_back()

    def close(self) -> None:
        """End all thinkers for good."""
        self._closed = True
        self.dismiss()

    def _make(self, side: Side) -> Thinker:
        programs, referee = self._programs, self._referee
        programs.require(side)
        make = programs.engine if side == "engine" else programs.montego
        if make is not None:
            return make()
        if referee.kind == "go":
            from montego.web.thinking.go_thinker import GoThinker  # noqa: PLC0415  # Takes time.

            adviser = programs.adviser if side == "hybrid" else None
            return GoThinker(cast("GoReferee", referee), programs.options, adviser)
        from montego.web.thinking.search_thinker import SearchThinker  # noqa: PLC0415  # As above.

        return SearchThinker(cast("SearchReferee", referee))


def give_back() -> None:
    """Give memory that nobody uses back to the system. Takes some milliseconds.

    The C library keeps what threads have freed in arenas of theirs, of up to 64 MB each. A server
    that played many games, each with threads of its own, would seem to grow without end.
    """
    gc.collect()
    with suppress(OSError, AttributeError, TypeError):  # Only glibc has such a function.
        ctypes.CDLL(None).malloc_trim(0)
