"""The page in every language, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser_page import Tab
    from browser_server import PlayServer

LANGUAGES = {
    "es": ("Juega al Go", "Deshacer", "Negro"),
    "fr": ("Jouez au Go", "Annuler", "Noir"),
    "ro": ("Joacă Go", "Înapoi", "Negru"),
    "zh": ("下围棋", "悔棋", "黑方"),
    "ja": ("囲碁を打ち", "待った", "黒"),
    "ko": ("바둑을 두며", "무르기", "흑"),
}
"""What the start page says, the button to take back, Black."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_speaks_as_the_browser_does(
    open_tab: Callable[..., Tab], play_server: PlayServer, language: str
) -> None:
    from playwright.sync_api import expect

    title, undo, black = LANGUAGES[language]
    tab = open_tab(play_server, locale=f"{language}-XX")
    tab.show_start()
    expect(tab.page.get_by_role("main")).to_contain_text(title)
    assert tab.page.evaluate("document.documentElement.lang") == language
    game = play_server.new_game(size=5, white="human")
    tab.page.goto(f"{play_server.address}/#/game/{game}")
    expect(tab.button(undo)).to_be_visible()
    board = tab.page.get_by_role("application")
    board.locator('[data-x="2"][data-y="2"]').click()
    expect(board).to_have_accessible_name(re.compile(f"{black}.?: ?C3|{black[0]}：C3"))
    tab.expect_accessible()


def test_a_language_is_chosen_and_kept(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.button("Settings").click()
    tab.page.get_by_label("Language").select_option("ja")
    expect(tab.page.get_by_label("言語")).to_have_value("ja")
    tab.page.reload()
    expect(tab.page.get_by_role("heading", name="あなたの対局")).to_be_visible()
    tab.button("設定").click()
    tab.page.get_by_label("言語").select_option("en")
    expect(tab.page.get_by_role("heading", name="Your games")).to_be_visible()


def test_what_the_server_says_is_translated(
    open_tab: Callable[..., Tab], play_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(play_server, locale="fr-FR")
    game = play_server.new_game(size=5, white="human")
    tab.page.goto(f"{play_server.address}/#/game/{game}")
    board = tab.page.get_by_role("application")
    expect(tab.page.get_by_role("heading", level=1)).to_have_text("Go 5x5, deux personnes")
    # Black's three stones leave White's corner without a liberty.
    place = tab.page.locator(".navigation__place")
    for number, (column, row) in enumerate(((1, 4), (4, 0), (1, 3), (3, 0), (0, 3)), start=1):
        board.locator(f'[data-x="{column}"][data-y="{row}"]').click()
        # A stone is shown before the server has answered; the next one waits for that.
        expect(place).to_have_text(re.compile(rf"\b{number}\D+{number}$"))
    board.locator('[data-x="0"][data-y="4"]').click()
    expect(tab.alerts).to_have_text(
        "Blanc ne peut pas jouer A1 : la pierre n’aurait aucune liberté."
    )
    tab.button("Abandonner").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Abandonner").click()
    result = tab.region("Résultat")
    expect(result).to_contain_text("Noir gagne")
    expect(result).to_contain_text("Blanc a abandonné")
