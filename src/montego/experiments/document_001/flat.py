"""Monte Carlo with a tree and without: 001, sections 2.3 to 2.5, 3.5 and 3.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.statistics import score_of_elo
from montego.experiments.document_001.mogo import EXPLORATION, mogo, uct
from montego.experiments.figures import EVEN, level_line
from montego.experiments.verdict import above
from montego.experiments.win_rates import curve_plot, game_experiment

if TYPE_CHECKING:
    from montego.arena.drawing.chart import Curve
    from montego.experiments.experiment import JSON, Cells, Scale
    from montego.experiments.win_rates import WinRates

BUDGETS = (300, 1000, 3000)
PLAIN, HEAVY = "random playouts", "playouts with rules"
GAP = score_of_elo(400)
FLAT: dict[str, JSON] = {"selection": "flat", "final_move": "max"}
"""All moves are visited alike, so the one with the best mean is played."""
NOTE = (
    "The document's 400 Elo, the dashed line, are between two programs that differ in more than "
    "the tree; judged is that a tree wins."
)


def _cells(scale: Scale) -> Cells:
    """Return games of UCT against flat Monte Carlo with as many simulations."""
    shrink, games = (10, 2) if scale == "quick" else (1, 100)
    cells = {}
    for simulations in (count // shrink for count in BUDGETS):
        search = {"simulations": simulations, "selection": "ucb1", "exploration": EXPLORATION}
        first = {"fresh": True, "search": search}
        second = {"fresh": True, "search": {"simulations": simulations} | FLAT}
        players = {"first": first, "second": second}
        cells[f"{PLAIN}, {simulations:,} simulations"] = (players, games)
    simulations = BUDGETS[0] // shrink  # Playouts with rules are slow, and nothing stops early.
    players = {"first": uct(simulations), "second": mogo(simulations, **FLAT)}
    cells[f"{HEAVY}, {simulations:,} simulations"] = (players, games)
    return cells


def _curves(wins: WinRates) -> list[Curve]:
    """Return the games won by simulations, and what the document's gap would be."""
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
    cells=_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    plot=curve_plot(
        "tree",
        "Games that UCT won against flat Monte Carlo.",
        ("simulations a move", "games won, %"),
        _curves,
    ),
    simulations=BUDGETS[-1],
    notes=[NOTE],
    cost={"quick": 0.3, "full": 12},
)
