"""``montego play`` as a process: it starts, is killed, comes back, and ends when it is asked to."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from web_server import PATIENCE, Visitor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

# The page may not have been built where the tests run; any other will do.
MAIN = """
import pathlib, sys
import montego.web.server.static_files as files
from montego.cli.main import main
files.FOLDER = pathlib.Path(sys.argv.pop(1))
sys.exit(main())
"""

posix = pytest.mark.skipif(os.name != "posix", reason="signals are not the same elsewhere")


@dataclass
class Play:
    """A running ``montego play``."""

    process: subprocess.Popen[str]
    lines: list[str]

    @property
    def address(self) -> str:
        match = re.search(r"http://\S+", self.lines[0])
        assert match is not None
        return match[0]

    @property
    def visitor(self) -> Visitor:
        return Visitor(int(re.findall(r":(\d+)/", self.address)[0]))

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; return the exit status and what was still said."""
        self.process.send_signal(number)
        said, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said + errors


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "index.html").write_text("<title>Montego</title>")
    return tmp_path


def command(home: Path, *flags: str) -> list[str]:
    return [sys.executable, "-c", MAIN, str(home / "static"), "play", "--no-browser", *flags]


def environment(home: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if name != "MONTEGO_PATIENCE"}
    return inherited | {"MONTEGO_DATA_DIR": str(home / "data"), "PYTHONUNBUFFERED": "1"}


@contextmanager
def playing(home: Path, *flags: str, prepare: Callable[[], None] | None = None) -> Iterator[Play]:
    process = subprocess.Popen(
        command(home, *flags),
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=prepare,  # noqa: PLW1509  # No other thread holds anything.
    )
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("Press Ctrl-C"):
                break
        assert lines, process.stderr.read() if process.stderr else ""
        yield Play(process, lines)
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()


def attempt(home: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run a command that ends by itself."""
    return subprocess.run(
        command(home, *flags),
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@posix
def test_a_killed_server_loses_no_move(home: Path) -> None:
    with playing(home, "--port", "0") as server, server.visitor.page() as page:
        game = page.ask("new_game", "game", size=5, white="human")["id"]
        for node, move in enumerate(("C3", "C2", "D4")):
            page.send("play", node=node, move=move)
            state = page.await_type("game")
            assert len(state["tree"]) == node + 2
        # What was asked is carried out in order, and the move is on disk when it is done.
        page.ask("show", "position", node=0)
        server.process.kill()
        server.process.wait(PATIENCE)

    with playing(home, "--port", "0") as server, server.visitor.page() as page:
        assert [summary["id"] for summary in page.welcome["games"]] == [game]
        state = page.ask("open_game", "game", game=game)

    assert [node["move"] for node in state["tree"]][1:] == ["C3", "C2", "D4"]


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_good_order(home: Path, number: int) -> None:
    with playing(home, "--port", "0") as server, server.visitor.page() as page:
        page.ask("new_game", "game", size=9, black="montego", white="montego")
        status, said = server.end(number)

    assert status == 0
    assert "Goodbye. All games are kept." in said
    assert "Traceback" not in said
    assert len(list((home / "data" / "games").glob("*.json"))) == 1


@posix
def test_a_crowd_at_the_limit_of_descriptors_costs_neither_moves_nor_tracebacks(home: Path) -> None:
    import resource

    def allow_few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (192, 192))

    with (
        playing(home, "--port", "0", prepare=allow_few) as server,
        server.visitor.page() as page,
        ExitStack() as stack,
    ):
        port = server.visitor.port
        for _ in range(400):
            caller = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            stack.enter_context(caller).sendall(b"GET / HTTP/1.1\r\n")
        game = page.ask("new_game", "game", size=5, white="human")["id"]
        page.send("play", node=0, move="C3")
        page.await_type("game")
        page.ask("show", "position", node=0)
        assert server.visitor.get("/").status == 200
        saved = (home / "data" / "games" / f"{game}.json").read_text()
        _, said = server.end(signal.SIGTERM)

    assert '"C3"' in saved
    assert "Goodbye. All games are kept." in said
    assert "Traceback" not in said
    assert len(said) < 1000


def test_a_second_one_says_where_the_first_one_is(home: Path) -> None:
    with playing(home, "--port", "0") as server:
        again = attempt(home)
        assert again.returncode == 0
        assert again.stdout == f"Montego is already running at {server.address}\n"

        other = attempt(home, "--port", "0")
        assert other.returncode == 1
        assert "already running at" in other.stderr
        assert "MONTEGO_DATA_DIR" in other.stderr


def test_a_port_that_is_taken_is_an_error_only_if_it_was_asked_for(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = attempt(home, "--port", port)

    assert refused.returncode == 1
    assert f"port {port}" in refused.stderr
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--port", "high"), "invalid port"),
        (("--port", "70000"), "invalid port"),
        (("--host", "no.such.host.invalid"), "cannot listen on no.such.host.invalid"),
        (("--engine", "/no/such/engine"), "cannot start '/no/such/engine'"),
        (("--engine", "'"), "invalid command"),
        (("--threads", "many"), "threads"),
    ],
)
def test_what_cannot_be_is_one_line(home: Path, flags: tuple[str, ...], words: str) -> None:
    refused = attempt(home, *flags)

    assert refused.returncode == 1
    assert words in refused.stderr.splitlines()[-1]
    assert "Traceback" not in refused.stderr


def test_a_page_that_is_not_built_is_one_line(home: Path) -> None:
    (home / "static" / "index.html").unlink()

    refused = attempt(home)

    assert refused.returncode == 1
    assert "make frontend" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_open_to_the_network_it_prints_a_token_and_a_warning(home: Path) -> None:
    with playing(home, "--port", "0", "--host", "0.0.0.0") as server:  # noqa: S104
        said = "".join(server.lines)
        visitor = server.visitor

        assert re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{20,}\n", said)
        assert "open to the network" in said
        assert visitor.get("/").status == 403
        path = "/" + server.address.partition("/?")[2].join(["?", ""])
        let_in = visitor.get(path)
        assert (let_in.status, let_in.headers["location"]) == (303, "/")
        assert not visitor.is_let_in({"Origin": visitor.here})
