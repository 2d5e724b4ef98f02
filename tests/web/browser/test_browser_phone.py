"""The page on a phone: nothing to scroll sideways, and fingers instead of a mouse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser_page import Tab
    from browser_server import PlayServer

WIDTH = 390
SMALLEST_TARGET = 44
"""Pixels that a finger finds."""

OVERFLOW = """
() => {
    const wide = [...document.querySelectorAll("body *")].filter((element) =>
        element.getBoundingClientRect().right > innerWidth + 1 && element.checkVisibility());
    return [document.documentElement.scrollWidth, wide.map((element) => element.outerHTML)];
}
"""

TARGETS = """
() => [...document.querySelectorAll("main .controls button, main .navigation > button, header a, "
        + "header button, .beginnings button, [role=tab]")]
    .filter((element) => element.checkVisibility())
    .map((element) => [element.ariaLabel ?? element.textContent, element.getBoundingClientRect()])
    .map(([name, {width, height}]) => [name, Math.min(width, height)])
"""


@pytest.fixture
def phone(open_tab: Callable[..., Tab], play_server: PlayServer) -> Tab:
    return open_tab(
        play_server,
        viewport={"width": WIDTH, "height": 844},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    )


def assert_fits(tab: Tab) -> None:
    width, _beyond = tab.page.evaluate(OVERFLOW)
    assert width <= WIDTH, _beyond[:3]
    small = [(name, size) for name, size in tab.page.evaluate(TARGETS) if size < SMALLEST_TARGET]
    assert not small


def test_the_start_page_and_its_dialog_fit(phone: Tab) -> None:
    from playwright.sync_api import expect

    phone.server.new_game(white="human")
    phone.show_start()
    expect(phone.page.get_by_role("listitem").first).to_be_visible()
    assert_fits(phone)
    dialog = phone.open_dialog()
    dialog.get_by_text("Rules, handicap and clock").tap()
    assert_fits(phone)
    dialog.get_by_label("Players").select_option("Two people on this page")
    dialog.get_by_role("button", name="Start game").tap()
    phone.board.wait_for()


@pytest.mark.parametrize("size", [9, 19])
def test_a_game_fits_in_all_its_states(phone: Tab, size: int) -> None:
    game = phone.new_game(size=size)
    phone.board.wait_for()
    assert_fits(phone)
    for panel in ("Moves", "Why", "Review", "Search"):
        phone.page.get_by_role("tab", name=panel).tap()
        assert_fits(phone)
    phone.button("Settings").tap()
    assert_fits(phone)
    phone.page.keyboard.press("Escape")
    phone.button("Pass").tap()
    phone.expect_status(re.compile("passed"))
    phone.button("Pass").tap()
    phone.counting.wait_for()
    assert_fits(phone)
    phone.button("Accept").tap()
    phone.region("Result").wait_for()
    assert_fits(phone)
    assert phone.server.state(game)["phase"] == "over"


def test_other_games_fit(phone: Tab) -> None:
    for kind, columns in (("hex", 11), ("connect-four", 7), ("tic-tac-toe", 3)):
        phone.new_game(kind=kind, size=11)
        phone.page.get_by_role("grid").get_by_role("gridcell").nth(columns - 1).wait_for()
        assert_fits(phone)


def test_a_tap_plays_on_a_board_with_large_points(phone: Tab) -> None:
    phone.new_game(size=9)
    phone.point("C3").tap()
    phone.expect_stones("C3", "")
    phone.point("G7").tap()
    phone.expect_stones("C3", "G7")
    phone.button("Undo").tap()
    phone.expect_stones("C3", "")


def test_a_tap_is_confirmed_on_a_board_with_small_points(phone: Tab) -> None:
    from playwright.sync_api import expect

    game = phone.new_game(size=19)
    ghost = phone.board.locator('[class*="shudan-ghost_"]')
    phone.point("Q16").tap()
    expect(ghost).to_have_count(1)
    phone.expect_stones("", "")
    phone.point("D4").tap()
    expect(ghost).to_have_count(1)
    phone.point("D4").tap()
    phone.expect_stones("D4", "")
    assert [node["move"] for node in phone.server.state(game)["tree"]] == [None, "D4"]
