"""Grandparent knowledge: a move begins with the statistics of the same move two plies before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.experiment import Experiment, Summary
from montego.experiments.games import play_match_trial
from montego.experiments.matches import EVEN, match_plot
from montego.experiments.verdict import above, more
from montego.experiments.win_rates import in_proportion, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import Result, Scale, Trial

BOARDS = (9, 13, 19)
SIMULATIONS: dict[Scale, int] = {"quick": 300, "full": 1000}
SEARCH = {"selection": "ucb1-tuned", "exploration": 1.0}
SHARES = {"all of it": 1.0, "a tenth": 0.1}
"""How much of the uncle's visits a move inherits: all, as in the document, and less on 9x9."""
VERY_WELL = 0.1
"""Share of games beyond one half without which it surely does not work very well."""
DOCUMENTED = [*SHARES.items()][:1]
GAMES: dict[Scale, dict[int, int]] = {"quick": {9: 6}, "full": {9: 300, 13: 100, 19: 60}}


def list_trials(scale: Scale) -> list[Trial]:
    """Return games with grandparent knowledge against games without."""
    cells = {}
    for size, games in GAMES[scale].items():
        base = SEARCH | {"simulations": SIMULATIONS[scale]}
        for name, share in SHARES.items() if size == min(BOARDS) else DOCUMENTED:
            match = {
                "first": {"size": size, "search": base | {"prior_grandparent": share}},
                "second": {"size": size, "search": base},
            }
            cells[_cell(name, size)] = (match, games)
    return in_proportion(cells)


def _cell(name: str, size: int) -> str:
    return f"{name}, {size}x{size}"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that the document's way helps, and most on the largest board."""
    rows = win_rows(results)
    whole, small, large = next(iter(SHARES)), min(BOARDS), max(BOARDS)
    checks = [
        above(row, EVEN, at_least=VERY_WELL)
        for size in BOARDS
        if (row := rows.get(_cell(whole, size))) is not None
    ]
    if _cell(whole, large) in rows:
        checks.append(more(rows[_cell(whole, large)], rows.get(_cell(whole, small))))
    plots = [match_plot(rows.values(), "Games won with grandparent knowledge.")]
    return Summary.of(rows.values(), checks, plots=plots)


EXPERIMENT = Experiment(
    name="grandparent-knowledge",
    document="004",
    section="4.3.6.1",
    question="Does a search gain from combining a move's value with that of the same move before?",
    claim="It works very well, especially on the 19x19 board (no figure is given).",
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 24.0},
)
