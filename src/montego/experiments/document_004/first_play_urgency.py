"""First-play urgency: following a good move before all alternatives were tried once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.games import play_match_trial
from montego.experiments.matches import EVEN
from montego.experiments.verdict import above
from montego.experiments.win_rates import best_row, dots_of, in_proportion, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

URGENCIES = (0.6, 0.8, 1.0, 1.2)
BOARDS = (9, 13)
SIMULATIONS: dict[Scale, int] = {"quick": 300, "full": 1000}
SEARCH = {"selection": "ucb1-tuned", "exploration": 1.0}
GAMES: dict[Scale, dict[int, int]] = {"quick": {9: 4}, "full": {9: 200, 13: 100}}
"""By the size of the board."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return games of each urgency against an infinite one."""
    cells = {}
    for size, games in GAMES[scale].items():
        search = SEARCH | {"simulations": SIMULATIONS[scale]}
        base: dict[str, JSON] = {"size": size, "fresh": True, "search": search}
        for urgency in URGENCIES:
            match = {
                "first": base | {"search": search | {"first_play_urgency": urgency}},
                "second": base,
            }
            cells[_cell(urgency, size)] = (match, games)
    return in_proportion(cells)


def _cell(urgency: float, size: int) -> str:
    return f"urgency {urgency:g}, {size}x{size}"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that some finite urgency is better, board by board: the best one that was tried."""
    rows = win_rows(results)
    best, curves = [], []
    for size in BOARDS:
        places = {cell: urgency for urgency in URGENCIES if (cell := _cell(urgency, size)) in rows}
        if places:
            best.append(best_row(f"best urgency, {size}x{size}", results, list(places)))
            curves.append(Curve(f"{size}x{size}", dots_of(rows, places)))
    chart = curve_chart(curves, "first-play urgency", "% won against infinite urgency")
    plots = [Plot("games", chart, "Games won by a finite first-play urgency.")]
    checks = [above(row, EVEN) for row in best]
    return Summary.of([*rows.values(), *best], checks, plots=plots)


EXPERIMENT = Experiment(
    name="first-play-urgency",
    document="004",
    section="4.3.5",
    question="Does a finite urgency of moves never tried make UCT stronger?",
    claim=(
        "Exploring each move once first can be inefficient where visits are few beside the moves; "
        "a smaller urgency exploits good moves earlier (no figure is given)."
    ),
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 33.0},
)
