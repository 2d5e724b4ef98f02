"""Whoever connects and does not ask, asks slowly, or comes in crowds: nobody waits for them."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from montego.web.server.app import create_app
from montego.web.server.callers import Callers, Complaints, Patience
from montego.web.server.library import Library
from montego.web.server.security import open_site
from montego.web.server.store import GameFiles
from montego.web.thinking.thinker import Programs
from web_server import PATIENCE, RunningServer, Visitor
from web_thinker import QuickThinker

if TYPE_CHECKING:
    from pathlib import Path

SOON = 0.3
"""Seconds that callers of these tests may take; nothing is asserted about how long they took."""


@contextmanager
def serving(folder: Path, **limits_: Any) -> Iterator[Visitor]:
    store = GameFiles(folder / "games")
    store.open()
    library = Library(store, programs=Programs(montego=QuickThinker))
    callers = Callers(Patience(**limits_))
    with RunningServer(
        lambda port: create_app(library, open_site("127.0.0.1", port), None, callers),
        callers.protocol(),
    ) as server:
        yield server.visitor


Connect = Callable[..., socket.socket]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """How to connect and send something, but no whole request."""
    with ExitStack() as stack:

        def connect(visitor: Visitor, begin: bytes = b"") -> socket.socket:
            caller = socket.create_connection(("127.0.0.1", visitor.port), timeout=PATIENCE)
            stack.enter_context(caller)
            caller.sendall(begin)
            return caller

        yield connect


def is_cut_off(caller: socket.socket) -> bool:
    """Wait for the end of a connection that says nothing."""
    try:
        return caller.recv(1) == b""
    except ConnectionError:
        return True


def drips_in_vain(caller: socket.socket) -> bool:
    """Send a little again and again; say whether the other end has had enough of it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            caller.sendall(b"x")
        except ConnectionError:
            return True
        time.sleep(SOON / 10)
    return False


def test_who_sends_no_request_is_cut_off(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, wait_seconds=SOON) as visitor:
        callers = [connect(visitor, begin) for begin in (b"", b"GET / HTTP/1.1\r\nHost: a\r\n")]
        assert all(map(is_cut_off, callers))


def test_who_drips_a_head_is_cut_off(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, wait_seconds=SOON) as visitor:
        assert drips_in_vain(connect(visitor, b"GET / HTTP/1.1\r\nX-Long: "))


def test_who_drips_a_record_is_cut_off(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, request_seconds=SOON) as visitor:
        head = (
            f"POST /upload HTTP/1.1\r\nHost: 127.0.0.1:{visitor.port}\r\nOrigin: {visitor.here}\r\n"
            "Content-Length: 100000\r\n\r\n"
        )
        assert drips_in_vain(connect(visitor, head.encode()))


def test_who_drips_after_a_refusal_is_cut_off(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, wait_seconds=SOON) as visitor:
        head = "POST /upload HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 100000\r\n\r\n"
        assert drips_in_vain(connect(visitor, head.encode()))


def test_a_page_may_be_silent_for_long(tmp_path: Path, connect: Connect) -> None:
    with (
        serving(tmp_path, wait_seconds=SOON, request_seconds=SOON) as visitor,
        visitor.page() as page,
    ):
        for _ in range(2):  # Others come later than the page, and are gone before it.
            assert is_cut_off(connect(visitor))
        assert page.ask("new_game", "game", size=5, white="human")["id"]


def test_a_crowd_that_says_nothing_keeps_nobody_out(tmp_path: Path, connect: Connect) -> None:
    with serving(tmp_path, most_of_one_address=8) as visitor, visitor.page() as page:
        crowd = [connect(visitor) for _ in range(40)]

        assert visitor.get("/games/none.sgf").status == 404
        with visitor.page() as another:
            another.ask("new_game", "game", size=5, white="human")
        page.ask("new_game", "game", size=5, white="human")
        assert is_cut_off(crowd[0])


@pytest.mark.parametrize("limit", ["most", "most_of_one_address"])
def test_the_served_stay_and_one_too_many_is_cut_off_without_a_word(
    tmp_path: Path, connect: Connect, limit: str
) -> None:
    with serving(tmp_path, **{limit: 2}) as visitor, visitor.page() as one, visitor.page() as other:
        assert is_cut_off(connect(visitor, b"GET / HTTP/1.1\r\n\r\n"))
        for page in (one, other):
            page.ask("new_game", "game", size=5, white="human")


class Wire(asyncio.Transport):
    """A transport to somebody who takes nothing in."""

    def __init__(self, port: int) -> None:
        self._channel = socket.socket()
        super().__init__({"peername": ("192.0.2.1", port), "socket": self._channel})
        self.closing = False
        self.aborted = False

    def is_closing(self) -> bool:
        return self.closing

    def abort(self) -> None:
        self.aborted = True
        self._channel.close()


def test_who_takes_in_no_goodbye_is_cut_off() -> None:
    now = [0.0]
    callers = Callers(Patience(wait_seconds=10, closing_seconds=3), clock=lambda: now[0])
    wire = Wire(1)
    callers.arrive(wire)
    wire.closing = True

    for seconds, expected in ((1, False), (3, False), (4, True)):
        now[0] = seconds
        callers.sweep()
        assert wire.aborted is expected
    assert len(callers) == 0


def test_who_has_gone_is_forgotten() -> None:
    callers = Callers()
    wire = Wire(1)
    callers.arrive(wire)
    assert len(callers) == 1

    wire.abort()
    callers.sweep()

    assert len(callers) == 0


def test_trouble_of_the_loop_is_a_line_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    complain = Complaints(lambda: now[0])
    loop = asyncio.new_event_loop()
    trouble = {"message": "cannot accept", "exception": OSError(24, "Too many open files")}

    for _ in range(1000):
        complain(loop, trouble)
        now[0] += 0.1
    loop.close()

    assert capsys.readouterr().err.splitlines() == 2 * [
        "montego: the server has trouble: cannot accept: Too many open files"
    ]


AT_THE_LIMIT = """
import os, pathlib, resource, sys
sys.path[:0] = sys.argv[2:]
from montego.web.thinking.thinker import Programs
from web_thinker import QuickThinker
from montego.web.messages.requests import NewGame, Play
from montego.web.server.library import Library
from montego.web.server.store import GameFiles

store = GameFiles(pathlib.Path(sys.argv[1]), say=print)
store.open()
library = Library(store, programs=Programs(montego=QuickThinker))
game = library.new(NewGame(size=5, white="human"))
session, _ = library.watch(game, lambda reply: None)
session.handle(Play(node=0, move="A1"))  # Loads whatever a move needs.
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
taken = []
try:
    while True:
        taken.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    pass
for node, move in enumerate(["C3", "C2", "D4"], 1):
    session.handle(Play(node=node, move=move))
print(store.unsaved, repr(store.trouble), store.folder.joinpath(f"{game}.json").name)
sys.stdout.flush()
os._exit(0)
"""


@pytest.mark.skipif(os.name != "posix", reason="there is no such limit elsewhere")
def test_a_move_is_saved_when_no_more_files_may_be_opened(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_THE_LIMIT, str(tmp_path), *sys.path],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )

    assert done.stderr.count("Traceback") == 0
    unsaved, trouble, name = done.stdout.split()
    assert (unsaved, trouble) == ("[]", "''")
    for move in ("C3", "C2", "D4"):
        assert f'"{move}"' in (tmp_path / name).read_text()
