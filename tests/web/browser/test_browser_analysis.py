"""What the page shows of Montego's thoughts, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from browser_page import Tab


def test_analysis_goes_on_until_it_is_switched_off(tab: Tab) -> None:
    from playwright.sync_api import expect

    game = tab.new_game(mode="analysis", size=5)
    panel = tab.region("Analysis")
    expect(panel).to_contain_text("Analysis is off")
    tab.button("Analyze").click()

    simulations = panel.get_by_role("definition").first
    for _ in range(3):
        seen = simulations.inner_text()
        expect(simulations).not_to_have_text(seen)
    expect(panel.get_by_role("img", name=re.compile(r"^Chances to win: Black \d"))).to_be_visible()
    expect(panel.get_by_role("row").nth(5)).to_be_visible()
    variation = tab.board.locator(".shudan-marker_label")
    expect(variation.first).to_be_visible()
    assert tab.server.state(game)["analyzing"] == 0

    # The search follows the move that is shown.
    tab.play("C3")
    expect(
        panel.get_by_role("table", name=re.compile("best first: move 1, Black C3"))
    ).to_be_visible()
    expect(panel).to_contain_text("Analyzing")

    tab.button("Stop analysis").click()
    expect(panel).to_contain_text("Found earlier")
    expect(variation).to_have_count(0)
    assert tab.server.state(game)["analyzing"] is None


def test_what_lies_on_the_board_can_be_chosen(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(mode="analysis", size=5)
    tab.button("Analyze").click()
    variation = tab.board.locator(".shudan-marker_label")
    expect(variation.first).to_be_visible()
    tab.button("Variation").click()
    expect(variation).to_have_count(0)

    # Nothing covers the numbers any more.
    label = tab.board.locator(".shudan-heatlabel", has_text=re.compile(r"\d"))
    expect(label.first).to_be_visible()
    tab.button("Numbers").click()
    expect(label).to_have_count(0)

    heat = tab.board.locator('[class*="shudan-heat_"]')
    expect(heat.first).to_be_visible()
    choices = tab.region("Analysis")
    tab.choose(choices, "Heat map on the board", "Off")
    expect(heat).to_have_count(0)
    tab.choose(choices, "Heat map on the board", "RAVE")
    expect(heat.first).to_be_visible()
    paint = tab.board.locator('[class*="shudan-paint_"]')
    expect(paint).to_have_count(0)
    tab.button("Ownership").click()
    expect(paint.first).to_be_visible()

    # A candidate shows its variation.
    tab.page.get_by_role("row").nth(2).hover()
    expect(variation.first).to_be_visible()
    tab.button("Stop analysis").click()


def test_why_a_move_was_played_is_told_in_words(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=5, white="montego", strength={"simulations": 200})
    tab.select("Why")
    panel = tab.page.get_by_role("tabpanel")
    expect(panel).to_contain_text("Step to a move")
    tab.point("C3").click()
    tab.expect_board(re.compile(r"Black: C3\. White: [A-E][1-5]\.$"))

    why = tab.region("Why this move")
    expect(why.get_by_role("heading")).to_contain_text(re.compile(r"^Move 2, White [A-E][1-5]$"))
    expect(why.get_by_role("paragraph").first).to_contain_text(re.compile(r"\w+ \w+ \w+"))
    expect(why.get_by_role("button", name=re.compile(", played: show"))).to_be_visible()
    expect(why.get_by_role("row").nth(2)).to_be_visible()


def test_hint_and_estimate_are_given_and_put_away(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=5, strength={"simulations": 100})
    tab.play("C3")
    tab.button("Hint").click()
    expect(tab.region("Hint")).to_contain_text(re.compile(r"[A-E][1-5]|pass", re.IGNORECASE))
    tab.button("Dismiss: Hint").click()
    expect(tab.region("Hint")).to_be_hidden()

    tab.button("Estimate").click()
    expect(tab.region("Estimate")).to_contain_text(re.compile("Black is ahead|Black leads|even"))
    expect(tab.board.locator('[class*="shudan-paint_"]').first).to_be_visible()
    tab.play("B3")
    expect(tab.region("Estimate")).to_be_hidden()


def test_a_review_finds_the_move_that_lost_the_game(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(size=5, komi=0.5)
    # White fills corners while Black takes the board; then Black throws it away.
    tab.play("C3", "A1", "C2", "E5", "C4")
    tab.button("Resign").click()
    tab.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    tab.region("Result").get_by_role("button", name="Review the game").click()
    # Beside the board, without scrolling.
    bar = tab.region("Review of the game")
    expect(bar).to_be_in_viewport()
    expect(bar.get_by_role("button", name="Next mistake")).to_be_enabled()
    panel = tab.region("Review")
    expect(panel).to_contain_text("These moves lost the most")
    first = panel.get_by_role("listitem").first.get_by_role("button")
    expect(first).to_have_accessible_name(re.compile(r"White (A1|E5).*−\d+%.*better"))
    first.click()
    expect(first).to_have_attribute("aria-current", "true")
    # The better move is on the board, before the one that was played.
    expect(tab.page.get_by_role("navigation", name="Moves")).to_contain_text("Viewing move")
    expect(tab.board.locator(".shudan-marker_label").first).to_be_visible()
    expect(bar).to_contain_text(re.compile(r"White played (A1|E5) and lost \d+%"))
    tab.expect_accessible("light", "dark")
    # A page that comes again finds it.
    tab.page.reload()
    expect(bar).to_contain_text(re.compile(r"mistakes? (was|were) found"))
    bar.get_by_role("button", name="Next mistake").click()
    expect(tab.board.locator(".shudan-marker_label").first).to_be_visible()
    tab.select("Moves")
    blot = tab.page.get_by_role("treeitem", name=re.compile("a (bad )?mistake"))
    expect(blot.first).to_be_visible()
    # Hints and reasons are for every move of a finished game.
    tab.button("One move on").click()
    tab.button("Hint").click()
    expect(tab.region("Hint")).to_contain_text("I would")
    tab.select("Why")
    tab.button("Explain this move").click()
    why = tab.region("Why this move")
    expect(why).to_contain_text(re.compile("is a (bad )?mistake|is a good move|would play, too"))
    # The graph knows every move by now.
    expect(tab.region("Win rate")).not_to_contain_text("not searched")


def test_the_graph_leads_to_a_move(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game()
    tab.play("C3", "G7", "C7", "G3")
    moves = tab.page.get_by_role("navigation", name="Moves")
    graph = tab.page.get_by_role("slider", name="Move shown")
    expect(graph).to_have_attribute("aria-valuenow", "4")
    plot = graph.locator(".u-over")
    plot.click(position={"x": 2, "y": 30})
    expect(moves).to_contain_text("Viewing move 0 of 4")
    tab.expect_stones("", "")
    tab.button("Back to the game").click()
    tab.expect_stones("C3 C7", "G7 G3")


def test_variations_grow_and_are_deleted(tab: Tab) -> None:
    from playwright.sync_api import expect

    game = tab.new_game(mode="analysis")
    tab.select("Moves")
    tree = tab.page.get_by_role("tree")
    tab.play("C3", "G7")
    tab.button("One move back").click()
    tab.expect_stones("C3", "")
    tab.play("G3", "E5")
    expect(tree.get_by_role("treeitem")).to_have_count(5)
    tree.get_by_role("treeitem", name=re.compile("White G7")).click()
    tab.expect_stones("C3", "G7")

    comment = tab.page.get_by_label("Comment on this move")
    comment.fill("Joseki?")
    comment.blur()
    expect(tree.get_by_role("treeitem", name=re.compile("G7.*with a comment"))).to_be_visible()

    tree.get_by_role("treeitem", name=re.compile("White G3")).click()
    tab.button("Delete from here").click()
    question = tab.page.get_by_role("dialog")
    question.get_by_role("button", name=re.compile("^Delete")).click()
    expect(tree.get_by_role("treeitem")).to_have_count(3)
    kept = tab.server.state(game)["tree"]
    assert [(node["move"], node.get("comment", "")) for node in kept] == [
        (None, ""),
        ("C3", ""),
        ("G7", "Joseki?"),
    ]
