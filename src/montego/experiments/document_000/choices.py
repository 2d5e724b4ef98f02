"""Two choices that are said not to matter: one child at a time or all, and the final move (3.1.2).

Document 003 says the same of both: in its expansion step, and in the choice of the result.
"""

from __future__ import annotations

from montego.experiments.experiment import JSON, Cells, Scale, cell_map
from montego.experiments.figures import EVEN, Row, exact_row
from montego.experiments.verdict import difference, is_even, is_not_worse
from montego.experiments.win_rates import WinRates, game_experiment

COMMON = {"simulations": 1000, "early_stop": False}
SEARCHES: dict[str, dict[str, JSON]] = {
    "UCT with urgency 1, 1,000 simulations": COMMON
    | {"selection": "ucb1", "exploration": 0.7, "first_play_urgency": 1.0},
    "RAVE, 1,000 simulations": COMMON | {"selection": "rave-mse", "exploration": 0.0},
}
EXPANSION_MARGIN = 0.1
"""How uneven a match may be and still be even: 93 in 100 of 300 games of equals are within."""
EXPANSION_NOTES = (
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


def _expansion_cells(scale: Scale) -> Cells:
    return {
        name: (
            {
                "first": {"search": search | {"expansion": "one"}},
                "second": {"search": search | {"expansion": "all"}},
            },
            300 if scale == "full" else 2,
        )
        for name, search in SEARCHES.items()
    }


ONE_CHILD_OR_ALL = game_experiment(
    name="one-child-or-all",
    document="000",
    section="3.1.2; 003, the expansion step",
    question="Should all moves of a node compete at once, or each be tried once first?",
    claim="Strategies that add more than one child at a time proved not to be more effective than "
    "to add one.",
    cells=_expansion_cells,
    # More than that all at once is not better is not claimed.
    checks=lambda wins: [is_not_worse(row, EXPANSION_MARGIN, len(wins)) for row in wins.values()],
    caption="Games won by adding one child at a time.",
    notes=EXPANSION_NOTES,
    cost={"quick": 0.1, "full": 8.0},
)

JUDGED, LONGER = "max", "robust-max"
"""Rules of the final move. The second searches longer than its opponent: it is not judged."""
SIMULATIONS = (100, 500, 2500)
FINAL = cell_map("{}, {:,} simulations", (JUDGED, LONGER), SIMULATIONS)
FINAL_MARGIN = 0.1
"""How uneven a match may be and still be even: 92 in 100 of 350 games of equals are within."""
FINAL_NOTE = (
    "Robust-max searches on for up to half as long where no move is both: that is the rule, and "
    "its opponent has less time. So it is shown and not judged."
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


def _judged(wins: WinRates) -> list[Row]:
    """Return what the claim is about, fewest simulations first."""
    return wins.rows_of(FINAL[JUDGED, count] for count in SIMULATIONS)


def _without_doubt(wins: WinRates) -> list[str]:
    """Return a remark where the rule matters with fewer simulations."""
    fewer = _judged(wins)[:-1]
    even = exact_row("even", EVEN, 1)
    told = []
    for row in fewer:
        # One of several is outside its interval by chance more often than one in twenty.
        _, low, high = difference(row, even, len(fewer))
        if low > 0 or high < 0:
            told.append(f"With fewer it matters: {row.cell} won {row.shown} of the games.")
    return told


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
    remarks=_without_doubt,
    notes=[FINAL_NOTE],
    cost={"quick": 0.1, "full": 13.0},
)
