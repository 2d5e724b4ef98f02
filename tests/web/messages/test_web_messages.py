"""Page and server speak of the same messages, and bad ones are answered in a sentence."""

from __future__ import annotations

import json
import sys
from typing import Any, get_args

import msgspec
import pytest

from montego.web.messages import replies, requests
from montego.web.messages.requests import (
    MOST_TEXT,
    NewGame,
    Play,
    Strength,
    complain,
    parse_request,
)
from places import ROOT

sys.path.insert(0, str(ROOT / "frontend"))

from write_messages import FILE, messages_as_typescript

SAMPLES: dict[str, Any] = {
    "problem": "montego/1-001",
    "game": "0a1b2c3d",
    "node": 7,
    "move": "D4",
    "vertex": "Q16",
    "paused": True,
    "on": False,
    "visible": True,
    "archived": True,
    "tool": "letter",
    "text": "A joseki.",
}
"""A value for every field of a request that has no default."""


def sample(kind: type[msgspec.Struct]) -> msgspec.Struct:
    needed = [field.name for field in msgspec.structs.fields(kind) if field.required]
    return kind(**{name: SAMPLES[name] for name in needed})


def test_the_page_has_the_messages_of_the_server() -> None:
    assert FILE.read_text(encoding="utf-8") == messages_as_typescript(), (
        "run: python frontend/write_messages.py"
    )


def test_typescript_tells_messages_apart_and_names_choices() -> None:
    text = messages_as_typescript()

    assert 'export type Color = "black" | "white";' in text
    assert 'export interface NewGame {\n  type: "new_game";\n  kind?: GameKind;' in text
    assert "  strength?: Partial<Strength>;" in text
    assert "  level: string | null;" in text
    assert "  clocks: [ClockFace, ClockFace] | null;" in text
    assert "  sizes: Record<string, [number, number]>;" in text
    assert "  /** None for the root. */\n  parent: number | null;" in text
    assert "export type Reply =\n  | Welcome" in text


def test_what_typescript_cannot_say_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Raw(msgspec.Struct):
        data: bytes

    monkeypatch.setattr(requests, "Strength", Raw)

    with pytest.raises(TypeError, match="no TypeScript is known"):
        messages_as_typescript()


@pytest.mark.parametrize("kind", get_args(requests.Request), ids=lambda kind: kind.__name__)
def test_every_request_is_read_as_it_was_written(kind: type[msgspec.Struct]) -> None:
    request = sample(kind)

    assert parse_request(msgspec.json.encode(request)) == request


@pytest.mark.parametrize("kind", get_args(requests.Request), ids=lambda kind: kind.__name__)
def test_no_request_has_fields_of_its_own_making(kind: type[msgspec.Struct]) -> None:
    data = msgspec.to_builtins(sample(kind)) | {"path": "/etc"}

    with pytest.raises(msgspec.ValidationError, match="path"):
        parse_request(json.dumps(data))


def test_all_messages_have_a_type_of_their_own() -> None:
    for union in (requests.Request, replies.Reply):
        tags = [kind.__struct_config__.tag for kind in get_args(union)]

        assert None not in tags
        assert len(set(tags)) == len(tags)


def test_defaults_are_filled_in() -> None:
    assert parse_request('{"type": "new_game", "size": 13}') == NewGame(size=13)
    assert parse_request('{"type": "new_game", "strength": {"level": "12k"}}') == NewGame(
        strength=Strength(level="12k")
    )


def test_replies_say_their_type() -> None:
    reply = json.loads(msgspec.json.encode(replies.Failure("No.", request=3)))

    assert reply == {"type": "error", "message": "No.", "request": 3}


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "null",
        "[]",
        "7",
        '"undo"',
        "{}",
        '{"type": "shout"}',
        '{"type": 1}',
        '{"type": "play"}',
        '{"type": "play", "node": 0}',
        '{"type": "play", "node": -1, "move": "D4"}',
        '{"type": "play", "node": 1e30, "move": "D4"}',
        '{"type": "play", "node": 0, "move": ""}',
        '{"type": "play", "node": 0, "move": "D4; rm -rf / and whatever else comes to mind"}',
        '{"type": "play", "node": 0, "move": null}',
        '{"type": "open_game", "game": "../../passwd"}',
        '{"type": "open_game", "game": "short"}',
        '{"type": "new_game", "size": 26}',
        '{"type": "new_game", "size": "nine"}',
        '{"type": "new_game", "komi": 1e9}',
        '{"type": "new_game", "komi": NaN}',
        '{"type": "new_game", "black": "engine.exe"}',
        '{"type": "new_game", "clock": {"kind": "hourglass"}}',
        '{"type": "new_game", "clock": {"main": -1}}',
        '{"type": "new_game", "strength": {"simulations": 1000000000}}',
        '{"type": "new_game", "strength": {"seconds": 0}}',
        '{"type": "new_game", "strength": "strong"}',
        '{"type": "set_comment", "node": 0, "text": "' + "x" * (MOST_TEXT + 1) + '"}',
        '{"type": "configure", "name": "' + "x" * 81 + '"}',
        '{"type": "undo", "request": "first"}',
        "[" * 10_000,
    ],
    ids=lambda message: message[:40] or "nothing",
)
def test_a_bad_message_is_answered_in_a_sentence(message: str) -> None:
    with pytest.raises((msgspec.MsgspecError, RecursionError)) as caught:
        parse_request(message)
    sentence = complain(caught.value)

    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert len(sentence) < 200
    assert not any(word in sentence for word in ("`", "$", "Expected", "Traceback", "msgspec"))


def test_a_message_that_is_no_text_is_refused() -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeError)):
        parse_request(b'{"type": "play", "node": 0, "move": "\xff\xfe"}')


def test_a_good_move_is_understood() -> None:
    assert parse_request('{"type":"play","node":3,"move":"D4","request":9}') == Play(
        3, "D4", request=9
    )
