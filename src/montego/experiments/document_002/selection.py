"""Objective Monte Carlo (2.1.4), which the finished thesis replaced by UCT."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing import interval_plot
from montego.experiments.document_000.tsumego.pool import POOL_NOTE, pool_trials
from montego.experiments.document_000.tsumego.problems import ask, right_rows
from montego.experiments.document_000.v_run import NOTE_RULES, v_run
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.verdict import is_not_worse, none_better
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Cells, Scale, Trial, TrialResult

DRAFT: dict[str, JSON] = {"selection": "objective", "final_move": "max"}
"""What the draft's program has in place of UCT and the most visited move (2.1.3, 2.1.4)."""
OBJECTIVE, UCT = "Objective Monte Carlo", "UCT"
ROBUST = "Objective Monte Carlo, most visited move"
SEARCHES: dict[str, dict[str, JSON]] = {
    OBJECTIVE: DRAFT,
    ROBUST: {"selection": "objective"},
    UCT: {},
}
MARGIN = 0.1
"""By how much UCT may be better and the draft's selection still be as good."""
CLAIM = (
    "The fairness of Objective Monte Carlo is the balance between exploitation and exploration; no "
    "figure is given. The finished thesis has UCT in its place, and does not say why."
)


def _problem_trials(scale: Scale) -> list[Trial]:
    quick = scale == "quick"
    return pool_trials(SEARCHES, None, 1 if quick else 6, problems=3 if quick else None)


def _summarize(results: Sequence[TrialResult]) -> Summary:
    rows = right_rows(results)
    best = rows.get(OBJECTIVE)
    checks = [none_better(best, [rows[UCT]] if UCT in rows else [], MARGIN)]
    chart = interval_plot([row.bar for row in rows.values()], "right moves, per cent")
    plots = [Plot("pool", chart, "Right moves in the pool, 95 %.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=[POOL_NOTE])


ON_PROBLEMS = Experiment(
    name="objective-on-problems",
    document="002",
    section="2.1.4",
    question="Does Objective Monte Carlo solve as many problems as UCT?",
    claim=CLAIM,
    trials=_problem_trials,
    run=ask,
    summarize=_summarize,
    cost={"quick": 0.1, "full": 2},
)

SIMULATIONS = {"full": 1000, "quick": 100}


def _match_cells(scale: Scale) -> Cells:
    count, games = SIMULATIONS[scale], 100 if scale == "full" else 2
    return {
        name: ({"first": v_run(count, **SEARCHES[name]), "second": v_run(count)}, games)
        for name in (OBJECTIVE, ROBUST)
    }


IN_MATCHES = game_experiment(
    name="objective-in-matches",
    document="002",
    section="2.1.4",
    question="Does Objective Monte Carlo play as well as UCT?",
    claim=CLAIM,
    cells=_match_cells,
    checks=lambda wins: [is_not_worse(row, MARGIN) for row in wins.rows_of([OBJECTIVE])],
    caption="Games won against UCT with as many iterations.",
    notes=[NOTE_RULES],
    cost={"quick": 0.1, "full": 3},
)
