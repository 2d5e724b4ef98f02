"""``montego ladder``, and what console and arena add to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from montego.arena.record import Ending, GameRecord, PlayerRecord
from montego.cli.main import main
from montego.ladder.home import LadderGame, default_home

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path / "data"))


def run(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["ladder", *words]) == status
    shown = capsys.readouterr()
    return shown.err if status else shown.out


def arena_folder(path: Path, games: int, *, names: tuple[str, str] = ("Tiny", "12k")) -> Path:
    path.mkdir()
    lines = []
    for number in range(games):
        black, white = names if number % 2 == 0 else names[::-1]
        record = GameRecord(
            game=number,
            black=PlayerRecord(black),
            white=PlayerRecord(white),
            result="B+R" if number % 2 == 0 else "W+3.5",
            ending=Ending.SCORE,
            size=9,
            komi=7.5,
            rules="chinese",
            moves=(),
            started=f"2026-01-01T00:00:{number:02}+00:00",
        )
        lines.append(record.to_json() + "\n")
    (path / "games.jsonl").write_text("".join(lines), encoding="utf-8")
    return path


def test_nothing_yet(capsys: pytest.CaptureFixture[str]) -> None:
    assert "finish one against a level" in run(capsys, "show", status=1)
    assert json.loads(run(capsys, "show", "--json"))["players"] == {}


def test_a_player_of_the_arena_climbs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = arena_folder(tmp_path / "match", 4)
    assert run(capsys, "add", str(folder)).startswith("4 games added")
    assert run(capsys, "add", str(folder)).startswith("0 games added")
    found: dict[str, Any] = json.loads(run(capsys, "show", "--json"))["players"]
    (here,) = found["Tiny"]
    assert (here["games"], here["climbed"], here["next"]) == (4, "12k", "11k")
    assert here["elo"] > -255
    table = run(capsys, "show", "--player", "Tiny")
    assert "Tiny" in table
    assert "11k" in table


def test_who_met_no_level_is_not_added(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = arena_folder(tmp_path / "match", 2, names=("Tiny", "Other"))
    assert "nobody played against a level" in run(capsys, "add", str(folder), status=1)
    assert "cannot read" in run(capsys, "add", str(tmp_path / "nothing"), status=1)


def console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], said: str, *words: str
) -> str:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(said))
    assert main(["console", "--size=5", *words]) == 0
    return capsys.readouterr().out


def test_games_in_the_console_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    console(monkeypatch, capsys, "resign\nquit\n", "--level=30k")
    (lost,) = default_home().games()
    assert (lost.size, lost.rank, lost.color, lost.score) == (5, -30, "black", 0.0)
    assert not lost.helped
    console(monkeypatch, capsys, "resign\nquit\n", "--simulations=20")
    assert len(default_home().games()) == 1
    shown = console(monkeypatch, capsys, "level 20k\nc3\nlevel 25k\nresign\nquit\n", "--level=30k")
    assert "I play like about 30k; komi is 7.5." in shown
    assert [game.helped for game in default_home().games()] == [False, True]


def test_the_console_finds_an_opponent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    won = [
        LadderGame(id=str(number), time=1.0, size=5, rank=-20, color="black", score=1.0)
        for number in range(2)
    ]
    default_home().add(won)
    assert "like about 19k;" in console(monkeypatch, capsys, "quit\n", "--against=next")
    assert "like about 1" in console(monkeypatch, capsys, "quit\n", "--against=even")
    even = console(monkeypatch, capsys, "quit\n", "--level=30k", "--handicap=even")
    assert "You are white." in even
    assert "komi is 0.5" in even
    assert main(["console", "--handicap=even"]) == 1
    assert "name it with --level" in capsys.readouterr().err
    assert main(["console", "--against=even", "--level=9k"]) == 1
    assert "leave --level" in capsys.readouterr().err
