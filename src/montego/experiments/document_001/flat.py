"""Monte Carlo with a tree and without: 001, sections 2.3 to 2.5, 3.5 and 3.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.arena.statistics import score_of_elo
from montego.experiments.document_001.mogo import EXPLORATION, mogo, uct
from montego.experiments.experiment import Experiment, Plot, Summary, interleaved
from montego.experiments.games import play_match_trial
from montego.experiments.verdict import above
from montego.experiments.win_rates import budgets_of, dots_of, level_line, remarks, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

BUDGETS = (300, 1000, 3000)
PLAIN, HEAVY = "random playouts", "playouts with rules"
GAP = score_of_elo(400)
FLAT: dict[str, JSON] = {"selection": "flat", "final_move": "max"}
"""All moves are visited alike, so the one with the best mean is played."""
NOTE = (
    "The document's 400 Elo, the dashed line, are between two programs that differ in more than "
    "the tree; judged is that a tree wins."
)


def trials(scale: Scale) -> list[Trial]:
    """Return games of UCT against flat Monte Carlo with as many simulations."""
    shrink, games = (10, 2) if scale == "quick" else (1, 100)
    cells = {}
    for simulations in (count // shrink for count in BUDGETS):
        search = {"simulations": simulations, "selection": "ucb1", "exploration": EXPLORATION}
        first = {"fresh": True, "search": search}
        second = {"fresh": True, "search": {"simulations": simulations} | FLAT}
        cells[f"{PLAIN}, {simulations:,} simulations"] = {"first": first, "second": second}
    simulations = BUDGETS[0] // shrink  # Playouts with rules are slow, and nothing stops early.
    players = {"first": uct(simulations), "second": mogo(simulations, **FLAT)}
    cells[f"{HEAVY}, {simulations:,} simulations"] = players
    return interleaved(cells, games)


def summarize(results: Sequence[Result]) -> Summary:
    """Check that the tree wins at every number of simulations."""
    rows = win_rows(results)
    places = budgets_of(results)
    curves = [
        Curve(kind, dots_of(rows, {cell: x for cell, x in places.items() if kind in cell}))
        for kind in (PLAIN, HEAVY)
    ]
    curves.append(level_line("001: 400 Elo", GAP, places.values()))
    chart = curve_chart(curves, "simulations a move", "games won, %", log_x=True)
    plot = Plot("tree", chart, "Games that UCT won against flat Monte Carlo.")
    return Summary.of(
        rows.values(),
        [above(row, 0.5) for row in rows.values()],
        plots=[plot],
        notes=[NOTE, *remarks(results, BUDGETS[-1])],
    )


FLAT_OR_TREE = Experiment(
    name="flat-or-tree",
    document="001",
    section="2.3 to 2.5, 3.5 and 3.6",
    question="What does a tree add to Monte Carlo?",
    claim="A tree makes Monte Carlo stronger: without one it is rated 1400 Elo on 9x9 (Indigo), "
    "the first program with one above 1800 (Crazy Stone).",
    figures={},
    trials=trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 12},
)
