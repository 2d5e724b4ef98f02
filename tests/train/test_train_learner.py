from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is missing: pip install 'montego[train]'")

from montego.engine.knowledge.features import go_features  # noqa: E402
from montego.games import make_game  # noqa: E402
from montego.train.learning.learner import Learner, Portion, mingled, value_losses  # noqa: E402
from montego.train.learning.net import NetShape  # noqa: E402
from montego.train.learning.positions import Positions  # noqa: E402
from montego.train.learning.window import ReplayWindow  # noqa: E402
from montego.train.settings import TrainingSettings  # noqa: E402

if TYPE_CHECKING:
    from montego.mcts.features import Features

torch.set_num_threads(1)
CPU = torch.device("cpu")


def features_of(name: str) -> Features:
    found = go_features(5) if name == "go" else make_game(name).features
    assert found is not None
    return found


def random_positions(features: Features, count: int, seed: int = 0) -> Positions:
    """Positions whose parts can be told apart: each plane, output and cell has its own number."""
    random = torch.Generator().manual_seed(seed)
    board = (features.height, features.width)
    policy = torch.rand((count, features.policy), generator=random) ** 8
    return Positions(
        planes=torch.randn((count, features.planes, *board), generator=random).half(),
        policy=(policy / policy.sum(1, keepdim=True)).half(),
        value=torch.randint(0, 3, (count,), generator=random) / 2,
        score=5 * torch.randn(count, generator=random),
        ownership=torch.randint(-1, 2, (count, features.cells), generator=random).to(torch.int8),
        weight=torch.ones(count),
    )


@pytest.mark.parametrize("name", ["go", "tic-tac-toe", "connect-four", "hex"])
def test_planes_policy_and_ownership_are_turned_alike(name: str) -> None:
    features = features_of(name)
    count = len(features.symmetries)
    window = ReplayWindow(features, 10, CPU, ownership=True)
    window.add(random_positions(features, 3))
    places = torch.full((count,), 2)
    turned = window.sample(places, torch.arange(count))
    given = random_positions(features, 3)

    for symmetry, cells in enumerate(features.symmetries):
        planes = given.planes[2].flatten(1)[:, cells]
        assert (turned.planes[symmetry].flatten(1) == planes).all()
        assert (turned.ownership[symmetry] == given.ownership[2][cells]).all()
        goes_to = features.output_permutations()[symmetry]
        assert (turned.policy[symmetry][goes_to] == given.policy[2].float()).all()


def test_a_move_and_its_cell_stay_together_when_the_board_is_turned() -> None:
    features = features_of("go")
    window = ReplayWindow(features, 25, CPU, ownership=False)
    stones = torch.eye(25).view(25, 1, 5, 5).expand(25, 16, 5, 5)
    positions = random_positions(features, 25)
    policy = torch.cat([torch.eye(25), torch.zeros(25, 1)], 1)
    window.add(positions._replace(planes=stones.half(), policy=policy.half()))
    for symmetry in range(8):
        turned = window.sample(torch.arange(25), torch.full((25,), symmetry))

        assert (turned.planes[:, 0].flatten(1) == turned.policy[:, :25]).all()


def test_the_window_holds_the_newest_positions() -> None:
    features = features_of("tic-tac-toe")
    window = ReplayWindow(features, 10, CPU, ownership=False)
    values = iter(torch.arange(100.0).split([4, 4, 4, 25, 63]))
    for total in (4, 8, 12, 37):
        positions = random_positions(features, len(value := next(values)))
        window.add(positions._replace(value=value))
        numbers = torch.zeros(400, dtype=torch.long)
        held = min(10, total)
        window.draw(held, numbers, torch.Generator().manual_seed(total))
        sample = window.sample(numbers, torch.zeros(400, dtype=torch.long))

        assert (window.total, window.held) == (total, held)
        assert set(sample.value.tolist()) == set(range(total - held, total))


def test_a_window_goes_on_in_another_one() -> None:
    features = features_of("tic-tac-toe")
    window = ReplayWindow(features, 10, CPU, ownership=False)
    window.add(random_positions(features, 17))
    for capacity in (10, 4, 30):
        other = ReplayWindow(features, capacity, CPU, ownership=False)
        other.restore(window.state())
        newest = [(17 - 1 - back) % capacity for back in range(3)]
        mine = [(17 - 1 - back) % 10 for back in range(3)]
        none = torch.zeros(3, dtype=torch.long)

        assert (other.total, other.held) == (17, min(10, capacity))
        there, here = (
            other.sample(torch.tensor(newest), none),
            window.sample(torch.tensor(mine), none),
        )
        assert (there.planes == here.planes).all()
        assert (there.policy == here.policy).all()


@pytest.mark.parametrize(
    ("chances", "value", "expected", "drawn"),
    [
        ((0.7, 0.2, 0.1), 1.0, -math.log(0.75), -math.log(0.9)),
        ((0.7, 0.2, 0.1), 0.0, -math.log(0.25), -math.log(0.9)),
        ((0.3, 0.3, 0.4), 0.5, math.log(2), -math.log(0.4)),
        ((0.5, 0.25, 0.25), 0.9, -0.9 * math.log(0.625) - 0.1 * math.log(0.375), -math.log(0.75)),
    ],
)
def test_the_value_expects_a_result_and_exact_draws(
    chances: tuple[float, ...], value: float, expected: float, drawn: float
) -> None:
    losses = value_losses(torch.tensor([chances]).log(), torch.tensor([value]))

    assert [float(loss) for loss in losses] == pytest.approx([expected, drawn], rel=1e-4)


def learner_of(features: Features, **changes: Any) -> Learner:
    given: dict[str, Any] = {
        "blocks": 2,
        "channels": 16,
        "batch": 32,
        "warm_up": 0,
        "score": 0.1,
        "soft_policy": 0.5,
    }
    settings = TrainingSettings(**given | changes)
    shape = NetShape.of(features, settings, ownership=True, score=True)
    return Learner([features], shape, settings, CPU)


@pytest.mark.parametrize("name", ["go", "connect-four"])
def test_a_few_positions_are_learned_by_heart_from_all_sides(name: str) -> None:
    features = features_of(name)
    learner = learner_of(features, blocks=1, batch=16, decay=0.0)
    learner.windows[0].add(random_positions(features, 3))
    before = learner.learn([Portion(1, 3)], lambda _: 0.0)
    learner.learn([Portion(60, 3)], lambda _: 1e-2)
    after = learner.learn([Portion(5, 3)], lambda _: 1e-3)

    assert after["policy"] < 0.3 * before["policy"]
    assert after["value"] < 0.9 * before["value"]
    assert after["ownership"] < 0.9 * before["ownership"]
    assert after["score"] < 0.5 * before["score"]
    assert after["soft_policy"] < before["soft_policy"]
    assert after["accuracy"] > 0.8
    assert after["entropy"] == pytest.approx(before["entropy"], abs=0.3)


def test_moves_that_were_searched_too_little_teach_no_policy() -> None:
    features = features_of("tic-tac-toe")
    learner = learner_of(features, soft_policy=0.0)
    learner.windows[0].add(random_positions(features, 8)._replace(weight=torch.zeros(8)))
    figures = learner.learn([Portion(3, 8)], lambda _: 1e-2)

    assert figures["policy"] == figures["entropy"] == 0.0
    assert not learner.net.policy.weight.any()
    assert learner.net.value.weight.any()


def test_averaged_weights_follow_slowly() -> None:
    features = features_of("tic-tac-toe")
    learner = learner_of(features, average=0.75)
    learner.windows[0].add(random_positions(features, 8))
    before = learner.averaged.hidden.weight.clone()
    learner.learn([Portion(1, 8)], lambda _: 1e-2)

    torch.testing.assert_close(
        learner.averaged.hidden.weight, 0.75 * before + 0.25 * learner.net.hidden.weight
    )


def test_a_learner_goes_on_as_if_never_interrupted() -> None:
    features = features_of("tic-tac-toe")
    straight, first, second = (learner_of(features) for _ in range(3))
    for learner in (straight, first, second):
        learner.windows[0].add(random_positions(features, 50))
    straight.learn([Portion(6, 40)], lambda step: 1e-3 * (step + 1))
    first.learn([Portion(4, 40)], lambda step: 1e-3 * (step + 1))
    second.restore(first.state())
    second.learn([Portion(2, 40)], lambda step: 1e-3 * (step + 1))

    for mine, theirs in (
        (straight.net, second.net),
        (straight.averaged, second.averaged),
    ):
        for name, tensor in mine.state_dict().items():
            assert (tensor == theirs.state_dict()[name]).all(), name


def test_the_rate_rises_stays_and_falls() -> None:
    settings = TrainingSettings(minutes=10, rate=1.0, warm_up=10, fall=0.4, last_rate=0.1)
    rates = [settings.rate_at(minutes, 1000) for minutes in (0, 6, 8, 10, 11)]

    assert rates == pytest.approx([1.0, 1.0, 0.55, 0.1, 0.1])
    assert settings.rate_at(0, 0) == pytest.approx(0.1)
    assert TrainingSettings(minutes=20, rate=1.0, warm_up=0).rate_at(8, 0) == 1.0
    assert np.isfinite(TrainingSettings(fall=0.0).rate_at(10, 0))


def test_a_learner_goes_on_learning_when_it_rounds() -> None:
    features = features_of("tic-tac-toe")
    settings = TrainingSettings(blocks=2, channels=8, batch=32, window=64)
    learner = Learner([features], NetShape.of(features, settings), settings, CPU)
    learner.windows[0].add(random_positions(features, 64))
    learner.learn([Portion(40, 64)], lambda _step: 3e-3)
    learner.round()
    first = learner.learn([Portion(5, 64)], lambda _step: 3e-3)
    later = [learner.learn([Portion(40, 64)], lambda _step: 3e-3) for _ in range(3)][-1]

    assert later["policy"] < first["policy"]
    assert set(learner.averaged.state_dict()) == set(learner.net.state_dict())


def test_portions_are_mingled_evenly() -> None:
    assert list(mingled([3, 3])) == [0, 1, 0, 1, 0, 1]
    assert list(mingled([6, 2])) == [0, 0, 1, 0, 0, 0, 1, 0]
    assert list(mingled([0, 2])) == [1, 1]
    assert list(mingled([])) == []


def test_two_boards_are_learned_in_one_network() -> None:
    boards = [go_features(3), go_features(5)]
    settings = TrainingSettings(blocks=1, channels=16, batch=16, warm_up=0, decay=0.0)
    learner = Learner(boards, NetShape.of(boards[-1], settings), settings, CPU)
    for features, window in zip(boards, learner.windows, strict=True):
        window.add(random_positions(features, 3))

    def judged() -> list[float]:
        """How far the network is from what each board has to teach."""
        return [
            learner.learn([Portion(5 * (one == number), 3) for one in range(2)], lambda _step: 0.0)[
                "policy"
            ]
            for number in range(2)
        ]

    before = judged()
    learner.learn([Portion(80, 3), Portion(80, 3)], lambda _step: 1e-2)
    after = judged()

    assert all(late < 0.4 * early for early, late in zip(before, after, strict=True))
