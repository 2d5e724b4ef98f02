"""The page without a mouse, without eyes, and in the dark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser_page import Tab
    from browser_server import PlayServer

NAMELESS = re.compile(
    r"^\s*- (button|link|checkbox|radio|textbox|combobox|slider|tab|dialog|table|grid|tree)"
    r"(?: \[[^\]]*\])*:?$",
    re.MULTILINE,
)

BRIGHTNESS = """
() => {
    const brightness = (text) => {
        const canvas = new OffscreenCanvas(1, 1).getContext("2d");
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
        return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
    };
    const {backgroundColor, color} = getComputedStyle(document.body);
    return [brightness(backgroundColor), brightness(color)];
}
"""


def assert_named(tab: Tab) -> None:
    """Whatever can be used has a name to be called by."""
    found = NAMELESS.search(tab.page.locator("body").aria_snapshot())
    assert found is None, found


def test_keys_step_through_the_game_and_act_on_it(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(strength={"simulations": 60})
    tab.play("C3", "G7", "C7", "G3")
    press = tab.page.keyboard.press
    press("ArrowLeft")
    tab.expect_stones("C3 C7", "G7")
    press("ArrowLeft")
    tab.expect_stones("C3", "G7")
    press("ArrowRight")
    tab.expect_stones("C3 C7", "G7")
    press("Home")
    tab.expect_stones("", "")
    press("End")
    tab.expect_stones("C3 C7", "G7 G3")
    press("u")
    tab.expect_stones("C3 C7", "G7")
    press("r")
    tab.expect_stones("C3 C7", "G7 G3")
    press("h")
    expect(tab.region("Hint")).to_be_visible()
    press("e")
    expect(tab.region("Estimate")).to_be_visible()
    press("p")
    tab.expect_status(re.compile("Black passed"))
    press("p")
    expect(tab.counting).to_be_visible()


def test_keys_belong_to_the_field_that_is_typed_in(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game()
    tab.play("C3")
    tab.select("Moves")
    comment = tab.page.get_by_label("Comment on this move")
    comment.press_sequentially("up")
    expect(comment).to_have_value("up")
    comment.blur()
    tab.expect_stones("C3", "")
    tab.page.keyboard.press("?")
    help_ = tab.page.get_by_role("dialog", name=re.compile("Help|Keys|Keyboard"))
    expect(help_).to_be_visible()
    tab.page.keyboard.press("u")
    tab.page.keyboard.press("Escape")
    expect(help_).to_be_hidden()
    tab.expect_stones("C3", "")


def test_a_whole_move_by_keyboard_alone(tab: Tab) -> None:
    tab.new_game(size=5)
    tab.board.focus()
    for key in ("ArrowLeft", "ArrowDown"):
        tab.page.keyboard.press(key)
    tab.expect_status(re.compile("B2 empty"))
    tab.page.keyboard.press("Enter")
    tab.expect_stones("B2", "")
    tab.expect_status(re.compile("Black played B2"))
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press(" ")
    tab.expect_stones("B2", "C2")
    # The board gives the keys back.
    tab.page.keyboard.press("Escape")
    tab.page.keyboard.press("ArrowLeft")
    tab.expect_stones("B2", "")


def test_cells_of_other_boards_are_reached_and_read_out(tab: Tab) -> None:
    from playwright.sync_api import expect

    for kind, cell, name in (
        ("hex", "f6", "f6, Red, last move"),
        ("connect-four", "Column 4", "Column 4: from below Red, 5 empty, last move"),
        ("tic-tac-toe", "b2", "b2, X, last move"),
    ):
        tab.new_game(kind=kind, size=11)
        tab.cell(cell).focus()
        tab.page.keyboard.press("Enter")
        expect(tab.cell(cell)).to_have_accessible_name(name)


def test_everything_that_can_be_used_has_a_name(tab: Tab) -> None:
    tab.show_start()
    assert_named(tab)
    tab.open_dialog()
    assert_named(tab)
    tab.page.keyboard.press("Escape")
    tab.new_game(size=5)
    tab.play("C3")
    for panel in ("Moves", "Why", "Review", "Search"):
        tab.select(panel)
        assert_named(tab)
    tab.button("Settings").click()
    assert_named(tab)
    for name in ("Pass", "Undo", "Redo", "Hint", "Estimate", "Resign"):
        assert tab.page.get_by_role("toolbar", name="Game").get_by_role("button", name=name).count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system_until_one_is_chosen(
    open_tab: Callable[..., Tab], play_server: PlayServer, scheme: str
) -> None:
    tab = open_tab(play_server, color_scheme=scheme)
    tab.show_start()
    background, text = tab.page.evaluate(BRIGHTNESS)
    assert abs(background - text) > 0.5
    assert (background > text) == (scheme == "light")

    other = {"light": "Dark", "dark": "Light"}[scheme]
    tab.button("Settings").click()
    tab.choose(tab.page.get_by_role("group", name="Settings"), "Theme", other)
    tab.page.reload()
    tab.page.get_by_role("heading", name="Montego", level=1).wait_for()
    background, text = tab.page.evaluate(BRIGHTNESS)
    assert abs(background - text) > 0.5
    assert (background > text) == (other == "Light")


def test_coordinates_can_be_turned_off(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game()
    letter = tab.board.get_by_text("J", exact=True)
    expect(letter).to_have_count(2)
    tab.button("Settings").click()
    tab.page.get_by_label("Coordinates").uncheck()
    expect(letter).to_have_count(0)
    tab.page.get_by_label("Sounds").uncheck()
    tab.page.reload()
    tab.board.wait_for()
    expect(letter).to_have_count(0)
    tab.button("Settings").click()
    expect(tab.page.get_by_label("Sounds")).not_to_be_checked()
