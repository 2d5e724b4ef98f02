"""The equivalence parameter of MC-RAVE: 001, figure 5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.experiments.document_001.mogo import (
    GNUGO_LEVEL,
    NOTE_EXPLORATION,
    NOTE_PLAYOUTS,
    mc_rave,
    uct,
)
from montego.experiments.experiment import Experiment, Plot, Summary, interleaved
from montego.experiments.games import play_gnugo_trial
from montego.experiments.verdict import agrees, between, more, none_better
from montego.experiments.win_rates import (
    dots_of,
    is_shortened,
    level_line,
    pooled_row,
    remarks,
    win_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

WITHOUT = "without RAVE"
SIMULATIONS = 3000
CONSTANTS = {f"k = {k:,}": float(k) for k in (10, 100, 1000, 10_000)}
LARGE = [cell for cell, k in CONSTANTS.items() if k >= 1000]
SMALL = [cell for cell, k in CONSTANTS.items() if k < 1000]
FIGURES = {WITHOUT: 0.24}
RANGE = (0.50, 0.60)
"""What the document's wins vary between, with RAVE."""
MARGIN = 0.1
"""By how much small constants may win more games and large ones still be as good."""


def trials(scale: Scale) -> list[Trial]:
    """Return games against GNU Go, without RAVE and with each constant."""
    simulations, level, games = (200, 1, 2) if scale == "quick" else (SIMULATIONS, GNUGO_LEVEL, 40)
    cells = {WITHOUT: {"first": uct(simulations), "level": level}}
    for cell, k in CONSTANTS.items():
        cells[cell] = {"first": mc_rave(simulations, k), "level": level}
    return interleaved(cells, games)


def summarize(results: Sequence[Result]) -> Summary:
    """Compare RAVE with none, and large constants with small ones."""
    quick = is_shortened(results, SIMULATIONS)
    rows = win_rows(results, {} if quick else FIGURES)
    with_rave = pooled_row("with RAVE, any k", results, CONSTANTS)
    large = pooled_row("large k (1,000 or more)", results, LARGE)
    small = pooled_row("small k (below 1,000)", results, SMALL)
    checks = [more(with_rave, rows.get(WITHOUT)), none_better(large, [small], MARGIN)]
    if not quick:
        checks.append(agrees(rows.get(WITHOUT), 0.05, widest=0.3))
        checks.append(between(with_rave, *RANGE, 0.05, widest=0.3))
    curves = [Curve("MC-RAVE", dots_of(rows, CONSTANTS))]
    if WITHOUT in rows:
        curves.append(level_line("without RAVE", rows[WITHOUT].ours, CONSTANTS.values()))
    curves.append(level_line("without RAVE, 001", FIGURES[WITHOUT], CONSTANTS.values()))
    chart = curve_chart(curves, "equivalence parameter k", "games won, %", log_x=True)
    plot = Plot("constant", chart, "Games won against GNU Go, after 001's figure 5.")
    return Summary.of(
        [*rows.values(), with_rave, large, small],
        checks,
        plots=[plot],
        notes=[NOTE_PLAYOUTS, NOTE_EXPLORATION, *remarks(results, SIMULATIONS)],
    )


RAVE_CONSTANT = Experiment(
    name="rave-constant",
    document="001",
    section="4.5, figure 5",
    question="How long should RAVE outweigh a move's own results?",
    claim="With 3,000 simulations a move MC-RAVE wins 50 to 60 % against GNU Go 3.7.10, and 24 % "
    "without RAVE; best are constants k of 1,000 or more.",
    figures=FIGURES,
    trials=trials,
    run=play_gnugo_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 84},
    needs=("gnugo",),
)
