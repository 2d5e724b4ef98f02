"""Life and death by looking at every position, compiled: slow, obvious, and unlike the solver.

It is the program of ``tests/support/oracles/brute_force.py`` for fights of some millions of
positions. It shares no code with :mod:`montego.solve`: points have colors in an array, chains are
found anew for every move, and nothing is searched. All positions that can come about are listed;
those without the target are marked, then those from which a marked one can be forced in one move,
until nothing changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from montego.jit import kernel

if TYPE_CHECKING:
    from montego.solve.fight import Fight

Numbers: TypeAlias = NDArray[Any]

MOST_POINTS = 25
EMPTY, ATTACKER, DEFENDER, TARGET = 0, 1, 2, 3
NO_BAN = 31

# A state is one integer: two bits for each point, five for the point that a ko bars, and one for
# the side to move.
BAN_SHIFT = 2 * MOST_POINTS
SIDE_SHIFT = BAN_SHIFT + 5


@kernel
def find_airless(
    near: Numbers, walls: Numbers, colors: Numbers, start: int, chain: Numbers, seen: Numbers
) -> int:
    """Write the points of a chain that nothing gives air to *chain*; return how many, else 0."""
    count, done = 1, 0
    is_attacker = colors[start] == ATTACKER
    wall = ATTACKER if is_attacker else DEFENDER
    chain[0] = start
    for point in range(len(colors)):
        seen[point] = 0
    seen[start] = 1
    while done < count:
        point = int(chain[done])
        done += 1
        if walls[point] & wall:
            return 0
        for direction in range(4):
            other = int(near[point, direction])
            if other < 0:
                continue
            if colors[other] == EMPTY:
                return 0
            if (colors[other] == ATTACKER) == is_attacker and not seen[other]:
                seen[other] = 1
                chain[count] = other
                count += 1
    return count


@kernel
def after_move(
    near: Numbers, walls: Numbers, colors: Numbers, side: int, point: int, room: Numbers
) -> int:
    """Play a move into *colors*; return the point that a ko bars, NO_BAN, or -1 if it is illegal.

    A move that is illegal leaves *colors* spoiled.
    """
    chain, seen = room[0], room[1]
    colors[point] = ATTACKER if side == 0 else DEFENDER
    taken, hole, is_alone = 0, NO_BAN, True
    for direction in range(4):
        other = int(near[point, direction])
        if other < 0 or colors[other] == EMPTY:
            continue
        if (colors[other] == ATTACKER) == (side == 0):
            is_alone = False
            continue
        size = find_airless(near, walls, colors, other, chain, seen)
        for number in range(size):
            colors[int(chain[number])] = EMPTY
        taken += size
        if size > 0:
            hole = other
    if find_airless(near, walls, colors, point, chain, seen) > 0:
        return -1
    if taken != 1 or not is_alone:
        return NO_BAN
    # A ko, if taking back would capture this stone alone.
    colors[hole] = DEFENDER if side == 0 else ATTACKER
    is_ko = find_airless(near, walls, colors, point, chain, seen) > 0
    colors[hole] = EMPTY
    return hole if is_ko else NO_BAN


@kernel
def number_of(table: Numbers, states: Numbers, state: int, count: int) -> int:
    """Return the number of a state: *count*, under which it is then filed, if it is new."""
    mask = len(table) - 1
    place = (state ^ (state >> 17) ^ (state >> 31) * 7919) & mask
    while table[place] >= 0:
        if states[int(table[place])] == state:
            return int(table[place])
        place = (place + 1) & mask
    table[place] = count
    states[count] = state
    return count


@kernel
def list_states(
    near: Numbers,
    walls: Numbers,
    endless: Numbers,
    states: Numbers,
    table: Numbers,
    first: Numbers,
    children: Numbers,
    room: Numbers,
) -> int:
    """List all that can come of the first of the states; return how many, -1 if they are too many.

    *endless* says of either side whether it has threats for every ko; *first* gets where the
    children of each state begin.
    """
    points = len(near)
    most = len(states) - points - 2
    colors, before = room[2], room[3]
    count, edges = 1, 0
    number_of(table, states, int(states[0]), 0)
    done = 0
    while done < count:
        state = int(states[done])
        first[done] = edges
        done += 1
        stands = False
        for point in range(points):
            before[point] = (state >> (2 * point)) & 3
            stands = stands or before[point] == TARGET
        if not stands:
            continue
        if count > most or edges + points + 1 > len(children):
            return -1
        ban = (state >> BAN_SHIFT) & 31
        side = (state >> SIDE_SHIFT) & 1
        for move in range(-1, points):
            next_ban = NO_BAN
            if move >= 0:
                if before[move] != EMPTY or (move == ban and not endless[side]):
                    continue
                for point in range(points):
                    colors[point] = before[point]
                next_ban = after_move(near, walls, colors[:points], side, move, room)
                if next_ban < 0:
                    continue
            child = (next_ban << BAN_SHIFT) | ((1 - side) << SIDE_SHIFT)
            for point in range(points):
                child |= int(before[point] if move < 0 else colors[point]) << (2 * point)
            number = number_of(table, states, child, count)
            count += number == count
            children[edges] = number
            edges += 1
    first[done] = edges
    return count


@kernel
def mark_captures(
    count: int,
    states: Numbers,
    first: Numbers,
    children: Numbers,
    starts: Numbers,
    parents: Numbers,
    left: Numbers,
    waiting: Numbers,
) -> None:
    """Set *left* to -1 for the states from which the attacker can force the capture."""
    for number in range(count + 1):
        starts[number] = 0
    edges = int(first[count])
    for edge in range(edges):
        starts[int(children[edge]) + 1] += 1
    for number in range(count):
        starts[number + 1] += starts[number]
        left[number] = 0
    for number in range(count):
        for edge in range(int(first[number]), int(first[number + 1])):
            child = int(children[edge])
            parents[int(starts[child] + left[child])] = number
            left[child] += 1
    news = 0
    for number in range(count):
        left[number] = first[number + 1] - first[number]
        if left[number] == 0:
            # Only where the target is gone there is nothing to do: who has no move passes.
            left[number] = -1
            waiting[news] = number
            news += 1
    while news > 0:
        news -= 1
        number = int(waiting[news])
        for edge in range(int(starts[number]), int(starts[number + 1])):
            parent = int(parents[edge])
            if left[parent] < 0:
                continue
            left[parent] -= 1
            is_attackers = (int(states[parent]) >> SIDE_SHIFT) & 1 == 0
            if is_attackers or left[parent] == 0:
                left[parent] = -1
                waiting[news] = parent
                news += 1


class EveryPosition:
    """The answers about one fight, or that it is too large."""

    def __init__(self, fight: Fight, most: int) -> None:
        """Look at no more than *most* positions for a question."""
        self._most = most
        points = sorted(fight.points)
        self._is_small = len(points) <= MOST_POINTS
        number = {point: place for place, point in enumerate(points)}
        self._near = np.full((len(points), 4), -1, np.int64)
        self._walls = np.zeros(len(points), np.int64)
        self._start = 0
        for (column, row), place in number.items():
            beside = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
            for direction, other in enumerate(beside):
                self._near[place, direction] = number.get(other, -1)
                if other in fight.walls:
                    is_attacker = fight.walls[other] == fight.attacker
                    self._walls[place] |= ATTACKER if is_attacker else DEFENDER
            if (column, row) in fight.attackers_edge:
                self._walls[place] |= ATTACKER
            if (column, row) in fight.defenders_edge:
                self._walls[place] |= DEFENDER
            color = fight.stones.get((column, row))
            if (column, row) in fight.target:
                self._start |= TARGET << (2 * place)
            elif color is not None:
                kind = ATTACKER if color == fight.attacker else DEFENDER
                self._start |= kind << (2 * place)

    def captured(self, threats: tuple[bool, bool]) -> tuple[bool, bool] | None:
        """Say whether the target falls if attacker or defender moves first; None if too large.

        *threats* says of attacker and defender whether they have one for every ko.
        """
        if not self._is_small:
            return None
        most = 1 << 12
        while True:
            found = self._captured(threats, min(most, self._most))
            if found is not None or most >= self._most:
                return found
            most *= 8

    def _captured(self, threats: tuple[bool, bool], most: int) -> tuple[bool, bool] | None:
        points = len(self._near)
        rows = most + points + 2
        states = np.zeros(rows, np.int64)
        states[0] = self._start | (NO_BAN << BAN_SHIFT)
        table = np.full(1 << (2 * rows).bit_length(), -1, np.int32)
        first = np.zeros(rows + 1, np.int64)
        children = np.zeros(rows * (points // 2 + 2), np.int32)
        room = np.zeros((4, MOST_POINTS), np.int64)
        endless = np.array(threats, np.int64)
        arrays = self._near, self._walls, endless, states, table, first, children, room
        count = int(list_states(*arrays))
        if count < 0:
            return None
        starts = np.zeros(count + 2, np.int64)
        parents = np.zeros(int(first[count]), np.int32)
        left, waiting = np.zeros(count + 1, np.int32), np.zeros(count + 1, np.int32)
        mark_captures(count, states, first, children, starts, parents, left, waiting)
        # To pass comes first: it leads to the same position with the defender to move.
        other = int(children[0])
        return bool(left[0] < 0), bool(left[other] < 0)
