"""How much of a plan was run, and what so many games can tell."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.arena.statistics import wilson_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from montego.experiments.experiment import Trial

GAMES = "games"
ENOUGH = 100
"""Games a point from which on nothing need be said about their number."""


@dataclass(frozen=True)
class Effort:
    """The trials of each cell that were run, and those of the whole plan."""

    unit: str
    """What a trial is, in the plural."""
    done: Mapping[str, int]
    planned: Mapping[str, int]

    @classmethod
    def of(cls, unit: str, plan: Iterable[Trial], found: Iterable[Trial]) -> Effort:
        """Return the effort of what was *found* of a plan."""
        planned = Counter(trial.cell for trial in plan)
        counted = Counter(trial.cell for trial in found)
        return cls(unit, {cell: counted[cell] for cell in planned}, planned)

    @property
    def is_whole(self) -> bool:
        """Whether the whole plan was run."""
        return self.done == self.planned

    @property
    def number(self) -> str:
        """How many trials a point there are, and how many the plan has if those are more."""
        done, planned = _span(self.done.values()), _span(self.planned.values())
        return f"{done if self.is_whole else f'{done} of {planned}'} {self.unit} a point"

    @property
    def sentence(self) -> str:
        """The number of trials a point, whether more were not affordable, and what games can tell.

        That is the width of their interval where a share is about one half, at the point with the
        fewest; of the whole plan it is told if it is less.
        """
        few, whole = min(self.done.values(), default=0), min(self.planned.values(), default=0)
        is_of_games = self.unit == GAMES
        too_few = not self.is_whole or (is_of_games and few < ENOUGH)
        told = f"{self.number}{' were affordable' if too_few else ''}"
        if is_of_games and few:
            told += f", which tell a share to {precision(few)} points"
        if is_of_games and not self.is_whole and (not few or precision(whole) < precision(few)):
            told += f"; the whole plan tells one to {precision(whole)}"
        return told


def precision(games: int) -> int:
    """Return how many points a share may be off, either way, at 95 %, if it is about one half."""
    low, high = wilson_interval(games / 2, games)
    return round(100 * (high - low) / 2)


def _span(counts: Iterable[int]) -> str:
    known = sorted(counts)
    if not known:
        return "0"
    return f"{known[0]}" if known[0] == known[-1] else f"{known[0]} to {known[-1]}"
