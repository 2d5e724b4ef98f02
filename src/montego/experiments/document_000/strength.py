"""How strong the search is: against itself with other iterations, and against graded opponents.

The two tables of 7.1. GNU Go's levels stand in for the document's opponents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.experiments.document_000.heat_map import Labels, heat_map
from montego.experiments.document_000.v_run import NOTE_RULES, v_run
from montego.experiments.experiment import JSON, Cells, Plot, Scale, cell_map
from montego.experiments.verdict import Check, agreement, more, rising
from montego.experiments.win_rates import WinRates, game_experiment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.arena.drawing import Curve

COUNTS = (1000, 2000, 5000, 10000)
PAIRS = cell_map("{:,} against {:,}", COUNTS, COUNTS)
TABLE = (
    *(0.44, 0.22, 0.0, 0.0),
    *(0.84, 0.44, 0.02, 0.0),
    *(1.0, 0.98, 0.46, 0.24),
    *(1.0, 1.0, 0.76, 0.48),
)
"""Wins of Black in the document: its iterations down, those of White across."""
DOCUMENT_GAMES = 50
GAMES = 50
"""Games of a cell of the table: as many as the document's."""
QUICK = ((1000, 2000), (1000, 5000), (2000, 1000), (5000, 1000))


def _iterations_cells(scale: Scale) -> Cells:
    cells = {}
    for black, white in PAIRS if scale == "full" else QUICK:
        match = {"first": v_run(black), "second": v_run(white), "first_begins": True}
        cells[PAIRS[black, white]] = (match, GAMES if scale == "full" else 2)
    return cells


def _check_iterations(wins: WinRates) -> list[Check]:
    columns = [wins.rows_of(PAIRS[black, white] for black in COUNTS) for white in COUNTS]
    checks = [rising(column) for column in columns if len(column) > 1]
    if not checks:
        checks = [more(wins.get(PAIRS[5000, 1000]), wins.get(PAIRS[1000, 5000]))]
    return [*checks, agreement(list(wins.values()), DOCUMENT_GAMES)]


def _draw_iterations(wins: WinRates) -> str:
    """Return the whole table as a picture, once it is there."""
    return _table({cell: row.ours for cell, row in wins.items()})


def _draw_document(wins: WinRates) -> list[Plot]:
    told = {cell: row.document for cell, row in wins.items() if row.document is not None}
    return [Plot("table-document", _table(told), "The document's table, drawn alike.")]


def _table(shares: Mapping[str, float]) -> str:
    is_whole = len(shares) == len(PAIRS)
    counts = [f"{count:,}" for count in COUNTS]
    return heat_map(
        [
            [round(100 * shares[PAIRS[black, white]]) for white in COUNTS]
            for black in COUNTS
            if is_whole
        ],
        rows=Labels("Black's iterations", counts),
        columns=Labels("White's iterations", counts),
        show_zeros=True,
    )


ITERATIONS = game_experiment(
    name="iterations-against-iterations",
    document="000",
    section="7.1",
    question="Does the search play better the more iterations it has?",
    claim="On 9x9 more iterations win more games: ten times as many win every game, twice as many "
    "about 80 %, by a table of 16 cells.",
    figures=dict(zip(PAIRS.values(), TABLE, strict=True)),
    cells=_iterations_cells,
    checks=_check_iterations,
    plot="table",
    caption="Black's wins in per cent. Down: iterations of Black. Across: iterations of White.",
    chart=_draw_iterations,
    beside=_draw_document,
    notes=[NOTE_RULES],
    cost={"quick": 0.3, "full": 33},
)

KYU = {0: 18, 5: 15, 10: 11}
"""GNU Go's levels, and the grades of the document's opponents that they stand in for."""
HEAD_START = -36.5
"""Komi of V-Run's games, as Black: with an even one it loses nearly all of them even to level 0,
and a row of zeros tells no grades apart."""
MONTEGO = "Montego 1,000"
"""Montego's own player with a tenth of the iterations of the document's stronger one."""
PLAYERS: dict[str, JSON] = {
    "V-Run 5,000": v_run(5000) | {"komi": HEAD_START},
    "V-Run 10,000": v_run(10000) | {"komi": HEAD_START},
    MONTEGO: {"tuned": True, "search": {"simulations": 1000}},
}
V_RUN = list(PLAYERS)[:2]
LEVELS = cell_map("{} against level {}", PLAYERS, KYU)
LEVEL_GAMES, OTHER_LEVEL_GAMES = 60, 30
"""Against each level: of V-Run, which the claim is about, and of Montego."""
LEVEL_NOTE = (
    "The document's opponents are another program's grades, ten games each; here "
    + ", ".join(f"level {level} for {kyu} kyu" for level, kyu in KYU.items())
    + f", and V-Run has Black and a head start, komi {HEAD_START:g}. The document's figures stand "
    "beside ours for the trend, not for the height."
)


def _level_cells(scale: Scale) -> Cells:
    """Return games against GNU Go; a quick run has three corners of the table."""
    corners = ((V_RUN[0], 0), (V_RUN[0], 10), (MONTEGO, 0))
    cells = {}
    for player, level in LEVELS if scale == "full" else corners:
        settings = {"first": PLAYERS[player], "level": level}
        games = OTHER_LEVEL_GAMES
        if player != MONTEGO:
            settings["first_begins"] = True
            games = LEVEL_GAMES
        cells[LEVELS[player, level]] = (settings, games if scale == "full" else 1)
    return cells


def _check_levels(wins: WinRates) -> list[Check]:
    few, many = (
        wins.pooled(f"{player}, all levels", [LEVELS[player, level] for level in KYU])
        for player in V_RUN
    )
    graded = [
        wins.pooled(f"level {level}", [LEVELS[player, level] for player in V_RUN])
        for level in reversed(KYU)
    ]
    return [more(many, few), rising(graded)]


def _level_curves(wins: WinRates) -> list[Curve]:
    places = {player: {LEVELS[player, level]: float(level) for level in KYU} for player in PLAYERS}
    ours = [wins.curve(player, cells) for player, cells in places.items()]
    told = enumerate(V_RUN)
    return ours + [wins.told(f"{name}, 000", places[name], number) for number, name in told]


OPPONENTS = game_experiment(
    name="graded-opponents",
    document="000",
    section="7.1",
    question="How does the search fare against opponents of three grades?",
    claim="It wins less against stronger bots and more with more iterations: against 18, 15 and 11 "
    "kyu 90, 40 and 0 % of the games with 5,000, and 100, 80 and 10 % with 10,000.",
    figures=dict(zip(list(LEVELS.values())[:6], (0.9, 0.4, 0.0, 1.0, 0.8, 0.1), strict=True)),
    cells=_level_cells,
    checks=_check_levels,
    plot="levels",
    caption="Wins against GNU Go by its level, with 95 % intervals.",
    axes=("GNU Go's level", "wins, per cent"),
    curves=_level_curves,
    log_x=False,
    notes=[LEVEL_NOTE],
    cost={"quick": 0.5, "full": 66},
    needs=("gnugo",),
)
