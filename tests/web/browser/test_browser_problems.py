"""Problems in a real browser: tried, refuted, solved; and stones of an analysis solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from browser_page import Tab

STONES = "SZ[7]AB[ea][eb][ac][bc][cc][dc][ec]AW[da][ab][bb][cb][db]PL[B]"
"""Three points in a row: B7 kills."""
SGF = f"(;{STONES}(;B[ba]C[Correct.])(;B[aa]C[Wrong];W[ba]))"


def test_a_problem_is_tried_refuted_and_solved(tab: Tab, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.page.get_by_role("link", name="Problems").click()
    problem = tab.region("Problem")
    expect(problem.get_by_role("heading")).to_contain_text("to move")
    folder = tmp_path / "Mine"
    folder.mkdir()
    (folder / "three.sgf").write_text(SGF)
    sets = tab.region("Which problems")
    tab.page.get_by_label("Folder of SGF files").set_input_files(folder)
    expect(sets).to_contain_text("1 problem was added.")
    tab.page.get_by_label("Set", exact=True).select_option("mine (0/1)")
    expect(problem).to_contain_text("Problem three")
    tab.expect_accessible("light", "dark")

    tab.point("A7").click()
    expect(problem).to_contain_text("A7 does not do it. Try again.")
    problem.get_by_role("button", name="Show why not").click()
    expect(tab.point("B7")).to_contain_text("2")
    tab.point("C7").click()
    expect(problem).to_contain_text("C7 does not do it. Try again.")
    problem.get_by_role("button", name="Hint").click()
    tab.point("B7").click()
    expect(problem).to_contain_text("Right: B7. It is proven.")
    # Only the first try counts.
    fares = tab.region("How you fare")
    expect(fares).to_contain_text("1192")
    expect(fares.get_by_role("row").nth(1)).to_have_text("301")


def test_stones_of_an_analysis_are_solved(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    tab.page.get_by_label("SGF file").set_input_files(
        {"name": "three.sgf", "mimeType": "application/x-go-sgf", "buffer": f"(;{STONES})".encode()}
    )
    tab.button("Solve this").click()
    tab.point("A6").click()
    answer = tab.region("Solve this")
    expect(answer).to_contain_text("5 stones are picked.")
    answer.get_by_role("button", name="Do they live?").click()
    solution = tab.region("Life and death")
    expect(solution).to_contain_text("If Black moves first, they die.", timeout=120_000)
    expect(solution).to_contain_text("This is proven.")
    solution.get_by_role("button", name="A7 fails").click()
    expect(tab.point("B7")).to_contain_text("2")
    tab.expect_accessible("light", "dark")
    solution.get_by_role("button", name="Dismiss: Life and death").click()
    expect(tab.button("Solve this")).to_be_visible()
