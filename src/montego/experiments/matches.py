"""What matches between two settings add to :mod:`.win_rates`: an even result, and a chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.arena.plot import Bar, interval_plot
from montego.experiments.experiment import Plot
from montego.experiments.figures import number_text
from montego.experiments.verdict import Check

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
    uneven = row.low > EVEN or row.high < EVEN
    holds = True if within else False if uneven else None
    words = {
        True: "is even within",
        False: "is not even within",
        None: "is perhaps not even within",
    }
    text = f"{row.cell} {row.shown} {words[holds]} {number_text(margin, row.unit)} points"
    return Check(text, holds)


def match_plot(rows: Iterable[Row], caption: str) -> Plot:
    """Return shares of games with their intervals, one below the other."""
    bars = [Bar(row.cell, 100 * row.ours, 100 * row.low, 100 * row.high) for row in rows]
    return Plot("games", interval_plot(bars, "% of the games"), caption)
