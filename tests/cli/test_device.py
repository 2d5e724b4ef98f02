"""``--device gpu`` and what ``montego doctor`` says of the GPU, with and without one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from montego.cli.commands import doctor
from montego.cli.main import main
from montego.jit.errors import DeviceError
from montego.jit.gpu import device

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have numba-cuda not installed, whatever is."""
    monkeypatch.setattr(device, "find_spec", lambda _name: None)
    device.load_cuda.cache_clear()
    yield
    device.load_cuda.cache_clear()


@pytest.mark.usefixtures("no_extra")
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_without_the_extra_a_line_says_how_to_install_it(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "playouts", "--device", "gpu", *more]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.strip().splitlines()
    assert lines[-1] == "montego: numba-cuda is not installed: pip install 'montego[gpu]'"


@pytest.mark.usefixtures("no_extra")
def test_the_doctor_says_why_there_is_no_gpu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.01)
    monkeypatch.setattr(doctor, "SIZES", (5,))

    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["gpu"] == "none: numba-cuda is not installed: pip install 'montego[gpu]'"
    assert "gpu_uniform_playouts_per_second" not in report


def test_an_unknown_device_is_a_wrong_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["bench", "playouts", "--device", "tpu"])
    assert left.value.code == 2
    assert "invalid choice: 'tpu'" in capsys.readouterr().err


@pytest.mark.cuda_simulator
def test_playouts_on_a_gpu_are_told_by_the_clock(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(device, "GAMES_PER_MULTIPROCESSOR", 2)
    words = ["bench", "playouts", "--device", "gpu", "--size", "2", "--playouts", "3"]

    assert main([*words, "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["playouts"] == 4
    assert (figures["device"], figures["gpu"]) == ("gpu", "Numba's simulator")
    assert figures["threads"] is None
    assert figures["playouts_per_second"] == pytest.approx(4 / figures["seconds"])
    assert "cpu_seconds" not in figures

    assert main(words) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("uniform playouts on 2x2, Numba's simulator, komi 7.5\n")
    assert "processor time" not in shown


@pytest.mark.cuda_simulator
def test_the_doctor_says_what_a_gpu_reaches(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(device, "GAMES_PER_MULTIPROCESSOR", 2)
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.01)
    monkeypatch.setattr(doctor, "SIZES", (2,))
    monkeypatch.setattr(doctor, "_search_speeds", lambda _network: {})

    main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["gpu"] == "Numba's simulator"
    assert report["gpu_uniform_playouts_per_second"]["2x2"] > 0


@pytest.mark.cuda_simulator
def test_the_doctor_goes_on_where_a_gpu_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(*_arguments: object, **_more: object) -> None:
        raise DeviceError("the GPU failed: it is gone")

    monkeypatch.setattr("montego.go.sampling.gpu.sample_on_gpu", gone)
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.01)
    monkeypatch.setattr(doctor, "SIZES", (2,))
    monkeypatch.setattr(doctor, "_search_speeds", lambda _network: {})

    main(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["gpu_uniform_playouts_per_second"] == "none: the GPU failed: it is gone"
