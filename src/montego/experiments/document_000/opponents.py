"""Strength against graded opponents: the first table of 7.1, with GNU Go's levels as grades."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot, curve_chart
from montego.experiments.document_000.v_run import v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell
from montego.experiments.figures import share_row
from montego.experiments.games import play_gnugo_trial, tally
from montego.experiments.verdict import more, rising
from montego.experiments.win_rates import in_proportion, pooled_row, versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Result, Scale, Trial

LEVELS = (0, 5, 10)
KYU = {0: 18, 5: 15, 10: 11}
"""The grades of the document's opponents that GNU Go's levels stand in for."""
FIGURES = {
    ("V-Run 5,000", 0): 0.9,
    ("V-Run 5,000", 5): 0.4,
    ("V-Run 5,000", 10): 0.0,
    ("V-Run 10,000", 0): 1.0,
    ("V-Run 10,000", 5): 0.8,
    ("V-Run 10,000", 10): 0.1,
}
HEAD_START = -36.5
"""Komi of V-Run's games, as Black: with an even one it loses nearly all of them even to level 0,
and a row of zeros tells no grades apart."""
V_RUN: dict[str, JSON] = {
    "V-Run 5,000": v_run(5000) | {"komi": HEAD_START},
    "V-Run 10,000": v_run(10000) | {"komi": HEAD_START},
}
PLAYERS: dict[str, JSON] = V_RUN | {
    "Montego 1,000": {"tuned": True, "search": {"simulations": 1000}},
}
"""The document's two, and Montego's own player with a tenth of the iterations of the stronger."""
GAMES, OTHER_GAMES = 60, 30
"""Of V-Run, which the claim is about, and of Montego."""


def cell_of(player: str, level: int) -> str:
    """Return the name of a cell of the table."""
    return f"{player} against level {level}"


def trials(scale: Scale) -> list[Trial]:
    """Return games against GNU Go; a quick run has three corners of the table."""
    pairs = [(player, level) for player in PLAYERS for level in LEVELS]
    if scale == "quick":
        pairs = [("V-Run 5,000", 0), ("V-Run 5,000", 10), ("Montego 1,000", 0)]
    cells: dict[str, tuple[dict[str, JSON], int]] = {}
    for player, level in pairs:
        settings = {"first": PLAYERS[player], "level": level}
        if player in V_RUN:
            settings["first_begins"] = True
        games = GAMES if player in V_RUN else OTHER_GAMES
        cells[cell_of(player, level)] = (settings, games if scale == "full" else 1)
    return in_proportion(cells)


def summarize(results: Sequence[Result]) -> Summary:
    """Ask whether iterations help over all levels, and whether the levels are grades."""
    values = by_cell(results)
    rows = {
        (player, level): share_row(cell, *tally(values[cell]), FIGURES.get((player, level)))
        for player in PLAYERS
        for level in LEVELS
        if (cell := cell_of(player, level)) in values
    }
    few, many = (
        pooled_row(f"{player}, all levels", results, [cell_of(player, level) for level in LEVELS])
        for player in V_RUN
    )
    graded = [
        pooled_row(f"level {level}", results, [cell_of(player, level) for player in V_RUN])
        for level in reversed(LEVELS)
    ]
    checks = [more(many, few), rising(graded)]
    curves = [
        Curve(
            player,
            [
                Dot(level, 100 * row.ours, 100 * row.low, 100 * row.high)
                for level in LEVELS
                if (row := rows.get((player, level)))
            ],
        )
        for player in PLAYERS
    ]
    chart = curve_chart(curves, "GNU Go's level", "wins, per cent")
    plots = [Plot("levels", chart, "Wins against GNU Go by its level, with 95 % intervals.")]
    grades = ", ".join(f"level {level} for {KYU[level]} kyu" for level in LEVELS)
    note = (
        f"The document's opponents are another program's grades, ten games each; here {grades}, "
        f"and V-Run has Black and a head start, komi {HEAD_START:g}. The document's figures stand "
        "beside ours for the trend, not for the height."
    )
    pools = [row for row in (few, many, *graded) if row.count]
    shown = [*rows.values(), *pools]
    notes = [note, *versions(results)]
    return Summary.of(shown, checks, plots=plots if chart else (), notes=notes)


OPPONENTS = Experiment(
    name="graded-opponents",
    document="000",
    section="7.1",
    question="How does the search fare against opponents of three grades?",
    claim="It wins less against stronger bots and more with more iterations: against 18, 15 and 11 "
    "kyu 90, 40 and 0 % of the games with 5,000, and 100, 80 and 10 % with 10,000.",
    figures={cell_of(*pair): figure for pair, figure in FIGURES.items()},
    trials=trials,
    run=play_gnugo_trial,
    unit="games",
    summarize=summarize,
    cost={"quick": 0.5, "full": 66},
    needs=("gnugo",),
)
