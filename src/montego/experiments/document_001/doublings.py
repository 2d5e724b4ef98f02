"""What a doubling of the simulations is worth: 001, figure 7."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.arena.rating import Outcome, Ratings, rate
from montego.experiments.document_001.mogo import NOTE_PLAYOUTS, mc_rave, with_heuristic
from montego.experiments.experiment import Experiment, Plot, Summary, interleaved
from montego.experiments.figures import Row, Z
from montego.experiments.games import play_match_trial
from montego.experiments.verdict import Check, above, agrees
from montego.experiments.win_rates import simulations_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

LADDERS = {9: (125, 250, 500, 1000, 2000), 13: (125, 250, 500, 1000)}
QUICK = {9: (25, 50, 100), 13: (25, 50)}
ELO_A_DOUBLING = 100.0
NOTE_STEPS = (
    "The steps are of few simulations, up to 1,000 on 13x13; what further doublings gain was not "
    "affordable. The document's are of thousands of games each by members of a mailing list."
)
TOLERANCE = 30.0  # Elo by which another program's doubling may differ and still be about the same.
WIDEST = 100.0  # Width of our interval beyond which nothing can be said.


def cell_of(size: int, simulations: int) -> str:
    """Return the name of a match of so many simulations against half of them."""
    return f"{size}x{size}: {simulations:,} against {simulations // 2:,}"


def trials(scale: Scale) -> list[Trial]:
    """Return games of each step of the ladders against the next one."""
    cells = {}
    for size, steps in (QUICK if scale == "quick" else LADDERS).items():
        for less, more in pairwise(steps):
            weak, strong = (
                with_heuristic(mc_rave(count, size=size, selection="rave-mse"), "handcrafted", 20)
                for count in (less, more)
            )
            cells[cell_of(size, more)] = {"first": strong, "second": weak}
    return interleaved(cells, 2 if scale == "quick" else 100)


def size_of(trial: Trial) -> int:
    """Return the size of the board."""
    return int(trial.settings["first"]["size"])


def ladder_ratings(results: Sequence[Result], size: int) -> Ratings | None:
    """Return the ratings on one board, the fewest simulations at 0; None without games."""
    outcomes = []
    for result in results:
        if size_of(result.trial) != size:
            continue
        strong, weak = (str(simulations_of(result.trial, side)) for side in ("first", "second"))
        points = float(result.value["result"])
        if result.value["began"]:
            outcomes.append(Outcome(strong, weak, points))
        else:
            outcomes.append(Outcome(weak, strong, 1 - points))
    if not outcomes:
        return None
    fewest = min((name for outcome in outcomes for name in outcome[:2]), key=int)
    return rate(outcomes, anchors={fewest: 0.0})


def doubling_rows(ratings: Ratings, size: int, games: dict[str, int]) -> list[Row]:
    """Return what each doubling gained and, first, the mean of all, in Elo."""
    document = ELO_A_DOUBLING if size == 13 else None
    elo = {rating.name: rating.elo for rating in ratings.ratings}
    steps = sorted(elo, key=int)

    def gain(name: str, low: str, high: str, doublings: float, count: int) -> Row:
        i, j = ratings.names.index(low), ratings.names.index(high)
        matrix = ratings.covariance
        variance = float(matrix[i, i] + matrix[j, j] - 2 * matrix[i, j])
        value = (elo[high] - elo[low]) / doublings
        width = Z * math.sqrt(max(variance, 0.0)) / doublings
        return Row(name, value, value - width, value + width, count, document, "Elo")

    whole = gain(
        f"{size}x{size}, a doubling on average",
        steps[0],
        steps[-1],
        math.log2(int(steps[-1]) / int(steps[0])),
        sum(games.values()),
    )
    single = [
        gain(cell_of(size, int(high)), low, high, 1.0, games.get(cell_of(size, int(high)), 0))
        for low, high in pairwise(steps)
    ]
    return [whole, *single]


def summarize(results: Sequence[Result]) -> Summary:
    """Rate each ladder, and compare a doubling with the document's 100 Elo."""
    rows: list[Row] = []
    checks: list[Check] = []
    curves: list[Curve] = []
    for size in LADDERS:
        ratings = ladder_ratings(results, size)
        if ratings is None:
            continue
        games: dict[str, int] = {}
        for result in results:
            if size_of(result.trial) == size:
                games[result.trial.cell] = games.get(result.trial.cell, 0) + 1
        gained = doubling_rows(ratings, size, games)
        rows += gained
        checks.append(above(gained[0], 0.0))
        if gained[0].document is not None:
            checks.append(agrees(gained[0], TOLERANCE, widest=WIDEST))
        ladder = sorted(ratings.ratings, key=lambda rating: int(rating.name))
        curves.append(
            Curve(
                f"{size}x{size}",
                [Dot(int(step.name), step.elo, step.low, step.high) for step in ladder],
            )
        )
        if size == 13:
            first, last = (int(ladder[at].name) for at in (0, -1))
            told = Dot(last, ELO_A_DOUBLING * math.log2(last / first))
            curves.append(Curve("13x13, 001", [Dot(first, 0.0), told], is_dashed=True))
    chart = curve_chart(curves, "simulations a move", "Elo", log_x=True)
    caption = "Elo over the fewest simulations, after 001's figure 7; bars are 95 %."
    plots = [Plot("elo", chart, caption)]
    return Summary.of(rows, checks, plots=plots, notes=[NOTE_STEPS, NOTE_PLAYOUTS])


DOUBLINGS = Experiment(
    name="elo-of-doublings",
    document="001",
    section="5.4, figure 7, and 7",
    question="How much stronger does every doubling of the simulations make the program?",
    claim="Every doubling is worth about 100 Elo on 13x13.",
    figures={"13x13, a doubling on average": ELO_A_DOUBLING},
    trials=trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 41},
)
