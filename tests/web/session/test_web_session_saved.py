"""What is kept of a game is all of it: a restored session is the same to those who look."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from montego.web.game.tree import SavedGame
from montego.web.messages.replies import GameState
from montego.web.messages.requests import (
    AcceptCount,
    Analyze,
    ClockSettings,
    Configure,
    DeleteNode,
    Hint,
    MarkDead,
    NewGame,
    Pause,
    Play,
    Redo,
    Request,
    Resign,
    SetComment,
    SetHead,
    Show,
    Undo,
)
from web_fakes import FakeThinker, FakeTime, Page, make_session

if TYPE_CHECKING:
    from montego.web.session.session import Session

VERTICES = [f"{column}{row}" for column in "ABC" for row in (1, 2, 3)]
NODES = st.integers(0, 12)
REQUESTS = st.one_of(
    st.builds(Play, node=NODES, move=st.sampled_from([*VERTICES, "pass", "pass"])),
    st.builds(Undo),
    st.builds(Redo),
    st.builds(SetHead, node=NODES),
    st.builds(DeleteNode, node=NODES),
    st.builds(Resign),
    st.builds(MarkDead, vertex=st.sampled_from(VERTICES)),
    st.builds(AcceptCount),
    st.builds(SetComment, node=NODES, text=st.text(max_size=5)),
    st.builds(Configure, mode=st.sampled_from(["game", "analysis"])),
    st.builds(Pause, paused=st.booleans()),
    st.builds(Show, node=NODES),
)


def restored(session: Session, time: FakeTime | None = None) -> Session:
    data = msgspec.json.encode(session.saved())
    return make_session(saved=msgspec.json.decode(data, type=SavedGame), time=time)


def play_at_head(session: Session, request: Request) -> Request:
    """Have most moves fit: those for other nodes are refused in a game."""
    if isinstance(request, Play) and session.game.mode == "game":
        return Play(node=session.game.head, move=request.move)
    return request


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(st.lists(REQUESTS, max_size=30))
def test_any_game_comes_back_as_it_was(requests: list[Request]) -> None:
    time = FakeTime()
    clock = ClockSettings(kind="byoyomi", main=10, period=5, periods=2)
    session = make_session(NewGame(size=3, white="human", clock=clock), time=time)
    for request in requests:
        time.advance(0.5)
        before = session.state()
        try:
            session.handle(play_at_head(session, request))
        except ValueError:
            assert session.state() == before
    again = restored(session, time)
    assert again.state() == session.state()
    assert again.summary() == session.summary()
    assert again.saved() == session.saved()
    numbers = [node.id for node in session.state().tree]
    assert [again.handle(Show(node=number)) for number in numbers] == [
        session.handle(Show(node=number)) for number in numbers
    ]
    session.close()
    again.close()


def test_the_clocks_come_back() -> None:
    time = FakeTime()
    clock = ClockSettings(kind="absolute", main=60)
    session = make_session(NewGame(size=5, white="human", clock=clock), time=time)
    page = Page(session)
    time.advance(7)
    session.handle(Play(node=0, move="C3"))
    time.advance(9)
    page.leave()
    again = restored(session, time)
    assert again.state().clocks == session.state().clocks
    assert again.state() == session.state()
    for each in (session, again):
        each.close()
        each.join(10.0)


def test_montego_thinks_again_after_a_restart() -> None:
    thinker = FakeThinker()
    thinker.hold()
    session = make_session(NewGame(size=5), thinker)
    Page(session)
    session.handle(Play(node=0, move="C3"))
    thinker.wait_for("choose")
    state = session.state()
    again = restored(session)
    page = Page(again)
    assert state.thinking == "white"
    first = page.wait(GameState, lambda state: state.head == 2).tree[1]
    assert (first.move, first.color) == ("C3", "black")
    for each in (session, again):
        each.close()
        each.join(10.0)


def test_what_was_found_comes_back() -> None:
    session = make_session(NewGame(size=5))
    page = Page(session)
    session.handle(Play(node=0, move="C3"))
    page.wait_state(lambda state: state.head == 2)
    page.leave()
    again = restored(session)
    assert again.state().tree == session.state().tree
    node = again.saved().nodes[2]
    assert (node.lines, node.value, node.alternatives[0].move) == (["because"], 0.5, "A5")
    for each in (session, again):
        each.close()
        each.join(10.0)


def test_a_damaged_game_is_refused() -> None:
    saved = make_session(NewGame(size=5, white="human")).saved()
    saved.head = 5
    with pytest.raises(ValueError, match="no such move"):
        make_session(saved=saved)


def test_many_threads_leave_a_game_that_makes_sense() -> None:
    session = make_session(NewGame(size=5, white="human", mode="analysis"))
    page = Page(session)
    faults: list[Exception] = []

    def play(column: str) -> None:
        for row in range(1, 6):
            try:
                session.handle(Play(node=session.game.head, move=f"{column}{row}"))
                session.handle(Analyze(node=0, on=row % 2 == 0))
                session.handle(Hint())
            except ValueError:
                continue
            except Exception as error:  # noqa: BLE001  # Any other is what the test looks for.
                faults.append(error)

    threads = [threading.Thread(target=play, args=(column,)) for column in "ABCDE"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert faults == []
    with session.lock:  # A hint may still be thought about.
        assert page.all(GameState)[-1].tree == session.state().tree
        assert restored(session).saved().nodes == session.saved().nodes
    session.close()
    session.join(10.0)
