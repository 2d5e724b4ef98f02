"""Growing a node by one child at a time, or by all of them at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.experiment import Experiment, Summary, interleaved
from montego.experiments.games import play_match_trial
from montego.experiments.matches import is_not_worse, match_plot
from montego.experiments.win_rates import win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

UCT = {"selection": "ucb1", "exploration": 0.7, "early_stop": False}
SEARCHES: dict[str, dict[str, JSON]] = {
    "UCT, 1,000 simulations": UCT | {"simulations": 1000},
    "UCT with urgency 1, 1,000 simulations": UCT | {"simulations": 1000, "first_play_urgency": 1.0},
    "RAVE, 1,000 simulations": {
        "selection": "rave-mse",
        "exploration": 0.0,
        "early_stop": False,
        "simulations": 1000,
    },
}
GAMES: dict[Scale, int] = {"quick": 2, "full": 300}
MARGIN = 0.1
"""Of 300 games between equals 93 in 100 matches are told to be within this margin."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return games of one child a simulation against all at once, the rest being the same."""
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
        "With plain UCT both try every move of a node once before the formula speaks, so they are "
        "the same search, which differs in memory alone."
    ),
    (
        "With a finite first-play urgency, or with RAVE, moves never tried have a value; all at "
        "once lets that value decide, one at a time tries every move first."
    ),
)

EXPERIMENT = Experiment(
    name="one-child-or-all",
    document="000",
    section="3.1.2; 003, the expansion step",
    question="Is it better to add all children of a node at once, or one each time?",
    claim="Strategies that add more than one node proved not to be more effective.",
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 17.0},
)
