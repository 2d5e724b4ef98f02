"""``montego play`` as a process of its own, with games of its own, for pages in a real browser."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from web_server import PATIENCE, Visitor

PLAY = (sys.executable, str(Path(__file__).with_name("quick_play.py")), "play", "--no-browser")


@dataclass
class PlayServer:
    """A server that can be killed and started again where it was, with the games that it kept."""

    data: Path
    flags: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    port: int = 0
    """Chosen by the system at the first start, and kept."""
    query: str = ""
    """What is behind the address: the token of a server that is open to the network."""
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and return when it has said where it is."""
        kept = {name: text for name, text in os.environ.items() if name != "MONTEGO_PATIENCE"}
        process = subprocess.Popen(
            [*PLAY, "--port", str(self.port), *self.flags],
            env=kept | {"MONTEGO_DATA_DIR": str(self.data)} | self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert process.stdout is not None
        self.process = process
        watchdog = threading.Timer(PATIENCE, process.kill)
        watchdog.start()
        said: list[str] = []
        address: re.Match[str] | None = None
        for line in process.stdout:
            said.append(line)
            address = re.match(r"Montego is at http://127\.0\.0\.1:(\d+)/(\S*)", line)
            if address is not None:
                break
        watchdog.cancel()
        assert address is not None, said
        self.port, self.query = int(address[1]), address[2]

    def kill(self) -> None:
        """End it as a power cut would; fail if it had something to say about a bug of its own."""
        if self.process is not None:
            self.process.kill()
            said, _ = self.process.communicate(timeout=PATIENCE)
            self.process = None
            assert "failed" not in said, said
            assert "Traceback" not in said, said

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def visitor(self) -> Visitor:
        return Visitor(self.port)

    def new_game(self, **settings: Any) -> str:
        """Begin a game without a page; return its id."""
        with self.visitor.page() as page:
            game: str = page.ask("new_game", "game", **settings)["id"]
            return game

    def state(self, game: str) -> dict[str, Any]:
        """Return a game as the server tells it to pages."""
        with self.visitor.page() as page:
            return page.ask("open_game", "game", game=game)
