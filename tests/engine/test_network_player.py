"""The player with the network that comes along: it plays, says why, and refuses other files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego import Options, Player
from montego.cli.main import main
from montego.jit import compile_off
from montego.network.network import find_network

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(compile_off(), reason="takes long interpreted")


def options(simulations: int = 8, **more: object) -> Options:
    return Options(size=9, network="default", simulations=simulations, threads=1, seed=1).replace(
        **more  # type: ignore[arg-type]
    )


def test_networks_come_along_for_9x9_to_19x19() -> None:
    own = find_network("go", (9, 9))
    larger = find_network("go", (13, 13))
    assert own is not None
    assert larger is not None
    assert own != larger
    assert find_network("go", (19, 19)) == larger
    assert find_network("go", (7, 7)) is None
    assert options().network_path(9) == str(own)
    assert options().network_path(13) == str(larger)
    assert options().network_path(7) is None


def test_one_simulation_is_the_networks_own_opinion() -> None:
    player = Player(options(1))
    try:
        decision = player.genmove("black")
        # Every strong player begins in the middle of so small a board, or beside it.
        assert decision.vertex in {"E5", "E4", "E6", "D5", "F5", "C4", "C5", "C6", "G4", "G5", "G6"}
        assert decision.analysis is not None
    finally:
        player.close()


def test_it_plays_both_colors_and_says_why() -> None:
    player = Player(options(24))
    try:
        for color in ("black", "white") * 3:
            decision = player.genmove(color)
            assert decision.vertex not in ("pass", "resign")
        assert player.explain().startswith("White plays")
        assert len(player.game.moves) == 6
    finally:
        player.close()


def test_the_same_seed_plays_the_same_game() -> None:
    games = []
    for _ in range(2):
        player = Player(options(12))
        try:
            games.append([player.genmove(color).vertex for color in ("black", "white") * 2])
        finally:
            player.close()
    assert games[0] == games[1]


def test_a_file_that_is_no_network_is_refused_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "net.onnx"
    path.write_bytes(b"not a network")

    assert main(["gtp", "--network", str(path)]) == 1
    assert capsys.readouterr().err == f"montego: {path}: it is no ONNX model, or damaged\n"


def test_without_onnxruntime_it_plays_as_without_a_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = find_network("go", (9, 9))
    assert own is not None
    path = tmp_path / "net.onnx"  # Another path: what was opened before is kept.
    path.write_bytes(own.read_bytes())
    monkeypatch.setattr("montego.network.runtime.find_spec", lambda _name: None)
    player, classical = Player(options(10, network=str(path))), Player(options(10, network=None))
    try:
        decision, wanted = player.genmove("black"), classical.genmove("black")
    finally:
        player.close()
        classical.close()
    assert decision.vertex == wanted.vertex
    assert decision.analysis is not None
    assert decision.analysis.network_value is None
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("montego: playing without a network: ")
    assert said.endswith("networks need onnxruntime, which is not installed\n")


def test_a_handicap_game_is_played_by_the_true_komi() -> None:
    player = Player(options(24))
    try:
        player.place_handicap(4)
        with player.alone() as game:
            game.komi = 0.5
        for color in ("white", "black", "white"):
            decision = player.genmove(color)
            assert decision.is_move
            assert decision.vertex != "pass"
            assert decision.analysis is not None
            assert decision.analysis.imagined == 0.0
    finally:
        player.close()
