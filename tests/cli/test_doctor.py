"""What ``montego doctor`` finds, beyond what the tests of the command line ask of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from montego.cli import doctor
from montego.cli.main import main
from montego.cli.setup import montego_words

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
    assert report["command"] == " ".join(montego_words())
    assert "terminal" in report["terminal"]


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
