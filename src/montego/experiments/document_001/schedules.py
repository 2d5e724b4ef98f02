"""Two schedules of trust in RAVE against one another: 001, section 4.6.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.arena.statistics import score_of_elo
from montego.experiments.document_001.mogo import NOTE_PLAYOUTS, mc_rave, mogo, with_heuristic
from montego.experiments.experiment import Experiment, Plot, Summary, interleaved
from montego.experiments.games import play_match_trial
from montego.experiments.verdict import above, agrees
from montego.experiments.win_rates import best_row, dots_of, level_line, remarks, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

BIASES = {f"b = {bias:g}": bias for bias in (0.02, 0.05, 0.1)}
"""The player's own is the first; with more than the last RAVE is soon without weight."""
SIMULATIONS = 1000
GAIN = score_of_elo(80)
BEST = "minimum MSE, best bias"
NOTE = (
    "The best bias is chosen by a quarter of its games and judged by the others. The document "
    "measured at 10 minutes a game, where the schedules differ for longer. Its gain of more than "
    "100 Elo on 19x19 was not affordable to repeat."
)


def trials(scale: Scale) -> list[Trial]:
    """Return games of the minimum-MSE schedule with several biases against the other one."""
    simulations, games = (100, 4) if scale == "quick" else (SIMULATIONS, 200)
    hand = with_heuristic(mc_rave(simulations), "handcrafted", 20)
    cells = {}
    for cell, bias in BIASES.items():
        mse = mogo(simulations, selection="rave-mse", exploration=0.0, rave_bias=bias)
        cells[cell] = {"first": with_heuristic(mse, "handcrafted", 20), "second": hand}
    return interleaved(cells, games)


def summarize(results: Sequence[Result]) -> Summary:
    """Find the best bias, and what it gains over the hand-selected schedule."""
    rows = win_rows(results)
    best = best_row(BEST, results, list(BIASES), GAIN)
    curves = [
        Curve("minimum MSE", dots_of(rows, BIASES)),
        level_line("hand-selected", 0.5, BIASES.values()),
        level_line("001: 80 Elo", GAIN, BIASES.values()),
    ]
    chart = curve_chart(curves, "bias b of RAVE", "games won, %", log_x=True)
    plot = Plot("bias", chart, "Games won against the hand-selected schedule with k = 1,000.")
    return Summary.of(
        [*rows.values(), *([best] if best.count else [])],
        [above(best, 0.5), agrees(best, 0.05, widest=0.25)],
        plots=[plot],
        notes=[NOTE, NOTE_PLAYOUTS, *remarks(results, SIMULATIONS)],
    )


RAVE_SCHEDULES = Experiment(
    name="rave-schedules",
    document="001",
    section="4.6.3, table 1",
    question="Is the minimum-MSE schedule better than the hand-selected one?",
    claim="With the best constant bias the minimum-MSE schedule gains 80 Elo on 9x9, which is a "
    "score of 61 %.",
    figures={BEST: GAIN},
    trials=trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 39},
)
