"""Iterations against iterations: the second table of 7.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Labels, heat_map
from montego.experiments.document_000.v_run import NOTE_RULES, v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, interleaved
from montego.experiments.figures import share_row
from montego.experiments.games import play_match_trial, tally
from montego.experiments.verdict import agreement, more, rising

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

FIGURES = {
    (1000, 1000): 0.44,
    (1000, 2000): 0.22,
    (1000, 5000): 0.0,
    (1000, 10000): 0.0,
    (2000, 1000): 0.84,
    (2000, 2000): 0.44,
    (2000, 5000): 0.02,
    (2000, 10000): 0.0,
    (5000, 1000): 1.0,
    (5000, 2000): 0.98,
    (5000, 5000): 0.46,
    (5000, 10000): 0.24,
    (10000, 1000): 1.0,
    (10000, 2000): 1.0,
    (10000, 5000): 0.76,
    (10000, 10000): 0.48,
}
"""Wins of Black by the iterations of Black and of White."""
DOCUMENT_GAMES = 50
COUNTS = (1000, 2000, 5000, 10000)
GAMES = 50
"""As many as the document's, for sixteen cells."""
QUICK = ((1000, 2000), (2000, 1000), (1000, 5000), (5000, 1000))


def cell_of(black: int, white: int) -> str:
    """Return the name of a cell of the table."""
    return f"{black:,} against {white:,}"


def trials(scale: Scale) -> list[Trial]:
    """Return games of Black with some iterations against White with others."""
    pairs = list(FIGURES) if scale == "full" else list(QUICK)
    cells = {
        cell_of(black, white): {
            "first": v_run(black),
            "second": v_run(white),
            "first_begins": True,
        }
        for black, white in pairs
    }
    return interleaved(cells, GAMES if scale == "full" else 2)


def summarize(results: Sequence[Result]) -> Summary:
    """Compare each cell with the document's, and the rows and columns among one another."""
    values = by_cell(results)
    rows = {
        pair: share_row(cell_of(*pair), *tally(values[cell_of(*pair)]), figure)
        for pair, figure in FIGURES.items()
        if cell_of(*pair) in values
    }
    checks = [
        rising([rows[black, white] for black in COUNTS if (black, white) in rows])
        for white in COUNTS
        if sum((black, white) in rows for black in COUNTS) > 1
    ]
    if not checks:
        checks = [more(rows.get((5000, 1000)), rows.get((1000, 5000)))]
    checks.append(agreement(list(rows.values()), DOCUMENT_GAMES))
    plots = []
    if len(rows) == len(FIGURES):
        table = [[round(100 * rows[black, white].ours) for white in COUNTS] for black in COUNTS]
        counts = [f"{count:,}" for count in COUNTS]
        chart = heat_map(
            table,
            rows=Labels("Black's iterations", counts),
            columns=Labels("White's iterations", counts),
            show_zeros=True,
        )
        caption = (
            "Black's wins in per cent. Down: iterations of Black. Across: iterations of White."
        )
        plots = [Plot("table", chart, caption)]
    return Summary.of(rows.values(), checks, plots=plots, notes=[NOTE_RULES])


ITERATIONS = Experiment(
    name="iterations-against-iterations",
    document="000",
    section="7.1",
    question="Does the search play better the more iterations it has?",
    claim="On 9x9 more iterations win more games: ten times as many win every game, twice as many "
    "about 80 %, by a table of 16 cells.",
    figures={cell_of(*pair): figure for pair, figure in FIGURES.items()},
    trials=trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 33},
)
