"""``montego console FILE.py``: a game of one's own, and what is said of a file that has none."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

import pytest

from montego.cli.commands.console import GameTable
from montego.cli.main import build_parser, main
from montego.cli.own_game import own_game
from own_games import NIM, taught

if TYPE_CHECKING:
    from pathlib import Path


def table_of(rules: str, folder: Path, *words: str) -> GameTable:
    """A table for a game in a file that is named like a module of Python's own."""
    file = folder / "random.py"
    file.write_text(rules, encoding="utf-8")
    options = ["--simulations=100", "--seed=1", *words]
    return GameTable(build_parser(["console"]).parse_args(["console", str(file), *options]))


def test_the_game_that_the_documentation_writes_is_played(tmp_path: Path) -> None:
    table = table_of(taught(), tmp_path)

    assert list(table.welcome()) == ["You are the first player. Type a move such as b2, or help."]
    assert table.picture() == ". . .\n. . .\n. . ."
    table.play("b2")
    assert table.answer().startswith("Montego plays ")
    assert table.picture().count("O") == 1
    assert "  I would play " in table.hint()
    table.undo()
    assert table.picture() == ". . .\n. . .\n. . ."


def test_a_game_without_names_and_picture_is_played_by_numbers(tmp_path: Path) -> None:
    table = table_of(NIM, tmp_path, "--color=second")

    (welcome,) = table.welcome()
    assert welcome.startswith("You are the second player. Type a move such as ")
    assert table.moves() == "  0 1 4 5 6 8 9 10 11"
    assert table.picture() == "[2 3 4 0]"
    # The second player can win: the first takes one from the first heap, and so on.
    while table.result() is None:
        if table.is_persons_turn():
            table.play(table.moves().split()[0])
        else:
            table.answer()
    assert table.result() == "Montego wins"
    assert table.moves() == "  none"


@pytest.mark.parametrize("said", ["foo", "b", "", "99", "c9"])
def test_what_is_no_move_is_told_with_an_example(said: str, tmp_path: Path) -> None:
    table = table_of(taught(), tmp_path)
    with pytest.raises(ValueError, match=r"invalid move .*: say one such as b2, or moves"):
        table.play(said)
    assert table.past == []


def test_a_game_that_is_not_compiled_takes_fewer_simulations(tmp_path: Path) -> None:
    file = tmp_path / "nim.py"
    file.write_text(NIM, encoding="utf-8")
    table = GameTable(build_parser(["console"]).parse_args(["console", str(file)]))
    assert table.search.config.simulations == 2_000


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("1 / 0", r"game\.py, line 1: ZeroDivisionError: division by zero"),
        ("\nimport nothing_of_the_kind", r"game\.py, line 2: ModuleNotFoundError: No module named"),
        ("\n\ndef game(:", r"game\.py, line 3: SyntaxError: "),
        ("raise SystemExit(3)", r"game\.py, line 1: SystemExit: 3"),
        ("rules = 1", r"has no 'game': end it with game = GameDefinition\(\.\.\.\)"),
        ("game = 1", r"'game' is no definition of a game"),
        (NIM.replace("int(state[PLAYED]) % 2", "0"), r"game\.py: nim: the same player is to move"),
        (
            NIM.replace("    state[move // MOST] -=", "    state[77] -="),
            r"game\.py, line 18: IndexError: index 77",
        ),
        (NIM.replace("move_count=HEAPS * MOST", "move_count=0"), "invalid move_count 0 of nim"),
    ],
)
def test_a_bad_file_is_told_in_one_line(
    rules: str, message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.py"
    file.write_text(rules, encoding="utf-8")
    assert main(["console", str(file)]) == 1
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert re.search(message, told.err)


def test_a_function_that_fails_in_the_middle_of_a_game_is_told_with_its_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.py"
    picture = "format_state=lambda state: 'ab'[2 * state[PLAYED]],\n    move_count"
    file.write_text(NIM.replace("move_count", picture, 1), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n"))
    assert main(["console", str(file), "--simulations=10"]) == 1
    told = capfd.readouterr().err
    assert "game.py, line 33: IndexError: string index out of range" in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["console", "no_such_file.py"], "there is no file no_such_file.py"),
        (["play", "no_such_file.py"], "there is no file no_such_file.py"),
        (["play", "hex"], "invalid game 'hex': say a file of Python with a game of your own"),
    ],
)
def test_a_game_that_is_not_there_is_told(
    words: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 1
    assert message in capfd.readouterr().err


def test_functions_that_keep_a_game_from_being_compiled_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "game.py"
    half = NIM.replace(
        "\n\ndef heap_moves", "\nfrom montego.jit import kernel\n\n\n@kernel\ndef heap_moves"
    )
    file.write_text(half, encoding="utf-8")
    assert not own_game(str(file)).is_compiled
    assert capfd.readouterr().err == (
        "montego: play and score of nim are not kernels, so the game runs interpreted: "
        "write @kernel above each def\n"
    )
    file.write_text(NIM, encoding="utf-8")
    own_game(str(file))
    assert capfd.readouterr().err == ""


def test_a_file_may_import_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "heaps_of_stones.py").write_text(NIM, encoding="utf-8")
    file = tmp_path / "game.py"
    file.write_text("from heaps_of_stones import game", encoding="utf-8")
    assert own_game(str(file)).name == "nim"
