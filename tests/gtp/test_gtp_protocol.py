"""The text of the protocol: lines in, replies out, the queue of lines between, and the log."""

from __future__ import annotations

import io
import threading
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.go.vocabulary.errors import GoError
from montego.gtp.protocol import (
    CommandLine,
    decode_line,
    encode,
    format_body,
    format_reply,
    is_interrupt,
    parse_line,
)
from montego.gtp.registry import Arguments, GtpError
from montego.gtp.session import NOTED, RECEIVED, SENT, ConversationLog, Inbox

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"name", CommandLine("", "name", "")),
        (b"name\r\n", CommandLine("", "name", "")),
        (b"12 play b D4", CommandLine("12", "play", "b D4")),
        (b"  12   play  b   D4  ", CommandLine("12", "play", "b   D4")),
        (b"12\tplay\tb\tD4", CommandLine("12", "play", "b D4")),
        (b"0003 name", CommandLine("0003", "name", "")),
        (b"12", CommandLine("12", "", "")),
        (b"12abc x", CommandLine("", "12abc", "x")),
        (b"-1 name", CommandLine("", "-1", "name")),
        (b"na\x00me\x7f", CommandLine("", "name", "")),
        (b"name # comment # more", CommandLine("", "name", "")),
        (b"play b D4#comment", CommandLine("", "play", "b D4")),
        ("١٢ name".encode(), CommandLine("", "١٢", "name")),  # No digits of ours.
    ],
)
def test_a_line_is_an_id_a_name_and_the_rest(line: bytes, expected: CommandLine) -> None:
    assert parse_line(decode_line(line)) == expected


@pytest.mark.parametrize(
    "line",
    [
        "play" + " " * 200_000 + "b D4",
        "1" + " " * 200_000 + "play b D4",
        "play b " + " " * 200_000 + "D4",
        "play b" + " " * 200_000 + "D4 " + " " * 200_000,
        "1" * 200_000 + "x",
    ],
)
def test_the_time_for_a_line_grows_as_its_length_does(line: str) -> None:
    begun = time.process_time()
    parsed = parse_line(line)
    arguments = Arguments("1" * 200_000 + "x")
    with pytest.raises(GtpError):
        arguments.number(0)

    assert time.process_time() - begun < 1.0
    assert parsed is not None
    assert parsed.text.split() in (["b", "D4"], [])


@pytest.mark.parametrize(
    "line", [b"", b"\r\n", b"   ", b"\t", b"# comment", b"  # 12 name", b"\x07"]
)
def test_a_line_without_a_command_is_no_request(line: bytes) -> None:
    assert parse_line(decode_line(line)) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"# interrupt", True),
        (b"  # interrupt\r\n", True),
        (b"# Interrupt", True),
        (b"#interrupt", False),
        (b"name # interrupt", False),
        (b"# interrupt please", False),
    ],
)
def test_the_interrupt_is_seen_before_comments_are_cut(line: bytes, *, expected: bool) -> None:
    assert is_interrupt(decode_line(line)) is expected


@given(st.binary())
def test_no_byte_of_a_line_is_lost_but_control_characters(line: bytes) -> None:
    kept = bytes(byte for byte in line if (byte >= 32 and byte != 127) or byte == 9)

    assert encode(decode_line(line)) == kept.replace(b"\t", b" ")


def test_text_that_no_bytes_stand_for_is_written_with_escapes() -> None:
    assert encode("\ud800") == b"\\ud800"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, "=7\n\n"),
        ("", "=7\n\n"),
        ("D4", "=7 D4\n\n"),
        ("a\nb", "=7 a\nb\n\n"),
        ("a\n\n\nb\n", "=7 a\nb\n\n"),
        ("\na\nb", "=7\na\nb\n\n"),
        ("a\r\n \r\nb", "=7 a\nb\n\n"),
        ("a\x00b\tc", "=7 ab\tc\n\n"),
        ("a  \n\t\nb", "=7 a\nb\n\n"),
    ],
)
def test_a_reply_has_one_empty_line_and_it_comes_last(text: str | None, expected: str) -> None:
    assert format_reply("7", text) == expected


def test_a_failure_has_a_question_mark() -> None:
    assert format_reply("", "illegal move", success=False) == "? illegal move\n\n"


@given(st.text())
def test_whatever_the_text_a_reply_never_ends_early(text: str) -> None:
    assert format_reply("", text).count("\n\n") == 1
    assert "\n\n" not in format_body(text)


def test_arguments_that_do_not_fit_are_a_syntax_error() -> None:
    arguments = Arguments("b D4 3 2.5 x 1_0 ٣ 1e400 0x10")

    assert (arguments.color(0), arguments[1], arguments.integer(2)) == ("black", "D4", 3)
    assert (arguments.number(2), arguments.number(3)) == (3.0, 2.5)
    for wrong in (
        lambda: arguments.color(1),
        lambda: arguments.integer(3),
        lambda: arguments.integer(5),
        lambda: arguments.integer(6),
        lambda: arguments.number(4),
        lambda: arguments.number(7),
        lambda: arguments.number(8),
        lambda: arguments[9],
        lambda: arguments.expect(0, 8),
        lambda: arguments.expect(10, 11),
    ):
        with pytest.raises(GtpError, match=r"^syntax error$"):
            wrong()


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
