"""What ``montego setup PROGRAM`` says to paste, read back as the programs read it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import MagicMock

import pytest

from montego.cli.commands import setup
from montego.cli.commands.gtp import PRESETS
from montego.cli.commands.setup import CLIENTS, montego_words
from montego.cli.main import main
from montego.engine import compilation
from montego.engine.options.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = ["/opt/montego/bin/montego", "gtp", "--level", "10k"]
BLANK = ["/opt/my programs/montego", "gtp", "--name", "My Bot"]

ONE_LINE: dict[str, Callable[[str], str]] = {
    "gogui": lambda text: field(text, "Command"),
    "katrain": lambda text: katrain_command(text).removeprefix("exec "),
    "lizzie": lambda text: json.loads("{" + quoted_line(text, "engine-command") + "}")[
        "engine-command"
    ],
    "cgos": lambda text: after(text, "CommandLine = "),
    "kgs": lambda text: after(text, "engine="),
}


def katrain_command(text: str) -> str:
    command = json.loads("{" + quoted_line(text, "altcommand") + "}")["altcommand"]
    assert isinstance(command, str)
    return command


def field(text: str, label: str) -> str:
    found = re.search(rf"^  {label}: +(.*)$", text, re.MULTILINE)
    assert found is not None
    return found[1]


def after(text: str, mark: str) -> str:
    return next(line.split(mark, 1)[1] for line in text.splitlines() if mark in line)


def quoted_line(text: str, key: str) -> str:
    return next(line for line in text.splitlines() if line.startswith(f'  "{key}"'))


@pytest.mark.parametrize("name", ONE_LINE)
def test_a_command_line_comes_apart_into_its_words(name: str) -> None:
    line = ONE_LINE[name](CLIENTS[name].describe(PLAIN))

    assert line.split(" ") == PLAIN


@pytest.mark.parametrize("name", ["gogui", "katrain", "lizzie"])
def test_programs_that_know_quotes_get_them(name: str) -> None:
    text = CLIENTS[name].describe(BLANK)

    assert shlex.split(ONE_LINE[name](text)) == BLANK
    assert "Warning" not in text


@pytest.mark.skipif(sys.platform == "win32", reason="its shell knows no exec")
def test_katrain_ends_montego_with_the_shell_that_it_has_started() -> None:
    words = [
        sys.executable,
        "-c",
        "import os, time; print(os.getpid(), flush=True); time.sleep(60)",
    ]
    command = katrain_command(CLIENTS["katrain"].describe(words))
    # A shell that has something left to do does not make way by itself.
    with subprocess.Popen(["/bin/sh", "-c", f"{command}\n:"], stdout=subprocess.PIPE) as shell:
        assert shell.stdout is not None
        running = int(shell.stdout.readline())
        shell.kill()

    assert running == shell.pid


@pytest.mark.parametrize("name", ["q5go", "cgos", "kgs"])
def test_programs_that_know_no_quotes_are_warned_about(name: str) -> None:
    assert "Warning" not in CLIENTS[name].describe(PLAIN)
    text = CLIENTS[name].describe(BLANK)

    assert "Warning" in text
    assert "ln -s '/opt/my programs/montego' ~/montego" in text


@pytest.mark.parametrize(("name", "label"), [("sabaki", "Path"), ("q5go", "Executable")])
def test_path_and_arguments_apart(name: str, label: str) -> None:
    text = CLIENTS[name].describe(PLAIN)

    assert field(text, label) == PLAIN[0]
    assert field(text, "Arguments").split(" ") == PLAIN[1:]


def test_ogs_takes_a_list_of_words() -> None:
    text = CLIENTS["ogs"].describe(BLANK)
    found = re.search(r"command: (\[.*\]) \}", text)

    assert found is not None
    assert json.loads(found[1]) == BLANK
    assert shlex.split(after(text, " -- ")) == BLANK


def test_backslashes_survive_a_properties_file() -> None:
    text = CLIENTS["kgs"].describe([r"C:\go\montego.exe", "gtp"])

    assert r"engine=C:\\go\\montego.exe gtp" in text


def test_windows_has_its_own_quotes_and_no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "WINDOWS", True)
    start = [r"C:\my go\montego.exe", "gtp"]

    assert r'"C:\my go\montego.exe" gtp' in CLIENTS["katrain"].describe(start)
    assert "ln -s" not in CLIENTS["q5go"].describe(start)
    assert "Warning" in CLIENTS["q5go"].describe(start)


# Where Montego is.


def test_the_command_is_found_beside_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "montego").touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))

    assert montego_words() == [str(tmp_path / "montego")]


def test_without_the_command_python_runs_the_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr("shutil.which", lambda _name: None)

    assert montego_words() == [str(tmp_path / "python"), "-m", "montego"]


# The command.


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Options]:
    """Return a list of the options that were compiled for; nothing is."""
    seen: list[Options] = []
    monkeypatch.setattr(compilation, "compile_player", seen.append)
    return seen


@pytest.mark.parametrize("name", CLIENTS)
def test_every_program_gets_an_absolute_path_and_its_options(
    name: str, compiled: list[Options], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", name, "--threads", "2"]) == 0
    shown = capsys.readouterr().out

    assert montego_words()[0] in shown
    assert Path(montego_words()[0]).is_absolute()
    assert "--threads" in shown
    assert ("analysis" if name == "katrain" else "gtp") in shown
    expected = Options(threads=2)
    for option, text in (*CLIENTS[name].options, *PRESETS.get(name, {}).items()):
        expected = expected.set(option, text)
    assert compiled == [expected]


def test_what_a_person_says_wins_over_what_a_program_wants(
    compiled: list[Options], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", "ogs", "--rules", "chinese", "--mode", "friendly"]) == 0

    assert compiled == [Options(ogs=True)]
    assert "gtp --ogs --rules chinese --mode friendly" in capsys.readouterr().out


@pytest.mark.parametrize("name", PRESETS)
def test_servers_are_told_by_their_flag(
    name: str, compiled: list[Options], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["setup", name, "--level", "10k"]) == 0

    shown = capsys.readouterr().out.replace('", "', " ")
    assert f"gtp --{name} --level 10k" in shown
    assert [options.mode for options in compiled] == [PRESETS[name]["mode"]]


def test_compiling_is_a_short_game_with_the_same_options(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[MagicMock] = []

    def make(options: Options) -> MagicMock:
        made.append(MagicMock(options=options))
        return made[-1]

    monkeypatch.setattr(compilation, "Player", make)
    compilation.compile_player(Options(seconds=60, ponder=True, rules="aga").replace(votes=3))

    [player] = made
    assert player.options.replace(memory=500.0) == Options(
        simulations=10, threads=1, rules="aga"
    ).replace(votes=3)
    # With a network it chooses in two ways, by the number of simulations.
    assert [call[0] for call in player.method_calls] == [
        "new_game",
        "genmove",
        "configure",
        "genmove",
        "final_score",
        "close",
    ]


def test_an_unknown_program_or_option_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["setup", "emacs"])
    assert "sabaki" in capsys.readouterr().err
    assert main(["setup", "sabaki", "--set", "bais=1"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("montego: unknown option 'bais'")


# Compiled code.


@pytest.mark.parametrize(
    ("folder", "trouble", "said"),
    [
        ("cache", None, "3 groups of kernels are compiled in cache\n"),
        (
            "cache",
            "No space left on device",
            (
                "3 groups of kernels are compiled in cache; nothing new can be kept there: "
                "No space left on device\n"
            ),
        ),
        (None, None, "3 groups of kernels are compiled, but there is no place to keep them\n"),
    ],
)
def test_what_is_damaged_is_compiled_anew_and_what_is_not_kept_is_said(
    folder: str | None,
    trouble: str | None,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    place = None if folder is None else Path(folder)
    steps: list[str] = []
    monkeypatch.setattr(setup, "cache_folder", lambda: place)
    monkeypatch.setattr(setup, "repair_cache", lambda _folder: steps.append("repaired"))
    monkeypatch.setattr(setup, "remove_stale_caches", lambda: steps.append("cleaned"))
    monkeypatch.setattr(setup, "write_trouble", lambda _folder: trouble)

    def compile_kernels(_progress: object) -> int:
        steps.append("compiled")
        return 3

    monkeypatch.setattr("montego.engine.compilation.compile_kernels", compile_kernels)

    assert main(["setup"]) == 0
    assert capsys.readouterr().out == said
    assert steps == ([] if folder is None else ["repaired"]) + ["compiled", "cleaned"]
