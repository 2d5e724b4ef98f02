"""The walk of a newcomer, and what a teacher says, in a real browser."""

from __future__ import annotations

import contextlib
import re
import time
from typing import TYPE_CHECKING, Any

from montego import Game, Options, Player
from web_server import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from browser_page import Tab
    from browser_server import PlayServer


FITS = """() => {
    const board = document.querySelector('[role="application"]').getBoundingClientRect();
    const letters = [...document.querySelectorAll(".shudan-coordx span")]
        .filter((one) => one.textContent === "T").map((one) => one.getBoundingClientRect());
    return board.right <= innerWidth && letters.length === 2 && letters.every(
        ({top, bottom}) => top >= board.top && bottom <= board.bottom);
}"""
"""Whether the letters above and below a board of 19x19 lie on it, and it on the screen."""

ENDS = """() => {
    const side = document.querySelector(".game-page__side");
    const isOneColumn = getComputedStyle(side).display === "contents";
    return [
        Math.max(...[...document.querySelectorAll("main, main *")]
            .filter((one) => !one.closest(".visually-hidden") &&
                (isOneColumn || !one.closest(".game-page__side")))
            .map((one) => one.getBoundingClientRect().bottom + scrollY)),
        document.documentElement.scrollHeight,
    ];
}"""
"""Where the last thing that can be seen ends, and where the page does."""

MOST_MOVES = 60
"""Of Black's, in a game on 9x9."""


def win(tab: Tab, game: str) -> None:
    """Play Black's moves by clicks until the game is won; Montego's own player chooses them."""
    with contextlib.closing(Player(Options(size=9, komi=7.5, simulations=40, seed=1))) as player:
        for _ in range(MOST_MOVES):
            state = settled(tab, game)
            if state["phase"] != "playing":
                break
            player.load(Game(9, komi=7.5))
            for node in state["tree"][1:]:
                player.play(node["color"], node["move"])
            move = player.choose("black").vertex or "pass"
            if move in ("pass", "resign"):
                tab.button("Pass").click()
            else:
                tab.point(move).click()
            moved_on(tab, game, state["head"])
    if state["phase"] == "counting":
        tab.counting.get_by_role("button", name="Accept").click()


def settled(tab: Tab, game: str) -> dict[str, Any]:
    """The game when it is Black's turn, or over."""
    return wait_for(tab, game, lambda state: state["thinking"] is None and is_persons(state))


def moved_on(tab: Tab, game: str, head: int) -> None:
    wait_for(tab, game, lambda state: state["head"] != head)


def is_persons(state: dict[str, Any]) -> bool:
    return bool(state["phase"] != "playing" or state["position"]["to_play"] == "black")


def wait_for(tab: Tab, game: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        state = tab.server.state(game)
        if wanted(state):
            return state
        tab.page.wait_for_timeout(40)
    raise AssertionError(f"the game stands still at {state['head']}")


def test_a_newcomer_learns_the_rules_plays_and_reviews(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.page.get_by_role("link", name=re.compile("^Learn the rules")).click()
    lesson = tab.region("Lesson")
    status = lesson.get_by_role("status")
    for point, told in (("C3", "That is all"), ("D3", "Captured!"), ("D3", "Two stones at once")):
        tab.point(point).click()
        expect(status).to_contain_text(told)
        tab.button("Next").click()
    tab.point("D3").click()
    expect(status).to_contain_text("three free points")
    tab.button("Next").click()
    tab.point("B3").click()
    expect(status).to_contain_text("Refused")
    tab.button("Next").click()
    tab.point("B3").click()
    tab.button("Next").click()
    tab.point("C3").click()
    expect(status).to_contain_text("the ko may not be retaken")
    tab.point("E5").click()
    tab.button("Next").click()
    tab.point("A3").click()
    expect(status).to_contain_text("two eyes")
    tab.button("Next").click()
    tab.button("Pass").click()
    expect(status).to_contain_text("You know all the rules now")
    tab.button("Next").click()
    tab.button("Play a first game").click()
    players = tab.region("Players")
    expect(players).to_contain_text("Montego (30k)")
    game = tab.game

    # An early pass is answered by a move, not by the end.
    tab.button("Pass").click()
    keep = tab.button("Play it anyway")
    answered = re.compile(r"Black: none\. White: [A-J][1-9]\.$")
    answer = tab.page.get_by_role("application", name=answered)
    expect(keep.or_(answer)).to_be_visible()
    if keep.is_visible():
        keep.click()
    tab.expect_board(answered)
    assert tab.server.state(game)["phase"] == "playing"

    # Somebody who plays well enough wins; the warnings have been seen.
    tab.button("Settings").click()
    settings = tab.page.get_by_role("group", name="Settings")
    tab.choose(settings, "Warn me before I play", "Nothing")
    tab.button("Settings").click()
    win(tab, game)
    expect(tab.region("Result")).to_contain_text("You win")
    tab.region("Result").get_by_role("button", name="Review the game").click()
    expect(tab.region("Review of the game")).to_be_visible()


def test_a_blunder_is_named_and_taken_back(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.button("Settings").click()
    tab.choose(tab.page.get_by_role("group", name="Settings"), "Warn me before I play", "Mistakes")
    # Black at C3 owns a board of 5x5; to pass instead gives it away.
    tab.new_game(size=5, komi=0.5, white="montego", strength={"simulations": 60})
    tab.button("Pass").click()
    warning = tab.region("Warning").or_(tab.page.get_by_role("alert", name="Warning"))
    expect(warning).to_contain_text("To pass is a bad mistake")
    tab.expect_accessible("light", "dark")
    tab.button("Take it back").click()
    expect(warning).to_be_hidden()
    tab.point("C3").click()
    tab.expect_board(re.compile(r"Black: C3\. White: [A-E][1-5]\.$"))


def test_passes_and_captures_are_seen(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=5)
    event = tab.page.get_by_test_id("event")
    tab.play("C3", "C4", "A1", "B3", "A2", "D3", "A3", "C2")
    expect(event).to_have_text("White captured a stone.")
    tab.button("Pass").click()
    expect(event).to_have_text("Black passed.")


def test_arrows_step_through_moves_after_a_click_on_a_tab(tab: Tab) -> None:
    tab.new_game(size=5)
    tab.play("C3", "B2")
    tab.select("Moves")
    tab.page.keyboard.press("ArrowLeft")
    tab.expect_stones("C3", "")
    tab.select("Search")
    tab.page.keyboard.press("ArrowRight")
    tab.expect_stones("C3", "B2")
    assert tab.page.title() == "Go 5x5, two people – Montego"


def test_another_opponent_takes_over_from_any_position(tab: Tab) -> None:
    from playwright.sync_api import expect

    game = tab.new_game(size=5, mode="analysis")
    tab.play("C3", "B2", "D2")
    tab.button("One move back").click()
    tab.expect_stones("C3", "B2")
    tab.button("Play from here").click()
    dialog = tab.page.get_by_role("dialog", name="Play from this position")
    dialog.get_by_label("Black").select_option("A person")
    dialog.get_by_label("White").select_option("Montego")
    tab.choose(dialog, "Strength", "Simulations")
    dialog.get_by_label("Simulations for a move").fill("40")
    dialog.get_by_role("button", name="Play from here").click()
    expect(tab.region("Players")).to_contain_text("Montego (classical, 40 simulations)")
    tab.point("D3").click()
    tab.expect_board(re.compile(r"Black: (D3, C3|C3, D3)\. White: \w+, \w+\.$"))
    state = tab.server.state(game)
    assert [node["move"] for node in state["tree"]][:4] == [None, "C3", "B2", "D2"]


def test_the_board_alone(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=9)
    tab.page.keyboard.press("z")
    expect(tab.region("Players")).to_be_hidden()
    tab.play("C3")
    # What is below the board can be reached.
    for _ in range(2):
        tab.button("Pass").click()
    accept = tab.counting.get_by_role("button", name="Accept")
    expect(accept).to_be_attached()
    tab.point("E5").hover()
    tab.page.mouse.wheel(0, 2000)
    expect(accept).to_be_in_viewport(ratio=1)
    tab.button("Show everything").click()
    expect(tab.region("Players")).to_be_visible()


def test_nothing_is_cut_off_and_no_blank_space_is_scrolled_to(
    open_tab: Callable[..., Tab], play_server: PlayServer
) -> None:
    tab = open_tab(play_server, has_touch=True)
    tab.new_game(size=19, mode="analysis")
    for width, height in ((390, 844), (820, 1180), (1180, 820), (844, 390), (1366, 768)):
        tab.page.set_viewport_size({"width": width, "height": height})
        # The board follows in the next frames.
        tab.page.wait_for_function(FITS)
        tabs = [one.bounding_box() for one in tab.page.get_by_role("tab").all()]
        assert len({round(box["y"]) for box in tabs if box is not None}) == 1
        # The page ends where the last thing that can be seen ends.
        bottom, page = tab.page.evaluate(ENDS)
        assert page <= max(bottom, height) + 1, (width, height)


def test_games_are_counted_searched_and_deleted(
    open_tab: Callable[..., Tab], play_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(play_server)
    tab.new_game(size=5, white="montego", strength={"level": "20k"})
    tab.button("Resign").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    tab.region("Result").wait_for()
    for _ in range(5):
        play_server.new_game(size=4, white="human")
    tab.page.get_by_role("link", name="All games").click()
    tab.page.get_by_role("searchbox", name="Search your games").fill("4x4")
    expect(tab.page.get_by_role("listitem")).to_have_count(5)
    tab.button("Delete these 5 games").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(tab.page.get_by_text("No game has these words.")).to_be_visible()
    tab.page.get_by_role("link", name="In numbers").click()
    ladder = tab.region("Ladder")
    ladder.get_by_text("5×5", exact=True).click()  # As boards are written there.
    expect(ladder).to_contain_text("You are about")
    row = tab.region("Won and lost by level").get_by_role("row", name=re.compile("^20k"))
    # Other games of these tests may have been won; this one was lost.
    expect(row).to_have_text(re.compile(r"^20k[0-9][1-9]0$"))
    tab.expect_accessible("light", "dark")
