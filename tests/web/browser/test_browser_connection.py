"""Nothing is lost: a reload, a server that dies, two tabs, a page that lags behind."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from browser_server import PlayServer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, WebSocketRoute

    from browser_page import Tab


@pytest.fixture
def own_server(browser: Browser, tmp_path: Path) -> Iterator[PlayServer]:
    """A server that may be killed."""
    assert browser.is_connected()
    server = PlayServer(tmp_path)
    server.start()
    yield server
    server.kill()


def test_a_reload_in_mid_game_changes_nothing(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game()
    tab.play("C3", "G7", "C7")
    tab.button("Undo").click()
    tab.expect_stones("C3", "G7")
    tab.page.reload()
    tab.expect_stones("C3", "G7")
    tab.button("Redo").click()
    tab.expect_stones("C3 C7", "G7")

    # While Montego thinks, as well.
    game = tab.new_game(size=5, white="montego", strength={"simulations": 3000})
    tab.point("C3").click()
    tab.expect_board(re.compile(r"Black: C3\."))
    tab.page.reload()
    tab.expect_board(re.compile(r"Black: C3\. White: [A-E][1-5]\.$"))
    tab.page.get_by_role("link", name="All games").click()
    expect(tab.page.locator(f'a[href="#/game/{game}"]')).to_contain_text("2 moves")


def test_a_server_that_is_killed_and_started_again_loses_no_move(
    open_tab: Callable[..., Tab], own_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(own_server)
    tab.forgiven.append("WebSocket connection to .* failed")
    tab.new_game()
    tab.play("C3", "G7", "C7")
    own_server.kill()
    lost = tab.page.get_by_text("Connection lost. Reconnecting…")
    expect(lost).to_be_visible()
    tab.point("G3").click()
    tab.expect_alert("no connection to Montego")
    tab.expect_stones("C3 C7", "G7")

    own_server.start()
    expect(lost).to_be_hidden()
    tab.expect_stones("C3 C7", "G7")
    tab.play("G3")
    tab.page.get_by_role("link", name="All games").click()
    expect(tab.page.get_by_role("listitem").filter(has_text="4 moves")).to_be_visible()


def test_montego_goes_on_after_the_server_was_killed(
    open_tab: Callable[..., Tab], own_server: PlayServer
) -> None:
    tab = open_tab(own_server)
    tab.forgiven.append("WebSocket connection to .* failed")
    # So many that it cannot have answered before the end.
    tab.new_game(size=5, white="montego", strength={"simulations": 1_000_000})
    tab.play("C3")
    own_server.kill()
    lost = tab.page.get_by_text("Connection lost. Reconnecting…")
    lost.wait_for()
    own_server.start()
    lost.wait_for(state="hidden")
    tab.page.get_by_text(re.compile(r"Thinking · [1-9]")).first.wait_for()
    tab.button("Move now").click()
    tab.expect_board(re.compile(r"Black: C3\. White: [A-E][1-5]\.$"))


def test_two_tabs_see_each_other(open_tab: Callable[..., Tab], play_server: PlayServer) -> None:
    from playwright.sync_api import expect

    one, two = open_tab(play_server), open_tab(play_server)
    game = one.new_game()
    two.show_game(game)
    one.play("C3")
    two.expect_stones("C3", "")
    two.play("G7")
    one.expect_stones("C3", "G7")
    two.button("Undo").click()
    one.expect_stones("C3", "")

    # What one looks at is its own affair; the game is both's.
    one.button("One move back").click()
    one.expect_stones("", "")
    two.expect_stones("C3", "")
    two.play("E5")
    one.expect_stones("", "")
    one.button("Back to the game").click()
    one.expect_stones("C3", "E5")

    two.show_start()
    two.page.get_by_role("listitem").filter(has=two.page.locator(f'[href="#/game/{game}"]')).hover()
    card = two.page.locator("li", has=two.page.locator(f'[href="#/game/{game}"]'))
    card.get_by_role("button", name=re.compile("^Delete")).click()
    two.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(card).to_have_count(0)
    expect(one.page.get_by_text("This game was deleted.")).to_be_visible()


def test_a_move_from_a_page_that_lags_behind_is_refused(
    open_tab: Callable[..., Tab], play_server: PlayServer
) -> None:
    one, two = open_tab(play_server), open_tab(play_server)
    held: list[str | bytes] = []
    lags = False

    def route(page_side: WebSocketRoute) -> None:
        server_side = page_side.connect_to_server()

        def forward(message: str | bytes) -> None:
            if lags and json.loads(message)["type"] == "game":
                held.append(message)
            else:
                page_side.send(message)

        server_side.on_message(forward)

    two.page.route_web_socket("**/ws", route)
    game = one.new_game()
    two.show_game(game)
    two.expect_stones("", "")
    lags = True
    one.play("C3")
    two.point("G7").click()

    two.expect_alert("The game has moved on")
    two.expect_stones("", "")
    one.expect_stones("C3", "")
    lags = False
    two.page.reload()
    two.expect_stones("C3", "")


def test_a_game_that_is_not_there_is_a_page_of_its_own(tab: Tab) -> None:
    tab.page.goto(f"{tab.server.address}/#/game/0123456789abcdef")
    tab.page.get_by_role("heading", name="This game is not here").wait_for()
    tab.page.get_by_role("link", name="To your games").click()
    tab.page.get_by_role("heading", name="Montego", level=1).wait_for()
