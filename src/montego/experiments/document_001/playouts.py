"""Nakade and empty regions in the playouts: what MoGo gained after its release (001 6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_001 import mogo
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import Cells, Scale

ORDER = "atari, {}pattern-last, capture-any"
"""MoGo's rules (3.6); a new one is asked between saving stones and patterns."""
ADDED = {
    "nakade": {"playout_order": ORDER.format("nakade, "), "playout_nakade": "1"},
    "fill board": {"playout_order": ORDER.format("fill-board, "), "playout_fill_board": "1"},
    "both": {
        "playout_order": ORDER.format("nakade, fill-board, "),
        "playout_nakade": "1",
        "playout_fill_board": "1",
    },
}
SIMULATIONS = 1000
FIGURE = 0.55
"""Games that the improved MoGo won against its release, with all that was changed."""
NOTE = (
    "The document tells the gain of all changes together, priors among them, with 100,000 "
    f"simulations a move; here each is alone, with {SIMULATIONS:,}, on the preset mogo."
)


def _cells(scale: Scale) -> Cells:
    count, games = (50, 1) if scale == "quick" else (SIMULATIONS, 100)
    plain = mogo.preset(count)
    return {
        name: ({"first": mogo.preset(count, **options), "second": plain}, games)
        for name, options in ADDED.items()
    }


PLAYOUTS = game_experiment(
    name="nakade-and-fill-board",
    document="001",
    section="6",
    question="Do playouts gain from playing in empty regions, and at the vital points of eyes?",
    claim="The default policy was modified to play in empty regions and at the key point of dead "
    "shapes; with other changes MoGo won 55 % against its release on 9x9.",
    figures={"both": FIGURE},
    cells=_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    caption="Games won against the same program without the change.",
    simulations=SIMULATIONS,
    notes=[NOTE],
    cost={"quick": 0.15, "full": 15},
)
