"""What a person sees move, and how a person has the board look."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser_page import Tab
    from browser_server import PlayServer

CAPTURE = ("A1", "A2", "C3", "B1")
"""White's last move takes the stone in the corner."""


def watch_for_fading(tab: Tab) -> Callable[[], bool]:
    """Note stones that fade, from now on, and return whether one was to be seen."""
    tab.page.evaluate("""() => {
        window.seen = false;
        new MutationObserver(() => {
            const taken = document.querySelector(".taken");
            if (taken !== null && taken.checkVisibility()) window.seen = true;
        }).observe(document.querySelector("main"), {childList: true, subtree: true});
    }""")
    return lambda: bool(tab.page.evaluate("window.seen"))


def test_captured_stones_fade(tab: Tab) -> None:
    tab.new_game(size=5)
    tab.play(*CAPTURE[:-1])
    faded = watch_for_fading(tab)
    tab.play(CAPTURE[-1])
    tab.expect_stones("C3", "A2 B1")
    assert faded()


def test_nothing_fades_for_those_who_want_less_motion(
    open_tab: Callable[..., Tab], play_server: PlayServer
) -> None:
    tab = open_tab(play_server, reduced_motion="reduce")
    tab.new_game(size=5)
    tab.play(*CAPTURE[:-1])
    faded = watch_for_fading(tab)
    tab.play(CAPTURE[-1])
    tab.expect_stones("C3", "A2 B1")
    assert not faded()


def test_board_and_stones_are_chosen_and_kept(tab: Tab) -> None:
    def look() -> list[str]:
        looks: list[str] = tab.page.evaluate("""() => [
            [".go-board", "backgroundImage"], [".shudan-stone-image", "backgroundImage"],
        ].map(([where, what]) => getComputedStyle(document.querySelector(where))[what])""")
        return looks

    tab.new_game(size=5)
    tab.play("C3")
    looks = [look()]
    settings = tab.page.get_by_role("group", name="Settings")
    for group, choice in (("Board", "Slate"), ("Board", "Paper"), ("Stones", "Flat")):
        tab.button("Settings").click()
        tab.choose(settings, group, choice)
        tab.expect_accessible("light", "dark")
        tab.page.keyboard.press("Escape")
        assert look() not in looks
        looks.append(look())
    tab.page.reload()
    tab.expect_stones("C3", "")
    assert look() == looks[-1]


def test_errors_go_away_by_themselves(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=5)
    tab.play("A2", "C3", "B1")
    tab.point("A1").click()
    expect(tab.alerts).to_contain_text(re.compile("no liberty"))
    expect(tab.alerts).to_be_empty()


def test_a_variation_becomes_the_main_line(tab: Tab) -> None:
    from playwright.sync_api import expect

    game = tab.new_game(mode="analysis", size=5)
    tab.select("Moves")
    tab.play("C3", "B2")
    tab.button("One move back").click()
    tab.expect_stones("C3", "")
    tab.play("D3", "E3")
    tree = tab.page.get_by_role("tree")
    expect(tree.get_by_role("treeitem")).to_have_count(5)
    # The line that was played last is the main one.
    expect(tab.button("Make main line")).to_have_count(0)
    tree.get_by_role("treeitem", name=re.compile("White B2")).click()
    tab.button("Make main line").click()
    expect(tab.button("Make main line")).to_have_count(0)
    nodes = {node["move"]: node for node in tab.server.state(game)["tree"]}
    assert nodes["C3"]["followed"] == nodes["B2"]["id"]
