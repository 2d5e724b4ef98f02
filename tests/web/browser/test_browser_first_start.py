"""The first start, before anything is compiled: the board is there, and says what is going on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from browser_server import PlayServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from browser_page import Tab


@pytest.fixture
def fresh_server(browser: Browser, tmp_path: Path) -> Iterator[PlayServer]:
    """A server that has compiled nothing yet; it is ended long before it has."""
    assert browser.is_connected()
    cache = {"MONTEGO_CACHE_DIR": str(tmp_path / "cache")}
    server = PlayServer(tmp_path / "data", environment=cache)
    server.start()
    yield server
    server.kill()


def test_the_board_is_usable_while_montego_compiles(
    fresh_server: PlayServer, open_tab: Callable[..., Tab]
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(fresh_server)
    tab.show_start()
    tab.page.get_by_role("button", name=re.compile("^Play 9×9 against Montego")).click()
    tab.play("E5")
    progress = tab.page.get_by_role("status").filter(has_text=re.compile("ompil|repar"))
    expect(progress).to_be_visible()
    expect(tab.region("Players")).to_contain_text("Thinking")

    # Nobody has to wait for Montego: take the move back, play another one, explore.
    tab.button("Undo").click()
    tab.expect_stones("", "")
    tab.play("C3")
    tab.page.get_by_role("group", name="Mode").get_by_role("button", name="Analysis").click()
    tab.play("G7", "C7")
    tab.expect_stones("C3 C7", "G7")
    expect(progress).to_be_visible()

    tab.page.reload()
    tab.expect_stones("C3 C7", "G7")
    tab.new_game(kind="tic-tac-toe")
    tab.cell("b2").click()
    expect(tab.cell("b2")).to_have_accessible_name("b2, X, last move")
