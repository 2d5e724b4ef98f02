"""Exploration with and without RAVE: 001, section 5.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.experiments.document_001.mogo import (
    NOTE_PLAYOUTS,
    mc_rave,
    mogo,
    uct,
    with_heuristic,
)
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.games import play_match_trial
from montego.experiments.verdict import above, none_better
from montego.experiments.win_rates import (
    best_row,
    dots_of,
    even_row,
    in_proportion,
    level_line,
    remarks,
    win_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

SIMULATIONS = 1000
CONSTANTS = (0.1, 0.3, 1.0)
MARGIN = 0.1
"""By how much exploration may win more games with RAVE and none still be as good: 160 games of
equals stay within it in seven of ten matches."""
NOTE = (
    f"Games are of {SIMULATIONS:,} simulations a move; the document's program had tens of "
    "thousands, and its heuristic was learned, here it is the handcrafted one."
)
WITH = {f"with RAVE, c = {c:g}": c for c in CONSTANTS}
WITHOUT = {f"without RAVE, c = {c:g}": c for c in CONSTANTS}


def trials(scale: Scale) -> list[Trial]:
    """Return games of each amount of exploration against none, with RAVE and without."""
    quick = scale == "quick"
    simulations, games, more_games = (100, 4, 4) if quick else (SIMULATIONS, 80, 160)
    greedy = mogo(simulations, selection="greedy")
    greedy_rave = with_heuristic(mc_rave(simulations), "handcrafted", 20)
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for cell, c in WITH.items():
        first = with_heuristic(mc_rave(simulations, exploration=c), "handcrafted", 20)
        cells[cell] = ({"first": first, "second": greedy_rave}, more_games)
    for cell, c in WITHOUT.items():
        cells[cell] = ({"first": uct(simulations, c), "second": greedy}, games)
    return in_proportion(cells)


def summarize(results: Sequence[Result]) -> Summary:
    """Check that exploration helps without RAVE, and not with it."""
    rows = win_rows(results)
    best = best_row("UCT, best exploration", results, list(WITHOUT))
    explored = [rows[cell] for cell in WITH if cell in rows]
    greedy = even_row("greedy MC-RAVE", min((row.count for row in explored), default=0))
    curves = [
        Curve("with RAVE", dots_of(rows, WITH)),
        Curve("without RAVE", dots_of(rows, WITHOUT)),
        level_line("no exploration", 0.5, CONSTANTS),
    ]
    chart = curve_chart(curves, "exploration constant c", "games won, %", log_x=True)
    plot = Plot("exploration", chart, "Games won against the same search without exploration.")
    return Summary.of(
        [*rows.values(), *([best] if best.count else [])],
        [above(best, 0.5), none_better(greedy, explored, MARGIN)],
        plots=[plot],
        notes=[NOTE, NOTE_PLAYOUTS, *remarks(results, SIMULATIONS)],
    )


EXPLORATION = Experiment(
    name="exploration-with-rave",
    document="001",
    section="5.2",
    question="Does a search with RAVE need to explore?",
    claim="UCT is significantly better than a greedy tree policy, but with heuristic MC-RAVE the "
    "best exploration constant is 0.",
    figures={},
    trials=trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 41},
)
