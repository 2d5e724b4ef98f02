"""All-moves-as-first by itself, without a tree: how much time it saves (1.2.2, 4.3.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.figures import EVEN
from montego.experiments.verdict import Check, above, is_not_worse
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale

SIZE = 9
SIMULATIONS: dict[Scale, int] = {"quick": 20, "full": 200}
TIMES = {"as many": 1, f"{SIZE} times as many": SIZE}
"""Simulations of the opponent, in parts of those with moves as first."""
CELLS = {f"against {name} without": factor for name, factor in TIMES.items()}
EQUAL, SIZED = CELLS
GAMES = 150
MARGIN = 0.1
"""How uneven a match may be and the same still be reached in so small a part of the time."""
NO_TREE = 1_000_000
NOTE = (
    f"The size of the board is {SIZE}, as the document has it elsewhere; simulations are divided "
    "by it; the words may also mean the number of points. Moves as first count for who played "
    "first at a point; each simulation begins with the move that looks best by them, and the most "
    "played one is chosen. Without them all moves are played alike, and the best mean is chosen."
)


def _cells(scale: Scale) -> Cells:
    count = SIMULATIONS[scale]
    amaf: dict[str, JSON] = {
        "simulations": count,
        "selection": "rave-hand",
        "exploration": 0.0,
        "rave_equivalence": 1e9,
        "expand_after": NO_TREE,
        "early_stop": False,
    }
    flat = {"selection": "flat", "final_move": "max", "early_stop": False}
    return {
        cell: (
            {
                "first": {"fresh": True, "search": amaf},
                "second": {"fresh": True, "search": flat | {"simulations": factor * count}},
            },
            2 if scale == "quick" else GAMES,
        )
        for cell, factor in CELLS.items()
    }


def _checks(wins: WinRates) -> list[Check]:
    checks = [above(row, EVEN) for row in wins.rows_of([EQUAL])]
    return checks + [is_not_worse(row, MARGIN) for row in wins.rows_of([SIZED])]


MOVES_AS_FIRST = game_experiment(
    name="moves-as-first",
    document="004",
    section="1.2.2, 4.3.7",
    question="How much does all-moves-as-first save without a tree?",
    claim="It allows to divide the response time by the size of the board, though it is not "
    "entirely correct (no figure is given).",
    cells=_cells,
    checks=_checks,
    caption="Games won by all-moves-as-first, by the simulations of its opponent.",
    simulations=SIMULATIONS["full"],
    notes=[NOTE],
    cost={"quick": 0.1, "full": 6},
)
