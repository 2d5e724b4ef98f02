"""Strangers are refused before anything happens: by name, by origin, by token."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from montego.web.server.security import (
    HEADERS,
    Guard,
    Site,
    open_site,
    shared_addresses,
    split_host,
)
from web_server import RunningServer, Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.websockets import WebSocket

# The guard compares names and ports with these, wherever the server really listens.
LOCAL = Site(host="127.0.0.1", port=8087)
OPEN = Site(host="0.0.0.0", port=8087, token="let-me-in", names=frozenset({"den"}))  # noqa: S104, S106
HOST = "127.0.0.1:8087"
HERE = f"http://{HOST}"


async def answer(_request: Request) -> PlainTextResponse:
    return PlainTextResponse("come in")


async def talk(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.close()


def serve(site: Site) -> RunningServer:
    app = Starlette(
        routes=[
            Route("/", answer),
            Route("/upload", answer, methods=["POST"]),
            WebSocketRoute("/ws", talk),
        ],
        middleware=[Middleware(Guard, site=site)],
    )
    return RunningServer(lambda _port: app)


@pytest.fixture(scope="module")
def local() -> Iterator[Visitor]:
    with serve(LOCAL) as server:
        yield server.visitor


@pytest.fixture(scope="module")
def network() -> Iterator[Visitor]:
    with serve(OPEN) as server:
        yield server.visitor


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8087", "localhost:8087", "LOCALHOST:8087", "[::1]:8087"],
)
def test_this_machine_is_let_in(local: Visitor, host: str) -> None:
    assert local.get("/", {"host": host}).text == "come in"
    assert local.is_let_in({"origin": f"http://{host}"}, host=host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8087",  # A name that an attacker points at 127.0.0.1: DNS rebinding.
        "evil.example",
        "127.0.0.1",
        "127.0.0.1:80",
        "127.0.0.1:8088",
        "127.0.0.1:8087.evil.example",
        "127.0.0.1.evil.example:8087",
        "localhost.evil.example:8087",
        "192.168.1.7:8087",
        "0.0.0.0:8087",
        "user@127.0.0.1:8087",
        "[::1]",
        "[::1:8087",
        "[::1]x:8087",
        "127.0.0.1:\uff18\uff10\uff18\uff17",  # Digits, but not of this alphabet.
        "127.0.0.1:999999",
        ":8087",
        "",
    ],
)
def test_a_foreign_host_is_refused(local: Visitor, host: str) -> None:
    for reply in (
        local.get("/", {"host": host}),
        local.request("POST", "/upload", {"host": host, "origin": f"http://{host}"}),
    ):
        assert reply.status == 403
        assert "printed when it started" in reply.error


@pytest.mark.parametrize("host", ["evil.example:8087", "127.0.0.1:8088", "192.168.1.7:8087"])
def test_a_foreign_host_cannot_talk(local: Visitor, host: str) -> None:
    assert not local.is_let_in({"origin": f"http://{host}"}, host=host)
    assert not local.is_let_in({"origin": HERE}, host=host)


def test_there_is_one_host(local: Visitor) -> None:
    # The server under ours refuses such requests by itself.
    assert local.get("/", [("host", HOST), ("host", HOST)]).status in (400, 403)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "",
        "http://evil.example",
        "http://evil.example:8087",
        "https://127.0.0.1:8087",
        "http://127.0.0.1:8088",
        "http://localhost:8087",  # Another site than the one asked, for a browser.
        "http://127.0.0.1:8087/",
        "file://",
    ],
)
def test_a_foreign_origin_cannot_change_anything(local: Visitor, origin: str | None) -> None:
    given = {} if origin is None else {"origin": origin}
    headers = {"host": HOST} | given

    assert local.get("/", headers).status == 200
    assert local.request("POST", "/upload", headers).status == 403
    assert local.request("DELETE", "/", headers).status == 403
    assert not local.is_let_in(given, host=HOST)


def test_our_own_page_may_upload_and_talk(local: Visitor) -> None:
    assert local.request("POST", "/upload", {"host": HOST, "origin": HERE}).text == "come in"
    assert local.is_let_in({"origin": HERE}, host=HOST)


def test_two_origins_are_one_too_many(local: Visitor) -> None:
    headers = [("host", HOST), ("origin", HERE), ("origin", "http://evil.example")]

    assert local.request("POST", "/upload", headers).status == 403


def test_people_read_why_on_a_page(local: Visitor) -> None:
    reply = local.get("/", {"host": "<script>.example:8087", "accept": "text/html,*/*"})

    assert reply.status == 403
    assert reply.headers["content-type"].startswith("text/html")
    assert "&lt;script&gt;" in reply.text
    assert "<script>" not in reply.text


@pytest.mark.parametrize("path", ["/", "/nowhere", "/upload"])
def test_every_reply_has_the_headers(local: Visitor, path: str) -> None:
    for reply in (local.get(path, {"host": HOST}), local.get(path, {"host": "evil.example"})):
        for name, value in HEADERS.items():
            assert reply.headers[name] == value
    policy = HEADERS["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy


def test_an_open_server_wants_its_token(network: Visitor) -> None:
    ours = {"host": HOST, "origin": HERE}

    for address in ("/", "/?token=", "/?token=wrong", "/?token=let-me-in%00", "/?nekot=let-me-in"):
        reply = network.get(address, {"host": HOST})
        assert reply.status == 403
        assert "whole address" in reply.error
        assert "set-cookie" not in reply.headers
    assert network.request("POST", "/upload?token=let-me-in", ours).status == 403
    for cookie in ("", "montego_8087=wrong", "montego_8088=let-me-in", "montego_8087"):
        assert not network.is_let_in({"origin": HERE, "cookie": cookie}, host=HOST)


def test_the_token_in_the_address_becomes_a_cookie(network: Visitor) -> None:
    reply = network.get("/?token=let-me-in", {"host": HOST})

    assert reply.status == 303
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith("montego_8087=let-me-in;")
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    kept = {"cookie": f"theme=dark; {cookie.partition(';')[0]}"}
    again = network.get("/", {"host": HOST} | kept)
    assert again.text == "come in"
    assert "set-cookie" not in again.headers
    ours = {"host": HOST, "origin": HERE}
    assert network.request("POST", "/upload", ours | kept).text == "come in"
    assert network.is_let_in({"origin": HERE} | kept, host=HOST)
    assert not network.is_let_in({"origin": "http://evil.example"} | kept, host=HOST)


@pytest.mark.parametrize("host", ["192.168.1.7:8087", "[fe80::1]:8087", "den:8087", "DEN:8087"])
def test_an_open_server_answers_to_addresses_and_its_own_name(network: Visitor, host: str) -> None:
    assert network.get("/?token=let-me-in", {"host": host}).status == 303


@pytest.mark.parametrize(
    ("address", "next_one"),
    [
        ("/?token=let-me-in", "/"),
        ("/?theme=dark&token=let-me-in&token=again", "/?theme=dark"),
        ("/?token=let-me-in&next=//evil.example", "/?next=%2F%2Fevil.example"),
    ],
)
def test_the_token_leaves_the_address(network: Visitor, address: str, next_one: str) -> None:
    reply = network.get(address, {"host": HOST})

    assert reply.headers["location"] == next_one
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["referrer-policy"] == "no-referrer"
    kept = {"host": HOST, "cookie": reply.headers["set-cookie"].partition(";")[0]}
    assert network.get(next_one, kept).text == "come in"


@pytest.mark.parametrize("host", ["evil.example:8087", "192.168.1.7:80", "192.168.1.7.evil:8087"])
def test_an_open_server_does_not_answer_to_other_names(network: Visitor, host: str) -> None:
    assert network.get("/?token=let-me-in", {"host": host}).status == 403


def test_the_network_needs_a_token_and_this_machine_none() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert open_site(host, 8087).token is None
    for host in ("0.0.0.0", "::", "192.168.1.7"):  # noqa: S104
        first, second = open_site(host, 8087), open_site(host, 8087)
        assert first.token
        assert len(first.token) >= 20
        assert first.token != second.token
        assert first.address.endswith(f":8087/?token={first.token}")


def test_addresses_are_what_a_browser_takes() -> None:
    assert LOCAL.address == "http://127.0.0.1:8087/"
    assert OPEN.address == "http://127.0.0.1:8087/?token=let-me-in"
    assert Site(host="::1", port=80).address == "http://[::1]:80/"
    assert Site(host="::1", port=80).answers_to("[::1]")


@pytest.mark.parametrize(
    ("host", "parts"),
    [
        ("a:1", ("a", 1)),
        ("A", ("a", None)),
        ("[::1]:5", ("::1", 5)),
        ("[::1]", ("::1", None)),
        ("::1", ("::1", None)),
        ("a:", ("a", None)),
        ("a:b", ("", None)),
        ("[a", ("", None)),
    ],
)
def test_hosts_are_taken_apart(host: str, parts: tuple[str, int | None]) -> None:
    assert split_host(host) == parts


def test_others_are_told_the_address_with_the_token() -> None:
    assert shared_addresses(open_site("127.0.0.1", 8087)) == []
    named = Site(host="192.0.2.7", port=8087, token="let-me-in")  # noqa: S106
    assert shared_addresses(named) == ["http://192.0.2.7:8087/?token=let-me-in"]
    for address in shared_addresses(OPEN):
        assert re.fullmatch(r"http://[\d.]+:8087/\?token=let-me-in", address)
        assert "127.0.0.1" not in address
