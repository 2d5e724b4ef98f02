"""Which stones belong together, and which of them have the open board before them.

All of this is a guess, by the look of a position. It serves to find out what is meant by a problem;
nothing that is proven rests on it.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from montego.go.area import areas, neighbors
from montego.go.vocabulary.color import EMPTY, opponent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from montego.go.area import Coordinates

OPEN = 20
"""A group with more empty points than that, nearer to it than to any stone of the other color, is
not surrounded. In problems of books those that are surrounded have up to about 10, others 50."""


def groups(grid: Mapping[Coordinates, int], color: int) -> list[frozenset[Coordinates]]:
    """Return the groups of a color: chains that share a liberty, or touch at an uncut corner."""
    chains = areas(grid, [color])
    at = {point: number for number, chain in enumerate(chains) for point in chain.points}
    leader = list(range(len(chains)))

    def find(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    liberties: dict[Coordinates, int] = {}
    for number, chain in enumerate(chains):
        for point in chain.border:
            if grid[point] == EMPTY:
                leader[find(number)] = find(liberties.setdefault(point, number))
        for column, row in chain.points:
            for across, up in ((1, 1), (1, -1)):
                other = at.get((column + across, row + up))
                cuts = grid.get((column + across, row)), grid.get((column, row + up))
                if other is not None and cuts != (opponent(color), opponent(color)):
                    leader[find(number)] = find(other)
    found: dict[int, set[Coordinates]] = {}
    for number, chain in enumerate(chains):
        found.setdefault(find(number), set()).update(chain.points)
    return [frozenset(points) for points in found.values()]


def open_stones(grid: Mapping[Coordinates, int], color: int) -> frozenset[Coordinates]:
    """Return the stones of a color in groups that are not surrounded."""
    enemies = _distances(grid, (point for point, other in grid.items() if other == opponent(color)))
    found: set[Coordinates] = set()
    for group in groups(grid, color):
        own = _distances(grid, group)
        nearer = sum(
            grid[point] == EMPTY and steps < enemies.get(point, steps + 1)
            for point, steps in own.items()
        )
        if nearer > OPEN:
            found |= group
    return frozenset(found)


def _distances(
    grid: Mapping[Coordinates, int], start: Iterable[Coordinates]
) -> dict[Coordinates, int]:
    """Return the number of steps over empty points from the nearest of some points."""
    steps = dict.fromkeys(start, 0)
    waiting = deque(steps)
    while waiting:
        point = waiting.popleft()
        for near in neighbors(point):
            if grid.get(near) == EMPTY and near not in steps:
                steps[near] = steps[point] + 1
                waiting.append(near)
    return steps
