"""UCB1-TUNED against UCB1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from montego.experiments.experiment import Experiment, Summary
from montego.experiments.games import play_match_trial
from montego.experiments.matches import EVEN, match_plot
from montego.experiments.verdict import above
from montego.experiments.win_rates import in_proportion, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

PRINTED, TUNED = "UCB1 as printed", "UCB1 with c = 0.5"
UCB1 = {PRINTED: math.sqrt(2.0), TUNED: 0.5}
"""The constants of the opponents. The document's formula is √(2 ln n / T); the other is ours."""
GAMES: dict[Scale, dict[tuple[str, int], int]] = {
    "quick": {(PRINTED, 200): 4, (PRINTED, 800): 4, (TUNED, 200): 4},
    "full": {(PRINTED, 1000): 200, (PRINTED, 4000): 120, (TUNED, 1000): 100},
}
"""By opponent and simulations a move."""
SUBSTANTIAL = 0.1
"""Share of games beyond one half without which it is surely not substantially better."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return games of UCB1-TUNED against UCB1."""
    cells = {
        _cell(name, simulations): (
            {
                "first": _player("ucb1-tuned", 1.0, simulations),
                "second": _player("ucb1", round(UCB1[name], 4), simulations),
            },
            games,
        )
        for (name, simulations), games in GAMES[scale].items()
    }
    return in_proportion(cells)


def _player(selection: str, exploration: float, simulations: int) -> dict[str, JSON]:
    search = {"selection": selection, "exploration": exploration, "simulations": simulations}
    return {"fresh": True, "search": search}


def _cell(name: str, simulations: int) -> str:
    return f"against {name}, {simulations:,} simulations"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that it is substantially better than the document's UCB1."""
    rows = win_rows(results)
    checks = [
        above(row, EVEN, at_least=SUBSTANTIAL) for cell, row in rows.items() if PRINTED in cell
    ]
    plots = [match_plot(rows.values(), "Games won by UCB1-TUNED.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=NOTES)


NOTES = (
    (
        "The variance in UCB1-TUNED is at most 1/4, and its upper bound is hardly ever less while "
        "a move has few visits; so the formula is nearly UCB1 with c = √(1/4) = 0.5. Games against "
        "that one tell how near; the document does not claim to beat it."
    ),
    (
        "The document prints the minimum of 1/4 and the variance beside the root; here it stands "
        "within, as in its source (Auer, Cesa-Bianchi and Fischer 2002)."
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
    unit="games",
    summarize=summarize,
    cost={"quick": 0.15, "full": 10.0},
)
