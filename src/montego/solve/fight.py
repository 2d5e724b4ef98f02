"""A fight: the stones to be captured, the points that can be played, and what stands around them.

An attacker's chain that has liberties enough outside of the fight is a *wall* of it: it is taken
for alive, and never captured. Where the fight touches empty points that are no part of it, it is
*open* there, and what comes of it may depend on the outside. It is then looked at twice: as if all
the outside were the attacker's, and as if it were the defender's. What comes out the same both
times does not depend.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from montego.go.area import area_of, areas, neighbors, to_grid
from montego.go.benson import pass_alive
from montego.go.vocabulary.color import EMPTY, format_color, opponent
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex
from montego.solve.groups import groups, open_stones
from montego.solve.kernels.layout import MOST_POINTS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from montego.go.area import Area, Coordinates

Side = Literal["attacker", "defender"]

SAFE_LIBERTIES = 3
"""A wall of the attacker's has so many liberties outside of the fight, or two eyes. One that has
fewer takes part, with its liberties: it may be captured."""

LOOSE_LIBERTIES = 2
"""What a wall has at least where it is taken for one without proof."""

LARGEST_MARGIN = 4
"""Lines around the stones to be captured that a fight may take in."""


SMALL_PART = 3
"""A group so many times smaller than another is not what a problem is about."""


class NoFight(GoError):  # noqa: N818  # Named for what was found.
    """There is nothing to be solved, or it cannot be said what."""


@dataclass(frozen=True)
class Fight:
    """What a solver is asked about. Points are (column, row) from the lower left corner."""

    size: int
    defender: int
    """The color of the stones to be captured."""
    target: frozenset[Coordinates]
    points: frozenset[Coordinates]
    """All points that can change, those of stones included."""
    stones: Mapping[Coordinates, int]
    """The colors of the stones on these points."""
    walls: Mapping[Coordinates, int]
    """The stones around them that never change."""
    attackers_edge: frozenset[Coordinates] = frozenset()
    """Points that count as beside a wall of the attacker's where the outside is."""
    defenders_edge: frozenset[Coordinates] = frozenset()
    assumed: frozenset[Coordinates] = frozenset()
    """A stone of each wall of the attacker's whose life was not proven, only assumed."""

    @property
    def attacker(self) -> int:
        """The color that wants to capture."""
        return opponent(self.defender)

    @property
    def empty(self) -> frozenset[Coordinates]:
        """The empty points."""
        return self.points - self.stones.keys()


@dataclass(frozen=True)
class Framing:
    """A fight with a margin around it, from either point of view."""

    margin: int | None
    """None if the fight is closed by walls."""
    for_attacker: Fight
    """All the outside is the attacker's: who lives here, lives."""
    for_defender: Fight
    """All the outside is the defender's: who is captured here, is dead."""

    @property
    def is_closed(self) -> bool:
        """Whether the outside plays no part."""
        return self.for_attacker is self.for_defender


class Surroundings:
    """The position around stones to be captured, from which fights are cut."""

    def __init__(self, rows: Sequence[Sequence[int]], target: Collection[Coordinates]) -> None:
        """*rows* are as ``Board.rows()`` gives them; *target* are stones of one color.

        Raises:
            NoFight: If there is no stone on a point of the target, or stones of both colors.
        """
        self.size = len(rows)
        self.grid = to_grid(rows)
        colors = {self.grid.get(point, EMPTY) for point in target}
        if len(colors) != 1 or EMPTY in colors:
            names = ", ".join(sorted(format_vertex(point) for point in target)) or "nowhere"
            raise NoFight(f"{names}: stones of one color are wanted here")
        self.defender = colors.pop()
        self.attacker = opponent(self.defender)
        self.target = frozenset[tuple[int, int]]().union(
            *(self._chain(point).points for point in target)
        )
        self.safe = {color: pass_alive(rows, color)[0] for color in (self.attacker, self.defender)}
        self._friends = open_stones(self.grid, self.defender) - self.target
        if self.target <= self.safe[self.defender]:
            color = format_color(self.defender)
            raise NoFight(f"nothing to solve: {color}'s stones there can never be captured")

    def framings(self, *, is_loose: bool = False) -> list[Framing]:
        """Return the closed fight, or open ones with margins that grow, as far as they go.

        If it *is_loose*, stones around that look alive are taken for alive: walls of the attacker's
        with few liberties, and groups of the defender's that are not surrounded. None if even the
        smallest fight has too many points.
        """
        points = self._reach(None, is_loose)
        if points is not None:
            fights = self._cut(points, is_loose)
            if fights[0] == fights[1]:
                return [Framing(None, fights[0], fights[0])]
        found: list[Framing] = []
        for margin in range(1, LARGEST_MARGIN + 1):
            points = self._reach(margin, is_loose)
            if points is None:
                break
            fights = self._cut(points, is_loose)
            if found and fights[0] == found[-1].for_attacker:
                continue
            found.append(Framing(margin, *fights))
        return found

    def _chain(self, point: Coordinates) -> Area:
        color = self.grid[point]
        return area_of(self.grid, point, lambda other: other == color)

    def _lasting(self, is_loose: bool) -> frozenset[Coordinates]:
        """Return the defender's stones that are walls."""
        safe = frozenset(self.safe[self.defender])
        return safe | self._friends if is_loose else safe

    def _reach(self, margin: int | None, is_loose: bool) -> frozenset[Coordinates] | None:
        """Return the points that take part in the fight; None if they are too many.

        Without a *margin*, all that the defender could reach. With one, the box around the target
        and so many empty points beyond it, by every way that leads over no wall: over the
        attacker's weak stones, too, for where these are captured the way is open.
        """
        near_at_hand = set(self.grid) if margin is None else self._box()
        most = margin or 0
        lasting = self._lasting(is_loose)
        safe = LOOSE_LIBERTIES if is_loose else SAFE_LIBERTIES
        steps = dict.fromkeys(self.target, 0)  # empty points on the way from the target
        waiting = deque(self.target)
        while waiting:
            while waiting:
                point = waiting.popleft()
                for near in neighbors(point):
                    color = self.grid.get(near)
                    taken = steps[point] + (near not in near_at_hand)
                    if color == EMPTY and taken <= most and steps.get(near, most + 1) > taken:
                        steps[near] = taken
                        waiting.append(near)
                    elif (
                        color == self.defender
                        and near not in lasting
                        and steps.get(near, most + 1) > steps[point]
                    ):
                        stones = self._chain(near).points
                        steps.update(dict.fromkeys(stones, steps[point]))
                        waiting.extend(stones)
                if len(steps) > MOST_POINTS:
                    return None
            for chain in self._weak(set(steps), safe):
                taken = min(steps[near] for near in chain.border if near in steps)
                steps.update(dict.fromkeys(chain.points, taken))
                for near in chain.border:
                    if self.grid[near] == EMPTY and near not in steps:
                        steps[near] = most  # A liberty takes part, however far it is.
                waiting.extend(chain.points)
        return frozenset(steps)

    def _box(self) -> set[Coordinates]:
        """Return the box around the target."""
        columns = [column for column, _ in self.target]
        rows = [row for _, row in self.target]
        return {
            (column, row)
            for column, row in self.grid
            if min(columns) <= column <= max(columns) and min(rows) <= row <= max(rows)
        }

    def _weak(self, inside: set[Coordinates], safe: int) -> list[Area]:
        """Return the attacker's chains beside the points that have few liberties elsewhere."""
        found = {
            self._chain(near)
            for point in inside
            for near in neighbors(point)
            if self.grid.get(near) == self.attacker and near not in inside
        }
        return [
            chain
            for chain in found
            if not chain.points & self.safe[self.attacker]
            and sum(self.grid[near] == EMPTY and near not in inside for near in chain.border) < safe
        ]

    def _cut(self, points: frozenset[Coordinates], is_loose: bool) -> tuple[Fight, Fight]:
        """Return the fight over these points, all the outside the attacker's or the defender's."""
        lasting = self._lasting(is_loose)
        around = {
            near
            for point in points
            for near in neighbors(point)
            if near in self.grid and near not in points
        }
        walls = {
            point: self.grid[point]
            for point in around
            if self.grid[point] == self.attacker or point in lasting
        }
        unclear = around - walls.keys()
        edge = frozenset(
            point for point in points if any(near in unclear for near in neighbors(point))
        )
        stones = {point: self.grid[point] for point in points if self.grid[point] != EMPTY}
        assumed = frozenset(
            min(self._chain(point).points)
            for point, color in walls.items()
            if color == self.attacker and point not in self.safe[color]
        )

        def fight(attackers: frozenset[Coordinates], defenders: frozenset[Coordinates]) -> Fight:
            return Fight(
                size=self.size,
                defender=self.defender,
                target=self.target,
                points=points,
                stones=stones,
                walls=walls,
                attackers_edge=attackers,
                defenders_edge=defenders,
                assumed=assumed,
            )

        return fight(edge, frozenset()), fight(frozenset(), edge)


def find_target(rows: Sequence[Sequence[int]], defender: int | None = None) -> set[Coordinates]:
    """Return the stones that a problem is about: those that the other color surrounds.

    They are the color, unless it is given, that stands nearer to the corner or side where the
    stones are, without what can never be captured, and without groups that have the open board
    before them or are much smaller, if there are others. Whether that is meant only a person can
    say.

    Raises:
        NoFight: If there are no stones of both colors, or all are safe.
    """
    size, grid = len(rows), to_grid(rows)
    stones = {point: color for point, color in grid.items() if color != EMPTY}
    colors = set(stones.values())
    if len(colors) < 2:
        raise NoFight("no problem of life and death: stones of both colors are needed")
    safe = {color: pass_alive(rows, color)[0] for color in colors}

    def depth(point: Coordinates, axis: int) -> float:
        """Return how far a point is from the side of the board where the stones are."""
        low = sum(stone[axis] for stone in stones) / len(stones) < (size - 1) / 2
        return point[axis] if low else size - 1 - point[axis]

    spans = [
        max(stone[axis] for stone in stones) - min(stone[axis] for stone in stones)
        for axis in (0, 1)
    ]
    near = [min(depth(stone, axis) for stone in stones) <= 1 for axis in (0, 1)]

    def distance(point: Coordinates) -> float:
        if all(near) or not any(near):
            return max(depth(point, 0), depth(point, 1))
        axis = 1 if near[1] else 0
        other = 1 - axis
        middle = min(stone[other] for stone in stones) + spans[other] / 2
        return max(depth(point, axis), abs(point[other] - middle))

    def mean(color: int) -> float:
        own = [distance(point) for point, other in stones.items() if other == color]
        return sum(own) / len(own)

    if defender is None:
        defender = min(sorted(colors), key=mean)
    target = {
        point
        for chain in areas(grid, [defender])
        for point in chain.points
        if not chain.points & safe[defender]
    }
    if not target:
        raise NoFight(f"nothing to solve: {format_color(defender)}'s stones are all alive")
    target = target - open_stones(grid, defender) or target
    parts = [group & target for group in groups(grid, defender)]
    largest = max(map(len, parts))
    return {point for part in parts if SMALL_PART * len(part) >= largest for point in part}
