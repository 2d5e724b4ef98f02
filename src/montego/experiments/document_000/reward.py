"""Score-balanced reward: 7.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.document_000.v_run import v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell
from montego.experiments.figures import share_row
from montego.experiments.games import play_match_trial, tally
from montego.experiments.verdict import above, agreement
from montego.experiments.win_rates import in_proportion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

ITERATIONS = 1000
SCALES = (25, 50, 100, 200, 400)
"""The document's k; it tried 100 alone."""
TRIED = 100
FIGURE = 0.56
DOCUMENT_GAMES = 50
GAMES = {"full": 100, "quick": 4}
TRIED_GAMES = {"full": 600, "quick": 4}
"""Of the document's k: 56 % is told from one half by no fewer than some 500."""


def cell_of(k: int, *, bounded: bool = False) -> str:
    """Return the name of a cell: the value of k, and whether rewards stay between 0 and 1."""
    return f"k = {k}, 0.1 and 0.9" if bounded else f"k = {k}"


def trials(scale: Scale) -> list[Trial]:
    """Return games of a rewarded V-Run against the plain one."""
    rewarded: dict[str, JSON] = {
        cell_of(k): v_run(ITERATIONS, reward="score", reward_scale=k)
        for k in (SCALES if scale == "full" else (TRIED,))
    }
    rewarded[cell_of(TRIED * 9, bounded=True)] = v_run(
        ITERATIONS, reward="bounded-score", reward_scale=TRIED * 9
    )
    # What a side plays that is losing or winning for sure is what the reward is to change.
    return in_proportion(
        {
            cell: (
                {"first": first, "second": v_run(ITERATIONS), "resign": False},
                (TRIED_GAMES if cell == cell_of(TRIED) else GAMES)[scale],
            )
            for cell, first in rewarded.items()
        }
    )


def summarize(results: Sequence[Result]) -> Summary:
    """Compare with the document's one figure, and look at other values of k."""
    values = by_cell(results)
    rows = {
        cell: share_row(cell, *tally(games), FIGURE if cell == cell_of(TRIED) else None)
        for cell, games in values.items()
    }
    main = rows.get(cell_of(TRIED))
    checks = [above(main, 0.5, f"the rewarded search with {cell_of(TRIED)}")]
    checks += [agreement([main], DOCUMENT_GAMES)] if main else []
    dots = [
        Dot(k, 100 * row.ours, 100 * row.low, 100 * row.high)
        for k in SCALES
        if (row := rows.get(cell_of(k)))
    ]
    document = Curve("document", [Dot(TRIED, 100 * FIGURE)], is_dashed=True)
    chart = curve_chart([Curve("ours", dots), document], "k", "wins, per cent", log_x=True)
    plots = [Plot("k", chart, "Wins of the rewarded search against the plain one, 95 %.")]
    note = (
        "Nobody resigns: the reward is for positions that are lost, or won with points to spare. "
        "The variant with 0.1 and 0.9 is the document's other proposal, untested there; its k is "
        "large enough for rewards between 0 and 1."
    )
    return Summary.of(rows.values(), checks, plots=plots if dots else (), notes=[note])


REWARD = Experiment(
    name="score-balanced-reward",
    document="000",
    section="7.6",
    question="Does it help to reward points as well as wins?",
    claim="With k = 100 and 1,000 iterations the rewarded search wins 56 % of 50 games.",
    figures={cell_of(TRIED): FIGURE},
    trials=trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.2, "full": 20},
)
