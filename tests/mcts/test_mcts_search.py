"""Searches as a whole: known answers, golden trees, budgets, interruption, restrictions, formulas.

The golden trees are stored in ``tests/mcts/golden/search.json``. After a change that is meant to
change them, write them anew with ``python tests/mcts/test_mcts_search.py`` and look at the
difference.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mcts_checks import (
    check_tree,
    drawn_playout,
    edges_of,
    same_trees,
    scripted_game,
    searched,
    visits_by_move,
)
from montego.games import make_game
from montego.games.hex import hex_game
from montego.games.tic_tac_toe import LINES
from montego.jit import Kernel, compile_off, interpreted, kernel
from montego.jit.interrupt import stopped_by_ctrl_c
from montego.mcts import (
    Config,
    GameDefinition,
    InvalidMove,
    MoveLimit,
    Search,
    SearchResult,
)
from montego.mcts.errors import MctsError
from montego.mcts.kernels.tree import EXPANDED, NO_CHILD, ROOT, SIMULATIONS

if TYPE_CHECKING:
    from montego.mcts.kernels.formula import Statistics
    from montego.mcts.kernels.settings import Settings

GOLDEN = Path(__file__).parent / "golden" / "search.json"


def search_after(game: GameDefinition, moves: str, config: Config) -> Search:
    search = Search(game, config)
    for text in moves.split():
        search.play(game.parse_move(search.state, text))
    return search


def answer(game: GameDefinition, moves: str, config: Config) -> tuple[str, SearchResult]:
    search = search_after(game, moves, config)
    result = search.run()
    assert result.move is not None
    return game.format_move(search.state, result.move), result


# --- Tic-tac-toe, solved ---


def after(position: tuple[int, ...], cell: int) -> tuple[int, ...]:
    """The nine cells and the number of moves after a move; 1 for crosses, which begin."""
    *cells, moves = position
    cells[cell] = moves % 2 + 1
    return (*cells, moves + 1)


def empty_cells(position: tuple[int, ...]) -> list[int]:
    return [cell for cell in range(9) if position[cell] == 0]


def has_line(position: tuple[int, ...]) -> bool:
    return any(position[a] == position[b] == position[c] != 0 for a, b, c in LINES)


@cache
def minimax(position: tuple[int, ...]) -> int:
    """The value for the player to move, by brute force."""
    if has_line(position):
        return -1
    return max((-minimax(after(position, cell)) for cell in empty_cells(position)), default=0)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    "fields",
    [
        {"selection": "ucb1"},
        {"selection": "ucb1-tuned", "solver": True},
        {"selection": "rave-mse", "exploration": 0.3},
        {"selection": "puct", "solver": True},
    ],
    ids=lambda fields: fields["selection"],
)
def test_tic_tac_toe_is_never_lost_against_perfect_play(side: int, fields: dict[str, Any]) -> None:
    # The perfect player tries up to three of its best moves each time, not one of them alone.
    search = Search(make_game("tic-tac-toe"), Config(simulations=3000, memory=4, seed=3, **fields))
    beginning: tuple[int, ...] = (0,) * 10
    waiting, seen = [beginning], set()
    for position in waiting:
        mover, over = position[-1] % 2, has_line(position)
        if position in seen or over or not empty_cells(position):
            assert mover != side or not over
            continue
        seen.add(position)
        if mover == side:
            search.set_state(np.array(position, np.int32))
            moves = [search.run().move or 0]
        else:
            value = minimax(position)
            moves = empty_cells(position)
            moves = [move for move in moves if -minimax(after(position, move)) == value][:3]
        waiting += [after(position, move) for move in moves]
    assert len(seen) > 10


def test_tic_tac_toe_is_solved() -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=200_000, solver=True))
    result = search.run()
    assert result.proof == "draw"
    assert {candidate.proof for candidate in result.candidates} == {"draw"}
    assert result.simulations < 200_000
    check_tree(search.tree, values=False)
    assert search.run().simulations == 0  # Nothing is left to find out.


@pytest.mark.parametrize(
    ("moves", "proof"),
    [("a1 b2", "draw"), ("a1 a2", "win"), ("b2 a1 c3 c1", "draw"), ("a1 b1 b2", "loss")],
)
def test_positions_of_tic_tac_toe_are_solved(moves: str, proof: str) -> None:
    search = search_after(make_game("tic-tac-toe"), moves, Config(simulations=100_000, solver=True))
    result = search.run()
    assert result.proof == proof
    position = tuple(search.state.tolist())
    assert {"win": 1, "draw": 0, "loss": -1}[proof] == minimax(position)
    check_tree(search.tree, values=False)
    assert result.move is not None
    assert -minimax(after(position, result.move)) == minimax(position)


# --- Connect 4 and Hex ---


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("", {"4"}),  # The center wins; it is the only move that does.
        ("4 1 4 1 4 1", {"4"}),  # Four upwards.
        ("4 1 4 1 4", {"4"}),  # Stop it.
        ("4 4 5 5", {"3", "6"}),  # Three in the bottom row, open at both ends: 2 3 4 5 6.
        ("4 4 5", {"3", "6"}),  # Stop that in time.
        ("1 3 2 4 7 5 7", {"6"}),  # Four in a row.
    ],
)
def test_connect_four_knows_the_answer(moves: str, best: set[str]) -> None:
    game = make_game("connect-four")
    assert answer(game, moves, Config(simulations=20_000, seed=5))[0] in best


@pytest.mark.parametrize(
    ("moves", "proof", "best"),
    [
        ("4 1 4 1 4 1", "win", {"4"}),
        ("4 4 5 5", "win", {"3", "6"}),
        ("4 1 5 1 3", "loss", set("1234567")),  # Open at both ends: lost whatever one does.
    ],
)
def test_connect_four_endings_are_proven(moves: str, proof: str, best: set[str]) -> None:
    config = Config(simulations=60_000, solver=True)
    text, result = answer(make_game("connect-four"), moves, config)
    assert result.proof == proof
    assert text in best


def test_hex_completes_a_bridge() -> None:
    # X has c2 and b4, a bridge over b3 and c3, and bridges to both edges. O intrudes at b3.
    game = hex_game(5, swap=False)
    text, result = answer(
        game, "c2 e1 b4 b3", Config(simulations=20_000, selection="rave-mse", exploration=0.0)
    )
    assert text == "c3"
    assert result.value > 0.9


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_player_wins_small_hex(size: int) -> None:
    result = Search(hex_game(size, swap=False), Config(simulations=100_000, solver=True)).run()
    assert result.proof == "win"


def test_with_the_swap_rule_the_second_player_takes_a_good_stone() -> None:
    game = hex_game(3, swap=True)
    assert answer(game, "b2", Config(simulations=20_000, solver=True))[0] == "swap"
    text, result = answer(game, "", Config(simulations=200_000, solver=True))
    assert result.proof == "loss"
    assert text != "b2"


# --- One seed, one tree; interpreted or not ---


CONFIGS: dict[str, dict[str, Any]] = {
    "as it comes": {
        "selection": Config.selection,
        "exploration": Config.exploration,
        "rave_bias": Config.rave_bias,
    },
    "ucb1": {},
    "ucb1-tuned": {"selection": "ucb1-tuned", "prior_even": 2.0},
    "greedy": {"selection": "greedy", "first_play_urgency": 0.6, "expansion": "one"},
    "rave": {"selection": "rave", "expand_after": 3},
    "rave-hand": {"selection": "rave-hand", "exploration": 0.1, "amaf_update": "every"},
    "rave-child": {"selection": "rave-child", "amaf_opposite": True, "amaf_earliness": True},
    "rave-mse": {"selection": "rave-mse", "exploration": 0.0, "prior_grandfather": 5.0},
    "rave-mse-exact": {"selection": "rave-mse-exact", "prior_grandparent": 1.0},
    "progressive-bias": {"selection": "progressive-bias", "virtual_loss": 3},
    "puct": {"selection": "puct", "solver": True},
    "flat": {"selection": "flat"},
    "objective": {"selection": "objective", "reward": "bounded-score"},
    "widening": {"widening": 1.5, "prior_grandfather": 3.0, "solver": True},
    "back-up": {"backup_maximum": 0.5, "reward": "score", "reward_scale": 10.0},
    "temperature": {"reward_temperature": 0.5, "reward_average": True, "reward_scale": 2.0},
    "points": {"selection": "rave-mse", "reward_points": 0.8},
    "lock": {"parallel": "lock"},
    "root": {"parallel": "root", "memory": 1.0},
    "at once": {"selection": "rave-mse", "exploration": 0.0, "expand_after": 0},
    "several": {"expand_nodes": 3, "first_play_urgency": 0.4},
    "whole tree": {"selection": "rave-hand", "exploration": 0.0, "amaf_scope": "tree"},
    "rave-variance": {"selection": "rave-variance", "rave_bias": 0.1},
    "gaussian": {"selection": "gaussian"},
    "softmax": {"selection": "softmax"},
    "progressive-pruning": {"selection": "progressive-pruning", "pruning_errors": 1.0},
    "window": {"reward_average": True, "reward_window": 40},
    "adapts": {"reward_temperature": 1.0, "reward_adapts": True, "reward_scale": 2.0},
    "cut off": {"cutoff": 2},
}


@pytest.mark.parametrize(("komi", "won"), [(20.0, 1.0), (-20.0, 0.0)])
def test_points_tell_moves_apart_in_a_decided_game(komi: float, won: float) -> None:
    """The first player takes 0 to 2 points, then the second: all of it decides nothing."""

    def outcome(moves: tuple[int, ...]) -> float | None:
        return komi + 2 * moves[0] - 2 * moves[1] if len(moves) == 2 else None

    game = scripted_game(outcome)
    search = searched(game, reward_points=0.8, exploration=0.3)
    assert search.best() == 2
    found = search.candidates()[0]
    assert found.tally == won  # The chance to win, which the value no longer is.
    assert 0.2 < found.value < 0.8
    assert found.variation == (2, 2)
    assert searched(game, exploration=0.3).candidates()[0].tally == 0.0  # Wins are in the value.


def plain(game: GameDefinition) -> GameDefinition:
    """The same game in plain Python functions."""

    def twin(function: Any) -> Any:
        return interpreted(function) if isinstance(function, Kernel) else function

    from dataclasses import replace

    from montego.mcts.game import no_hash, no_priors

    assert game.priors is no_priors
    assert game.hash is no_hash
    return replace(
        game,
        legal_moves=twin(game.legal_moves),
        play=twin(game.play),
        score=twin(game.score),
        playout=twin(game.playout),
    )


@pytest.mark.small_boards
@pytest.mark.parametrize("name", CONFIGS)
def test_compiled_and_interpreted_searches_build_the_same_tree(name: str) -> None:
    game = make_game("tic-tac-toe")
    compiled, slow = searched(game, **CONFIGS[name]), searched(plain(game), **CONFIGS[name])
    assert compiled._threads._compiled != compile_off()
    assert not slow._threads._compiled
    assert same_trees(compiled.tree, slow.tree)
    if name != "at once":  # There a move is counted before there is a node behind it.
        check_tree(compiled.tree, values=name not in ("back-up", "widening"))


@pytest.mark.parametrize("name", ["ucb1", "rave-mse"])
def test_one_thread_is_deterministic_by_the_seed(name: str) -> None:
    game = make_game("connect-four")
    one, two = searched(game, 3000, **CONFIGS[name]), searched(game, 3000, **CONFIGS[name])
    assert same_trees(one.tree, two.tree)
    other = searched(game, 3000, seed=12, **CONFIGS[name])
    assert not same_trees(one.tree, other.tree)


def test_a_search_in_parts_builds_the_same_tree() -> None:
    game = make_game("connect-four")
    whole = searched(game, 3000, **CONFIGS["as it comes"])
    parts = Search(game, Config(early_stop=False, seed=11))
    for simulations in (1, 999, 2000):
        parts.run(simulations=simulations)
    assert same_trees(whole.tree, parts.tree)


def golden_trees() -> dict[str, dict[str, list[int]]]:
    """Visits by move at the root and after the first move, for small searches."""
    found = {}
    for name, fields in CONFIGS.items():
        for game in (make_game("tic-tac-toe"), make_game("connect-four"), hex_game(4)):
            search = searched(game, 600, **fields)
            visits = visits_by_move(search.tree)
            first = int(search.tree.child[int(search.tree.first_edge[ROOT])])
            found[f"{name}, {game.name}"] = {
                "root": [visits[move] for move in sorted(visits)],
                "below": sorted(visits_by_move(search.tree, first).values()) if first else [],
            }
    return found


def test_golden_trees() -> None:
    if compile_off():
        pytest.skip("takes long interpreted")
    stored = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = golden_trees()
    assert stored.keys() == found.keys()
    for name in found:
        assert found[name] == stored[name], name


def test_a_game_without_a_playout_gets_a_random_one() -> None:
    from dataclasses import replace

    from montego.mcts.game import no_playout

    game = replace(make_game("tic-tac-toe"), playout=no_playout)
    search = searched(game, 3000)
    assert search.best() == 4
    check_tree(search.tree)


def test_a_plain_python_game() -> None:
    # Take one or two; who takes the last of seven wins. One must leave multiples of three.
    def outcome(moves: tuple[int, ...]) -> float | None:
        if sum(moves) + len(moves) < 7:
            return None
        return 1.0 if len(moves) % 2 == 1 else -1.0

    def legal(moves: tuple[int, ...]) -> range:
        return range(min(7 - sum(moves) - len(moves), 2))

    game = scripted_game(outcome, move_count=2, legal=legal)
    search = Search(game, Config(simulations=500, solver=True))
    result = search.run()
    assert result.move == 0
    assert result.proof == "win"
    assert result.variation[0] == 0


# --- Budgets ---


@pytest.mark.parametrize("simulations", [1, 2, 15, 16, 17, 1000])
def test_simulations_are_exact(simulations: int) -> None:
    search = Search(make_game("connect-four"), Config(early_stop=False))
    assert search.run(simulations=simulations).simulations == simulations
    assert search.tree.node_visits[ROOT] == simulations
    assert search.tree.counters[SIMULATIONS] == simulations


def test_seconds_end_a_search() -> None:
    search = Search(make_game("connect-four"), Config(simulations=None, seconds=0.05))
    assert search.run().simulations > 0
    # What the configuration says about simulations does not hold when seconds are given.
    search = Search(make_game("tic-tac-toe"), Config(simulations=3, early_stop=False))
    assert search.run(seconds=0.05).simulations > 3


def test_no_time_is_too_short_for_an_answer() -> None:
    search = Search(make_game("connect-four"), Config(simulations=None, seconds=1e-9))
    assert search.run().move is not None


def test_both_limits_hold() -> None:
    search = Search(make_game("connect-four"), Config(early_stop=False))
    assert search.run(simulations=50, seconds=600.0).simulations == 50


@pytest.mark.parametrize("fields", [{}, {"votes": 2, "seconds": 1000.0}])
def test_another_thread_stops_a_search(fields: dict[str, Any]) -> None:
    search = Search(make_game("connect-four"), Config(simulations=None, early_stop=False, **fields))
    found: list[SearchResult] = []
    runner = threading.Thread(target=lambda: found.append(search.run()))
    runner.start()
    while not search.candidates():
        time.sleep(0.001)
    assert search.best() in range(7)
    assert sum(candidate.visits for candidate in search.candidates()) > 0
    search.stop()
    runner.join(60)
    assert not runner.is_alive()
    assert found[0].move in range(7)
    assert search.best() == found[0].move


def test_asking_while_the_tree_is_pruned() -> None:
    search = Search(
        make_game("connect-four"), Config(simulations=100_000, memory=1, early_stop=False)
    )
    runner = threading.Thread(target=search.run)
    runner.start()
    asked = 0
    while runner.is_alive():
        candidates = search.candidates()
        assert len(candidates) in (0, 7)
        asked += 1
        time.sleep(0.002)  # Who asks all the time keeps the search from its work.
    runner.join()
    assert asked > 1


def test_progress_is_reported_and_may_stop_the_search() -> None:
    parts: list[float] = []

    def progress(search: Search, part: float) -> None:
        parts.append(part)
        if len(parts) == 3:
            search.stop()

    search = Search(make_game("connect-four"), Config(simulations=10**9))
    search.run(progress=progress)
    assert len(parts) == 3
    assert parts == sorted(parts)


def test_what_progress_raises_comes_out() -> None:
    def progress(_search: Search, _part: float) -> None:
        raise RuntimeError("enough")

    search = Search(make_game("connect-four"))
    with pytest.raises(RuntimeError, match="enough"):
        search.run(progress=progress)
    check_tree(search.tree)


@pytest.mark.parametrize("moves", ["", "4 4", "4 1 4 1 4", "3 4 4 5", "1 2 3 4 5 6 7"])
def test_an_early_stop_does_not_change_the_move(moves: str) -> None:
    game = make_game("connect-four")
    for seed in range(4):
        early, late = (
            search_after(game, moves, Config(simulations=1500, early_stop=stop, seed=seed)).run()
            for stop in (True, False)
        )
        assert early.move == late.move
        assert late.simulations == 1500
        first, second = sorted(c.visits for c in early.candidates)[:-3:-1]
        assert early.simulations == 1500 or first - second > 1500 - early.simulations


def test_an_early_stop_happens() -> None:
    game = make_game("connect-four")
    assert search_after(game, "4 1 4 1 4", Config(simulations=4000)).run().simulations < 4000


def test_a_game_of_one_move_has_one_answer() -> None:
    game = scripted_game(
        lambda moves: 1.0 if len(moves) > 2 else None, move_count=1, playout=drawn_playout
    )
    result = Search(game, Config(simulations=100)).run()
    assert result.move == 0
    assert result.simulations < 100


def test_a_single_legal_move() -> None:
    text, result = answer(make_game("tic-tac-toe"), "a1 a2 a3 b1 b2 c3 b3 c2", Config())
    assert text == "c1"
    assert len(result.candidates) == 1


@pytest.mark.parametrize("fields", [{}, {"solver": True}, {"votes": 3}, {"final_move": "max"}])
def test_a_finished_game_has_no_move(fields: dict[str, Any]) -> None:
    search = search_after(make_game("tic-tac-toe"), "a1 a2 b1 b2 c1", Config(**fields))
    for _ in range(2):
        result = search.run()
        assert result.move is None
        assert result.candidates == ()
        assert result.simulations <= 3
        assert result.proof == ("loss" if "solver" in fields else None)
    assert search.best() is None
    assert search.legal_moves() == []


def test_a_finished_game_ends_even_a_search_without_limit() -> None:
    search = search_after(make_game("tic-tac-toe"), "a1 a2 b1 b2 c1", Config(simulations=None))
    assert search.run().move is None


# --- The result ---


def test_the_result_agrees_with_the_tree() -> None:
    search = searched(make_game("connect-four"), 2000, selection="rave-mse")
    result = search.run(simulations=500)
    assert result.simulations == 500
    assert sum(candidate.visits for candidate in result.candidates) == 2500
    visits = [candidate.visits for candidate in result.candidates]
    assert visits == sorted(visits, reverse=True)
    assert result.candidates == tuple(search.candidates())
    best = result.candidates[0]
    assert (result.move, result.value, result.variation) == (best.move, best.value, best.variation)
    assert 0.0 < best.amaf_value < 1.0
    assert best.amaf_visits > 0
    assert -1.0 <= result.mean_score <= 1.0
    state = search.state
    for move in result.variation:  # It is a line of legal moves.
        follow = Search(search.game, state=state)
        assert move in follow.legal_moves()
        state = follow.after(state, move)


def test_robust_max_searches_on_until_both_agree() -> None:
    for seed in range(5):
        config = Config(simulations=400, final_move="robust-max", seed=seed, exploration=1.4)
        result = Search(make_game("connect-four"), config).run()
        assert 400 <= result.simulations <= 600
        best = max(candidate.value for candidate in result.candidates)
        assert result.value == best or result.simulations == 600


# --- Root control ---


def test_only_allowed_moves_are_searched() -> None:
    search = Search(make_game("connect-four"), Config(simulations=500))
    result = search.run(allowed=[0, 6])
    assert {candidate.move for candidate in result.candidates} == {0, 6}
    result = search.run(avoided=[3, 2])
    assert {candidate.move for candidate in result.candidates} == {0, 1, 4, 5, 6}
    result = search.run(allowed=[2, 3, 4], avoided=[3])
    assert {candidate.move for candidate in result.candidates} == {2, 4}
    assert len(search.run().candidates) == 7


def test_restrictions_that_leave_nothing_are_ignored() -> None:
    search = Search(make_game("connect-four"), Config(simulations=100))
    assert len(search.run(avoided=range(7)).candidates) == 7


def test_answers_are_not_restricted() -> None:
    search = Search(make_game("connect-four"), Config(simulations=500, early_stop=False))
    search.run(allowed=[0])
    search.play(0)
    assert len(search.candidates()) == 7
    assert search.run().simulations == 500
    check_tree(search.tree, fresh=False)


def test_votes_are_restricted_too() -> None:
    search = Search(make_game("connect-four"), Config(simulations=300, votes=3))
    result = search.run(allowed=[0, 6])
    assert {candidate.move for candidate in result.candidates} == {0, 6}


# --- Limits below the root ---


def moves_at(search: Search, depth: int) -> list[set[int]]:
    """The moves of every expanded node at that depth."""
    tree = search.tree
    nodes = [ROOT]
    for _ in range(depth):
        nodes = [
            int(tree.child[edge])
            for node in nodes
            for edge in edges_of(tree, node)
            if tree.child[edge] != NO_CHILD
        ]
    return [
        {int(tree.move[edge]) for edge in edges_of(tree, node)}
        for node in nodes
        if tree.expansion[node] == EXPANDED
    ]


@pytest.mark.parametrize("slow", [False, True])
def test_limits_hold_to_their_depth_for_their_player(slow: bool) -> None:
    game = make_game("connect-four")
    if slow:
        assert isinstance(game.legal_moves, Kernel)
        game = replace(game, legal_moves=interpreted(game.legal_moves))
    search = Search(game, Config(simulations=400 if slow else 4000))
    search.run(
        limits=[
            MoveLimit(moves=frozenset({3}), depth=3),
            MoveLimit(moves=frozenset({2, 3}), depth=2, only=True, opponent=True),
        ]
    )
    # The player to move is kept from 3 at depths 0 and 2, the other one to two moves at depth 1.
    every = set(range(7))
    assert search.limited_depth == 3
    assert moves_at(search, 0) == [every - {3}]
    assert moves_at(search, 1)
    assert all(moves == {2, 3} for moves in moves_at(search, 1))
    assert moves_at(search, 2)
    assert all(moves == every - {3} for moves in moves_at(search, 2))
    if not slow:
        assert every in moves_at(search, 3)
        assert every in moves_at(search, 4)
    check_tree(search.tree)


def test_a_tree_is_kept_while_limits_leave_out_the_same_moves() -> None:
    search = Search(make_game("connect-four"), Config(simulations=200, early_stop=False))
    search.run(avoided=[3])
    tree = search.tree_identity
    # The same in other words: the opponent does not move at the root, nor the player at depth 1.
    same = MoveLimit(moves=frozenset({3}), depth=2)
    nothing = MoveLimit(moves=frozenset({1}), opponent=True)
    search.run(limits=[same, nothing])
    assert search.tree_identity is tree
    assert sum(candidate.visits for candidate in search.candidates()) == 400
    search.run(limits=[replace(same, depth=3)])
    other = search.tree_identity
    assert other is not tree
    search.run(limits=[replace(same, depth=4)])
    assert search.tree_identity is other
    search.run()
    assert search.tree_identity not in (tree, other)
    assert search.limited_depth == 0


def test_what_limits_below_the_root_left_is_not_kept_after_a_move() -> None:
    search = Search(make_game("connect-four"), Config(simulations=500, early_stop=False))
    search.run(limits=[MoveLimit(moves=frozenset({3}), depth=2, opponent=True)])
    search.play(0)
    assert search.candidates() == []
    assert len(search.run().candidates) == 7


def test_votes_are_limited_below_the_root_too() -> None:
    search = Search(make_game("connect-four"), Config(simulations=300, votes=3))
    only = MoveLimit(moves=frozenset({6}), only=True, depth=3)
    assert [candidate.move for candidate in search.run(limits=[only]).candidates] == [6]


def test_limits_are_checked() -> None:
    search = Search(make_game("connect-four"), Config(simulations=10))
    with pytest.raises(InvalidMove, match="not a move"):
        search.run(limits=[MoveLimit(moves=frozenset({7}))])
    with pytest.raises(InvalidMove, match="invalid depth 0"):
        MoveLimit(moves=frozenset({1}), depth=0)
    deep = MoveLimit(moves=frozenset({1}), depth=10**12)
    assert len(search.run(limits=[deep]).candidates) == 6


# --- Majority voting ---


def test_majority_voting_divides_the_simulations() -> None:
    config = Config(simulations=1000, votes=3, early_stop=False)
    search = Search(make_game("connect-four"), config)
    parts: list[float] = []
    result = search.run(progress=lambda _search, part: parts.append(part))
    assert result.simulations == 1000
    assert sum(count for _, count in result.votes) == 3
    assert result.move == result.votes[0][0]
    assert search.best() == result.move
    assert tuple(search.candidates()) == result.candidates
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    # They are independent searches with seeds of their own.
    again = Search(make_game("connect-four"), config).run()
    assert again.votes == result.votes
    single = [
        Search(
            make_game("connect-four"),
            Config(simulations=share, early_stop=False, seed=number),
        ).run()
        for number, share in enumerate((333, 333, 334))
    ]
    assert sum(r.candidates[0].visits for r in single) <= 1000
    moves = [r.move for r in single]
    assert dict(result.votes) == {move: moves.count(move) for move in moves}


def test_more_votes_than_simulations() -> None:
    result = Search(make_game("connect-four"), Config(simulations=2, votes=5)).run()
    assert result.simulations == 2
    assert sum(count for _, count in result.votes) == 2


@pytest.mark.parametrize(("threshold", "votes"), [(0.0, 1), (99.0, 1), (101.0, 0)])
def test_votes_are_held_where_there_are_simulations_enough(threshold: float, votes: int) -> None:
    # 700 simulations for 7 moves are 100 a move.
    config = Config(simulations=700, votes=2, votes_threshold=threshold)
    assert bool(Search(make_game("connect-four"), config).run().votes) == bool(votes)


def test_moving_on_after_a_vote() -> None:
    search = Search(make_game("connect-four"), Config(simulations=300, votes=3))
    search.run()
    search.play(3)
    assert search.candidates() == []
    assert search.best() is None
    assert search.run().move is not None


# --- Ctrl-C ---


def test_ctrl_c_returns_the_result_so_far() -> None:
    code = """
        import sys, threading
        from montego.games import make_game
        from montego.mcts import Config, Search
        for fields in 10 * [{}, {"votes": 3, "seconds": 1000.0}]:
            search = Search(
                make_game("connect-four"), Config(simulations=None, early_stop=False, **fields)
            )
            said = []
            def progress(search, part):
                if not said and search.candidates():
                    said.append(1)
                    print("running", flush=True)
            result = search.run(progress=progress)
            print(result.move in range(7), result.simulations > 0, search.best() == result.move)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        for _ in range(2 * 10):
            assert process.stdout.readline() == "running\n"
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "True True True\n"
        assert process.stdout.read() == ""
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_second_ctrl_c_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)
    with stopped_by_ctrl_c(lambda: None) as interrupted:
        signal.raise_signal(signal.SIGINT)
        assert interrupted.is_set()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_before_anything_was_found_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Search(make_game("connect-four"))

    def found_nothing(*_: object) -> int:
        signal.raise_signal(signal.SIGINT)
        return 0

    monkeypatch.setattr(search._threads, "_slice", found_nothing)
    with pytest.raises(KeyboardInterrupt):
        search.run()


def test_a_programs_own_handler_is_left_alone() -> None:
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        search = Search(make_game("connect-four"), Config(simulations=200, early_stop=False))
        result = search.run(progress=lambda *_: signal.raise_signal(signal.SIGINT))
        assert result.simulations == 200
        assert seen
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("calls", range(1, 40, 3))
def test_an_interrupted_interpreted_search_can_go_on(calls: int) -> None:
    left = [calls]

    def outcome(moves: tuple[int, ...]) -> float | None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt
        return 1.0 if len(moves) == 4 else None

    config = Config(simulations=100, parallel="lock", early_stop=False)
    search = Search(scripted_game(outcome), config)
    try:
        assert search.run().move is not None
    except KeyboardInterrupt:  # Before anything was found.
        assert not search.candidates()
    result = search.run()
    assert result.move is not None
    assert result.simulations == 100
    assert all(candidate.visits > 1 for candidate in result.candidates)


# --- A formula of one's own ---


@kernel(inline=True)
def ucb1(move: Statistics, settings: Settings) -> float:  # noqa: ARG001
    """Named like Montego's own, and quite another: the least visited move."""
    return -move.n


@kernel(inline=True)
def mostly_amaf(move: Statistics, settings: Settings) -> float:
    return (move.a + 1.0) / (move.m + 2.0) + settings.exploration / (1.0 + move.n)


@pytest.mark.small_boards
def test_a_formula_of_ones_own() -> None:
    game = make_game("tic-tac-toe")
    search = searched(game, 900, selection=ucb1)
    assert set(visits_by_move(search.tree).values()) == {100}
    slow = searched(plain(game), 900, selection=ucb1)
    assert same_trees(search.tree, slow.tree)
    assert max(visits_by_move(searched(game, 900).tree).values()) > 100  # Montego's own.
    search = searched(game, 900, selection=mostly_amaf)
    check_tree(search.tree)
    assert search.tree.amaf.any()


def test_the_last_seed_will_do_for_voters() -> None:
    config = Config(simulations=30, votes=3, seed=(1 << 63) - 1, early_stop=False)
    assert Search(make_game("tic-tac-toe"), config).run().simulations == 30


def test_objective_selection_tries_every_move_whatever_the_rewards() -> None:
    # All moves are alike, and all lose by much.
    game = scripted_game(lambda moves: -40.0 if moves else None, move_count=7)
    found = searched(game, 2000, selection="objective", reward="score", reward_scale=1.0)
    assert min(visits_by_move(found.tree).values()) > 100


def test_formulas_of_users_are_not_kept_on_disk(tmp_path: Path) -> None:
    if compile_off():
        pytest.skip("nothing is compiled")
    program = tmp_path / "own.py"
    results = []
    for sign in ("", "-"):
        program.write_text(
            textwrap.dedent(f"""
                from montego.games import make_game
                from montego.jit import kernel
                from montego.mcts import Config, Search

                @kernel(inline=True)
                def own(move, settings):
                    return {sign}move.n

                search = Search(make_game("tic-tac-toe"), Config(simulations=90, selection=own))
                print(max(candidate.visits for candidate in search.run().candidates))
            """)
        )
        done = subprocess.run(
            [sys.executable, str(program)],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        )
        results.append(int(done.stdout))
    # First always the most visited, then always the least.
    assert results[0] > 40
    assert results[1] == 10


if __name__ == "__main__":
    GOLDEN.parent.mkdir(exist_ok=True)
    lines = [f"{json.dumps(name)}: {json.dumps(tree)}" for name, tree in golden_trees().items()]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


@pytest.mark.parametrize("threads", [1, 2])
def test_a_running_search_refuses_to_be_changed(threads: int) -> None:
    search = Search(make_game("tic-tac-toe"), Config(simulations=None, threads=threads))
    begun = threading.Event()

    def run() -> None:
        search.run(progress=lambda _search, _part: begun.set())

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert begun.wait(60)
        for change in (search.run, lambda: search.play(0), lambda: search.set_state(search.state)):
            with pytest.raises(MctsError, match="this search is running"):
                change()
        # What only asks is answered.
        assert search.legal_moves() == list(range(9))
        assert search.best() is not None
    finally:
        search.stop()
        thread.join()
    search.play(0)
    assert search.legal_moves() == list(range(1, 9))
