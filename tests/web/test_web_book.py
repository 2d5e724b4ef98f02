"""The book for pages: one position at a time, whatever state the book is in."""

from __future__ import annotations

import sqlite3
import threading
from typing import TYPE_CHECKING

import pytest

from book_samples import write_book
from montego.book.store import Book
from montego.cli.commands.play import _programs
from montego.cli.main import build_parser
from montego.cli.player_options import options_from
from montego.engine.options.options import Options
from montego.web.game.go_referee import GoReferee, agree
from montego.web.messages.replies import HintReply
from montego.web.messages.requests import Hint, NewGame, Resign, ShowBook, Strength, Undo
from montego.web.server.app import create_app
from montego.web.server.book_walk import EMPTY, NO_BOOK_IN_USE, NO_BOOK_YET, show_book
from montego.web.server.library import Library
from montego.web.server.security import open_site
from montego.web.server.store import GameFiles
from montego.web.thinking.go_thinker import GoThinker
from montego.web.thinking.thinker import READY, Programs, Question
from web_fakes import FakeThinker, Page, make_session
from web_server import RunningServer
from web_thinker import QuickThinker

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = "5-koSIMPLEscoreAREAtaxNONEsui0-0.5"
LINES = {"C3 C2 D2": (40.0, 0.75), "C3 D3": (8.0, 0.5), "B2": (10.0, 0.25)}
"""Lines of play on 5x5: visits and Black's share of the wins."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "book.sqlite"
    write_book(made, LINES)
    return made


def test_the_first_position_with_its_moves_by_visits(path: Path) -> None:
    reply = show_book(path, ShowBook(request=7))

    assert (reply.request, reply.place, reply.trouble) == (7, str(path), "")
    assert reply.settings == SETTINGS
    assert [(choice.value, choice.label) for choice in reply.choices] == [
        (SETTINGS, "5x5, Chinese, komi 0.5")
    ]
    assert reply.position is not None
    assert (reply.position.cells, reply.position.to_play) == ("." * 25, "black")
    assert reply.visits == 58
    center, corner = reply.known
    assert (center.move, center.alike, center.visits) == ("C3", [], 48)
    assert center.value == pytest.approx((40 * 0.75 + 8 * 0.5) / 48, abs=1e-4)
    assert (corner.move, sorted(corner.alike)) == ("D4", ["B2", "B4", "D2"])
    assert (corner.visits, corner.value) == (10, 0.25)
    assert center.goes_on
    assert not corner.goes_on


def test_deeper_positions_have_values_of_black_as_everywhere(path: Path) -> None:
    reply = show_book(path, ShowBook(settings=SETTINGS, moves=["c3"]))

    assert reply.moves == ["C3"]
    assert reply.position is not None
    assert (reply.position.cells[12], reply.position.last) == ("X", "C3")
    assert reply.position.to_play == "white"
    assert len(reply.known) == 1, "all moves beside the center are alike"
    (beside,) = reply.known
    assert {beside.move, *beside.alike} == {"C2", "C4", "B3", "D3"}
    assert beside.visits == 48
    assert beside.value == pytest.approx((40 * 0.75 + 8 * 0.5) / 48, abs=1e-4)


@pytest.mark.parametrize("turned", ["C2 D2", "C4 B4", "D3 D4", "B3 B2"])
def test_all_sides_of_the_board_lead_to_the_same(path: Path, turned: str) -> None:
    second, third = turned.split()
    reply = show_book(path, ShowBook(moves=["C3", second]))

    assert reply.visits > 0
    assert third in {move for known in reply.known for move in (known.move, *known.alike)}


def test_where_the_book_ends_the_board_is_shown(path: Path) -> None:
    reply = show_book(path, ShowBook(moves=["A1", "pass"]))

    assert (reply.moves, reply.visits, reply.known, reply.trouble) == (["A1", "pass"], 0, [], "")
    assert reply.position is not None
    assert reply.position.cells[20] == "X"


@pytest.mark.parametrize(
    ("moves", "reached", "trouble"),
    [
        (["C3", "C3"], ["C3"], "the point is occupied."),
        (["C3", "Z9"], ["C3"], "Z9: off the 5x5 board."),
        (["pass", "pass", "C3"], ["pass", "pass"], "the game is over."),
    ],
)
def test_moves_are_followed_as_far_as_they_go(
    path: Path, moves: list[str], reached: list[str], trouble: str
) -> None:
    reply = show_book(path, ShowBook(moves=moves))

    assert reply.moves == reached
    assert reply.trouble.endswith(trouble)
    assert reply.position is not None


def test_every_board_of_the_book_can_be_chosen(path: Path) -> None:
    write_book(path, {"B2 A1": (3.0, 0.5)}, size=3)
    names = [choice.value for choice in show_book(path, ShowBook()).choices]
    assert names == [SETTINGS, "3-koSIMPLEscoreAREAtaxNONEsui0-0.5"]

    small = show_book(path, ShowBook(settings=names[1], moves=["B2"]))
    assert small.position is not None
    assert (small.position.width, small.visits) == (3, 3)

    other = show_book(path, ShowBook(settings="9-japanese-6.5", moves=["B2"]))
    assert (other.settings, other.moves) == (SETTINGS, [])
    assert "nothing for that board" in other.trouble


def test_rules_without_a_name_are_described(path: Path) -> None:
    write_book(path, {"B2": (3.0, 0.5)}, size=3)
    with sqlite3.connect(path) as file:
        rules = "koPOSITIONALscoreTERRITORYtaxALLsui1"
        file.execute("UPDATE settings SET rules = ? WHERE size = 3", (rules,))
    file.close()

    labels = [choice.label for choice in show_book(path, ShowBook()).choices]

    assert "3x3, territory scoring, positional ko, suicide allowed, group tax, komi 0.5" in labels


def test_there_may_be_no_book(tmp_path: Path) -> None:
    assert show_book(None, ShowBook()).trouble == NO_BOOK_IN_USE
    assert show_book(tmp_path / "none.sqlite", ShowBook()).trouble == NO_BOOK_YET
    assert not (tmp_path / "none.sqlite").exists(), "looking makes none"
    assert "is a folder" in show_book(tmp_path, ShowBook()).trouble
    Book.open(tmp_path / "empty.sqlite").close()
    assert show_book(tmp_path / "empty.sqlite", ShowBook()).trouble == EMPTY


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (lambda book: book[: len(book) // 2 + 100], "damaged"),
        (lambda _book: b"GIF89a" * 1000, "another program"),
        (lambda book: book[:100] + b"\xff" * 3000 + book[3100:], "damaged"),
    ],
)
def test_a_bad_file_gets_a_sentence(path: Path, data: object, trouble: str) -> None:
    assert callable(data)
    path.write_bytes(data(path.read_bytes()))

    reply = show_book(path, ShowBook())

    assert trouble in reply.trouble
    assert reply.trouble.endswith(".")
    assert reply.position is None


@pytest.mark.parametrize(
    "change", ["UPDATE settings SET rules = 'house rules'", "UPDATE settings SET size = 99"]
)
def test_settings_that_make_no_sense_are_damage(path: Path, change: str) -> None:
    with sqlite3.connect(path) as file:
        file.execute(change)
    file.close()

    reply = show_book(path, ShowBook())

    assert "is damaged" in reply.trouble
    assert reply.choices == []


def test_pages_walk_through_the_book_over_the_server(path: Path, tmp_path: Path) -> None:
    store = GameFiles(tmp_path / "games")
    store.open()
    library = Library(store, programs=Programs(montego=QuickThinker, book=path))
    with (
        RunningServer(
            lambda port: create_app(library, open_site("127.0.0.1", port), None)
        ) as running,
        running.visitor.page() as page,
    ):
        first = page.ask("show_book", "book", request=1)
        assert first["known"][0]["move"] == "C3"
        second = page.ask("show_book", "book", request=2, moves=["C3"])
        assert (second["request"], second["moves"]) == (2, ["C3"])

        # The book may change and go while the server runs.
        write_book(path, {"C3": (100.0, 0.5)})
        assert page.ask("show_book", "book")["known"][0]["visits"] == 148
        path.unlink()
        assert page.ask("show_book", "book")["trouble"] == NO_BOOK_YET

        assert "list of moves" in page.error("show_book", moves="C3")
        assert "move" in page.error("show_book", moves=[""])


def think(thinker: GoThinker, referee: GoReferee, strength: Strength) -> tuple[str, str]:
    """Return why a first move was chosen, and what went wrong."""
    ready = threading.Event()
    while thinker.preparation() != READY:
        ready.wait(0.05)
    question = Question(state=referee.start(), moves=(), color="black", strength=strength)
    answer = thinker.choose(question)
    return "\n".join(answer.lines), answer.notice


def test_what_one_game_learns_the_next_one_knows(tmp_path: Path) -> None:
    path = tmp_path / "book.sqlite"
    referee = GoReferee(agree(NewGame(size=5, komi=0.5)))
    options = Options(book=str(path), seed=1, threads=1, memory=50.0)
    first = GoThinker(referee, options)
    lines, notice = think(first, referee, Strength(simulations=150))
    assert ("The book has" in lines, notice) == (False, "")
    assert first.learn() == ""

    learned = show_book(path, ShowBook())
    assert learned.visits > 50  # It stops early where the choice is clear.

    # A level neither reads nor adds; what follows reads.
    second = GoThinker(referee, options)
    lines, _ = think(second, referee, Strength(level="12k"))
    assert "The book has" not in lines
    second.close()
    assert show_book(path, ShowBook()).visits == learned.visits
    third = GoThinker(referee, options)
    lines, _ = think(third, referee, Strength(simulations=150))
    assert "The book has" in lines
    for thinker in (first, third):
        thinker.close()
    assert show_book(path, ShowBook()).visits > learned.visits


def test_a_bad_book_is_told_once_and_play_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "book.sqlite"
    path.write_bytes(b"GIF89a" * 1000)
    referee = GoReferee(agree(NewGame(size=5, komi=0.5)))
    thinker = GoThinker(referee, Options(book=str(path), seed=1, threads=1, memory=50.0))
    lines, notice = think(thinker, referee, Strength(simulations=50))
    assert "another program" in notice
    assert notice.endswith(".")
    assert "another program" in lines
    _, notice = think(thinker, referee, Strength(simulations=50))
    assert notice == ""
    assert thinker.learn() == ""
    thinker.close()
    assert capsys.readouterr().err.count("another program") == 1
    assert path.read_bytes() == b"GIF89a" * 1000


@pytest.mark.parametrize(
    ("flags", "file"),
    [
        ((), "own/book.sqlite"),
        (("--book", "default"), "own/book.sqlite"),
        (("--book", "other.sqlite"), "other.sqlite"),
        (("--book", "off"), None),
    ],
)
def test_the_book_of_the_command_line(
    flags: tuple[str, ...], file: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path / "own"))
    arguments = build_parser(["play"]).parse_args(["play", "--with", "off", *flags])

    programs = _programs(arguments, options_from(arguments))

    assert programs.book == (None if file is None else tmp_path / file)
    assert programs.options is not None
    assert (programs.options.book is None) == (file is None)


def test_a_game_that_is_over_goes_into_the_book_once() -> None:
    thinker = FakeThinker()
    session = make_session(NewGame(size=5), thinker)
    page = Page(session)
    session.handle(Hint())
    page.wait(HintReply)
    assert thinker.learned == 0

    session.handle(Resign())
    thinker.wait_learned(1)
    session.handle(Undo())
    thinker.trouble = "The disk is full."
    session.handle(Resign())
    page.wait_state(lambda state: state.notice == "The disk is full.")

    assert thinker.learned == 2
    session.close()
