from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from montego.cli.main import main
from montego.train.errors import TrainError, check_installed
from montego.train.game import find_game
from montego.train.settings import TrainingSettings, read_settings

if TYPE_CHECKING:
    from pathlib import Path

RULES = """
import numpy as np
from montego.games.tic_tac_toe import tic_tac_toe

def game(size=3):
    if size != 3:
        raise ValueError("only three lines")
    return tic_tac_toe()
"""


@pytest.mark.parametrize(
    ("name", "size", "found"),
    [
        ("go", 7, "Go 7x7"),
        ("hex", 4, "hex"),
        ("tic-tac-toe", None, "tic-tac-toe"),
        ("montego.games.connect_four:connect_four", None, "connect-four"),
    ],
)
def test_a_game_is_found_by_its_name(name: str, size: int | None, found: str) -> None:
    assert find_game(name, size).name == found


def test_a_game_is_found_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my_own_rules.py"
    path.write_text(RULES)

    assert find_game(str(path)).name == "tic-tac-toe"
    with pytest.raises(TrainError, match="only three lines"):
        find_game(str(path), 4)


def test_a_game_that_shows_a_network_nothing_is_told_how_it_could(tmp_path: Path) -> None:
    path = tmp_path / "my_own_rules.py"
    path.write_text(
        "from dataclasses import replace\n"
        "from montego.games.tic_tac_toe import tic_tac_toe\n"
        "game = replace(tic_tac_toe(), features=None)\n"
    )

    with pytest.raises(TrainError, match=r"has no features: say .* features=default_features"):
        find_game(str(path))


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("chess", None, "unknown game 'chess': say one of go, tic-tac-toe"),
        ("tic-tac-toe", 4, "only one size"),
        ("go", 99, "99"),
        ("no/such/rules.py", None, "there is no file"),
        ("montego.games:GAMES", None, "no definition of a game"),
        ("montego.nothing:game", None, "No module named"),
    ],
)
def test_a_game_that_cannot_be_had_is_told_why(name: str, size: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        find_game(name, size)


def test_a_file_that_fails_is_told_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "broken_rules.py"
    path.write_text("1 / 0")
    with pytest.raises(TrainError, match="ZeroDivisionError: division by zero"):
        find_game(str(path))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("blocks", 0, "invalid blocks 0: say a whole number from 1 to 100"),
        ("rate", "fast", "invalid rate 'fast': say a number from 0 to 1"),
        ("compiled", 1, "invalid compiled 1: say True or False"),
    ],
)
def test_impossible_settings_are_named(name: str, value: Any, message: str) -> None:
    with pytest.raises(TrainError, match=message):
        TrainingSettings(**{name: value})


def test_settings_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text("minutes = 5\nsoft-policy = 8.0\n")

    assert read_settings(path) == {"minutes": 5, "soft_policy": 8.0}
    path.write_text("minute = 5\n")
    with pytest.raises(TrainError, match="unknown setting 'minute': say one of minutes, seed"):
        read_settings(path)


def test_what_is_missing_is_named_with_the_command_that_installs_it() -> None:
    check_installed("json")
    with pytest.raises(TrainError, match=r"needs no_such_one, which is missing: pip install 'mon"):
        check_installed("json", "no_such_one")


def test_help_loads_neither_pytorch_nor_numpy() -> None:
    code = (
        "import sys\nfrom montego.cli.main import main\n"
        "try: main(['train', '--help'])\n"
        "except SystemExit: pass\n"
        "sys.exit(any(name in sys.modules for name in ('torch', 'numpy', 'numba')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "--pause-after MINUTES" in done.stdout


WITH_TORCH = pytest.mark.skipif(
    "not __import__('importlib.util').util.find_spec('torch')",
    reason="PyTorch is missing: pip install 'montego[train]'",
)
FLAGS = ["--blocks", "1", "--channels", "8", "--batch", "16", "--rating", "0"]
FLAGS += ["--start", "20", "--cycle", "0.05"]
SHORT = ["--minutes", "0.02"]


@pytest.fixture
def selfplay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command play without a search, which is slow and enough."""
    from plain_selfplay import PlainSelfPlay

    monkeypatch.setattr(
        "montego.train.games.start.start_selfplay",
        lambda game, _settings, _device: PlainSelfPlay(game, games=2),
    )


@WITH_TORCH
@pytest.mark.usefixtures("selfplay")
def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    words = ["train", "tic-tac-toe", "--device", "cpu", "--output", str(folder)]

    assert main([*words, *FLAGS, "--minutes", "0.02"]) == 0
    told = capsys.readouterr()
    assert f"written: {folder / 'net.onnx'}" in told.out
    assert "1 blocks of 8 channels" in told.err
    assert "entropy" in told.err
    assert (folder / "charts.html").read_text().count("<svg") == 4

    assert main([*words, "--minutes", "0.03", "--json"]) == 0  # The other settings are known.
    told = capsys.readouterr()
    assert "goes on at minute 0." in told.err
    assert json.loads(told.out)["log"][-1]["minutes"] >= 0.03


@WITH_TORCH
@pytest.mark.usefixtures("selfplay")
@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--blocks", "0"], "invalid blocks 0"),
        (["--size", "5"], "only one size"),
        (["--sizes", "3,4"], "only one size"),
        (["--sizes", "3;4"], "invalid sizes '3;4': say, for example, 9,13,19"),
        (["--teacher", "nowhere"], "--teacher wants --teacher-minutes"),
        (["--teacher-minutes", "1"], "--teacher-minutes want --teacher, the folder of a run"),
        (["--teacher", "nowhere", "--teacher-minutes", "1"], "there is no run in nowhere"),
        (["--teacher", "here", "--records", "here"], "--teacher would have nothing to play"),
        (["--begin-with", "nowhere"], "there is no run in nowhere"),
        (["--config", "nowhere.toml"], "cannot read nowhere.toml"),
        (["--output", "/dev/null/run"], "cannot write into /dev/null/run"),
    ],
)
def test_a_wrong_command_is_told_why_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    flags: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["train", "tic-tac-toe", "--device", "cpu", *flags]) == 1
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1
    assert not (tmp_path / "nowhere").exists()


@WITH_TORCH
@pytest.mark.usefixtures("selfplay")
def test_the_command_trains_one_network_for_two_boards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    assert main(["train", "go", "--sizes", "4,3", *FLAGS, "--device", "cpu", *SHORT]) == 0
    told = capsys.readouterr()
    assert "Go 3x3 and Go 4x4, 1 blocks of 8 channels" in told.err
    assert (tmp_path / "go-3x3-4x4" / "net.onnx").exists()

    assert main(["network", "info", "go-3x3-4x4/net.onnx"]) == 0
    assert "3x3 to 4x4" in capsys.readouterr().out


@WITH_TORCH
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hex", "--sizes", "5,7", "--boards", "7-9"], "boards 7-9 leave out 5, which is trained"),
        (["go", "--sizes", "9,13", "--records", "x"], "records are learned for one board at a"),
    ],
)
def test_boards_that_do_not_go_together_are_told(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["train", *words, "--device", "cpu"]) == 1
    assert message in capsys.readouterr().err


@WITH_TORCH
@pytest.mark.usefixtures("selfplay")
def test_a_teacher_of_another_game_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = [*FLAGS, "--device", "cpu", "--minutes", "0.01"]
    assert main(["train", "tic-tac-toe", *words, "--output", "teacher"]) == 0
    capsys.readouterr()

    teacher = ["--teacher", "teacher", "--teacher-minutes", "1"]
    assert main(["train", "connect-four", *words, *teacher]) == 1
    told = capsys.readouterr().err
    assert "the run in teacher is for another game or board (game connect-four, not tic-" in told
    assert told.count("\n") == 1


@WITH_TORCH
def test_training_needs_only_numpy_numba_and_pytorch(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "for name in ('msgspec', 'rich', 'sgfmill', 'starlette', 'onnxruntime'):\n"
        "    sys.modules[name] = None\n"
        "import montego.train.games.start\n"
        "from plain_selfplay import PlainSelfPlay\n"
        "montego.train.games.start.start_selfplay = lambda game, *_: PlainSelfPlay(game, games=1)\n"
        "from montego.train.game import find_game\n"
        "assert find_game('go', 5).features is not None\n"
        "from montego.train.__main__ import main\n"
        "sys.exit(main())"
    )
    words = ["tic-tac-toe", "--device", "cpu", "--output", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-c", code, *words, *FLAGS[:8], "--minutes", "0.01"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert done.returncode == 0, done.stderr
    assert f"written: {tmp_path / 'net.onnx'}" in done.stderr
