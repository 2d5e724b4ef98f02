"""Growing a node by one child at a time, each tried once, or by all that compete at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.experiment import Experiment, Summary, interleaved
from montego.experiments.games import play_match_trial
from montego.experiments.matches import is_not_worse, match_plot
from montego.experiments.win_rates import win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

COMMON = {"simulations": 1000, "early_stop": False}
SEARCHES: dict[str, dict[str, JSON]] = {
    "UCT with urgency 1, 1,000 simulations": COMMON
    | {"selection": "ucb1", "exploration": 0.7, "first_play_urgency": 1.0},
    "RAVE, 1,000 simulations": COMMON | {"selection": "rave-mse", "exploration": 0.0},
}
GAMES: dict[Scale, int] = {"quick": 2, "full": 300}
MARGIN = 0.1
"""Of 300 games between equals 93 in 100 matches are told to be within this margin."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return games of trying each child once against all at once, the rest being the same."""
    cells = {
        name: {
            "first": {"search": search | {"expansion": "one"}},
            "second": {"search": search | {"expansion": "all"}},
        }
        for name, search in SEARCHES.items()
    }
    return interleaved(cells, GAMES[scale])


def summarize(results: Sequence[Result]) -> Summary:
    """Check that no search is better with all children at once: more than that is not claimed."""
    rows = win_rows(results)
    checks = [is_not_worse(row, MARGIN, len(rows)) for row in rows.values()]
    plots = [match_plot(rows.values(), "Games won by adding one child at a time.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=NOTES)


NOTES = (
    (
        "All at once means, as in 003, that a node's moves come into the tree together, and those "
        "never tried compete by the value that first-play urgency or RAVE gives them; one at a "
        "time, that each is tried once before any is tried twice. A simulation plays one game "
        "either way: to play one from each of several new nodes was not tried."
    ),
    (
        "With plain UCT every move is tried once first in either case. That is the same search on "
        "both sides, and was not played."
    ),
)

EXPERIMENT = Experiment(
    name="one-child-or-all",
    document="000",
    section="3.1.2; 003, the expansion step",
    question="Should all moves of a node compete at once, or each be tried once first?",
    claim="Strategies that add more than one child at a time proved not to be more effective than "
    "to add one.",
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 8.0},
)
