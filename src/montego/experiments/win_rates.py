"""What experiments made of games have in common: won games by cell, and curves of them.

The value of each result is as :func:`montego.experiments.games.play_match_trial` returns it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.chart import Curve, Dot
from montego.experiments.experiment import Trial, by_cell
from montego.experiments.figures import PERCENT, Row, share_row
from montego.experiments.games import tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from montego.experiments.experiment import JSON, Result

CHOOSING = 4
"""Of so many pairs of games one serves to choose the best cell, the others to count its wins."""


def win_rows(
    results: Sequence[Result], figures: Mapping[str, float] | None = None
) -> dict[str, Row]:
    """Return the share of games that each cell's first contestant won, the document's beside it."""
    figures = figures or {}
    return {
        cell: share_row(cell, *tally(values), figures.get(cell))
        for cell, values in by_cell(results).items()
    }


def pooled_row(
    name: str, results: Sequence[Result], cells: Iterable[str], document: float | None = None
) -> Row:
    """Return the share of won games in several cells together."""
    wanted = set(cells)
    values = [result.value for result in results if result.trial.cell in wanted]
    return share_row(name, *tally(values), document)


def best_row(
    name: str, results: Sequence[Result], cells: Sequence[str], document: float | None = None
) -> Row:
    """Return the share of won games in the best of several cells, which is told in its name.

    The best is chosen by a quarter of the games, and its share counted in the rest: counted in the
    games it was chosen by, the best of several equals would look better than it is.
    """
    choosing, counting = held_out(results)
    rows = win_rows(choosing)
    best = max(
        (cell for cell in cells if cell in rows), key=lambda cell: rows[cell].ours, default=""
    )
    return pooled_row(f"{name}: {best}" if best else name, counting, [best], document)


def held_out(results: Sequence[Result]) -> tuple[list[Result], list[Result]]:
    """Return the trials to choose by, a quarter of each cell in pairs, and those to judge by."""
    choosing: list[Result] = []
    counting: list[Result] = []
    for result in results:
        is_for_choice = result.trial.number // 2 % CHOOSING == 0
        (choosing if is_for_choice else counting).append(result)
    return choosing, counting


def even_row(name: str, count: int) -> Row:
    """Return what a player wins against itself: one half, which is no estimate."""
    return Row(name, 0.5, 0.5, 0.5, count, None, PERCENT)


def dots_of(rows: Mapping[str, Row], places: Mapping[str, float]) -> list[Dot]:
    """Return the points of a curve, in per cent: *places* says where on the axis each cell is."""
    found = sorted((place, cell) for cell, place in places.items() if cell in rows)
    return [
        Dot(x, 100 * rows[cell].ours, 100 * rows[cell].low, 100 * rows[cell].high)
        for x, cell in found
    ]


def level_line(name: str, share: float, places: Iterable[float]) -> Curve:
    """Return a dashed horizontal line, at a share of won games that does not vary."""
    ends = sorted(places)
    dots = [Dot(x, 100 * share) for x in (ends[:1] + ends[-1:])]
    return Curve(name, dots, is_dashed=True)


def simulations_of(trial: Trial, side: str = "first") -> int:
    """Return how many simulations a move one side of a game has."""
    return int(trial.settings[side]["search"]["simulations"])


def budgets_of(results: Sequence[Result]) -> dict[str, float]:
    """Return the simulations a move of the first side in each cell, fewest first."""
    budgets = {result.trial.cell: float(simulations_of(result.trial)) for result in results}
    return dict(sorted(budgets.items(), key=lambda item: item[1]))


def is_shortened(results: Sequence[Result], simulations: int) -> bool:
    """Say whether no game had so many simulations a move, as in a quick run."""
    return bool(results) and max(simulations_of(result.trial) for result in results) < simulations


def versions(results: Sequence[Result]) -> list[str]:
    """Return which GNU Go played, as it says itself; nothing if none did."""
    found = sorted({result.value["gnugo"] for result in results if "gnugo" in result.value})
    return [f"GNU Go is version {' and '.join(found)} here."] if found else []


def remarks(results: Sequence[Result], simulations: int) -> list[str]:
    """Return what to say of games: which GNU Go played, and how much less a quick run did."""
    told = versions(results)
    if not is_shortened(results, simulations):
        return told
    most = max(simulations_of(result.trial) for result in results)
    settings = [result.trial.settings for result in results]
    levels = {int(each["level"]) for each in settings if "level" in each}
    gnugo = f" and GNU Go at level {min(levels)}" if levels else ""
    note = f"A quick run: {most:,} simulations a move in place of {simulations:,}{gnugo}"
    return [*told, f"{note}. It shows that the experiment works, and proves nothing."]


def in_proportion(cells: Mapping[str, tuple[Mapping[str, JSON], int]]) -> list[Trial]:
    """Return trials of cells with a number of trials each, spread evenly over the run.

    Tables have the cells as they are given here, though those with more trials begin first.
    """
    trials = [
        ((number + 0.5) / count, Trial(cell, number, settings, place=place))
        for place, (cell, (settings, count)) in enumerate(cells.items())
        for number in range(count)
    ]
    return [trial for _, trial in sorted(trials, key=lambda pair: pair[0])]
