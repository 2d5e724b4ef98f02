"""Takes the pictures of the board that README and docs show: real games, in a real browser.

    python benchmarks/making/screenshots.py [--only NAME …] [--output docs/images]

On a laptop, a tablet and a phone, light and dark. Needs the built page (``make frontend``),
Chromium, and ``pip install '.[bench,dev]'``. Montego fills a book, plays and reviews for a few
minutes, and what it finds, hence the pictures, differ from run to run. The dialog that shares a
game is not among them: its picture has an address of somebody's network.
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
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from websockets.sync.client import connect
from websockets.typing import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from websockets.sync.client import ClientConnection

ROOT = Path(__file__).resolve().parents[2]
DESKTOP = (1280, 800)
TABLET = (820, 1180)
PHONE = (390, 844)
SEARCH_SECONDS = 15.0
PATIENCE_SECONDS = 300.0

# Montego against itself with 2,500 simulations a move, until White gave up.
OUR_GAME = """
    D3 G3 E7 G6 F5 H5 G4 H4 F3 C6 C7 B7 C8 B8 B4 C4 B5 C3 C5 D4 D5 E4 G2 H3 F4 E5 F6 D6 E6 B3
    B6 E3 E2 D2 G7 H7 G8 E1 F2 H8 G5 H6 H9 G9 F9 A4 H2 A6 J3 A5 D7 C9 D9 D8 E9 F1 G1 J2 J8
"""

# Honinbo Shusaku against Inoue Gennan, 1846: the beginning.
FAMOUS_GAME = (
    "(;GM[1]FF[4]SZ[19]KM[0]RU[Japanese]PB[Honinbo Shusaku]PW[Inoue Gennan]DT[1846-09-11]"
    "GN[The ear-reddening game]"
    ";B[qd];W[dc];B[pq];W[oc];B[cp];W[cf];B[ep];W[qo];B[pe];W[np];B[po];W[pp];B[op];W[qp];B[oq]"
    ";W[oo];B[pn];W[qq];B[nq];W[on];B[pm];W[om];B[pl];W[mp])"
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
        before = self.game.get("id")
        self.ask(type="new_game", black="montego", white="montego", **choices)
        self.wait("game", lambda game: game["id"] != before and len(game["tree"]) > moves)
        self.ask(type="configure", black="human", name=name)
        self.wait("game", lambda game: game["black"] == "human" and game["thinking"] is None)

    def replay(self, moves: list[str], name: str) -> str:
        """Play moves for both colors, and return the id of the game."""
        self.ask(type="new_game", size=9, black="human", white="human")
        self.wait("game", lambda game: len(game["tree"]) == 1)
        for move in moves:
            head = self.game["head"]
            self.ask(type="play", node=head, move=move)
            while self.game["head"] == head:
                self.wait("game", lambda _game: True)
        self.ask(type="configure", name=name)
        game: str = self.game["id"]
        return game

    def review(self) -> None:
        """Have the moves of the game judged."""
        self.ask(type="review", on=True)
        self.wait("review", lambda review: review["part"] == 1)


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


def fill_book(folder: str) -> None:
    """Let Montego learn openings on 9x9 for the book of a server with that folder."""
    command = [sys.executable, "-m", "montego", "book", "learn", "--size", "9"]
    limits = ["--games", "24", "--simulations", "200", "--depth", "8", "--minutes", "2"]
    book = ["--book", str(Path(folder) / "book.sqlite")]
    subprocess.run([*command, *limits, *book], check=True, stdout=subprocess.DEVNULL)


def open_page(
    browser: Browser,
    address: str,
    place: str,
    size: tuple[int, int],
    *,
    theme: Literal["light", "dark"] = "light",
    warned: bool = False,
) -> Page:
    """Open a game by its id, or another page by its address, in a window of its own.

    *warned* people are told of their mistakes before a move is final.
    """
    page = browser.new_page(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=theme,
        has_touch=size != DESKTOP,
        is_mobile=size != DESKTOP,
    )
    if warned:
        page.add_init_script("""localStorage.setItem("montego.checks", '"mistakes"')""")
    page.goto(f"{address}{place if place.startswith('#') else f'#/game/{place}'}")
    page.get_by_role("heading").first.wait_for()
    page.wait_for_timeout(1500)  # Stones that are being placed, and moves of the book.
    return page


def save(page: Page, path: Path) -> None:
    """Write what the page shows as a small PNG, and close it."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    # A palette makes a fifth of it; this one also has the rare colors, and those near the truth.
    palette = picture.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=4, dither=Image.Dither.NONE)
    palette.save(path, optimize=True)
    print(f"{path}: {path.stat().st_size / 1000:.0f} KB")
    page.close()


class Studio:
    """Where pictures are taken: a server, a browser, a seat, and the games that several show."""

    def __init__(self, address: str, browser: Browser, seat: Seat) -> None:
        self.address, self.browser, self.seat = address, browser, seat

    def open(self, place: str, size: tuple[int, int], **look: Any) -> Page:
        """Open a page, see :func:`open_page`."""
        return open_page(self.browser, self.address, place, size, **look)

    @cached_property
    def ours(self) -> str:
        """A game against Montego in which it has just moved."""
        game = self.seat.replay(OUR_GAME.split()[:35], "Against Montego")
        self.seat.review()
        self.seat.ask(type="configure", white="montego", strength={"level": "5k"})
        self.seat.wait("game", lambda game: len(game["tree"]) == 37 and game["thinking"] is None)
        return game

    @cached_property
    def lost(self) -> str:
        """The same game, given up by White, and reviewed."""
        game = self.seat.replay(OUR_GAME.split(), "A lesson")
        self.seat.ask(type="resign")
        self.seat.wait("game", lambda game: game["phase"] == "over")
        self.seat.review()
        return game

    @cached_property
    def others(self) -> None:
        """Games for the list of the start page."""
        strength = {"simulations": 500}
        self.seat.watch_montego(14, "A game of Hex", kind="hex", size=9, strength=strength)
        self.seat.watch_montego(16, "Four in a row", kind="connect-four", strength=strength)
        self.seat.watch_montego(24, "A longer game", size=13, strength={"level": "10k"})

    def start(self, size: tuple[int, int], theme: Literal["light", "dark"]) -> Page:
        """Show the start page with some games."""
        self.others  # noqa: B018 - begins them
        self.ours  # noqa: B018
        return self.open("#/", size, theme=theme)

    def book(self) -> Page:
        """Show the opening book as if it were the user's own, and not one of a passing folder."""
        page = self.open("#/book", DESKTOP)
        place = page.get_by_text("book.sqlite")
        place.evaluate("(line) => (line.textContent = '~/.local/share/montego/book.sqlite')")
        return page

    def count(self) -> Page:
        """Show a game that is being counted."""
        game = self.seat.replay([*OUR_GAME.split(), "pass", "pass"], "An evening game")
        self.seat.review()
        return self.open(game, DESKTOP)

    def analysis(self) -> Page:
        """Show a search of a famous game, which was reviewed before."""
        famous = upload(self.address, FAMOUS_GAME)
        self.seat.ask(type="open_game", game=famous)
        self.seat.wait("game", lambda game: game["id"] == famous)
        self.seat.review()
        page = self.open(famous, DESKTOP)
        page.keyboard.press("End")
        page.keyboard.press("a")
        page.wait_for_timeout(SEARCH_SECONDS * 1000)
        page.get_by_role("region", name="What Montego thinks").evaluate(
            "(panels) => (panels.parentElement.scrollTop ="
            " panels.offsetTop - panels.parentElement.offsetTop - 16)"
        )
        return page

    def mistake(self, size: tuple[int, int]) -> Page:
        """Show a mistake that a review has found, in the dark."""
        page = self.open(self.lost, size, theme="dark")
        page.get_by_role("button", name="Next mistake").first.click()
        page.wait_for_timeout(800)
        return page

    def warning(self) -> Page:
        """Show the warning of a blunder."""
        game = self.seat.replay(OUR_GAME.split()[:14], "A mistake")
        self.seat.ask(type="configure", white="montego", strength={"level": "5k"})
        self.seat.wait("game", lambda game: game["white"] == "montego")
        page = self.open(game, TABLET, warned=True)
        page.locator('[data-x="0"][data-y="0"]').click()  # A9, which does nothing.
        page.get_by_role("button", name="Take it back").wait_for(timeout=60_000)
        page.wait_for_timeout(800)
        return page


PICTURES: dict[str, Callable[[Studio], Page]] = {
    "book": Studio.book,
    "warning": Studio.warning,
    "review": lambda studio: studio.mistake(DESKTOP),
    "phone-dark": lambda studio: studio.mistake(PHONE),
    "start": lambda studio: studio.start(DESKTOP, "light"),
    "tablet": lambda studio: studio.start(TABLET, "dark"),
    "game": lambda studio: studio.open(studio.ours, DESKTOP),
    "phone": lambda studio: studio.open(studio.ours, PHONE),
    "count": Studio.count,
    "analysis": Studio.analysis,
}


def main() -> None:
    """Take the pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--only", nargs="+", choices=PICTURES, default=list(PICTURES))
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="montego-") as folder:
        if "book" in options.only:
            fill_book(folder)
        with (
            montego(folder) as address,
            sync_playwright() as playwright,
            playwright.chromium.launch(
                executable_path=options.chromium, args=["--no-sandbox"]
            ) as browser,
            seated(address) as seat,
        ):
            studio = Studio(address, browser, seat)
            for name in options.only:
                save(PICTURES[name](studio), options.output / f"{name}.png")


if __name__ == "__main__":
    main()
