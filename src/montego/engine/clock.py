"""Game clocks: every time system in use, and how long to think under it.

Pure logic that never looks at the machine's own clock: the player says how long it thought, the
controller how much is left. What the controller's side takes (*lag*) is kept back for all the moves
that may still come. It is assumed at first, and learned from what the controller reports: in main
time from every report, in a period for one move only from one that was lost.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from montego.go.vocabulary.number import read_number
from montego.go.vocabulary.timing import InvalidTime, Remaining, TimeControl, check_time

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = {
    "none": (),
    "absolute": ("main",),
    "canadian": ("main", "period", "stones"),
    "byoyomi": ("main", "period", "periods"),
    "fischer": ("main", "increment"),
    "fischer-capped": ("main", "increment", "most_main", "most_move"),
}
"""The numbers of each time system of ``kgs-`` and ``kata-time_settings``, in their order."""

DEFAULT_LAG = 0.2

LONGEST = 1e8
"""Seconds, about three years: a longer time counts as this, so that sums stay finite."""
MOST_COUNTED = 10**6  # Stones or periods; more count as these.

LEAST = 0.01  # Seconds for a move when there is no time at all.
GAME_LENGTH = 0.75  # Moves of a usual game, as a share of the board's points.
LONG_GAME = 1.3  # Moves of a long game, for which lag is kept back.
EXTENSION = 3.0  # How many times the usual an unclear move may take.
SHARE_AT_ONCE = 0.25  # What a single move may take of the time that is free.
OVERTIME_USED = 0.9  # What is used of overtime that would be lost otherwise.
LAG_NEWS = 0.1  # Weight of a new report about lag, once there were a few.
LAG_MARGIN = 1.25  # How much worse than seen so far it may become.
LAG_FADES = 0.98  # How the worst lag seen is forgotten with each report.
LAG_ASSUMED = 2.0  # Reports that weigh as much as what was assumed.
LAG_DOUBT = 0.5  # Share of a move's time that is kept back at most for lag that was never seen,
LAG_DOUBT_IN_PERIOD = 0.2  # and of a period for one move, which is lost with the lag.
LAG_CERTAIN = 0.9  # Share of the time left that is kept back at most,
OVERRUN_CERTAIN = 0.25  # and of it for thinking that takes longer than it should.


def control_from_gtp(main: float, period: float, stones: int) -> TimeControl:
    """Return what ``time_settings MAIN PERIOD STONES`` means.

    A period without stones, or nothing at all, means no limit; no period means absolute time.

    Raises:
        InvalidTime: If a number is negative or not finite.
    """
    if stones <= 0 and (period > 0 or main <= 0):
        return TimeControl()
    if period <= 0:
        return TimeControl(kind="absolute", main=main)
    return TimeControl(kind="canadian", main=main, period=period, stones=stones)


def control_from_kgs(words: Sequence[str]) -> TimeControl:
    """Return what ``kgs-time_settings`` or ``kata-time_settings`` was told.

    ``none``, ``absolute M``, ``canadian M PERIOD STONES``, ``byoyomi M PERIOD PERIODS``,
    ``fischer M INCREMENT``, ``fischer-capped M INCREMENT MOST_MAIN MOST_MOVE`` (-1: no cap).
    Overtime without a period, of a hundredth of a second at least, or stones is absolute time.

    Raises:
        InvalidTime: If it is none of these; the message says what is wanted.
    """
    system = words[0].lower() if words else ""
    if system not in USAGE:
        raise InvalidTime(f"invalid time system {system!r}: say one of {', '.join(USAGE)}")
    names = USAGE[system]
    if len(words) - 1 != len(names):
        wanted = " ".join(name.upper() for name in names)
        raise InvalidTime(f"invalid time settings: say {system} {wanted}".rstrip())
    numbers: dict[str, float] = {}
    for name, word in zip(names, words[1:], strict=True):
        number = read_number(word)
        if not math.isfinite(number):
            raise InvalidTime(f"invalid {name} {word!r}: say a number")
        if number >= 0 or name not in ("most_main", "most_move"):
            numbers[name] = int(number) if name in ("stones", "periods") else number
    if system in ("canadian", "byoyomi"):
        main, period, count = numbers.values()
        if period < LEAST or count < 1:
            return _bounded(TimeControl(kind="absolute", main=main))
    kind = system.removesuffix("-capped")
    return _bounded(TimeControl(kind=kind, **numbers))  # type: ignore[arg-type]


def _bounded(control: TimeControl) -> TimeControl:
    """Return the control with ``LONGEST`` and ``MOST_COUNTED`` in place of more.

    One whose overtime is none becomes absolute.
    """
    if control.kind in ("canadian", "byoyomi") and control.overtime is None:
        return _bounded(TimeControl(kind="absolute", main=control.main))
    times = ("main", "period", "increment", "most_main", "most_move")
    most = dict.fromkeys(times, LONGEST) | {"stones": MOST_COUNTED, "periods": MOST_COUNTED}
    values = {name: getattr(control, name) for name in most}
    return replace(
        control,
        **{name: min(value, most[name]) for name, value in values.items() if value is not None},
    )


class TimeBudget(NamedTuple):
    """How long to think about a move, in seconds."""

    target: float
    """When the choice is as clear as usual."""
    most: float
    """However unclear it is; past this the game might be lost on time."""


class Clock:
    """The clocks of both players. Colors are ``"black"`` and ``"white"``."""

    def __init__(self, control: TimeControl | None = None, *, lag: float = DEFAULT_LAG) -> None:
        """Start with full clocks.

        *lag* is what a move takes beside the thinking, as long as the controller tells nothing.
        """
        self.control = _bounded(control or TimeControl())
        self._assumed_lag = check_time("lag", lag)
        self._lag_seen = 0.0
        self._worst_lag = 0.0
        self._worst_overrun = 0.0  # how much longer than allowed a move took, on a busy machine
        self._most: dict[str, float] = {}  # what the latest budget allowed
        self._reports = 0  # that lag could be learned from
        self._told: set[str] = set()  # the colors whose time the controller reports
        self._left: dict[str, Remaining] = {}
        self._expected: dict[str, Remaining] = {}
        self._unused: dict[str, float] = {}  # of the period that a move was made in
        self.reset()

    @property
    def lag(self) -> float:
        """Seconds that a move takes beside the thinking, as far as is known."""
        return self._lag_if(self._assumed_lag)

    @lag.setter
    def lag(self, seconds: float) -> None:
        self._assumed_lag = check_time("lag", seconds)

    def _lag_if(self, assumed: float) -> float:
        """Return the lag that is known by now, if so much was assumed at first."""
        seen = LAG_MARGIN * self._lag_seen
        return (LAG_ASSUMED * assumed + self._reports * seen) / (LAG_ASSUMED + self._reports)

    def _doubted_lag(self, most: float) -> float:
        """Return the lag, if no more than *most* is kept back for what was never seen."""
        return self._lag_if(min(self._assumed_lag, most))

    def set(self, control: TimeControl) -> None:
        """Use another time control from now on; both clocks are full again."""
        self.control = _bounded(control)
        self.reset()

    def reset(self) -> None:
        """Fill both clocks for a new game. What is known about lag stays."""
        self._left = dict.fromkeys(("black", "white"), self.control.full)
        self._told = set()
        self._expected = {}
        self._unused = {}
        self._most = {}

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
        seconds, control = min(max(float(seconds), 0.0), LONGEST), self.control
        begun = control.kind == "canadian" or (control.kind == "byoyomi" and seconds > 0)
        overtime = begun and seconds <= control.period
        stones = min(stones, MOST_COUNTED)
        told = Remaining(seconds, max(stones, 0) if overtime else 0)
        self._told.add(color)
        expected, unused = self._expected.pop(color, None), self._unused.pop(color, 0.0)
        if expected is not None and expected.stones == told.stones:
            if not self._is_for_one_move(expected):  # A fresh period tells nothing.
                self._learn_lag(expected.seconds - told.seconds)
        elif expected is not None and 0 < told.stones < expected.stones and unused > 0:
            # A period of byo-yomi was lost on the way, with what was not used of it.
            self._learn_lag(LAG_MARGIN * unused)
        if control.kind == "byoyomi" and seconds == 0 and stones > 0:
            told = Remaining(control.period, stones)  # It ran out just now, and the next began.
        self._left[color] = control.running(told, 0.0)

    def _learn_lag(self, seconds: float) -> None:
        """Take note of what a move took beside the thinking; below 0 if a report was rounded."""
        self._reports += 1
        news = max(1.0 / self._reports, LAG_NEWS)
        self._lag_seen = max((1.0 - news) * self._lag_seen + news * seconds, 0.0)
        self._worst_lag = max(LAG_FADES * self._worst_lag, seconds)

    def _is_for_one_move(self, left: Remaining) -> bool:
        """Say whether what is left is a period that begins anew with the next move."""
        control = self.control
        if left.stones == 0:
            return False
        return control.kind == "byoyomi" or (control.kind == "canadian" and control.stones == 1)

    def spent(self, color: str, seconds: float) -> None:
        """Take a move's thinking time and lag off a clock; the controller may know better."""
        left, most = self._left[color], self._most.pop(color, LONGEST)
        self._worst_overrun = max(LAG_FADES * self._worst_overrun, seconds - most)
        self._unused[color] = left.seconds - seconds if self._is_for_one_move(left) else 0.0
        self._expected[color] = self._after(left, seconds)
        self._left[color] = self._after(self._left[color], seconds + self.lag)

    def budget(self, color: str, moves_played: int, size: int) -> TimeBudget | None:
        """Return how long to think now, or None if there is no limit.

        *moves_played* counts both players' moves so far; *size* is the board's.
        """
        kind, left = self.control.kind, self._left[color]
        if kind == "none":
            return None
        area = size * size
        expected = max((GAME_LENGTH * area - moves_played) / 2, 0.08 * area, 6.0)
        longest = max((LONG_GAME * area - moves_played) / 2, 0.2 * area, 12.0)
        if kind == "absolute":
            budget = self._share_of_main(left.seconds, area, expected, longest)
        elif kind == "fischer":
            budget = self._fischer(left.seconds, area, expected, longest)
        elif left.stones == 0:
            budget = self._before_overtime(left.seconds, expected)
        else:
            budget = self._overtime(left if color in self._told else self._any_move())
        most = self._most[color] = max(budget.most, LEAST)
        return TimeBudget(min(max(budget.target, LEAST), most), most)

    # Time systems

    def _after(self, left: Remaining, seconds: float) -> Remaining:
        """Return what to count on after a move that took so long, never more than a cap allows."""
        rest, stones = self.control.after_move(left, seconds)
        cap = self.control.most_main
        return Remaining(min(rest, LONGEST if cap is None else cap), stones)

    def _share_of_main(self, left: float, area: int, expected: float, longest: float) -> TimeBudget:
        """Divide time that must last for the rest of the game."""
        # Lag that was never seen may not be that bad; not all of the time is kept for it.
        share = max(self.control.main, left) / (LONG_GAME * area / 2)
        lag = self._doubted_lag(LAG_DOUBT * (self.control.increment + share))
        gain = self.control.increment - lag - LEAST
        loss = max(-gain, 0.0)  # what a move takes, whatever it does
        free = left - self._reserve(max(loss, LEAST) * longest, lag, left)
        usual = free / expected + OVERTIME_USED * max(gain, 0.0)
        return TimeBudget(
            min(usual, free), min(EXTENSION * usual, max(SHARE_AT_ONCE * free, usual), free)
        )

    def _reserve(self, wanted: float, lag: float, left: float) -> float:
        """Return what to keep back: that and the worst there was, but not all of the time."""
        overrun = min(self._worst_overrun, OVERRUN_CERTAIN * left)
        return min(wanted + max(lag, self._worst_lag) + overrun, LAG_CERTAIN * left)

    def _fischer(self, left: float, area: int, expected: float, longest: float) -> TimeBudget:
        control = self.control
        budget = self._share_of_main(left, area, expected, longest)
        if control.most_main is not None:
            # What the clock cannot hold is lost if it is not used.
            excess = left + control.increment - control.most_main - self.lag
            target = max(budget.target, min(excess, OVERTIME_USED * (left - self.lag)))
            budget = TimeBudget(target, max(budget.most, target))
        if control.most_move is not None:
            lag = self._doubted_lag(LAG_DOUBT_IN_PERIOD * control.most_move)
            most = min(budget.most, OVERTIME_USED * (control.most_move - lag))
            budget = TimeBudget(min(budget.target, most), most)
        return budget

    def _before_overtime(self, left: float, expected: float) -> TimeBudget:
        """Divide main time that overtime follows: it need not last to the end."""
        overtime = self._overtime(self._any_move()).target
        free = left - self._reserve(0.0, self.lag, left)
        usual = max(2 * free / expected, min(overtime, free))
        if left <= overtime:
            # The move may end in overtime, as any other will from then on.
            return TimeBudget(overtime, overtime)
        return TimeBudget(usual, min(EXTENSION * usual, max(SHARE_AT_ONCE * free, usual)))

    def _any_move(self) -> Remaining:
        """Return what every move of overtime may take, wherever in a period it is made."""
        control = self.control
        if control.kind == "canadian":
            return Remaining(control.period / control.stones, 1)
        return Remaining(control.period, control.periods)

    def _overtime(self, left: Remaining) -> TimeBudget:
        """Divide a period: among its stones in Canadian overtime, else it is for one move."""
        stones = left.stones if self.control.kind == "canadian" else 1
        share = left.seconds / stones
        lag = self._doubted_lag(LAG_DOUBT_IN_PERIOD * share)
        # The lag of the last move is part of the worst there was.
        wanted = lag * (stones - 1) + LEAST * stones
        free = left.seconds - self._reserve(wanted, lag, left.seconds)
        usual = OVERTIME_USED * free / stones
        return TimeBudget(usual, usual if stones == 1 else min(EXTENSION * usual, free / 2))
