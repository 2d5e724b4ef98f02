"""Whole games of Go in a real browser, from the dialog to the result."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from browser_page import Tab

WALLS = {
    "black": "C1 C2 C3 C4 C5 C6 C7 C8 C9 B4 D4",
    "white": "D1 D2 D3 D5 D6 D7 D8 D9 E4 A7",
}


def test_two_people_play_a_whole_game(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    dialog = tab.open_dialog()
    dialog.get_by_label("Players").select_option("Two people on this page")
    dialog.get_by_role("button", name="Start game").click()
    expect(tab.page.get_by_role("heading", name="Go 9x9, two people")).to_be_visible()

    # A ko, which may not be retaken at once.
    tab.play("C5", "D5", "C3", "D3", "B4", "E4", "C6", "C4", "D4")
    tab.expect_stones("C5 C3 B4 C6 D4", "D5 D3 E4")
    expect(tab.region("Players")).to_contain_text("1 captured")
    tab.point("C4").click()
    tab.expect_alert("White cannot play C4: the ko may not be retaken at once")
    tab.expect_stones("C5 C3 B4 C6 D4", "D5 D3 E4")

    tab.button("Undo").click()
    tab.expect_stones("C5 C3 B4 C6", "D5 D3 E4 C4")
    tab.button("Redo").click()
    tab.expect_stones("C5 C3 B4 C6 D4", "D5 D3 E4")
    expect(tab.button("Redo")).to_be_disabled()

    tab.play("D6", "C4", "D7", "C7", "D8", "C8", "D9", "C9", "D2", "C2", "D1", "C1", "A7")
    tab.expect_stones(**WALLS)
    tab.button("Pass").click()
    tab.expect_status(re.compile("Black passed"))
    tab.button("Pass").click()

    # Montego marks the stone that cannot live; people have the last word.
    proposal = tab.button("Montego’s proposal")
    expect(tab.counting).to_contain_text("Black 28")
    expect(tab.counting).to_contain_text("White 60.5")
    expect(proposal).to_be_disabled()
    tab.point("A7").click()
    expect(tab.counting).to_contain_text("Black 11")
    expect(tab.counting).to_contain_text("White 61.5")
    proposal.click()
    expect(tab.counting).to_contain_text("White wins by 32.5 points")

    tab.button("Play on").click()
    expect(tab.counting).to_be_hidden()
    tab.button("Pass").click()
    expect(tab.counting).to_contain_text("White wins by 32.5 points")
    tab.button("Accept").click()
    result = tab.region("Result").get_by_role("heading")
    expect(result).to_have_text("White wins by 32.5 points")
    expect(tab.region("Result")).to_contain_text("28 to 60.5")
    expect(tab.button("Pass")).to_be_disabled()

    game = tab.game
    tab.page.get_by_role("link", name="All games").click()
    card = tab.page.locator(f'a[href="#/game/{game}"]')
    expect(card).to_contain_text("White wins by 32.5 points")
    assert tab.server.state(game)["phase"] == "over"


def test_suicide_and_occupied_points_change_nothing(tab: Tab) -> None:
    tab.new_game(size=5)
    tab.play("A2", "C3", "B1", "C4", "C2")
    tab.point("A1").click()
    tab.expect_alert("White cannot play A1: the stone would have no liberty")

    tab.point("C3").click()
    tab.play("D3")
    tab.expect_stones("A2 B1 C2", "C3 C4 D3")


def test_a_person_plays_montego_to_the_end(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    dialog = tab.open_dialog()
    tab.choose(dialog, "Board", "Other")
    dialog.get_by_label(re.compile("^Size")).fill("5")
    tab.choose(dialog, "You play", "Black")
    tab.choose(dialog, "Strength", "Simulations")
    dialog.get_by_label("Simulations for a move").fill("80")
    dialog.get_by_role("button", name="Start game").click()
    players = tab.region("Players")
    expect(players).to_contain_text("Montego (classical, 80 simulations)")

    tab.point("C3").click()
    tab.expect_board(re.compile(r"Black: C3\. White: [A-E][1-5]\.$"))
    expect(players).to_contain_text("your turn", ignore_case=True)
    tab.button("Undo").click()
    tab.expect_stones("", "")
    tab.button("Redo").click()
    tab.expect_board(re.compile(r"Black: C3\. White: [A-E][1-5]\.$"))

    over = tab.counting.or_(tab.region("Result"))
    my_turn = tab.page.get_by_role("button", name="Pass", exact=True, disabled=False)
    expect(my_turn).to_be_visible()
    while my_turn.is_visible():
        my_turn.click()
        expect(over.or_(my_turn)).to_be_visible()
    tab.button("Accept").click()

    result = tab.region("Result").get_by_role("heading")
    expect(result).to_have_text(re.compile(r"^Montego wins by [\d.]+ points$"))
    expect(tab.region("Result")).to_contain_text(re.compile(r"[\d.]+ to [\d.]+"))
    assert tab.page.title().startswith("Montego wins by")

    tab.button("Rematch").click()
    expect(tab.region("Result")).to_be_hidden()
    expect(players).to_contain_text("Montego (classical, 80 simulations)")
    assert tab.server.state(tab.game)["black"] == "montego"


def test_who_resigns_has_lost_and_may_think_again(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(white="montego", strength={"simulations": 50})
    tab.button("Resign").click()
    question = tab.page.get_by_role("dialog", name="Resign this game?")
    question.get_by_role("button", name="Cancel").click()
    expect(tab.region("Result")).to_be_hidden()

    tab.button("Resign").click()
    question.get_by_role("button", name="Resign").click()
    expect(tab.region("Result")).to_contain_text("Montego wins")
    expect(tab.region("Result")).to_contain_text("you resigned")

    tab.button("Undo").click()
    expect(tab.region("Result")).to_be_hidden()
    expect(tab.region("Players")).to_contain_text("your turn", ignore_case=True)


def test_the_browsers_back_button_leaves_a_dialog(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.page.get_by_role("link", name=re.compile("^Learn the rules")).click()
    tab.region("Lesson").wait_for()
    tab.page.go_back()
    dialog = tab.open_dialog()
    expect(dialog).to_be_visible()
    tab.page.go_forward()
    tab.region("Lesson").wait_for()
    expect(tab.page.get_by_role("dialog")).to_have_count(0)


def test_the_settings_give_the_focus_back(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.button("Settings").click()
    tab.page.get_by_label("Language").focus()
    tab.page.keyboard.press("Escape")
    expect(tab.page.get_by_role("group", name="Settings")).to_have_count(0)
    expect(tab.button("Settings")).to_be_focused()


def test_the_dialog_says_what_is_wrong(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    dialog = tab.open_dialog()
    tab.choose(dialog, "Board", "Other")
    start = dialog.get_by_role("button", name="Start game")
    size = dialog.get_by_label(re.compile("^Size"))
    for text in ("99", "five", ""):
        size.fill(text)
        expect(size).to_have_accessible_description(re.compile("^The size must be"))
        expect(start).to_be_disabled()
    size.fill("5")
    dialog.get_by_text("Rules, handicap and clock").click()
    dialog.get_by_label("Handicap stones").fill("25")
    start.click()

    tab.expect_alert("handicap")
    expect(tab.page.get_by_role("heading", name="Montego", level=1)).to_be_visible()


def test_handicap_komi_rules_and_clock_are_as_chosen(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    dialog = tab.open_dialog()
    tab.choose(dialog, "Board", "13×13")
    dialog.get_by_label("Players").select_option("Two people on this page")
    dialog.get_by_text("Rules, handicap and clock").click()
    dialog.get_by_label("Rules").select_option("Japanese")
    dialog.get_by_label("Handicap stones").fill("2")
    dialog.get_by_label("Komi").fill("0.5")
    tab.choose(dialog, "Clock", "Byo-yomi")
    dialog.get_by_role("button", name="Start game").click()

    told = "13×13 · Japanese rules · komi 0.5 · 2 handicap stones"
    expect(tab.page.get_by_text(told)).to_be_visible()
    tab.expect_stones("D4 K10", "")
    expect(tab.page.get_by_role("timer")).to_have_count(2)
    tab.play("C3")
    state = tab.server.state(tab.game)
    assert state["clock"]["kind"] == "byoyomi"
    assert (state["rules"], state["komi"], state["handicap"]) == ("japanese", 0.5, 2)
