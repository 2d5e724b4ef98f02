"""The home of results: many writers, nothing rewritten, nothing lost."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from montego.go.vocabulary.errors import GoError
from montego.ladder.home import Home, LadderGame, default_home

if TYPE_CHECKING:
    from pathlib import Path


def game(name: str, score: float | None, time: float = 1.0, player: str = "you") -> LadderGame:
    return LadderGame(
        id=name, time=time, player=player, size=9, rank=-12, color="black", score=score
    )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "deep" / "ladder.jsonl")


def test_games_come_back_the_oldest_first(home: Home) -> None:
    assert home.games() == []
    home.add([game("b", 1.0, 2.0), game("a", 0.0, 1.0), game("c", 0.5, 3.0, "GNU Go")])
    assert [one.id for one in home.games()] == ["a", "b", "c"]
    assert [one.id for one in home.games("GNU Go")] == ["c"]
    home.add([])


def test_a_result_is_replaced_and_taken_back(home: Home) -> None:
    home.add([game("a", 1.0)])
    home.add([game("a", None)])
    assert home.games() == []
    home.add([game("a", 0.0)])
    assert [one.score for one in home.games()] == [0.0]


def test_damaged_lines_are_passed_over(home: Home) -> None:
    home.add([game("a", 1.0)])
    with home.file.open("ab") as file:
        file.write(b'{"id": 3}\n\xff\n{"id":"half')
    home.add([game("b", 1.0)])
    assert [one.id for one in home.games()] == ["a", "b"]


def test_many_add_at_the_same_time(home: Home) -> None:
    def add(writer: int) -> None:
        for number in range(30):
            Home(home.file).add([game(f"{writer} {number}", 1.0)])

    threads = [threading.Thread(target=add, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(home.games()) == 120


def test_what_cannot_be_kept_is_said_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(GoError, match="the result cannot be kept in"):
        Home(tmp_path / "file" / "ladder.jsonl").add([game("a", 1.0)])
    with pytest.raises(GoError, match="cannot be read"):
        Home(tmp_path).games()


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path))
    assert default_home().file == tmp_path / "ladder.jsonl"
