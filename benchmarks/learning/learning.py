"""How fast a device judges and learns: positions a second, and what recording them is worth.

    python benchmarks/learning/learning.py --size 9 --blocks 6 --channels 64 \
        --device gpu --games 8192

Random positions of Go: the numbers do not matter to the speed. On a GPU every row is measured as
plain PyTorch, with the kernels recorded (a CUDA graph), and, if asked for, compiled (torch.compile)
and recorded. First of all, a step that is recorded must leave the same weights as a plain one.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.features import go_features
from montego.train.games import start
from montego.train.learning.judge import NetJudge
from montego.train.learning.learner import Learner, Portion
from montego.train.learning.net import NetShape
from montego.train.learning.positions import Positions
from montego.train.learning.recording import recorded
from montego.train.settings import TrainingSettings

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts.features import Features

SECONDS = 3.0
HELD = 100_000  # positions in the window


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("size", 9), ("blocks", 6), ("channels", 64), ("judged", 8192)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--batch", type=int)
    parser.add_argument("--device", choices=("cpu", "gpu"), default="cpu")
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--games", type=int, default=0, help="at a table, to play as well")
    given = parser.parse_args()
    device = torch.device("cuda" if given.device == "gpu" else "cpu")
    features = go_features(given.size)
    positions = _positions(features, HELD if given.device == "gpu" else 2_000, device)

    def learner(*, records: bool, compiled: bool = False) -> Learner:
        settings = TrainingSettings(
            blocks=given.blocks,
            channels=given.channels,
            batch=given.batch,
            window=len(positions.value),
            compiled=compiled,
        )
        shape = NetShape.of(features, settings, ownership=True)
        made = Learner([features], shape, settings, device, records=records)
        made.windows[0].add(positions)
        return made

    if given.device == "gpu":
        print(f"recorded and plain weights differ by {_difference(learner):.2e}")
    planes = positions.planes[: given.judged]
    ways = {"plain": (False, False)}
    if given.device == "gpu":
        ways["recorded"] = (True, False)
    if given.compiled:
        ways["compiled"] = (given.device == "gpu", True)
    for name, (records, compiled) in ways.items():
        learning = learner(records=records, compiled=compiled)
        steps = 20 if given.device == "gpu" else 2
        learned = _rate(partial(_learn, learning, steps), steps * learning.batch, device)
        judge: Callable[[], Any] = partial(
            NetJudge(learning.shape, device, compiled=compiled), planes
        )
        if records:
            judge()
            judge = recorded(judge).replay
        judged = _rate(judge, len(planes), device)
        print(f"{name:10} learned from {learned:12,.0f}/s   judged {judged:12,.0f}/s", flush=True)
    if given.games:
        _play(given, learner(records=False), features, device)


def _play(given: argparse.Namespace, learner: Learner, features: Features, device: Any) -> None:
    """Print how many positions are judged a second in play, by the network and for nothing."""
    network = NetJudge(learner.shape, device)

    def undecided(planes: Any) -> tuple[Any, Any]:
        return planes.new_zeros(len(planes), features.policy), planes.new_full((len(planes),), 0.5)

    for tables in (1, 2):
        settings = TrainingSettings(games=given.games * tables)
        start.TABLES = tables
        selfplay = start.start_selfplay(go_game(given.size), settings, given.device)
        for name, judge in (("nothing", undecided), ("the network", network)):
            selfplay.play(judge, 0.1)
            _, progress = selfplay.play(judge, SECONDS)
            rate = progress.evaluations / progress.seconds
            print(f"{tables} x {given.games} games judged by {name}: {rate:12,.0f}/s", flush=True)


def _learn(learner: Learner, steps: int) -> None:
    learner.learn([Portion(steps, learner.windows[0].held)], lambda _step: 1e-3)


def _difference(make: Any) -> float:
    """Return the largest difference of a weight after the same steps, recorded and not."""
    learners = [make(records=records) for records in (False, True)]
    for learner in learners:
        _learn(learner, 5)
    one, other = (learner.net.state_dict() for learner in learners)
    return max(float((one[name].float() - other[name].float()).abs().max()) for name in one)


def _rate(work: Callable[[], Any], count: int, device: torch.device) -> float:
    """Return how many are done in a second, *count* in each call, once all is warm."""

    def finish() -> None:
        if device.type == "cuda":
            torch.cuda.synchronize()

    for _ in range(3):
        work()
    finish()
    begin, calls = time.perf_counter(), 0
    while time.perf_counter() - begin < SECONDS:
        work()
        finish()
        calls += 1
    return calls * count / (time.perf_counter() - begin)


def _positions(features: Features, count: int, device: torch.device) -> Positions:
    shape = (count, features.planes, features.height, features.width)
    policy = torch.rand((count, features.policy), device=device) ** 8
    return Positions(
        planes=(torch.rand(shape, device=device) < 0.2).half(),
        policy=(policy / policy.sum(1, keepdim=True)).half(),
        value=torch.randint(0, 2, (count,), device=device).float(),
        score=torch.randn(count, device=device),
        ownership=torch.randint(-1, 2, (count, features.cells), device=device, dtype=torch.int8),
        weight=torch.ones(count, device=device),
    )


if __name__ == "__main__":
    main()
