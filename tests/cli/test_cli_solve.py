"""``montego solve``: files, folders, words, JSON and records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from montego.cli.main import main
from montego.go.sgf.record import read_sgf_file

if TYPE_CHECKING:
    from pathlib import Path

# White's three points in a row in the upper left corner; the middle decides.
PROBLEM = (
    "(;GM[1]SZ[7]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]"
    "AB[ad][be][ce][df][fb]{};B[ba])"
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "three.sgf"
    path.write_text(PROBLEM.format(""), encoding="utf-8")
    return path


def solve(*words: object) -> int:
    return main(["solve", *map(str, words)])


def test_a_file_is_answered_in_words(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert solve(file) == 0
    said = capsys.readouterr().out
    assert said.startswith("three\nWhite's 5 stones at D7: dies if Black moves first (proven).")
    assert "B7 works" in said
    assert "If White moves first: lives" in said


def test_the_color_can_be_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert solve(file, "--to-move", "white", "--json") == 0
    (problem,) = json.loads(capsys.readouterr().out)["problems"]
    assert (problem["toMove"], problem["value"], problem["proven"]) == ("white", "lives", True)
    assert [move["move"] for move in problem["moves"] if move["works"]] == ["B7"]


def test_the_record_says_who_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "white.sgf"
    path.write_text(PROBLEM.format("PL[W]"), encoding="utf-8")
    assert solve(path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["problems"][0]["toMove"] == "white"


def test_a_folder_goes_on_after_what_cannot_be_read(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "broken.sgf").write_text("no record", encoding="utf-8")
    (file.parent / "empty.sgf").write_text("(;GM[1]SZ[9])", encoding="utf-8")
    assert solve(file.parent) == 0
    told = capsys.readouterr()
    assert "three\n" in told.out
    assert "broken.sgf" in told.err
    assert "empty: no problem of life and death" in told.err


def test_answers_are_written_as_records(file: Path, tmp_path: Path) -> None:
    assert solve(file, "--output", tmp_path / "answers") == 0
    record = read_sgf_file(tmp_path / "answers" / "three.sgf")
    assert record.root.children[0].comment == "Works."


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["missing.sgf"], "missing.sgf"),
        (["FILE", "--to-move", "green"], "green"),
        (["FILE", "--target", "A7"], "no stone"),
        (["FILE", "--seconds", "0"], "limits"),
        (["FILE", "--seconds", "nan"], "limits"),
        (["FILE", "--move", "-1"], "--move"),
        (["FILE", "--output", "FILE"], "a folder is wanted"),
        (["FILE", "--output", "FILE/answers"], "cannot write into FILE/answers: Not a directory"),
        (["FOLDER"], "no game records"),
    ],
)
def test_mistakes_are_one_line(
    words: list[str], complaint: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = file.parent / "folder"
    folder.mkdir()
    places = {"FILE": str(file), "FOLDER": str(folder)}
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
        complaint = complaint.replace(name, place)
    assert solve(*words) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert complaint in told.err
    assert len(told.err.splitlines()) == 1
