"""RAVE and prior knowledge: how far to trust them, and whether to explore beside them.

Figure 5 (4.5), section 4.6.3, section 5.2 and figure 6 (5.1) of 001. The document plays all points
of figure 6 against GNU Go. Here its curves are games against the same search without a heuristic,
which tell small differences apart with fewer games; the two figures that the text names are
repeated against GNU Go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.statistics import score_of_elo
from montego.experiments.document_001 import mogo
from montego.experiments.figures import EVEN, level_line
from montego.experiments.verdict import Check, above, agrees, between, more, none_beats, none_better
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from montego.arena.drawing import Curve
    from montego.experiments.experiment import JSON, Cells, Scale

WITHOUT_RAVE = "without RAVE"
GNUGO_SIMULATIONS = 3000
"""Simulations a move against GNU Go, as in the document."""
CONSTANTS = {f"k = {k:,}": float(k) for k in (10, 100, 1000, 10_000)}
FIGURE = 0.24
"""The document's share of games won without RAVE."""
RANGE = (0.50, 0.60)
"""Shares of games that the document's wins vary between, with RAVE."""
CONSTANT_MARGIN = 0.1
"""By how much small constants may win more games and large ones still be as good."""


def _constant_cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    simulations, level = (200, 1) if quick else (GNUGO_SIMULATIONS, mogo.GNUGO_LEVEL)
    uct = mogo.preset(simulations, selection="ucb1", exploration=f"{mogo.EXPLORATION:g}")
    players = {WITHOUT_RAVE: uct}
    players |= {
        cell: mogo.preset(simulations, selection="rave-hand", rave_equivalence=f"{k:g}")
        for cell, k in CONSTANTS.items()
    }
    return {
        cell: ({"first": first, "level": level}, 1 if quick else 40)
        for cell, first in players.items()
    }


def _check_constants(wins: WinRates) -> list[Check]:
    without = wins.get(WITHOUT_RAVE)
    with_rave = wins.pooled("with RAVE, any k", CONSTANTS)
    large = wins.pooled("large k (1,000 or more)", [c for c, k in CONSTANTS.items() if k >= 1000])
    small = wins.pooled("small k (below 1,000)", [c for c, k in CONSTANTS.items() if k < 1000])
    checks = [more(with_rave, without), none_better(large, [small], CONSTANT_MARGIN)]
    if not wins.is_shortened:
        checks.append(agrees(without, 0.05, widest=0.3))
        checks.append(between(with_rave, *RANGE, 0.05, widest=0.3))
    return checks


def _constant_curves(wins: WinRates) -> list[Curve]:
    levels = {row.cell: row.ours for row in wins.rows_of([WITHOUT_RAVE])}
    least, most = RANGE
    levels |= {
        "without RAVE, 001": FIGURE,
        "MC-RAVE, 001: least": least,
        "MC-RAVE, 001: most": most,
    }
    lines = [level_line(name, share, CONSTANTS.values()) for name, share in levels.items()]
    return [wins.curve("MC-RAVE", CONSTANTS), *lines]


RAVE_CONSTANT = game_experiment(
    name="rave-constant",
    document="001",
    section="4.5, figure 5",
    question="How long should RAVE outweigh a move's own results?",
    claim="With 3,000 simulations a move MC-RAVE wins 50 to 60 % against GNU Go 3.7.10, and 24 % "
    "without RAVE; best are constants k of 1,000 or more.",
    figures={WITHOUT_RAVE: FIGURE},
    cells=_constant_cells,
    empty_pools=True,
    checks=_check_constants,
    plot="constant",
    caption="Games won against GNU Go, after 001's figure 5.",
    axes=("equivalence parameter k", "games won, %"),
    curves=_constant_curves,
    simulations=GNUGO_SIMULATIONS,
    notes=[mogo.NOTE_PRESET, mogo.NOTE_EXPLORATION],
    cost={"quick": 0.3, "full": 84},
    needs=("gnugo",),
)

BIASES = {f"b = {bias:g}": bias for bias in (0.02, 0.05, 0.1)}
"""The player's own is the first; with more than the last RAVE is soon without weight."""
SIMULATIONS = 1000
"""Simulations a move in all other games."""
GAIN = score_of_elo(80)
BEST_BIAS = "minimum MSE, best bias"
SCHEDULE_NOTE = (
    "The best bias is chosen by a quarter of its games and judged by the others. The document "
    "measured at 10 minutes a game, where the schedules differ for longer. Its gain of more than "
    "100 Elo on 19x19 was not affordable to repeat."
)


def _schedule_cells(scale: Scale) -> Cells:
    simulations, games = (100, 4) if scale == "quick" else (SIMULATIONS, 200)
    hand = mogo.with_heuristic(mogo.mc_rave(simulations), "handcrafted", 20)
    cells = {}
    for cell, bias in BIASES.items():
        mse = mogo.plain(simulations, selection="rave-mse", exploration=0.0, rave_bias=bias)
        first = mogo.with_heuristic(mse, "handcrafted", 20)
        cells[cell] = ({"first": first, "second": hand}, games)
    return cells


def _check_schedules(wins: WinRates) -> list[Check]:
    best = wins.best(BEST_BIAS, BIASES, GAIN)
    return [above(best, EVEN), agrees(best, 0.05, widest=0.25)]


RAVE_SCHEDULES = game_experiment(
    name="rave-schedules",
    document="001",
    section="4.6.3, table 1",
    question="Is the minimum-MSE schedule better than the hand-selected one?",
    claim="With the best constant bias the minimum-MSE schedule gains 80 Elo on 9x9, which is a "
    "score of 61 %.",
    figures={BEST_BIAS: GAIN},
    cells=_schedule_cells,
    checks=_check_schedules,
    plot="bias",
    caption="Games won against the hand-selected schedule with k = 1,000.",
    axes=("bias b of RAVE", "games won, %"),
    curves=lambda wins: [
        wins.curve("minimum MSE", BIASES),
        level_line("hand-selected", EVEN, BIASES.values()),
        level_line("001: 80 Elo", GAIN, BIASES.values()),
    ],
    simulations=SIMULATIONS,
    notes=[SCHEDULE_NOTE, mogo.NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 39},
)

EXPLORATIONS = (0.1, 0.3, 1.0)
WITH = {f"with RAVE, c = {c:g}": c for c in EXPLORATIONS}
WITHOUT = {f"without RAVE, c = {c:g}": c for c in EXPLORATIONS}
EXPLORATION_MARGIN = 0.1
"""By how much exploration may win more games with RAVE and none still be as good: 160 games of
equals stay within it in seven of ten matches."""
EXPLORATION_NOTE = (
    f"Games are of {SIMULATIONS:,} simulations a move; the document's program had tens of "
    "thousands, and its heuristic was learned, here it is the handcrafted one."
)


def _exploration_cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    simulations, games, more_games = (100, 4, 4) if quick else (SIMULATIONS, 80, 160)
    rave = {c: mogo.mc_rave(simulations, exploration=c) for c in (0.0, *EXPLORATIONS)}
    guided = {c: mogo.with_heuristic(player, "handcrafted", 20) for c, player in rave.items()}
    greedy = mogo.plain(simulations, selection="greedy")
    cells = {
        cell: ({"first": guided[c], "second": guided[0.0]}, more_games) for cell, c in WITH.items()
    }
    return cells | {
        cell: ({"first": mogo.uct(simulations, c), "second": greedy}, games)
        for cell, c in WITHOUT.items()
    }


EXPLORATION = game_experiment(
    name="exploration-with-rave",
    document="001",
    section="5.2",
    question="Does a search with RAVE need to explore?",
    claim="UCT is significantly better than a greedy tree policy, but with heuristic MC-RAVE the "
    "best exploration constant is 0.",
    cells=_exploration_cells,
    checks=lambda wins: [
        above(wins.best("UCT, best exploration", WITHOUT), EVEN),
        none_beats("greedy MC-RAVE", wins.rows_of(WITH), EXPLORATION_MARGIN),
    ],
    plot="exploration",
    caption="Games won against the same search without exploration.",
    axes=("exploration constant c", "games won, %"),
    curves=lambda wins: [
        wins.curve("with RAVE", WITH),
        wins.curve("without RAVE", WITHOUT),
        level_line("no exploration", EVEN, EXPLORATIONS),
    ],
    simulations=SIMULATIONS,
    notes=[EXPLORATION_NOTE, mogo.NOTE_PLAYOUTS],
    cost={"quick": 0.3, "full": 41},
)

BEST, BEST_VISITS = mogo.SHAPE, 50
BEST_CELL = f"{BEST}, M = {BEST_VISITS}"
VISITS = (10, 50, 200)
PRIOR_MARGIN = 0.15
"""By how much another weight may win more games and still be as good: 160 games tell no less."""
WITHOUT_GNUGO = "no heuristic, GNU Go"
BEST_GNUGO = f"{BEST_CELL}, GNU Go"
PRIOR_FIGURES = {WITHOUT_GNUGO: 0.60, BEST_GNUGO: 0.69}
NOTE_VISITS = (
    "The document gives every move the same M, and so it is here but for two heuristics: a "
    "handcrafted M is for a move that a rule of thumb speaks for, and half of it for others; that "
    "of strong players, which the document has not, is the mean over the legal moves, of which "
    "those that are foretold have more."
)


def _prior_places(heuristic: str) -> dict[str, float]:
    """Return the cells of a heuristic, and the equivalent experience of each."""
    return {f"{heuristic}, M = {visits}": float(visits) for visits in VISITS}


def _prior_cells(scale: Scale) -> Cells:
    quick = scale == "quick"
    count, more_count, level = (
        (100, 200, 1) if quick else (SIMULATIONS, GNUGO_SIMULATIONS, mogo.GNUGO_LEVEL)
    )
    games, best_games, gnugo_games = (1, 1, 2) if quick else (40, 160, 40)
    plain, player = mogo.mc_rave(count), mogo.mc_rave(more_count)
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for heuristic in mogo.HEURISTICS:
        for cell, visits in _prior_places(heuristic).items():
            match = {"first": mogo.with_heuristic(plain, heuristic, visits), "second": plain}
            # The learned one's weights are compared with one another, the others are pooled.
            cells[cell] = (match, best_games if heuristic == BEST else games)
    cells[WITHOUT_GNUGO] = ({"first": player, "level": level}, gnugo_games)
    best = mogo.with_heuristic(player, BEST, BEST_VISITS)
    cells[BEST_GNUGO] = ({"first": best, "level": level}, gnugo_games)
    return cells


def _check_priors(wins: WinRates) -> list[Check]:
    pools = {name: wins.pooled(f"{name}, any M", _prior_places(name)) for name in mogo.HEURISTICS}
    learned = wins.get(BEST_CELL)
    weights = wins.rows_of(cell for cell in _prior_places(BEST) if cell != BEST_CELL)
    checks = [
        above(learned, EVEN, BEST_CELL),
        *(more(pools[BEST], pool) for name, pool in pools.items() if name not in (BEST, mogo.OURS)),
        none_better(learned, weights, PRIOR_MARGIN),
    ]
    if not wins.is_shortened:
        checks += [agrees(wins.get(cell), 0.05, widest=0.32) for cell in PRIOR_FIGURES]
    return checks


PRIOR_HEURISTICS = game_experiment(
    name="prior-heuristics",
    document="001",
    section="5.1, figure 6",
    question="Which knowledge about new moves helps most, and how many visits is it worth?",
    claim="Local shape learned offline beats even game, grandfather and handcrafted patterns, and "
    "raises MC-RAVE from 60 % to 69 % against GNU Go, best at an equivalent experience of 50.",
    figures=PRIOR_FIGURES,
    cells=_prior_cells,
    empty_pools=True,
    checks=_check_priors,
    plot="experience",
    caption="Games won against the search without heuristic, after 001's figure 6.",
    axes=("equivalent experience M", "games won, %"),
    curves=lambda wins: [
        wins.curve(name, _prior_places(name), even_at=0.0) for name in mogo.HEURISTICS
    ],
    log_x=False,
    simulations=GNUGO_SIMULATIONS,
    notes=[mogo.NOTE_PLAYOUTS, mogo.NOTE_LEARNED, NOTE_VISITS],
    cost={"quick": 0.3, "full": 92},
    needs=("gnugo",),
)
