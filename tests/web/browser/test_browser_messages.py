"""Whatever a page sends, the server answers in words, and the game goes on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bad_messages import BAD_IN_A_GAME, BAD_MESSAGES

if TYPE_CHECKING:
    from browser_page import Tab

ASK = """
(messages) => new Promise((resolve, reject) => {
    const told = [];
    const socket = new WebSocket(`ws://${location.host}/ws`);
    setTimeout(() => reject(new Error(`no answer to ${messages[told.length]}`)), 120000);
    const send = () => {
        const message = messages[told.length];
        socket.send(message instanceof Array ? new Uint8Array(message) : message);
    };
    socket.onclose = () => reject(new Error(`closed after ${told.length} answers`));
    socket.onmessage = (event) => {
        const reply = JSON.parse(event.data);
        if (reply.type === "welcome") send();
        if (reply.type !== "error") return;
        told.push(reply.message);
        if (told.length < messages.length) return send();
        socket.onclose = null;
        socket.close();
        resolve(told);
    };
})
"""


def sentences(tab: Tab, messages: list[Any]) -> list[str]:
    """Send messages from the page, over a connection of its own, each after the last answer."""
    told: list[str] = tab.page.evaluate(ASK, messages)
    for sentence in told:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not any(word in sentence for word in ("`", "$", "Expected", "Error", "Traceback"))
    return told


def test_every_bad_message_is_answered_in_words(tab: Tab) -> None:
    tab.new_game()
    messages = [message for message in BAD_MESSAGES if "\\ud800" not in message]
    told = sentences(tab, messages)
    for message, sentence in zip(messages, told, strict=True):
        expected = BAD_MESSAGES[message].lower().split("|")
        assert any(words in sentence.lower() for words in expected), (message[:80], sentence)
    tab.play("C3")


def test_bytes_and_endless_messages_are_answered_too(tab: Tab) -> None:
    tab.new_game()
    told = sentences(tab, [[1, 2, 3], "x" * 100_000])
    assert "binary" in told[0]
    assert "longer than" in told[1]
    tab.play("C3")


def test_what_a_game_does_not_allow_is_told_on_its_page(tab: Tab) -> None:
    """The page's own connection is used, so that the person reads what went wrong."""
    sockets: list[Any] = []
    tab.page.add_init_script(
        "window.WebSocket = class extends WebSocket {"
        " constructor(address) { super(address); window.ownSocket = this; } }"
    )
    tab.page.on("websocket", lambda socket: sockets.append(socket))  # noqa: PLW0108
    tab.new_game(size=5)
    for fields, words in BAD_IN_A_GAME:
        tab.page.evaluate("(text) => window.ownSocket.send(text)", json.dumps(fields))
        tab.expect_alert(words or r"\w.*\.")
    assert len(sockets) == 1
    tab.play("C3")
