"""The analyze commands in a session, with a player that thinks nothing."""

from __future__ import annotations

import io
import threading
import time
from typing import TYPE_CHECKING

import pytest

from analysis_fake_player import PATIENCE, FakePlayer
from client_parsers import (
    Reply,
    cgos_report,
    lizgoban_suggestions,
    sabaki_suggestions,
    split_replies,
)
from montego.gtp.registry import load_commands
from montego.gtp.session import GtpSession

if TYPE_CHECKING:
    from collections.abc import Callable

STREAMS = ("lz-analyze", "kata-analyze", "analyze")
GENMOVES = ("lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze")


class Conversation:
    """A session over a pipe whose input a test writes line by line."""

    def __init__(self) -> None:
        self.player = FakePlayer()
        self.output = io.BytesIO()
        self.session = GtpSession(lambda: self.player, self.output)  # type: ignore[arg-type,return-value]
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self.session.quitting and (line := self.session.inbox.take()) is not None:
            self.session.obey(line)

    def start(self) -> None:
        self._thread.start()

    def send(self, line: str) -> None:
        self.session.inbox.put(line)

    def wait_for(self, is_there: Callable[[str], bool]) -> str:
        """Wait until the output so far looks as wanted, and return it."""
        end = time.monotonic() + PATIENCE
        while not is_there(text := self.output.getvalue().decode()):
            assert time.monotonic() < end, f"waited in vain; the output is {text!r}"
            time.sleep(0.001)
        return text

    def finish(self) -> list[Reply]:
        self.session.inbox.close()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        return split_replies(self.output.getvalue().decode())


def converse(*lines: str) -> list[Reply]:
    """Obey lines one after another, each before the next comes; fails if one streams for ever."""
    conversation = Conversation()
    for line in lines:
        conversation.session.inbox.put(line)
        taken = conversation.session.inbox.take()
        assert taken is not None
        conversation.session.obey(taken)
    return split_replies(conversation.output.getvalue().decode())


@pytest.mark.parametrize("command", STREAMS)
@pytest.mark.parametrize("ending", ["", "   ", "# comment", "name", "7 name", "# interrupt"])
def test_any_line_ends_an_analysis_and_is_then_obeyed(command: str, ending: str) -> None:
    conversation = Conversation()
    conversation.start()
    conversation.send(f"3 {command} b 10")
    text = conversation.wait_for(lambda text: text.count("\n") == 2)
    assert text.startswith("=3\ninfo move A5 visits 10 ")

    conversation.send(ending)
    conversation.wait_for(lambda text: text.endswith("\n\n"))
    replies = conversation.finish()

    assert replies[0].number == 3
    assert len(replies) == (2 if "name" in ending else 1)
    if ending == "7 name":
        assert replies[1] == Reply(ok=True, number=7, lines=["Montego"])


def test_the_end_of_input_ends_an_analysis() -> None:
    conversation = Conversation()
    conversation.start()
    conversation.send("kata-analyze 10")
    conversation.wait_for(lambda text: "info" in text)

    assert len(conversation.finish()) == 1


def test_an_analysis_that_has_nothing_left_to_find_still_waits_for_input() -> None:
    conversation = Conversation()
    conversation.player.analyze = (  # type: ignore[method-assign]
        lambda *_, **__: FakePlayer().analyze(limit=1)
    )
    conversation.start()
    conversation.send("kata-analyze 10")
    conversation.wait_for(lambda text: text == "=\n")
    time.sleep(0.05)
    assert conversation.output.getvalue() == b"=\n"

    conversation.send("")
    assert len(conversation.finish()) == 1


def test_nothing_is_reported_once_the_client_went_on() -> None:
    conversation = Conversation()
    conversation.session.inbox.put("kata-analyze 1")
    conversation.session.inbox.put("version")
    conversation.start()

    replies = conversation.finish()

    assert replies[0] == Reply(ok=True, number=None, lines=[])
    assert replies[1].ok
    assert conversation.player.calls == []


@pytest.mark.parametrize("command", STREAMS)
def test_a_bare_zero_analyzes_nothing(command: str) -> None:
    assert converse(f"1 {command} 0") == [Reply(ok=True, number=1, lines=[])]


@pytest.mark.parametrize("command", [*STREAMS, *GENMOVES, "kata-search_analyze"])
@pytest.mark.parametrize("arguments", ["b interval", "avoid b Z9 1", "ownership maybe", "-3"])
def test_bad_arguments_fail_before_anything_is_written(command: str, arguments: str) -> None:
    replies = converse(f"5 {command} {arguments}", "showboard")

    assert not replies[0].ok
    assert replies[0].number == 5
    assert len(replies[0].lines) == 1


@pytest.mark.parametrize("command", GENMOVES)
@pytest.mark.parametrize("arguments", ["b", "black 100000", "B interval 10", "b 0", ""])
@pytest.mark.parametrize("unsearched", [False, True])
def test_a_move_comes_with_an_info_line_in_any_case(
    command: str, arguments: str, unsearched: bool
) -> None:
    conversation = Conversation()
    conversation.player.unsearched = unsearched
    conversation.session.obey(f"{command} {arguments}")
    (reply,) = split_replies(conversation.output.getvalue().decode())

    assert reply.lines[-1] == "play A5"
    assert len(reply.lines) == 2
    sabaki_suggestions(reply.lines[0], command)
    assert [move.vertex for move in conversation.player.game.moves] == ["A5"]


@pytest.mark.parametrize("command", [*GENMOVES, "cgos-genmove_analyze"])
def test_after_a_resignation_a_move_is_refused_before_the_reply_begins(command: str) -> None:
    conversation = Conversation()
    conversation.player.game.resign("black")
    conversation.session.obey(f"4 {command} w")
    (reply,) = split_replies(conversation.output.getvalue().decode())

    assert reply == Reply(ok=False, number=4, lines=["the game is over: black resigned"])


def test_restrictions_reach_the_player() -> None:
    (reply,) = converse("kata-genmove_analyze w avoid w A5,B5 1 avoid b C5 1")
    assert reply.lines[-1] == "play C5"
    (reply,) = converse("kata-genmove_analyze b allow b D3,pass 1 maxmoves 1")
    assert reply.lines[-1] == "play D3"
    assert reply.lines[0].count("info") == 1


@pytest.mark.parametrize("command", [*STREAMS, *GENMOVES, "kata-search_analyze"])
@pytest.mark.parametrize(
    "arguments",
    ["w allow w C3 1", "w 10 allow w C3,D3 1 avoid w D3 1", "allow w C3 1 allow b D3 1"],
)
def test_limits_that_leave_no_move_fail_and_nothing_is_searched(
    command: str, arguments: str
) -> None:
    conversation = Conversation()
    conversation.player.game.play("black", "C3")
    conversation.session.obey(f"5 {command} {arguments}")
    (reply,) = split_replies(conversation.output.getvalue().decode())

    said = "white has no legal move among those allowed"
    assert reply == Reply(ok=False, number=5, lines=[said])
    assert conversation.player.calls == []
    assert [move.vertex for move in conversation.player.game.moves] == ["C3"]


def test_to_avoid_everything_but_a_pass_is_to_pass() -> None:
    every = ",".join(f"{column}{row}" for column in "ABCDE" for row in range(1, 6))
    replies = converse(
        f"kata-search_analyze b avoid b {every} 1",
        f"kata-search_analyze b avoid b {every},pass 1",
    )

    assert replies[0].lines[-1] == "play pass"
    assert not replies[1].ok


def test_minmoves_tells_moves_that_nobody_visited() -> None:
    (reply,) = converse("kata-genmove_analyze b minmoves 26")
    assert len(lizgoban_suggestions(reply.lines[0])) == 26


def test_cgos_gets_one_line_of_json_and_the_move() -> None:
    (reply,) = converse("cgos-genmove_analyze w")

    assert len(reply.lines) == 2
    assert cgos_report(reply.lines[0], 25)["ownership"][0] == pytest.approx(-0.5, abs=0.02)
    assert reply.lines[1] == "play A5"


def test_a_search_says_a_move_and_plays_nothing() -> None:
    conversation = Conversation()
    for line in ("kata-search b", "kata-search", "kata-search_analyze w 10", "kata-search b w"):
        conversation.session.obey(line)
    replies = split_replies(conversation.output.getvalue().decode())

    assert [reply.lines[-1] for reply in replies] == ["A5", "A5", "play A5", "syntax error"]
    assert conversation.player.game.moves == []


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("kata-search_cancellable b", "cancelled"),
        ("kata-search_analyze_cancellable B 10", "play cancelled"),
    ],
)
def test_input_cancels_a_search_that_says_so(command: str, answer: str) -> None:
    conversation = Conversation()
    conversation.player.patient = True
    conversation.start()
    conversation.send(command)
    conversation.send("protocol_version")
    replies = conversation.finish()

    assert replies[0].lines[-1] == answer
    assert replies[1].lines == ["2"]
    assert conversation.player.game.moves == []


def test_only_the_interrupt_of_gogui_hurries_a_move() -> None:
    conversation = Conversation()
    conversation.player.patient = True
    conversation.start()
    conversation.send("kata-genmove_analyze b")
    conversation.send("name")
    conversation.wait_for(lambda text: text == "=\n")
    time.sleep(0.05)
    assert conversation.output.getvalue() == b"=\n"

    conversation.send("# interrupt")
    replies = conversation.finish()

    assert replies[0].lines[-1] == "play A5"
    assert replies[1].lines == ["Montego"]


def test_values_are_those_of_whom_the_option_names() -> None:
    replies = converse(
        "kata-search_analyze w",
        "kata-set-param perspective black",
        "kata-search_analyze w",
    )
    rates = [
        sabaki_suggestions(replies[number].lines[0], "kata-analyze")[0].winrate for number in (0, 2)
    ]

    assert rates == [0.75, 0.25]


def test_programs_find_the_names_they_look_for_and_not_the_ambiguous_ones() -> None:
    commands = load_commands()

    for name in ("analyze", "genmove_analyze"):
        assert not commands[name].listed
    for name in (
        "lz-analyze",
        "kata-analyze",
        "lz-genmove_analyze",
        "kata-genmove_analyze",
        "cgos-genmove_analyze",
        "kata-search",
        "kata-search_analyze",
        "kata-search_cancellable",
        "kata-search_analyze_cancellable",
    ):
        assert commands[name].listed
