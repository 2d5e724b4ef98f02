"""Variety at the root: temperature, Dirichlet's noise, and a tree that is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from montego.jit import interpreted, kernel
from montego.jit.state import new_scratch
from montego.mcts import Config, GameDefinition, InvalidConfig, Search
from montego.mcts.kernels import variety

WIDE, DEEP = 4, 6
CHANCES = np.array([0.1, 0.2, 0.3, 0.4])

# Four moves a turn, six turns, and nobody ever wins: only the chances tell moves apart.


@kernel
def legal_moves(state: Any, knowledge: Any, scratch: Any, moves: Any) -> int:  # noqa: ARG001
    if state[0] == DEEP:
        return 0
    for move in range(WIDE):
        moves[move] = move
    return WIDE


@kernel
def play(state: Any, knowledge: Any, scratch: Any, move: int) -> None:  # noqa: ARG001
    state[0] += 1


@kernel
def score(state: Any, knowledge: Any, scratch: Any) -> float:  # noqa: ARG001
    return 0.0


@kernel
def evaluate(
    state: Any,  # noqa: ARG001
    knowledge: Any,
    scratch: Any,  # noqa: ARG001
    moves: Any,
    count: int,
    chances: Any,
) -> float:
    for rank in range(count):
        chances[rank] = knowledge[moves[rank]]
    return 0.5


GAME = GameDefinition(
    name="even choices",
    initial_state=lambda: np.zeros(1, np.int32),
    legal_moves=legal_moves,
    play=play,
    score=score,
    evaluate=evaluate,
    to_play=lambda state: int(state[0]) % 2,
    knowledge=CHANCES,
    move_count=WIDE,
    longest_game=DEEP,
)


def search_of(**settings: Any) -> Search:
    return Search(GAME, Config(selection="puct", evaluation=1.0, simulations=50, **settings))


def chances_of(search: Search) -> list[float]:
    root = search.root()
    found = dict(zip(root.moves.tolist(), root.prior_values.tolist(), strict=True))
    return [found[move] for move in range(WIDE)]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0, 50.0])
def test_a_temperature_is_a_power_of_the_chances(temperature: float) -> None:
    search = search_of(root_temperature=temperature)
    search.run(simulations=2)
    powers = CHANCES ** (1 / temperature)
    np.testing.assert_allclose(chances_of(search), powers / powers.sum(), rtol=1e-6)


@pytest.mark.small_boards
def test_noise_is_mixed_into_the_chances_and_a_seed_repeats_it() -> None:
    found = []
    for seed in (1, 2, 2):
        search = search_of(root_noise=0.25, seed=seed)
        search.run(simulations=2)
        found.append(chances_of(search))
        assert sum(found[-1]) == pytest.approx(1.0, abs=1e-6)
        assert all(new >= 0.75 * old - 1e-6 for new, old in zip(found[-1], CHANCES, strict=True))
    assert found[0] != found[1]
    assert found[1] == found[2]


def test_without_noise_and_temperature_nothing_is_drawn() -> None:
    search = search_of()
    search.run(simulations=2)
    np.testing.assert_allclose(chances_of(search), CHANCES, rtol=1e-6)


@pytest.mark.parametrize("selection", ["puct", "gumbel"])
def test_a_root_that_was_kept_gets_its_variety_once(selection: str) -> None:
    search = Search(
        GAME,
        Config(
            selection=selection,
            evaluation=1.0,
            simulations=200,
            root_temperature=3.0,
            root_noise=0.2,
            early_stop=False,
        ),
    )
    search.run()
    search.play(3)
    np.testing.assert_allclose(chances_of(search), CHANCES, rtol=1e-6)
    search.run(simulations=5)
    once = chances_of(search)
    assert once[3] - once[0] < 0.25  # More alike than 0.1 and 0.4, but for a fifth of noise.
    assert once != pytest.approx(CHANCES.tolist(), abs=1e-3)
    search.run(simulations=5)
    assert chances_of(search) == once


@pytest.mark.parametrize("shape", [0.05, 0.3, 1.0])
def test_gamma_has_its_mean_and_variance(shape: float) -> None:
    draw, scratch = interpreted(variety.draw_gamma), new_scratch(1, 3)
    drawn = np.array([draw(shape, scratch) for _ in range(4000)])
    # Both are the shape; errors of the mean are √(shape / 4000), and four of them are allowed.
    assert abs(drawn.mean() - shape) < 4 * (shape / 4000) ** 0.5
    assert 0.6 * shape < drawn.var() < 1.6 * shape


def test_puct_takes_no_more_noise_than_all() -> None:
    with pytest.raises(InvalidConfig, match=r"invalid root_noise 1\.5: with puct at most 1"):
        search_of(root_noise=1.5)
    assert replace(Config(), root_noise=1.5).root_noise == 1.5


def test_advice_is_mixed_with_the_chances() -> None:
    search = search_of()
    assert not search.advise({0: 100.0})
    search.run(simulations=2)
    for _ in range(2):  # None is added twice.
        assert search.advise({0: 75.0, 1: 25.0})
        np.testing.assert_allclose(chances_of(search), [0.425, 0.225, 0.15, 0.2], rtol=1e-6)
