"""The text of the protocol: lines in, replies out, and the words of arguments."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.gtp.registry import Arguments, GtpError
from montego.gtp.session import (
    CommandLine,
    decode_line,
    encode,
    format_body,
    format_reply,
    is_interrupt,
    parse_line,
)


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
        ("\na\nb", "=7 \na\nb\n\n"),
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
