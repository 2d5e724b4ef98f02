"""Takes the pictures of the board that the README shows: real games, in a real browser.

    python benchmarks/screenshots.py [--output docs/images] [--chromium /usr/bin/chromium]

Needs the built page (``make frontend``), Chromium, and ``pip install '.[bench,dev]'``. Montego
plays and reviews for a few minutes, and what it finds, hence the pictures, differ from run to run.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from websockets.sync.client import connect
from websockets.typing import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from websockets.sync.client import ClientConnection

ROOT = Path(__file__).resolve().parent.parent
DESKTOP = (1280, 800)
PHONE = (390, 844)
SEARCH_SECONDS = 15.0
PATIENCE_SECONDS = 300.0

# Montego against itself with 2,500 simulations a move, until White gave up.
OUR_GAME = """
    D3 G3 E7 G6 F5 H5 G4 H4 F3 C6 C7 B7 C8 B8 B4 C4 B5 C3 C5 D4 D5 E4 G2 H3 F4 E5 F6 D6 E6 B3
    B6 E3 E2 D2 G7 H7 G8 E1 F2 H8 G5 H6 H9 G9 F9 A4 H2 A6 J3 A5 D7 C9 D9 D8 E9 F1 G1 J2 J8
"""

# Honinbo Shusaku against Inoue Gennan, 1846.
FAMOUS_GAME = (
    "(;GM[1]FF[4]SZ[19]KM[0]RU[Japanese]PB[Honinbo Shusaku]PW[Inoue Gennan]DT[1846-09-11]"
    "GN[The ear-reddening game]"
    ";B[qd];W[dc];B[pq];W[oc];B[cp];W[cf];B[ep];W[qo];B[pe];W[np];B[po];W[pp];B[op];W[qp];B[oq]"
    ";W[oo];B[pn];W[qq];B[nq];W[on];B[pm];W[om];B[pl];W[mp];B[mq];W[ol];B[pk];W[lq];B[lr];W[kr]"
    ";B[lp];W[kq];B[qr];W[rr];B[rs];W[mr];B[nr];W[pr];B[ps];W[qs];B[no];W[mo];B[qr];W[rm];B[rl]"
    ";W[qs];B[lo];W[mn];B[qr];W[qm];B[or];W[ql];B[qj];W[rj];B[ri];W[rk];B[ln];W[mm];B[qi];W[rq])"
)


class Seat:
    """A page without a picture: asks the server and waits for its answers."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self.game: dict[str, Any] = {}

    def ask(self, **request: Any) -> None:
        """Send a request."""
        self._socket.send(json.dumps(request))

    def wait(self, kind: str, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Wait for a message that is wanted, and keep the newest state of the game.

        Raises:
            RuntimeError: If the server refuses something.
        """
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv(timeout=PATIENCE_SECONDS))
            if message["type"] == "error":
                raise RuntimeError(message["message"])
            if message["type"] == "game":
                self.game = message
            if message["type"] == kind and wanted(message):
                return

    def watch_montego(self, moves: int, name: str, **choices: Any) -> None:
        """Let Montego play so many moves against itself, then a person take over Black."""
        self.ask(type="new_game", black="montego", white="montego", **choices)
        self.wait("game", lambda game: len(game["tree"]) > moves)
        self.ask(type="configure", black="human", name=name)
        self.wait("game", lambda game: game["black"] == "human" and game["thinking"] is None)

    def replay(self, moves: list[str], name: str) -> str:
        """Play moves for both colors, have them reviewed, and return the id of the game."""
        self.ask(type="new_game", size=9, black="human", white="human")
        self.wait("game", lambda game: len(game["tree"]) == 1)
        for move in moves:
            head = self.game["head"]
            self.ask(type="play", node=head, move=move)
            while self.game["head"] == head:
                self.wait("game", lambda _game: True)
        self.ask(type="configure", name=name)
        return self.review()

    def review(self) -> str:
        """Have the moves of the game judged, and return its id."""
        self.ask(type="review", on=True)
        self.wait("review", lambda review: review["part"] == 1)
        game: str = self.game["id"]
        return game


@contextlib.contextmanager
def seated(address: str) -> Iterator[Seat]:
    """Sit down at the server."""
    site = address.rstrip("/")
    with connect(f"ws{site[4:]}/ws", origin=Origin(site), max_size=None) as socket:
        yield Seat(socket)


@contextlib.contextmanager
def montego(folder: str) -> Iterator[str]:
    """Run the server with games of its own, and yield its address."""
    command = [sys.executable, "-m", "montego", "play", "--no-browser", "--port", "0"]
    environment = {**os.environ, "MONTEGO_DATA_DIR": folder}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None  # noqa: S101
            match = re.search(r"http://\S+", server.stdout.readline())
            if match is None:
                raise RuntimeError("the server did not start")
            yield match[0]
        finally:
            server.terminate()


def upload(address: str, record: str) -> str:
    """Give the server a record, and return the id of its game."""
    request = urllib.request.Request(  # noqa: S310 - our own server
        f"{address}upload", data=record.encode(), headers={"Origin": address.rstrip("/")}
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310
        game: str = json.load(answer)["game"]
        return game


def open_page(browser: Browser, address: str, game: str, size: tuple[int, int]) -> Page:
    """Open a game, or the start page, in a window of its own."""
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="light",
    )
    page.goto(f"{address}#/game/{game}" if game else f"{address}#/")
    page.get_by_role("heading").first.wait_for()
    page.wait_for_timeout(800)  # Stones that are being placed.
    return page


def save(page: Page, path: Path) -> None:
    """Write what the page shows as a small PNG, and close it."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # A palette makes a fifth of it; this one also has the rare colors, and those near the truth.
    palette = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    palette.save(path, optimize=True)
    print(f"{path}: {path.stat().st_size / 1000:.0f} KB")
    page.close()


def take(address: str, browser: Browser, output: Path) -> None:
    """Play and take all pictures."""
    with seated(address) as seat:
        seat.watch_montego(14, "A game of Hex", kind="hex", size=9, strength={"simulations": 500})
        seat.watch_montego(16, "Four in a row", kind="connect-four", strength={"simulations": 500})
        seat.watch_montego(24, "A longer game", size=13, strength={"level": "10k"})
        counted = seat.replay([*OUR_GAME.split(), "pass", "pass"], "An evening game")
        famous = upload(address, FAMOUS_GAME)
        seat.ask(type="open_game", game=famous)
        seat.wait("game", lambda game: game["id"] == famous)
        seat.review()
        ours = seat.replay(OUR_GAME.split()[:35], "Against Montego")
        seat.ask(type="configure", white="montego", strength={"level": "5k"})
        seat.wait("game", lambda game: len(game["tree"]) == 37 and game["thinking"] is None)

        save(open_page(browser, address, "", DESKTOP), output / "start.png")
        save(open_page(browser, address, ours, DESKTOP), output / "game.png")
        save(open_page(browser, address, ours, PHONE), output / "phone.png")
        save(open_page(browser, address, counted, DESKTOP), output / "count.png")
        page = open_page(browser, address, famous, DESKTOP)
        page.keyboard.press("End")
        page.keyboard.press("a")
        page.wait_for_timeout(SEARCH_SECONDS * 1000)
        page.get_by_role("region", name="What Montego thinks").evaluate(
            "(panels) => (panels.parentElement.scrollTop ="
            " panels.offsetTop - panels.parentElement.offsetTop - 16)"
        )
        save(page, output / "analysis.png")


def main() -> None:
    """Take the pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        montego(folder) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(
            executable_path=options.chromium, args=["--no-sandbox"]
        ) as browser,
    ):
        take(address, browser, options.output)


if __name__ == "__main__":
    main()
