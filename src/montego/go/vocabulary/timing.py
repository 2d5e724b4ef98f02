"""Time controls, and what they leave on a clock: numbers only, nothing here looks at the time.

A :class:`TimeControl` is the agreement, a :class:`Remaining` what one player has left of it.
Whoever keeps a clock adds the rest: when it runs, what lag costs, who is told, who loses.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.number import DECIMAL

Kind = Literal["none", "absolute", "canadian", "byoyomi", "fischer"]

MOST_SECONDS = 1e9  # Some thirty years; more is a slip, and no clock of a machine can wait for it.

FORMS = (
    "absolute:600, canadian:600+300/25, byoyomi:600+5x30, fischer:600+5 or fischer:600+5<900 "
    "(all in seconds)"
)
_NOTATIONS: dict[str, re.Pattern[str]] = {
    "absolute": re.compile(rf"(?P<main>{DECIMAL})"),
    "canadian": re.compile(rf"(?P<main>{DECIMAL})\+(?P<period>{DECIMAL})/(?P<stones>[0-9]+)"),
    "byoyomi": re.compile(rf"(?P<main>{DECIMAL})\+(?P<periods>[0-9]+)x(?P<period>{DECIMAL})"),
    "fischer": re.compile(
        rf"(?P<main>{DECIMAL})\+(?P<increment>{DECIMAL})(?:<(?P<most_main>{DECIMAL}))?"
    ),
}


class InvalidTime(GoError):  # noqa: N818  # Named for what the user did, as IllegalMove is.
    """A time control or a time left that makes no sense."""


class Remaining(NamedTuple):
    """What is left on one clock."""

    seconds: float
    """Seconds of main time or, in overtime, of the period that runs."""
    stones: int = 0
    """In overtime, the moves left in the Canadian period or the byo-yomi periods left, the one that
    runs included; 0 in main time."""


@dataclass(frozen=True, kw_only=True)
class TimeControl:
    """How much time each player has. All times are in seconds, and may be fractions.

    Canadian: after the main time, ``stones`` moves in every ``period``. Byo-yomi: after the main
    time, ``periods`` times ``period``, of which a move within the period uses up none. Fischer:
    ``increment`` more after each move. Overtime that lacks a period, or stones or periods, is none.

    Raises:
        InvalidTime: If there is no such kind, or a number is negative or no number at all.
    """

    kind: Kind = "none"
    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    periods: int = 0
    increment: float = 0.0
    most_main: float | None = None
    """Fischer: up to where an increment may fill the clock; None for no limit."""
    most_move: float | None = None
    """Fischer: the longest that a single move may take; None for no limit."""

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            known = ", ".join(get_args(Kind))
            raise InvalidTime(f"invalid time system {self.kind!r}: say one of {known}")
        for name, value in vars(self).items():
            if name != "kind" and value is not None:
                check_time(name, value)

    def __str__(self) -> str:
        if self.kind == "none":
            return self.kind
        text = f"{self.kind}:{self.main:.10g}"
        if self.kind == "canadian":
            return f"{text}+{self.period:.10g}/{self.stones}"
        if self.kind == "byoyomi":
            return f"{text}+{self.periods}x{self.period:.10g}"
        if self.kind == "fischer":
            cap = "" if self.most_main is None else f"<{self.most_main:.10g}"
            return f"{text}+{self.increment:.10g}{cap}"
        return text

    @property
    def overtime(self) -> Remaining | None:
        """What a clock shows when overtime begins; None if there is none."""
        stones = {"canadian": self.stones, "byoyomi": self.periods}.get(self.kind, 0)
        return Remaining(self.period, stones) if self.period > 0 and stones > 0 else None

    @property
    def full(self) -> Remaining:
        """What a clock shows before the first move."""
        return self.running(Remaining(self.main), 0.0)

    def running(self, left: Remaining, seconds: float) -> Remaining:
        """Return what a clock shows that showed *left* and has run for so long without a move.

        Once the flag has fallen it shows no time.
        """
        rest, stones = left.seconds - seconds, left.stones
        overtime = self.overtime
        if rest <= 0 and overtime is not None:
            if stones == 0:
                rest, stones = rest + overtime.seconds, overtime.stones
            if self.kind == "byoyomi":
                lost = min(max(math.ceil(-rest / self.period), 0), stones - 1)
                rest, stones = rest + lost * self.period, stones - lost
        return Remaining(max(rest, 0.0), stones)

    def after_move(self, left: Remaining, seconds: float) -> Remaining:
        """Return what a clock that showed *left* shows after a move that took so long."""
        rest, stones = self.running(left, seconds)
        if self.kind == "fischer":
            most = math.inf if self.most_main is None else self.most_main
            # A capped clock never takes away what the player had already.
            return Remaining(max(rest, min(rest + self.increment, most)))
        if stones == 0:
            return Remaining(rest)
        if self.kind == "byoyomi":
            return Remaining(self.period, stones)
        return Remaining(rest, stones - 1) if stones > 1 else Remaining(self.period, self.stones)

    def until_flag(self, left: Remaining) -> float:
        """Return how long a clock that shows *left* may run without a move before its flag falls.

        Infinity without a limit.
        """
        if self.kind == "none":
            return math.inf
        most = math.inf if self.most_move is None else self.most_move
        total, overtime = left.seconds, self.overtime
        if overtime is not None and left.stones == 0:
            total, left = total + overtime.seconds, overtime
        if self.kind == "byoyomi" and left.stones:
            total += (left.stones - 1) * self.period
        return min(total, most)


def parse_time_control(text: str) -> TimeControl:
    """Return the control that ``str`` of it gives, such as ``fischer:300+5``.

    Raises:
        GoError: If it has none of the forms, which the message lists, or leaves no time to move.
    """
    name, _, rest = text.strip().lower().partition(":")
    match = _NOTATIONS[name].fullmatch(rest.replace(" ", "")) if name in _NOTATIONS else None
    if match is None:
        raise GoError(f"invalid time control {text!r}: say {FORMS}")
    numbers: dict[str, float] = {
        field: int(word) if field in ("stones", "periods") else float(word)
        for field, word in match.groupdict().items()
        if word is not None
    }
    return check_control(TimeControl(kind=name, **numbers))  # type: ignore[arg-type]


def seconds_per_move(seconds: float) -> TimeControl:
    """Return the control that allows so long for each move and keeps nothing for later.

    Raises:
        GoError: If that leaves no time to move.
    """
    return check_control(TimeControl(kind="canadian", period=seconds, stones=1))


def check_control(control: TimeControl) -> TimeControl:
    """Return a control that two players can be given.

    Raises:
        GoError: If it leaves no time for a move, or its times are beyond ``MOST_SECONDS``.
    """
    times = (control.main, control.period, control.increment)
    if not all(seconds <= MOST_SECONDS for seconds in times):
        raise GoError(f"the time control {control.kind} has times from 0 to {MOST_SECONDS:g} s")
    is_broken = control.kind == "canadian" and control.period > 0 and control.stones < 1
    if control.kind == "none" or is_broken or control.until_flag(control.full) <= 0:
        raise GoError(f"the time control {control.kind} leaves no time for a move")
    return control


def check_seconds(name: str, seconds: float) -> None:
    """Refuse a time to wait that is none.

    Raises:
        GoError: If it is not above 0, or beyond what can be waited for.
    """
    if not 0 < seconds <= MOST_SECONDS:
        raise GoError(f"invalid {name} {seconds:g}: say seconds above 0, up to {MOST_SECONDS:g}")


def check_time(name: str, value: float) -> float:
    """Return a number that is fit for a time, as a float.

    Raises:
        InvalidTime: If it is negative, not finite, or no number at all.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InvalidTime(f"invalid {name} {value!r}: say a number from 0")
    return float(value)
