"""A game as people play it: turns, taking back, variations, the end, and two pages at once."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from montego.engine.options.options import Options
from montego.web.messages.replies import AnalysisReport, GameState, Position
from montego.web.messages.requests import (
    Configure,
    DeleteNode,
    MoveNow,
    NewGame,
    Play,
    Redo,
    Resign,
    SetComment,
    SetHead,
    Show,
    Strength,
    Undo,
)
from montego.web.session.players import begin, program_name
from montego.web.thinking.thinker import Programs
from web_fakes import FakeThinker, Page, make_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.web.messages.replies import Reply
    from montego.web.messages.requests import GameKind
    from montego.web.session.session import Session

    Opened = Callable[[Session], Session]

TWO_PEOPLE = NewGame(size=5, white="human")
ALONE = NewGame(size=5, white="human", mode="analysis")
AGAINST_MONTEGO = NewGame(size=5)


@pytest.fixture
def opened() -> Iterator[Opened]:
    sessions: list[Session] = []

    def keep(session: Session) -> Session:
        sessions.append(session)
        return session

    yield keep
    for session in sessions:
        session.close()
        session.join(10.0)


def play(session: Session, *moves: str) -> None:
    for move in moves:
        session.handle(Play(node=session.game.head, move=move))


def moves_to_head(state: GameState) -> list[str]:
    by_number = {node.id: node for node in state.tree}
    found, node = [], by_number[state.head]
    while node.parent is not None:
        found.append(f"{node.color[0] if node.color else ''}{node.move}")
        node = by_number[node.parent]
    return found[::-1]


def test_two_people_take_turns(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    page = Page(session)
    play(session, "c3", "B2")
    state = page.wait_state(lambda state: len(state.tree) == 3)
    assert moves_to_head(state) == ["bC3", "wB2"]
    assert state.position.cells == ".....|.....|..X..|.O...|.....".replace("|", "")
    assert state.position.last == "B2"
    assert state.position.to_play == "black"
    assert state.names == ("Black", "White")


def test_illegal_moves_are_sentences_and_change_nothing(
    opened: Opened,
) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "C3")
    before = session.state()
    faults = {
        "C3": "White cannot play C3: there is a stone already",
        "J9": "J9",
        "Z": "not a vertex",
        "I3": "letter I",
    }
    for move, fault in faults.items():
        with pytest.raises(ValueError, match=fault):
            play(session, move)
    assert session.state() == before


def test_ko_and_superko_are_told(opened: Opened) -> None:
    session = opened(make_session(NewGame(size=5, white="human", rules="aga")))
    play(session, "B1", "C1", "A2", "D2", "B3", "C3", "C2", "B2")
    assert session.state().position.ko == "C2"
    with pytest.raises(ValueError, match="Black cannot play C2: the ko may not be retaken"):
        play(session, "C2")
    assert "C2" not in session.state().position.moves


def test_captures_are_counted(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "A2", "A1", "B1")
    position = session.state().position
    assert position.captures == (1, 0)
    assert position.cells[20] == "."


def test_undo_keeps_everything_and_redo_brings_it_back(
    opened: Opened,
) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "A1", "B1", "C1")
    session.handle(Undo())
    session.handle(Undo())
    play(session, "E5")
    state = session.state()
    assert moves_to_head(state) == ["bA1", "wE5"]
    assert [node.move for node in state.tree] == [None, "A1", "B1", "C1", "E5"]
    session.handle(Undo())
    session.handle(Redo())
    assert moves_to_head(session.state()) == ["bA1", "wE5"]
    session.handle(SetHead(node=3))
    assert moves_to_head(session.state()) == ["bA1", "wB1", "bC1"]
    with pytest.raises(ValueError, match="nothing to do again"):
        session.handle(Redo())


def test_a_move_played_before_is_the_same_node(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "A1")
    session.handle(Undo())
    play(session, "a1")
    assert len(session.state().tree) == 2


def test_a_stale_page_is_told(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "A1")
    with pytest.raises(ValueError, match="the game has moved on"):
        session.handle(Play(node=0, move="B1"))


def test_all_pages_are_told_the_same(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    first, second = Page(session), Page(session)
    play(session, "A1")
    assert first.all(GameState)[-1] == second.all(GameState)[-1] == session.state()
    second.leave()
    play(session, "B1")
    assert len(first.all(GameState)) == len(second.all(GameState)) + 1


def test_montego_answers_and_says_why(opened: Opened) -> None:
    thinker = FakeThinker()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    thinker.moves = ["D4"]
    play(session, "C3")
    assert page.wait_state(lambda state: state.head == 1).thinking == "white"
    state = page.wait_state(lambda state: state.head == 2)
    assert moves_to_head(state) == ["bC3", "wD4"]
    assert state.thinking is None
    assert state.names == ("You", "Montego (classical)")
    assert state.tree[2].explained
    assert state.tree[2].value == 0.5
    reports = page.all(AnalysisReport)
    assert {report.purpose for report in reports} == {"move"}
    assert [report.final for report in reports][-1]
    assert session.saved().nodes[2].lines == ["because"]


def test_a_person_does_not_move_for_montego(opened: Opened) -> None:
    thinker = FakeThinker()
    thinker.hold()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    Page(session)
    play(session, "C3")
    with pytest.raises(ValueError, match=r"it is Montego \(classical\)'s turn"):
        play(session, "D4")


def test_undo_while_montego_thinks_drops_its_move(opened: Opened) -> None:
    thinker = FakeThinker()
    thinker.hold()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "C3")
    question = thinker.wait_for("choose")
    session.handle(Undo())
    assert question.interrupt.wait(10)
    assert session.state().head == 0
    assert session.state().thinking is None
    play(session, "D3")
    thinker.wait_for("choose", 2)
    thinker.moves = ["B2"]
    thinker.release()
    state = page.wait_state(lambda state: state.thinking is None)
    assert moves_to_head(state) == ["bD3", "wB2"]
    assert len(state.tree) == 4


def test_undo_goes_back_to_the_persons_turn(opened: Opened) -> None:
    session = opened(make_session(AGAINST_MONTEGO))
    page = Page(session)
    play(session, "C3")
    page.wait_state(lambda state: state.head == 2)
    play(session, "D3")
    page.wait_state(lambda state: state.head == 4)
    session.handle(Undo())
    assert session.state().head == 2
    session.handle(Undo())
    assert session.state().head == 0
    with pytest.raises(ValueError, match="nothing to take back"):
        session.handle(Undo())
    assert not session.state().can_undo
    session.handle(Redo())
    assert session.state().head == 2


def test_montego_begins_as_black(opened: Opened) -> None:
    session = opened(make_session(NewGame(size=5, black="montego", white="human")))
    page = Page(session)
    state = page.wait_state(lambda state: state.head == 1)
    assert not state.can_undo
    assert state.names == ("Montego (classical)", "You")


def test_move_now_ends_the_thinking(opened: Opened) -> None:
    thinker = FakeThinker()
    thinker.hold()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    with pytest.raises(ValueError, match="nobody is thinking"):
        session.handle(MoveNow())
    play(session, "C3")
    thinker.wait_for("choose")
    session.handle(MoveNow())
    page.wait_state(lambda state: state.head == 2)


def test_play_from_an_earlier_move(opened: Opened) -> None:
    thinker = FakeThinker()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    play(session, "C3")
    page.wait_state(lambda state: state.head == 2)
    thinker.moves = ["E1"]
    session.handle(SetHead(node=1))
    state = page.wait_state(lambda state: state.head == 3)
    assert moves_to_head(state) == ["bC3", "wE1"]
    with pytest.raises(ValueError, match="no such move"):
        session.handle(SetHead(node=99))


def test_resignations(opened: Opened) -> None:
    thinker = FakeThinker()
    session = opened(make_session(AGAINST_MONTEGO, thinker))
    page = Page(session)
    session.handle(Resign())
    assert session.state().result == "White wins: you resigned"
    assert session.state().phase == "over"
    with pytest.raises(ValueError, match="the game is over"):
        play(session, "C3")
    session.handle(Undo())
    assert session.state().phase == "playing"
    thinker.moves = ["resign"]
    play(session, "C3")
    state = page.wait_state(lambda state: state.phase == "over")
    assert state.result == "Black wins: Montego (classical) resigned"
    session.handle(Undo())
    assert session.state().head == 0
    assert session.state().phase == "playing"


def test_two_people_resign_in_turn(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "C3")
    session.handle(Resign())
    assert session.state().result == "Black wins: White resigned"


def test_analysis_is_free_play(opened: Opened) -> None:
    session = opened(make_session(ALONE))
    play(session, "A1", "B1")
    session.handle(Play(node=1, move="C1"))
    session.handle(Play(node=0, move="D1"))
    state = session.state()
    assert moves_to_head(state) == ["bD1"]
    assert len(state.tree) == 5
    session.handle(Undo())
    assert session.state().head == 0
    with pytest.raises(ValueError, match="in analysis nobody"):
        session.handle(Resign())


def test_from_analysis_to_a_game_and_back(opened: Opened) -> None:
    thinker = FakeThinker()
    session = opened(make_session(ALONE, thinker))
    page = Page(session)
    play(session, "A1")
    session.handle(Configure(mode="game", white="montego", strength=Strength(level="12k")))
    state = page.wait_state(lambda state: state.head == 2)
    assert state.names == ("You", "Montego (12k)")
    assert thinker.wait_for("choose").strength == Strength(level="12k")
    session.handle(Configure(mode="analysis", name=" My game "))
    play(session, "C3", "C4", "C5")
    assert session.state().name == "My game"
    assert thinker.count("choose") == 1


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        (Configure(strength=Strength(level="99k")), "no level 99k"),
        (Configure(strength=Strength(level="9k", seconds=1)), "choose one"),
        (Configure(black="engine"), "no engine"),
        (DeleteNode(node=0), "cannot be deleted"),
        (DeleteNode(node=7), "no such move"),
        (SetComment(node=7, text="x"), "no such move"),
        (Show(node=7), "no such move"),
        (NewGame(), "nothing to ask"),
    ],
)
def test_what_cannot_be_done(request_: Configure, fault: str, opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    before = session.state()
    with pytest.raises(ValueError, match=fault):
        session.handle(request_)
    assert session.state() == before


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        (NewGame(rules="house"), "unknown rules"),
        (NewGame(size=2, handicap=9), "handicap"),
        (NewGame(kind="hex", handicap=2), "Hex knows neither"),
        (NewGame(black="engine"), "no engine"),
        (NewGame(strength=Strength(level="")), "no level"),
        (NewGame(strength=Strength(preset="fuego")), "no program fuego: say one of v-run, "),
        (NewGame(strength=Strength(preset="mogo", level="9k")), "has no level"),
        (NewGame(white="hybrid", strength=Strength(preset="mogo")), "no other adviser"),
        (NewGame(kind="hex", strength=Strength(preset="mogo")), "play Go, not Hex"),
        (NewGame(strength=Strength(style="wild")), "no style wild: say one of calm, "),
        (NewGame(strength=Strength(preset="mogo", style="calm")), "a style of its own"),
        (NewGame(kind="hex", strength=Strength(style="calm")), "only in Go"),
    ],
)
def test_games_that_cannot_begin(request_: NewGame, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        begin(request_, Programs())


@pytest.mark.parametrize(
    ("size", "stones", "komi"), [(9, 4, 0.5), (13, 9, 0.5), (19, 9, 0.5), (8, 7, 0.5), (6, 2, 0.5)]
)
def test_handicap_stones_on_every_board(
    size: int, stones: int, komi: float, opened: Opened
) -> None:
    session = opened(make_session(NewGame(size=size, handicap=stones, white="human")))
    state = session.state()
    assert state.position.cells.count("X") == stones
    assert state.position.to_play == "white"
    assert (state.komi, state.handicap) == (komi, stones)


def test_komi_comes_with_the_rules(opened: Opened) -> None:
    assert opened(make_session(NewGame(rules="japanese"))).state().komi == 6.5
    assert opened(make_session(NewGame(rules="chinese"))).state().komi == 7.5
    assert opened(make_session(NewGame(komi=0.0))).state().komi == 0.0


def test_show_is_for_the_page_that_asks(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    page = Page(session)
    play(session, "A1", "B1")
    shown = session.handle(Show(node=1))
    assert isinstance(shown, Position)
    assert (shown.node, shown.cells.count("X"), shown.cells.count("O")) == (1, 1, 0)
    assert page.all(Position) == []


def test_comments_and_deleted_variations(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    play(session, "A1", "B1", "C1")
    session.handle(SetComment(node=2, text="why?"))
    assert session.state().tree[2].comment == "why?"
    session.handle(DeleteNode(node=2))
    state = session.state()
    assert state.head == 1
    assert [node.id for node in state.tree] == [0, 1]
    play(session, "D1")
    assert session.state().head == 4


def test_the_library_is_told_of_changes_and_not_of_questions(
    opened: Opened,
) -> None:
    session = opened(make_session(TWO_PEOPLE))
    told: list[int] = []
    free = threading.Lock()

    def note() -> None:
        with free:
            told.append(session.saved().head)

    session.on_change = note
    play(session, "A1")
    session.handle(Show(node=0))
    assert told == [1]


def test_pages_are_told_of_a_change_when_it_is_saved(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    order: list[str] = []
    session.on_change = lambda: order.append(f"saved {session.saved().head}")
    leave = session.watch(lambda reply: order.append(type(reply).__name__))
    play(session, "A1")
    leave()
    assert [one for one in order if one in ("saved 1", "GameState")] == ["saved 1", "GameState"]


def test_pages_are_told_of_a_change_that_cannot_be_saved(opened: Opened) -> None:
    session = opened(make_session(TWO_PEOPLE))
    heard: list[Reply] = []

    def fail() -> None:
        raise RuntimeError("a bug")

    session.on_change = fail
    leave = session.watch(heard.append)
    with pytest.raises(RuntimeError, match="a bug"):
        play(session, "A1")
    leave()
    session.on_change = lambda: None
    assert [reply.head for reply in heard if isinstance(reply, GameState)] == [1]


def test_a_closed_session_says_so() -> None:
    session = make_session(TWO_PEOPLE)
    session.close()
    with pytest.raises(ValueError, match="closed"):
        play(session, "A1")


def test_a_style_has_no_network_unless_it_is_wanted() -> None:
    def name(options: Options) -> str:
        strength = Strength(seconds=3.0, style="fighting")
        return program_name("montego", strength, "go", Programs(options=options), 9)

    assert name(Options()) == "Montego (classical, 3 s, fighting)"
    assert name(Options(network="default")) == "Montego (network, 3 s, fighting)"


def test_an_opponent_says_whether_a_network_judges() -> None:
    def name(size: int, kind: GameKind = "go", **strength: Any) -> str:
        programs = Programs(options=Options(network="default"))
        return program_name("montego", Strength(**strength), kind, programs, size)

    assert name(9, seconds=3.0) == "Montego (network, 3 s)"
    assert name(7, simulations=50) == "Montego (classical, 50 simulations)"
    assert name(9, level="12k") == "Montego (12k)"
    assert name(9, preset="v-run").startswith("V-Run")
    assert name(9, level="12k", style="calm") == "Montego (12k, calm)"
    assert name(11, "hex") == "Montego (network)"
    assert name(9, "hex", seconds=1.0) == "Montego (classical, 1 s)"
    assert name(7, "connect-four", level="30k") == "Montego (level 1)"
    assert name(3, "tic-tac-toe", simulations=50) == "Montego (50 simulations)"
