"""What experiments made of games have in common: won games by cell, and curves of them.

The value of each result is as :func:`montego.experiments.games.play_match_trial` returns it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.chart import Curve, Dot
from montego.experiments.experiment import Trial, by_cell
from montego.experiments.figures import PERCENT, Row, share_row
from montego.experiments.games import tally
from montego.experiments.verdict import Check, difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from montego.experiments.experiment import JSON, Result

ENOUGH = 100
"""Games a point from which on nothing need be said about their number."""


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

    The best is chosen by every other pair of games, and its share counted in the rest: counted in
    the games it was chosen by, the best of several equals would look better than it is.
    """
    choosing = [result for result in results if result.trial.number // 2 % 2 == 0]
    counting = [result for result in results if result.trial.number // 2 % 2 == 1]
    rows = win_rows(choosing)
    best = max(
        (cell for cell in cells if cell in rows), key=lambda cell: rows[cell].ours, default=""
    )
    return pooled_row(f"{name} ({best})" if best else name, counting, [best], document)


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


def none_better(best: Row | None, others: Sequence[Row], margin: float) -> Check:
    """Check that no other figure is larger by more than *margin*; false if one surely is larger."""
    others = [row for row in others if row.count]
    if best is None or not best.count or not others:
        return Check("no results yet to compare", None)
    gaps = [(row, *difference(row, best)[1:]) for row in others]
    rival, low, _ = max(gaps, key=lambda gap: gap[1])
    if low > 0:
        text = f"{rival.cell} ({rival.shown}) is more than {best.cell} ({best.shown})"
        return Check(text, holds=False)
    rival, _, high = max(gaps, key=lambda gap: gap[2])
    if high > margin:
        text = f"{rival.cell} ({rival.shown}) may be more than {best.cell} ({best.shown})"
        return Check(text, None)
    text = f"nothing is better than {best.cell} ({best.shown}) by {100 * margin:.0f} points"
    return Check(f"{text}, not even {rival.cell} ({rival.shown})", holds=True)


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


def remarks(results: Sequence[Result], simulations: int) -> list[str]:
    """Return what to say of how little was done: a quick run, or fewer than 100 games a point."""
    counts = [len(values) for values in by_cell(results).values()]
    if is_shortened(results, simulations):
        most = max(simulations_of(result.trial) for result in results)
        settings = [result.trial.settings for result in results]
        levels = {int(each["level"]) for each in settings if "level" in each}
        gnugo = f" and GNU Go at level {min(levels)}" if levels else ""
        note = f"A quick run: {most:,} simulations a move in place of {simulations:,}{gnugo}"
        return [f"{note}. It shows that the experiment works, and proves nothing."]
    if counts and min(counts) < ENOUGH:
        span = f"{min(counts)}" + (f" to {max(counts)}" if max(counts) > min(counts) else "")
        return [f"{span} games a point were affordable."]
    return []


def in_proportion(cells: Mapping[str, tuple[Mapping[str, JSON], int]]) -> list[Trial]:
    """Return trials of cells with a number of trials each, spread evenly over the run."""
    trials = [
        ((number + 0.5) / count, Trial(cell, number, settings))
        for cell, (settings, count) in cells.items()
        for number in range(count)
    ]
    return [trial for _, trial in sorted(trials, key=lambda pair: pair[0])]
