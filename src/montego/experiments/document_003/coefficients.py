"""The search for the best coefficients: 003, "Búsqueda de coeficientes óptimos".

The document shows its curves as pictures and tells their best values; those are compared. It does
not say against whom the first two were found: here it is the program with the best value.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from montego.experiments.document_003.go_player import NOTE_PLAYOUTS, go_player
from montego.experiments.figures import EVEN
from montego.experiments.verdict import below, none_beats, rising
from montego.experiments.win_rates import curve_plot, game_experiment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.experiments.experiment import JSON, Cells, Scale

SIMULATIONS = 1000
"""A move, where their number is not what is varied."""
MARGIN = 0.1
"""By how much another value may be better, in shares of won games, and still be as good: 200 games
of equals stay within it in four of five matches."""


def _matches(field: str, values: Mapping[str, float], best: float, scale: Scale) -> Cells:
    """Return games of several values of a field of the search against the best, by 003."""
    count, games = (100, 2) if scale == "quick" else (SIMULATIONS, 200)

    def player(value: JSON) -> dict[str, JSON]:
        return go_player(count, **{field: value})

    return {
        cell: ({"first": player(value), "second": player(best)}, games)
        for cell, value in values.items()
    }


EXPLORATIONS = {f"C = {c:g}": c for c in (0.1, 0.3, 1.0)}
EXPLORATION_NOTE = (
    f"Games are of {SIMULATIONS:,} simulations a move. The document does not say how many it found "
    "its coefficients with; its matches had 30,000."
)


EXPLORATION = game_experiment(
    name="exploration-coefficient",
    document="003",
    section="Coeficiente de Exploración",
    question="How much should UCT explore once RAVE is there?",
    claim="With RAVE the best exploration coefficient is 0.",
    cells=partial(_matches, "exploration", EXPLORATIONS, 0.0),
    checks=lambda wins: [
        none_beats("C = 0", list(wins.values()), MARGIN),
        below(wins.get("C = 1"), EVEN, "much exploration, C = 1"),
    ],
    plot=curve_plot(
        "exploration",
        "Games won against no exploration.",
        ("coefficient C", "games won, %"),
        lambda wins: [wins.curve("against C = 0", EXPLORATIONS, even_at=0.0)],
        log_x=False,
    ),
    simulations=SIMULATIONS,
    notes=[EXPLORATION_NOTE],
    cost={"quick": 0.3, "full": 22},
)

BEST_CONSTANT = 2500.0
CONSTANTS = {f"K = {k:,}": float(k) for k in (100, 300, 1000, 10_000)}
LEAST_WEIGHT = math.sqrt(BEST_CONSTANT / (3 * SIMULATIONS + BEST_CONSTANT))
CONSTANT_NOTE = (
    f"With K = 2,500 and {SIMULATIONS:,} simulations RAVE weighs {LEAST_WEIGHT:.0%} or more at "
    "every move, and with K = 10,000 still more: where the constants differ most was not reached. "
    "If the claim holds, that means no more than that so few simulations do not refute it."
)


CONSTANT = game_experiment(
    name="rave-coefficient",
    document="003",
    section="Coeficiente K de selección RAVE",
    question="Which constant K of RAVE, counted by a move's own visits, is best?",
    claim="The best constant K is 2500.",
    cells=partial(_matches, "rave_equivalence", CONSTANTS, BEST_CONSTANT),
    checks=lambda wins: [none_beats("K = 2,500", list(wins.values()), MARGIN)],
    plot=curve_plot(
        "constant",
        "Games won against K = 2,500, the best in the document.",
        ("constant K of RAVE", "games won, %"),
        lambda wins: [wins.curve("against K = 2,500", CONSTANTS, even_at=BEST_CONSTANT)],
    ),
    simulations=SIMULATIONS,
    notes=[CONSTANT_NOTE],
    cost={"quick": 0.3, "full": 30},
)

BUDGETS = {300: 50, 1000: 50, 3000: 50, 10_000: 24}
"""Simulations a move, and games with each."""
BUDGET_LEVEL = 5
"""Of GNU Go: the document does not say for this figure, and level 10 takes four times as long."""
BUDGET_NOTE = "What the document reached with 30,000 is repeated by improvements-against-gnugo."


def _budget_cells(scale: Scale) -> Cells:
    """Return games against GNU Go with growing numbers of simulations."""
    quick = scale == "quick"
    shrink, level = (10, 1) if quick else (1, BUDGET_LEVEL)
    return {
        f"{budget // shrink:,} simulations": (
            {"first": go_player(budget // shrink), "level": level},
            2 if quick else games,
        )
        for budget, games in BUDGETS.items()
    }


BUDGET = game_experiment(
    name="number-of-simulations",
    document="003",
    section="Número de simulaciones",
    question="How much do more simulations help Go-player against GNU Go?",
    claim="More simulations win more games.",
    cells=_budget_cells,
    checks=lambda wins: [rising(wins.rows_of(wins.simulations))],
    plot=curve_plot(
        "simulations",
        f"Games won against GNU Go, level {BUDGET_LEVEL}, with 95 % intervals.",
        ("simulations a move", "games won, %"),
        lambda wins: [wins.curve("RAVE with patterns", wins.simulations)],
    ),
    simulations=max(BUDGETS),
    notes=[BUDGET_NOTE, NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 28},
    needs=("gnugo",),
)
