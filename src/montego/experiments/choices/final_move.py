"""The choice of the final move: the best one, the most visited one, or one that is both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.games import play_match_trial
from montego.experiments.matches import is_even
from montego.experiments.verdict import difference
from montego.experiments.win_rates import dots_of, even_row, in_proportion, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial
    from montego.experiments.figures import Row

JUDGED, LONGER = "max", "robust-max"
"""The second searches longer than its opponent, so it is shown and not judged."""
RULES = (JUDGED, LONGER)
SIMULATIONS = (100, 500, 2500)
GAMES: dict[Scale, dict[tuple[str, int], int]] = {
    "quick": {(rule, count): 4 for count in SIMULATIONS[:2] for rule in RULES},
    "full": {(rule, count): 100 for count in SIMULATIONS for rule in RULES}
    | {(JUDGED, SIMULATIONS[-1]): 350},
}
"""By rule and simulations: of what the claim is about, enough to call equals even."""
EVEN_ROW = even_row("even", 1)
MARGIN = 0.1
"""Of 350 games between equals 92 in 100 matches are told to be within this margin."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return games of each rule against the most visited move, by simulations a move."""
    cells = {
        _cell(rule, simulations): (
            {
                "first": {"search": _search(rule, simulations)},
                "second": {"search": _search("robust", simulations)},
            },
            games,
        )
        for (rule, simulations), games in GAMES[scale].items()
    }
    return in_proportion(cells)


def _search(rule: str, simulations: int) -> dict[str, JSON]:
    # Stopping early is for the most visited move alone, and would spare the other side's tree.
    return {"final_move": rule, "simulations": simulations, "early_stop": False}


def _cell(rule: str, simulations: int) -> str:
    return f"{rule}, {simulations:,} simulations"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that with many simulations neither the best nor the most visited move is better."""
    rows = win_rows(results)
    most = max((count for count in SIMULATIONS if _cell(JUDGED, count) in rows), default=0)
    checks = [is_even(rows.get(_cell(JUDGED, most)), MARGIN)]
    curves = [
        Curve(
            f"{rule} child",
            dots_of(rows, {_cell(rule, count): count for count in SIMULATIONS}),
        )
        for rule in RULES
    ]
    chart = curve_chart(curves, "simulations a move", "% won against robust child", log_x=True)
    plots = [Plot("games", chart, "Games won against the most visited move.")]
    fewer = [rows.get(_cell(JUDGED, count)) for count in SIMULATIONS if count < most]
    return Summary.of(rows.values(), checks, plots=plots, notes=[*_without_doubt(fewer), NOTE])


def _without_doubt(rows: Sequence[Row | None]) -> list[str]:
    """Return a remark if the rule matters with fewer simulations."""
    known = [row for row in rows if row is not None]
    # One of several is outside its interval by chance more often than one in twenty.
    gaps = [(row, *difference(row, EVEN_ROW, len(known))[1:]) for row in known]
    uneven = [row for row, low, high in gaps if low > 0 or high < 0]
    return [f"With fewer it matters: {row.cell} won {row.shown} of the games." for row in uneven]


NOTE = (
    "Robust-max searches on for up to half as long where no move is both: that is the rule, and "
    "its opponent has less time. So it is shown and not judged."
)

EXPERIMENT = Experiment(
    name="final-move",
    document="003",
    section="the choice of the result; 000 3.1.2",
    question="Which move should be played: the best (max), the most visited (robust), or both?",
    claim=(
        "There is no significant difference between the criteria, here the best and the most "
        "visited move, if the number of simulations is large enough."
    ),
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 13.0},
)
