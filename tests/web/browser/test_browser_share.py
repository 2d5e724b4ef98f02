"""Passing games on, putting them away, and drawing on the board, in a real browser."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser_server import PlayServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from browser_page import Tab


@pytest.fixture(scope="module")
def open_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayServer]:
    """A server that others in the network may come to."""
    assert browser.is_connected()
    server = PlayServer(tmp_path_factory.mktemp("open"), ("--host", "0.0.0.0"))  # noqa: S104
    server.start()
    yield server
    server.kill()


def test_a_game_is_saved_as_picture_and_moving_picture(tab: Tab) -> None:
    tab.new_game(size=5)
    tab.play("C3", "B2")
    tab.button("Share").click()
    dialog = tab.page.get_by_role("dialog", name="Share")
    for name, begins in (("PNG", b"\x89PNG"), ("GIF", b"GIF89a")):
        with tab.page.expect_download() as started:
            dialog.get_by_role("link", name=re.compile(name)).click()
        assert started.value.suggested_filename.endswith(f".{name.lower()}")
        assert Path(started.value.path()).read_bytes().startswith(begins)
    dialog.get_by_text("montego play --host 0.0.0.0").wait_for()
    tab.expect_accessible("light", "dark")


def test_marks_are_drawn_changed_and_kept(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=5)
    tab.play("C3")
    tab.select("Moves")
    tools = tab.page.get_by_role("group", name="Draw on the board")
    tools.get_by_role("button", name="Triangle").click()
    tab.point("B2").click()
    expect(tab.board.locator(".shudan-marker_triangle")).to_have_count(1)
    tools.get_by_role("button", name="Letter").click()
    # At once: the second comes before the server has answered the first.
    at_once = [tab.point(vertex).element_handle() for vertex in ("B2", "D4")]
    tab.page.evaluate("points => points.forEach((point) => point.click())", at_once)
    expect(tab.point("B2")).to_contain_text("A")
    expect(tab.point("D4")).to_contain_text("B")
    expect(tab.board.locator(".shudan-marker_triangle")).to_have_count(0)
    tab.page.reload()
    expect(tab.point("D4")).to_contain_text("B")
    # A click plays again, and what was drawn belongs to the move before.
    tab.play("D4")
    expect(tab.point("B2")).not_to_contain_text("A")


def test_games_are_chosen_put_away_and_exported(
    open_tab: Callable[..., Tab], tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    server = PlayServer(tmp_path)
    server.start()
    tab = open_tab(server)
    try:
        for size in (4, 5, 6):
            server.new_game(size=size, white="human")
        tab.show_start()
        tab.button("Select").click()
        tab.page.get_by_role("checkbox", name=re.compile("4x4")).check()
        tab.page.get_by_role("link", name=re.compile("5x5")).click()
        bar = tab.page.get_by_role("toolbar", name="Selected games")
        expect(bar).to_contain_text("2 selected")
        tab.expect_accessible("light", "dark")
        bar.get_by_role("button", name="Archive").click()
        expect(tab.page.get_by_role("listitem")).to_have_count(1)
        tab.page.get_by_label("Which games").select_option("archived")
        expect(tab.page.get_by_role("listitem")).to_have_count(2)
        tab.button("Select").click()
        tab.button("Select all").click()
        tab.button("Take out of the archive").click()
        expect(tab.page.get_by_text("No game is archived.")).to_be_visible()
        with tab.page.expect_download() as started:
            tab.page.get_by_role("link", name="Export all").click()
        names = zipfile.ZipFile(started.value.path()).namelist()
        assert len(names) == 3
    finally:
        tab.page.goto("about:blank")
        server.kill()


def test_a_phone_finds_the_game_by_its_code(
    open_tab: Callable[..., Tab], open_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(open_server)
    tab.page.goto(f"{open_server.address}/{open_server.query}")
    tab.page.get_by_role("button", name=re.compile("^Analysis board")).click()
    tab.button("Share").click()
    dialog = tab.page.get_by_role("dialog", name="Share")
    code = dialog.get_by_role("img", name="QR code of the link").first
    expect(code).to_be_visible()
    link = dialog.get_by_role("link", name=re.compile("^http")).first
    address = link.get_attribute("href") or ""
    assert re.search(rf"/\?token=[\w-]+#/game/{tab.game}$", address)
    # Another browser, which has never been here: what the code says is enough.
    phone = open_tab(open_server, viewport={"width": 390, "height": 800})
    phone.page.goto(re.sub(r"//[\d.]+:", "//127.0.0.1:", address))
    expect(phone.board).to_be_visible()
