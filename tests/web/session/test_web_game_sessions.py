"""Hex, Connect 4 and tic-tac-toe as pages see them: sessions with the real search."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from montego.web.game.search_referee import SearchReferee
from montego.web.messages.replies import AnalysisReport, Explanation, HintReply, ReviewReply
from montego.web.messages.requests import (
    Analyze,
    Estimate,
    Explain,
    Hint,
    NewGame,
    Play,
    Redo,
    Resign,
    Review,
    Strength,
    Undo,
)
from montego.web.session.players import begin as begin_game
from montego.web.session.session import Session
from montego.web.thinking.search_thinker import SearchThinker
from montego.web.thinking.thinker import READY
from web_fakes import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.web.messages.replies import GameState
    from montego.web.messages.requests import GameKind

    Begin = Callable[[NewGame], tuple[Session, Page]]

KINDS: tuple[GameKind, ...] = ("hex", "connect-four", "tic-tac-toe")
COLUMNS = NewGame(kind="connect-four", white="human", strength=Strength(simulations=300))


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> GameKind:
    """Each game, once its search is compiled."""
    compiled(request.param)
    name: GameKind = request.param
    return name


def compiled(kind: GameKind) -> None:
    thinker = SearchThinker(SearchReferee(kind, 5), by_network=kind == "connect-four")
    while thinker.preparation() != READY:
        time.sleep(0.02)


@pytest.fixture
def begin() -> Iterator[Begin]:
    sessions: list[Session] = []

    def new(request: NewGame) -> tuple[Session, Page]:
        session = Session(begin_game(request))
        sessions.append(session)
        return session, Page(session)

    yield new
    for session in sessions:
        session.close()
        session.join(10.0)


def play(session: Session, moves: str) -> GameState:
    for move in moves.split():
        session.handle(Play(node=session.state().head, move=move))
    return session.state()


def is_answered(nodes: int) -> Callable[[GameState], bool]:
    """Return a test for the next turn of the person with Black, or the end."""

    def answered(state: GameState) -> bool:
        is_new = len(state.tree) > nodes
        return is_new and (state.phase == "over" or state.position.to_play == "black")

    return answered


def test_a_game_against_montego_from_beginning_to_end(kind: GameKind, begin: Begin) -> None:
    session, page = begin(NewGame(kind=kind, size=4, strength=Strength(simulations=40)))
    state = session.state()
    judged = {"hex": "classical, ", "connect-four": "network, "}.get(kind, "")
    assert state.names == ("You", f"Montego ({judged}40 simulations)")
    while state.phase == "playing":
        session.handle(Play(node=state.head, move=state.position.moves[0]))
        state = page.wait_state(is_answered(len(state.tree)))
    assert state.result is not None
    assert state.position.moves == []
    assert bool(state.position.connection) == ("wins" in state.result)
    answers = [node for node in state.tree if node.color == "white"]
    assert all(node.explained and node.value is not None for node in answers)
    assert session.summary().cells == state.position.cells

    told = session.handle(Explain(node=answers[0].id))
    assert isinstance(told, Explanation)
    assert told.move == answers[0].move == told.alternatives[0].move
    assert f" plays {'column ' if kind == 'connect-four' else ''}{told.move}" in told.lines[0]


def test_what_was_played_is_taken_back_kept_and_read_again(kind: GameKind, begin: Begin) -> None:
    session, _ = begin(NewGame(kind=kind, size=5, white="human"))
    moves = session.state().position.moves[:3]
    after = play(session, " ".join(moves))
    session.handle(Undo())
    assert session.state().position.last == moves[1]
    session.handle(Redo())
    assert session.state().position == after.position
    again = Session(session.saved())
    try:
        assert again.state().position == after.position
        assert again.state().tree == after.tree
    finally:
        again.close()
        again.join(10.0)


def test_analysis_is_reported(kind: GameKind, begin: Begin) -> None:
    session, page = begin(NewGame(kind=kind, size=5, white="human", mode="analysis"))
    session.handle(Analyze(node=0, on=True))
    report = page.wait(AnalysisReport, lambda report: report.simulations > 0)
    assert report.purpose == "analysis"
    assert report.score is None
    assert report.ownership is None
    assert {move.move for move in report.moves} <= set(session.state().position.moves)
    session.handle(Analyze(node=0, on=False))
    assert session.state().analyzing is None


def test_a_hint_sees_a_win_at_once(begin: Begin) -> None:
    compiled("connect-four")
    session, page = begin(COLUMNS)
    play(session, "4 3 4 3 4 3")
    session.handle(Hint())
    hint = page.wait(HintReply)
    assert hint.move == "4"
    assert "which gives Red 100% to win" in hint.text


def test_a_review_finds_the_blunder(begin: Begin) -> None:
    compiled("connect-four")
    session, page = begin(COLUMNS)
    over = play(session, "1 4 1 4 1 7 1")
    assert over.result == "Red wins: four in a row"
    session.handle(Review())
    review = page.wait(ReviewReply, lambda reply: reply.part == 1.0)
    worst = review.mistakes[0]
    # Yellow, with the middle, had to stop the three in column 1.
    assert worst.node == 6
    assert worst.better == "1"
    assert worst.loss > 0.5


def test_who_resigns_is_called_by_the_color_of_the_game(begin: Begin) -> None:
    session, _ = begin(NewGame(kind="hex", size=5, white="human"))
    play(session, "a1")
    session.handle(Resign())
    assert session.state().result == "Red wins: Blue resigned"


def test_levels_have_numbers_and_no_ranks(begin: Begin) -> None:
    strength = Strength(level="15k")
    session, _ = begin(NewGame(kind="tic-tac-toe", black="montego", strength=strength))
    assert session.state().names[0] == "Montego (level 16)"


def test_what_these_games_do_not_have_is_refused_in_words(begin: Begin) -> None:
    session, _ = begin(COLUMNS)
    with pytest.raises(ValueError, match="number from 1 to 7"):
        play(session, "pass")
    with pytest.raises(ValueError, match=r"only Go|has no score|Go"):
        session.handle(Estimate(node=0))
    with pytest.raises(ValueError, match="only games of Go"):
        session.to_sgf()
    with pytest.raises(ValueError, match="neither handicap nor komi"):
        begin_game(NewGame(kind="hex", handicap=2))
    with pytest.raises(ValueError, match="invalid size 27"):
        begin_game(NewGame(kind="hex", size=27))
