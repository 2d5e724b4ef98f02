"""What RAVE and patterns add to the search: 003, "Resultados"."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, interval_plot
from montego.experiments.document_003.go_player import (
    GNUGO_LEVEL,
    NOTE_EXPLORATION,
    NOTE_PLAYOUTS,
    go_player,
)
from montego.experiments.experiment import Experiment, Plot, Summary
from montego.experiments.games import play_gnugo_trial, play_match_trial
from montego.experiments.verdict import above, agrees, more
from montego.experiments.win_rates import (
    budgets_of,
    in_proportion,
    is_shortened,
    pooled_row,
    remarks,
    win_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial
    from montego.experiments.figures import Row

    Cells = dict[str, tuple[dict[str, JSON], int]]

DOCUMENT_SIMULATIONS = 30_000
RAVE_FIGURES = {"30,000, White": 1.00, "30,000, Black": 1.00}
PATTERN_FIGURES = {"30,000, White": 0.93, "30,000, Black": 0.94}
GNUGO_FIGURES = {
    "UCT, random playouts": 0.03,
    "RAVE, random playouts": 0.12,
    "RAVE with patterns": 0.525,
}
"""The means of the document's two colors: 3 and 3, 14 and 10, 53 and 52 per cent."""
GREEDY = "UCT with C = 0"
GREEDY_GAMES = 100


def _matches(scale: Scale, first: dict[str, bool], second: dict[str, bool], dear: int) -> Cells:
    """Return games of two variants, as either color; *dear* games a color with 30,000."""
    cells: Cells = {}
    for simulations, games in ((3000, 50), (DOCUMENT_SIMULATIONS, dear)):
        count = simulations // 100 if scale == "quick" else simulations
        for color, begins in (("Black", True), ("White", False)):
            settings = {
                "first": go_player(count, **first),
                "second": go_player(count, **second),
                "first_begins": begins,
            }
            cells[f"{count:,}, {color}"] = (settings, 1 if scale == "quick" else games)
    return cells


def rave_trials(scale: Scale) -> list[Trial]:
    """Return games of RAVE against UCT, both with random playouts, and against greedy UCT."""
    with_rave, without = {"rave": True, "patterns": False}, {"rave": False, "patterns": False}
    cells = _matches(scale, with_rave, without, 25)
    quick = scale == "quick"
    count = 30 if quick else 3000
    greedy = go_player(count, rave=False, patterns=False, exploration=0.0)
    settings = {"first": go_player(count, patterns=False), "second": greedy}
    cells[f"{count:,}, {GREEDY}"] = (settings, 1 if quick else GREEDY_GAMES)
    return in_proportion(cells)


def pattern_trials(scale: Scale) -> list[Trial]:
    """Return games of playouts with patterns against random ones, both with RAVE."""
    with_patterns, without = {"rave": True, "patterns": True}, {"rave": True, "patterns": False}
    return in_proportion(_matches(scale, with_patterns, without, 10))


def gnugo_trials(scale: Scale) -> list[Trial]:
    """Return games of the three variants against GNU Go."""
    count, level = (300, 1) if scale == "quick" else (DOCUMENT_SIMULATIONS, GNUGO_LEVEL)
    players = {
        "UCT, random playouts": (go_player(count, rave=False, patterns=False), 30),
        "RAVE, random playouts": (go_player(count, patterns=False), 40),
        "RAVE with patterns": (go_player(count), 30),
    }
    return in_proportion(
        {
            cell: ({"first": first, "level": level}, 2 if scale == "quick" else games)
            for cell, (first, games) in players.items()
        }
    )


def summarize_rave(results: Sequence[Result]) -> Summary:
    """Check that RAVE beats UCT, and as clearly as in the document."""
    note = f"{NOTE_EXPLORATION} So RAVE also plays UCT without exploration, which is not judged."
    return _summarized(results, RAVE_FIGURES, note)


def summarize_patterns(results: Sequence[Result]) -> Summary:
    """Check that patterns beat random playouts, and as clearly as in the document."""
    return _summarized(results, PATTERN_FIGURES, NOTE_PLAYOUTS)


def _summarized(results: Sequence[Result], figures: Mapping[str, float], *notes: str) -> Summary:
    rows = win_rows(results, figures)
    budgets = {cell: x for cell, x in budgets_of(results).items() if not cell.endswith(GREEDY)}
    pools, checks = [], []
    for budget in sorted(set(budgets.values())):
        cells = [cell for cell, x in budgets.items() if x == budget]
        known = [figures[cell] for cell in cells if cell in figures]
        document = statistics.fmean(known) if known else None
        pool = pooled_row(f"{budget:,.0f}, both colors", results, cells, document)
        pools.append(pool)
        checks.append(above(pool, 0.5))
        if document is not None:
            checks.append(agrees(pool, 0.03, widest=0.3))
    return Summary.of(
        [*rows.values(), *pools],
        checks,
        plots=[_plot([*rows.values(), *pools])],
        notes=[*notes, *remarks(results, DOCUMENT_SIMULATIONS)],
    )


def summarize_gnugo(results: Sequence[Result]) -> Summary:
    """Check the order of the three variants, and their figures."""
    quick = is_shortened(results, DOCUMENT_SIMULATIONS)
    rows = win_rows(results, {} if quick else GNUGO_FIGURES)
    uct, rave, patterns = (rows.get(cell) for cell in GNUGO_FIGURES)
    checks = [more(rave, uct), more(patterns, rave)]
    if not quick:
        checks += [agrees(row, 0.05, widest=0.36) for row in (uct, rave, patterns)]
    few = (
        "So few games tell 12 % from 3 % by luck alone: with some 80 each it would be an even "
        "chance. RAVE plays UCT itself in rave-or-uct."
    )
    notes = [few, NOTE_EXPLORATION, NOTE_PLAYOUTS, *remarks(results, DOCUMENT_SIMULATIONS)]
    return Summary.of(rows.values(), checks, plots=[_plot(rows.values())], notes=notes)


def _plot(rows: Iterable[Row]) -> Plot:
    bars = []
    for row in rows:
        bars.append(Bar(row.cell, 100 * row.ours, 100 * row.low, 100 * row.high))
        if row.document is not None:
            told = 100 * row.document
            bars.append(Bar("in the document", told, told, told))
    return Plot("wins", interval_plot(bars, "games won, %"), "Games won, with 95 % intervals.")


RAVE_OR_UCT = Experiment(
    name="rave-or-uct",
    document="003",
    section="Resultados",
    question="Does RAVE beat plain UCT when playouts are random?",
    claim="With 30,000 simulations a move RAVE won all of 100 games against UCT, as either color.",
    figures=RAVE_FIGURES,
    trials=rave_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize_rave,
    cost={"quick": 0.3, "full": 20},
)

PATTERNS_OR_RANDOM = Experiment(
    name="patterns-or-random",
    document="003",
    section="Resultados",
    question="Do playouts with patterns and captures beat random ones?",
    claim="With 30,000 simulations a move playouts with patterns won 93 % as White and 94 % as "
    "Black against random ones, both with RAVE.",
    figures=PATTERN_FIGURES,
    trials=pattern_trials,
    run=play_match_trial,
    unit="games",
    summarize=summarize_patterns,
    cost={"quick": 0.3, "full": 15},
)

AGAINST_GNUGO = Experiment(
    name="improvements-against-gnugo",
    document="003",
    section="Resultados",
    question="How far do RAVE and patterns take the search against another program?",
    claim="Against GNU Go 3.8 UCT with random playouts won 3 % of 200 games, with RAVE 12 %, and "
    "with RAVE and patterns 52.5 %, at 30,000 simulations a move.",
    figures=GNUGO_FIGURES,
    trials=gnugo_trials,
    run=play_gnugo_trial,
    unit="games",
    summarize=summarize_gnugo,
    cost={"quick": 0.3, "full": 68},
    needs=("gnugo",),
)
