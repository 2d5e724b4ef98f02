"""Time controls: what engines are told about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from montego.go.vocabulary.timing import parse_time_control
from montego.gtp.client.follower import tell_control, tell_time_left

if TYPE_CHECKING:
    from montego.gtp.client import Engine


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
    control = parse_time_control("byoyomi:1+3x10")
    left = control.after_move(control.full, 4)
    japanese = Listener("kgs-time_settings", *PLAIN)
    canadian = Listener(*PLAIN)
    tell_time_left(cast("Engine", japanese), "black", control, left)
    tell_time_left(cast("Engine", canadian), "black", control, left)
    assert japanese.heard == ["time_left black 10 3"]
    assert canadian.heard == ["time_left black 10 1"]
