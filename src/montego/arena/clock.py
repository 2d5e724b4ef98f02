"""Time controls: reading them, telling engines about them, and taking the time for real.

A :class:`TimeControl` is the agreement, a :class:`PlayerClock` what one player has left of it.
Clocks are told how long a move took; they do not look at the time themselves.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from montego.gtp.client import Engine

Kind = Literal["absolute", "canadian", "byoyomi", "fischer"]

MOST_SECONDS = 1e9  # Some thirty years; more is a slip, and no clock of a machine can wait for it.

FORMS = (
    "absolute:600, canadian:600+300/25, byoyomi:600+5x30, fischer:600+5 or fischer:600+5<900 "
    "(all in seconds)"
)
_NUMBER = r"([0-9]+(?:\.[0-9]+)?)"
_SPECIFICATIONS: dict[Kind, re.Pattern[str]] = {
    "absolute": re.compile(_NUMBER),
    "canadian": re.compile(rf"{_NUMBER}\+{_NUMBER}/([0-9]+)"),
    "byoyomi": re.compile(rf"{_NUMBER}\+([0-9]+)x{_NUMBER}"),
    "fischer": re.compile(rf"{_NUMBER}\+{_NUMBER}(?:<{_NUMBER})?"),
}


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """How much time each player has. All times are in seconds.

    Canadian: after the main time, ``stones`` moves in every ``period``. Byo-yomi: after the main
    time, ``periods`` times ``period``, of which a move within the period uses up none. Fischer:
    ``increment`` more after each move, up to ``cap`` in all if there is one.
    """

    kind: Kind
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    periods: int = 0
    increment: float = 0.0
    cap: float = math.inf

    def __post_init__(self) -> None:
        times = (self.main, self.period, self.increment)
        if not all(0 <= seconds <= MOST_SECONDS for seconds in times):
            raise GoError(f"the time control {self.kind} has times from 0 to {MOST_SECONDS:g} s")
        first = self.main + self.period * (self.periods if self.kind == "byoyomi" else 1)
        if first <= 0 or (self.kind == "canadian" and self.period > 0 and self.stones < 1):
            raise GoError(f"the time control {self.kind} leaves no time for a move")

    def __str__(self) -> str:
        if self.kind == "absolute":
            return f"absolute:{self.main:.10g}"
        if self.kind == "canadian":
            return f"canadian:{self.main:.10g}+{self.period:.10g}/{self.stones}"
        if self.kind == "byoyomi":
            return f"byoyomi:{self.main:.10g}+{self.periods}x{self.period:.10g}"
        cap = "" if math.isinf(self.cap) else f"<{self.cap:.10g}"
        return f"fischer:{self.main:.10g}+{self.increment:.10g}{cap}"

    @property
    def is_whole(self) -> bool:
        """Whether all times are whole seconds, as GTP would have them."""
        times = (self.main, self.period, self.increment)
        return all(seconds == int(seconds) for seconds in times)


def parse_time_control(text: str) -> TimeControl:
    """Return the control that ``str`` of it gives, such as ``fischer:300+5``.

    Raises:
        GoError: If it has none of the forms; the message lists them.
    """
    name, _, rest = text.strip().lower().partition(":")
    for kind, pattern in _SPECIFICATIONS.items():
        match = pattern.fullmatch(rest.replace(" ", ""))
        if kind != name or match is None:
            continue
        main = float(match[1])
        if kind == "canadian":
            return TimeControl(kind=kind, main=main, period=float(match[2]), stones=int(match[3]))
        if kind == "byoyomi":
            return TimeControl(kind=kind, main=main, period=float(match[3]), periods=int(match[2]))
        if kind == "fischer":
            cap = float(match[3]) if match[3] else math.inf
            return TimeControl(kind=kind, main=main, increment=float(match[2]), cap=cap)
        return TimeControl(kind=kind, main=main)
    raise GoError(f"invalid time control {text!r}: say {FORMS}")


def check_seconds(name: str, seconds: float) -> None:
    """Refuse a time to wait that is none.

    Raises:
        GoError: If it is not above 0, or beyond what can be waited for.
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise GoError(f"invalid {name} {seconds:g}: say seconds above 0, up to {MOST_SECONDS:g}")


def seconds_per_move(seconds: float) -> TimeControl:
    """Return the control that allows so long for each move and keeps nothing for later."""
    return TimeControl(kind="canadian", period=seconds, stones=1)


@dataclass
class PlayerClock:
    """What one player has left."""

    control: TimeControl
    main: float = field(init=False)
    """Seconds of main time."""
    period: float = field(init=False)
    """Seconds of the Canadian period that runs, once the main time is over."""
    stones: int = field(init=False)
    """Moves still to make in the Canadian period."""
    periods: int = field(init=False)
    """Byo-yomi periods left."""

    def __post_init__(self) -> None:
        self.main = self.control.main
        self.period = self.control.period
        self.stones = self.control.stones
        self.periods = self.control.periods

    @property
    def limit(self) -> float:
        """How long the next move may take."""
        if self.control.kind == "canadian":
            return self.main + self.period
        if self.control.kind == "byoyomi":
            return self.main + self.periods * self.control.period
        return self.main

    @property
    def time_left(self) -> tuple[float, int]:
        """Seconds and stones as ``time_left`` states them; in byo-yomi stones are periods."""
        if self.main > 0 or self.control.kind in ("absolute", "fischer"):
            return self.main, 0
        if self.control.kind == "canadian":
            return self.period, self.stones
        return self.control.period, self.periods

    def spend(self, seconds: float) -> bool:
        """Take the time of a move; return False if it was more than the player had."""
        if seconds > self.limit:
            return False
        over = max(0.0, seconds - self.main)
        self.main = max(0.0, self.main - seconds)
        kind = self.control.kind
        if kind == "fischer":
            # A capped clock never takes away what the player had already.
            self.main = max(self.main, min(self.main + self.control.increment, self.control.cap))
        elif kind == "canadian" and self.main == 0 and (over > 0 or self.control.main == 0):
            self.period -= over
            self.stones -= 1
            if self.stones == 0:
                self.period, self.stones = self.control.period, self.control.stones
        elif kind == "byoyomi" and over > 0:
            self.periods = max(1, self.periods - int(over // self.control.period))
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
        if math.isfinite(control.cap) and "fischer-capped" in known:
            cap = _seconds(control.cap, control)
            if _told(engine, f"kata-time_settings fischer-capped {main} {increment} {cap} -1"):
                return
        if "fischer" in known and _told(engine, f"kata-time_settings fischer {main} {increment}"):
            return
    stones = {"canadian": control.stones, "byoyomi": 1}.get(control.kind, 0)
    if not _told(engine, f"time_settings {main} {period} {stones}") and not control.is_whole:
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
    return str(int(seconds)) if control.is_whole else f"{seconds:.2f}"
