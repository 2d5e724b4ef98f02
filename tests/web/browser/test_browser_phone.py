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

CRAMPED = """
() => [...document.querySelectorAll("main button:not(.link), main a.button, main .segments label")]
    .filter((element) => element.checkVisibility())
    .filter((element) => {
        const box = element.getBoundingClientRect();
        const words = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (words.nextNode()) {
            if (words.currentNode.parentElement.closest(".visually-hidden")) continue;
            const text = document.createRange();
            text.selectNodeContents(words.currentNode);
            const {left, right, width} = text.getBoundingClientRect();
            if (width > 0 && (left < box.left + 1 || right > box.right - 1)) return true;
        }
        return false;
    })
    .map((element) => element.textContent)
"""
"""Buttons whose words touch their border or leave it."""

TARGETS = """
() => [...document.querySelectorAll("main .controls button, main .navigation > button, header a, "
        + "header button, .beginnings button, [role=tab]")]
    .filter((element) => element.checkVisibility())
    .map((element) => [element.ariaLabel ?? element.textContent, element.getBoundingClientRect()])
    .map(([name, {width, height}]) => [name, Math.min(width, height)])
"""


PHONE = {
    "viewport": {"width": WIDTH, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}


@pytest.fixture
def phone(open_tab: Callable[..., Tab], play_server: PlayServer) -> Tab:
    return open_tab(play_server, **PHONE)


def phone_words(tab: Tab) -> list[str]:
    """Words that do not fit into their buttons."""
    words: list[str] = tab.page.evaluate(CRAMPED)
    return words


def assert_fits(tab: Tab) -> None:
    width, _beyond = tab.page.evaluate(OVERFLOW)
    assert width <= WIDTH, _beyond[:3]
    assert phone_words(tab) == []
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


def test_problems_the_book_and_games_in_numbers_fit(phone: Tab) -> None:
    for place in ("#/profile", "#/problems", "#/book", "#/learn"):
        phone.page.goto(f"{phone.server.address}/{place}")
        phone.page.get_by_role("heading", level=1).wait_for()
        phone.page.wait_for_load_state("networkidle")
        assert_fits(phone)


@pytest.mark.parametrize("language", ["es", "fr", "ro", "zh", "ja", "ko"])
def test_words_of_every_language_fit(
    open_tab: Callable[..., Tab], play_server: PlayServer, language: str
) -> None:
    tab = open_tab(play_server, locale=language, **PHONE)
    lost = play_server.new_game(size=5, white="montego", strength={"level": "30k"})
    counted = play_server.new_game(size=5, white="human")
    with play_server.visitor.page() as page:
        page.ask("open_game", "game", game=lost)
        page.ask("play", "game", node=0, move="C3")
        page.ask("resign", "game")
        page.ask("open_game", "game", game=counted)
        for node in (0, 1):
            page.ask("play", "game", node=node, move="pass")
    hexes = play_server.new_game(kind="hex", size=5, white="human")
    places = ["#/", "#/profile", "#/problems", f"#/game/{counted}", f"#/game/{hexes}"]
    for place in [*places, f"#/game/{play_server.new_game(size=9, white='human')}"]:
        tab.page.goto(f"{play_server.address}/{place}")
        tab.page.get_by_role("heading").first.wait_for()
        tab.page.wait_for_load_state("networkidle")
        if place == "#/profile":
            tab.page.get_by_role("table").last.wait_for()
        for width, height in ((WIDTH, 844), (844, WIDTH), (1280, 800)):
            tab.page.set_viewport_size({"width": width, "height": height})
            shown = tab.page.evaluate("document.documentElement.scrollWidth")
            assert (shown <= width, phone_words(tab)) == (True, []), (place, width)


def test_on_its_side_the_way_back_to_the_game_is_in_sight(
    open_tab: Callable[..., Tab], play_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(play_server, **PHONE | {"viewport": {"width": 844, "height": WIDTH}})
    tab.new_game(size=5)
    tab.play("C3", "B2")
    tab.button("One move back").tap()
    back = tab.button("Back to the game")
    expect(back).to_be_in_viewport(ratio=1)
    back.tap()
    tab.expect_stones("C3", "B2")


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
