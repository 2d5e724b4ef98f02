"""Time controls: what a player has left after each move, and what engines are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from montego.arena.clock import PlayerClock, tell_control, tell_time_left
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import parse_time_control, seconds_per_move

if TYPE_CHECKING:
    from montego.gtp.client import Engine


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
    clock = PlayerClock(parse_time_control(text))
    for seconds, expected in zip(moves, course, strict=True):
        if not clock.spend(seconds):
            assert expected is None
            return
        assert expected is not None
        assert clock.time_left == pytest.approx(expected)


def test_seconds_per_move_are_a_period_of_one_stone() -> None:
    clock = PlayerClock(seconds_per_move(2.5))
    assert clock.limit == 2.5
    assert clock.spend(2.4)
    assert clock.limit == 2.5
    assert not clock.spend(2.6)


class Listener:
    """Stands for an engine that knows some commands and refuses fractions if it is told to."""

    def __init__(
        self, *known: str, answers: dict[str, str] | None = None, whole: bool = False
    ) -> None:
        self.known = known
        self.answers = answers or {}
        self.whole = whole
        self.heard: list[str] = []

    def knows(self, command: str) -> bool:
        return command in self.known

    def try_send(self, command: str) -> str | None:
        name = command.split(maxsplit=1)[0]
        if name not in self.known or (self.whole and "." in command):
            return None
        self.heard.append(command)
        return self.answers.get(name, "")


KATA = {"kata-list_time_settings": "none absolute byoyomi canadian fischer fischer-capped"}
PLAIN = ("time_settings", "time_left")


@pytest.mark.parametrize(
    ("text", "engine", "told"),
    [
        ("absolute:600", Listener(*PLAIN), "time_settings 600 0 0"),
        ("canadian:60+30/5", Listener(*PLAIN), "time_settings 60 30 5"),
        ("byoyomi:60+3x10", Listener(*PLAIN), "time_settings 60 10 1"),
        (
            "byoyomi:60+3x10",
            Listener("kgs-time_settings", *PLAIN),
            "kgs-time_settings byoyomi 60 10 3",
        ),
        ("fischer:60+2", Listener(*PLAIN), "time_settings 60 0 0"),
        (
            "fischer:60+2",
            Listener("kata-time_settings", "kata-list_time_settings", answers=KATA),
            "kata-time_settings fischer 60 2",
        ),
        (
            "fischer:60+2<90",
            Listener("kata-time_settings", "kata-list_time_settings", answers=KATA),
            "kata-time_settings fischer-capped 60 2 90 -1",
        ),
        ("canadian:0+0.5/1", Listener(*PLAIN), "time_settings 0.00 0.50 1"),
        ("canadian:0+0.5/1", Listener(*PLAIN, whole=True), "time_settings 0 1 1"),
    ],
)
def test_engines_are_told_in_words_they_know(text: str, engine: Listener, told: str) -> None:
    tell_control(cast("Engine", engine), parse_time_control(text))
    assert engine.heard[-1] == told


def test_time_left_in_byoyomi_means_periods_or_one_stone() -> None:
    clock = PlayerClock(parse_time_control("byoyomi:1+3x10"))
    clock.spend(4)
    japanese = Listener("kgs-time_settings", *PLAIN)
    canadian = Listener(*PLAIN)
    tell_time_left(cast("Engine", japanese), "black", clock)
    tell_time_left(cast("Engine", canadian), "black", clock)
    assert japanese.heard == ["time_left black 10 3"]
    assert canadian.heard == ["time_left black 10 1"]
