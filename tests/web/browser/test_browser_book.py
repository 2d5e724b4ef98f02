"""The book in a real browser, walked through by mouse and keys; and a game with an adviser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from advisers import adviser_command
from book_samples import write_book
from browser_server import PlayServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from browser_page import Tab

LINES = {"C3 C2 D2": (400.0, 0.75), "C3 B2": (50.0, 0.5), "B2 C3": (100.0, 0.25)}


@pytest.fixture(scope="module")
def book_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """A server with a small book where the user's own is, and an adviser."""
    assert browser.is_connected()
    data = tmp_path_factory.mktemp("book")
    write_book(data / "book.sqlite", LINES)
    write_book(data / "book.sqlite", {"B2": (7.0, 0.5)}, size=3)
    server = PlayServer(data, ("--with", adviser_command("--values", "C3=50,B2=20")))
    server.start()
    yield server
    server.kill()


def test_the_book_is_a_tree_to_walk(open_tab: Callable[..., Tab], book_server: PlayServer) -> None:
    from playwright.sync_api import expect

    tab = open_tab(book_server)
    tab.show_start()
    tab.page.get_by_role("link", name=re.compile("^Opening book")).click()
    known = tab.region("Known moves")
    trail = tab.page.get_by_role("navigation", name="Moves so far")
    expect(known).to_contain_text("550 visits, 2 known moves")
    expect(known.get_by_role("row").nth(1)).to_have_text(re.compile(r"^C3450"))

    # Moves that symmetry makes the same are one, and each of them can be clicked.
    expect(known.get_by_role("row").nth(2)).to_contain_text("+3 alike")
    tab.expect_accessible("light", "dark")
    tab.point("B2").click()
    tab.expect_stones("B2", "")
    expect(trail).to_contain_text("B2")
    tab.page.go_back()
    expect(known).to_contain_text("550 visits")
    tab.point("A1").click()
    expect(known).to_contain_text("550 visits")

    tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("ArrowRight")
    expect(known).to_contain_text("White to play")
    tab.expect_stones("C3", "")
    tab.page.keyboard.press("ArrowRight")
    expect(trail.get_by_role("listitem")).to_have_count(3)
    tab.expect_stones("C3", "D3")
    tab.page.reload()
    # The address tells the moves at once; keys work when the position is there.
    expect(known).to_contain_text("Black to play")
    tab.expect_stones("C3", "D3")
    expect(trail.get_by_role("listitem")).to_have_count(3)
    tab.page.keyboard.press("ArrowLeft")
    tab.expect_stones("C3", "")
    trail.get_by_role("link", name="Empty board").click()
    expect(known).to_contain_text("550 visits")

    tab.page.get_by_label("Board, rules and komi").select_option("3x3, Chinese, komi 0.5")
    expect(known).to_contain_text("7 visits, 1 known move")
    known.get_by_role("link", name="B2").click()
    expect(known).to_contain_text("The book ends here")


def test_montego_plays_with_an_adviser(
    open_tab: Callable[..., Tab], book_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(book_server)
    tab.show_start()
    dialog = tab.open_dialog()
    tab.choose(dialog, "Board", "Other")
    dialog.get_by_label("Size, 2 to 25").fill("5")
    dialog.get_by_label("Players").select_option("You against Montego with Tiny")
    tab.choose(dialog, "You play", "White")
    tab.choose(dialog, "Strength", "Simulations")
    dialog.get_by_label("Simulations for a move").fill("50")
    dialog.get_by_role("button", name="Start game").click()
    expect(tab.region("Players")).to_contain_text("Montego with Tiny (classical, 50 simulations)")
    expect(tab.page.get_by_role("navigation", name="Moves")).to_contain_text("move 1 of 1")
    tab.select("Why")
    expect(tab.region("Why this move")).to_contain_text("Tiny 1.0 would play C3")
