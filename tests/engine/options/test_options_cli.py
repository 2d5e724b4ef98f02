"""The player's flags: what they set, what wins, and what is said about mistakes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import pytest

from montego.cli.player_options import (
    COMMON,
    describe_options,
    flags_of,
    options_from,
    player_options,
)
from montego.engine.options.options import OPTIONS, InvalidOption, Options

if TYPE_CHECKING:
    from pathlib import Path


def parse(*arguments: str, **defaults: str) -> Options:
    parser = argparse.ArgumentParser()
    player_options(**defaults)(parser)
    return options_from(parser.parse_args(arguments))


def test_no_flags_are_the_defaults() -> None:
    assert parse() == Options()


def test_flags_set_options() -> None:
    options = parse(
        "--simulations", "100", "--seconds", "2.5", "--threads", "2", "--memory", "64",
        "--seed", "7", "--rules", "aga", "--komi", "-3.5", "--level", "5k", "--mode", "strict",
        "--resign", "off", "--ponder", "--name", "My Bot", "--log", "game.log", "--size", "13",
    )  # fmt: skip

    assert options == Options(
        simulations=100, seconds=2.5, threads=2, memory=64, seed=7, rules="aga", komi=-3.5,
        level="5k", mode="strict", resign=None, ponder=True, name="My Bot", log="game.log", size=13,
    )  # fmt: skip


def test_any_option_can_be_set_more_than_one_at_a_time() -> None:
    options = parse("--set", "rave-bias=0.5", "--set", "playout_ko = 0.25", "--set", "komi=0")

    assert options == Options(komi=0.0).replace(rave_bias=0.5, playout_ko=0.25)


def test_flags_win_over_the_file_and_the_file_over_the_command(tmp_path: Path) -> None:
    path = tmp_path / "player.toml"
    path.write_text('simulations = 50\nponder = true\nname = "File"\n', encoding="utf-8")
    options = parse(
        "--config", str(path), "--simulations", "9", "--no-ponder", name="Command", resign="off"
    )

    assert options == Options(simulations=9, ponder=False, name="File", resign=None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--threads", "none of them"], "invalid threads"),
        (["--set", "rave-bais=1"], "do you mean rave-bias"),
        (["--set", "votes"], "say NAME=VALUE"),
        (["--set", "=3"], "unknown option ''"),
        (["--config", "no/such/file.toml"], "No such file"),
    ],
)
def test_mistakes_are_one_sentence(arguments: list[str], message: str) -> None:
    with pytest.raises(InvalidOption, match=message):
        parse(*arguments)


def test_flags_can_be_had_back_from_options() -> None:
    options = Options(
        simulations=3, ponder=True, name="My Bot", resign=None, level="9k", komi=-0.5
    ).replace(rave_bias=0.5, amaf_opposite=True, selection="rave")

    assert parse(*flags_of(options)) == options
    assert flags_of(Options()) == []
    assert flags_of(parse("--no-ponder", ponder="true")) == []


def test_names_of_files_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert flags_of(Options(log="a.log")) == ["--log", str(tmp_path / "a.log")]
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert flags_of(Options(log="~/a.log")) == ["--log", str(tmp_path / "home" / "a.log")]


def test_a_command_may_leave_flags_out() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int)
    player_options(without=["size"])(parser)
    namespace = parser.parse_args(["--size", "7", "--seed", "1"])

    assert namespace.size == 7
    assert options_from(namespace) == Options(seed=1)


def test_help_shows_the_common_ones_and_their_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    player_options(resign="off")(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    shown = capsys.readouterr().out

    assert all(f"--{name}" in shown for name in COMMON)
    assert "(default off)" in " ".join(shown.split())


def test_the_list_explains_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parse("--list-options")

    assert left.value.code == 0
    assert capsys.readouterr().out == describe_options()
    assert all(f"  {option.name} (default " in describe_options() for option in OPTIONS)
