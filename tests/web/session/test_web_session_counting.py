"""The end of a game of Go: passes, Montego's proposal, marks, the count and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.web.messages.replies import GameState
from montego.web.messages.requests import (
    AcceptCount,
    Configure,
    MarkDead,
    NewGame,
    Play,
    ProposeDead,
    Redo,
    Undo,
)
from web_fakes import FakeThinker, Page, make_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.web.session.session import Session

# Black holds the left, White the right; White's stone at A5 is dead.
MOVES = ["B1", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5", "C3", "A5"]


@pytest.fixture
def thinker() -> FakeThinker:
    made = FakeThinker()
    made.dead = ["A5"]
    return made


@pytest.fixture
def session(thinker: FakeThinker) -> Iterator[Session]:
    made = make_session(NewGame(size=5, white="human", komi=0.5), thinker)
    for move in [*MOVES, "pass"]:
        made.handle(Play(node=made.game.head, move=move))
    yield made
    made.close()
    made.join(10.0)


def end(session: Session) -> Page:
    """Pass once more, and wait for Montego's proposal."""
    page = Page(session)
    session.handle(Play(node=session.game.head, move="pass"))
    page.wait_state(lambda state: bool(state.count and state.count.proposed))
    return page


def test_the_board_is_counted_before_and_after_the_proposal(session: Session) -> None:
    page = end(session)
    first, *_, last = [state for state in page.all(GameState) if state.phase == "counting"]
    assert first.count is not None
    assert (first.count.dead, first.count.proposed) == ([], False)
    assert last.count is not None
    assert (last.count.dead, last.count.proposed) == (["A5"], True)
    assert last.count.territory == "XX.OO" + "XX.OO" + "XXXOO" + "XX.OO" + "XX.OO"
    assert (last.count.black, last.count.white) == (11.0, 10.5)
    assert last.count.result == "Black wins by 0.5 points"
    assert last.position.moves == []


def test_nothing_is_agreed_on_before_it_is_known_who_is_dead(session: Session) -> None:
    session.game.play(session.game.head, "pass", 0.0)
    count = session.state().count
    assert count is not None
    assert not count.acceptable
    with pytest.raises(ValueError, match="still looking for dead stones"):
        session.game.accept_count()
    assert session.state().phase == "counting"
    session.game.propose(frozenset())
    session.game.accept_count()
    assert session.state().phase == "over"


def test_what_a_person_marked_first_stays(session: Session) -> None:
    session.game.play(session.game.head, "pass", 0.0)
    session.game.mark("D1")
    session.game.propose(frozenset({"A5"}))
    count = session.state().count
    assert count is not None
    assert (count.dead, count.proposed) == (["D5", "D4", "D3", "D2", "D1"], False)
    assert count.acceptable
    session.game.propose(frozenset({"A5"}))
    assert session.game.dead == {"A5"}


def test_marks_go_by_groups(session: Session) -> None:
    end(session)
    session.handle(MarkDead(vertex="a5"))
    count = session.state().count
    assert count is not None
    assert (count.dead, count.proposed) == ([], False)
    session.handle(MarkDead(vertex="D1"))
    count = session.state().count
    assert count is not None
    assert count.dead == ["D5", "D4", "D3", "D2", "D1"]
    session.handle(ProposeDead())
    count = session.state().count
    assert count is not None
    assert (count.dead, count.proposed) == (["A5"], True)


def test_only_stones_can_be_dead(session: Session) -> None:
    end(session)
    before = session.state()
    with pytest.raises(ValueError, match="no stone at A1"):
        session.handle(MarkDead(vertex="A1"))
    with pytest.raises(ValueError, match="a stone is wanted"):
        session.handle(MarkDead(vertex="pass"))
    assert session.state() == before


def test_accepting_ends_the_game_with_the_reason(session: Session) -> None:
    end(session)
    session.handle(AcceptCount())
    state = session.state()
    assert state.phase == "over"
    assert state.result == "Black wins by 0.5 points: 11 to 10.5"
    assert state.count is not None
    assert state.count.dead == ["A5"]
    assert "RE[B+0.5]" in session.to_sgf()
    with pytest.raises(ValueError, match="after two passes"):
        session.handle(MarkDead(vertex="A5"))


def test_undo_takes_the_agreement_back_and_then_the_pass(session: Session) -> None:
    end(session)
    session.handle(AcceptCount())
    session.handle(Undo())
    state = session.state()
    assert state.phase == "counting"
    assert state.count is not None
    assert state.count.dead == ["A5"]
    session.handle(Undo())
    state = session.state()
    assert (state.phase, state.count) == ("playing", None)
    session.handle(Play(node=state.head, move="A4"))
    assert session.state().phase == "playing"


def test_the_result_stays_with_its_move(session: Session) -> None:
    end(session)
    session.handle(AcceptCount())
    session.handle(Configure(mode="analysis"))
    session.handle(Play(node=3, move="E5"))
    assert session.state().phase == "playing"
    assert "RE[B+0.5]" in session.to_sgf()


def test_nobody_plays_while_the_board_is_counted(session: Session) -> None:
    end(session)
    with pytest.raises(ValueError, match="being counted"):
        session.handle(Play(node=session.game.head, move="A4"))
    session.handle(Undo())
    session.handle(Redo())
    assert session.state().phase == "counting"


def test_counting_comes_after_two_passes(session: Session) -> None:
    for request in (MarkDead(vertex="A5"), ProposeDead(), AcceptCount()):
        with pytest.raises(ValueError, match="after two passes"):
            session.handle(request)


def test_rules_without_dead_stones_say_so(thinker: FakeThinker) -> None:
    thinker.dead = []
    session = make_session(NewGame(size=5, white="human", rules="tromp-taylor"), thinker)
    for move in ("C3", "A1", "pass"):
        session.handle(Play(node=session.game.head, move=move))
    end(session)
    with pytest.raises(ValueError, match="play it out"):
        session.handle(MarkDead(vertex="A1"))
    session.close()
    session.join(10.0)


def test_two_dead_stones_in_one_territory_go_together(thinker: FakeThinker) -> None:
    thinker.dead = []
    session = make_session(NewGame(size=7, white="human"), thinker)
    walls = ["C1", "E1", "C2", "E2", "C3", "E3", "C4", "E4", "C5", "E5", "C6", "E6", "C7", "E7"]
    for move in [*walls, "pass", "A1", "pass", "B7", "pass"]:
        session.handle(Play(node=session.game.head, move=move))
    page = Page(session)
    session.handle(Play(node=session.game.head, move="pass"))
    page.wait_state(lambda state: bool(state.count and state.count.proposed))
    session.handle(MarkDead(vertex="A1"))
    count = session.state().count
    assert count is not None
    assert count.dead == ["B7", "A1"]
    session.handle(MarkDead(vertex="B7"))
    count = session.state().count
    assert count is not None
    assert count.dead == []
    session.close()
    session.join(10.0)
