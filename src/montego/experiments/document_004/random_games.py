"""Random games: how widely they spread, and how fast and how correct 004's ways of them are."""

from __future__ import annotations

import math
import statistics
from typing import TYPE_CHECKING

import numpy as np

from montego.arena.drawing import Bar, Curve, Dot, curve_chart, interval_plot
from montego.engine.ending.ownership import sample_ownership
from montego.engine.knowledge.definition import go_game
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, cell_map, interleaved
from montego.experiments.figures import FigureRow, mean_row, ratio_row, share_row
from montego.experiments.verdict import above, agrees, below, more
from montego.go.board import Board
from montego.go.kernels.layout import empty_state
from montego.go.sampling.run import sample_playouts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult


EXACT = "uniform"
METHODS = (EXACT, "naive", "common-fate", "analyze-after")
FIGHT = """
    D4 Q16 Q4 D16 R14 O17 R17 R16 S16 Q17 S15 C6 F4 B4 C3 D10 R10 J17 F16 D14 H16 H17 G17 J16
    H15 J15 H14 J14 H13 G16 G15 F17 E16 E17 G18 D15 F18 E18 J13 K13 K12 L13 J12 F13 E15 E14
    F14 E13 G12 L12 L11 M11 K10 M12
"""
"""A game to its middle, composed: chains of both sides are cut and short of liberties."""
POSITIONS = {"9x9": (9, ""), "19x19": (19, ""), "19x19 fight": (19, FIGHT)}
SAMPLES = cell_map("{}, {}", METHODS, POSITIONS)
SPEEDS = {"naive": 95.41, "analyze-after": 1058.62}
"""Games a second on the document's Athlon (table 5.1)."""
LENGTHS = {SAMPLES["naive", "19x19"]: 300.0}
"""Moves of a random game on average: about so many (4.3.1.1)."""
GAIN = SPEEDS["analyze-after"] / SPEEDS["naive"]
TOLERANCE = 3.0
"""How far our own factor may be from the document's and still be about the same."""
TOLD = "19x19"
"""The board of the document's table."""
GAMES: dict[Scale, int] = {"quick": 500, "full": 5000}
METHOD_TRIALS: dict[Scale, int] = {"quick": 2, "full": 12}
METHOD_NOTES = (
    (
        "Scores: the largest difference between the parts of games that end at or below a score, "
        "0 alike and 1 disjoint. Owners: the mean difference over the points, each 1 for Black "
        f"and -1 for White in a game. The rows of {EXACT}, which follows the rules to the letter, "
        "show the noise of the measurement."
    ),
    "The document measured on 19x19 boards of unknown content, and compares no results of games.",
)


def _method_trials(scale: Scale) -> list[Trial]:
    cells = {
        SAMPLES[method, position]: {"method": method, "position": position, "games": GAMES[scale]}
        for position in POSITIONS
        for method in METHODS
    }
    return interleaved(cells, METHOD_TRIALS[scale])


def sample_games(trial: Trial) -> JSON:
    """Play random games; return their speed, the frequency of each score, and the owners."""
    method, games = trial.settings["method"], trial.settings["games"]
    size, moves = POSITIONS[trial.settings["position"]]
    board = Board(size)
    for number, vertex in enumerate(moves.split()):
        board.play("white" if number % 2 else "black", vertex)
    sample = sample_playouts(board.state, method, count=games, seed=trial.seed)
    figures = sample.summary(0.0)
    owners = sample_ownership(board.state, go_game(size, playout=method), games, trial.seed)
    return {
        "speed": figures["playouts_per_second"],
        "moves": figures["moves_per_playout"],
        "frequency": [int(count) for count in sample.frequency],
        "owners": [round(owner, 4) for owner in owners.points],
    }


def _summarize_methods(results: Sequence[TrialResult]) -> Summary:
    cells = by_cell(results)
    speeds, lengths, scores, owners, gains = [], [], [], [], []
    for position in POSITIONS:
        exact = cells.get(SAMPLES[EXACT, position], [])
        found = {m: v for m in METHODS if (v := cells.get(SAMPLES[m, position]))}
        for method, values in found.items():
            cell = SAMPLES[method, position]
            document = SPEEDS.get(method) if position == TOLD else None
            rates = [value["speed"] for value in values]
            speeds.append(mean_row(f"speed of {cell}", rates, document, "games/s"))
            moves = [value["moves"] for value in values]
            lengths.append(mean_row(f"moves of {cell}", moves, LENGTHS.get(cell)))
            spreads = [_mean_and_deviation(value["frequency"])[1] for value in values]
            lengths.append(mean_row(f"spread of {cell}", spreads, unit="points"))
            if len(exact) > 1:
                scores.append(mean_row(f"scores of {cell}", score_distances(values, exact)))
                owners.append(mean_row(f"owners of {cell}", owner_distances(values, exact)))
        slow, fast = ([1 / value["speed"] for value in found.get(method, [])] for method in SPEEDS)
        document = GAIN if position == TOLD else None
        faster = ratio_row(f"naive to analyze-after, {position}", slow, fast, document)
        gains += [] if faster is None else [faster]
    by_name = {row.cell: row for row in (*gains, *scores)}
    gain = by_name.get(f"naive to analyze-after, {TOLD}")
    distances = {method: by_name.get(f"scores of {SAMPLES[method, TOLD]}") for method in METHODS}
    # Of the others the document does not say how far they are from games by the rules.
    inexact = distances["analyze-after"]
    checks = [
        above(gain, 1.0),
        agrees(gain, TOLERANCE, widest=2 * TOLERANCE),
        more(inexact, distances[EXACT]),
    ]
    plots = [
        _distances("scores", scores, "Distance of the scores from games by the rules"),
        _distances("owners", owners, "Distance of the owners of points"),
    ]
    farther = [
        f"Farther from games by the rules: {check.text}."
        for method in ("naive", "common-fate")
        if (check := more(distances[method], inexact)).holds
    ]
    rows = [*gains, *speeds, *lengths, *scores, *owners]
    return Summary.of(rows, checks, plots=plots, notes=[*farther, *METHOD_NOTES])


def _distances(name: str, rows: Sequence[FigureRow], caption: str) -> Plot:
    bars = [
        Bar(row.cell.partition(" of ")[2], *(1000 * v for v in (row.ours, row.low, row.high)))
        for row in rows
        if math.isfinite(row.low)
    ]
    return Plot(name, interval_plot(bars, "thousandths"), f"{caption}, in thousandths.")


def score_distances(values: Sequence[JSON], exact: Sequence[JSON]) -> list[float]:
    """Return for each sample the Kolmogorov-Smirnov distance from the other exact ones."""
    distances = []
    for value in values:
        others = [other["frequency"] for other in exact if other is not value]
        own, pooled = (
            np.cumsum(counts) / np.sum(counts)
            for counts in (value["frequency"], np.sum(others, axis=0))
        )
        distances.append(float(np.abs(own - pooled).max()))
    return distances


def owner_distances(values: Sequence[JSON], exact: Sequence[JSON]) -> list[float]:
    """Return for each sample the mean over the points of how far ownership is from exact."""
    distances = []
    for value in values:
        others = [other["owners"] for other in exact if other is not value]
        gaps = np.abs(np.array(value["owners"]) - np.mean(others, axis=0))
        distances.append(float(gaps.mean()))
    return distances


RANDOM_GAME_METHODS = Experiment(
    name="random-game-methods",
    document="004",
    section="4.3.1, table 5.1",
    question="How fast are naive, common-fate-graph and analyze-after games, and how correct?",
    claim="Analyze-after plays 11 times as many games a second as naive (1,059 and 95 on an Athlon "
    "of its day), although not perfectly accurate.",
    figures={f"speed of {SAMPLES[method, TOLD]}": speed for method, speed in SPEEDS.items()},
    trials=_method_trials,
    run=sample_games,
    summarize=_summarize_methods,
    cost={"quick": 0.15, "full": 3.0},
    alone=True,
)

SIZE = 9
DEVIATION = "standard deviation"
CONFIDENCE = {1000: 0.68, 4000: 0.95}
"""The document's chances that the mean of so many games is right by a point."""
MEANS = {games: f"mean of {games:,} games within a point" for games in CONFIDENCE}
BATCHES = 10  # in a trial
SPREAD_TRIALS: dict[Scale, int] = {"quick": 10, "full": 100}
KOMI = 6.5
"""The document's (5.2)."""
FIRST_STONE = "Black's mean score without komi"
SPREAD_NOTE = (
    "The document takes its 35 points from its source, as an approximation, and does not say what "
    "the games were: what counts as an eye, and when a game ends, changes the spread. Here no move "
    "fills an eye, by the diagonal rule, and a game goes on until nobody has another."
)
STONE_NOTE = (
    f"Much smaller than the komi of {KOMI:g} is judged as less than half of it. The document names "
    "it as the reason why its program, as Black, believes that it is losing."
)


def _spread_trials(scale: Scale) -> list[Trial]:
    cells = {cell: {"games": games} for games, cell in MEANS.items()}
    return interleaved(cells, SPREAD_TRIALS[scale])


def play_batches(trial: Trial) -> JSON:
    """Play batches of random games from the empty board; return their means, and all scores."""
    means, frequency = [], [0] * (2 * SIZE * SIZE + 1)
    for batch in range(BATCHES):
        seed = trial.seed + (batch << 33)
        sample = sample_playouts(empty_state(SIZE), EXACT, count=trial.settings["games"], seed=seed)
        means.append(sample.summary(0.0)["mean_score"])
        frequency = [a + int(b) for a, b in zip(frequency, sample.frequency, strict=True)]
    return {"means": means, "frequency": frequency}


def _summarize_spread(results: Sequence[TrialResult]) -> Summary:
    if not results:
        return Summary.of([], [])
    cells = by_cell(results)
    values = [value for found in cells.values() for value in found]
    deviations = [_mean_and_deviation(value["frequency"])[1] for value in values]
    row = mean_row(DEVIATION, deviations, 35.0, "points")
    whole = [sum(counts) for counts in zip(*(v["frequency"] for v in values), strict=True)]
    center, _ = _mean_and_deviation(whole)
    chances: list[FigureRow] = []
    for games, document in CONFIDENCE.items():
        means = [mean for value in cells.get(MEANS[games], []) for mean in value["means"]]
        near = sum(abs(mean - center) < 1.0 for mean in means)
        chances.append(share_row(MEANS[games], near, len(means), document))
    averages = [_mean_and_deviation(value["frequency"])[0] for value in values]
    first_stone = mean_row(FIRST_STONE, averages, None, "points")
    checks = [
        agrees(row, 3.5, 7.0),
        *(agrees(chance, 0.03, 0.15) for chance in chances),
        below(first_stone, KOMI / 2),
    ]
    plots = [Plot("scores", _score_chart(whole), "Random games on 9x9 by their score.")]
    expected = (
        f"A mean of n games deviates by s/√n; with s = {row.ours:.1f} that is "
        f"{row.ours / math.sqrt(1000):.2f} points for 1,000 games and "
        f"{row.ours / math.sqrt(4000):.2f} for 4,000, and a point off or less in "
        f"{_within(row.ours, 1000):.0%} and {_within(row.ours, 4000):.0%} of the cases."
    )
    notes = [expected, SPREAD_NOTE, STONE_NOTE]
    return Summary.of([row, *chances, first_stone], checks, plots=plots, notes=notes)


def _within(deviation: float, games: int) -> float:
    """Return the chance of a normal mean of so many games to be right by a point."""
    normal = statistics.NormalDist(0.0, deviation / math.sqrt(games))
    return normal.cdf(1.0) - normal.cdf(-1.0)


def _mean_and_deviation(frequency: Sequence[int]) -> tuple[float, float]:
    scores = np.arange(len(frequency)) - len(frequency) // 2
    deviation = math.sqrt(float(np.cov(scores, fweights=frequency)))
    return float(np.average(scores, weights=frequency)), deviation


def _score_chart(frequency: Sequence[int]) -> str:
    area, total = len(frequency) // 2, sum(frequency)
    # Nearly all scores are odd: there are 81 points. Two at a time make a smooth curve.
    dots = [
        Dot(i - area + 0.5, 100 * (frequency[i] + frequency[i + 1]) / total)
        for i in range(0, len(frequency) - 1, 2)
    ]
    return curve_chart([Curve("score", dots)], "Black's points minus White's", "% of the games")


RANDOM_GAME_SPREAD = Experiment(
    name="random-game-spread",
    document="004",
    section="3.2.2, 5.2",
    question="How widely do the results of random games on 9x9 spread?",
    claim="The standard deviation is about 35 points, so that for a precision of one point 1,000 "
    "games give 68 % confidence and 4,000 games 95 %; and the first stone is worth much less to "
    "Black than the komi of 6.5.",
    figures={DEVIATION: 35.0} | {MEANS[games]: share for games, share in CONFIDENCE.items()},
    trials=_spread_trials,
    run=play_batches,
    summarize=_summarize_spread,
    cost={"quick": 0.1, "full": 1.0},
)
