"""First moves on empty boards: the heat maps of figures 7.2 and 7.3."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from montego.experiments.document_000.heat_map import heat_map
from montego.experiments.document_000.v_run import v_run
from montego.experiments.experiment import Experiment, Plot, Summary, by_cell, in_proportion
from montego.experiments.figures import exact_row, share_row
from montego.experiments.games import new_search
from montego.experiments.verdict import above, more, same
from montego.go.kernels.layout import PASS, coordinates_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.experiments.experiment import JSON, Scale, Trial, TrialResult


CASES = {
    (size, iterations): f"{size}x{size}, {iterations:,} iterations"
    for size, iterations in ((9, 100), (19, 1000), (9, 1000), (9, 5000))
}
"""Heat maps by board and iterations: figures 7.2 a, 7.2 b, 7.3 a, 7.3 b."""
UNIFORM = ((9, 100), (19, 1000))
"""Where the document's choice is very close to uniform."""
SEARCHES = 1000
MORE_SEARCHES = {(9, 100): 5000}
"""Where they are cheap, and a thousand cannot tell whether a choice is close to uniform."""
BATCH = {"full": 20, "quick": 10}
"""Searches of one trial."""
CLOSE = 0.05
"""How far a share may be from that of an even spread and still be called very close to it: the
middle of 9x9, 31 % of the points, is chosen in 26 to 36 % of the searches."""


NOTE = (
    "The middle is the 25 points around the center of 9x9 and the 121 of 19x19, about a third of "
    "the board either way."
)


def _trials(scale: Scale) -> list[Trial]:
    cells = {}
    for case, cell in CASES.items():
        size, iterations = case
        settings = {"player": v_run(iterations, size=size), "searches": BATCH[scale]}
        trials = MORE_SEARCHES.get(case, SEARCHES) // BATCH["full"]
        cells[cell] = (settings, trials if scale == "full" else 3)
    return in_proportion(cells)


def run(trial: Trial) -> JSON:
    """Return the first moves that some searches chose, as rows and columns from the top left."""
    size = trial.settings["player"]["size"]
    moves: list[list[int] | None] = []
    for number in range(trial.settings["searches"]):
        move = new_search(trial.settings["player"], trial.seed + number).run().move
        if move is None or move == PASS:
            moves.append(None)
        else:
            column, row = coordinates_of(move, size)
            moves.append([size - 1 - row, column])
    return moves


def _summarize(results: Sequence[TrialResult]) -> Summary:
    """Count how often the middle is chosen, and draw the maps."""
    rows, plots, checks = {}, [], []
    for (size, iterations), cell in CASES.items():
        moves = [move for batch in by_cell(results).get(cell, []) for move in batch]
        if not moves:
            continue
        counts = Counter(tuple(move) for move in moves if move is not None)
        inside = sum(counts[point] for point in middle_of(size))
        row = rows[size, iterations] = share_row(f"middle, {cell}", inside, len(moves))
        if (size, iterations) in UNIFORM:
            even = exact_row(f"an even spread over {size}x{size}", _even_share(size), row.count)
            checks.append(same(row, even, CLOSE))
        table = [[float(counts[row, column]) for column in range(size)] for row in range(size)]
        caption = f"{cell}: how often each first move was chosen, of {len(moves):,} searches."
        plots.append(Plot(f"map-{size}-{iterations}", heat_map(table), caption))
    few, some, many = (rows.get((9, iterations)) for iterations in (100, 1000, 5000))
    checks += [more(some, few), more(many, some)]
    if many is not None:
        checks.append(above(many, _even_share(9)))
    return Summary.of(rows.values(), checks, plots=plots, notes=[NOTE])


def _even_share(size: int) -> float:
    """Return how often the middle is chosen if all points are alike."""
    return len(middle_of(size)) / size**2


def middle_of(size: int) -> set[tuple[int, int]]:
    """Return the central points, about a third of the board: 5x5 of 9x9, 11x11 of 19x19."""
    half = round(size * 0.27)
    center = size // 2
    lines = range(center - half, center + half + 1)
    return {(row, column) for row in lines for column in lines}


FIRST_MOVES = Experiment(
    name="first-move-heat-maps",
    document="000",
    section="7.2, figures 7.2 and 7.3",
    question="Which first move does the search choose on an empty board?",
    claim="With 100 iterations on 9x9 or 1,000 on 19x19 the choice is very close to uniform; with "
    "1,000 and 5,000 on 9x9 it is more and more the middle.",
    trials=_trials,
    run=run,
    summarize=_summarize,
    cost={"quick": 0.2, "full": 4},
)
