"""Four kinds of prior knowledge, and how far to trust them: 001, figure 6.

The document plays all points of its figure against GNU Go. Here the curves are games against the
same search without a heuristic, which tell small differences apart with fewer games; the two
figures that the text names are repeated against GNU Go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, curve_chart
from montego.experiments.document_001.mogo import (
    GNUGO_LEVEL,
    HEURISTICS,
    NOTE_LEARNED,
    NOTE_PLAYOUTS,
    mc_rave,
    with_heuristic,
)
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.games import play_gnugo_trial, play_match_trial
from montego.experiments.verdict import above, agrees, more, none_better
from montego.experiments.win_rates import (
    dots_of,
    even_row,
    in_proportion,
    is_shortened,
    pooled_row,
    remarks,
    win_rows,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

BEST, BEST_VISITS = "local shape", 50
VISITS = (10, 50, 200)
MARGIN = 0.15
"""By how much another weight may win more games and still be as good: 160 games tell no less."""
SIMULATIONS = 3000  # against GNU Go, as in the document
MATCH_SIMULATIONS = 1000
WITHOUT_GNUGO = "no heuristic, GNU Go"
BEST_GNUGO = f"{BEST}, M = {BEST_VISITS}, GNU Go"
FIGURES = {WITHOUT_GNUGO: 0.60, BEST_GNUGO: 0.69}
NOTE_VISITS = (
    "The document gives every move the same M. Here a handcrafted M is for a move that a rule of "
    "thumb speaks for, and half of it for others; that of local shape is the mean over the legal "
    "moves, of which those that are foretold have more."
)


def places_of(heuristic: str) -> dict[str, float]:
    """Return the cells of a heuristic, and the equivalent experience of each."""
    return {f"{heuristic}, M = {visits}": float(visits) for visits in VISITS}


def trials(scale: Scale) -> list[Trial]:
    """Return games of each heuristic against none, and of none and the best against GNU Go."""
    quick = scale == "quick"
    count, more_count, level = (
        (100, 200, 1) if quick else (MATCH_SIMULATIONS, SIMULATIONS, GNUGO_LEVEL)
    )
    games, best_games, gnugo_games = (1, 1, 2) if quick else (40, 160, 40)
    plain = mc_rave(count)
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for heuristic in HEURISTICS:
        for cell, visits in places_of(heuristic).items():
            first = with_heuristic(plain, heuristic, visits)
            # The learned one's weights are compared with one another, the others are pooled.
            number = best_games if heuristic == BEST else games
            cells[cell] = ({"first": first, "second": plain}, number)
    player = mc_rave(more_count)
    best = with_heuristic(player, BEST, BEST_VISITS)
    for cell, first in ((WITHOUT_GNUGO, player), (BEST_GNUGO, best)):
        cells[cell] = ({"first": first, "level": level}, gnugo_games)
    return in_proportion(cells)


def run(trial: Trial) -> JSON:
    """Play a game, against GNU Go where a level of it is named."""
    return play_gnugo_trial(trial) if "level" in trial.settings else play_match_trial(trial)


def summarize(results: Sequence[Result]) -> Summary:
    """Compare what was learned with none, with the other heuristics, and at several weights."""
    quick = is_shortened(results, SIMULATIONS)
    rows = win_rows(results, {} if quick else FIGURES)
    pools = {
        heuristic: pooled_row(f"{heuristic}, any M", results, places_of(heuristic))
        for heuristic in HEURISTICS
    }
    learned = rows.get(f"{BEST}, M = {BEST_VISITS}")
    weights = [row for cell in places_of(BEST) if (row := rows.get(cell)) and row is not learned]
    checks = [
        above(learned, 0.5, f"{BEST}, M = {BEST_VISITS}"),
        *(more(pools[BEST], pools[other]) for other in HEURISTICS if other != BEST),
        none_better(learned, weights, MARGIN),
    ]
    if not quick:
        checks += [agrees(rows.get(cell), 0.05, widest=0.32) for cell in FIGURES]
    start = even_row("no heuristic", 1)
    curves = [
        Curve(name, dots_of({start.cell: start} | rows, {start.cell: 0.0} | places_of(name)))
        for name in HEURISTICS
    ]
    chart = curve_chart(curves, "equivalent experience M", "games won, %")
    plot = Plot(
        "experience", chart, "Games won against the search without heuristic, after 001's figure 6."
    )
    return Summary.of(
        [*rows.values(), *pools.values()],
        checks,
        plots=[plot],
        notes=[NOTE_PLAYOUTS, NOTE_LEARNED, NOTE_VISITS, *remarks(results, SIMULATIONS)],
    )


PRIOR_HEURISTICS = Experiment(
    name="prior-heuristics",
    document="001",
    section="5.1, figure 6",
    question="Which knowledge about new moves helps most, and how many visits is it worth?",
    claim="Local shape learned offline beats even game, grandfather and handcrafted patterns, and "
    "raises MC-RAVE from 60 % to 69 % against GNU Go, best at an equivalent experience of 50.",
    figures=FIGURES,
    trials=trials,
    run=run,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.3, "full": 82},
    needs=("gnugo",),
)
