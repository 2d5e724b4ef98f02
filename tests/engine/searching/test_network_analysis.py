"""What people and programs are told where a network judges: policy, owners, scores, words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from montego import Options, Player
from montego.engine.knowledge.features import go_features
from montego.engine.opinion import network_opinion
from montego.go.vocabulary.errors import GoError
from montego.gtp.analyze.lines import reading_order
from montego.gtp.json_protocol import AnalysisEngine, models
from montego.jit import compile_off
from small_networks import small_network

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from montego.engine.searching.analysis import Analysis

pytestmark = pytest.mark.skipif(compile_off(), reason="takes long interpreted")

# Black has two columns at the left, White all the rest, and stands so that nobody can invade.
WALLS = [(color, f"{column}{row}") for row in range(1, 10) for color, column in ("bB", "wC")]
WALLS += [("w", f"{column}{row}") for row in range(1, 10) for column in "EG"]


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    player = Player(Options(size=9, network="default", simulations=24, threads=1, seed=1))
    yield player
    player.close()


def play_walls(player: Player) -> None:
    player.new_game(9)
    for color, vertex in WALLS:
        player.play(color, vertex)


def opinions(player: Player) -> list[dict[str, float]]:
    """The network's chances in each symmetry, in one of which the search was shown the position."""
    game, points = player.game, reading_order(9)
    return [network_opinion(player.options, game, points, number).chances for number in range(8)]


def analysis_of(player: Player, simulations: int = 24) -> Analysis:
    return player.analyze(limit=simulations, ownership=True)


def test_priors_are_the_networks_policy(player: Player) -> None:
    player.new_game(9)
    player.play("black", "E5")
    priors = {move.vertex: move.prior for move in analysis_of(player).moves}
    assert sum(priors.values()) == pytest.approx(1.0, abs=1e-5)
    assert any(priors == pytest.approx(said, abs=1e-5) for said in opinions(player))


def test_scores_and_owners_are_the_networks(player: Player) -> None:
    play_walls(player)
    found = analysis_of(player)
    assert found.ownership is not None
    walls = [found.ownership[9 * line + column] for line in range(9) for column in (1, 2)]
    assert min(walls[::2]) > 0.0 > max(walls[1::2])
    # 18 points against 63 and komi 7.5, if nobody invades.
    assert -60.0 < found.mean_score < -10.0
    assert found.value < 0.2
    assert found.network_value == pytest.approx(found.value, abs=0.2)
    assert 0.0 < found.score_deviation < 40.0


def test_scores_apart_from_the_network_are_told_as_such(player: Player, tmp_path: Path) -> None:
    for size in (9, 13):
        player.new_game(size)
        assert not analysis_of(player, 8).scored_apart
    player.new_game(9)
    # A network that does not know who will own the points.
    path = tmp_path / "small.onnx"
    path.write_bytes(small_network(go_features(5)).file())
    unknowing = Player(Options(size=5, network=str(path), simulations=8, threads=1, seed=1))
    assert analysis_of(unknowing, 8).scored_apart
    unknowing.close()


def test_one_simulation_is_worth_what_the_network_says(player: Player) -> None:
    player.new_game(9)
    before = player.options
    player.configure(before.replace(simulations=1))
    try:
        decision = player.choose("black")
    finally:
        player.configure(before)
    found = decision.analysis
    assert found is not None
    assert found.network_value is not None
    # Not the chance of the move.
    assert found.value == pytest.approx(found.network_value, abs=1e-6)
    assert found.mean_score != 0.0


def test_a_decided_game_is_searched_for_wins_with_a_network(player: Player) -> None:
    play_walls(player)
    before = player.options
    player.configure(before.replace(simulations=300, resign=None))
    try:
        for _ in range(2):
            decision = player.choose("black", restrict=())
            assert decision.analysis is not None
            assert not decision.analysis.points
            assert decision.analysis.value < 0.2
    finally:
        player.configure(before)


def test_words_say_what_the_network_expected(player: Player) -> None:
    player.new_game(9)
    player.genmove("black")
    said = player.explain()
    assert "Before any search the network gave Black" in said
    assert "to win, and its move " in said


def test_a_move_that_a_person_asks_about_is_refuted(player: Player) -> None:
    player.new_game(9)
    played = player.genmove("black").vertex
    said = player.explain_move("a1")
    assert said.startswith("Before any search the network gave A1 less than 1%, number ")
    assert "After A1, by " in said
    assert "White answers " in said
    assert "is better by " in said or "is a little better" in said
    assert [move.vertex for move in player.game.moves] == [played]
    with pytest.raises(GoError, match="off the 9x9 board"):
        player.explain_move("Z99")
    # Once somebody has played, it is about the position.
    player.play("white", "A1")
    with pytest.raises(GoError, match="black cannot play A1"):
        player.explain_move("A1")


def test_json_has_policy_raw_win_rate_and_models() -> None:
    options = Options(network="default", simulations=8, threads=1, seed=1)
    replies: list[str] = []
    engine = AnalysisEngine(lambda: Player(options), options, replies.append)
    query = {
        "id": "a",
        "moves": [["B", "E5"]],
        "boardXSize": 9,
        "boardYSize": 9,
        "includePolicy": True,
        "includeOwnership": True,
        "rootPolicyTemperature": 1.5,
    }
    engine.obey(json.dumps(query))
    engine.obey('{"id": "m", "action": "query_models"}')
    engine.finish()
    engine.work()
    told = {reply["id"]: reply for reply in map(json.loads, replies)}
    policy = told["a"]["policy"]
    assert len(policy) == 82
    assert sum(share for share in policy if share >= 0.0) == pytest.approx(1.0, abs=1e-3)
    assert max(policy) > 5 * sorted(policy)[41]
    assert 0.0 < told["a"]["rootInfo"]["rawWinrate"] < 1.0
    assert len(told["a"]["ownership"]) == 81
    assert [model["name"] for model in told["m"]["models"]] == ["go-19x19", "go-9x9", "montego"]
    assert [model["name"] for model in models(Options(network=None))] == ["montego"]


def test_a_network_that_knows_no_owners_leaves_them_to_playouts() -> None:
    player = Player(Options(size=13, network="default", simulations=8, threads=1, seed=1))
    try:
        found = player.analyze(limit=8, ownership=True)
    finally:
        player.close()
    assert found.network_value is not None
    assert found.ownership is not None
    assert found.score_deviation > 0.0
