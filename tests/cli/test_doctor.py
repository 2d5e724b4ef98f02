"""What ``montego doctor`` finds, beyond what the tests of the command line ask of it."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from montego.cli.commands import doctor
from montego.cli.commands.setup import montego_words
from montego.cli.main import main
from montego.jit.cache import CacheReport
from places import ROOT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.01)
    monkeypatch.setattr(doctor, "SIZES", (5, 7))


@pytest.mark.usefixtures("quick")
def test_the_speed_of_the_search_is_that_of_the_default_player(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)

    assert set(report["search_simulations_per_second"]) == {"5x5", "7x7"}
    assert min(report["search_simulations_per_second"].values()) > 0
    assert report["network_simulations_per_second"] == {}
    assert report["command"] == " ".join(montego_words())
    assert "terminal" in report["terminal"]


def test_every_dependency_is_named_with_its_least_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = dict(one.split(">=") for one in project["dependencies"])
    extras = {
        re.split(r"[\[>]", one)[0]: extra
        for extra, ones in project["optional-dependencies"].items()
        for one in ones
        if extra != "dev"
    }

    assert needed == doctor.LIBRARIES
    assert extras == doctor.EXTRAS


def test_a_library_that_is_too_old_is_told_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "LIBRARIES", {"numpy": "2.0", "rich": "1000.0"})

    assert main(["doctor", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)["too_old"]
    assert re.fullmatch(r"rich [\d.]+, and Montego wants 1000\.0 or later", told)


@pytest.mark.usefixtures("quick")
def test_what_an_extra_brings_is_no_fault_if_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "EXTRAS", {"no-such-thing": "train"})

    assert main(["doctor"]) == 0
    assert "  no-such-thing missing (pip install 'montego[train]')\n" in capsys.readouterr().out


def test_programs_are_found_under_any_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = tmp_path / "google-chrome"
    browser.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert doctor.find_program(doctor.PROGRAMS["chromium"][0]) == str(browser)
    assert doctor.find_program(["no-such-program"]) is None


@pytest.mark.usefixtures("quick")
def test_a_missing_program_is_no_fault_but_its_use_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "find_program", lambda _names: None)

    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "gnugo         missing (an opponent for matches" in shown
    assert "search simulations per second\n" in shown


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("found", "said"),
    [
        (CacheReport(files=7, damaged=0, trouble=None), "7 files"),
        (CacheReport(files=7, damaged=2, trouble=None), "7 files; 2 damaged ones removed"),
        (
            CacheReport(files=7, damaged=0, trouble="No space left on device"),
            "7 files; nothing new can be kept: No space left on device",
        ),
    ],
)
def test_compiled_code_is_looked_at_and_repaired(
    found: CacheReport,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(doctor, "repair_cache", lambda _folder: found)

    assert main(["doctor"]) == 0
    assert f"cache files     {said}\n" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cache_files"] == said


@pytest.mark.usefixtures("quick")
def test_that_there_is_no_place_for_compiled_code_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "cache_folder", lambda: None)

    assert main(["doctor"]) == 0
    assert "cache           none: no folder can be written" in capsys.readouterr().out
