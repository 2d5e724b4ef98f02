"""Local shape learned by temporal differences, alone and as a heuristic of MC-RAVE (001 3.4, 5.1).

The weights are those that come with the program. The document's player by local shape alone was
rated 1350 Elo on 9x9; here it plays against UCT with random games. As a heuristic it plays here
with random games, too, against the same search without, often enough for its gain to be seen; with
playouts that have rules, and against GNU Go, it is in ``prior-heuristics``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_001 import mogo
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale

UCT_SIMULATIONS = 200
SIMULATIONS = 3000
VISITS = 50
ALONE = f"alone, against UCT with {UCT_SIMULATIONS} random games a move"
PRIOR = f"as prior, M = {VISITS}, random playouts"
NOTE = (
    "Local shape was learned by 'montego learn shapes' from games against itself: docs/learn.md "
    "tells how."
)


def _cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    few, count = (20, 60) if quick else (UCT_SIMULATIONS, SIMULATIONS)
    games = {ALONE: 200, PRIOR: 300}
    uct: dict[str, JSON] = {
        "fresh": True,
        "search": {"simulations": few, "selection": "ucb1", "exploration": mogo.EXPLORATION},
    }
    # Neither side of the first match can tell when a game is lost.
    alone: dict[str, JSON] = {"first": {"preset": "rlgo"}, "second": uct, "resign": False}
    plain = mogo.mc_rave(count) | {"playout": "uniform"}
    guided = mogo.with_heuristic(plain, mogo.SHAPE, VISITS)
    matches = {ALONE: alone, PRIOR: {"first": guided, "second": plain}}
    return {cell: (match, 1 if quick else games[cell]) for cell, match in matches.items()}


LOCAL_SHAPE = game_experiment(
    name="local-shape",
    document="001",
    section="3.4 and 5.1",
    question="What is local shape worth, learned by temporal differences from self-play?",
    claim="A player by local shape alone was rated 1350 Elo on 9x9, and as the heuristic of "
    "MC-RAVE local shape did better than all others.",
    cells=_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    caption="Games won against UCT, and against the same MC-RAVE without it.",
    simulations=SIMULATIONS,
    notes=[NOTE],
    cost={"quick": 0.1, "full": 13},
)
