"""The experiments of document 004: random games, changes to UCT, and alpha-beta."""

from __future__ import annotations

import json
import math
import random
from typing import TYPE_CHECKING

import pytest

from montego.experiments.document_004 import alpha_beta, hybrid, random_games, selection, speeds
from montego.experiments.document_004.alpha_beta import (
    COLUMNS,
    ROWS,
    ConnectFourBoard,
    play_out,
)
from montego.experiments.experiment import Trial, TrialResult
from montego.experiments.games import new_search
from montego.experiments.registry import find_experiment
from montego.experiments.verdict import ClaimVerdict
from montego.go.vocabulary.errors import GoError
from montego.mcts.picture import to_json

if TYPE_CHECKING:
    from collections.abc import Callable


def spread_results(deviation: float) -> list[TrialResult]:
    """Return results of games with normal scores of that deviation."""
    draw = random.Random(3)
    area = random_games.SIZE**2
    results = []
    for trial in random_games.RANDOM_GAME_SPREAD.plan("full")[:60]:
        games = trial.settings["games"]
        means = [draw.gauss(1.0, deviation / math.sqrt(games)) for _ in range(10)]
        frequency = [0] * (2 * area + 1)
        for _ in range(400):
            frequency[area + max(-area, min(area, round(draw.gauss(1.0, deviation))))] += 1
        results.append(TrialResult(trial, {"means": means, "frequency": frequency}, 0.0))
    return results


def test_spread_is_measured() -> None:
    narrow = random_games.RANDOM_GAME_SPREAD.summarize(spread_results(10.0))
    assert narrow.rows[0].ours == pytest.approx(10.0, abs=0.3)
    assert narrow.rows[1].ours > 0.98
    assert narrow.verdict is not ClaimVerdict.HOLDS
    wide = random_games.RANDOM_GAME_SPREAD.summarize(spread_results(33.0))
    assert wide.verdict is ClaimVerdict.HOLDS, wide.sentence


def test_methods_are_compared_with_other_exact_games() -> None:
    exact = [
        {"frequency": [0, 4, 4], "owners": [1.0, 0.0]},
        {"frequency": [0, 8, 0], "owners": [0, 0]},
    ]
    other = [{"frequency": [8, 0, 0], "owners": [-1.0, 1.0]}]
    assert random_games.score_distances(exact, exact) == [0.5, 0.5]
    assert random_games.score_distances(other, exact) == [1.0]
    assert random_games.owner_distances(exact, exact) == [0.5, 0.5]
    assert random_games.owner_distances(other, exact) == [(1.5 + 1.0) / 2]


def test_an_opponent_of_our_own_is_not_held_against_the_document() -> None:
    results = [
        TrialResult(
            trial, {"result": float((trial.number % 3 > 0) == ("printed" in trial.cell))}, 0.0
        )
        for trial in selection.BANDIT_FORMULAS.plan("full")
    ]
    summary = selection.BANDIT_FORMULAS.summarize(results)
    assert summary.verdict is ClaimVerdict.HOLDS, summary.sentence
    assert any("c = 0.5" in row.cell and row.ours < 0.4 for row in summary.rows)


def test_best_urgency_is_not_counted_in_the_games_it_was_chosen_by() -> None:
    """All equal: the best one looks better than even only where it was chosen."""
    draw = random.Random(5)
    trials = selection.FIRST_PLAY_URGENCY.plan("full")
    results = [TrialResult(trial, {"result": float(draw.random() < 0.5)}, 0.0) for trial in trials]
    summary = selection.FIRST_PLAY_URGENCY.summarize(results)
    assert summary.verdict is ClaimVerdict.UNDECIDED, summary.sentence


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
    value = alpha_beta.play_trial(Trial("a", 1, settings, seed=4))
    assert value["result"] in (0.0, 0.5, 1.0)
    assert value["began"] is False
    assert value["simulations"] >= 1
    assert value["depth"] >= 1


def test_a_score_is_read_as_gnu_go_tells_it() -> None:
    assert hybrid.score_of("B+12.5") == 12.5
    assert hybrid.score_of(" W+6.5\n") == -6.5
    assert hybrid.score_of("0") == 0.0
    with pytest.raises(GoError, match="'W\\+R', which is no score"):
        hybrid.score_of("W+R")


def test_outcomes_of_the_hybrid_are_told_by_color() -> None:
    results = []
    for trial in hybrid.HYBRID.plan("full"):
        is_black = trial.settings["first_begins"]
        won = trial.number % (3 if is_black else 4) != 0
        score = 10.0 if won else -30.0
        value = {"result": float(won), "began": is_black, "score": score, "moves": 60}
        results.append(TrialResult(trial, value | {"gnugo": "3.8"}, 1.0))
    summary = hybrid.HYBRID.summarize(results)
    shares = {row.cell: row.ours for row in summary.rows}

    assert shares["as White"] == pytest.approx(33 / 44)
    assert shares["as Black"] == pytest.approx(14 / 22)
    assert shares["overall"] == pytest.approx(47 / 66)
    assert shares["average outcome δ"] == pytest.approx((47 * 10 - 19 * 30) / 66)
    assert "GNU Go is version 3.8 here." in summary.notes
    assert [plot.name for plot in summary.plots] == ["outcomes"]


def test_speeds_are_told_with_their_spread() -> None:
    results = [
        TrialResult(trial, random_games.SPEEDS[trial.cell] + trial.number % 3, 1.0)
        for trial in speeds.SPEED_SPREAD.plan("full")
    ]
    summary = speeds.SPEED_SPREAD.summarize(results)
    assert summary.verdict == ClaimVerdict.HOLDS
    assert any(
        note.startswith(
            "naive: min 95.4 (91), max 97.4 (98.2), μ 96.4 (95.4), deviation 0.823 (1.38)"
        )
        for note in summary.notes
    )
    spreads = {row.cell: row for row in summary.rows if "deviation" in row.cell}
    assert spreads["naive, deviation in parts of μ"].document == pytest.approx(1.38 / 95.41)
    assert spreads["naive, deviation in parts of μ"].ours == pytest.approx(0.823 / 96.4, rel=0.01)


def test_moves_as_first_by_themselves_have_no_tree() -> None:
    match = find_experiment("moves-as-first").plan("full")[0].settings
    for side in ("first", "second"):
        search = new_search(match[side], 1)
        search.run()
        moves = json.loads(to_json(search, depth=3, least_visits=0))["moves"]
        assert sum(move["visits"] for move in moves) == 200
        assert not any(move["child"] and move["child"]["moves"] for move in moves)
