"""More simulations, more wins: 001, table 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.document_001.mogo import (
    GNUGO_LEVEL,
    NOTE_LEARNED,
    NOTE_PLAYOUTS,
    mc_rave,
    with_heuristic,
)
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.games import play_gnugo_trial
from montego.experiments.verdict import agrees, more
from montego.experiments.win_rates import (
    budgets_of,
    dots_of,
    in_proportion,
    is_shortened,
    pooled_row,
    remarks,
    win_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

GAMES = {3000: 70, 10_000: 40, 30_000: 10}
MOST = max(GAMES)
MEAN_SQUARE = "minimum MSE"
CHECKED = ("3,000 simulations", "10,000 simulations")
"""What is as in the document: its last two figures are of far more simulations."""
FIGURES = {
    "3,000 simulations": 0.69,
    "10,000 simulations": 0.82,
    "30,000 simulations": 0.92,
    f"{MEAN_SQUARE}, 30,000 simulations": 0.97,
}
HEURISTIC, VISITS = "local shape", 50
"""With which the document reached its first figure (5.1)."""
NOTE = (
    "30,000 simulations stand for 10 minutes a game, which were 300,000 in the opening and 20,000 "
    "in the endgame and not affordable."
)


def trials(scale: Scale) -> list[Trial]:
    """Return games against GNU Go with growing numbers of simulations."""
    quick = scale == "quick"
    shrink, level = (30, 1) if quick else (1, GNUGO_LEVEL)
    cells = {}
    for name, selection in (("", "rave-hand"), (f"{MEAN_SQUARE}, ", "rave-mse")):
        for budget, games in GAMES.items():
            if name and budget < MOST:
                continue
            count = budget // shrink
            first = with_heuristic(mc_rave(count, selection=selection), HEURISTIC, VISITS)
            cells[f"{name}{count:,} simulations"] = (
                {"first": first, "level": level},
                2 if quick else games,
            )
    return in_proportion(cells)


def summarize(results: Sequence[Result]) -> Summary:
    """Check that more simulations win more games."""
    quick = is_shortened(results, MOST)
    rows = win_rows(results, {} if quick else FIGURES)
    hand, mean_square = (
        {cell: x for cell, x in budgets_of(results).items() if (MEAN_SQUARE in cell) == wanted}
        for wanted in (False, True)
    )
    told = [Dot(x, 100 * row.document) for cell, x in hand.items() if (row := rows[cell]).document]
    chart = curve_chart(
        [
            Curve("hand-selected schedule", dots_of(rows, hand)),
            Curve(MEAN_SQUARE, dots_of(rows, mean_square)),
            Curve("hand-selected, 001", told, is_dashed=True),
        ],
        "simulations a move",
        "games won, %",
        log_x=True,
    )
    plot = Plot("simulations", chart, "Games won against GNU Go, after 001's table 1.")
    (fewest, least), *_ = [*hand.items(), ("", 0.0)]
    longer = [cell for cell, x in (hand | mean_square).items() if x > least]
    pool = pooled_row(f"more than {least:,.0f} simulations", results, longer)
    checks = [more(pool, rows.get(fewest))]
    if not quick:
        checks += [agrees(rows.get(cell), 0.05, widest=0.32) for cell in CHECKED]
    return Summary.of(
        [*rows.values(), *([pool] if pool.count else [])],
        checks,
        plots=[plot],
        notes=[NOTE, NOTE_PLAYOUTS, NOTE_LEARNED, *remarks(results, MOST)],
    )


SIMULATIONS = Experiment(
    name="simulations-and-wins",
    document="001",
    section="5.4, table 1",
    question="How much do more simulations help heuristic MC-RAVE against GNU Go?",
    claim="MoGo wins 69 % with 3,000 simulations a move, 82 % with 10,000, and more still with 10 "
    "minutes a game (92 %, and 97 % with the minimum-MSE schedule).",
    figures=FIGURES,
    trials=trials,
    run=play_gnugo_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 60},
    needs=("gnugo",),
)
