"""Fights: what hangs together with a chain in doubt, and how that ends where it can be read.

A fight is closed if it reaches no large empty region. Chains that are sure of themselves are its
walls. What it comes to is read by a small search (:mod:`montego.engine.ending.reading`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.vocabulary.color import EMPTY

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from montego.engine.ending.reading import Fate
    from montego.go.area import Area, Coordinates

WALL = 0.6
"""Chains owned more surely than this take no part in a neighbor's fight."""

SAME_FATE = 0.02  # Chains of a color with a common liberty, owned so much alike: one fate.

LARGEST_GAP = 8  # A fight that reaches a larger empty region is open.
LARGEST_LOCALE = 14  # Empty points of a fight; more cannot be read.

MOST_READINGS = 16  # A board with more doubtful chains is no finished game.


class Fights:
    """The fights of one position. Each is read when it is asked for, and once."""

    def __init__(
        self,
        grid: Mapping[Coordinates, int],
        area_at: Mapping[Coordinates, Area],
        strength: Mapping[Area, float],
        read: Callable[[Area, frozenset[Coordinates]], Fate],
    ) -> None:
        """Look at the stones of *grid*; *area_at* has the chain or empty region of each point.

        *strength* is how surely chains own themselves, from -1 to 1; *read* is given a chain and
        the points of its fight.
        """
        self.fates: dict[Area, Fate] = {}
        """What was read so far."""
        self._grid = grid
        self._area_at = area_at
        self._strength = strength
        self._read = read

    def fate(self, chain: Area) -> Fate | None:
        """Read the chain's fight, if it is closed. Chains of one fate are read once."""
        locale = self._locale(chain)
        if locale is None:
            return None
        color = self._grid[min(chain.points)]
        for other, fate in self.fates.items():
            if (
                other.points <= locale
                and self._grid[min(other.points)] == color
                and abs(self._strength[other] - self._strength[chain]) < SAME_FATE
                and self.share_liberty(chain, other)
            ):
                self.fates[chain] = fate
                return fate
        if len(set(self.fates.values())) >= MOST_READINGS:
            return None
        self.fates[chain] = self._read(chain, locale)
        return self.fates[chain]

    def share_liberty(self, one: Area, other: Area) -> bool:
        """Say whether two chains have a liberty in common."""
        return any(self._grid[point] == EMPTY for point in one.border & other.border)

    def gaps(self, chain: Area) -> set[Area]:
        """Return the empty regions in which a chain has its liberties."""
        return {self._area_at[point] for point in chain.border if self._grid[point] == EMPTY}

    def _locale(self, chain: Area) -> frozenset[Coordinates] | None:
        """Return what takes part in the chain's fight, or None if it is open or too large.

        All chains that are not sure of themselves and hang together with it, by contact or over
        empty regions, these regions, and the chains that have no liberties elsewhere: however
        sure, they stand inside, and once captured their points are fought over, too.
        """
        inside, waiting = {chain}, [chain]
        walls: set[Area] = set()
        while waiting:
            for point in waiting.pop().border:
                area = self._area_at[point]
                if area in inside:
                    continue
                if self._grid[point] == EMPTY:
                    if len(area.points) > LARGEST_GAP:
                        return None
                elif self._strength[area] > WALL:
                    walls.add(area)
                    continue
                inside.add(area)
                waiting.append(area)
            if not waiting:
                waiting = [wall for wall in walls if self.gaps(wall) <= inside]
                inside.update(waiting)
                walls.difference_update(waiting)
        points = frozenset(point for area in inside for point in area.points)
        gaps = sum(self._grid[point] == EMPTY for point in points)
        return points if gaps <= LARGEST_LOCALE else None
