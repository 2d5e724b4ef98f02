"""Playouts on a GPU are those of the CPU, game by game: in Numba's simulator, and on a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from montego.go.board import Board
from montego.go.kernels.layout import SIZE, all_points, empty_state
from montego.go.playout.knowledge import new_knowledge, new_scratch
from montego.go.playout.policy import POLICIES, find_policy
from montego.go.sampling import gpu
from montego.go.sampling.run import Sample, sample_playouts
from montego.go.sampling.tally import MOVES, tally_playouts
from montego.go.vocabulary.errors import GoError
from montego.jit.errors import DeviceError
from montego.jit.gpu import device
from montego.jit.state import RANDOM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from montego.jit.state import State

EVERY_POLICY = pytest.mark.parametrize("policy", POLICIES)


def assert_same_games(policy: str, base: State, games: int, rounds: int) -> None:
    """Compare every game on the GPU with the same game on the CPU."""
    from montego.go.sampling.gpu import GpuPlayouts

    size, found = int(base[SIZE]), find_policy(policy)
    playouts = GpuPlayouts(size, policy, games=games, seed=5, owners=True)
    playouts.play(base, rounds)
    points = np.array(list(all_points(size)), np.uint64)
    owners, totals = np.zeros(size * size, np.int64), np.zeros(1, np.int64)
    for start, row in zip(playouts.starts, playouts.frequencies(), strict=True):
        scratch = new_scratch(size, 0, found.room(size))
        scratch[RANDOM] = start
        frequency = np.zeros(2 * size * size + 1, np.int64)
        tally_playouts(
            found.playout,
            base,
            base.copy(),
            new_knowledge(balanced=found.weights()),
            scratch,
            points,
            owners,
            frequency,
            totals,
            rounds,
        )
        assert (row == frequency).all()
    assert (playouts.owners() == owners).all()
    assert playouts.moves() == totals[MOVES]


# In the simulator.


@pytest.mark.cuda_simulator
@EVERY_POLICY
@pytest.mark.parametrize("size", [2, 3])
def test_every_game_is_the_same_in_the_simulator(policy: str, size: int) -> None:
    assert_same_games(policy, empty_state(size), games=3, rounds=2)


@pytest.mark.cuda_simulator
def test_a_sample_in_the_simulator_is_at_least_as_large_as_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(device, "GAMES_PER_MULTIPROCESSOR", 3)
    board = Board.from_diagram("""
        X . X
        X X X
        . O O
    """)
    told: list[float] = []
    sample = sample_playouts(
        board.state, "uniform", count=7, device="gpu", owners=True, progress=told.append
    )

    assert sample.frequency.sum() == 9
    assert told[-1] == 1.0
    assert sample.ownership.shape == (3, 3)
    assert sample.ownership[0].tolist() == [1.0, 1.0, 1.0]  # Black's eye is never lost.


# On the CPU, by the same kernel.


def test_a_gpu_that_disappears_leaves_the_playouts_to_the_cpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(*_arguments: object, **_more: object) -> None:
        raise DeviceError("the GPU failed: it is gone")

    monkeypatch.setattr(device, "has_gpu", lambda: True)
    monkeypatch.setattr(device, "load_cuda", lambda: None)
    monkeypatch.setattr(gpu, "sample_on_gpu", gone)

    with pytest.warns(RuntimeWarning, match="it is gone; the CPU goes on"):
        sample = sample_playouts(empty_state(3), "uniform", count=20, device="auto")
    assert sample.frequency.sum() == 20
    with pytest.raises(DeviceError, match="it is gone"):
        sample_playouts(empty_state(3), "uniform", count=20, device="gpu")


def test_ownership_adds_up_to_the_mean_score() -> None:
    sample = sample_playouts(empty_state(5), "uniform", count=300, threads=2, owners=True)

    assert sample.ownership.sum() == pytest.approx(sample.summary(0.0)["mean_score"])


def test_ownership_that_was_not_counted_is_refused() -> None:
    sample = sample_playouts(empty_state(3), "uniform", count=5)
    with pytest.raises(GoError, match="ownership was not counted"):
        _ = sample.ownership


# On a real GPU.


def distance(first: NDArray[np.int64], second: NDArray[np.int64]) -> tuple[float, int]:
    """Chi-square of two samples having one distribution, and its degrees of freedom."""
    common = first + second >= 40
    one, two = first[common].astype(float), second[common].astype(float)
    ratio = np.sqrt(two.sum() / one.sum())
    return float((((one * ratio - two / ratio) ** 2) / (one + two)).sum()), int(common.sum()) - 1


@pytest.mark.gpu
@EVERY_POLICY
def test_every_game_is_the_same_on_a_gpu(policy: str) -> None:
    assert_same_games(policy, empty_state(9), games=256, rounds=2)


@pytest.mark.gpu
@pytest.mark.parametrize("size", [13, 19])
def test_every_game_on_larger_boards_is_the_same_on_a_gpu(size: int) -> None:
    assert_same_games("uniform", empty_state(size), games=256, rounds=1)


@pytest.mark.gpu
def test_a_million_scores_are_distributed_as_on_the_cpu() -> None:
    def sample(place: str) -> Sample:
        return sample_playouts(
            empty_state(9), "uniform", count=1_000_000, threads=2, seed=1, device=place
        )

    found, freedom = distance(sample("gpu").frequency, sample("cpu").frequency)
    # Beyond five standard deviations once in a million times.
    assert found < freedom + 5 * np.sqrt(2 * freedom)


@pytest.mark.gpu
@EVERY_POLICY
@pytest.mark.parametrize("size", [9, 13, 19])
def test_the_speed_of_a_gpu_is_told(
    policy: str, size: int, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = sample_playouts(empty_state(size), policy, seconds=1.0, device="gpu").summary(7.5)

    with capsys.disabled():
        print(f"\n{policy} {size}x{size}: {figures['playouts_per_second']:,.0f} playouts/s")  # noqa: T201
    assert figures["moves_per_playout"] > size
