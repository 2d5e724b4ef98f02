"""The balanced playout: what moves weigh, that the draw follows it, and files of weights."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from go_positions import swapped, to_state
from montego.go.game import Game
from montego.go.kernels.layout import PASSES, TO_PLAY, empty_state
from montego.go.kernels.patterns import swap_colors
from montego.go.playout.balanced.weights import (
    BESIDE_LAST,
    CAPTURE,
    LEAST_SELF_ATARI,
    MEANINGS,
    RESCUE,
    SELF_ATARI,
    STEEPEST,
    TRAITS,
    BalanceWeights,
    pack_balance,
    packed_balance,
    read_balance_file,
    shape_classes,
    weight_count,
    within_bounds,
    write_balance_file,
)
from montego.go.playout.explain import first_reasons
from montego.go.playout.knowledge import new_knowledge
from montego.go.playout.reason import Reason
from montego.go.playout.trace import trace_playout
from montego.go.sampling.run import sample_playouts
from montego.go.vocabulary.errors import GoError
from playout_checks import assert_sound, finish
from reference import BLACK, WHITE

if TYPE_CHECKING:
    from pathlib import Path

    from montego.jit.state import Knowledge

BOTH_COLORS = pytest.mark.parametrize("color", [BLACK, WHITE])


def knowledge_of(**weights: float) -> Knowledge:
    """Return knowledge in which traits have these weights, by their numbers as ``t0``."""
    values = np.zeros(weight_count())
    for name, weight in weights.items():
        values[int(name[1:])] = weight
    return new_knowledge(balanced=pack_balance(values))


def wild() -> Knowledge:
    values = np.random.default_rng(1).normal(0.0, 2.0, weight_count())
    return new_knowledge(balanced=pack_balance(within_bounds(values)))


def test_shapes_are_the_same_in_all_orientations_and_edges_are_edges() -> None:
    classes = shape_classes()
    assert classes.max() + 1 + TRAITS == weight_count() == 1131
    one_stone = [classes[1 << (2 * place)] for place in (0, 2, 5, 7)]
    assert len(set(one_stone)) == 1
    assert classes[1] != classes[int(swap_colors(1))]
    assert classes[3] == -1  # A wall at one corner alone is on no board.
    upper_edge = 3 | 3 << 2 | 3 << 4
    assert classes[upper_edge] >= 0
    assert len(MEANINGS) == TRAITS


@pytest.mark.parametrize(
    ("picture", "last", "vertex", "trait"),
    [
        (". . . . .\n. X . . .\nX O . . .\n. X . . .\n. . . . .", "B3", "C3", CAPTURE),
        (". . . . .\n. . O . .\n. O X . .\n. . O . .\n. . . . .", "C4", "D3", RESCUE),
        (". . . . .\n. . . . .\n. . O . .\n. . . . .\n. . . . .", "C3", "C2", BESIDE_LAST),
    ],
)
@BOTH_COLORS
def test_a_trait_makes_a_move_as_much_more_likely_as_its_weight_says(
    picture: str, last: str, vertex: str, trait: int, color: int
) -> None:
    base = to_state(swapped(picture, color), last=last)
    base[TO_PLAY] = color
    count = 1200

    def share(weight: float) -> float:
        knowledge = knowledge_of(**{f"t{trait}": weight})
        games = (
            finish("balanced", base, seed, knowledge=knowledge, limit=1) for seed in range(count)
        )
        found = Counter(game.trace[0] for game in games)
        column, row = "ABCDE".index(vertex[0]), int(vertex[1]) - 1
        return found[column, row] / count

    plain, likely = share(0.0), share(2.0)
    odds = math.exp(2.0) * plain / (1.0 - plain)
    if trait == BESIDE_LAST:  # Its three fellows are as likely.
        odds = math.exp(2.0) * plain / (1.0 - plain + 3 * plain * (math.exp(2.0) - 1.0))
    assert likely == pytest.approx(odds / (1.0 + odds), abs=0.07)


def test_self_ataris_are_refused_as_often_as_their_weight_says() -> None:
    # Black at A3 would have the liberty B3 alone.
    base = to_state(". . O\nO . .\n. . .")
    refused = knowledge_of(**{f"t{SELF_ATARI}": LEAST_SELF_ATARI})
    plain, rare = (
        sum(
            finish("balanced", base, seed, knowledge=knowledge, limit=1).trace[0] == (0, 2)
            for seed in range(600)
        )
        for knowledge in (knowledge_of(), refused)
    )
    assert plain > 40
    assert rare < 15


@pytest.mark.small_boards
@pytest.mark.parametrize("size", [2, 3, 5])
def test_small_boards_end_well(size: int) -> None:
    for seed in range(3):
        base = empty_state(size)
        assert_sound(finish("balanced", base, seed, knowledge=wild()), base)


@pytest.mark.parametrize(("size", "seeds"), [(4, 20), (7, 10), (9, 5), (19, 1)])
def test_the_trace_is_a_legal_game_and_the_count_right(size: int, seeds: int) -> None:
    base = empty_state(size)
    for seed in range(seeds):
        oracle = assert_sound(finish("balanced", base, seed, knowledge=wild()), base)
        assert oracle.is_over or size < 5


@pytest.mark.small_boards
def test_interpreted_and_compiled_play_the_same_game() -> None:
    base = empty_state(5)
    for seed in range(2):
        for knowledge in (wild(), new_knowledge()):
            game = finish("balanced", base, seed, knowledge=knowledge)
            assert game == finish("balanced", base, seed, knowledge=knowledge, slow=True)


@pytest.mark.small_boards
def test_a_game_that_is_over_is_only_counted_and_a_limit_ends_it() -> None:
    base = to_state(". X O\nX X O\nX O .")
    base[PASSES] = 2
    assert finish("balanced", base, 1).trace == []
    assert len(finish("balanced", empty_state(5), 1, limit=7).trace) == 7


def test_it_is_sampled_with_the_weights_that_come_along_and_tells_reasons() -> None:
    assert int(sample_playouts(empty_state(5), "balanced", count=20).frequency.sum()) == 20
    assert packed_balance()[:TRAITS].std() > 0.1
    told = set(trace_playout(empty_state(5), "balanced", 3).counts())
    assert Reason.RANDOM in told
    assert told & {Reason.CAPTURE, Reason.ATARI, Reason.TWO_LIBERTIES}
    game = Game(5)
    for vertex in ("C3", "C4", "A1", "D3", "A2", "B3"):
        game.play(game.to_play, vertex)
    reasons = first_reasons(game, policy="balanced")
    assert reasons["C2"] is Reason.ATARI
    assert reasons["E5"] is Reason.RANDOM


def test_weights_come_back_from_a_file_and_other_files_are_refused(tmp_path: Path) -> None:
    values = np.random.default_rng(2).normal(0.0, 9.0, weight_count())
    path = tmp_path / "weights.npz"
    write_balance_file(path, BalanceWeights(within_bounds(values), {"more": np.array(7)}))
    kept = read_balance_file(path)
    assert np.array_equal(kept.values, within_bounds(values))
    assert abs(kept.values).max() == STEEPEST
    assert kept.values[SELF_ATARI:TRAITS].max() <= 0.0
    assert int(kept.more["more"]) == 7
    with pytest.raises(GoError, match="cannot read"):
        read_balance_file(tmp_path / "none.npz")
    for wrong in (np.zeros(5), np.full(weight_count(), np.nan)):
        np.savez(path, balance=wrong)
        with pytest.raises(GoError, match="holds no weights of playouts"):
            read_balance_file(path)
