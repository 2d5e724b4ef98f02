"""The session: how commands are obeyed, interrupted and survived."""

from __future__ import annotations

import io
import os
import threading
from typing import TYPE_CHECKING, Any

import pytest

from gtp_conversation import Conversation, visible_state
from gtp_fake_player import FakePlayer
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.vocabulary.errors import GoError
from montego.gtp.commands.gogui import ANALYZE_COMMANDS
from montego.gtp.registry import COMMANDS, Arguments, Entry, command, load_commands
from montego.gtp.session import (
    NOTED,
    RECEIVED,
    SENT,
    ConversationLog,
    GtpSession,
    Inbox,
    OutputClosed,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture
def conversation() -> Conversation:
    return Conversation()


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Any], None]]:
    """Register commands for one test."""
    commands = dict(load_commands())  # All of them, or those loaded later would be lost.

    def register(name: str, run: Any) -> None:
        COMMANDS[name] = Entry(name, "", "", None, run, "", listed=False)

    yield register
    monkeypatch.undo()
    COMMANDS.clear()
    COMMANDS.update(commands)


def test_the_player_is_made_when_a_command_needs_it() -> None:
    made = []

    def make() -> FakePlayer:
        made.append(1)
        return FakePlayer()

    session = GtpSession(make, io.BytesIO())
    for line in ("name", "list_commands", "help", "known_command play", "stop", "quit"):
        session.obey(line)
    assert not made

    session.obey("showboard")
    session.obey("showboard")
    assert made == [1]


def test_a_player_that_cannot_be_made_is_an_error_and_no_end() -> None:
    def make() -> FakePlayer:
        raise GoError("no such file of patterns")

    output = io.BytesIO()
    session = GtpSession(make, output)
    session.run(io.BytesIO(b"showboard\nname\n"))

    assert output.getvalue() == b"? no such file of patterns\n\n= Montego\n\n"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (GoError("no such file of patterns"), "montego: no such file of patterns\n"),
        (KeyError("a bug"), "montego: internal error: KeyError: 'a bug'\n"),
    ],
)
def test_a_player_that_cannot_prepare_is_a_complaint_and_no_end(
    error: Exception, told: str
) -> None:
    class Unprepared(FakePlayer):
        def prepare(self, _seconds: float = 0.0) -> bool:
            raise error

    conversation = Conversation(Unprepared())
    conversation.session.run(io.BytesIO(b"komi 5\nget_komi\nname\n"))

    assert conversation.output.getvalue() == b"=\n\n= 5\n\n= Montego\n\n"
    assert conversation.errors.getvalue() == told


@pytest.mark.parametrize("command", ["kata-set-param", "montego-param"])
def test_a_file_of_no_use_is_refused_when_it_is_set(
    conversation: Conversation, command: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("pattern a\nX X\n")
    before = conversation.player.options

    reply = conversation.say(f"{command} patterns {path}")

    assert reply == (
        f"? cannot read patterns from {path}: line 1: the picture should have three rows\n\n"
    )
    assert conversation.player.options == before


def test_a_board_without_enough_memory_is_refused_at_once(conversation: Conversation) -> None:
    player = Player(Options(size=9, memory=3, threads=1))
    conversation.session = GtpSession(lambda: player, conversation.output)
    before = player.options

    assert conversation.say("boardsize 25") == (
        "? invalid memory 3: Go 25x25 wants at least 6.33 MB\n\n"
    )
    assert conversation.say("kata-set-param memory 1", "montego-param memory 2.3") == (
        "? invalid memory 1: Go 9x9 wants at least 2.4 MB\n\n"
        "? invalid memory 2.3: Go 9x9 wants at least 2.4 MB\n\n"
    )
    assert player.options == before
    assert conversation.say("kata-set-param parallel root", "query_boardsize") == "=\n\n= 9\n\n"
    assert "wants at least 719.24 MB" in conversation.say("kata-set-param threads 300")
    assert conversation.say("kata-set-param memory 7", "boardsize 25") == "=\n\n=\n\n"


def test_a_setup_without_stones_is_nothing(conversation: Conversation) -> None:
    assert conversation.say("gogui-setup", "undo") == "=\n\n? cannot undo\n\n"
    assert conversation.say("fixed_handicap 2").startswith("= ")
    assert conversation.say("gogui-setup") == "? board not empty\n\n"
    for first in ("gogui-setup", "play b pass"):
        conversation.say("clear_board")
        assert conversation.say(first, "gogui-setup b C3 w D4") == "=\n\n=\n\n"
        assert conversation.say("gogui-setup w E5") == "? board not empty\n\n"
        assert conversation.say("list_stones b", "list_stones w") == "= C3\n\n= D4\n\n"


def test_a_bug_is_one_line_for_the_client_and_the_rest_for_the_log(
    temporary: Callable[[str, Any], None], tmp_path: Path
) -> None:
    def broken(session: GtpSession, _arguments: Arguments) -> None:
        session.player.play("black", "C3")
        session.player.game.komi = 99
        raise KeyError("some\nthing")

    path = tmp_path / "gtp.log"
    log = ConversationLog(path)
    conversation = Conversation(log=log)
    temporary("broken", broken)
    conversation.say("play b A1")
    before = visible_state(conversation.player.game)

    reply = conversation.say("3 broken")

    assert reply == "?3 internal error: KeyError: 'some\\nthing'\n\n"
    assert visible_state(conversation.player.game) == before
    log.close()
    assert "Traceback" in path.read_text()
    assert "Traceback" not in conversation.errors.getvalue()
    assert conversation.say("name") == "= Montego\n\n"


def test_a_streamed_reply_begins_at_once_and_ends_with_one_empty_line(
    temporary: Callable[[str, Any], None], conversation: Conversation
) -> None:
    seen: list[bytes] = []

    def streaming(session: GtpSession, _arguments: Arguments) -> str:
        session.open_reply()
        seen.append(conversation.output.getvalue())
        session.write_line("first")
        session.write_line("\n\n")
        session.write_line("second")
        return "last"

    temporary("streaming", streaming)

    assert conversation.say("8 streaming") == "=8\nfirst\nsecond\nlast\n\n"
    assert seen == [b"=8\n"]


def test_a_stream_that_fails_says_so_and_ends(
    temporary: Callable[[str, Any], None], conversation: Conversation
) -> None:
    def failing(session: GtpSession, _arguments: Arguments) -> None:
        session.write_line("first")
        raise ValueError("oh")

    temporary("failing", failing)

    assert conversation.say("failing", "name") == (
        "=\nfirst\nfailed: internal error: ValueError: oh\n\n= Montego\n\n"
    )


def test_a_client_that_stops_reading_ends_the_session() -> None:
    class Closed(io.BytesIO):
        def write(self, _data: Any, /) -> int:
            raise BrokenPipeError

    session = GtpSession(FakePlayer, Closed())
    with pytest.raises(OutputClosed):
        session.obey("name")

    GtpSession(FakePlayer, Closed()).run(io.BytesIO(b"name\nname\n"))


def test_quit_answers_and_nothing_after_it_is_obeyed() -> None:
    output = io.BytesIO()
    session = GtpSession(FakePlayer, output)
    session.run(io.BytesIO(b"5 quit\nname\n"))

    assert output.getvalue() == b"=5\n\n"


def piped_session(player: FakePlayer) -> tuple[GtpSession, int, io.BytesIO, threading.Thread]:
    """A session that reads from a pipe in a thread of its own."""
    reading, writing = os.pipe()
    output = io.BytesIO()
    session = GtpSession(lambda: player, output)

    def run() -> None:
        with os.fdopen(reading, "rb") as stream:
            session.run(stream)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return session, writing, output, thread


def test_genmove_thinks_on_when_more_comes_in_but_not_after_an_interrupt() -> None:
    player = FakePlayer(thinks=True)
    _session, pipe, output, thread = piped_session(player)
    os.write(pipe, b"1 genmove b\n2 name\n\n")
    thread.join(timeout=0.3)
    assert output.getvalue() == b""

    os.write(pipe, b"# interrupt\n3 quit\n")
    os.close(pipe)
    thread.join(timeout=20)

    assert not thread.is_alive()
    assert output.getvalue() == b"=1 A9\n\n=2 Montego\n\n=3\n\n"


@pytest.mark.parametrize("last", [b"\n", b"# a comment\n", b"2 name\n", b"nonsense\n", b""])
def test_any_line_and_the_end_of_input_stop_an_analysis(last: bytes) -> None:
    _session, pipe, output, thread = piped_session(FakePlayer())
    os.write(pipe, b"1 lz-analyze 10\n")
    while b"info" not in output.getvalue():
        thread.join(timeout=0.01)

    os.write(pipe, last)
    os.close(pipe)
    thread.join(timeout=20)

    assert not thread.is_alive()
    reply, *others = output.getvalue().split(b"\n\n")
    assert reply.startswith(b"=1\ninfo move A9 ")
    assert others[0].startswith({b"2": b"=2 Montego", b"n": b"?"}.get(last[:1], b""))


def test_what_the_name_says_can_be_changed_and_chat_is_listed_on_request() -> None:
    conversation = Conversation(FakePlayer(Options(name="Leela Zero", kgs_chat=True)))

    assert conversation.say("name") == "= Leela Zero\n\n"
    assert "kgs-chat" in conversation.say("list_commands").split()
    assert "kgs-chat" not in Conversation().say("list_commands").split()


def test_spectators_on_ogs_are_told_what_was_expected() -> None:
    conversation = Conversation(FakePlayer(Options(ogs=True, size=9)))
    conversation.say("genmove w")

    assert conversation.errors.getvalue() == (
        "MALKOVICH:Visits 10 Winrate 60.00% ScoreLead -1.5 ScoreStdev 4.0 PV A9 pass\n"
    )


def test_chances_by_an_imagined_komi_are_told_with_a_proviso() -> None:
    player = FakePlayer(Options(ogs=True, size=9))
    player.imagined, player.score_deviation = 12.0, 0.0  # Nothing was sampled.
    conversation = Conversation(player)
    conversation.say("genmove w")

    said = "with 12 points of komi imagined for White."
    assert conversation.errors.getvalue().splitlines()[1:] == [
        f"MALKOVICH:The win rate is that {said}"
    ]
    assert conversation.say("kgs-chat game me winrate") == (
        f"= At my last move I gave myself 60% {said}\n\n"
    )
    player.score_deviation = 12.0
    conversation.say("genmove w")
    assert "Winrate 19" in conversation.errors.getvalue()
    assert conversation.say("kgs-chat game me winrate") == (
        "= At my last move I gave myself 20%.\n\n"
    )


def test_nobody_is_told_anything_unless_asked(conversation: Conversation) -> None:
    conversation.say("genmove b", "lz-genmove_analyze w 10", "montego-values", "explain")

    assert conversation.errors.getvalue() == ""


def test_live_graphics_go_to_standard_error_and_are_wiped_before_the_reply() -> None:
    conversation = Conversation()
    wiped: list[bool] = []
    write = conversation.output.write

    def watched(data: Any) -> int:
        wiped.append(conversation.errors.getvalue().endswith("gogui-gfx: CLEAR\n"))
        return write(data)

    conversation.output.write = watched  # type: ignore[method-assign]
    conversation.say("montego-live_graphics 1", "genmove b")

    assert conversation.errors.getvalue() == (
        "gogui-gfx:\nVAR b A9 w PASS\nINFLUENCE A9 0.20\nLABEL A9 10\n"
        "TEXT 10 visits, black 60.0%\n\ngogui-gfx: CLEAR\n"
    )
    assert wiped == [False, True]


def test_every_command_that_gogui_is_told_of_exists() -> None:
    for line in ANALYZE_COMMANDS.splitlines():
        kind, label, text = line.split("/")
        assert kind in {
            "bwboard",
            "dboard",
            "sboard",
            "gfx",
            "plist",
            "string",
            "var",
            "none",
            "param",
        }
        assert label
        assert text.split()[0] in COMMANDS


def test_gogui_is_told_every_option_in_a_form_it_can_read(conversation: Conversation) -> None:
    reply = conversation.say("montego-param")

    for line in reply.removeprefix("= ").strip().split("\n"):
        kind, key, *value = line.split(" ")
        assert kind in ("[bool]", "[string]") or kind.startswith("[list/")
        if kind.startswith("[list/"):
            assert value[0] in kind[1:-1].split("/")
        if kind == "[bool]":
            assert value in (["0"], ["1"])
        assert conversation.say(f"montego-param {key} {' '.join(value)}") == "=\n\n"
    assert conversation.say("montego-param") == reply


def test_the_options_of_the_game_are_those_it_is_played_by(
    conversation: Conversation, tmp_path: Path
) -> None:
    def told() -> str:
        return conversation.say(*(f"kata-get-param {name}" for name in ("rules", "komi", "size")))

    conversation.say("boardsize 7", "kata-set-rules japanese", "komi 3.5")
    assert told() == "= japanese\n\n= 3.5\n\n= 7\n\n"
    assert "[string] rules japanese\n[string] komi 3.5" in conversation.say("montego-param")
    conversation.say("kata-set-rule ko POSITIONAL")
    assert conversation.say("montego-param rules") == conversation.say("get_rules")
    conversation.say("kata-set-param rules aga", "kata-set-param komi default")
    assert told() == "= aga\n\n= 7.5\n\n= 7\n\n"
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[5]KM[0.5]RU[Korean])")
    conversation.say(f"loadsgf {path}")
    assert told() == "= korean\n\n= 0.5\n\n= 5\n\n"


def test_options_may_go_by_katago_s_names(conversation: Conversation) -> None:
    assert conversation.say("kata-set-param numSearchThreads 2") == "=\n\n"
    assert conversation.say("kata-get-param threads") == "= 2\n\n"
    for line in ("kata-get-param cpuctExploration", "kata-set-param cpuctExploration 1"):
        reply = "? cpuctExploration is a setting of KataGo's, of no effect here\n\n"
        assert conversation.say(line) == reply
    assert conversation.say("kata-get-param playoutDoublingAdvantage") == "= 0.0\n\n"


def test_what_clients_set_for_katago_alone_is_remembered_and_said_to_do_nothing(
    conversation: Conversation,
) -> None:
    for value in ("1.5", "-2", "0"):
        assert conversation.say(f"kata-set-param playoutDoublingAdvantage {value}") == "=\n\n"
        reply = f"= {float(value)}\n\n"
        assert conversation.say("kata-get-param playoutDoublingAdvantage") == reply
    told = "montego: playoutDoublingAdvantage is remembered, but has no effect here\n"
    assert conversation.errors.getvalue() == told
    assert conversation.say("kata-set-param playoutDoublingAdvantage 4").startswith("? ")


def test_lizzieyzy_ends_pondering_in_its_own_words(conversation: Conversation) -> None:
    assert conversation.say("known_command stop-ponder", "stop-ponder") == "= true\n\n=\n\n"
    assert conversation.say("play b C3", "stop-ponder") == "=\n\n=\n\n"


def test_what_has_several_lines_begins_behind_a_blank(conversation: Conversation) -> None:
    assert conversation.say("7 showboard").startswith("=7 \n")


def test_any_number_is_a_komi(conversation: Conversation) -> None:
    for text, komi in (
        ("1e400", "1000"),
        ("-1e400", "-1000"),
        ("5000", "1000"),
        ("-0.25", "-0.25"),
    ):
        assert conversation.say(f"komi {text}", "get_komi") == f"=\n\n= {komi}\n\n"
    for text in ("inf", "-inf", "nan", "six"):
        assert conversation.say(f"komi {text}", "get_komi") == "? syntax error\n\n= -0.25\n\n"


def test_a_command_cannot_be_registered_twice() -> None:
    with pytest.raises(RuntimeError, match="name is registered twice"):
        command("name", "", "")(lambda _session, _arguments: None)


@pytest.mark.parametrize(
    "setup",
    [
        ["boardsize 5", "komi 3", "kata-set-rules japanese", "play b C3", "play w pass"],
        ["boardsize 9", "fixed_handicap 3", "play w E5", "play w E6"],
        ["boardsize 4", "set_position b A1 w B2", "play b C3"],
        ["boardsize 5", "play b A1", "play b resign"],
        ["boardsize 5", "play b pass", "play w pass"],
    ],
)
def test_a_bug_leaves_every_kind_of_game_as_it_was(
    setup: list[str], temporary: Callable[[str, Any], None], conversation: Conversation
) -> None:
    def broken(session: GtpSession, _arguments: Arguments) -> None:
        for line in ("boardsize 7", "komi 1", "kata-set-rules aga", "play b A1"):
            name, _, text = line.partition(" ")
            session.commands[name].run(session, Arguments(text))
        raise ValueError

    temporary("broken", broken)
    conversation.say(*setup)
    before = visible_state(conversation.player.game)

    assert conversation.say("broken") == "? internal error: ValueError\n\n"
    assert visible_state(conversation.player.game) == before


def test_a_bug_that_changed_nothing_costs_no_clock_and_no_tree(
    temporary: Callable[[str, Any], None], conversation: Conversation
) -> None:
    def broken(_session: GtpSession, _arguments: Arguments) -> None:
        raise ValueError

    temporary("broken", broken)
    conversation.say("play b A1")
    game = conversation.player.game
    conversation.say("broken")

    assert conversation.player.game is game


# The queue of lines, and the log


def test_lines_come_out_in_order_and_then_the_end_for_ever() -> None:
    inbox = Inbox()
    inbox.read(io.BytesIO(b"one\n\nthree"))

    assert [inbox.take() for _ in range(5)] == ["one", "", "three", None, None]


def test_a_line_of_any_length_is_one_line() -> None:
    inbox = Inbox()
    line = "set_free_handicap " + "A1 " * 1_000_000
    inbox.read(io.BytesIO(f"{line}\nname\n".encode()))

    assert inbox.take() == line
    assert inbox.take() == "name"


def test_a_stream_that_breaks_is_the_end_of_input() -> None:
    class Broken(io.BytesIO):
        def readline(self, _size: int | None = -1, /) -> bytes:
            raise OSError("the terminal went away")

    inbox = Inbox()
    inbox.read(Broken())

    assert inbox.take() is None


def test_a_running_command_learns_of_input_behind_it_even_of_an_empty_line() -> None:
    inbox = Inbox()
    inbox.put("analyze")
    inbox.take()
    assert not inbox.interrupted.is_set()

    inbox.put("")

    assert inbox.interrupted.is_set()
    assert not inbox.hurried.is_set()
    inbox.take()
    assert not inbox.interrupted.is_set()


def test_a_command_with_input_behind_it_is_interrupted_from_the_start() -> None:
    inbox = Inbox()
    inbox.put("analyze")
    inbox.put("name")

    inbox.take()

    assert inbox.interrupted.is_set()


def test_an_interrupt_hurries_what_was_sent_before_it_and_nothing_after() -> None:
    inbox = Inbox()
    for line in ("genmove b", "genmove w", "# interrupt", "genmove b"):
        inbox.put(line)

    hurried = []
    for _ in range(4):
        inbox.take()
        hurried.append(inbox.hurried.is_set())

    assert hurried == [True, True, False, False]


def test_an_interrupt_reaches_the_command_that_runs() -> None:
    inbox = Inbox()
    inbox.put("genmove b")
    inbox.take()

    inbox.put("# interrupt")

    assert inbox.hurried.is_set()


def test_whoever_waits_for_a_line_gets_it_when_it_comes() -> None:
    inbox = Inbox()
    got: list[str | None] = []
    waiting = threading.Thread(target=lambda: got.append(inbox.take()))
    waiting.start()

    inbox.put("name")
    waiting.join(timeout=10)

    assert got == ["name"]


def test_the_log_has_a_line_with_a_time_for_each_line(tmp_path: Path) -> None:
    path = tmp_path / "gtp.log"
    log = ConversationLog(path)
    log.write(RECEIVED, "name \udcff")
    log.write(SENT, "= a\nb\n\n")
    log.write(NOTED, "a note")
    log.close()
    log.write(SENT, "never")

    lines = path.read_bytes().splitlines()
    assert [line[24:] for line in lines] == [b"> name \xff", b"< = a", b"< b", b"! a note"]
    assert all(line[4:5] == b"-" and line[13:14] == b":" and line[19:20] == b"." for line in lines)


def test_a_log_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    with pytest.raises(GoError, match="cannot write the log"):
        ConversationLog(tmp_path / "no" / "such" / "folder.log")


def test_a_log_on_a_full_disk_ends_in_silence() -> None:
    log = ConversationLog("/dev/full")
    log.write(RECEIVED, "name")
    log.write(RECEIVED, "name")
    log.close()
