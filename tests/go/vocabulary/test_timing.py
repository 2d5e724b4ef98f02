"""Time controls: what a clock shows while it runs and after a move, and when its flag falls."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import (
    InvalidTime,
    Remaining,
    TimeControl,
    check_control,
    parse_time_control,
    seconds_per_move,
)


@pytest.mark.parametrize(
    "text",
    ["absolute:600", "canadian:60+30/5", "byoyomi:60+3x10", "fischer:60+2", "fischer:60+2.5<90"],
)
def test_controls_round_trip(text: str) -> None:
    assert str(parse_time_control(text)) == text


@pytest.mark.parametrize(
    "text", ["", "600", "absolute", "absolute:-3", "absolute:0", "canadian:0+0/3", "byoyomi:0+0x9"]
)
def test_controls_without_sense_are_refused(text: str) -> None:
    with pytest.raises(GoError):
        parse_time_control(text)


# Control, seconds of each move, and after each what time_left says; None once the time is up.
COURSES: list[tuple[str, list[float], list[tuple[float, int] | None]]] = [
    ("absolute:10", [4, 5, 2], [(6, 0), (1, 0), None]),
    ("fischer:10+2", [4, 9, 0, 4], [(8, 0), None, None, None]),
    ("fischer:10+2<9", [1, 8.5], [(9, 0), (2.5, 0)]),
    ("fischer:10+5<8", [1], [(9, 0)]),
    ("canadian:10+6/2", [8, 3, 2, 4, 6, 1], [(2, 0), (5, 1), (6, 2), (2, 1), None, None]),
    ("canadian:0+5/1", [4, 5, 5.1], [(5, 1), (5, 1), None]),
    ("byoyomi:10+2x5", [9, 3, 4, 6, 4.5, 6], [(1, 0), (5, 2), (5, 2), (5, 1), (5, 1), None]),
    ("byoyomi:10+3x5", [22], [(5, 1)]),
]


@pytest.mark.parametrize(("text", "moves", "course"), COURSES)
def test_time_runs_as_the_control_says(
    text: str, moves: list[float], course: list[tuple[float, int] | None]
) -> None:
    control = parse_time_control(text)
    left = control.full
    for seconds, expected in zip(moves, course, strict=True):
        if seconds > control.until_flag(left):
            assert expected is None
            return
        assert expected is not None
        left = control.after_move(left, seconds)
        assert left == pytest.approx(expected)


def test_seconds_per_move_are_a_period_of_one_stone() -> None:
    control = seconds_per_move(2.5)
    assert str(control) == "canadian:0+2.5/1"
    assert control.until_flag(control.full) == 2.5
    assert control.after_move(control.full, 2.4) == control.full


CONTROLS = ["absolute:10", "canadian:10+6/3", "byoyomi:10+3x5", "fischer:10+2", "fischer:10+2<11"]


@pytest.mark.parametrize(
    ("text", "left", "seconds", "shown"),
    [
        ("absolute:10", (10, 0), 4, (6, 0)),
        ("absolute:10", (10, 0), 12, (0, 0)),
        ("fischer:10+2", (3, 0), 1, (2, 0)),
        ("canadian:10+6/3", (2, 0), 1, (1, 0)),
        ("canadian:10+6/3", (2, 0), 2, (6, 3)),
        ("canadian:10+6/3", (2, 0), 5, (3, 3)),
        ("canadian:10+6/3", (4, 2), 5, (0, 2)),
        ("byoyomi:10+3x5", (10, 0), 10, (5, 3)),
        ("byoyomi:10+3x5", (10, 0), 13, (2, 3)),
        ("byoyomi:10+3x5", (5, 3), 5, (0, 3)),
        ("byoyomi:10+3x5", (5, 3), 6, (4, 2)),
        ("byoyomi:10+3x5", (5, 3), 99, (0, 1)),
        ("byoyomi:10+0x5", (10, 0), 11, (0, 0)),
    ],
)
def test_a_clock_that_runs(
    text: str, left: tuple[float, int], seconds: float, shown: tuple[float, int]
) -> None:
    assert parse_time_control(text).running(Remaining(*left), seconds) == shown


@pytest.mark.parametrize(
    ("text", "left", "seconds", "shown"),
    [
        ("absolute:10", (10, 0), 4, (6, 0)),
        ("fischer:10+2", (10, 0), 4, (8, 0)),
        ("fischer:10+2<11", (10, 0), 0, (11, 0)),
        ("fischer:10+2<9", (10, 0), 0, (10, 0)),
        ("canadian:10+6/3", (10, 0), 4, (6, 0)),
        ("canadian:10+6/3", (10, 0), 12, (4, 2)),
        ("canadian:10+6/3", (4, 2), 0, (4, 1)),
        ("canadian:10+6/3", (4, 1), 3, (6, 3)),
        ("byoyomi:10+3x5", (10, 0), 4, (6, 0)),
        ("byoyomi:10+3x5", (10, 0), 12, (5, 3)),
        ("byoyomi:10+3x5", (5, 3), 5, (5, 3)),
        ("byoyomi:10+3x5", (5, 3), 11, (5, 1)),
    ],
)
def test_a_clock_after_a_move(
    text: str, left: tuple[float, int], seconds: float, shown: tuple[float, int]
) -> None:
    assert parse_time_control(text).after_move(Remaining(*left), seconds) == shown


@pytest.mark.parametrize(
    ("text", "left", "seconds"),
    [
        ("absolute:10", (3, 0), 3),
        ("fischer:10+2", (3, 0), 3),
        ("canadian:10+6/3", (3, 0), 9),
        ("canadian:10+6/3", (3, 2), 3),
        ("byoyomi:10+3x5", (3, 0), 18),
        ("byoyomi:10+3x5", (3, 2), 8),
    ],
)
def test_when_the_flag_falls(text: str, left: tuple[float, int], seconds: float) -> None:
    assert parse_time_control(text).until_flag(Remaining(*left)) == seconds


def test_no_control_is_no_limit_and_a_longest_move_is_one() -> None:
    assert TimeControl().until_flag(TimeControl().full) == math.inf
    control = TimeControl(kind="fischer", main=60, most_move=10)
    assert control.until_flag(control.full) == 10


@given(st.sampled_from(CONTROLS), st.lists(st.floats(0, 9), max_size=12), st.floats(0, 9))
def test_time_runs_down_to_the_flag_and_no_sooner(
    text: str, moves: list[float], seconds: float
) -> None:
    control = parse_time_control(text)
    left = control.full
    for took in moves:
        left = control.after_move(left, took)
    before = control.until_flag(left)
    after = control.until_flag(control.running(left, seconds))
    assert after == pytest.approx(max(before - seconds, 0))
    assert control.running(left, before + 1).seconds == 0


@pytest.mark.parametrize(
    "numbers",
    [{"kind": "hourglass"}, {"main": -1.0}, {"period": math.nan}, {"stones": True}, {"main": "9"}],
)
def test_numbers_that_are_no_times(numbers: dict[str, object]) -> None:
    with pytest.raises(InvalidTime):
        TimeControl(**numbers)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "control",
    [
        TimeControl(),
        TimeControl(kind="absolute"),
        TimeControl(kind="absolute", main=1e10),
        TimeControl(kind="canadian", main=10, period=5),
        TimeControl(kind="byoyomi", period=5),
    ],
)
def test_controls_that_nobody_can_play_under(control: TimeControl) -> None:
    with pytest.raises(GoError, match="the time control"):
        check_control(control)
    with pytest.raises(GoError, match="leaves no time"):
        seconds_per_move(0)
