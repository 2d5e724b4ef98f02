"""The thinkers of a session: made when they are needed, and their memory given back."""

from __future__ import annotations

import pytest

from montego.web.game.live_game import referee_for
from montego.web.game.tree import Agreement
from montego.web.thinking import thinker as module
from montego.web.thinking.thinker import Programs, Thinkers, give_back
from web_fakes import FakeThinker


def test_memory_is_given_back_when_thinkers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[bool] = []
    monkeypatch.setattr(module, "give_back", lambda: given.append(True))
    referee = referee_for(Agreement(kind="tic-tac-toe"))
    thinkers = Thinkers(referee, Programs(montego=FakeThinker))
    thinkers.dismiss()
    assert given == []  # There was nobody yet.
    thinkers.get("montego")
    thinkers.dismiss()
    assert given == [True]


def test_programs_that_are_not_there_are_refused_and_so_are_all_in_the_end() -> None:
    thinkers = Thinkers(referee_for(Agreement(size=5, rules="chinese")), Programs())
    with pytest.raises(ValueError, match="no engine was named"):
        thinkers.get("engine")
    with pytest.raises(ValueError, match="no adviser was named"):
        thinkers.get("hybrid")
    thinkers.close()
    with pytest.raises(ValueError, match="was closed"):
        thinkers.get("montego")


def test_memory_can_be_given_back_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    give_back()
    monkeypatch.setattr("ctypes.CDLL", lambda _name: object())
    give_back()
