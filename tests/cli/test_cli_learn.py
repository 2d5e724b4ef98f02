"""``montego learn``: what it writes, goes on from, tells and refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from montego.cli.main import main
from montego.engine.options.options import Options
from montego.go.local_shape.weights import read_shapes_file

if TYPE_CHECKING:
    from pathlib import Path

MOVES = "C3 C2 D2 B2 C1 D3 D4 B3 B4 E3 E4 A4 A3 D1 C4 E2"


def learn(*words: object) -> int:
    return main(["learn", *map(str, words)])


def shapes(path: Path, *words: object) -> int:
    return learn("shapes", "--size", 5, "--komi", 0.5, "--output", path, *words)


def test_shapes_are_learned_told_drawn_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, drawing = tmp_path / "shapes.npz", tmp_path / "shapes.svg"
    assert shapes(path, "--games", 150, "--picture", drawing) == 0
    said = capsys.readouterr().out
    assert "A first stone" in said
    assert f"written: {path}, {drawing}" in said
    assert drawing.read_text(encoding="utf-8").startswith("<svg")
    assert shapes(path, "--games", 200, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 200
    assert found["latest"]["games"] == 50
    assert int(read_shapes_file(path).more["games"]) == 200
    # Nothing is left to do, and that is no error.
    assert shapes(path, "--games", 100, "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "games": 200,
        "latest": {},
        "files": [str(path)],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rate", 0], "invalid rate 0.0: say a number from 1e-06 to 10"),
        (["--size", 30], "invalid size 30: say a whole number from 5 to 19"),
        (["--output", "no/such/folder/x.npz"], "cannot write 'no/such/folder/x.npz'"),
        (["--picture", "no/such/folder/x.svg"], "cannot write 'no/such/folder/x.svg'"),
        (["--games", -1], "invalid games -1: say a number from 1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    words: list[object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "shapes.npz"
    assert shapes(path, *words) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"montego: {message}")
    assert said.count("\n") == 1
    assert not path.exists()


def test_a_file_of_something_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("dear diary", encoding="utf-8")
    assert shapes(path, "--games", 10) == 1
    assert "holds no weights of local shapes" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "dear diary"


def games(path: Path, count: int) -> Path:
    letters = "".join(
        f"{'abcde'['ABCDE'.index(v[0])]}{'edcba'[int(v[1:]) - 1]}" for v in MOVES.split()
    )
    line = json.dumps({"size": 5, "first": "B", "moves": letters})
    path.write_text(f"{line}\n" * count, encoding="utf-8")
    return path


def test_moves_are_learned_told_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, records = tmp_path / "moves.npz", games(tmp_path / "games.jsonl", 12)
    words = ["moves", records, "--size", 5, "--least", 2, "--output", path]
    assert learn(*words, "--passes", 1) == 0
    said = capsys.readouterr().out
    assert "Traits, and what each is worth in Elo:" in said
    assert "held back: 2 games, " in said
    assert learn(*words, "--passes", 3, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["done"], found["held_back"]["games"]) == (10, 30, 2)
    assert found["held_back"]["first"] > 0.5
    # What was written is what a player reads.
    assert Options().set("prediction", str(path)).prediction == str(path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "magic"], "invalid method 'magic': say one of gradient, mm"),
        (["--most", 0], "invalid most 0: say a number from 1"),
        (["--size", 9], "there is no game on 9x9 without handicap to learn from"),
    ],
)
def test_games_that_nothing_can_be_learned_from_are_refused_in_a_line(
    words: list[object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, records = tmp_path / "moves.npz", games(tmp_path / "games.jsonl", 3)
    assert learn("moves", records, "--size", 5, "--output", path, *words) == 1
    assert capsys.readouterr().err == f"montego: {message}\n"
    assert not path.exists()


def test_playouts_are_balanced_told_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, records = tmp_path / "balance.npz", games(tmp_path / "games.jsonl", 3)
    words = ["balance", records, "--size", 5, "--komi", 0.5, "--simulations", 5, "--output", path]
    words += ["--positions", 12, "--playouts", 4, "--batch", 4, "--imitation", 2]
    assert learn(*words, "--passes", 1) == 0
    said = capsys.readouterr().out
    assert "How much more likely it makes a move:" in said
    assert "learned from 11 positions\nheld back: 1 position, playouts off by" in said
    assert learn(*words, "--passes", 2, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["positions"], found["done"], found["held_back"]["positions"]) == (12, 22, 1)
    # What was written is what a player reads.
    assert Options().set("balance", str(path)).balance == str(path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--temperature", 0], "invalid temperature 0.0: say a number from 0.01 to 100"),
        (["--passes", -1], "invalid passes -1: say a number from 0"),
        (["--simulations", -1], "invalid simulations -1: say a number from 0"),
        (["--positions", 0], "invalid positions 0: say a number from 1"),
        (["--size", 5], "there is no network for 5x5 that could judge: say --simulations N, to"),
        (["--batch", 0], "invalid batch 0: say a whole number from 1 to 1000000"),
    ],
)
def test_playouts_that_cannot_be_balanced_are_refused_in_a_line(
    words: list[object], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "balance.npz"
    assert learn("balance", "--output", path, *words) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"montego: {message}")
    assert said.count("\n") == 1
    assert not path.exists()
