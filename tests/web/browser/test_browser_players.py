"""Other games, and games that programs play: one another, or a GTP engine."""

from __future__ import annotations

import re
import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from browser_server import PlayServer
from montego.engine.options.presets import PRESETS
from places import TINY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

    from browser_page import Tab


def begin(tab: Tab, kind: str) -> None:
    """Begin a game of two people from the start page."""
    tab.show_start()
    tab.button(kind).click()
    dialog = tab.page.get_by_role("dialog", name="New game")
    dialog.get_by_label("Players").select_option("Two people on this page")
    dialog.get_by_role("button", name="Start game").click()
    tab.page.get_by_role("grid").wait_for()


@pytest.mark.parametrize(
    ("kind", "cells", "result"),
    [
        ("Tic-tac-toe", "a1 b1 a2 b2 a3", "X wins"),
        ("Connect 4", "Column_1 Column_2 Column_1 Column_2 Column_1 Column_2 Column_1", "Red wins"),
    ],
)
def test_two_people_play_another_game_to_the_end(
    tab: Tab, kind: str, cells: str, result: str
) -> None:
    from playwright.sync_api import expect

    begin(tab, kind)
    for cell in cells.split():
        place = tab.cell(cell.replace("_", " "))
        place.click()
        expect(place).to_have_accessible_name(re.compile("last move"))
    expect(tab.region("Result").get_by_role("heading")).to_contain_text(result)
    tab.button("Undo").click()
    expect(tab.region("Result")).to_be_hidden()
    tab.button("Redo").click()
    expect(tab.region("Result").get_by_role("heading")).to_contain_text(result)


def test_hex_is_won_by_a_chain_and_the_first_stone_may_be_swapped(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.new_game(kind="hex", size=3)
    tab.cell("b2").click()
    tab.page.get_by_role("button", name=re.compile("^Swap")).click()
    expect(tab.cell("b2")).to_have_accessible_name(re.compile("Blue"))
    tab.button("Undo").click()
    expect(tab.cell("b2")).to_have_accessible_name(re.compile("Red"))
    for vertex in ("a1", "b1", "a2", "b3"):
        tab.cell(vertex).click()
        expect(tab.cell(vertex)).to_have_accessible_name(re.compile("last move"))
    expect(tab.region("Result").get_by_role("heading")).to_contain_text("Red wins")


@pytest.mark.parametrize("kind", ["hex", "connect-four", "tic-tac-toe"])
def test_montego_plays_and_explains_other_games_as_well(tab: Tab, kind: str) -> None:
    from playwright.sync_api import expect

    tab.new_game(kind=kind, size=5, white="montego", strength={"simulations": 100})
    cell = {"hex": "a1", "connect-four": "Column 4", "tic-tac-toe": "b2"}[kind]
    tab.cell(cell).click()
    moves = tab.page.get_by_role("navigation", name="Moves")
    expect(moves).to_contain_text("move 2 of 2")
    tab.select("Why")
    expect(tab.region("Why this move").get_by_role("paragraph").first).to_be_visible()
    tab.select("Search")
    tab.button("Analyze").click()
    expect(tab.region("Analysis").get_by_role("definition").first).to_have_text(re.compile(r"\d"))


def test_montego_plays_itself_and_pauses(tab: Tab) -> None:
    from playwright.sync_api import expect

    programs = {"black": "montego", "white": "montego", "strength": {"simulations": 50}}
    game = tab.new_game(size=7, **programs)
    moves = tab.page.get_by_role("navigation", name="Moves")
    expect(moves).to_contain_text(re.compile(r"move ([2-9]|\d\d) of"))
    tab.button("Pause").click()
    expect(tab.button("Go on")).to_be_visible()
    paused = tab.server.state(game)
    assert paused["paused"]
    assert paused["thinking"] is None
    reached = len(paused["tree"]) - 1
    expect(moves).to_contain_text(f"move {reached} of {reached}")
    tab.button("Go on").click()
    expect(moves).not_to_contain_text(f"move {reached} of")

    # A board so small that the end is near.
    tab.new_game(size=2, **programs)
    expect(tab.region("Result")).to_contain_text("wins")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_program_of_the_documents_plays_a_whole_game(tab: Tab, preset: str) -> None:
    from playwright.sync_api import expect

    strength = {"preset": preset, "simulations": 20}
    tab.new_game(size=3, komi=0.5, black="montego", white="montego", strength=strength)
    expect(tab.page.get_by_role("heading", level=1)).to_contain_text(PRESETS[preset].title)
    # McGnuGo asks GNU Go at each move, where it is installed.
    expect(tab.region("Result")).to_contain_text("wins", timeout=60_000)


def test_a_program_of_the_documents_is_chosen_in_the_dialog(tab: Tab) -> None:
    from playwright.sync_api import expect

    tab.show_start()
    dialog = tab.open_dialog()
    dialog.get_by_label("Program").check(force=True)
    dialog.get_by_label("Plays as").select_option("MoGo")
    expect(dialog.get_by_text("heuristic MC-RAVE with four rules")).to_be_visible()
    dialog.get_by_role("button", name="Start game").click()
    expect(tab.page.get_by_role("heading", level=1)).to_contain_text("MoGo")
    assert tab.server.state(tab.game)["strength"]["preset"] == "mogo"


@pytest.fixture(scope="module")
def engine_server(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[PlayServer]:
    """A server with an engine that dies when it is to move for the fourth time."""
    assert browser.is_connected()
    words = [sys.executable, str(TINY), "--fault", "exit", "--at", "3"]
    server = PlayServer(tmp_path_factory.mktemp("engine"), ("--engine", shlex.join(words)))
    server.start()
    yield server
    server.kill()


def test_montego_plays_an_engine_that_dies(
    open_tab: Callable[..., Tab], engine_server: PlayServer
) -> None:
    from playwright.sync_api import expect

    tab = open_tab(engine_server)
    tab.show_start()
    dialog = tab.open_dialog()
    dialog.get_by_label("Players").select_option("Montego against Tiny")
    tab.choose(dialog, "Montego plays", "White")
    tab.choose(dialog, "Strength", "Simulations")
    dialog.get_by_label("Simulations for a move").fill("50")
    dialog.get_by_role("button", name="Start game").click()
    expect(tab.region("Players")).to_contain_text("Tiny")
    expect(tab.region("Players")).to_contain_text("Montego (network, 50 simulations)")

    # It moves three times, and then there is a word about its end; the game is kept.
    notice = tab.region("Play").get_by_role("status")
    expect(notice).to_contain_text("Tiny")
    state = engine_server.state(tab.game)
    assert len(state["tree"]) == 7
    assert state["paused"]
