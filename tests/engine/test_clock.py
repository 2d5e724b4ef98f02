"""Clocks of every kind: what settings mean, how time is divided, and that it never runs out."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.engine.clock import (
    LEAST,
    LONGEST,
    USAGE,
    Clock,
    control_from_gtp,
    control_from_kgs,
)
from montego.go.vocabulary.timing import InvalidTime, Kind, Remaining, TimeControl


@dataclass
class Referee:
    """A server's clock for one player, written without a look at ours."""

    settings: TimeControl
    lost: bool = False
    main: float = field(init=False)
    overtime: float = field(init=False)
    count: int = field(init=False)  # stones or periods left

    def __post_init__(self) -> None:
        self.main = self.settings.main
        self.overtime = self.settings.period
        self.count = self.settings.stones or self.settings.periods

    def charge(self, seconds: float) -> None:
        """Take a move's time off."""
        kind = self.settings.kind
        if kind == "fischer":
            self._charge_fischer(seconds)
            return
        from_main = min(seconds, self.main)
        self.main -= from_main
        rest = seconds - from_main
        if kind == "absolute":
            self.lost |= rest > 0
        elif rest > 0 or self.main == 0:
            if kind == "byoyomi":
                while rest > self.settings.period:
                    rest -= self.settings.period
                    self.count -= 1
                self.lost |= self.count < 1
            else:
                self.overtime -= rest
                self.lost |= self.overtime < 0
                self.count -= 1
                if self.count == 0:
                    self.overtime, self.count = self.settings.period, self.settings.stones

    def _charge_fischer(self, seconds: float) -> None:
        settings = self.settings
        self.lost |= seconds > self.main
        if settings.most_move is not None:
            self.lost |= seconds > settings.most_move
        self.main += settings.increment - seconds
        if settings.most_main is not None:
            self.main = min(self.main, settings.most_main)

    def report(self, clock: Clock, *, whole_seconds: bool) -> None:
        """Say ``time_left`` as servers do."""
        in_main = self.main > 0 or self.settings.kind in ("absolute", "fischer")
        seconds = self.main if in_main else self.overtime
        if whole_seconds:
            seconds = float(int(seconds))
        clock.time_left("black", seconds, 0 if in_main else self.count)


@st.composite
def time_systems(draw: st.DrawFn, least_main: float = 60.0) -> TimeControl:
    kinds: list[Kind] = ["absolute", "canadian", "byoyomi", "fischer"]
    kind = draw(st.sampled_from(kinds))
    main = draw(st.floats(least_main, 3600.0))
    if kind == "absolute":
        return TimeControl(kind=kind, main=main)
    if kind in ("canadian", "byoyomi"):
        main = draw(st.one_of(st.just(0.0), st.floats(0.5, 600.0)))
        period = draw(st.floats(5.0, 120.0))
        if kind == "byoyomi":
            periods = draw(st.integers(1, 5))
            return TimeControl(kind=kind, main=main, period=period, periods=periods)
        stones = draw(st.integers(1, int(max(period / 2.0, 1))))
        return TimeControl(kind=kind, main=main, period=period, stones=stones)
    return TimeControl(
        kind=kind,
        main=main,
        increment=draw(st.floats(0.0, 30.0)),
        most_main=draw(st.one_of(st.none(), st.floats(main, 2 * main))),
        most_move=draw(st.one_of(st.none(), st.floats(5.0, 60.0))),
    )


def play_out(
    settings: TimeControl,
    clock: Clock,
    *,
    size: int,
    lag: float,
    reports: bool,
    whole_seconds: bool,
    seed: int,
) -> Referee:
    """Make as many moves as a long game has; often think as long as the clock allows."""
    dice, referee = random.Random(seed), Referee(settings)
    for number in range(int(0.6 * size * size)):
        if reports:
            referee.report(clock, whole_seconds=whole_seconds)
        budget = clock.budget("black", 2 * number, size)
        assert budget is not None
        assert 0 < budget.target <= budget.most
        thought = dice.choice([budget.most, budget.target, dice.uniform(0, budget.most)])
        referee.charge(thought + lag * dice.random())
        assert not referee.lost, f"lost at move {number} with {budget} and {clock.left('black')}"
        clock.spent("black", thought)
    return referee


@given(
    settings=time_systems(),
    size=st.sampled_from([9, 13, 19]),
    lag=st.floats(0.0, 0.3),
    reports=st.booleans(),
    whole_seconds=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_never_loses_on_time_with_the_lag_it_was_told(
    settings: TimeControl, size: int, lag: float, reports: bool, whole_seconds: bool, seed: int
) -> None:
    lag = min(lag, 0.4 * settings.main / (0.6 * size * size)) if settings.main >= 60 else lag
    play_out(
        settings,
        Clock(settings, lag=lag),
        size=size,
        lag=lag,
        reports=reports,
        whole_seconds=whole_seconds,
        seed=seed,
    )


@given(
    settings=time_systems(least_main=300.0),
    size=st.sampled_from([9, 19]),
    seed=st.integers(0, 2**32),
)
def test_learns_of_lag_that_nobody_told_it_of(settings: TimeControl, size: int, seed: int) -> None:
    lag = 0.4 * 300 / (0.6 * size * size) if settings.kind == "absolute" else 0.3
    clock = Clock(settings, lag=0.1)
    play_out(settings, clock, size=size, lag=lag, reports=True, whole_seconds=False, seed=seed)


@pytest.mark.parametrize("size", [9, 19])
def test_uses_most_of_an_absolute_clock_in_a_usual_game(size: int) -> None:
    clock = Clock(TimeControl(kind="absolute", main=600), lag=0.0)
    for number in range(int(0.7 * size * size) // 2):
        budget = clock.budget("white", 2 * number, size)
        assert budget is not None
        clock.spent("white", budget.target)
    assert 10 < clock.left("white").seconds < 200


def test_an_unclear_move_may_take_longer_but_not_a_large_part_of_the_time() -> None:
    budget = Clock(TimeControl(kind="absolute", main=600)).budget("black", 30, 9)
    assert budget is not None
    assert 2 * budget.target < budget.most < 200


def test_a_byo_yomi_period_is_used_nearly_whole() -> None:
    clock = Clock(TimeControl(kind="byoyomi", period=30, periods=5), lag=1.0)
    budget = clock.budget("black", 100, 19)
    assert budget is not None
    assert 24 < budget.target == budget.most < 29


@pytest.mark.parametrize("kind", ["byoyomi", "canadian"])
def test_a_short_period_is_used_too(kind: Kind) -> None:
    settings = TimeControl(kind=kind, period=1, periods=3, stones=1)
    clock = Clock(settings, lag=0.5)
    referee = Referee(settings)
    for number in range(100):
        referee.report(clock, whole_seconds=False)
        budget = clock.budget("black", 2 * number, 19)
        assert budget is not None
        assert 0.6 < budget.target <= 0.8
        clock.spent("black", budget.target)
        referee.charge(budget.target + 0.1)
        assert not referee.lost
    assert referee.count >= 1


def test_a_period_that_was_lost_on_the_way_is_not_lost_again() -> None:
    settings = TimeControl(kind="byoyomi", period=5, periods=3)
    clock, referee = Clock(settings, lag=0.1), Referee(settings)
    for number in range(100):
        referee.report(clock, whole_seconds=False)
        budget = clock.budget("black", 2 * number, 19)
        assert budget is not None
        clock.spent("black", budget.target)
        referee.charge(budget.target + 0.8)
    assert not referee.lost
    assert referee.count >= 1


@pytest.mark.parametrize("whole_seconds", [False, True])
@pytest.mark.parametrize("lag", [0.0, 0.05, 0.3])
def test_an_increment_is_used_where_the_lag_turns_out_to_be_small(
    lag: float, whole_seconds: bool
) -> None:
    settings = TimeControl(kind="fischer", main=5, increment=0.5)
    clock, referee = Clock(settings, lag=0.5), Referee(settings)
    for number in range(130):
        referee.report(clock, whole_seconds=whole_seconds)
        budget = clock.budget("black", 2 * number, 19)
        assert budget is not None
        clock.spent("black", budget.target)
        referee.charge(budget.target + lag)
        assert not referee.lost
    assert referee.main < 8


def test_a_busy_machine_that_takes_longer_than_it_may_is_allowed_less() -> None:
    clock = Clock(TimeControl(kind="byoyomi", period=10, periods=1), lag=0.0)
    first = clock.budget("black", 0, 9)
    assert first is not None
    clock.spent("black", first.most + 0.8)
    second = clock.budget("black", 2, 9)
    assert second is not None
    assert second.most == pytest.approx(first.most - 0.72, abs=0.01)
    for _ in range(300):
        clock.spent("black", 1.0)
    last = clock.budget("black", 4, 9)
    assert last is not None
    assert last.most == pytest.approx(first.most, abs=0.01)


def test_what_was_assumed_of_lag_is_forgotten_as_reports_come_in() -> None:
    clock = Clock(TimeControl(kind="absolute", main=600), lag=0.5)
    left, known = 600.0, [clock.lag]
    for _ in range(30):
        clock.spent("black", 5.0)
        left -= 5.02
        clock.time_left("black", left, 0)
        known.append(clock.lag)

    assert known[0] == 0.5
    assert known == sorted(known, reverse=True)
    assert known[-1] < 0.06


def test_main_time_lasts_longer_than_overtime_would() -> None:
    clock = Clock(TimeControl(kind="byoyomi", main=1200, period=5, periods=1))
    budget = clock.budget("black", 0, 19)
    assert budget is not None
    assert budget.target > 5


def test_fischer_uses_the_increment_and_what_the_cap_would_take() -> None:
    plain = Clock(TimeControl(kind="fischer", main=60, increment=20), lag=0.0)
    capped = Clock(TimeControl(kind="fischer", main=60, increment=20, most_main=45), lag=0.0)
    first, second = plain.budget("black", 0, 19), capped.budget("black", 0, 19)
    assert first is not None
    assert second is not None
    assert 18 <= first.target < 20
    assert second.target >= 35


def test_fischer_respects_the_longest_move() -> None:
    settings = TimeControl(kind="fischer", main=900, increment=50, most_move=10)
    budget = Clock(settings, lag=0.5).budget("black", 0, 19)
    assert budget is not None
    assert 5 < budget.most < 9.5


@pytest.mark.parametrize(
    ("gtp", "kind"),
    [
        ((0, 1, 0), "none"),
        ((1, 1, 0), "none"),
        ((0, 0, 0), "none"),
        ((300, 0, 0), "absolute"),
        ((0, 30, 1), "canadian"),
        ((600, 300, 25), "canadian"),
    ],
)
def test_time_settings_of_the_protocol(gtp: tuple[float, float, int], kind: str) -> None:
    assert control_from_gtp(*gtp).kind == kind


def test_no_limit_has_no_budget() -> None:
    clock = Clock()
    clock.spent("black", 100.0)
    assert clock.budget("black", 0, 19) is None


def test_time_left_tells_main_time_from_overtime() -> None:
    clock = Clock(TimeControl(kind="canadian", main=600, period=300, stones=25))
    clock.time_left("black", 400.0, 25)  # More than a period: main time, whatever they say.
    assert clock.left("black") == Remaining(400.0, 0)
    clock.time_left("black", 200.0, 10)
    assert clock.left("black") == Remaining(200.0, 10)
    clock.time_left("black", 0, 0)  # Main time has just run out.
    assert clock.left("black") == Remaining(300, 25)


def test_survives_time_left_without_any_time() -> None:
    for kind in ("absolute", "fischer"):
        clock = Clock(TimeControl(kind=kind, main=10))
        clock.time_left("white", -3, 0)
        assert clock.budget("white", 10, 9) == (LEAST, LEAST)


def test_less_than_a_second_of_a_canadian_period_is_no_fresh_one() -> None:
    clock = Clock(TimeControl(kind="canadian", main=60, period=300, stones=25), lag=0.5)
    clock.time_left("black", 0, 3)
    assert clock.left("black") == Remaining(0, 3)
    assert clock.budget("black", 60, 19) == (LEAST, LEAST)


def test_a_byo_yomi_period_that_ran_out_is_followed_by_the_next() -> None:
    clock = Clock(TimeControl(kind="byoyomi", main=600, period=30, periods=3))
    clock.time_left("white", 0, 2)
    assert clock.left("white") == Remaining(30, 2)


def test_keeps_its_own_books_until_told_otherwise() -> None:
    clock = Clock(TimeControl(kind="canadian", main=10, period=30, stones=3), lag=0.0)
    clock.spent("black", 4.0)
    assert clock.left("black") == Remaining(6.0)
    clock.spent("black", 16.0)  # Six of main time, ten of the first period.
    assert clock.left("black") == Remaining(20.0, 2)
    clock.spent("black", 5.0)
    clock.spent("black", 5.0)
    assert clock.left("black") == Remaining(30.0, 3)
    assert clock.left("white") == Remaining(10)


def test_lost_byo_yomi_periods_are_counted() -> None:
    clock = Clock(TimeControl(kind="byoyomi", period=10, periods=5), lag=0.0)
    clock.spent("black", 25.0)
    assert clock.left("black") == Remaining(10, 3)


def test_a_new_game_fills_the_clocks() -> None:
    clock = Clock(TimeControl(kind="absolute", main=100))
    clock.spent("black", 40)
    clock.reset()
    assert clock.left("black") == Remaining(100)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("none", TimeControl()),
        ("absolute 900", TimeControl(kind="absolute", main=900)),
        ("byoyomi 600 30.5 5", TimeControl(kind="byoyomi", main=600, period=30.5, periods=5)),
        ("canadian 600 300 25", TimeControl(kind="canadian", main=600, period=300, stones=25)),
        ("fischer 60 5", TimeControl(kind="fischer", main=60, increment=5)),
        (
            "fischer-capped 60 5 120 -1",
            TimeControl(kind="fischer", main=60, increment=5, most_main=120),
        ),
        ("byoyomi 600 0 0", TimeControl(kind="absolute", main=600)),
    ],
)
def test_settings_as_kgs_and_kata_say_them(words: str, settings: TimeControl) -> None:
    assert control_from_kgs(words.split()) == settings


@pytest.mark.parametrize(
    "words",
    [
        *("", "hourglass 3", "absolute", "absolute x", "fischer 1", "absolute nan", "fischer -1 3"),
        *("byoyomi 600 30 inf", "byoyomi 600 30 nan", "canadian 600 300 1e400", "absolute inf"),
        *("canadian nan 300 25", "byoyomi 600 inf 5", "fischer-capped 60 5 nan -1"),
        *("fischer-capped 60 5 -inf -1", "fischer-capped 60 5 120 inf", "fischer 1 -inf"),
        *("absolute 1_0", "byoyomi 600 3_0 5", "canadian 600 300 2_5", "absolute \u0663"),
    ],
)
def test_refuses_settings_that_make_no_sense(words: str) -> None:
    with pytest.raises(InvalidTime):
        control_from_kgs(words.split())


def test_a_period_that_is_next_to_nothing_is_none() -> None:
    clock = Clock(control_from_kgs(["byoyomi", "60", "1e-320", "5"]))
    clock.spent("black", 100.0)

    assert clock.control == TimeControl(kind="absolute", main=60)
    assert clock.left("black") == Remaining(0.0)


HUGE = ("1e308", "1e300", "1e12", "300", "1e-300")


@pytest.mark.parametrize("kind", [kind for kind in USAGE if kind != "none"])
def test_however_long_the_times_are_the_budget_is_finite(kind: str) -> None:
    for numbers in product(HUGE, repeat=min(len(USAGE[kind]), 3)):
        words = [*numbers, "1e308"][: len(USAGE[kind])]
        clock = Clock(control_from_kgs([kind, *words]))
        for left in (None, *HUGE):
            if left is not None:
                clock.time_left("black", float(left), 10**9)
            for size in (2, 19):
                budget = clock.budget("black", 0, size)
                assert budget is not None
                assert 0 < budget.target <= budget.most <= LONGEST, (words, left)
            clock.spent("black", 1.0)
            assert clock.left("black").seconds <= LONGEST


def test_refuses_a_time_left_that_is_no_number() -> None:
    clock = Clock(TimeControl(kind="absolute", main=100))
    with pytest.raises(InvalidTime):
        clock.time_left("black", math.nan, 0)
    assert clock.left("black") == Remaining(100)
