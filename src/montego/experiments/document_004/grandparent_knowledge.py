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

    from montego.experiments.experiment import JSON, Result, Scale, Trial

BOARDS = (9, 13, 19)
SIMULATIONS: dict[Scale, int] = {"quick": 300, "full": 1000}
# A search that stops early has less to hand down.
SEARCH = {"selection": "ucb1-tuned", "exploration": 1.0, "early_stop": False}
WHOLE, TENTH = "all of it", "a tenth"
SHARES = {WHOLE: 1.0, TENTH: 0.1}
"""How much of the uncle's visits a move inherits: all, as in the document, and less on 9x9."""
VERY_WELL = 0.1
"""Share of games beyond one half without which it surely does not work very well."""
GAMES: dict[Scale, dict[tuple[str, int], int]] = {
    "quick": {(WHOLE, 9): 6, (TENTH, 9): 6},
    "full": {(WHOLE, 9): 300, (TENTH, 9): 100, (WHOLE, 13): 100, (WHOLE, 19): 100},
}
"""By share and board; a game on 19x19 costs as much as twenty on 9x9."""


def list_trials(scale: Scale) -> list[Trial]:
    """Return games with grandparent knowledge against games without."""
    cells = {}
    for (name, size), games in GAMES[scale].items():
        plain: dict[str, JSON] = {
            "size": size,
            "search": SEARCH | {"simulations": SIMULATIONS[scale]},
        }
        match = {"first": plain | {"uncles": SHARES[name]}, "second": plain}
        cells[_cell(name, size)] = (match, games)
    return in_proportion(cells)


def _cell(name: str, size: int) -> str:
    return f"{name}, {size}x{size}"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that the document's way helps, and most on the largest board."""
    rows = win_rows(results)
    checks = [
        above(row, EVEN, at_least=VERY_WELL)
        for size in BOARDS
        if (row := rows.get(_cell(WHOLE, size))) is not None
    ]
    small, large = (rows.get(_cell(WHOLE, size)) for size in (min(BOARDS), max(BOARDS)))
    if large is not None:
        checks.append(more(large, small))
    plots = [match_plot(rows.values(), "Games won with grandparent knowledge.")]
    return Summary.of(rows.values(), checks, plots=plots, notes=NOTES)


NOTES = (
    (
        "After each actual move the root's moves begin with what the side's last search found of "
        "the same moves, as the document's mean has it: as many simulations as the uncle had. By "
        "the assignment that it prints a son would keep the number of its own visits, and one "
        "without visits would inherit nothing; with so few simulations that is nearly every son."
    ),
    "Section 1.2.4 calls the results of the technique not spectacular, but worth mentioning.",
)

EXPERIMENT = Experiment(
    name="grandparent-knowledge",
    document="004",
    section="4.3.6.1, 1.2.4",
    question="Does a search gain from combining a move's value with that of the same move before?",
    claim="It works very well, especially on the 19x19 board (no figure is given).",
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 28.0},
)
