"""UCB1-TUNED against UCB1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from montego.experiments.experiment import Experiment, Summary, interleaved
from montego.experiments.games import play_match_trial
from montego.experiments.matches import EVEN, match_plot
from montego.experiments.verdict import above
from montego.experiments.win_rates import win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

SIMULATIONS: dict[Scale, tuple[int, ...]] = {"quick": (200, 800), "full": (1000, 4000)}
UCB1 = {"UCB1 as printed": math.sqrt(2.0), "UCB1 with c = 0.5": 0.5}
"""The constants of the opponents. The document's formula is √(2 ln n / T)."""
GAMES: dict[Scale, int] = {"quick": 4, "full": 200}


def list_trials(scale: Scale) -> list[Trial]:
    """Return games of UCB1-TUNED against UCB1."""
    cells = {
        _cell(name, simulations): {
            "first": {
                "search": {
                    "selection": "ucb1-tuned",
                    "exploration": 1.0,
                    "simulations": simulations,
                }
            },
            "second": {
                "search": {
                    "selection": "ucb1",
                    "exploration": round(constant, 4),
                    "simulations": simulations,
                }
            },
        }
        for simulations in SIMULATIONS[scale]
        for name, constant in UCB1.items()
    }
    return interleaved(cells, GAMES[scale])


def _cell(name: str, simulations: int) -> str:
    return f"against {name}, {simulations:,} simulations"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that it is better than either."""
    rows = win_rows(results)
    checks = [above(row, EVEN) for row in rows.values()]
    plots = [match_plot(rows.values(), "Games won by UCB1-TUNED.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=NOTES)


NOTES = (
    (
        "The variance in UCB1-TUNED is at most 1/4, and its upper bound is hardly ever less while "
        "a move has few visits; so the formula is nearly UCB1 with c = √(1/4) = 0.5."
    ),
    "The document takes the comparison from its sources and uses UCB1-TUNED alone.",
)

EXPERIMENT = Experiment(
    name="ucb1-tuned",
    document="004",
    section="4.3.2",
    question="Is UCB1-TUNED better than UCB1 on 9x9 with random games?",
    claim="UCB1-TUNED performs substantially better than UCB1 in all experiments.",
    trials=list_trials,
    run=play_match_trial,
    summarize=summarize,
    cost={"quick": 0.15, "full": 34.0},
)
