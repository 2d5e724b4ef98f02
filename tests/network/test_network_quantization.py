"""Eight bits instead of thirty-two: a network says nearly the same."""

from __future__ import annotations

import numpy as np
import pytest

from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.features import go_features
from montego.games.tic_tac_toe import tic_tac_toe
from montego.network.errors import NetworkError
from montego.network.judge import Judge
from montego.network.network import Network
from montego.network.quantization import agreement, quantized
from montego.network.samples import planes_of, sample_states
from small_networks import small_network


def deep_network(size: int, seed: int) -> Network:
    """A small network with one more convolution between the first and the heads."""
    from onnx import helper, numpy_helper

    from montego.network.onnx_file import with_description

    small = small_network(go_features(size), seed)
    model = small.model()
    random = np.random.default_rng(seed)
    weights = random.normal(scale=0.2, size=(4, 4, 3, 3)).astype(np.float32)
    model.graph.initializer.append(numpy_helper.from_array(weights, "trunk"))
    for node in model.graph.node:
        if node.op_type == "Relu":
            node.output[0] = "before"
    extra = [
        helper.make_node("Conv", ["before", "trunk"], ["between"], pads=[1] * 4),
        helper.make_node("Relu", ["between"], ["b"]),
    ]
    nodes = [*model.graph.node[:2], *extra, *model.graph.node[2:]]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return Network(with_description(model.SerializeToString(), small.description()))


def test_a_quantized_network_nearly_agrees_with_the_one_it_was() -> None:
    game = go_game(5)
    network = deep_network(5, seed=3)
    planes = planes_of(game, sample_states(Judge(network, game), game, 60))
    assert planes.shape == (60, 16, 5, 5)
    other = Network(quantized(network, planes[:40]))
    assert other.description.weights == "int8"
    assert other.description.game == "go"
    assert other.model.operators["QLinearConv"] == 1
    assert other.model.operators["Conv"] == 2
    same, found = agreement(network, network, planes), agreement(network, other, planes)
    assert same == (1.0, 0.0, 0.0)
    assert 0.8 < found.best_move <= 1.0
    assert 0.0 < found.divergence < 0.05
    assert 0.0 < found.value_error < 0.05
    assert Judge(other, game).judge(game.initial_state()).value == pytest.approx(
        Judge(network, game).judge(game.initial_state()).value, abs=0.1
    )


def test_samples_are_positions_of_games_by_the_seed() -> None:
    game = tic_tac_toe()
    assert game.features is not None
    judge = Judge(Network(small_network(game.features).file()), game)
    states = sample_states(judge, game, 30, seed=4)
    assert len(states) == 30
    assert len({state.tobytes() for state in states}) > 10
    again = sample_states(judge, game, 30, seed=4)
    assert all(np.array_equal(one, other) for one, other in zip(states, again, strict=True))


def test_without_the_tools_quantization_is_refused_in_a_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(NetworkError, match="needs the packages of montego\\[train\\]"):
        quantized(
            Network(small_network(go_features(5)).file()), np.zeros((1, 16, 5, 5), np.float32)
        )
