"""Teaching a book: by self-play, by a long search, from a position, and until Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from book_samples import game_of, write_book
from montego.book.errors import BookError, BookLocked
from montego.book.opening_tree import known_position
from montego.book.store import Book
from montego.cli.main import main
from montego.engine.book_learning import BookTeacher, Learned, LessonPlan, stranger_to
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from pathlib import Path

    from montego.engine.decision import Decision

SMALL = ["--size", "5", "--komi", "0.5", "--simulations", "60", "--threads", "1", "--memory", "16"]


def learn(path: Path, *words: str, status: int = 0) -> None:
    assert main(["book", "learn", "--book", str(path), *SMALL, *words]) == status


def player_for(path: Path, depth: int) -> Player:
    return Player(
        Options(
            size=5, komi=0.5, simulations=60, threads=1, memory=16, seed=1, resign=None,
            book=str(path), book_depth=depth,
        )
    )  # fmt: skip


def teach(path: Path, moves: str = "", depth: int = 3, **lesson: float) -> list[Learned]:
    """Let a player learn from a position; return the reports."""
    reports: list[Learned] = []
    player = player_for(path, depth)
    stranger = Player(stranger_to(player.options))
    assert player.prepare(600)

    def report(learned: Learned) -> None:
        reports.append(Learned(**vars(learned)))

    teacher = BookTeacher(
        player,
        stranger,
        game_of(moves),
        LessonPlan(**lesson),  # type: ignore[arg-type]
        is_stopped=lambda: False,
        report=report,
    )
    teacher.play()
    player.close()
    stranger.close()
    return [*reports, teacher.learned]


def test_games_are_played_as_deep_as_the_book_is_and_left(tmp_path: Path) -> None:
    reports = teach(tmp_path / "b.sqlite", games=3)

    assert (reports[-1].games, reports[-1].moves) == (3, 12)
    assert reports[-1].positions > 3
    parts = [report.part for report in reports]
    assert parts == sorted(parts)
    assert parts[-1] == pytest.approx(1.0)
    with Book.open(tmp_path / "b.sqlite", create=False) as book:
        found = book.statistics()
        assert book.check() == []
    assert 1 <= found.games <= 3  # Those that told of something new.
    assert [one.settings.size for one in found.settings] == [5]
    assert found.settings[0].deepest <= 3


def test_the_book_knows_the_moves_that_were_looked_at(tmp_path: Path) -> None:
    teach(tmp_path / "b.sqlite", "C3", games=1)

    with Book.open(tmp_path / "b.sqlite", create=False) as book:
        known = known_position(book, game_of("C3"))
        assert known_position(book, game_of("")) is None
    assert known is not None
    assert known.visits >= 30
    assert sum(move.visits for move in known.moves) <= known.visits


def test_variety_leads_to_other_positions(tmp_path: Path) -> None:
    teach(tmp_path / "same.sqlite", games=6, depth=4, variety=0)
    teach(tmp_path / "other.sqlite", games=6, depth=4, variety=50)

    counts = []
    for name in ("same.sqlite", "other.sqlite"):
        with Book.open(tmp_path / name, create=False) as book:
            counts.append(book.statistics().positions)
    assert counts[1] > counts[0]


def test_one_color_plays_by_the_book_and_a_stranger_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose = Player.choose
    asked: list[tuple[str, int]] = []

    def choose_and_tell(player: Player) -> Decision:
        decision = choose(player)
        who = "stranger" if player.options.book is None else "player"
        asked.append((who, len(player.game.moves)))
        return decision

    monkeypatch.setattr(Player, "choose", choose_and_tell)
    teach(tmp_path / "b.sqlite", games=2, depth=3)

    first = [("player", 0), ("stranger", 1), ("player", 2), ("stranger", 3)]
    second = [("stranger", 0), ("player", 1), ("stranger", 2), ("player", 3)]
    assert asked == first + second

    # The first game is about the position that one begins with, whoever is to move.
    asked.clear()
    teach(tmp_path / "b.sqlite", "C3", games=1, depth=2)
    assert asked == [("player", 1), ("stranger", 2)]


def test_a_stranger_asks_neither_book_nor_adviser() -> None:
    options = Options(book="b.sqlite", with_="gnugo --mode gtp", seed=2**63 - 1)
    stranger = stranger_to(options.replace(early_stop=False))
    assert (stranger.book, stranger.with_) == (None, None)
    assert stranger.search_config(9).early_stop
    assert stranger.seed not in (None, options.seed)


def test_what_a_stranger_thinks_is_not_kept(tmp_path: Path) -> None:
    teach(tmp_path / "b.sqlite", games=1, depth=0)
    with Book.open(tmp_path / "b.sqlite", create=False) as book:
        before = known_position(book, game_of(""))
    teach(tmp_path / "b.sqlite", games=2, depth=0)
    with Book.open(tmp_path / "b.sqlite", create=False) as book:
        after = known_position(book, game_of(""))
    # One more search by the player, from what it knew, and one by the stranger.
    assert before is not None
    assert after is not None
    assert before.visits < after.visits <= before.visits + 60


@pytest.mark.parametrize("passes", [True, False])
def test_a_lesson_ends_where_nobody_wants_to_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passes: bool
) -> None:
    choose = Player.choose
    asked: list[str] = []

    def choose_or_pass(player: Player) -> Decision:
        decision = choose(player)
        asked.append("stranger" if player.options.book is None else "player")
        if passes or asked[-1] == "player":
            return replace(decision, vertex="pass")
        return decision

    monkeypatch.setattr(Player, "choose", choose_or_pass)
    learned = teach(tmp_path / "b.sqlite", games=2, depth=1)[-1]
    if passes:
        assert (learned.games, asked) == (0, ["player", "stranger"])
    else:
        assert learned.games == 2  # Those that the stranger began.


def test_a_player_with_a_book_plays_its_best_moves_in_a_lesson(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose, play = Player.choose, Player.play
    best: list[str | None] = []
    departures: dict[int, set[bool]] = {0: set(), 1: set()}  # By color: best, or not.

    def choose_and_tell(player: Player) -> Decision:
        decision = choose(player)
        best.append(decision.vertex)
        return decision

    def play_and_compare(player: Player, color: str, vertex: str) -> None:
        departures[len(player.game.moves) % 2].add(vertex == best[-1])
        play(player, color, vertex)

    monkeypatch.setattr(Player, "choose", choose_and_tell)
    monkeypatch.setattr(Player, "play", play_and_compare)
    teach(tmp_path / "b.sqlite", games=1, depth=9, variety=50)

    assert departures[0] == {True}  # Black has the book in the first game.
    assert False in departures[1]


@pytest.mark.parametrize("wrong", [{"games": 0}, {"seconds": 0.0}, {"variety": -1.0}])
def test_senseless_lessons_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(GoError, match=r"[0-9]|nothing"):
        LessonPlan(**wrong)  # type: ignore[arg-type]


def test_learn_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "b.sqlite"
    learn(path, "C3", "--games", "2", "--depth", "3", "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["moves"]) == (2, 6)
    with Book.open(path, create=False) as book:
        assert 0 < book.statistics().positions <= found["positions"]

    learn(path, "--search", "--minutes", "0.003")
    shown = capsys.readouterr().out
    assert re.fullmatch(
        rf"[1-9][0-9]* positions? learned; the book is {re.escape(str(path))}\n", shown
    )
    with Book.open(path, create=False) as book:
        known = known_position(book, game_of(""))
    assert known is not None
    assert known.visits > 60


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--games", "0"), "cannot learn from 0 games"),
        (("--minutes", "0"), "cannot learn for 0 minutes"),
        (("--search", "--games", "3"), "a search has no games"),
        (("C3", "C3"), "illegal move white C3"),
        (("C3", "B2", "D4", "--depth", "2"), "say a greater --depth"),
        (("pass", "pass"), "the game is over"),
        (("--variety", "-1"), "invalid variety"),
        (("--from", "none.sgf"), "leave the options out"),
    ],
)
def test_mistakes_are_explained_and_make_no_book(
    tmp_path: Path, words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(tmp_path / "b.sqlite", *words, status=1)

    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_bad_book_is_refused_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "b.sqlite"
    path.write_text("Dear diary\n" * 20)
    learn(path, "--games", "1", status=1)
    assert "another program wrote that file" in capsys.readouterr().err
    assert path.read_text() == "Dear diary\n" * 20

    learn(tmp_path / "no" / "b.sqlite", "--games", "1", status=1)
    assert "there is no such folder" in capsys.readouterr().err


def test_a_book_that_breaks_meanwhile_ends_the_lesson(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_arguments: object, **_options: object) -> None:
        raise BookError("no room is left on the disk for the book b.sqlite")

    monkeypatch.setattr(Book, "merge", fail)
    learn(tmp_path / "b.sqlite", "--games", "5", "--depth", "2", status=1)
    shown = capsys.readouterr()

    assert shown.err.startswith("montego: no room is left on the disk for the book b.sqlite")
    assert shown.out == ""


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent by other means there")
def test_a_book_that_others_write_is_waited_for_and_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montego.engine.book.PATIENCE", 0.05)
    monkeypatch.setattr("montego.cli.commands.book.PATIENCE", 0.4)
    path = tmp_path / "book.sqlite"
    Book.open(path).close()
    words = ("--games", "1", "--depth", "1")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    learn(path, *words, status=1)
    shown = capsys.readouterr()
    assert "0 positions learned" in shown.out
    assert shown.err.startswith("montego: another program has been writing into the book ")
    assert shown.err.endswith(" for too long; what was found since is lost\n")
    other.execute("ROLLBACK")
    other.close()

    merge, tries = Book.merge, iter(range(3))

    def busy(book: Book, *news: Any, **more: Any) -> None:
        if next(tries, None) is not None:
            raise BookLocked("the book is busy")
        merge(book, *news, **more)

    monkeypatch.setattr(Book, "merge", busy)
    monkeypatch.setattr("montego.cli.commands.book.PATIENCE", 60.0)
    learn(path, *words)
    shown = capsys.readouterr()
    assert "0 positions learned" not in shown.out
    assert shown.err == ""
    with Book.open(path) as book:
        assert book.statistics().positions > 0


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_who_ends_it_keeps_what_was_learned(
    number: signal.Signals, status: int, tmp_path: Path
) -> None:
    path = tmp_path / "b.sqlite"
    write_book(path, {"E5": (1.0, 1.0)}, size=9)
    command = [sys.executable, "-m", "montego", "book", "learn", "--book", str(path), *SMALL]
    with subprocess.Popen(
        [*command, "--depth", "3", "--minutes", "30"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 300
        with Book.open(path, create=False, read_only=True) as book:
            while book.statistics().games < 2:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.05)
        process.send_signal(number)
        shown, complaints = process.communicate(timeout=60)

    assert process.returncode == status
    assert "Traceback" not in complaints
    assert " positions learned; the book is " in shown
    with Book.open(path, create=False) as book:
        assert book.check() == []
        assert book.statistics().positions > 2
