"""The speed of 004's three ways of random games, and their distance from games by the rules."""

from __future__ import annotations

import math
import statistics
from itertools import accumulate
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, interval_plot
from montego.experiments.boards.ladder import ratio_row
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import mean_row
from montego.experiments.verdict import above, agrees, more

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial
    from montego.experiments.figures import Row

EXACT = "uniform"
METHODS = (EXACT, "naive", "common-fate", "analyze-after")
POSITIONS = {"9x9": (9, ""), "19x19": (19, ""), "19x19 fight": (19, "fight")}
FIGHT = """
    D4 Q16 Q4 D16 R14 O17 R17 R16 S16 Q17 S15 C6 F4 B4 C3 D10 R10 J17 F16 D14 H16 H17 G17 J16
    H15 J15 H14 J14 H13 G16 G15 F17 E16 E17 G18 D15 F18 E18 J13 K13 K12 L13 J12 F13 E15 E14
    F14 E13 G12 L12 L11 M11 K10 M12
"""
"""A game to its middle, composed: chains of both sides are cut and short of liberties."""
SPEEDS = {"naive": 95.41, "analyze-after": 1058.62}
"""Games a second on the document's Athlon (table 5.1)."""
GAIN = SPEEDS["analyze-after"] / SPEEDS["naive"]
TOLERANCE = 3.0
"""How far our own factor may be from the document's and still be about the same."""
TOLD = "19x19"
"""The board of the document's table."""
GAMES: dict[Scale, int] = {"quick": 500, "full": 5000}
TRIALS: dict[Scale, int] = {"quick": 2, "full": 12}


def list_trials(scale: Scale) -> list[Trial]:
    """Return samples of random games by every method from every position."""
    cells = {
        _cell(method, position): {"method": method, "position": position, "games": GAMES[scale]}
        for position in POSITIONS
        for method in METHODS
    }
    return interleaved(cells, TRIALS[scale])


def _cell(method: str, position: str) -> str:
    return f"{method}, {position}"


def sample_games(trial: Trial) -> JSON:
    """Play random games; return their speed, the frequency of each score, and the owners."""
    from montego.engine.ending.ownership import sample_ownership  # noqa: PLC0415
    from montego.engine.knowledge.definition import go_game  # noqa: PLC0415  # Loads NumPy, then kernels.
    from montego.go.board import Board  # noqa: PLC0415
    from montego.go.playout.run import sample_playouts  # noqa: PLC0415

    method, games = trial.settings["method"], trial.settings["games"]
    size, moves = POSITIONS[trial.settings["position"]]
    board = Board(size)
    for number, vertex in enumerate(FIGHT.split() if moves else ()):
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


def summarize(results: Sequence[Result]) -> Summary:
    """Compare speeds, and distances from the method that follows the rules."""
    cells = by_cell(results)
    speeds, scores, owners, gains = [], [], [], []
    for position in POSITIONS:
        exact = cells.get(_cell(EXACT, position), [])
        found = {m: v for m in METHODS if (v := cells.get(_cell(m, position)))}
        for method, values in found.items():
            cell = _cell(method, position)
            document = SPEEDS.get(method) if position == TOLD else None
            rates = [value["speed"] for value in values]
            speeds.append(mean_row(f"speed of {cell}", rates, document, "games/s"))
            if len(exact) > 1:
                scores.append(mean_row(f"scores of {cell}", _score_distances(values, exact)))
                owners.append(mean_row(f"owners of {cell}", _owner_distances(values, exact)))
        slow, fast = ([1 / value["speed"] for value in found.get(method, [])] for method in SPEEDS)
        document = GAIN if position == TOLD else None
        faster = ratio_row(f"naive to analyze-after, {position}", slow, fast, document)
        gains += [] if faster is None else [faster]
    by_name = {row.cell: row for row in (*gains, *scores)}
    gain = by_name.get(f"naive to analyze-after, {TOLD}")
    # Of the others the document does not say how far they are from games by the rules.
    inexact, noise = (
        by_name.get(f"scores of {_cell(method, TOLD)}") for method in ("analyze-after", EXACT)
    )
    checks = [above(gain, 1.0), agrees(gain, TOLERANCE, widest=2 * TOLERANCE), more(inexact, noise)]
    plots = [
        _plot("scores", scores, "Distance of the scores from games by the rules, in thousandths."),
        _plot("owners", owners, "Distance of the owners of points, in thousandths."),
    ]
    farther = [
        f"Farther from games by the rules: {check.text}."
        for told in ("naive", "common-fate")
        if (check := more(by_name.get(f"scores of {_cell(told, TOLD)}"), inexact)).holds
    ]
    rows = [*gains, *speeds, *scores, *owners]
    return Summary.of(rows, checks, plots=plots, notes=[*farther, *NOTES])


def _plot(name: str, rows: Sequence[Row], caption: str) -> Plot:
    bars = [
        Bar(row.cell.partition(" of ")[2], *(1000 * v for v in (row.ours, row.low, row.high)))
        for row in rows
        if math.isfinite(row.low)
    ]
    return Plot(name, interval_plot(bars, "thousandths"), caption)


def _score_distances(values: Sequence[JSON], exact: Sequence[JSON]) -> list[float]:
    """Return for each sample the Kolmogorov-Smirnov distance from the other exact ones."""
    distances = []
    for value in values:
        others = [other["frequency"] for other in exact if other is not value]
        pooled = _parts([sum(counts) for counts in zip(*others, strict=True)])
        gaps = zip(_parts(value["frequency"]), pooled, strict=True)
        distances.append(max(abs(one - other) for one, other in gaps))
    return distances


def _parts(frequency: Sequence[int]) -> list[float]:
    """Return the part of the games that end at or below each score."""
    total = sum(frequency)
    return [count / total for count in accumulate(frequency)]


def _owner_distances(values: Sequence[JSON], exact: Sequence[JSON]) -> list[float]:
    """Return for each sample the mean over the points of how far ownership is from exact."""
    distances = []
    for value in values:
        others = [other["owners"] for other in exact if other is not value]
        means = [statistics.fmean(owner) for owner in zip(*others, strict=True)]
        gaps = [abs(one - other) for one, other in zip(value["owners"], means, strict=True)]
        distances.append(statistics.fmean(gaps))
    return distances


NOTES = (
    (
        "Scores: the largest difference between the parts of games that end at or below a score, "
        "0 alike and 1 disjoint. Owners: the mean difference over the points, each 1 for Black "
        f"and -1 for White in a game. The rows of {EXACT}, which follows the rules to the letter, "
        "show the noise of the measurement."
    ),
    "The document measured on 19x19 boards of unknown content, and compares no results of games.",
)

EXPERIMENT = Experiment(
    name="random-game-methods",
    document="004",
    section="4.3.1, table 5.1",
    question="How fast are naive, common-fate-graph and analyze-after games, and how correct?",
    claim=(
        "Analyze-after plays 11 times as many games a second as naive (1,059 and 95 on an Athlon "
        "of its day), although not perfectly accurate."
    ),
    figures={f"speed of {_cell(method, '19x19')}": speed for method, speed in SPEEDS.items()},
    trials=list_trials,
    run=sample_games,
    summarize=summarize,
    cost={"quick": 0.15, "full": 3.0},
    alone=True,
)
