"""The experiments about boards, choices and document 004: what they make of results."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from montego.experiments.boards import LADDER, ladder, move_sets
from montego.experiments.choices import final_move, tree_levels
from montego.experiments.document_000.problems import AVERAGE, EASY, Problem, position
from montego.experiments.document_004 import (
    alpha_beta,
    bandit_formulas,
    first_play_urgency,
    random_game_methods,
    random_game_spread,
    uct_against_alpha_beta,
)
from montego.experiments.document_004.connect_four_board import (
    COLUMNS,
    ROWS,
    ConnectFourBoard,
    play_out,
)
from montego.experiments.experiment import Result, Trial
from montego.experiments.figures import share_row
from montego.experiments.games import _Seat, contestant, play_match_trial
from montego.experiments.matches import is_even, is_not_worse
from montego.experiments.registry import MODULES, find_experiment
from montego.experiments.verdict import Check, Verdict
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

MINE = [
    name
    for name, module in MODULES.items()
    if module.startswith(("boards.", "choices.", "document_004."))
]


@pytest.mark.parametrize("name", MINE)
def test_plans_are_json_without_repetition_and_balanced(name: str) -> None:
    experiment = find_experiment(name)
    for scale in ("quick", "full"):
        plan = experiment.plan(scale)
        assert len({(trial.cell, trial.number) for trial in plan}) == len(plan)
        assert len({experiment.digest(trial) for trial in plan}) == len(plan)
        assert json.loads(json.dumps([dict(trial.settings) for trial in plan])) == [
            trial.settings for trial in plan
        ]
        half = {trial.cell for trial in plan[: len(plan) // 2]}
        assert half == {trial.cell for trial in plan}, "stopped half way, a cell has nothing"
        if experiment.run is play_match_trial:
            for settings in {json.dumps(trial.settings) for trial in plan}:
                sides = [contestant(json.loads(settings)[side]) for side in ("first", "second")]
                assert sides[0].game.name == sides[1].game.name
                assert sides[0] != sides[1]
    games = [trial.number for trial in experiment.plan("full")]
    assert experiment.run is not play_match_trial or max(games) + 1 >= 100


@pytest.mark.parametrize("name", MINE)
def test_nothing_is_concluded_from_nothing(name: str) -> None:
    assert find_experiment(name).summarize([]).verdict is Verdict.UNDECIDED


def timings(exponents: dict[str, float], factor: float) -> list[Result]:
    """Return results as if every board were a *factor* faster than the one before it."""
    noise = random.Random(1)
    results = []
    for trial in ladder.EXPERIMENT.plan("full"):
        board = trial.settings["board"]
        lines = trial.settings["size"] / 19  # The factors are those of 19x19.
        seconds = lines ** exponents[board] / factor ** list(exponents).index(board)
        results.append(Result(trial, {"seconds": seconds * noise.uniform(0.98, 1.02)}, 0.0))
    return results


def test_ladder_finds_exponents_and_factors() -> None:
    exponents = dict(zip(ladder.BOARDS, (5.0, 5.5, 4.0, 2.0, 2.1, 1.9, 2.0), strict=True))
    summary = ladder.EXPERIMENT.summarize(timings(exponents, 7.0))
    rows = {row.cell: row for row in summary.rows}
    for board, exponent in exponents.items():
        row = rows[f"exponent of {board}"]
        assert row.low < exponent < row.high
        assert row.high - row.low < 0.1
        assert row.document == ladder.PREDICTED[board]
    assert rows["naive to Montego, 19x19"].ours == pytest.approx(7.0**6, rel=0.05)
    assert rows["naive to numerical, 19x19"].ours == pytest.approx(7.0**5, rel=0.05)
    assert summary.verdict is Verdict.HOLDS
    assert "7,500" in summary.sentence


def test_ladder_sees_a_board_that_grows_too_fast_and_a_step_that_is_none() -> None:
    exponents = dict.fromkeys(ladder.BOARDS, 2.0) | {"numerical": 3.0}
    summary = ladder.EXPERIMENT.summarize(timings(exponents, 0.9))
    assert summary.verdict is Verdict.DOES_NOT_HOLD
    assert "numerical (3 " in summary.sentence
    assert "not above 7,500" in summary.sentence


def test_ladder_times_a_board() -> None:
    settings = {"board": "numerical", "size": 3}
    value = ladder.time_iteration(Trial("numerical, 3x3", 0, settings, seed=1))
    assert 1e-6 < value["seconds"] < 1.0


def test_combined_check_names_what_fails() -> None:
    checks = [Check("a", holds=True), Check("b", None), Check("c", holds=False)]
    assert ladder.combined("all", checks) == Check("of 'all': c", holds=False)
    assert ladder.combined("all", checks[:2]) == Check("of 'all': b", None)
    assert ladder.combined("all", checks[:1]) == Check("all", holds=True)


@pytest.mark.parametrize(("is_linear", "verdict"), [(False, "holds"), (True, "differs")])
def test_move_sets_tell_constant_from_logarithmic(is_linear: bool, verdict: str) -> None:
    noise = random.Random(2)
    results = []
    for trial in move_sets.EXPERIMENT.plan("full"):
        elements = trial.settings["elements"]
        seconds = 1.0
        if trial.settings["set"] == "balanced tree":
            seconds = float(elements) if is_linear else 2 * math.log(elements)
        results.append(Result(trial, {"seconds": seconds * noise.uniform(0.95, 1.05)}, 0.0))
    assert move_sets.EXPERIMENT.summarize(results).verdict == verdict


def spread_results(deviation: float) -> list[Result]:
    """Return results of games with normal scores of that deviation."""
    draw = random.Random(3)
    area = random_game_spread.SIZE**2
    results = []
    for trial in random_game_spread.EXPERIMENT.plan("full")[:60]:
        games = trial.settings["games"]
        means = [draw.gauss(1.0, deviation / math.sqrt(games)) for _ in range(10)]
        frequency = [0] * (2 * area + 1)
        for _ in range(400):
            frequency[area + max(-area, min(area, round(draw.gauss(1.0, deviation))))] += 1
        results.append(Result(trial, {"means": means, "frequency": frequency}, 0.0))
    return results


def test_spread_is_measured() -> None:
    narrow = random_game_spread.EXPERIMENT.summarize(spread_results(10.0))
    assert narrow.rows[0].ours == pytest.approx(10.0, abs=0.3)
    assert narrow.rows[1].ours > 0.98
    assert narrow.verdict is not Verdict.HOLDS
    wide = random_game_spread.EXPERIMENT.summarize(spread_results(33.0))
    assert wide.verdict is Verdict.HOLDS, wide.sentence


def test_methods_are_compared_with_other_exact_games() -> None:
    exact = [
        {"frequency": [0, 4, 4], "owners": [1.0, 0.0]},
        {"frequency": [0, 8, 0], "owners": [0, 0]},
    ]
    other = [{"frequency": [8, 0, 0], "owners": [-1.0, 1.0]}]
    assert random_game_methods._score_distances(exact, exact) == [0.5, 0.5]
    assert random_game_methods._score_distances(other, exact) == [1.0]
    assert random_game_methods._owner_distances(exact, exact) == [0.5, 0.5]
    assert random_game_methods._owner_distances(other, exact) == [(1.5 + 1.0) / 2]


def test_an_even_match_is_told_from_an_uneven_one_and_from_too_few_games() -> None:
    assert is_even(share_row("a", 500, 1000), 0.05).holds is True
    assert is_even(share_row("a", 430, 1000), 0.05).holds is False
    assert is_even(share_row("a", 5, 10), 0.05).holds is None
    assert is_even(share_row("a", 228, 500), 0.05).holds is False
    assert is_even(share_row("a", 230, 500), 0.05).holds is None
    assert is_even(None, 0.05).holds is None


def test_a_side_that_is_better_is_no_worse() -> None:
    assert is_not_worse(share_row("a", 650, 1000), 0.05).holds is True
    assert is_not_worse(share_row("a", 500, 1000), 0.05).holds is True
    assert is_not_worse(share_row("a", 430, 1000), 0.05).holds is False
    assert is_not_worse(share_row("a", 5, 10), 0.05).holds is None
    assert is_not_worse(share_row("a", 228, 500), 0.05).holds is False
    assert is_not_worse(share_row("a", 228, 500), 0.05, family=3).holds is None
    assert is_not_worse(None, 0.05).holds is None


def test_a_rule_that_searches_longer_is_not_judged() -> None:
    results = [
        Result(trial, {"result": float(trial.number % 2 or "robust-max" in trial.cell)}, 0.0)
        for trial in final_move.EXPERIMENT.plan("full")
    ]
    summary = final_move.EXPERIMENT.summarize(results)
    assert summary.verdict is Verdict.HOLDS, summary.sentence
    assert any(row.cell.startswith("robust-max") and row.ours == 1 for row in summary.rows)


def test_an_opponent_of_our_own_is_not_held_against_the_document() -> None:
    results = [
        Result(trial, {"result": float((trial.number % 3 > 0) == ("printed" in trial.cell))}, 0.0)
        for trial in bandit_formulas.EXPERIMENT.plan("full")
    ]
    summary = bandit_formulas.EXPERIMENT.summarize(results)
    assert summary.verdict is Verdict.HOLDS, summary.sentence
    assert any("c = 0.5" in row.cell and row.ours < 0.4 for row in summary.rows)


def test_best_urgency_is_not_counted_in_the_games_it_was_chosen_by() -> None:
    """All equal: the best one looks better than even only where it was chosen."""
    draw = random.Random(5)
    trials = first_play_urgency.EXPERIMENT.plan("full")
    results = [Result(trial, {"result": float(draw.random() < 0.5)}, 0.0) for trial in trials]
    summary = first_play_urgency.EXPERIMENT.summarize(results)
    assert summary.verdict is Verdict.UNDECIDED, summary.sentence


def board_of(moves: str) -> ConnectFourBoard:
    board = ConnectFourBoard()
    for column in moves:
        board.play(int(column))
    return board


def winner_by_looking(cells: dict[tuple[int, int], int]) -> int:
    """Return who has four in a line, 0 for nobody, by trying every line."""
    for column in range(COLUMNS):
        for row in range(ROWS):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = {cells.get((column + i * right, row + i * up), 0) for i in range(4)}
                if len(line) == 1 and line != {0}:
                    return line.pop()
    return 0


def test_connect_four_board_follows_the_rules() -> None:
    draw = random.Random(6)
    scores = set()
    for _ in range(150):
        cells: dict[tuple[int, int], int] = {}
        board, heights, player = ConnectFourBoard(), [0] * COLUMNS, 1
        while moves := board.moves():
            assert winner_by_looking(cells) == 0
            assert moves == [column for column in range(COLUMNS) if heights[column] < ROWS]
            assert board.to_play == player
            move = draw.choice(moves)
            board.play(move)
            cells[move, heights[move]] = player
            heights[move] += 1
            player = 3 - player
        winner = winner_by_looking(cells)
        assert board.score() == {0: 0, 1: 1, 2: -1}[winner]
        scores.add(board.score())
    assert scores >= {-1, 1}
    assert play_out(ConnectFourBoard(), draw) in (-1, 0, 1)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("001122", {3}),  # wins at once: three in the bottom row from the left
        ("00112", {3}),  # must block that row
        ("3322", {1, 4}),  # three in the bottom row with both ends open win
    ],
)
def test_alpha_beta_wins_and_blocks(moves: str, expected: set[int]) -> None:
    for seed in range(5):
        player = alpha_beta.AlphaBeta(0.05, random.Random(seed))
        assert player.choose(board_of(moves)) in expected


def test_alpha_beta_without_deepening_sees_only_some_moves() -> None:
    chosen = {
        alpha_beta.AlphaBeta(0.002, random.Random(seed), deepening=False).choose(board_of(""))
        for seed in range(12)
    }
    assert len(chosen) > 3, "stopped at once, it plays what comes first, and that is random"


@pytest.mark.parametrize(
    ("evaluate", "allowed"),
    [(alpha_beta.even, range(2, alpha_beta.EVERY + 1)), (alpha_beta.random_game, range(2))],
)
def test_alpha_beta_reads_the_clock_after_every_random_game(
    monkeypatch: pytest.MonkeyPatch, evaluate: Callable[..., float], allowed: range
) -> None:
    """A second passes with each look at the clock and each judgement of a position."""
    seconds, late = 0, []

    def thread_time() -> int:
        nonlocal seconds
        seconds += 1
        return seconds

    def judge(mine: int, theirs: int, random_numbers: random.Random) -> float:
        late.append(thread_time() > 200)
        return evaluate(mine, theirs, random_numbers)

    monkeypatch.setattr("time.thread_time", thread_time)
    player = alpha_beta.AlphaBeta(199, random.Random(1), evaluate)
    monkeypatch.setattr(player, "evaluate", judge)
    player.choose(board_of(""))
    assert late.count(True) in allowed


def test_uct_plays_a_game_against_alpha_beta() -> None:
    settings = {"opponent": "deepening", "milliseconds": 1}
    value = uct_against_alpha_beta.play_trial(Trial("a", 1, settings, seed=4))
    assert value["result"] in (0.0, 0.5, 1.0)
    assert value["began"] is False
    assert value["simulations"] >= 1
    assert value["depth"] >= 1


def test_boards_of_the_experiment_are_those_of_the_ladder() -> None:
    assert set(ladder.BOARDS) == {*LADDER, ladder.COMPILED}


@pytest.mark.parametrize("problem", [EASY, AVERAGE])
def test_wrong_moves_of_the_levels_are_refuted_at_the_key_point(problem: Problem) -> None:
    settings = problem.trial_settings(20_000, 1, solver=True)
    player = contestant(settings["player"])
    state = position(settings["diagram"], [tree_levels.WRONG[problem]])
    result = Search(player.game, player.config, state=state).run()
    assert result.proof == "win"
    assert result.move is not None
    assert player.game.format_move(state, result.move) == problem.correct


def test_levels_are_asked_in_the_right_place() -> None:
    visits = {}
    for level in (tree_levels.FIRST, tree_levels.SECOND):
        settings = EASY.trial_settings(30, 2, early_stop=False)
        settings |= {"level": level, "wrong": tree_levels.WRONG[EASY], "answer": EASY.correct}
        value = tree_levels.ask(Trial("a", 0, settings, seed=2))
        assert len(value["right"]) == 2
        visits[level] = value["visits"]
    assert visits[tree_levels.FIRST] == [30, 30]
    assert 0 < max(visits[tree_levels.SECOND]) < 15, "one of six moves, and not the best"


def test_nobody_passes_into_a_lost_count() -> None:
    """Black is behind on the board as it stands; White, who is ahead, may pass."""
    player = contestant({"size": 5, "komi": 7.5, "search": {"simulations": 60}})
    seat = _Seat(player, 1)
    result = replace(seat.search.run(), move=0)
    assert (
        seat.move_of(result)
        == max(
            (found for found in result.candidates if found.move), key=lambda found: found.visits
        ).move
    )
    seat.follow(int(result.candidates[0].move))
    result = replace(seat.search.run(), move=0)
    black_leads = seat.score() > 0  # One stone owns the whole board.
    assert black_leads
    assert seat.move_of(result) != 0
    only_pass = replace(result, candidates=())
    assert seat.move_of(only_pass) == 0
    ahead = contestant({"size": 5, "komi": 30.5, "search": {"simulations": 60}})
    seat = _Seat(ahead, 1)
    seat.follow(int(seat.search.legal_moves()[0]))
    assert seat.move_of(replace(seat.search.run(), move=0)) == 0
