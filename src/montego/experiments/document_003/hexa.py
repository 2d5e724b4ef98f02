"""RAVE in Hex on 11x11 ("Hexa"): where a game has many moves, moves as first make up for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_003.go_player import EQUIVALENCE, EXPLORATION, NOTE_EXPLORATION
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale

SIZE = 11
BUDGETS: dict[Scale, dict[int, int]] = {"quick": {50: 2}, "full": {300: 100, 1000: 100}}
"""Games by simulations a move."""
MUCH = 0.2
"""Share of games beyond one half without which results are surely not much better."""


def _player(simulations: int, **search: JSON) -> dict[str, JSON]:
    own = {"simulations": simulations, "exploration": 0.0} | search
    return {"game": "hex", "size": SIZE, "fresh": True, "search": own}


def _cells(scale: Scale) -> Cells:
    cells = {}
    for simulations, games in BUDGETS[scale].items():
        rave = _player(simulations, selection="rave-child", rave_equivalence=EQUIVALENCE)
        uct = _player(simulations, selection="ucb1", exploration=EXPLORATION)
        cells[f"{simulations:,} simulations"] = ({"first": rave, "second": uct}, games)
    return cells


RAVE_IN_HEX = game_experiment(
    name="rave-in-hex",
    document="003",
    section="Algunas pruebas, Hexa",
    question="Does RAVE help in Hex on 11x11, with 121 moves to choose from?",
    claim="With RAVE much better results were reached (no figure is given).",
    cells=_cells,
    checks=lambda wins: [above(row, EVEN, at_least=MUCH) for row in wins.values()],
    caption="Games of Hex that RAVE won against UCT.",
    simulations=max(BUDGETS["full"]),
    notes=[
        NOTE_EXPLORATION,
        "The document tells no swap rule; here the second player may take the first move.",
    ],
    cost={"quick": 0.1, "full": 6},
)
