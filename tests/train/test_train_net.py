from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")

from montego.engine.knowledge.features import go_features  # noqa: E402
from montego.games import make_game  # noqa: E402
from montego.network.description import OWNERSHIP, POLICY, SCORE, VALUE  # noqa: E402
from montego.network.network import Network  # noqa: E402
from montego.network.runtime import run  # noqa: E402
from montego.train.errors import TrainError  # noqa: E402
from montego.train.learning.export import describe, onnx_bytes  # noqa: E402
from montego.train.learning.judge import NetJudge  # noqa: E402
from montego.train.learning.net import (  # noqa: E402
    Net,
    NetShape,
    Rounding,
    rounded_weights,
    win_probability,
)
from montego.train.settings import TrainingSettings  # noqa: E402

if TYPE_CHECKING:
    from montego.mcts.features import Features

torch.set_num_threads(1)

SMALL = TrainingSettings(blocks=3, channels=8, score=0.1, soft_policy=1.0)


def features_of(name: str, size: int | None = None) -> Features:
    if name == "go":
        return go_features(size or 9)
    found = make_game(name, size=size).features
    assert found is not None
    return found


GAMES = [("go", 5), ("go", 9), ("hex", 4), ("tic-tac-toe", None), ("connect-four", None)]
games = pytest.mark.parametrize(("name", "size"), GAMES)


def random_net(shape: NetShape) -> Net:
    """A network with an opinion: random heads, and batch norms that have seen something."""
    torch.manual_seed(1)
    net = Net(shape)
    for weight in net.parameters():
        torch.nn.init.normal_(weight, std=0.3)
    net.train()
    for _ in range(3):
        net(torch.randn(16, shape.planes, shape.height, shape.width))
    net.eval()
    return net


@games
def test_a_network_answers_for_every_output_of_a_game(name: str, size: int | None) -> None:
    features = features_of(name, size)
    shape = NetShape.of(features, SMALL, ownership=True, score=True)
    answer = random_net(shape)(torch.randn(2, shape.planes, shape.height, shape.width))

    assert answer.policy.shape == (2, features.policy)
    assert answer.soft_policy.shape == (2, features.policy)
    assert answer.value.shape == (2, 3)
    assert answer.ownership.shape == (2, features.cells)
    assert answer.score.shape == (2,)


def test_heads_that_nobody_asks_for_are_not_there() -> None:
    settings = TrainingSettings(blocks=1, channels=8, ownership=0.0)
    shape = NetShape.of(features_of("go", 5), settings, ownership=True, score=True)
    answer = Net(shape)(torch.randn(1, shape.planes, 5, 5))

    assert answer.ownership is answer.score is answer.soft_policy is None


def test_a_network_by_cell_judges_boards_of_other_sizes() -> None:
    net = random_net(NetShape.of(features_of("go", 5), SMALL))

    assert net(torch.randn(1, 16, 7, 7)).policy.shape == (1, 50)


def test_a_new_network_has_no_opinion() -> None:
    answer = Net(NetShape.of(features_of("go", 5), SMALL))(torch.randn(3, 16, 5, 5))

    assert (answer.policy == 0).all()
    assert win_probability(answer.value).tolist() == pytest.approx([0.5] * 3)


@games
def test_a_judge_says_what_the_network_says(name: str, size: int | None) -> None:
    shape = NetShape.of(features_of(name, size), SMALL)
    net = random_net(shape)
    judge = NetJudge(shape, torch.device("cpu"))
    judge.refresh(net)
    planes = torch.randn(4, shape.planes, shape.height, shape.width)
    policy, value = judge(planes)
    with torch.no_grad():
        answer = net(planes)

    torch.testing.assert_close(policy, answer.policy, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(value, win_probability(answer.value), rtol=1e-4, atol=1e-4)


@games
def test_a_file_says_what_the_network_says(name: str, size: int | None) -> None:
    pytest.importorskip("onnx")
    features = features_of(name, size)
    shape = NetShape.of(features, SMALL, ownership=True, score=True)
    net = random_net(shape)
    network = Network(onnx_bytes(net, describe(net, training={"minutes": 1.5})))
    network.check(features)
    planes = torch.randn(1, shape.planes, shape.height, shape.width)
    shapes = {POLICY: (1, features.policy), VALUE: (1, 3), OWNERSHIP: (1, features.cells)}
    found = run(network.session, {"planes": planes.numpy()}, shapes | {SCORE: (1, 1)})
    with torch.no_grad():
        answer = net(planes)

    assert network.description.training == {"minutes": 1.5}
    np.testing.assert_allclose(found[POLICY], answer.policy, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(found[VALUE], answer.value, rtol=1e-3, atol=1e-3)
    owned = 2 * torch.sigmoid(answer.ownership) - 1
    np.testing.assert_allclose(found[OWNERSHIP], owned, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(found[SCORE][:, 0], answer.score, rtol=1e-3, atol=1e-3)


def test_a_network_too_large_for_its_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montego.train.learning.net.MOST_WEIGHTS", 1_000)
    with pytest.raises(TrainError, match=r"3 blocks of 8 channels are .* weights, more than 1,000"):
        Net(NetShape.of(features_of("go", 5), SMALL))


def test_weights_are_rounded_to_seven_bits_a_channel_and_learn_as_if_they_were_not() -> None:
    weight = torch.randn(3, 5, 3, 3).mul(torch.tensor([0.1, 1.0, 9.0])[:, None, None, None])
    weight.requires_grad_()
    rounded = rounded_weights(weight)
    rounded.sum().backward()

    assert weight.grad is not None
    assert (weight.grad == 1.0).all()
    for given, found in zip(weight.detach(), rounded.detach(), strict=True):
        step = float(given.abs().max()) / 64
        assert (found / step).numpy() == pytest.approx((found / step).round().numpy(), abs=1e-3)
        assert float((found - given).abs().max()) <= step / 2 + 1e-6


def test_activations_have_256_steps_within_the_range_that_was_seen() -> None:
    rounding = Rounding()
    x = torch.linspace(-2.0, 6.0, 5000)
    found = rounding(x)
    assert len(found.unique()) == 256
    assert float((found - x).abs().max()) <= 8.0 / 255 / 2 + 1e-5

    rounding.eval()
    assert float(rounding(torch.tensor([100.0]))) == pytest.approx(6.0)


def test_a_rounded_network_keeps_its_weights_by_name_and_answers_nearly_the_same() -> None:
    shape = NetShape.of(features_of("go", 5), SMALL, ownership=True)
    net, same = random_net(shape), random_net(shape)
    names = list(net.state_dict())
    net.round()
    net.round()
    assert list(net.state_dict()) == names

    planes = torch.randn(64, shape.planes, 5, 5)
    for _ in range(3):
        net.train()
        net(planes)
    net.load_state_dict(same.state_dict())  # Batch norms have moved.
    net.eval()
    one, other = net(planes).policy.detach(), same(planes).policy.detach()
    assert 0.0 < float((one - other).abs().mean()) < 0.1 * float(other.std())
