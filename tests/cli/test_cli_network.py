"""``montego network``: what it shows, what it finds, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.cli.main import main
from montego.engine.knowledge.features import go_features
from montego.games.hex import hex_game
from montego.network import network as networks
from montego.network.errors import NetworkError
from small_networks import small_network

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.onnx"
    training = {"games": 12, "hours": 0.5}
    network = small_network(go_features(5))
    path.write_bytes(network.file(komi=(5.5, 7.5), training=training, licence="Apache-2.0"))
    return path


def told(capsys: Any, *words: object) -> tuple[int, str, str]:
    status = main(["network", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


def test_info_tells_what_a_network_is(small: Path, capsys: Any) -> None:
    status, out, err = told(capsys, "info", small)
    assert (status, err) == (0, "")
    for text in ("go, 5x5", "16 planes", "5.5 to 7.5", "Apache-2.0", "float32", "2 Conv"):
        assert text in out
    found = json.loads(told(capsys, "info", small, "--json")[1])
    assert found["game"] == "go"
    assert found["training"] == {"games": 12, "hours": 0.5}
    assert found["bytes"] == small.stat().st_size


def test_test_says_that_a_network_works(small: Path, capsys: Any) -> None:
    status, out, _ = told(capsys, "test", small, "--positions", 10)
    assert status == 0
    assert out.endswith("it works\n")
    found = json.loads(told(capsys, "test", small, "--positions", 10, "--json")[1])
    assert found["works"] is True
    assert found["positions"] == 10
    assert found["failures"] == 0
    assert 0 < found["value"] < 1
    assert found["symmetry_spread"] > 0


def test_test_says_that_a_network_answers_no_numbers(tmp_path: Path, capsys: Any) -> None:
    network = small_network(go_features(5))
    network.weights["outcome"][...] = np.nan
    path = tmp_path / "broken.onnx"
    path.write_bytes(network.file())
    status, out, _ = told(capsys, "test", path, "--positions", 3)
    assert status == 1
    assert out.endswith("it does NOT work\n")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--positions", 0], "invalid --positions: say a number from 1 to 100000"),
        (["--seed", -1], "invalid --seed: say a number from 0 on"),
    ],
)
def test_test_tries_at_least_something(
    small: Path, capsys: Any, flags: list[object], message: str
) -> None:
    assert told(capsys, "test", small, *flags) == (1, "", f"montego: {message}\n")


def test_a_rounded_network_is_written_and_works(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "rounded.onnx"
    status, out, _ = told(capsys, "round", small, output, "--positions", 40)
    assert status == 0
    assert "the same best move in" in out
    assert told(capsys, "test", output, "--positions", 3)[0] == 0
    assert json.loads(told(capsys, "info", output, "--json")[1])["kind"] == "int8"

    status, _, err = told(capsys, "round", output, tmp_path / "again.onnx")
    assert (status, err.count("\n")) == (1, 1)
    assert "has weights of int8 already" in err


@pytest.mark.parametrize(
    ("output", "flags", "message"),
    [
        ("small.onnx", [], "cannot take the place of the one it is made from"),
        ("link.onnx", [], "cannot take the place of the one it is made from"),
        ("missing/rounded.onnx", [], "cannot write"),
        (".", [], "it is a folder"),
        ("rounded.onnx", ["--positions", 0], "invalid --positions"),
        ("rounded.onnx", ["--seed", -1], "invalid --seed"),
    ],
)
def test_what_cannot_be_rounded_is_refused_before_any_game(
    small: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Any,
    output: str,
    flags: list[object],
    message: str,
) -> None:
    monkeypatch.setattr("montego.network.samples.sample_states", None)
    link = small.with_name("link.onnx")
    link.symlink_to(small)
    before = small.read_bytes()

    status, _, err = told(capsys, "round", small, small.parent / output, *flags)

    assert (status, err.count("\n")) == (1, 1)
    assert message in err
    assert small.read_bytes() == before
    assert set(small.parent.iterdir()) == {small, link}


def test_rounding_that_fails_leaves_what_was_there(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def fail(*_: object) -> None:
        raise NetworkError("it answers no numbers")

    monkeypatch.setattr("montego.network.samples.sample_states", fail)
    output = small.with_name("rounded.onnx")
    output.write_bytes(b"of yesterday")

    assert told(capsys, "round", small, output)[0] == 1

    assert output.read_bytes() == b"of yesterday"
    assert set(small.parent.iterdir()) == {small, output}


@pytest.mark.parametrize("way", ["C", "Python"])
def test_bench_reports_evaluations_a_second(small: Path, capsys: Any, way: str) -> None:
    words = ("bench", small, "--seconds", 0.2, "--threads", 2, "--by", way, "--json")
    status, out, _ = told(capsys, *words)
    found = json.loads(out)
    assert status == 0
    assert found["way"] == way
    assert found["evaluations"] > 0
    assert found["evaluations_per_second"] == found["evaluations"] / found["seconds"]
    assert found["evaluations_per_cpu_second"] == found["evaluations"] / found["cpu_seconds"]


def test_default_is_the_network_that_comes_along(
    small: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(networks, "NETS", small.parent)
    small.rename(small.parent / "go-5.onnx")
    assert told(capsys, "info", "default", "--size", 5)[0] == 0
    status, out, err = told(capsys, "info", "default", "--size", 7)
    assert (status, out) == (1, "")
    assert err == "montego: no network for Go 7x7 comes with Montego\n"
    assert told(capsys, "info", "default", "--game", "hex")[0] == 1
    assert "unknown game 'chess'" in told(capsys, "info", "default", "--game", "chess")[2]


def test_networks_of_other_games_are_tried_on_them(tmp_path: Path, capsys: Any) -> None:
    features = hex_game(5).features
    assert features is not None
    path = tmp_path / "hex.onnx"
    path.write_bytes(small_network(features).file())
    assert told(capsys, "test", path, "--positions", 5)[0] == 0


@pytest.mark.parametrize("verb", ["info", "test", "bench"])
def test_what_is_no_network_is_refused_in_a_line(verb: str, small: Path, capsys: Any) -> None:
    text = small.parent / "text"
    text.write_text("hello")
    unknown = small.parent / "unknown.onnx"
    unknown.write_bytes(small_network(go_features(5)).file(game="chess"))
    cases: list[tuple[tuple[object, ...], str]] = [
        ((text,), "it is no ONNX model, or damaged"),
        ((small.parent / "none",), "there is no network"),
        ((unknown,), "unknown game 'chess'"),
        ((small, "--size", 9), "it is for 5x5, not for 9x9"),
    ]
    for words, reason in cases:
        status, out, err = told(capsys, verb, *words)
        assert (status, out) == (1, "")
        assert reason in err
        assert len(err.splitlines()) == 1
