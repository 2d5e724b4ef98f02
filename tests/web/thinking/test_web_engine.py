"""A GTP engine as an opponent: it follows the game, and when it fails the game waits."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from conftest import require_tool

from montego.go.game import Game
from montego.go.vocabulary.errors import GoError
from montego.gtp import client
from montego.web.messages.replies import ClockFace, GameState
from montego.web.messages.requests import ClockSettings, NewGame, Pause, Play, Undo
from montego.web.session.players import begin
from montego.web.session.session import Session
from montego.web.thinking import engine_thinker
from montego.web.thinking.engine_thinker import EngineThinker
from montego.web.thinking.thinker import READY, Programs, Question
from places import TINY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.web.messages.replies import Reply

SOON = 30.0


def tiny(*options: object) -> list[str]:
    return [sys.executable, "-S", "-E", str(TINY), *map(str, options)]


def ask(game: Game, **fields: Any) -> Question:
    color: Any = game.to_play
    moves: Any = tuple((move.color, move.vertex) for move in game.moves)
    return Question(state=game, moves=moves, color=color, **fields)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commands that engines are sent."""
    commands: list[str] = []
    send = client.Engine.send

    def note(self: client.Engine, command: str, **options: Any) -> str:
        commands.append(command)
        return send(self, command, **options)

    monkeypatch.setattr(client.Engine, "send", note)
    return commands


@pytest.fixture
def thinker() -> Iterator[EngineThinker]:
    thinker = EngineThinker(tiny(), name="Tiny")
    yield thinker
    thinker.close()


def told(sent: list[str]) -> list[str]:
    """Return the commands since the last look, without questions about what the engine knows."""
    commands = [command for command in sent if command != "list_commands"]
    sent.clear()
    return commands


def test_the_engine_is_told_the_game_once_and_then_its_moves(
    thinker: EngineThinker, sent: list[str]
) -> None:
    assert thinker.preparation() == READY
    game = Game(5, komi=0.5)
    game.play("black", "C3")
    first = thinker.choose(ask(game)).move
    assert told(sent) == [
        "boardsize 5", "clear_board", "komi 0.5", "play black C3", "genmove white",
    ]  # fmt: skip
    game.play("white", first)
    game.play("black", "pass")

    thinker.choose(ask(game))

    assert told(sent) == ["play black pass", "genmove white"]


def test_what_was_taken_back_is_undone(thinker: EngineThinker, sent: list[str]) -> None:
    game = Game(5, komi=0.5)
    game.play("black", "C3")
    game.play("white", thinker.choose(ask(game)).move)
    game.play("black", "pass")
    thinker.choose(ask(game))
    told(sent)

    other = Game(5, komi=0.5)
    other.play("black", "D4")
    thinker.choose(ask(other))

    assert told(sent) == [*["undo"] * 4, "play black D4", "genmove white"]


def test_handicap_and_stones_set_up_are_put_on_the_board(
    thinker: EngineThinker, sent: list[str]
) -> None:
    handicap = Game(9, komi=0.5)
    handicap.free_handicap(["C3", "G7"])
    thinker.choose(ask(handicap))
    # This engine does not know set_free_handicap.
    assert told(sent)[3:] == ["play black C3", "play black G7", "genmove white"]

    position = Game(5)
    position.setup(black=["A1"], white=["B2", "E5"], to_play="black")
    thinker.choose(ask(position))
    assert told(sent)[3:] == ["play black A1", "play white B2", "play white E5", "genmove black"]


def test_the_engine_is_told_the_clock(thinker: EngineThinker, sent: list[str]) -> None:
    faces = (ClockFace(seconds=12.7, periods=0), ClockFace(seconds=9.0, periods=3))
    clock = ClockSettings(kind="byoyomi", main=60, period=10, periods=3)
    game = Game(5)
    thinker.choose(ask(game, clock=clock, clocks=faces))

    assert told(sent)[3:] == [
        "time_settings 60 10 1", "time_left black 12 0", "time_left white 9 1", "genmove black",
    ]  # fmt: skip
    for kind in ("absolute", "fischer"):
        clock = ClockSettings(kind=kind, main=60, period=5)
        thinker.choose(ask(game, clock=clock, clocks=(faces[0], faces[0])))
        assert "time_settings 60 0 0" in told(sent)


FAULTS = {
    "occupied": "which is illegal",
    "off-board": "instead of a move",
    "nonsense": "answered 'hello world' instead of a move",
    "empty": "instead of a move",
    "wrong-number": "was answered with number",
    "exit": "out of luck",
    "close-output": "ended",
    "refuse-genmove": "I have no idea",
    "refuse-play": "I would rather not",
    "refuse-komi": "no komi for me",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_an_engine_does_becomes_a_sentence(fault: str) -> None:
    thinker = EngineThinker(tiny("--fault", fault, "--at", 0), name="Tiny")
    game = Game(5)
    game.play("black", "C3")

    with pytest.raises(GoError, match=f"Tiny.*{FAULTS[fault]}"):
        thinker.choose(ask(game))
    # And the next question is no worse.
    with pytest.raises(GoError, match="Tiny"):
        thinker.choose(ask(game))
    thinker.close()


def test_an_engine_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_thinker, "HANG_SECONDS", 0.2)
    thinker = EngineThinker(tiny("--fault", "silence", "--at", 0), name="Tiny")

    with pytest.raises(GoError, match="no answer"):
        thinker.choose(ask(Game(5)))
    thinker.close()


def test_an_engine_may_resign() -> None:
    thinker = EngineThinker(tiny("--fault", "resign", "--at", 0), name="Tiny")

    assert thinker.choose(ask(Game(5))).move == "resign"
    thinker.close()


def test_a_search_that_nobody_wants_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_thinker, "STOP_SECONDS", 0.05)
    thinker = EngineThinker(tiny("--fault", "silence", "--at", 1), name="Tiny")
    game = Game(5)
    thinker.choose(ask(game))
    interrupt = threading.Event()
    threading.Timer(0.2, interrupt.set).start()

    with pytest.raises(GoError, match="was stopped"):
        thinker.choose(ask(game, interrupt=interrupt))
    # A new process answers the next question.
    assert thinker.choose(ask(game)).move
    thinker.close()


def test_a_closed_engine_stays_closed(thinker: EngineThinker) -> None:
    thinker.choose(ask(Game(5)))
    thinker.close()

    with pytest.raises(GoError, match="closed"):
        thinker.choose(ask(Game(5)))


def test_an_engine_plays_and_does_nothing_else(thinker: EngineThinker) -> None:
    with pytest.raises(GoError, match="ask Montego"):
        thinker.analyze(ask(Game(5)))
    with pytest.raises(GoError, match="ask Montego"):
        thinker.estimate(ask(Game(5)))


def test_a_program_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(GoError, match="cannot start"):
        EngineThinker("/no/such/engine --mode gtp").choose(ask(Game(5)))


class Watcher:
    """Somebody who watches a session."""

    def __init__(self, session: Session) -> None:
        self.states: list[GameState] = []
        self._changed = threading.Condition()
        self.leave = session.watch(self._hear)

    def _hear(self, reply: Reply) -> None:
        if isinstance(reply, GameState):
            with self._changed:
                self.states.append(reply)
                self._changed.notify_all()

    def wait(self, is_it: Callable[[GameState], bool]) -> GameState:
        deadline = time.monotonic() + SOON
        with self._changed:
            while not (self.states and is_it(self.states[-1])):
                assert self._changed.wait(deadline - time.monotonic())
            return self.states[-1]


def play_with(*options: object) -> tuple[Session, Watcher]:
    programs = Programs(
        engine=lambda: EngineThinker(tiny(*options), name="Tiny"), engine_name="Tiny"
    )
    session = Session(begin(NewGame(size=5, white="engine"), programs), programs=programs)
    return session, Watcher(session)


def test_a_person_plays_against_the_engine() -> None:
    session, watcher = play_with()
    session.handle(Play(node=0, move="C3"))
    state = watcher.wait(lambda state: len(state.tree) == 3)
    assert state.names == ("You", "Tiny")
    assert state.tree[2].color == "white"

    session.handle(Undo())
    head = watcher.wait(lambda state: state.head == 0).head
    session.handle(Play(node=head, move="D4"))

    state = watcher.wait(lambda state: state.position.to_play == "black" and state.head > 2)
    assert len(state.tree) == 5
    session.close()


@pytest.mark.parametrize("fault", ["exit", "occupied", "nonsense"])
def test_when_the_engine_fails_the_game_waits_and_goes_on(fault: str) -> None:
    session, watcher = play_with("--fault", fault, "--at", 1)
    session.handle(Play(node=0, move="C3"))
    state = watcher.wait(lambda state: state.position.to_play == "black" and state.head > 0)
    move = next(vertex for vertex in ("A1", "E5") if vertex in state.position.moves)
    session.handle(Play(node=state.head, move=move))

    state = watcher.wait(lambda state: bool(state.notice))
    assert state.paused
    assert "Tiny" in state.notice
    assert len(state.tree) == 4

    if fault == "exit":  # A new process has a first call that works.
        session.handle(Pause(paused=False))
        state = watcher.wait(lambda state: len(state.tree) == 5)
        assert not state.paused
    session.close()


def test_gnu_go_plays() -> None:
    command = f"{require_tool('gnugo')} --mode gtp --level 1"
    thinker = EngineThinker(command)
    game = Game(9, rules="japanese", komi=0.5)
    game.fixed_handicap(2)
    for _ in range(6):
        game.play(game.to_play, thinker.choose(ask(game)).move)

    game.undo(3)
    move = thinker.choose(ask(game)).move

    assert move in game.legal_moves()
    thinker.close()
