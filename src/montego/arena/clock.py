"""The time of a game for real: taking it from the players, and telling engines about it.

Clocks are told how long a move took; they do not look at the time themselves. What a time control
leaves after a move is said in :mod:`montego.go.vocabulary.timing`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import MOST_SECONDS, Remaining, TimeControl

if TYPE_CHECKING:
    from montego.gtp.client import Engine


def check_seconds(name: str, seconds: float) -> None:
    """Refuse a time to wait that is none.

    Raises:
        GoError: If it is not above 0, or beyond what can be waited for.
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise GoError(f"invalid {name} {seconds:g}: say seconds above 0, up to {MOST_SECONDS:g}")


class PlayerClock:
    """What one player has left under a time control."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.time_left: Remaining = control.full
        """As ``time_left`` states it: in byo-yomi stones are periods."""

    @property
    def limit(self) -> float:
        """How long the next move may take."""
        return self.control.until_flag(self.time_left)

    def spend(self, seconds: float) -> bool:
        """Take the time of a move; return False if it was more than the player had."""
        if seconds > self.limit:
            return False
        self.time_left = self.control.after_move(self.time_left, seconds)
        return True


def tell_control(engine: Engine, control: TimeControl) -> None:
    """Tell an engine the time control, in the best way it understands.

    An engine that knows no Fischer time is told of absolute time, and one that knows no byo-yomi of
    a Canadian period of one move; ``time_left`` tells them the truth at every move.

    Raises:
        EngineError: If the engine fails other than by refusing.
    """
    main, period = _seconds(control.main, control), _seconds(control.period, control)
    increment = _seconds(control.increment, control)
    if control.kind == "byoyomi" and _told(
        engine, f"kgs-time_settings byoyomi {main} {period} {control.periods}"
    ):
        return
    if control.kind == "fischer":
        known = (engine.try_send("kata-list_time_settings") or "").split()
        if control.most_main is not None and "fischer-capped" in known:
            cap = _seconds(control.most_main, control)
            if _told(engine, f"kata-time_settings fischer-capped {main} {increment} {cap} -1"):
                return
        if "fischer" in known and _told(engine, f"kata-time_settings fischer {main} {increment}"):
            return
    stones = {"canadian": control.stones, "byoyomi": 1}.get(control.kind, 0)
    if not _told(engine, f"time_settings {main} {period} {stones}") and not _is_whole(control):
        _told(engine, f"time_settings {int(control.main)} {math.ceil(control.period)} {stones}")


def tell_time_left(engine: Engine, color: str, clock: PlayerClock) -> None:
    """Send ``time_left`` if the engine knows it. Raises as :func:`tell_control`."""
    seconds, stones = clock.time_left
    if clock.control.kind == "byoyomi" and stones and not engine.knows("kgs-time_settings"):
        stones = 1
    if not _told(engine, f"time_left {color} {_seconds(seconds, clock.control)} {stones}"):
        _told(engine, f"time_left {color} {int(seconds)} {stones}")


def _told(engine: Engine, command: str) -> bool:
    return engine.try_send(command) is not None


def _seconds(seconds: float, control: TimeControl) -> str:
    """Return whole seconds, which every engine can read, unless the control itself has others."""
    return str(int(seconds)) if _is_whole(control) else f"{seconds:.2f}"


def _is_whole(control: TimeControl) -> bool:
    """Say whether all times are whole seconds, as GTP would have them."""
    times = (control.main, control.period, control.increment)
    return all(seconds == int(seconds) for seconds in times)
