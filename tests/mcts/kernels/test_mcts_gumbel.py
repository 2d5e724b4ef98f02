"""Choosing by an evaluation: sequential halving, the improved policy, and PUCT, by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from montego.jit import interpreted, kernel
from montego.jit.state import new_scratch
from montego.mcts import Config, GameDefinition, InvalidConfig, Search
from montego.mcts.game import no_evaluation
from montego.mcts.kernels import gumbel
from montego.mcts.kernels.tree import CLOSED, EXPANDED, NO_EDGE, ONE, ROOT, Tree, new_tree

WIDE, DEEP = 8, 6

# A game of choices: each player picks one of eight moves, six times in all. The first player's
# score says how many more good moves (the low numbers) that player made.


@kernel
def legal_moves(state: Any, knowledge: Any, scratch: Any, moves: Any) -> int:  # noqa: ARG001
    if state[0] == DEEP:
        return 0
    for move in range(WIDE):
        moves[move] = move
    return WIDE


@kernel
def play(state: Any, knowledge: Any, scratch: Any, move: int) -> None:  # noqa: ARG001
    state[1] += move if state[0] % 2 == 1 else -move
    state[0] += 1


@kernel
def score(state: Any, knowledge: Any, scratch: Any) -> float:  # noqa: ARG001
    return float(state[1]) + 0.5


@kernel
def evaluate(
    state: Any,
    knowledge: Any,
    scratch: Any,  # noqa: ARG001
    moves: Any,
    count: int,
    chances: Any,
) -> float:
    for rank in range(count):
        chances[rank] = knowledge[moves[rank]]
    ahead = float(state[1]) if state[0] % 2 == 0 else -float(state[1])
    return 1.0 / (1.0 + math.exp(-ahead / 4.0))


CHANCES = np.array([0.06, 0.04, 0.1, 0.09, 0.21, 0.11, 0.2, 0.19])

GAME = GameDefinition(
    name="choices",
    initial_state=lambda: np.zeros(2, np.int32),
    legal_moves=legal_moves,
    play=play,
    score=score,
    evaluate=evaluate,
    to_play=lambda state: int(state[0]) % 2,
    knowledge=CHANCES,
    move_count=WIDE,
    longest_game=DEEP,
)


def halving(considered: int, simulations: int) -> list[int]:
    """The visits that a move has when it is its turn, written from the description alone."""
    if considered == 1:
        return list(range(simulations))
    rounds = math.ceil(math.log2(considered))
    found: list[int] = []
    visits = 0
    while len(found) < simulations:
        for _ in range(max(1, simulations // (rounds * considered))):
            found += [visits] * considered
            visits += 1
        considered = max(2, considered // 2)
    return found[:simulations]


@pytest.mark.parametrize("considered", [1, 2, 3, 4, 7, 8, 16])
@pytest.mark.parametrize("simulations", [1, 2, 5, 16, 31, 32, 64, 200])
def test_rounds_halve_the_moves(considered: int, simulations: int) -> None:
    turn = interpreted(gumbel.visits_in_turn)
    found = [turn(number, simulations, considered) for number in range(simulations)]
    assert found == halving(considered, simulations)


def tree_of(*moves: tuple[int, float, float], judged: float = 0.5) -> Tree:
    """A root whose moves have these visits, sums of rewards, and chances."""
    tree = new_tree(2, len(moves))
    tree.expansion[ROOT], tree.edge_count[ROOT], tree.judged[ROOT] = EXPANDED, len(moves), judged
    for edge, (visits, rewards, chance) in enumerate(moves):
        tree.visits[edge], tree.value[edge] = visits, int(rewards * ONE)
        tree.prior_value[edge], tree.memo[edge] = chance, math.log(chance)
    tree.node_visits[ROOT] = 1 + sum(visits for visits, _, _ in moves)
    return tree


def settings_of(**fields: Any) -> Any:
    given: dict[str, Any] = {"selection": "gumbel", "evaluation": 1.0}
    return Config(**given | fields).settings(GAME)


MOVES = ((3, 1.5, 0.25), (0, 0.0, 0.5), (2, 1.75, 0.125), (0, 0.0, 0.125))


def test_the_improved_policy_by_hand() -> None:
    tree = tree_of(*MOVES, judged=0.25)
    room = np.zeros(4)
    settings = settings_of(gumbel_visits=10.0, gumbel_scale=0.5)
    assert interpreted(gumbel.improved_policy)(tree, ROOT, settings, room) == 4
    tried = (0.25 * 0.5 + 0.125 * 0.875) / 0.375
    mixed = (0.25 + 5 * tried) / 6
    values = np.array([0.5, mixed, 0.875, mixed])
    wanted = np.array([0.25, 0.5, 0.125, 0.125]) * np.exp((10 + 3) * 0.5 * values)
    assert room == pytest.approx(wanted / wanted.sum(), rel=1e-6)


def test_noise_at_the_root_is_no_part_of_the_improved_policy() -> None:
    tree, noisy = tree_of(*MOVES), tree_of(*MOVES)
    noisy.memo[:] += [2.0, -1.0, 0.5, 3.0]
    policies = []
    for each in (tree, noisy):
        room = np.zeros(4)
        interpreted(gumbel.improved_policy)(each, ROOT, settings_of(), room)
        policies.append(room)
    assert policies[0] == pytest.approx(policies[1], rel=1e-5)


def test_the_choice_is_the_best_of_the_most_visited() -> None:
    tree = tree_of((4, 2.0, 0.1), (4, 3.0, 0.1), (1, 1.0, 0.7), (0, 0.0, 0.1))
    room = np.zeros(4)
    assert interpreted(gumbel.gumbel_choice)(tree, ROOT, settings_of(), room) == 1


def test_closed_moves_are_not_chosen() -> None:
    tree = tree_of(*MOVES)
    tree.prior_visits[:] = [CLOSED, CLOSED, 0.0, CLOSED]
    room, scratch = np.zeros(16), new_scratch(4, 1)
    for name in (gumbel.select_gumbel, gumbel.select_puct):
        chosen: Any = interpreted(name)
        assert chosen(tree, ROOT, 0, 4, settings_of(simulations=1), scratch, room) == 2
        tree.prior_visits[2] = CLOSED
        assert chosen(tree, ROOT, 0, 4, settings_of(simulations=1), scratch, room) == NO_EDGE
        tree.prior_visits[2] = 0.0
    assert interpreted(gumbel.gumbel_choice)(tree, ROOT, settings_of(), room) == 2


def test_puct_by_hand() -> None:
    tree = tree_of(*MOVES, judged=0.25)
    settings = settings_of(exploration=0.8, exploration_growth=0.5, first_play_reduction=0.3)
    room, scratch = np.zeros(16), new_scratch(4, 1)
    chosen = interpreted(gumbel.select_puct)(tree, ROOT, 0, 4, settings, scratch, room)
    unseen = (0.25 + 1.5 + 1.75) / 6 - 0.3 * math.sqrt(0.375)
    bonus = (0.8 + 0.5 * math.log(1 + 5 / 500)) * math.sqrt(5)
    wanted = [
        0.5 + bonus * 0.25 / 4,
        unseen + bonus * 0.5,
        0.875 + bonus * 0.125 / 3,
        unseen + bonus * 0.125,
    ]
    assert room[:4] == pytest.approx(wanted, rel=1e-6)
    assert chosen == int(np.argmax(wanted))


@pytest.mark.small_boards
@pytest.mark.parametrize(("simulations", "considered"), [(17, 8), (33, 8), (33, 4), (9, 16)])
def test_the_root_gives_visits_in_rounds(simulations: int, considered: int) -> None:
    config = Config(
        simulations=simulations,
        considered=considered,
        selection="gumbel",
        evaluation=1.0,
        early_stop=False,
        seed=3,
    )
    search = Search(GAME, config)
    search.run()
    visits = sorted(search.root().move_visits.tolist(), reverse=True)
    wanted = [0] * WIDE
    for level in halving(min(considered, WIDE), simulations - 1):
        wanted[wanted.index(level)] += 1
    assert visits == sorted(wanted, reverse=True)


@pytest.mark.small_boards
def test_few_visits_find_the_good_move_against_the_chances() -> None:
    for selection, simulations in (("gumbel", 64), ("puct", 1000)):
        config = Config(simulations=simulations, selection=selection, evaluation=1.0, seed=1)
        assert Search(GAME, config).run().move == 0


@pytest.mark.small_boards
def test_noise_brings_variety_and_a_seed_repeats_it() -> None:
    def moves(noise: float) -> list[int | None]:
        config = Config(
            simulations=4, considered=2, selection="gumbel", evaluation=1.0, root_noise=noise
        )
        return [Search(GAME, replace(config, seed=seed)).run().move for seed in range(12)]

    assert len(set(moves(0.0))) == 1
    assert len(set(moves(2.0))) > 2
    assert moves(2.0) == moves(2.0)


def test_gumbel_wants_an_evaluation() -> None:
    with pytest.raises(InvalidConfig, match="gumbel wants an evaluation"):
        Config(selection="gumbel")
    config = Config(selection="gumbel", evaluation=1.0)
    with pytest.raises(InvalidConfig, match="and choices has none"):
        Search(replace(GAME, evaluate=no_evaluation), config)


GOLDEN: dict[str, dict[str, Any]] = {
    "puct": {"selection": "puct"},
    "puct with noise": {"selection": "puct", "root_noise": 0.25},
    "half a playout": {"selection": "puct", "evaluation": 0.5},
    "gumbel": {"selection": "gumbel", "simulations": 64},
    "gumbel with noise": {"selection": "gumbel", "simulations": 64, "root_noise": 1.0},
}
GOLDEN_VISITS = {
    "puct": ([1, 53, 1, 3, 1, 64, 4, 172], [24, 27, 17, 43, 15, 0, 25, 20]),
    "puct with noise": ([4, 34, 1, 2, 120, 5, 4, 129], [29, 22, 11, 11, 25, 0, 9, 21]),
    "half a playout": ([2, 35, 1, 2, 63, 88, 2, 106], [0, 8, 8, 39, 16, 6, 19, 9]),
    "gumbel": ([2, 2, 7, 2, 20, 7, 2, 21], [1, 1, 1, 0, 17, 0, 0, 0]),
    "gumbel with noise": ([2, 21, 7, 2, 2, 7, 2, 20], [1, 0, 0, 1, 17, 1, 0, 0]),
}
"""Of the root's moves, and of those behind the most visited one."""


@pytest.mark.small_boards
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_trees_of_judged_searches(name: str) -> None:
    fields: dict[str, Any] = {"simulations": 300, "evaluation": 1.0} | GOLDEN[name]
    search = Search(GAME, Config(early_stop=False, seed=5, **fields))
    search.run()
    root = search.root()
    best = root.child(int(np.argmax(root.move_visits)))

    assert best is not None
    assert (root.move_visits.tolist(), best.move_visits.tolist()) == GOLDEN_VISITS[name]
