"""What RAVE, patterns, coefficients and simulations add to the search.

003, "Resultados" and "Búsqueda de coeficientes óptimos". The document shows the curves of its
coefficients as pictures and tells their best values; those are compared. It does not say against
whom the first two were found: here it is the program with the best value.
"""

from __future__ import annotations

import math
import statistics
from functools import partial
from typing import TYPE_CHECKING, Any

from montego.experiments.document_003.go_player import (
    GNUGO_LEVEL,
    NOTE_EXPLORATION,
    NOTE_PLAYOUTS,
    NOTE_PRESET,
    go_player,
    preset,
)
from montego.experiments.figures import EVEN
from montego.experiments.verdict import Check, above, agrees, below, more, none_beats, rising
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.experiments.experiment import JSON, Cells, Scale


DOCUMENT_SIMULATIONS = 30_000
GREEDY = "UCT with C = 0"
GREEDY_GAMES = 100
GNUGO_FIGURES = {
    "UCT, random playouts": 0.03,
    "RAVE, random playouts": 0.12,
    "RAVE with patterns": 0.525,
}
"""The means of the document's two colors: 3 and 3, 14 and 10, 53 and 52 per cent."""
NOTE_GREEDY = f"{NOTE_EXPLORATION} So RAVE also plays UCT without exploration, which is not judged."
NOTE_FEW = (
    "So few games tell 12 % from 3 % by luck alone: with some 80 each it would be an even chance. "
    "RAVE plays UCT itself in rave-or-uct."
)


def _matches(
    scale: Scale, first: dict[str, bool], second: dict[str, bool], dear: int
) -> dict[str, tuple[dict[str, JSON], int]]:
    """Return games of two variants, as either color; *dear* games a color with 30,000."""
    cells = {}
    for simulations, games in ((3000, 50), (DOCUMENT_SIMULATIONS, dear)):
        count = simulations // 100 if scale == "quick" else simulations
        for color, begins in (("Black", True), ("White", False)):
            settings = {
                "first": go_player(count, **first),
                "second": go_player(count, **second),
                "first_begins": begins,
            }
            cells[f"{count:,}, {color}"] = (settings, 1 if scale == "quick" else games)
    return cells


def _rave_cells(scale: Scale) -> Cells:
    cells = _matches(scale, {"patterns": False}, {"rave": False, "patterns": False}, 25)
    count, games = (30, 1) if scale == "quick" else (3000, GREEDY_GAMES)
    greedy = go_player(count, rave=False, patterns=False, exploration=0.0)
    settings = {"first": go_player(count, patterns=False), "second": greedy}
    cells[f"{count:,}, {GREEDY}"] = (settings, games)
    return cells


def _check_variants(wins: WinRates) -> list[Check]:
    budgets = {cell: x for cell, x in wins.simulations.items() if not cell.endswith(GREEDY)}
    checks = []
    for budget in sorted(set(budgets.values())):
        rows = wins.rows_of(cell for cell, x in budgets.items() if x == budget)
        figures = [row.document for row in rows if row.document is not None]
        document = statistics.fmean(figures) if figures else None
        name = f"{budget:,.0f}, both colors"
        pool = wins.pooled(name, [row.cell for row in rows], document)
        checks.append(above(pool, EVEN))
        if document is not None:
            checks.append(agrees(pool, 0.03, widest=0.3))
    return checks


SHOWN: dict[str, Any] = {
    "plot": "wins",
    "caption": "Games won, with 95 % intervals.",
    "simulations": DOCUMENT_SIMULATIONS,
}

RAVE_OR_UCT = game_experiment(
    name="rave-or-uct",
    document="003",
    section="Resultados",
    question="Does RAVE beat plain UCT when playouts are random?",
    claim="With 30,000 simulations a move RAVE won all of 100 games against UCT, as either color.",
    figures={"30,000, White": 1.00, "30,000, Black": 1.00},
    cells=_rave_cells,
    checks=_check_variants,
    **SHOWN,
    notes=[NOTE_GREEDY],
    cost={"quick": 0.3, "full": 20},
)

PATTERNS_OR_RANDOM = game_experiment(
    name="patterns-or-random",
    document="003",
    section="Resultados",
    question="Do playouts with patterns and captures beat random ones?",
    claim="With 30,000 simulations a move playouts with patterns won 93 % as White and 94 % as "
    "Black against random ones, both with RAVE.",
    figures={"30,000, White": 0.93, "30,000, Black": 0.94},
    cells=lambda scale: _matches(scale, {"patterns": True}, {"patterns": False}, 10),
    checks=_check_variants,
    **SHOWN,
    notes=[NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 15},
)


def _gnugo_cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    count, level = (300, 1) if quick else (DOCUMENT_SIMULATIONS, GNUGO_LEVEL)
    players = (
        (preset(count, rave=False, patterns=False), 30),
        (preset(count, patterns=False), 40),
        (preset(count), 30),
    )
    return {
        cell: ({"first": first, "level": level}, 1 if quick else games)
        for cell, (first, games) in zip(GNUGO_FIGURES, players, strict=True)
    }


def _check_gnugo(wins: WinRates) -> list[Check]:
    uct, rave, patterns = variants = [wins.get(cell) for cell in GNUGO_FIGURES]
    checks = [more(rave, uct), more(patterns, rave)]
    if not wins.is_shortened:
        checks += [agrees(row, 0.05, widest=0.36) for row in variants]
    return checks


AGAINST_GNUGO = game_experiment(
    name="improvements-against-gnugo",
    document="003",
    section="Resultados",
    question="How far do RAVE and patterns take the search against another program?",
    claim="Against GNU Go 3.8 UCT with random playouts won 3 % of 200 games, with RAVE 12 %, and "
    "with RAVE and patterns 52.5 %, at 30,000 simulations a move.",
    figures=GNUGO_FIGURES,
    cells=_gnugo_cells,
    checks=_check_gnugo,
    **SHOWN,
    notes=[NOTE_FEW, NOTE_EXPLORATION, NOTE_PRESET],
    cost={"quick": 0.3, "full": 68},
    needs=("gnugo",),
)

SIMULATIONS = 1000
"""Simulations a move, where their number is not what is varied."""
MARGIN = 0.1
"""By how much another value may be better, in shares of won games, and still be as good: 200 games
of equals stay within it in four of five matches."""


def _variants(field: str, values: Mapping[str, float], best: float, scale: Scale) -> Cells:
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
    cells=partial(_variants, "exploration", EXPLORATIONS, 0.0),
    checks=lambda wins: [
        none_beats("C = 0", list(wins.values()), MARGIN),
        below(wins.get("C = 1"), EVEN, "much exploration, C = 1"),
    ],
    plot="exploration",
    caption="Games won against no exploration.",
    axes=("coefficient C", "games won, %"),
    curves=lambda wins: [wins.curve("against C = 0", EXPLORATIONS, even_at=0.0)],
    log_x=False,
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
    cells=partial(_variants, "rave_equivalence", CONSTANTS, BEST_CONSTANT),
    checks=lambda wins: [none_beats("K = 2,500", list(wins.values()), MARGIN)],
    plot="constant",
    caption="Games won against K = 2,500, the best in the document.",
    axes=("constant K of RAVE", "games won, %"),
    curves=lambda wins: [wins.curve("against K = 2,500", CONSTANTS, even_at=BEST_CONSTANT)],
    simulations=SIMULATIONS,
    notes=[CONSTANT_NOTE],
    cost={"quick": 0.3, "full": 30},
)

BUDGETS = {300: 50, 1000: 50, 3000: 50, 10_000: 24}
"""Simulations a move, and games with each."""
BUDGET_LEVEL = 5
"""GNU Go's level: the document does not say it for this figure, and 10 takes four times as long."""
BUDGET_NOTE = "What the document reached with 30,000 is repeated by improvements-against-gnugo."


def _budget_cells(scale: Scale) -> Cells:
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
    plot="simulations",
    caption=f"Games won against GNU Go, level {BUDGET_LEVEL}, with 95 % intervals.",
    axes=("simulations a move", "games won, %"),
    curves=lambda wins: [wins.curve("RAVE with patterns", wins.simulations)],
    simulations=max(BUDGETS),
    notes=[BUDGET_NOTE, NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 28},
    needs=("gnugo",),
)
