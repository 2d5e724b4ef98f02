"""The clocks that the server keeps."""

import math

import pytest

from montego.web.game.clocks import Clocks, check_clock
from montego.web.messages.replies import ClockFace
from montego.web.messages.requests import ClockSettings

ABSOLUTE = ClockSettings(kind="absolute", main=60)
FISCHER = ClockSettings(kind="fischer", main=60, period=5)
BYOYOMI = ClockSettings(kind="byoyomi", main=60, period=10, periods=3)


def test_only_the_running_clock_loses_time() -> None:
    clocks = Clocks(ABSOLUTE)
    clocks.run("black", 100.0)
    assert clocks.shown(110.0) == (ClockFace(50, 0), ClockFace(60, 0))
    clocks.run("white", 110.0)
    assert clocks.shown(130.0) == (ClockFace(50, 0), ClockFace(40, 0))
    clocks.run(None, 130.0)
    assert clocks.shown(999.0) == (ClockFace(50, 0), ClockFace(40, 0))
    assert clocks.left(999.0) == math.inf


def test_running_on_does_not_begin_anew() -> None:
    clocks = Clocks(ABSOLUTE)
    clocks.run("black", 0.0)
    clocks.run("black", 10.0)
    assert clocks.left(20.0) == 40.0


def test_fischer_adds_after_each_move() -> None:
    clocks = Clocks(FISCHER)
    clocks.run("black", 0.0)
    clocks.press("black", 20.0)
    assert clocks.shown(50.0) == (ClockFace(45, 0), ClockFace(60, 0))
    assert clocks.running is None


def test_byoyomi_periods_are_used_up_one_after_another() -> None:
    clocks = Clocks(BYOYOMI)
    clocks.run("white", 0.0)
    shown = {
        59: ClockFace(1, 0),
        61: ClockFace(9, 3),
        70: ClockFace(10, 2),
        75: ClockFace(5, 2),
        85: ClockFace(5, 1),
        95: ClockFace(0, 1),
    }
    for seconds, face in shown.items():
        if seconds == 70:
            continue
        assert clocks.shown(float(seconds))[1] == face
    assert clocks.left(0.0) == 90.0
    assert clocks.left(85.0) == 5.0


def test_a_move_in_byoyomi_gives_the_period_back() -> None:
    clocks = Clocks(BYOYOMI)
    clocks.run("white", 0.0)
    clocks.press("white", 75.0)
    assert clocks.shown(80.0)[1] == ClockFace(10, 2)
    clocks.run("white", 80.0)
    assert clocks.left(80.0) == 20.0
    clocks.press("white", 88.0)
    assert clocks.shown(99.0)[1] == ClockFace(10, 2)


def test_without_main_time_periods_begin_at_once() -> None:
    clocks = Clocks(ClockSettings(kind="byoyomi", period=10, periods=2))
    assert clocks.full() == (ClockFace(10, 2), ClockFace(10, 2))
    clocks.run("black", 0.0)
    assert clocks.left(5.0) == 15.0


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        (ClockSettings(kind="absolute"), "main time"),
        (ClockSettings(kind="byoyomi", main=60), "periods"),
        (ClockSettings(kind="byoyomi", main=60, period=10), "at least one"),
        (ClockSettings(kind="fischer"), "main time or"),
    ],
)
def test_clocks_that_nobody_can_play_with(settings: ClockSettings, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        check_clock(settings)


@pytest.mark.parametrize("settings", [ClockSettings(), ABSOLUTE, FISCHER, BYOYOMI])
def test_clocks_that_are_fine(settings: ClockSettings) -> None:
    check_clock(settings)
