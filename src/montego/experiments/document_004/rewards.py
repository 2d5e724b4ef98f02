"""Rewards that do not abandon hope: what 004 5.2 proposes against its program's weaknesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_004.selection import UCB1_TUNED
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above
from montego.experiments.win_rates import game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale

SIMULATIONS = {"full": 1000, "quick": 50}
GAMES = {"full": 150, "quick": 2}
KOMI = 6.5
"""The document's (5.2, a footnote)."""
WINDOW = 200
AVERAGE = f"above the average of the last {WINDOW}"
TEMPERATURE = "temperature between wins and points"
REWARDS: dict[str, dict[str, JSON]] = {
    AVERAGE: {"reward_average": True, "reward_window": WINDOW},
    TEMPERATURE: {"reward_temperature": 1.0, "reward_adapts": True, "reward_scale": 10.0},
}
NOTES = (
    (
        "The document proposes both and tried neither. How many simulations are the last ones it "
        f"does not say; here {WINDOW}. The temperature goes from wins alone, where half of the "
        "simulations are won, to a smooth function of the points, where nearly all end alike."
    ),
    (
        "Nobody resigns, for lost games are what it is about, and the komi is the document's. What "
        "is counted is who wins: by how much a game is lost the proposal does not say."
    ),
)


def _cells(scale: Scale) -> Cells:
    search = UCB1_TUNED | {"simulations": SIMULATIONS[scale], "early_stop": False}
    plain: dict[str, JSON] = {"komi": KOMI, "fresh": True, "search": search}
    return {
        cell: (
            {"first": plain | {"search": search | reward}, "second": plain, "resign": False},
            GAMES[scale],
        )
        for cell, reward in REWARDS.items()
    }


HOPEFUL_REWARDS = game_experiment(
    name="hopeful-rewards",
    document="004",
    section="5.2, proposals",
    question="Does a search play better that does not give up games which look lost?",
    claim="To count a score above the average of the last simulations as a win should make the "
    "program choose the better moves; so should a temperature between wins and points (untried).",
    cells=_cells,
    checks=lambda wins: [above(row, EVEN) for row in wins.values()],
    caption="Games won against the same search, rewarded for wins.",
    simulations=SIMULATIONS["full"],
    notes=NOTES,
    cost={"quick": 0.1, "full": 12},
)
