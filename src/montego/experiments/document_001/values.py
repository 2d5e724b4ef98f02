"""What a move's value is made of: whole games or parts, wins or points, their mean, whose RAVE.

Four choices that document 001 tells in passing, each with what it found: where a simulation ends
(2.3), the statistic (2.4, and the backpropagation of 000 3.1.2), the reward (3.4), and the
simulations that all-moves-as-first counts (4.2). All games are of random playouts, where nothing
else decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from montego.experiments.document_001 import mogo
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above, below, is_not_worse
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale

SIMULATIONS = {"full": 1000, "quick": 50}
GAMES = {"full": 150, "quick": 2}
MARGIN = 0.1
"""How uneven a match may be and the other side still be no better."""


def _plain(scale: Scale, **search: Any) -> dict[str, JSON]:
    """Return UCT with random games; *search* are fields of ``Config``."""
    common = {"simulations": SIMULATIONS[scale], "selection": "ucb1", "early_stop": False}
    return {"fresh": True, "search": common | {"exploration": 0.7} | search}


# Wins or points.
DEVIATION = 39.0
"""Standard deviation of a random game's score on 9x9, as random-game-spread measures it; that of
its result is 1/2."""
CONSTANTS = {f"points, c = {c:g} for 1": c for c in (0.1, 0.35, 0.7)}
"""UCT's constant if points deviated as little as wins do; it is as many times as large."""
BEST_POINTS = "points, best constant"
POINT_NOTE = (
    "A win is worth one point more, which decides ties at most. UCT's constant is for rewards of 0 "
    f"and 1. Points deviate {2 * DEVIATION:.0f} times as much on an empty board, so that the "
    "constant is as many times as large, or half of that, or a seventh; judged is the best of "
    "these, against wins with one constant. The document tells it of learning by reinforcement, "
    "and has it from a paper on Monte-Carlo search. Nobody resigns."
)


def _point_cells(scale: Scale) -> Cells:
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for cell, c in CONSTANTS.items():
        points = {
            "reward": "score",
            "reward_scale": 1.0,
            "exploration": round(c * 2 * DEVIATION, 1),
        }
        match = {"first": _plain(scale, **points), "second": _plain(scale), "resign": False}
        cells[cell] = (match, GAMES[scale])
    return cells


WINS_OR_POINTS = game_experiment(
    name="wins-or-points",
    document="001",
    section="3.4",
    question="Should a search be rewarded for its points, or for winning alone?",
    claim="The less informative signal of 1 for a win and 0 for a loss has proven more successful "
    "than the score at the end of the game (no figure is given).",
    cells=_point_cells,
    checks=lambda wins: [below(wins.best(BEST_POINTS, CONSTANTS), EVEN)],
    caption="Games won by a search that is rewarded for points.",
    simulations=SIMULATIONS["full"],
    notes=[POINT_NOTE],
    cost={"quick": 0.1, "full": 12},
)

# The mean or the maximum.
PARTS = {"the mean against the maximum": 1.0, "the mean against half of each": 0.5}
"""How much the best move's mean counts in what the opponent backs up."""


def _mean_cells(scale: Scale) -> Cells:
    return {
        cell: (
            {"first": _plain(scale), "second": _plain(scale, backup_maximum=part)},
            GAMES[scale],
        )
        for cell, part in PARTS.items()
    }


MEAN_OR_MAXIMUM = game_experiment(
    name="mean-or-maximum",
    document="001",
    section="2.4; 000 3.1.2, backpropagation",
    question="Should a position's value be the mean of its simulations, or its best move's?",
    claim="The mean outcome is the most robust and effective statistic, better than the maximum "
    "or one in between (001); none proved to be more efficient than the average (000).",
    cells=_mean_cells,
    checks=lambda wins: [is_not_worse(row, MARGIN, len(PARTS)) for row in wins.rows_of(PARTS)],
    caption="Games won by the mean.",
    simulations=SIMULATIONS["full"],
    cost={"quick": 0.1, "full": 8},
)

# Whole games, or games that are cut off.
CUTS = {f"to the end against {moves} moves": moves for moves in (10, 40)}
CUT_NOTE = (
    "A random game that is cut off is judged by who has more of the board, komi included: it costs "
    "less, but both sides have as many simulations. The document's are cut off where an accurate "
    "evaluation stands in, and judged by that."
)


def _cut_cells(scale: Scale) -> Cells:
    return {
        cell: ({"first": _plain(scale), "second": _plain(scale, cutoff=moves)}, GAMES[scale])
        for cell, moves in CUTS.items()
    }


CUT_OFF_OR_END = game_experiment(
    name="cut-off-or-end",
    document="001",
    section="2.3",
    question="Should random games be cut off and judged, or played to the end?",
    claim="In Go it is better to simulate until termination: cut off, simulations gain more bias "
    "than they lose variance (no figure is given).",
    cells=_cut_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    caption="Games won by simulations to the end.",
    simulations=SIMULATIONS["full"],
    notes=[CUT_NOTE],
    cost={"quick": 0.1, "full": 8},
)

# RAVE by subtree, or by the whole search.
SCOPE = "each subtree's own against the whole search's"
SCOPE_NOTE = (
    "The opponent goes farthest, as 002 writes it: one value a move and color for the whole "
    "search, the root's. What the document combined, and how, it does not say."
)


def _scope_cells(scale: Scale) -> Cells:
    first, second = (
        mogo.mc_rave(SIMULATIONS[scale], amaf_scope=scope) | {"playout": "uniform"}
        for scope in ("subtree", "tree")
    )
    return {SCOPE: ({"first": first, "second": second}, GAMES[scale])}


RAVE_BY_SUBTREE = game_experiment(
    name="rave-by-subtree",
    document="001",
    section="4.2; 002 2.2.1",
    question="Should all-moves-as-first count simulations from outside of a position's subtree?",
    claim="Combining the values of ancestors' subtrees did not appear to confer any advantage "
    "(no figure is given).",
    cells=_scope_cells,
    checks=lambda wins: [is_not_worse(row, MARGIN) for row in wins.values()],
    caption="Games won by RAVE that counts a position's own subtree.",
    simulations=SIMULATIONS["full"],
    notes=[SCOPE_NOTE],
    cost={"quick": 0.1, "full": 5},
)
