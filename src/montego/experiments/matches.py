"""What matches between two settings add to :mod:`.win_rates`: an even result, and a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.drawing.plot import Bar, interval_plot
from montego.experiments.experiment import Plot
from montego.experiments.figures import number_text
from montego.experiments.verdict import Check, difference, if_enough
from montego.experiments.win_rates import even_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from montego.experiments.figures import Row

EVEN = 0.5


def is_even(row: Row | None, margin: float) -> Check:
    """Check that neither side is better by more than *margin*: the whole interval must say so.

    False only if the interval leaves out an even result.
    """
    if row is None or not row.count:
        return Check("no games yet", None)
    within = EVEN - margin <= row.low and row.high <= EVEN + margin
    uneven = not row.low <= EVEN <= row.high
    holds = if_enough(True if within else False if uneven else None, row)
    points = f"{number_text(margin, row.unit)} points"
    words = {
        True: f"is even within {points}",
        False: "is not even",
        None: f"is perhaps not even within {points}",
    }
    return Check(f"{row.cell} ({row.shown}) {words[holds]}", holds)


def is_not_worse(row: Row | None, margin: float, family: int = 1) -> Check:
    """Check that the first side is not worse by more than *margin*; false if it surely is worse.

    As one of a *family* of so many checks it has the benefit of the doubt, as in
    :func:`.verdict.none_better`.
    """
    if row is None or not row.count:
        return Check("no games yet", None)
    worse = difference(row, even_row("even", row.count), family)[2] < 0
    holds = if_enough(True if row.low >= EVEN - margin else False if worse else None, row)
    words = {
        True: f"is not below even by {number_text(margin, row.unit)} points",
        False: "is below even",
        None: "may be below even",
    }
    return Check(f"{row.cell} ({row.shown}) {words[holds]}", holds)


def match_plot(rows: Iterable[Row], caption: str) -> Plot:
    """Return shares of games with their intervals, one below the other."""
    bars = [Bar(row.cell, 100 * row.ours, 100 * row.low, 100 * row.high) for row in rows]
    return Plot("games", interval_plot(bars, "% of the games"), caption)
