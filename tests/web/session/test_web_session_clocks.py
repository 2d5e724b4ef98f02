"""Clocks in a session: they run while somebody watches, and whoever has no time left loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.web.messages.replies import ClockFace
from montego.web.messages.requests import ClockSettings, Configure, NewGame, Play, Undo
from montego.web.session.session import GRACE
from web_fakes import FakeThinker, FakeTime, Page, make_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.web.session.session import Session

CLOCK = ClockSettings(kind="fischer", main=60, period=5)


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


@pytest.fixture
def session(time: FakeTime) -> Iterator[Session]:
    made = make_session(NewGame(size=5, white="human", clock=CLOCK), time=time)
    yield made
    made.close()
    made.join(10.0)


def play(session: Session, move: str) -> None:
    session.handle(Play(node=session.game.head, move=move))


def test_the_clock_of_the_player_to_move_runs(session: Session, time: FakeTime) -> None:
    Page(session)
    assert session.state().running == "black"
    time.advance(10)
    play(session, "A1")
    time.advance(20)
    state = session.state()
    assert state.running == "white"
    assert state.clocks == (ClockFace(55, 0), ClockFace(40, 0))


def test_without_a_watcher_the_game_waits(session: Session, time: FakeTime) -> None:
    time.advance(100)
    assert session.state().running is None
    page = Page(session)
    time.advance(10)
    page.leave()
    time.advance(1000 + GRACE)
    assert session.state().clocks == (ClockFace(50, 0), ClockFace(60, 0))
    Page(session)
    time.advance(10)
    assert session.state().clocks == (ClockFace(40, 0), ClockFace(60, 0))


def test_no_time_left_loses(session: Session, time: FakeTime) -> None:
    page = Page(session)
    play(session, "A1")
    time.advance(59)
    assert session.state().phase == "playing"
    time.advance(2)
    state = page.wait_state(lambda state: state.phase == "over")
    assert state.result == "Black wins: White has no time left"
    assert "RE[B+T]" in session.to_sgf()
    with pytest.raises(ValueError, match="the game is over"):
        play(session, "B1")
    assert state.running is None


def test_taking_back_gives_the_time_back(session: Session, time: FakeTime) -> None:
    Page(session)
    time.advance(10)
    play(session, "A1")
    time.advance(61)
    assert session.state().phase == "over"
    session.handle(Undo())
    state = session.state()
    assert (state.phase, state.head) == ("playing", 0)
    assert state.clocks == (ClockFace(60, 0), ClockFace(60, 0))
    play(session, "B1")
    time.advance(10)
    play(session, "C1")
    time.advance(10)
    session.handle(Undo())
    assert session.state().clocks == (ClockFace(65, 0), ClockFace(60, 0))


def test_in_analysis_no_clock_runs(session: Session, time: FakeTime) -> None:
    Page(session)
    session.handle(Configure(mode="analysis"))
    time.advance(100)
    assert session.state().running is None
    play(session, "A1")
    assert session.state().clocks == (ClockFace(60, 0), ClockFace(60, 0))


def test_montego_is_told_its_time(time: FakeTime) -> None:
    thinker = FakeThinker()
    thinker.hold()
    session = make_session(NewGame(size=5, clock=CLOCK), thinker, time=time)
    page = Page(session)
    time.advance(5)
    play(session, "A1")
    question = thinker.wait_for("choose")
    assert question.clock == CLOCK
    assert question.clocks == (ClockFace(60, 0), ClockFace(60, 0))
    time.advance(61)
    state = page.wait_state(lambda state: state.phase == "over")
    assert state.result == "Black wins: White has no time left"
    assert question.interrupt.is_set()
    session.close()
    session.join(10.0)


def test_bad_clocks_are_refused() -> None:
    with pytest.raises(ValueError, match="main time"):
        make_session(NewGame(clock=ClockSettings(kind="absolute")))
