"""Records of games that others have played: what is read, and what positions tell of them."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")

from montego.engine.knowledge.definition import go_game  # noqa: E402
from montego.engine.knowledge.features import go_features  # noqa: E402
from montego.go import Game  # noqa: E402
from montego.jit import interpreted  # noqa: E402
from montego.network.judge import Judge  # noqa: E402
from montego.network.network import Network  # noqa: E402
from montego.train.errors import TrainError  # noqa: E402
from montego.train.games.files import HELD_BACK, RecordedGame, read_records  # noqa: E402
from montego.train.games.records import Replay  # noqa: E402
from montego.train.session import boards_of  # noqa: E402

if TYPE_CHECKING:
    from pathlib import Path

    from montego.mcts import GameDefinition


def small_go() -> GameDefinition:
    """Go on 5x5, interpreted: to compile takes longer than to play."""
    game = go_game(5)
    legal_moves: Any = game.legal_moves
    return replace(game, legal_moves=interpreted(legal_moves))


def line(**changed: Any) -> str:
    game = {"size": 5, "komi": "7.5", "result": "B+R", "first": "B", "moves": "ccbb--dd"}
    return json.dumps(game | changed) + "\n"


def nobody(_planes: Any) -> tuple[Any, Any]:
    raise AssertionError


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_json_lines_with_a_winner_on_an_even_board_are_read(tmp_path: Path, name: str) -> None:
    text = line() * HELD_BACK + line(size=9) + line(ab="cc", first="W") + line(result="?")
    text += line(komi="-30") + line(result="W+2.5", komi=None)
    opener: Any = gzip.open if name.endswith("gz") else open
    with opener(tmp_path / name, "wt") as file:
        file.write(text)

    records = read_records([tmp_path / name], 5)

    assert len(records) == HELD_BACK + 1
    assert records[0].cells.tolist() == [12, 6, 25, 18]
    assert (records[0].winner, records[0].komi) == (0, 7.5)
    assert (records[-1].winner, records[-1].komi) == (1, 0.0)


def test_folders_of_sgf_files_are_read(tmp_path: Path) -> None:
    for number in range(HELD_BACK):
        (tmp_path / f"{number}.sgf").write_text("(;SZ[5]KM[6.5]RE[W+R];B[ba];W[cd];B[])")

    records = read_records([tmp_path], 5)

    assert len(records) == HELD_BACK
    assert records[0].cells.tolist() == [1, 17, 25]
    assert (records[0].winner, records[0].komi) == (1, 6.5)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (line(), "1 games on 5x5 with a winner and without handicap are too few"),
        ("{", "is no file of games"),
        ("[]\n", "is no file of games"),
        (line(moves=7), "is no file of games"),
        (None, "cannot read"),
    ],
)
def test_what_cannot_be_learned_from_is_named(
    tmp_path: Path, text: str | None, complaint: str
) -> None:
    path = tmp_path / "games.jsonl"
    if text is not None:
        path.write_text(text)
    with pytest.raises(TrainError, match=complaint):
        read_records([path], 5)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (None, "No such file or directory"),
        ("no record", "no game record found: one begins with (;"),
        ("(;SZ[99];B[ba])", "line 1, column 3: SZ[99]"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_once(
    tmp_path: Path, text: str | None, complaint: str
) -> None:
    path = tmp_path / "game.sgf"
    if text is not None:
        path.write_text(text)
    with pytest.raises(TrainError) as refused:
        read_records([path], 5)
    assert str(refused.value).startswith(f"{path}: {complaint}")


def test_positions_of_a_record_are_those_of_the_game() -> None:
    cells = np.array([12, 7, 25, 11, 13], np.int16)
    replay = Replay(small_go(), [RecordedGame(cells, 1, 7.5)], seed=1)

    positions, progress = replay.play(nobody, 0.0)

    game = Game(5, komi=7.5)
    for number, vertex in enumerate(("C3", "C4", "pass", "B3", "D3")):
        colors = ("black", "white") if number % 2 == 0 else ("white", "black")
        for plane, color in enumerate(colors):
            expected = [
                [game.board.color_at(f"{column}{row}") == color for column in "ABCDE"]
                for row in range(5, 0, -1)
            ]
            assert positions.planes[number, plane].bool().tolist() == expected
        game.play(colors[0], vertex)
    assert positions.policy[:5].argmax(1).tolist() == cells.tolist()
    assert positions.policy.float().sum(1).tolist() == [1.0] * len(positions.value)
    assert positions.value[:5].tolist() == [0.0, 1.0, 0.0, 1.0, 0.0]
    assert positions.planes[:2, 14, 0, 0].tolist() == [-0.75, 0.75]  # komi, from either side
    assert progress.games > 3  # again and again
    assert progress.length == 5.0
    assert progress.first_wins == 0.0


def test_a_record_ends_where_it_is_illegal() -> None:
    cells = np.array([12, 7, 12, 3], np.int16)  # The third move is on the first.
    replay = Replay(small_go(), [RecordedGame(cells, 0, 7.5)], seed=1)

    positions, _ = replay.play(nobody, 0.0)

    assert positions.policy.argmax(1).tolist()[:4] == [12, 7, 12, 7]


def test_ranks_of_the_players_are_read(tmp_path: Path) -> None:
    unranked = line() + line(br="25k") + line(br="9p", wr="1d")
    (tmp_path / "games.jsonl").write_text(line(br="25k", wr="1d") * HELD_BACK + unranked)
    sgf = tmp_path / "sgf"
    sgf.mkdir()
    (sgf / "1.sgf").write_text("(;SZ[5]RE[W+R]BR[3 kyu]WR[2d?];B[ba])")

    records = read_records([tmp_path / "games.jsonl", sgf], 5, ranked=True)

    assert [record.ranks for record in records] == [(-25, 0)] * HELD_BACK + [(-3, 1)]
    with pytest.raises(TrainError, match="with a winner, two ranks and without handicap"):
        read_records([sgf], 5, ranked=True)


def test_the_rank_of_who_is_to_move_is_a_plane() -> None:
    cells = np.array([12, 7, 11], np.int16)
    replay = Replay(small_go(), [RecordedGame(cells, 0, 7.5, (-30, 0))], seed=1, ranked=True)

    positions, _ = replay.play(nobody, 0.0)

    assert positions.planes.shape[1] == go_features(5).planes + 1
    assert positions.planes[:3, -1, 0, 0].tolist() == [-1.0, 1.0, -1.0]
    assert (positions.planes[:, -1] == positions.planes[:, -1, :1, :1]).all()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("13", "invalid boards '13': say, for example, 13-19"),
        ("19-13", "invalid boards"),
        ("a-b", "invalid boards"),
        ("13-19", "boards 13-19 leave out 9, which is trained on"),
    ],
)
def test_sizes_that_a_network_cannot_be_for_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(TrainError, match=complaint):
        boards_of(text, [go_features(9)])


def test_sizes_of_a_network_are_told() -> None:
    assert boards_of(None, [go_features(5)]) is None
    assert boards_of("4-9", [go_features(5)]) == (4, 9)


def test_a_run_learns_from_records_begun_with_the_weights_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from montego.cli.main import main

    (tmp_path / "games.jsonl").write_text(line() * (2 * HELD_BACK))
    small = ["--device", "cpu", "--blocks", "1", "--channels", "4", "--batch", "8", "--start", "8"]
    records = ["--records", str(tmp_path / "games.jsonl")]
    first, second = str(tmp_path / "first"), str(tmp_path / "second")

    go = ["train", "go", "--size", "5", *small, *records, "--minutes", "0.01"]
    assert main([*go, "--output", first]) == 0
    capsys.readouterr()
    assert main([*go, "--output", second, "--begin-with", first, "--boards", "5-7"]) == 0
    told = capsys.readouterr()

    assert f"begins with the weights of {first}" in told.err
    network = Network.open(tmp_path / "second" / "net.onnx")
    assert (network.description.least, network.description.most) == ((5, 5), (7, 7))
    assert network.description.training["from"] == "records of games"
    for size in (5, 7):
        game = go_game(size)
        chances = Judge(network, game).judge(game.initial_state()).chances
        assert len(chances) == size * size + 1
    log = json.loads((tmp_path / "second" / "run.json").read_text())["info"]["log"]
    assert 0.0 <= log[-1]["measured"]["held_accuracy"] <= 1.0
    assert main([*go, "--output", str(tmp_path / "third"), "--begin-with", str(tmp_path)]) == 1
    assert "there is no run in" in capsys.readouterr().err


def test_a_run_learns_what_people_of_each_rank_choose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from montego.cli.main import main

    ranked = line(br="25k", wr="12k") + line(br="2k", wr="3d")
    (tmp_path / "games.jsonl").write_text(ranked * (HELD_BACK + 1))
    go = ["train", "go", "--size", "5", "--device", "cpu", "--blocks", "1", "--channels", "4"]
    go += ["--batch", "8", "--start", "8", "--minutes", "0.01", "--by-rank"]
    output = tmp_path / "run"

    assert main([*go, "--output", str(output)]) == 1
    assert "ranks are in records: say --records with --by-rank" in capsys.readouterr().err
    records = ["--records", str(tmp_path / "games.jsonl")]
    assert main([*go, *records, "--output", str(output)]) == 0

    description = Network.open(output / "net.onnx").description
    assert (description.game, description.planes) == ("go by rank", go_features(5).planes + 1)
    log = json.loads((output / "run.json").read_text())["info"]["log"]
    assert {"held_29k-20k", "held_19k-6k"} <= set(log[-1]["measured"])
