"""Two choices that are said not to matter: one child at a time or all, and the final move (3.1.2).

Document 003 says the same of both: in its expansion step, and in the choice of the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.experiment import cell_map
from montego.experiments.verdict import is_even, is_not_worse
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale
    from montego.experiments.figures import FigureRow

PLAIN = {"selection": "ucb1", "exploration": 0.7}
EXPANSION_SIMULATIONS = {"full": 1000, "quick": 100}
NODES = (4, 16, 100)
"""Nodes that an expansion of the other side adds; a board has fewer moves than the last."""
EXPANDED = {f"one node against {nodes}": nodes for nodes in NODES}
AT_ONCE: dict[str, dict[str, JSON]] = {
    "one untried move against all, urgency 1": PLAIN | {"first_play_urgency": 1.0},
    "one untried move against all, RAVE": {"selection": "rave-mse", "exploration": 0.0},
}
EXPANSION_MARGIN = 0.1
"""How uneven a match may be and still be even: 93 in 100 of 300 games of equals are within."""
EXPANSION_NOTES = (
    (
        "One against several: each time the tree grows it gets one node, or several of the same "
        "parent, with a playout from each. Both sides have the same number of playouts a move."
    ),
    (
        "The last two rows are of what 003 calls expanding all children: its moves come into the "
        "tree together, and those never tried compete by the value that first-play urgency or "
        "RAVE gives them. They are shown and not judged: a simulation adds one node either way."
    ),
)


def _expansion_cells(scale: Scale) -> Cells:
    common = {"simulations": EXPANSION_SIMULATIONS[scale], "early_stop": False}
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for name, nodes in EXPANDED.items():
        several = PLAIN | common | {"expand_nodes": nodes}
        match = {"first": {"search": PLAIN | common}, "second": {"search": several}}
        cells[name] = (match, 300 if scale == "full" else 2)
    for name, search in AT_ONCE.items():
        match = {
            "first": {"search": search | common | {"expansion": "one"}},
            "second": {"search": search | common | {"expansion": "all"}},
        }
        cells[name] = (match, 50 if scale == "full" else 2)
    return cells


ONE_CHILD_OR_ALL = game_experiment(
    name="one-child-or-all",
    document="000",
    section="3.1.2; 003, the expansion step",
    question="Should an expansion add one node to the tree, or several?",
    claim="Strategies that add more than one child at a time proved not to be more effective than "
    "to add one.",
    cells=_expansion_cells,
    # More than that several at once are not better is not claimed.
    checks=lambda wins: [
        is_not_worse(row, EXPANSION_MARGIN, len(EXPANDED)) for row in wins.rows_of(EXPANDED)
    ],
    caption="Games won by adding one child at a time.",
    notes=EXPANSION_NOTES,
    cost={"quick": 0.15, "full": 9.0},
)

JUDGED, LONGER = "max", "robust-max"
"""Rules of the final move. The second searches longer than its opponent: it is not judged."""
SIMULATIONS = (100, 500, 2500)
FINAL = cell_map("{}, {:,} simulations", (JUDGED, LONGER), SIMULATIONS)
FINAL_MARGIN = 0.1
"""How uneven a match may be and still be even: 92 in 100 of 350 games of equals are within."""
FINAL_NOTES = (
    (
        "Robust-max searches on for up to half as long where no move is both: that is the rule, "
        "and its opponent has less time. So it is shown and not judged."
    ),
    (
        "Nor are rows with fewer simulations, of which the claim says nothing: among several "
        "intervals one may leave out one half by chance."
    ),
)


def _final_cells(scale: Scale) -> Cells:
    cells = {}
    for count in SIMULATIONS[: 3 if scale == "full" else 2]:
        for rule in (JUDGED, LONGER):
            # Stopping early is for the most visited move alone, and would spare the other's tree.
            first, second = (
                {"search": {"final_move": final, "simulations": count, "early_stop": False}}
                for final in (rule, "robust")
            )
            # Of what the claim is about, enough to call equals even.
            games = 350 if (rule, count) == (JUDGED, SIMULATIONS[-1]) else 100
            match = {"first": first, "second": second}
            cells[FINAL[rule, count]] = (match, games if scale == "full" else 4)
    return cells


def _judged(wins: WinRates) -> list[FigureRow]:
    """Return what the claim is about, fewest simulations first."""
    return wins.rows_of(FINAL[JUDGED, count] for count in SIMULATIONS)


FINAL_MOVE = game_experiment(
    name="final-move",
    document="003",
    section="the choice of the result; 000 3.1.2",
    question="Which move should be played: the best (max), the most visited (robust), or both?",
    claim="There is no significant difference between the criteria, here the best and the most "
    "visited move, if the number of simulations is large enough.",
    cells=_final_cells,
    checks=lambda wins: [is_even(next(reversed(_judged(wins)), None), FINAL_MARGIN)],
    plot="games",
    caption="Games won against the most visited move.",
    axes=("simulations a move", "% won against robust child"),
    curves=lambda wins: [
        wins.curve(f"{rule} child", {FINAL[rule, count]: count for count in SIMULATIONS})
        for rule in (JUDGED, LONGER)
    ],
    notes=FINAL_NOTES,
    cost={"quick": 0.1, "full": 13.0},
)
