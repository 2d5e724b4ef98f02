"""The application over a real server: messages, records, pages, and everything that is refused."""

from __future__ import annotations

import http.client
import io
import json
import socket
import threading
import time
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bad_messages import BAD_IN_A_GAME, BAD_MESSAGES
from montego.web.messages import limits
from montego.web.server import connection
from montego.web.server.app import create_app
from montego.web.server.library import Library
from montego.web.server.security import open_site
from montego.web.server.static_files import PageNotBuilt, StaticFiles
from montego.web.server.store import GameFiles
from montego.web.session.session import Session
from montego.web.thinking.thinker import Programs
from web_server import PATIENCE, RunningServer, Visitor
from web_thinker import QuickThinker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from web_server import Page

RECORD = b"(;GM[1]FF[4]SZ[9]KM[7.5]PB[Ann]PW[Bob];B[ee];W[cc](;B[gg])(;B[cg]))"


@pytest.fixture(scope="module")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("static")
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Montego</title>")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "assets" / "index-1a2b.js").write_text("export {};")
    (folder / "assets" / "secret.py").write_text("not for browsers")
    (folder.parent / "outside.js").write_text("not for browsers")
    return folder


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, page_folder: Path) -> Iterator[RunningServer]:
    store = GameFiles(tmp_path_factory.mktemp("data") / "games")
    store.open()
    library = Library(store, programs=Programs(montego=QuickThinker))
    page = StaticFiles(page_folder)
    with RunningServer(
        lambda port: create_app(library, open_site("127.0.0.1", port), page)
    ) as running:
        yield running


@pytest.fixture
def visitor(server: RunningServer) -> Visitor:
    return server.visitor


@pytest.fixture
def page(visitor: Visitor) -> Iterator[Page]:
    with visitor.page() as page:
        yield page


def test_the_first_message_says_what_there_is(page: Page) -> None:
    welcome = page.welcome

    assert page.seen[0] is welcome
    assert {"value": "12k", "label": "12 kyu", "help": ""} in welcome["levels"]
    assert welcome["rules"][0]["value"] == "chinese"
    assert welcome["engine"] is None
    assert welcome["sizes"]["go"] == [2, 25]
    assert welcome["most_upload"] == limits.MOST_UPLOAD_BYTES
    assert welcome["notice"] == ""


def test_a_game_is_played_and_answered(page: Page) -> None:
    game = page.ask("new_game", "game", size=5)
    assert (game["head"], game["position"]["cells"]) == (0, "." * 25)

    page.send("play", node=0, move="c3")

    answered = page.await_type("game", lambda game: len(game["tree"]) == 3)
    assert [node["move"] for node in answered["tree"]][1:] == ["C3", "A5"]


def test_two_pages_see_the_same_game(visitor: Visitor, page: Page) -> None:
    game = page.ask("new_game", "game", size=5, white="human")
    with visitor.page() as other:
        assert other.ask("open_game", "game", game=game["id"])["id"] == game["id"]

        other.send("play", node=0, move="A1")

        for watcher in (page, other):
            seen = watcher.await_type("game", lambda game: len(game["tree"]) == 2)
            assert seen["position"]["last"] == "A1"


def test_a_game_is_there_again_after_a_reload(visitor: Visitor) -> None:
    with visitor.page() as page:
        game = page.ask("new_game", "game", size=5, white="human", komi=3.5)
        page.send("play", node=0, move="B2")
        page.await_type("game", lambda game: len(game["tree"]) == 2)

    with visitor.page() as page:
        assert game["id"] in [summary["id"] for summary in page.welcome["games"]]
        again = page.ask("open_game", "game", game=game["id"])

    assert again["komi"] == 3.5
    assert again["tree"][1]["move"] == "B2"


def test_the_start_page_learns_of_new_games_and_lost_ones(visitor: Visitor, page: Page) -> None:
    with visitor.page() as other:
        game = other.ask("new_game", "game", size=5, white="human")["id"]
        page.await_type("games", lambda told: any(g["id"] == game for g in told["games"]))

        page.send("delete_game", game=game)

        assert other.await_type("error")["message"] == "This game was deleted."
        page.await_type("games", lambda told: all(g["id"] != game for g in told["games"]))
        assert "no such game" in page.error("open_game", game=game)


def test_a_page_that_leaves_a_game_hears_no_more_of_it(visitor: Visitor, page: Page) -> None:
    game = page.ask("new_game", "game", size=5, white="human")["id"]
    page.ask("leave_game", "games")
    with visitor.page() as other:
        other.ask("open_game", "game", game=game)
        other.send("play", node=0, move="A1")
        other.await_type("game", lambda state: len(state["tree"]) == 2)
    before = len(page.seen)

    assert "open a game first" in page.error("play", node=1, move="B1").lower()
    assert {message["type"] for message in page.seen[before:]} <= {"games", "error"}


# What is refused


def test_every_bad_message_is_answered_with_a_sentence(page: Page) -> None:
    for message, words in BAD_MESSAGES.items():
        page.send_raw(message)
        told = page.await_type("error")["message"]
        assert any(word.lower() in told.lower() for word in words.split("|")), (message[:80], told)
        assert told[0].isupper()
        assert told.endswith(".")
        assert not any(word in told for word in ("`", "$", "Expected", "Error", "Traceback"))


def test_the_number_of_the_request_comes_back(page: Page) -> None:
    for message in (
        {"type": "undo", "request": 17},
        {"type": "nonsense", "request": 17},
        {"type": "play", "node": -1, "request": 17},
    ):
        page.send_raw(json.dumps(message))
        assert page.await_type("error")["request"] == 17
    page.send_raw('{"type": "undo", "request": 123456789012345678901234567890}')
    assert page.await_type("error")["request"] == 0


def test_what_the_game_does_not_allow_is_a_sentence_too(page: Page) -> None:
    page.ask("new_game", "game", size=5, white="human")
    for fields, words in BAD_IN_A_GAME:
        page.send_raw(json.dumps(fields | {"request": 5}))
        reply = page.await_type("error")
        assert words in reply["message"].lower(), (fields, reply)
        assert reply["request"] == 5
        assert "wrong in Montego" not in reply["message"], fields


def test_binary_and_endless_messages_are_refused(page: Page) -> None:
    page.send_raw(b'{"type": "undo"}')
    assert "binary" in page.await_type("error")["message"]

    page.send_raw('{"type": "undo"}' + " " * limits.MOST_MESSAGE_BYTES)
    assert "longer than 64 KB" in page.await_type("error")["message"]

    page.send_raw('"' + "ä" * (limits.MOST_MESSAGE_BYTES // 2) + '"')
    assert "longer than 64 KB" in page.await_type("error")["message"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
TYPES = [
    "new_game", "open_game", "leave_game", "delete_game", "presence", "play", "undo", "redo",
    "set_head", "resign", "move_now", "pause", "show", "analyze", "hint", "estimate", "explain",
    "review", "mark_dead", "propose_dead", "accept_count", "configure", "set_comment",
    "delete_node", "no_such_type",
]  # fmt: skip
FIELDS = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES)},
    optional={
        "node": st.integers(-1, 4) | JSON,
        "move": st.sampled_from(["A1", "B2", "pass", "resign", "I1", "C3"]) | JSON,
        "vertex": st.sampled_from(["A1", "Q16", ""]) | JSON,
        "game": st.sampled_from(["abcdefgh", "../x", ""]) | JSON,
        "on": st.booleans() | JSON,
        "visible": st.booleans() | JSON,
        "paused": st.booleans() | JSON,
        "kind": st.sampled_from(["go", "hex", "connect-four", "tic-tac-toe"]) | JSON,
        "size": st.integers(0, 7) | JSON,
        "black": st.sampled_from(["human", "montego", "engine"]) | JSON,
        "white": st.sampled_from(["human", "montego", "engine"]) | JSON,
        "mode": st.sampled_from(["game", "analysis"]) | JSON,
        "strength": st.fixed_dictionaries(
            {},
            optional={
                "level": st.text(max_size=4),
                "simulations": st.integers(-1, 9),
                "preset": st.sampled_from(["v-run", "fuego", ""]),
            },
        )
        | JSON,
        "name": st.text(max_size=90) | JSON,
        "text": st.text(max_size=90) | JSON,
    },
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=st.lists(FIELDS | JSON, min_size=1, max_size=6))
def test_no_message_breaks_the_conversation(
    visitor: Visitor, messages: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "MESSAGES_PER_SECOND", 1e9)
    with visitor.page() as page:
        page.send("new_game", size=3, white="human")
        for message in messages:
            page.send_raw(json.dumps(message))
        page.send("open_game", game="nosuchgame", request=4711)

        page.await_type("error", lambda error: error["request"] == 4711)

        told = [message["message"] for message in page.seen if message["type"] == "error"]
        assert not [sentence for sentence in told if "wrong in Montego" in sentence]
        assert all(sentence.endswith(".") and "`" not in sentence for sentence in told)


def test_a_bug_costs_nobody_the_game(
    page: Page, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("a secret of the program")

    page.ask("new_game", "game", size=5, white="human")
    with monkeypatch.context() as patch:
        patch.setattr(Session, "handle", fail)
        told = page.error("play", node=0, move="A1")

    assert told.startswith("Something went wrong in Montego; the game is kept.")
    assert "secret" not in told
    line = capsys.readouterr().err
    assert line.startswith("montego: Play failed: KeyError")
    assert line.count("\n") == 1
    page.send("play", node=0, move="A1")
    page.await_type("game", lambda game: len(game["tree"]) == 2)


# Pages that are slow, loud or not looked at


def test_a_loud_page_is_slowed_down_and_loses_nothing(page: Page) -> None:
    page.ask("new_game", "game", size=5, white="human")
    count = limits.MESSAGES_AT_ONCE + 40

    for number in range(count):
        page.send("show", node=0 if number % 2 else 999, request=number + 1)

    errors, positions = 0, 0
    while errors + positions < count:
        kind = page.receive()["type"]
        errors += kind == "error"
        positions += kind == "position"
    assert (errors, positions) == (count // 2, count // 2)


def test_a_page_that_does_not_read_keeps_nobody_waiting(visitor: Visitor, page: Page) -> None:
    game = page.ask("new_game", "game", size=9, white="human", mode="analysis")["id"]
    deaf = socket.create_connection(("127.0.0.1", visitor.port), timeout=PATIENCE)
    with deaf:
        deaf.sendall(_handshake(visitor))
        deaf.sendall(_frame(json.dumps({"type": "open_game", "game": game}).encode()))
        page.send("analyze", node=0, on=True)
        reports = [page.await_type("analysis")["simulations"] for _ in range(200)]
        page.send("play", node=0, move="E5")
        page.await_type("game", lambda state: len(state["tree"]) == 2)
        page.send("analyze", node=0, on=False)

    assert reports == sorted(reports)


def _handshake(visitor: Visitor) -> bytes:
    return (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\nOrigin: {visitor.here}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


def _frame(data: bytes) -> bytes:
    """A short text message as a client sends it, with a mask of zeros."""
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


def test_a_hidden_page_stops_the_search_and_comes_back(
    server: RunningServer, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    del server
    monkeypatch.setattr(connection, "HIDDEN_SECONDS", 0.0)
    ended = threading.Event()
    watch = Library.watch

    def observe(self: Library, id: str, listener: Any) -> Any:  # noqa: A002
        session, end = watch(self, id, listener)

        def end_and_note() -> None:
            end()
            ended.set()

        return session, end_and_note

    monkeypatch.setattr(Library, "watch", observe)
    page.ask("new_game", "game", size=5, white="human", mode="analysis")
    page.send("analyze", node=0, on=True)
    page.await_type("analysis")

    page.send("presence", visible=False)

    assert ended.wait(PATIENCE)
    page.send("presence", visible=True)
    page.await_type("game")
    page.send("presence", visible=False)
    # Whoever plays is there, whatever the browser says.
    page.send("play", node=0, move="A1")
    page.await_type("game", lambda game: len(game["tree"]) == 2)


def test_there_is_a_limit_to_the_pages(
    visitor: Visitor, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.welcome
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 0)
    with visitor.connect({"Origin": visitor.here}) as websocket:
        told = json.loads(websocket.recv(timeout=PATIENCE))

    assert told["type"] == "error"
    assert "pages are open" in told["message"]


# Records in and out


def test_a_record_goes_in_and_out(visitor: Visitor, page: Page) -> None:
    reply = visitor.upload(RECORD, "/upload?name=Ann%20against%20Bob")
    game = json.loads(reply.text)["game"]

    state = page.ask("open_game", "game", game=game)
    assert [node["move"] for node in state["tree"]][1:] == ["E5", "C7", "G3", "C3"]
    download = visitor.get(f"/games/{game}.sgf")

    assert download.status == 200
    assert download.headers["content-type"].startswith("application/x-go-sgf")
    assert download.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
    assert visitor.upload(download.body).status == 200
    for part in ("B[ee]", "W[cc]", "B[gg]", "B[cg]", "PB[Ann]", "KM[7.5]"):
        assert part in download.text.replace("\n", "")


BAD_UPLOADS = {
    b"": "empty",
    b" \n": "empty",
    b"hello": "",
    b"\x00\xff\x00\xff" * 100: "",
    b"PK\x03\x04 a zip file": "",
    b"(;SZ[99];B[ee])": "",
    b"(;GM[2]SZ[8];B[ee])": "",
    b"(" * 100_000: "",
    b"(;" * 50_000: "more than 25000 moves",
    b"{\\rtf1 a letter}": "",
}


@pytest.mark.parametrize("data", BAD_UPLOADS, ids=lambda data: repr(data[:16]))
def test_a_bad_record_is_answered_with_a_sentence(visitor: Visitor, data: bytes) -> None:
    reply = visitor.upload(data)

    assert reply.status == 422
    assert BAD_UPLOADS[data] in reply.error
    assert reply.error[0].isupper()
    assert reply.error.endswith(".")
    assert not any(word in reply.error for word in ("Traceback", "Error", "went wrong"))


def test_a_large_file_is_refused_before_it_is_read(visitor: Visitor) -> None:
    reply = visitor.upload(b"x" * (limits.MOST_UPLOAD_BYTES + 1))

    assert reply.status == 413
    assert "larger than 1024 KB" in reply.error


def test_a_large_file_of_unknown_length_is_cut_off(visitor: Visitor) -> None:
    client = http.client.HTTPConnection("127.0.0.1", visitor.port, timeout=PATIENCE)
    chunks = (b"(" * 65536 for _ in range(limits.MOST_UPLOAD_BYTES // 65536 + 1))
    client.request(
        "POST", "/upload", body=chunks, headers={"Origin": visitor.here}, encode_chunked=True
    )
    reply = client.getresponse()

    assert reply.status == 413
    client.close()


@pytest.mark.parametrize(
    "path",
    [
        "/games/abcdefgh.sgf",
        "/games/.sgf",
        "/games/..%2F..%2Fetc%2Fpasswd.sgf",
        "/games/%2e%2e/%2e%2e/etc/passwd",
        "/games/" + "a" * 5000 + ".sgf",
        "/assets/../../outside.js",
        "/assets/..%2F..%2Foutside.js",
        "/../outside.js",
        "//etc/passwd",
        "/assets/secret.py",
        "/assets/",
        "/%00",
        "/nowhere",
    ],
)
def test_no_path_leads_anywhere_else(visitor: Visitor, path: str) -> None:
    reply = visitor.get(path)

    assert reply.status == 404
    assert b"not for browsers" not in reply.body


def test_other_methods_are_refused(visitor: Visitor) -> None:
    for method, path in [("PUT", "/"), ("DELETE", "/upload"), ("POST", "/"), ("GET", "/upload")]:
        reply = visitor.request(method, path, {"Origin": visitor.here})
        assert reply.status in (404, 405)


# The page


def test_the_page_is_served_as_browsers_should_keep_it(visitor: Visitor) -> None:
    index, asset = visitor.get("/"), visitor.get("/assets/index-1a2b.js")

    assert index.headers["content-type"] == "text/html; charset=utf-8"
    assert index.headers["cache-control"] == "no-cache"
    assert visitor.get("/index.html").body == index.body
    assert asset.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in asset.headers["cache-control"]
    assert visitor.get("/icon.svg").headers["content-type"] == "image/svg+xml"
    assert visitor.request("HEAD", "/").body == b""


def test_a_page_that_is_not_built_says_how(tmp_path: Path) -> None:
    with pytest.raises(PageNotBuilt, match="make frontend"):
        StaticFiles(tmp_path)


def test_records_are_read_one_after_another_and_few_wait(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading: list[int] = []
    at_once: list[int] = []
    may_go_on = threading.Event()

    def read_slowly(_library: Library, _data: bytes, _name: str = "") -> str:
        reading.append(1)
        at_once.append(len(reading))
        may_go_on.wait(PATIENCE)
        reading.pop()
        return "0" * 16

    monkeypatch.setattr(Library, "upload", read_slowly)
    statuses: list[int] = []
    visitors = [
        threading.Thread(target=lambda: statuses.append(visitor.upload(RECORD).status))
        for _ in range(limits.MOST_UPLOADS + 3)
    ]
    for thread in visitors:
        thread.start()
    deadline = time.monotonic() + PATIENCE
    while len(statuses) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    may_go_on.set()
    for thread in visitors:
        thread.join(PATIENCE)

    assert sorted(statuses) == [200] * limits.MOST_UPLOADS + [503] * 3
    assert set(at_once) == {1}


@pytest.mark.parametrize("name", ["x", "x.sgf", "x.SGF"])
def test_records_have_one_suffix(visitor: Visitor, name: str) -> None:
    game = json.loads(visitor.upload(RECORD, f"/upload?name={name}").text)["game"]
    download = visitor.get(f"/games/{game}.sgf")

    assert download.headers["content-disposition"] == "attachment; filename*=UTF-8''x.sgf"


def test_a_position_is_a_picture_and_a_game_a_moving_one(visitor: Visitor) -> None:
    game = json.loads(visitor.upload(RECORD).text)["game"]
    still, moving = visitor.get(f"/games/{game}.png?node=1"), visitor.get(f"/games/{game}.gif")

    assert still.headers["content-type"] == "image/png"
    assert still.body.startswith(b"\x89PNG")
    assert moving.headers["content-type"] == "image/gif"
    assert moving.body.startswith(b"GIF89a")
    assert moving.headers["content-disposition"].endswith(".gif")
    assert visitor.get(f"/games/{game}.png").body != still.body
    bare = visitor.get(f"/games/{game}.png?node=1&coordinates=off")
    assert bare.body != still.body
    assert visitor.get(f"/games/{game}.png?node=999").status == 404
    assert visitor.get("/games/abcdefgh.png").status == 404


def test_all_games_come_in_one_file(visitor: Visitor, page: Page) -> None:
    visitor.upload(RECORD)
    page.ask("new_game", "game", kind="tic-tac-toe", white="human")
    archive = zipfile.ZipFile(io.BytesIO(visitor.get("/games.zip").body))
    names = archive.namelist()

    assert len(names) == len(set(names)) >= 2
    assert any(name.endswith(".json") for name in names)
    records = [archive.read(name) for name in names if name.endswith(".sgf")]
    assert all(record.startswith(b"(;") for record in records)


def test_on_this_machine_alone_there_is_no_link_for_others(visitor: Visitor) -> None:
    assert json.loads(visitor.get("/links").text) == {"links": []}
