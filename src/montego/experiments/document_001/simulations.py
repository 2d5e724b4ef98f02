"""What simulations buy: with a tree and without, against GNU Go, and in Elo.

Sections 2.3 to 2.5, 3.5 and 3.6 of 001; then table 1 and figure 7 of section 5.4.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from montego.arena.drawing import Curve, Dot, curve_chart
from montego.arena.rating import RatedGame, Ratings, rate
from montego.arena.statistics import score_of_elo
from montego.experiments.document_001 import mogo
from montego.experiments.experiment import GAMES, Experiment, Plot, Summary, interleaved
from montego.experiments.figures import EVEN, FigureRow, Z, level_line
from montego.experiments.games import play_match_trial
from montego.experiments.verdict import Check, above, agrees, more
from montego.experiments.win_rates import WinRates, game_experiment, simulations_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Cells, Scale, Trial, TrialResult


FLAT_BUDGETS = (300, 1000, 3000)
PLAIN, HEAVY = "random playouts", "playouts with rules"
GAP = score_of_elo(400)
FLAT: dict[str, JSON] = {"selection": "flat", "final_move": "max"}
"""All moves are visited alike, so the one with the best mean is played."""
FLAT_NOTE = (
    "The document's 400 Elo, the dashed line, are between two programs that differ in more than "
    "the tree; judged is that a tree wins."
)


def _flat_cells(scale: Scale) -> Cells:
    """Return games of UCT against flat Monte Carlo with as many simulations."""
    shrink, games = (10, 2) if scale == "quick" else (1, 100)
    cells = {}
    for simulations in (count // shrink for count in FLAT_BUDGETS):
        search = {"simulations": simulations, "selection": "ucb1", "exploration": mogo.EXPLORATION}
        first = {"fresh": True, "search": search}
        second = {"fresh": True, "search": {"simulations": simulations} | FLAT}
        players = {"first": first, "second": second}
        cells[f"{PLAIN}, {simulations:,} simulations"] = (players, games)
    # Playouts with rules are slow, and nothing stops early.
    simulations = FLAT_BUDGETS[0] // shrink
    players = {"first": mogo.uct(simulations), "second": mogo.plain(simulations, **FLAT)}
    cells[f"{HEAVY}, {simulations:,} simulations"] = (players, games)
    return cells


def _flat_curves(wins: WinRates) -> list[Curve]:
    places = wins.simulations
    curves = [
        wins.curve(kind, {cell: x for cell, x in places.items() if kind in cell})
        for kind in (PLAIN, HEAVY)
    ]
    return [*curves, level_line("001: 400 Elo", GAP, places.values())]


FLAT_OR_TREE = game_experiment(
    name="flat-or-tree",
    document="001",
    section="2.3 to 2.5, 3.5 and 3.6",
    question="What does a tree add to Monte Carlo?",
    claim="A tree makes Monte Carlo stronger: without one it is rated 1400 Elo on 9x9 (Indigo), "
    "the first program with one above 1800 (Crazy Stone).",
    cells=_flat_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    plot="tree",
    caption="Games that UCT won against flat Monte Carlo.",
    axes=("simulations a move", "games won, %"),
    curves=_flat_curves,
    simulations=FLAT_BUDGETS[-1],
    notes=[FLAT_NOTE],
    cost={"quick": 0.3, "full": 12},
)

BUDGETS = {3000: 70, 10_000: 40, 30_000: 10}
"""Simulations a move, and games with each."""
MOST = max(BUDGETS)
MEAN_SQUARE = "minimum MSE"
CHECKED = ("3,000 simulations", "10,000 simulations")
"""Cells that are as in the document: its last two figures are of far more simulations."""
NOTE_BUDGET = (
    "30,000 simulations stand for 10 minutes a game, which were 300,000 in the opening and 20,000 "
    "in the endgame and not affordable."
)


def _gnugo_cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    shrink, level = (30, 1) if quick else (1, mogo.GNUGO_LEVEL)
    variants = [("", "rave-hand", budget) for budget in BUDGETS]
    variants.append((f"{MEAN_SQUARE}, ", "rave-mse", MOST))
    cells = {}
    for name, selection, budget in variants:
        count = budget // shrink
        # With this heuristic the document reached its first figure (5.1).
        first = mogo.with_heuristic(mogo.mc_rave(count, selection=selection), mogo.SHAPE, 50)
        games = 2 if quick else BUDGETS[budget]
        cells[f"{name}{count:,} simulations"] = ({"first": first, "level": level}, games)
    return cells


def _schedules(wins: WinRates) -> tuple[dict[str, float], dict[str, float]]:
    """Return the simulations of each cell, of the hand-selected schedule and of the other."""
    found = wins.simulations.items()
    hand, mean_square = (
        {cell: x for cell, x in found if (MEAN_SQUARE in cell) == wanted}
        for wanted in (False, True)
    )
    return hand, mean_square


def _check_gnugo(wins: WinRates) -> list[Check]:
    hand, mean_square = _schedules(wins)
    (fewest, least), *_ = [*hand.items(), ("", 0.0)]
    longer = [cell for cell, x in (hand | mean_square).items() if x > least]
    pool = wins.pooled(f"more than {least:,.0f} simulations", longer)
    checks = [more(pool, wins.get(fewest))]
    if not wins.is_shortened:
        checks += [agrees(wins.get(cell), 0.05, widest=0.32) for cell in CHECKED]
    return checks


def _gnugo_curves(wins: WinRates) -> list[Curve]:
    hand, mean_square = _schedules(wins)
    return [
        wins.curve("hand-selected schedule", hand),
        wins.curve(MEAN_SQUARE, mean_square),
        wins.told("hand-selected, 001", hand, 0),
        wins.told(f"{MEAN_SQUARE}, 001", mean_square, 1),
    ]


SIMULATIONS = game_experiment(
    name="simulations-and-wins",
    document="001",
    section="5.4, table 1",
    question="How much do more simulations help heuristic MC-RAVE against GNU Go?",
    claim="MoGo wins 69 % with 3,000 simulations a move, 82 % with 10,000, and more still with 10 "
    "minutes a game (92 %, and 97 % with the minimum-MSE schedule).",
    figures={
        "3,000 simulations": 0.69,
        "10,000 simulations": 0.82,
        "30,000 simulations": 0.92,
        f"{MEAN_SQUARE}, 30,000 simulations": 0.97,
    },
    cells=_gnugo_cells,
    checks=_check_gnugo,
    plot="simulations",
    caption="Games won against GNU Go, after 001's table 1.",
    axes=("simulations a move", "games won, %"),
    curves=_gnugo_curves,
    simulations=MOST,
    notes=[NOTE_BUDGET, mogo.NOTE_PLAYOUTS, mogo.NOTE_LEARNED],
    cost={"quick": 0.3, "full": 60},
    needs=("gnugo",),
)

LADDERS = {9: (125, 250, 500, 1000, 2000), 13: (125, 250, 500, 1000)}
QUICK_LADDERS = {9: (25, 50, 100), 13: (25, 50)}
TOLD_SIZE = 13
ELO_A_DOUBLING = 100.0
NOTE_STEPS = (
    "The steps are of few simulations, up to 1,000 on 13x13; what further doublings gain was not "
    "affordable. The document's are of thousands of games each by members of a mailing list."
)
TOLERANCE = 30.0  # Elo by which another program's doubling may differ and still be about the same.
WIDEST = 100.0  # Width of our interval beyond which nothing can be said.


def _doubling_cell(size: int, simulations: int) -> str:
    return f"{size}x{size}: {simulations:,} against {simulations // 2:,}"


def _doubling_trials(scale: Scale) -> list[Trial]:
    cells = {}
    for size, steps in (QUICK_LADDERS if scale == "quick" else LADDERS).items():
        players = {
            count: mogo.with_heuristic(
                mogo.mc_rave(count, size=size, selection="rave-mse"), "handcrafted", 20
            )
            for count in steps
        }
        for half, count in pairwise(steps):
            match = {"first": players[count], "second": players[half]}
            cells[_doubling_cell(size, count)] = match
    return interleaved(cells, 2 if scale == "quick" else 100)


def _ratings(results: Sequence[TrialResult]) -> Ratings:
    """Return the ratings of games on one board, the fewest simulations at 0."""
    outcomes = []
    for result in results:
        strong, weak = (str(simulations_of(result.trial, side)) for side in ("first", "second"))
        points = float(result.value["result"])
        if result.value["began"]:
            outcomes.append(RatedGame(strong, weak, points))
        else:
            outcomes.append(RatedGame(weak, strong, 1 - points))
    fewest = min((name for outcome in outcomes for name in outcome[:2]), key=int)
    return rate(outcomes, anchors={fewest: 0.0})


def _doubling_rows(ratings: Ratings, size: int, games: Counter[str]) -> list[FigureRow]:
    """Return what each doubling gained and, first, the mean of all, in Elo."""
    document = ELO_A_DOUBLING if size == TOLD_SIZE else None
    steps = sorted(ratings.names, key=int)

    def gain(name: str, low: str, high: str, count: int) -> FigureRow:
        gap, deviation = ratings.difference(high, low)
        doublings = math.log2(int(high) / int(low))
        value, width = gap / doublings, Z * deviation / doublings
        return FigureRow(name, value, value - width, value + width, count, document, "Elo")

    mean = f"{size}x{size}, a doubling on average"
    rows = [gain(mean, steps[0], steps[-1], games.total())]
    for low, high in pairwise(steps):
        cell = _doubling_cell(size, int(high))
        rows.append(gain(cell, low, high, games[cell]))
    return rows


def _summarize_doublings(results: Sequence[TrialResult]) -> Summary:
    rows: list[FigureRow] = []
    checks: list[Check] = []
    curves: list[Curve] = []
    for size in LADDERS:
        own = [each for each in results if each.trial.settings["first"]["size"] == size]
        if not own:
            continue
        ratings = _ratings(own)
        gained = _doubling_rows(ratings, size, Counter(each.trial.cell for each in own))
        rows += gained
        checks.append(above(gained[0], 0.0))
        ladder = sorted(ratings.ratings, key=lambda rating: int(rating.name))
        dots = [Dot(int(step.name), step.elo, step.low, step.high) for step in ladder]
        curves.append(Curve(f"{size}x{size}", dots))
        if size == TOLD_SIZE:
            checks.append(agrees(gained[0], TOLERANCE, widest=WIDEST))
            first, last = dots[0].x, dots[-1].x
            told = Dot(last, ELO_A_DOUBLING * math.log2(last / first))
            curves.append(Curve("13x13, 001", [Dot(first, 0.0), told], is_dashed=True))
    chart = curve_chart(curves, "simulations a move", "Elo", log_x=True)
    caption = "Elo over the fewest simulations, after 001's figure 7; bars are 95 %."
    notes = [NOTE_STEPS, mogo.NOTE_PLAYOUTS]
    return Summary.of(rows, checks, plots=[Plot("elo", chart, caption)], notes=notes)


DOUBLINGS = Experiment(
    name="elo-of-doublings",
    document="001",
    section="5.4, figure 7, and 7",
    question="How much stronger does every doubling of the simulations make the program?",
    claim="Every doubling is worth about 100 Elo on 13x13.",
    figures={"13x13, a doubling on average": ELO_A_DOUBLING},
    trials=_doubling_trials,
    run=play_match_trial,
    unit=GAMES,
    summarize=_summarize_doublings,
    cost={"quick": 0.3, "full": 41},
)
