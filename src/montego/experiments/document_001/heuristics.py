"""Four kinds of prior knowledge, and how far to trust them: 001, figure 6.

The document plays all points of its figure against GNU Go. Here the curves are games against the
same search without a heuristic, which tell small differences apart with fewer games; the two
figures that the text names are repeated against GNU Go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_001.mogo import (
    GNUGO_LEVEL,
    HEURISTICS,
    NOTE_LEARNED,
    NOTE_PLAYOUTS,
    mc_rave,
    with_heuristic,
)
from montego.experiments.figures import EVEN
from montego.experiments.verdict import above, agrees, more, none_better
from montego.experiments.win_rates import curve_plot, game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale
    from montego.experiments.verdict import Check
    from montego.experiments.win_rates import WinRates

BEST, BEST_VISITS = "local shape", 50
BEST_CELL = f"{BEST}, M = {BEST_VISITS}"
VISITS = (10, 50, 200)
MARGIN = 0.15
"""By how much another weight may win more games and still be as good: 160 games tell no less."""
SIMULATIONS = 3000  # against GNU Go, as in the document
MATCH_SIMULATIONS = 1000
WITHOUT_GNUGO = "no heuristic, GNU Go"
BEST_GNUGO = f"{BEST_CELL}, GNU Go"
FIGURES = {WITHOUT_GNUGO: 0.60, BEST_GNUGO: 0.69}
NOTE_VISITS = (
    "The document gives every move the same M. Here a handcrafted M is for a move that a rule of "
    "thumb speaks for, and half of it for others; that of local shape is the mean over the legal "
    "moves, of which those that are foretold have more."
)


def _places(heuristic: str) -> dict[str, float]:
    """Return the cells of a heuristic, and the equivalent experience of each."""
    return {f"{heuristic}, M = {visits}": float(visits) for visits in VISITS}


def _cells(scale: Scale) -> Cells:
    """Return games of each heuristic against none, and of none and the best against GNU Go."""
    quick = scale == "quick"
    count, more_count, level = (
        (100, 200, 1) if quick else (MATCH_SIMULATIONS, SIMULATIONS, GNUGO_LEVEL)
    )
    games, best_games, gnugo_games = (1, 1, 2) if quick else (40, 160, 40)
    plain, player = mc_rave(count), mc_rave(more_count)
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for heuristic in HEURISTICS:
        for cell, visits in _places(heuristic).items():
            match = {"first": with_heuristic(plain, heuristic, visits), "second": plain}
            # The learned one's weights are compared with one another, the others are pooled.
            cells[cell] = (match, best_games if heuristic == BEST else games)
    cells[WITHOUT_GNUGO] = ({"first": player, "level": level}, gnugo_games)
    best = with_heuristic(player, BEST, BEST_VISITS)
    cells[BEST_GNUGO] = ({"first": best, "level": level}, gnugo_games)
    return cells


def _check(wins: WinRates) -> list[Check]:
    """Compare what was learned with none, with the other heuristics, and at several weights."""
    pools = {name: wins.pooled(f"{name}, any M", _places(name)) for name in HEURISTICS}
    learned = wins.get(BEST_CELL)
    weights = wins.rows_of(cell for cell in _places(BEST) if cell != BEST_CELL)
    checks = [
        above(learned, EVEN, BEST_CELL),
        *(more(pools[BEST], pools[other]) for other in HEURISTICS if other != BEST),
        none_better(learned, weights, MARGIN),
    ]
    if not wins.is_shortened:
        checks += [agrees(wins.get(cell), 0.05, widest=0.32) for cell in FIGURES]
    return checks


PRIOR_HEURISTICS = game_experiment(
    name="prior-heuristics",
    document="001",
    section="5.1, figure 6",
    question="Which knowledge about new moves helps most, and how many visits is it worth?",
    claim="Local shape learned offline beats even game, grandfather and handcrafted patterns, and "
    "raises MC-RAVE from 60 % to 69 % against GNU Go, best at an equivalent experience of 50.",
    figures=FIGURES,
    cells=_cells,
    checks=_check,
    plot=curve_plot(
        "experience",
        "Games won against the search without heuristic, after 001's figure 6.",
        ("equivalent experience M", "games won, %"),
        lambda wins: [wins.curve(name, _places(name), even_at=0.0) for name in HEURISTICS],
        log_x=False,
    ),
    simulations=SIMULATIONS,
    notes=[NOTE_PLAYOUTS, NOTE_LEARNED, NOTE_VISITS],
    cost={"quick": 0.3, "full": 82},
    needs=("gnugo",),
)
