"""How strong the search is: against itself with other iterations, and against graded opponents.

The two tables of 7.1. GNU Go's levels stand in for the document's opponents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Labels, heat_map
from montego.experiments.document_000.v_run import NOTE_RULES, v_run
from montego.experiments.experiment import Plot
from montego.experiments.verdict import agreement, more, rising
from montego.experiments.win_rates import curve_plot, game_experiment

if TYPE_CHECKING:
    from montego.experiments.experiment import JSON, Cells, Scale
    from montego.experiments.verdict import Check
    from montego.experiments.win_rates import WinRates

COUNTS = (1000, 2000, 5000, 10000)
TABLE = (
    (0.44, 0.22, 0.0, 0.0),
    (0.84, 0.44, 0.02, 0.0),
    (1.0, 0.98, 0.46, 0.24),
    (1.0, 1.0, 0.76, 0.48),
)
"""Wins of Black in the document: its iterations down, those of White across."""
DOCUMENT_GAMES = 50
GAMES = 50
"""As many as the document's, for sixteen cells."""
QUICK = ((1000, 2000), (1000, 5000), (2000, 1000), (5000, 1000))


def _iterations_cell(black: int, white: int) -> str:
    return f"{black:,} against {white:,}"


def _iterations_cells(scale: Scale) -> Cells:
    """Return games of Black with some iterations against White with others."""
    pairs = [(black, white) for black in COUNTS for white in COUNTS]
    return {
        _iterations_cell(black, white): (
            {"first": v_run(black), "second": v_run(white), "first_begins": True},
            GAMES if scale == "full" else 2,
        )
        for black, white in (pairs if scale == "full" else QUICK)
    }


def _check_iterations(wins: WinRates) -> list[Check]:
    """Compare each cell with the document's, and the cells of each column among one another."""
    columns = [wins.rows_of(_iterations_cell(black, white) for black in COUNTS) for white in COUNTS]
    checks = [rising(column) for column in columns if len(column) > 1]
    if not checks:
        more_and_less = (_iterations_cell(5000, 1000), _iterations_cell(1000, 5000))
        checks = [more(*(wins.get(cell) for cell in more_and_less))]
    return [*checks, agreement(list(wins.values()), DOCUMENT_GAMES)]


def _draw_iterations(wins: WinRates) -> Plot:
    """Return the whole table as a picture, once it is there."""
    pairs = [[_iterations_cell(black, white) for white in COUNTS] for black in COUNTS]
    is_whole = len(wins) == len(COUNTS) ** 2
    counts = [f"{count:,}" for count in COUNTS]
    chart = heat_map(
        [[round(100 * row.ours) for row in wins.rows_of(cells)] for cells in pairs if is_whole],
        rows=Labels("Black's iterations", counts),
        columns=Labels("White's iterations", counts),
        show_zeros=True,
    )
    caption = "Black's wins in per cent. Down: iterations of Black. Across: iterations of White."
    return Plot("table", chart, caption)


ITERATIONS = game_experiment(
    name="iterations-against-iterations",
    document="000",
    section="7.1",
    question="Does the search play better the more iterations it has?",
    claim="On 9x9 more iterations win more games: ten times as many win every game, twice as many "
    "about 80 %, by a table of 16 cells.",
    figures={
        _iterations_cell(black, white): figure
        for black, row in zip(COUNTS, TABLE, strict=True)
        for white, figure in zip(COUNTS, row, strict=True)
    },
    cells=_iterations_cells,
    checks=_check_iterations,
    plot=_draw_iterations,
    notes=[NOTE_RULES],
    cost={"quick": 0.3, "full": 33},
)

KYU = {0: 18, 5: 15, 10: 11}
"""GNU Go's levels, and the grades of the document's opponents that they stand in for."""
HEAD_START = -36.5
"""Komi of V-Run's games, as Black: with an even one it loses nearly all of them even to level 0,
and a row of zeros tells no grades apart."""
V_RUN: dict[str, JSON] = {
    "V-Run 5,000": v_run(5000) | {"komi": HEAD_START},
    "V-Run 10,000": v_run(10000) | {"komi": HEAD_START},
}
MONTEGO: dict[str, JSON] = {
    "Montego 1,000": {"tuned": True, "search": {"simulations": 1000}},
}
"""Montego's own player with a tenth of the iterations of the document's stronger one."""
LEVEL_GAMES, OTHER_LEVEL_GAMES = 60, 30
"""Against each level: of V-Run, which the claim is about, and of Montego."""
LEVEL_NOTE = (
    "The document's opponents are another program's grades, ten games each; here "
    + ", ".join(f"level {level} for {kyu} kyu" for level, kyu in KYU.items())
    + f", and V-Run has Black and a head start, komi {HEAD_START:g}. The document's figures stand "
    "beside ours for the trend, not for the height."
)


def _level_cell(player: str, level: int) -> str:
    return f"{player} against level {level}"


def _level_cells(scale: Scale) -> Cells:
    """Return games against GNU Go; a quick run has three corners of the table."""
    pairs = [(player, level) for player in V_RUN | MONTEGO for level in KYU]
    if scale == "quick":
        pairs = [("V-Run 5,000", 0), ("V-Run 5,000", 10), ("Montego 1,000", 0)]
    cells = {}
    for player, level in pairs:
        settings = {"first": (V_RUN | MONTEGO)[player], "level": level}
        if player in V_RUN:
            settings["first_begins"] = True
        games = LEVEL_GAMES if player in V_RUN else OTHER_LEVEL_GAMES
        cells[_level_cell(player, level)] = (settings, games if scale == "full" else 1)
    return cells


def _check_levels(wins: WinRates) -> list[Check]:
    """Ask whether iterations help over all levels, and whether the levels are grades."""
    few, many = (
        wins.pooled(f"{player}, all levels", [_level_cell(player, level) for level in KYU])
        for player in V_RUN
    )
    graded = [
        wins.pooled(f"level {level}", [_level_cell(player, level) for player in V_RUN])
        for level in reversed(KYU)
    ]
    return [more(many, few), rising(graded)]


OPPONENTS = game_experiment(
    name="graded-opponents",
    document="000",
    section="7.1",
    question="How does the search fare against opponents of three grades?",
    claim="It wins less against stronger bots and more with more iterations: against 18, 15 and 11 "
    "kyu 90, 40 and 0 % of the games with 5,000, and 100, 80 and 10 % with 10,000.",
    figures={
        "V-Run 5,000 against level 0": 0.9,
        "V-Run 5,000 against level 5": 0.4,
        "V-Run 5,000 against level 10": 0.0,
        "V-Run 10,000 against level 0": 1.0,
        "V-Run 10,000 against level 5": 0.8,
        "V-Run 10,000 against level 10": 0.1,
    },
    cells=_level_cells,
    checks=_check_levels,
    plot=curve_plot(
        "levels",
        "Wins against GNU Go by its level, with 95 % intervals.",
        ("GNU Go's level", "wins, per cent"),
        lambda wins: [
            wins.curve(player, {_level_cell(player, level): level for level in KYU})
            for player in V_RUN | MONTEGO
        ],
        log_x=False,
    ),
    notes=[LEVEL_NOTE],
    cost={"quick": 0.5, "full": 66},
    needs=("gnugo",),
)
