"""What RAVE and patterns add to the search: 003, "Resultados"."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, interval_plot
from montego.experiments.document_003.go_player import (
    GNUGO_LEVEL,
    NOTE_EXPLORATION,
    NOTE_PLAYOUTS,
    go_player,
)
from montego.experiments.experiment import Plot
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above, agrees, more
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale
    from montego.experiments.verdict import Check
    from montego.experiments.win_rates import WinRates

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
    """Return games of RAVE against UCT, both with random playouts, and against greedy UCT."""
    cells = _matches(scale, {"patterns": False}, {"rave": False, "patterns": False}, 25)
    count, games = (30, 1) if scale == "quick" else (3000, GREEDY_GAMES)
    greedy = go_player(count, rave=False, patterns=False, exploration=0.0)
    settings = {"first": go_player(count, patterns=False), "second": greedy}
    cells[f"{count:,}, {GREEDY}"] = (settings, games)
    return cells


def _pattern_cells(scale: Scale) -> Cells:
    """Return games of playouts with patterns against random ones, both with RAVE."""
    return _matches(scale, {"patterns": True}, {"patterns": False}, 10)


def _check_variants(wins: WinRates) -> list[Check]:
    """Check that the first variant beats the second, and as clearly as in the document."""
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


def _draw(wins: WinRates) -> Plot:
    """Return the shares of won games, the document's below ours."""
    bars = []
    for row in wins.shown():
        bars.append(row.bar)
        if row.document is not None:
            bars.append(Bar("in the document", *[100 * row.document] * 3))
    return Plot("wins", interval_plot(bars, "games won, %"), "Games won, with 95 % intervals.")


RAVE_OR_UCT = game_experiment(
    name="rave-or-uct",
    document="003",
    section="Resultados",
    question="Does RAVE beat plain UCT when playouts are random?",
    claim="With 30,000 simulations a move RAVE won all of 100 games against UCT, as either color.",
    figures={"30,000, White": 1.00, "30,000, Black": 1.00},
    cells=_rave_cells,
    checks=_check_variants,
    plot=_draw,
    simulations=DOCUMENT_SIMULATIONS,
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
    cells=_pattern_cells,
    checks=_check_variants,
    plot=_draw,
    simulations=DOCUMENT_SIMULATIONS,
    notes=[NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 15},
)


def _gnugo_cells(scale: Scale) -> Cells:
    """Return games of the three variants against GNU Go."""
    quick = scale == "quick"
    count, level = (300, 1) if quick else (DOCUMENT_SIMULATIONS, GNUGO_LEVEL)
    players = (
        (go_player(count, rave=False, patterns=False), 30),
        (go_player(count, patterns=False), 40),
        (go_player(count), 30),
    )
    return {
        cell: ({"first": first, "level": level}, 2 if quick else games)
        for cell, (first, games) in zip(GNUGO_FIGURES, players, strict=True)
    }


def _check_gnugo(wins: WinRates) -> list[Check]:
    """Check the order of the three variants, and their figures."""
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
    plot=_draw,
    simulations=DOCUMENT_SIMULATIONS,
    notes=[NOTE_FEW, NOTE_EXPLORATION, NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 68},
    needs=("gnugo",),
)
