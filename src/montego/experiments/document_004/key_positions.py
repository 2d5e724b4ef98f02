"""Key positions: trying moves near the key points of the board first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.experiment import Experiment, Summary
from montego.experiments.games import play_match_trial
from montego.experiments.matches import EVEN, match_plot
from montego.experiments.verdict import above
from montego.experiments.win_rates import in_proportion, pooled_row, win_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

BOARDS: dict[Scale, tuple[tuple[int, int], ...]] = {
    "quick": ((9, 100), (9, 500)),
    "full": ((9, 200), (9, 1000), (19, 500), (19, 1000)),
}
"""Board sizes and simulations a move."""
SEARCH = {"selection": "ucb1-tuned", "exploration": 1.0}
GAMES: dict[Scale, dict[int, int]] = {"quick": {9: 6}, "full": {9: 300, 19: 100}}


def list_trials(scale: Scale) -> list[Trial]:
    """Return games with an order of first visits against games with a random one."""
    cells = {}
    for size, simulations in BOARDS[scale]:
        search = SEARCH | {"simulations": simulations}
        base: dict[str, JSON] = {"size": size, "fresh": True, "search": search}
        ordered = {"key_positions": True, "search": search | {"move_order": "game"}}
        match = {"first": base | ordered, "second": base}
        cells[_cell(size, simulations)] = (match, GAMES[scale][size])
    return in_proportion(cells)


def _cell(size: int, simulations: int) -> str:
    return f"{size}x{size}, {simulations:,} simulations"


def summarize(results: Sequence[Result]) -> Summary:
    """Check that the order helps, over all boards: a minor fix shows in many games alone."""
    rows = win_rows(results)
    pool = pooled_row("key positions first, all boards", results, rows)
    plots = [match_plot(rows.values(), "Games won by trying key positions first.")]
    shown = [*rows.values(), *([pool] if pool.count else [])]
    return Summary.of(shown, [above(pool, EVEN)], plots=plots, notes=NOTES)


NOTES = (
    (
        "The order matters only for nodes with fewer visits than moves, which are most of a tree, "
        "but not its root once there are more simulations than points."
    ),
    (
        "The order puts the pass last; the opponent's random one puts it anywhere, and so now and "
        "then spends a node's visit on a pass. What key positions win may be that in part."
    ),
)

EXPERIMENT = Experiment(
    name="key-positions",
    document="004",
    section="4.3.4, figure 4.20",
    question="Is a search stronger that first tries moves near the key points of the board?",
    claim=(
        "It is a minor fix for nodes whose significant children were not explored in time "
        "(no figure is given)."
    ),
    trials=list_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.1, "full": 42.0},
)
