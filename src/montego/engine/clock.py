"""Game clocks: every time system in use, and how long to think under it.

Pure logic that never looks at the machine's own clock: the player says how long it thought, the
controller how much is left. Nothing here needs NumPy.

No budget is meant to lose on time: what the controller's side takes (*lag*) is kept back for all
the moves that may still come, and learned from what the controller reports.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.number import read_number

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("none", "absolute", "canadian", "byoyomi", "fischer", "fischer-capped")
USAGE = {
    "none": (),
    "absolute": ("main",),
    "canadian": ("main", "period", "stones"),
    "byoyomi": ("main", "period", "periods"),
    "fischer": ("main", "increment"),
    "fischer-capped": ("main", "increment", "most_main", "most_move"),
}
"""The numbers that each kind takes, in the order of ``kgs-`` and ``kata-time_settings``."""

DEFAULT_LAG = 0.2

LONGEST = 1e8
"""Seconds, about three years: a longer time counts as this, so that sums stay finite."""
MOST_COUNTED = 10**6  # Stones or periods; more count as these.

# As people write numbers: Python itself would take 1_0 and digits of any script.

LEAST = 0.01  # Seconds for a move when there is no time at all.
GAME_LENGTH = 0.75  # Moves of a usual game, as a share of the board's points.
LONG_GAME = 1.3  # Moves of a long game, for which lag is kept back.
EXTENSION = 3.0  # How many times the usual an unclear move may take.
SHARE_AT_ONCE = 0.25  # What a single move may take of the time that is free.
OVERTIME_USED = 0.9  # What is used of overtime that would be lost otherwise.
LAG_NEWS = 0.1  # Weight of a new report about lag, once there were a few.
LAG_MARGIN = 1.25  # How much worse than seen so far it may become.
LAG_FADES = 0.98  # How the worst lag seen is forgotten with each report.
LAG_DOUBT = 0.5  # Share of main time that is kept back at most for lag that was never seen.
LAG_CERTAIN = 0.9  # Share of the time left that is kept back at most.


class InvalidTime(GoError):  # noqa: N818  # Named for what the user did.
    """Time settings or a time left that make no sense."""


@dataclass(frozen=True, kw_only=True)
class TimeSettings:
    """A time system. Seconds may be fractions; more of them than ``LONGEST`` count as that.

    Raises:
        InvalidTime: If a number is negative or no number at all, or there is no such kind.
    """

    kind: str = "none"
    """One of ``KINDS``."""
    main: float = 0.0
    """Main time."""
    period: float = 0.0
    """Length of an overtime period: Canadian and byo-yomi."""
    stones: int = 0
    """Canadian: moves to be made in each period."""
    periods: int = 0
    """Byo-yomi: how many periods there are."""
    increment: float = 0.0
    """Fischer: added after each move."""
    most_main: float | None = None
    """Fischer, capped: what the clock may hold at most; None for no limit."""
    most_move: float | None = None
    """Fischer, capped: the longest that a single move may take; None for no limit."""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InvalidTime(f"invalid time system {self.kind!r}: say one of {', '.join(KINDS)}")
        for name in ("main", "period", "increment", "most_main", "most_move"):
            if getattr(self, name) is not None:
                self._limit(name, LONGEST)
        for name in ("stones", "periods"):
            self._limit(name, MOST_COUNTED)
        if self.kind == "canadian" and not (self.period > 0 and self.stones > 0):
            raise InvalidTime("Canadian overtime wants a period and stones above 0")
        if self.kind == "byoyomi" and not (self.period > 0 and self.periods > 0):
            raise InvalidTime("byo-yomi wants a period and a number of periods above 0")

    def _limit(self, name: str, most: float) -> None:
        """Check a number, and take *most* instead of more."""
        if _check(name, getattr(self, name)) > most:
            object.__setattr__(self, name, most)

    @classmethod
    def from_gtp(cls, main: float, period: float, stones: int) -> TimeSettings:
        """Return what ``time_settings MAIN PERIOD STONES`` means.

        A period without stones means no limit, no period means absolute time; nothing at all means
        no limit too.
        """
        if stones <= 0 and (period > 0 or main <= 0):
            return cls()
        if period <= 0:
            return cls(kind="absolute", main=main)
        return cls(kind="canadian", main=main, period=period, stones=stones)

    @classmethod
    def from_kgs(cls, words: Sequence[str]) -> TimeSettings:
        """Return what ``kgs-time_settings`` or ``kata-time_settings`` was told.

        ``none``, ``absolute M``, ``canadian M PERIOD STONES``, ``byoyomi M PERIOD PERIODS``,
        ``fischer M INCREMENT``, ``fischer-capped M INCREMENT MOST_MAIN MOST_MOVE`` (-1: no cap).
        Overtime without a period, of a hundredth of a second at least, or stones is absolute time.

        Raises:
            InvalidTime: If it is none of these; the message says what is wanted.
        """
        kind = words[0].lower() if words else ""
        if kind not in USAGE:
            raise InvalidTime(f"invalid time system {kind!r}: say one of {', '.join(KINDS)}")
        names = USAGE[kind]
        if len(words) - 1 != len(names):
            wanted = " ".join(name.upper() for name in names)
            raise InvalidTime(f"invalid time settings: say {kind} {wanted}".rstrip())
        numbers = {name: _number(name, word) for name, word in zip(names, words[1:], strict=True)}
        whole = {name: int(numbers[name]) for name in ("stones", "periods") if name in numbers}
        caps = {
            name: None if numbers[name] < 0 else numbers[name]
            for name in ("most_main", "most_move")
            if name in numbers
        }
        if kind in ("canadian", "byoyomi") and not (
            numbers["period"] >= LEAST and all(count > 0 for count in whole.values())
        ):
            return cls(kind="absolute", main=numbers["main"])
        return cls(kind=kind, **(numbers | whole | caps))  # type: ignore[arg-type]


class Budget(NamedTuple):
    """How long to think about a move, in seconds."""

    target: float
    """When the choice is as clear as usual."""
    most: float
    """However unclear it is; past this the game might be lost on time."""


@dataclass(frozen=True)
class Remaining:
    """What is left on one clock."""

    seconds: float
    """Of main time, or of the period."""
    stones: int = 0
    """In overtime, the moves left in the period or the periods left; 0 in main time."""


class Clock:
    """The clocks of both players. Colors are ``"black"`` and ``"white"``."""

    def __init__(self, settings: TimeSettings | None = None, *, lag: float = DEFAULT_LAG) -> None:
        """Start with full clocks. *lag* is the least that a move takes beside the thinking."""
        self.settings = TimeSettings() if settings is None else settings
        self._least_lag = _check("lag", lag)
        self._lag_seen = 0.0
        self._worst_lag = 0.0
        self._reports = 0  # that lag could be learned from
        self._told: set[str] = set()  # the colors whose time the controller reports
        self._left: dict[str, Remaining] = {}
        self._expected: dict[str, Remaining] = {}
        self.reset()

    @property
    def lag(self) -> float:
        """Seconds that a move takes beside the thinking, as far as is known."""
        return max(self._least_lag, LAG_MARGIN * self._lag_seen)

    @lag.setter
    def lag(self, seconds: float) -> None:
        self._least_lag = _check("lag", seconds)

    def set(self, settings: TimeSettings) -> None:
        """Use another time system from now on; both clocks are full again."""
        self.settings = settings
        self.reset()

    def reset(self) -> None:
        """Fill both clocks for a new game. What is known about lag stays."""
        full = self._into_overtime(Remaining(self.settings.main))
        self._left = {"black": full, "white": full}
        self._told = set()
        self._expected = {}

    def left(self, color: str) -> Remaining:
        """Return what is left for *color*."""
        return self._left[color]

    def time_left(self, color: str, seconds: float, stones: int) -> None:
        """Believe the controller: *seconds* left, for *stones* moves or in *stones* periods.

        *stones* is 0 in main time. More seconds than an overtime period has mean main time too.
        A time below 0 counts as 0. Servers send whole seconds, so that 0 with stones left is less
        than a second of a Canadian period; of byo-yomi it is the end of one, and the next begins.

        Raises:
            InvalidTime: If a number is no number.
        """
        if not math.isfinite(seconds):
            raise InvalidTime(f"invalid time left {seconds!r}: say a number of seconds")
        seconds, settings = min(max(float(seconds), 0.0), LONGEST), self.settings
        begun = settings.kind == "canadian" or (settings.kind == "byoyomi" and seconds > 0)
        overtime = begun and seconds <= settings.period
        stones = min(stones, MOST_COUNTED)
        told = Remaining(seconds, max(stones, 0) if overtime else 0)
        self._told.add(color)
        expected = self._expected.pop(color, None)
        if expected is not None and expected.stones == told.stones:
            self._reports += 1
            news = max(1.0 / self._reports, LAG_NEWS)
            late = expected.seconds - told.seconds
            self._lag_seen = max((1.0 - news) * self._lag_seen + news * late, 0.0)
            self._worst_lag = max(LAG_FADES * self._worst_lag, late)
        if settings.kind == "byoyomi" and seconds == 0 and stones > 0:
            told = Remaining(settings.period, stones)  # It ran out just now, and the next began.
        self._left[color] = self._into_overtime(told)

    def spent(self, color: str, seconds: float) -> None:
        """Take a move's thinking time and lag off a clock; the controller may know better."""
        self._expected[color] = self._after(self._left[color], seconds)
        self._left[color] = self._after(self._left[color], seconds + self.lag)

    def budget(self, color: str, moves_played: int, size: int) -> Budget | None:
        """Return how long to think now, or None if there is no limit.

        *moves_played* counts both players' moves so far; *size* is the board's.
        """
        kind, left = self.settings.kind, self._left[color]
        if kind == "none":
            return None
        area = size * size
        expected = max((GAME_LENGTH * area - moves_played) / 2, 0.08 * area, 6.0)
        longest = max((LONG_GAME * area - moves_played) / 2, 0.2 * area, 12.0)
        if kind == "absolute":
            budget = self._share_of_main(left.seconds, area, expected, longest)
        elif kind in ("fischer", "fischer-capped"):
            budget = self._fischer(left.seconds, area, expected, longest)
        elif left.stones == 0:
            budget = self._before_overtime(left.seconds, expected)
        else:
            budget = self._overtime(left if color in self._told else self._any_move())
        most = max(budget.most, LEAST)
        return Budget(min(max(budget.target, LEAST), most), most)

    # Time systems

    def _into_overtime(self, left: Remaining) -> Remaining:
        """Begin overtime if main time is used up."""
        if left.seconds > 0 or left.stones > 0:
            return left
        if self.settings.kind == "canadian":
            return Remaining(self.settings.period, self.settings.stones)
        if self.settings.kind == "byoyomi":
            return Remaining(self.settings.period, self.settings.periods)
        return left

    def _after(self, left: Remaining, seconds: float) -> Remaining:
        """Return what is left after a move that took so long."""
        settings, rest = self.settings, left.seconds - seconds
        if settings.kind in ("fischer", "fischer-capped"):
            rest = min(max(rest, 0.0) + settings.increment, LONGEST)
            most = settings.most_main
            return Remaining(rest if most is None else min(rest, most))
        if settings.kind not in ("canadian", "byoyomi"):
            return Remaining(max(rest, 0.0))
        if left.stones == 0 and rest > 0:
            return Remaining(rest)
        overtime = left if left.stones > 0 else self._into_overtime(Remaining(0.0))
        if left.stones == 0:
            rest += overtime.seconds
        if settings.kind == "byoyomi":
            lost = max(math.ceil(-rest / settings.period), 0)
            return Remaining(settings.period, max(overtime.stones - lost, 1))
        if overtime.stones == 1:
            return Remaining(settings.period, settings.stones)
        return replace(overtime, seconds=max(rest, 0.0), stones=overtime.stones - 1)

    def _share_of_main(self, left: float, area: int, expected: float, longest: float) -> Budget:
        """Divide time that must last for the rest of the game."""
        gain = self.settings.increment - self.lag - LEAST
        loss = max(-gain, 0.0)  # what a move takes, whatever it does
        if self._lag_seen <= self._least_lag:
            # Lag that was never seen may not be that bad; not all of the time is kept for it.
            loss = min(loss, LAG_DOUBT * max(self.settings.main, left) / (LONG_GAME * area / 2))
        free = left - self._reserve(max(loss, LEAST) * longest, left)
        usual = free / expected + OVERTIME_USED * max(gain, 0.0)
        return Budget(
            min(usual, free), min(EXTENSION * usual, max(SHARE_AT_ONCE * free, usual), free)
        )

    def _reserve(self, wanted: float, left: float) -> float:
        """Return what to keep back: that, and for this move the worst lag there was.

        A little is left to think with, whatever happens.
        """
        return min(wanted + max(self.lag, self._worst_lag), LAG_CERTAIN * left)

    def _fischer(self, left: float, area: int, expected: float, longest: float) -> Budget:
        settings = self.settings
        budget = self._share_of_main(left, area, expected, longest)
        if settings.most_main is not None:
            # What the clock cannot hold is lost if it is not used.
            excess = left + settings.increment - settings.most_main - self.lag
            target = max(budget.target, min(excess, OVERTIME_USED * (left - self.lag)))
            budget = Budget(target, max(budget.most, target))
        if settings.most_move is not None:
            most = min(budget.most, OVERTIME_USED * (settings.most_move - self.lag))
            budget = Budget(min(budget.target, most), most)
        return budget

    def _before_overtime(self, left: float, expected: float) -> Budget:
        """Divide main time that overtime follows: it need not last to the end."""
        overtime = self._overtime(self._any_move()).target
        free = left - self._reserve(0.0, left)
        usual = max(2 * free / expected, min(overtime, free))
        if left <= overtime:
            # The move may end in overtime, as any other will from then on.
            return Budget(overtime, overtime)
        return Budget(usual, min(EXTENSION * usual, max(SHARE_AT_ONCE * free, usual)))

    def _any_move(self) -> Remaining:
        """Return what every move of overtime may take, wherever in a period it is made.

        Nobody knows that for sure without reports: lag decides when overtime began.
        """
        settings = self.settings
        if settings.kind == "canadian":
            return Remaining(settings.period / settings.stones, 1)
        return Remaining(settings.period, settings.periods)

    def _overtime(self, left: Remaining) -> Budget:
        """Divide a period: among its stones in Canadian overtime, else it is for one move."""
        stones = left.stones if self.settings.kind == "canadian" else 1
        free = left.seconds - self._reserve((self.lag + LEAST) * stones, left.seconds)
        usual = OVERTIME_USED * free / stones
        return Budget(usual, usual if stones == 1 else min(EXTENSION * usual, free / 2))


def _check(name: str, value: float) -> float:
    """Return a number that is fit for a time.

    Raises:
        InvalidTime: If it is not.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise InvalidTime(f"invalid {name} {value!r}: say a number from 0")
    return float(value)


def _number(name: str, word: str) -> float:
    """Return the finite number that *word* says. Raises InvalidTime if it says none."""
    number = read_number(word)
    if not math.isfinite(number):
        raise InvalidTime(f"invalid {name} {word!r}: say a number")
    return number
