"""A real Chromium on the page: fixtures, and the page as tests speak of it.

Whatever a test does, a tab that logs an error or asks another machine for anything fails it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from conftest import LETTERS, lack, require_tool, to_point

from browser_server import PlayServer
from montego.web.server import static_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request

AXE = Path(__file__).parents[3] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
AT_REST = """() => Promise.race([
    new Promise((done) => setTimeout(done, 5000)),
    Promise.allSettled(document.getAnimations()
        .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
        .map((one) => one.finished)),
]).then(() => null)"""
"""Waits until no color is on its way to another, which axe would judge; five seconds at most."""

VIOLATIONS = """
async () => {
    const found = await axe.run(document, {resultTypes: ["violations"]});
    return found.violations.map(({id, nodes}) => `${id}: ${nodes.map((one) => one.html)}`);
}
"""
TIMEOUT = 60_000
"""Milliseconds after which something that does not happen has failed the test."""


@dataclass
class Tab:
    """A tab of the browser."""

    page: Page
    server: PlayServer
    complaints: list[str] = field(default_factory=list)
    """What must not happen, and did."""
    forgiven: list[str] = field(default_factory=list)
    """Patterns of errors that a test brings about: the browser itself logs failed requests."""

    def __post_init__(self) -> None:
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._follow)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _follow(self, request: Request) -> None:
        if not request.url.startswith((f"{self.server.address}/", "data:", "blob:")):
            self.complaints.append(f"asked for {request.url}")

    def check(self) -> None:
        """Fail if something happened that must not."""
        unforgiven = [
            text
            for text in self.complaints
            if not any(re.search(pattern, text) for pattern in self.forgiven)
        ]
        assert not unforgiven, unforgiven

    # Ways around

    def show_start(self) -> None:
        """Show the start page."""
        self.page.goto(f"{self.server.address}/#/")
        self.page.get_by_role("heading", name="Montego", level=1).wait_for()

    def show_game(self, game: str) -> None:
        """Show a game."""
        self.page.goto(f"{self.server.address}/#/game/{game}")
        self.page.get_by_role("toolbar", name="Game").or_(self.counting).first.wait_for()

    def new_game(self, **settings: Any) -> str:
        """Begin a game and show it: by default one of two people on 9x9."""
        game = self.server.new_game(**{"white": "human"} | settings)
        self.show_game(game)
        return game

    @property
    def game(self) -> str:
        """The id of the game that the address names."""
        return self.page.url.partition("#/game/")[2]

    # What there is to see

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def region(self, name: str) -> Locator:
        return self.page.get_by_role("region", name=name, exact=True)

    @property
    def board(self) -> Locator:
        """The board of Go, whose name tells the position."""
        return self.page.get_by_role("application", name=re.compile("^Board of"))

    def point(self, vertex: str) -> Locator:
        """A point of the board of Go."""
        point = to_point(vertex)
        assert point is not None
        size = int(re.findall(r"by (\d+)", self.board.get_attribute("aria-label") or "")[0])
        column, row = point
        return self.board.locator(f'[data-x="{column}"][data-y="{size - 1 - row}"]')

    def cell(self, vertex: str) -> Locator:
        """A cell of Hex or tic-tac-toe, or a column of Connect 4."""
        return self.page.get_by_role("gridcell", name=re.compile(rf"^{vertex}[,:]"))

    @property
    def counting(self) -> Locator:
        return self.region("Counting")

    @property
    def alerts(self) -> Locator:
        """What went wrong, in words."""
        return self.page.get_by_role("alert")

    # What a person does

    def play(self, *vertices: str) -> None:
        """Click points of the board of Go one after another, each when the last move is there."""
        for vertex in vertices:
            self.point(vertex).click()
            self.expect_last(vertex)

    def select(self, tab: str) -> None:
        """Turn to one of the panels."""
        self.page.get_by_role("tab", name=tab, exact=True).click()

    def open_dialog(self) -> Locator:
        """Open the dialog for a new game, from the start page."""
        self.page.get_by_role("button", name=re.compile("^New game")).click()
        return self.page.get_by_role("dialog", name="New game")

    def choose(self, where: Locator, group: str, choice: str) -> None:
        """Choose one of a row of radio buttons."""
        where.get_by_role("group", name=group).get_by_text(choice, exact=True).click()

    # What must come true

    def expect_last(self, vertex: str) -> None:
        self.expect_board(re.compile(rf" Last move {vertex}\. "))

    def expect_stones(self, black: str, white: str) -> None:
        """Wait until exactly these stones are on the board."""
        told = f"Black: {_in_order(black)}. White: {_in_order(white)}."
        self.expect_board(re.compile(re.escape(told) + "$"))

    def expect_board(self, name: re.Pattern[str]) -> None:
        from playwright.sync_api import expect

        expect(self.board).to_have_accessible_name(name)

    def expect_status(self, words: re.Pattern[str]) -> None:
        """Wait until something is said to those who hear the page."""
        self.page.get_by_role("status").filter(has_text=words).wait_for(state="attached")

    def expect_accessible(self, *schemes: Literal["light", "dark"]) -> None:
        """Whatever axe knows to be wrong is not on the page, in any of these themes, or as it is.

        The theme is the system's, which the page must follow.
        """
        if not AXE.is_file():
            lack("axe-core is not installed: make frontend")
        if not self.page.evaluate("'axe' in window"):
            # As an expression: the page itself allows no script but its own.
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        for scheme in schemes or (None,):
            if scheme is not None:
                self.page.emulate_media(color_scheme=scheme)
            self.page.evaluate(AT_REST)
            assert self.page.evaluate(VIOLATIONS) == [], scheme

    def expect_alert(self, words: str) -> None:
        """Wait for a sentence with these words, in small letters or large, and put it away."""
        from playwright.sync_api import expect

        expect(self.alerts).to_contain_text(re.compile(words, re.IGNORECASE))
        self.alerts.get_by_role("button", name="Dismiss").first.click()
        expect(self.alerts).to_be_empty()


def _in_order(stones: str) -> str:
    """The stones as the page reads them out: from top to bottom, from left to right."""
    key = {vertex: (-int(vertex[1:]), LETTERS.index(vertex[0])) for vertex in stones.split()}
    return ", ".join(sorted(key, key=key.__getitem__)) or "none"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = require_tool("chromium")
    if not (static_files.FOLDER / static_files.PAGE).is_file():
        lack("the page is not built: make frontend")
    try:
        from playwright.sync_api import expect, sync_playwright
    except ImportError:
        lack("playwright is not installed: pip install -e '.[dev]'")
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def play_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """A server for all tests that leave it as it is, apart from new games."""
    assert browser.is_connected()
    server = PlayServer(tmp_path_factory.mktemp("games"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def open_tab(browser: Browser) -> Iterator[Callable[..., Tab]]:
    """Open tabs of a server, each as of a person of its own, with options of Playwright."""
    tabs: list[Tab] = []

    def open_(server: PlayServer, **options: Any) -> Tab:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(TIMEOUT)
        tabs.append(Tab(context.new_page(), server))
        return tabs[-1]

    yield open_
    for tab in tabs:
        tab.page.context.close()
    for tab in tabs:
        tab.check()


@pytest.fixture
def tab(open_tab: Callable[..., Tab], play_server: PlayServer) -> Tab:
    return open_tab(play_server)
