"""A real server on a free port of this machine, and visitors that say what they like."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

import uvicorn
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence
    from types import TracebackType

    from starlette.types import ASGIApp

PATIENCE = 60.0
"""Seconds after which a server that does not answer has failed the test."""

Headers = dict[str, str]
T = TypeVar("T")


@dataclass
class HttpReply:
    """What came back over HTTP."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def error(self) -> str:
        """The sentence for people in a reply that refuses."""
        told: str = json.loads(self.body)["error"]
        return told


@dataclass
class Visitor:
    """Somebody who comes to the server at a port of this machine."""

    port: int

    @property
    def here(self) -> str:
        """The origin of the server's own page."""
        return f"http://127.0.0.1:{self.port}"

    def request(
        self,
        method: str,
        path: str,
        headers: Headers | Sequence[tuple[str, str]] = (),
        body: bytes = b"",
    ) -> HttpReply:
        """Send a request with exactly these headers; ``Host`` is right unless it is among them."""
        pairs = list(headers.items() if isinstance(headers, dict) else headers)
        if not any(name.lower() == "host" for name, _ in pairs):
            pairs.insert(0, ("Host", f"127.0.0.1:{self.port}"))
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in pairs:
                connection.putheader(name, value.encode("utf-8"))
            if body or method == "POST":
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            reply = connection.getresponse()
            return HttpReply(reply.status, reply.headers, reply.read())
        finally:
            connection.close()

    def get(self, path: str, headers: Headers | Sequence[tuple[str, str]] = ()) -> HttpReply:
        return self.request("GET", path, headers)

    def upload(self, body: bytes, path: str = "/upload") -> HttpReply:
        """Upload a file as our own page does."""
        return self.request("POST", path, {"Origin": self.here}, body)

    @contextmanager
    def connect(
        self, headers: Headers | None = None, *, host: str | None = None
    ) -> Iterator[ClientConnection]:
        """Open a WebSocket with these headers, under another name of the server if need be."""
        pipe = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        pipe.settimeout(None)
        with connect(
            f"ws://{host or f'127.0.0.1:{self.port}'}/ws",
            sock=pipe,
            additional_headers=headers or {},
            open_timeout=PATIENCE,
            close_timeout=PATIENCE,
            max_size=None,
            compression=None,
        ) as websocket:
            yield websocket

    def is_let_in(self, headers: Headers | None = None, *, host: str | None = None) -> bool:
        """Say whether a WebSocket is opened rather than refused."""
        try:
            with self.connect(headers, host=host):
                return True
        except InvalidStatus as refusal:
            if refusal.response.status_code != 403:
                raise
            return False

    @contextmanager
    def page(self) -> Iterator[Page]:
        """Open a page of the server."""
        with self.connect({"Origin": self.here}) as websocket:
            yield Page(websocket)


class Page:
    """What our page would do with its WebSocket."""

    def __init__(self, websocket: ClientConnection) -> None:
        self.websocket = websocket
        self.seen: list[dict[str, Any]] = []
        """All messages so far."""
        self.welcome = self.await_type("welcome")

    def send(self, type_: str, **fields: Any) -> None:
        self.send_raw(json.dumps({"type": type_} | fields))

    def send_raw(self, data: str | bytes) -> None:
        self.websocket.send(data)

    def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.websocket.recv(timeout=PATIENCE))
        self.seen.append(message)
        return message

    def await_type(
        self, type_: str, is_it: Callable[[dict[str, Any]], bool] = lambda _message: True
    ) -> dict[str, Any]:
        """Read until there is a message of that type that is the one."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = self.receive()
            if message["type"] == type_ and is_it(message):
                return message
        raise AssertionError(f"no {type_} came")

    def ask(self, type_: str, answer: str, **fields: Any) -> dict[str, Any]:
        """Send a message and return the next one of the type that answers it, and no error."""
        self.send(type_, **fields)
        while (message := self.receive())["type"] != answer:
            assert message["type"] != "error", message
        return message

    def error(self, type_: str, **fields: Any) -> str:
        """Send a message and return the sentence that refuses it."""
        told: str = self.ask(type_, "error", **fields)["message"]
        return told


class RunningServer:
    """An application on a free port, in a thread, for as long as the ``with`` block."""

    def __init__(
        self, make_app: Callable[[int], ASGIApp], http: type[asyncio.Protocol] | None = None
    ) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(
            make_app(self.port),
            http=http or "auto",
            log_config=None,
            log_level="critical",
            ws="websockets-sansio",
            lifespan="on",
            ws_max_size=1024 * 1024,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=5,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))

    def __enter__(self) -> Self:
        self._thread.start()
        deadline = time.monotonic() + PATIENCE
        while not self._server.started:
            assert self._thread.is_alive()
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self._socket.close()
        assert not self._thread.is_alive()

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.port)


def run_apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own: tests in a browser leave an event loop in theirs."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
