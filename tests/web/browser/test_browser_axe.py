"""Every view by day and by night, looked at by axe; other tests have it look at what they reach.

Those are the blunder warning, the bar of a review, the book with moves in it, problems, the list of
games with some selected, and a game in every language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from browser_page import Tab


def test_nothing_is_wrong_with_the_pages(tab: Tab) -> None:
    tab.show_start()
    tab.expect_accessible("light", "dark")
    tab.open_dialog()
    tab.expect_accessible("light", "dark")
    tab.page.keyboard.press("Escape")
    tab.page.get_by_role("link", name=re.compile("^Learn the rules")).click()
    tab.region("Lesson").wait_for()
    tab.expect_accessible("light", "dark")
    for place in ("#/profile", "#/book", "#/game/0000000000000000"):
        tab.page.goto(f"{tab.server.address}/{place}")
        tab.page.get_by_role("heading", level=1).wait_for()
        tab.expect_accessible("light", "dark")


def test_nothing_is_wrong_with_a_game(tab: Tab) -> None:
    tab.new_game(size=5)
    tab.play("C3", "B2")
    for panel in ("Search", "Moves", "Why", "Review"):
        tab.select(panel)
        tab.expect_accessible("light", "dark")
    tab.button("Settings").click()
    tab.expect_accessible("light", "dark")
    tab.page.keyboard.press("Escape")
    for name in ("Players and strength", "Share", "Help", "Resign"):
        tab.button(name).click()
        tab.page.get_by_role("dialog").wait_for()
        tab.expect_accessible("light", "dark")
        tab.page.keyboard.press("Escape")
    for _ in range(2):
        tab.button("Pass").click()
    tab.counting.wait_for()
    tab.expect_accessible("light", "dark")
    tab.counting.get_by_role("button", name="Accept").click()
    tab.region("Result").wait_for()
    tab.expect_accessible("light", "dark")
    tab.button("Board alone").click()
    tab.expect_accessible("light", "dark")


def test_nothing_is_wrong_with_other_games(tab: Tab) -> None:
    for kind in ("hex", "connect-four", "tic-tac-toe"):
        tab.new_game(kind=kind, size=5)
        tab.page.get_by_role("grid").wait_for()
        tab.expect_accessible("light", "dark")
