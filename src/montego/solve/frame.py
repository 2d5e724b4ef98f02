"""A problem cut out of its board, so that a search for the win is a search for life.

What lies around the problem becomes the attacker's, with two eyes, on a board that is as small as
it can be; komi is such that the game is won by who wins the fight. Nothing is proven by that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.go.area import neighbors
from montego.go.game import Game
from montego.go.vocabulary.color import EMPTY, format_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.solve.fight import Surroundings

if TYPE_CHECKING:
    from collections.abc import Collection

    from montego.go.area import Coordinates
    from montego.go.board import Board

NEAR = 3
"""Stones so near to the target, counted in lines, belong to the problem; and where the problem is
so near to a side of the board, it reaches as far as that."""

MARGIN = 2
"""Empty lines between the problem and the frame. With one line 39 of 60 problems of books were
solved at 10,000 simulations, with two 47, with three 45."""

THICKNESS = 2
"""Lines of the frame: enough for two eyes."""


@dataclass(frozen=True)
class Frame:
    """A problem as a game of its own."""

    game: Game
    size: int
    """Of the board that it was cut from."""
    shift: Coordinates
    """What is to be added to a point of the game to get that of the board."""
    box: frozenset[Coordinates]
    """The points of the game that are no frame."""

    def on_board(self, vertex: str) -> str:
        """Return where a move of the game is on the board; passes are passes.

        Raises:
            GoError: If it is nowhere there.
        """
        point = parse_vertex(vertex, self.game.size)
        if point is None:
            return "pass"
        found = format_vertex((point[0] + self.shift[0], point[1] + self.shift[1]))
        parse_vertex(found, self.size)
        return found

    def in_game(self, vertex: str) -> str | None:
        """Return where a vertex of the board is in the game; None if it is not in the box."""
        point = parse_vertex(vertex, self.size)
        if point is None:
            return None
        found = point[0] - self.shift[0], point[1] - self.shift[1]
        return format_vertex(found) if found in self.box else None


def framed(board: Board, to_move: str, target: Collection[Coordinates]) -> Frame:
    """Return the game about the stones of *target*, *to_move* to move.

    Raises:
        NoFight: If there are no stones of one color there, or they can never be captured.
    """
    surroundings = Surroundings(board.rows(), target)
    size, grid = surroundings.size, surroundings.grid
    low, high = _extent(surroundings)
    spans = [high[axis] - low[axis] + 1 for axis in (0, 1)]
    # Where no side of the board bounds the problem there is a line of the frame before it, too.
    before = [1 if low[axis] > 0 and high[axis] < size - 1 else 0 for axis in (0, 1)]
    open_axes = [axis for axis in (0, 1) if spans[axis] < size]
    smallest = max([spans[axis] + before[axis] + THICKNESS for axis in open_axes], default=size)
    if not open_axes or smallest >= size:
        low, high, smallest, before = (0, 0), (size - 1, size - 1), size, [0, 0]
    shift = [0, 0]
    for axis in (0, 1):
        # A problem at the far side of the board is at the far side of the small one.
        is_far = high[axis] == size - 1 and low[axis] > 0
        shift[axis] = size - smallest if is_far else low[axis] - before[axis]
    box = {
        (column - shift[0], row - shift[1])
        for column in range(low[0], high[0] + 1)
        for row in range(low[1], high[1] + 1)
    }
    frame = {(column, row) for column in range(smallest) for row in range(smallest)} - box
    stones: dict[int, set[Coordinates]] = {
        color: {point for point in box if grid[point[0] + shift[0], point[1] + shift[1]] == color}
        for color in (surroundings.attacker, surroundings.defender)
    }
    # A defender who lives has at least about half of what is there now; a dead one, nothing.
    least = len(stones[surroundings.defender]) // 2 + 2
    stones[surroundings.attacker] |= frame - _eyes(frame)
    margin = smallest**2 - 2 * least + 0.5  # of the attacker, if the defender has just that much
    attacker = format_color(surroundings.attacker)
    game = Game(smallest, rules="chinese", komi=margin if attacker == "black" else -margin)
    named = {
        format_color(color): [format_vertex(point) for point in sorted(points)]
        for color, points in stones.items()
    }
    game.setup(black=named["black"], white=named["white"], to_play=to_move)
    return Frame(game, size, (shift[0], shift[1]), frozenset(box))


def _extent(surroundings: Surroundings) -> tuple[Coordinates, Coordinates]:
    """Return the corners of the box around a problem, its margin included."""
    last = surroundings.size - 1
    points = {
        (column, row)
        for (column, row), color in surroundings.grid.items()
        if color != EMPTY
        and any(
            max(abs(column - stone[0]), abs(row - stone[1])) <= NEAR
            for stone in surroundings.target
        )
    }
    bounds = []
    for axis in (0, 1):
        low = min(point[axis] for point in points) - MARGIN
        high = max(point[axis] for point in points) + MARGIN
        bounds.append((0 if low < NEAR else low, last if high > last - NEAR else high))
    (left, right), (bottom, top) = bounds
    return (left, bottom), (right, top)


def _eyes(frame: set[Coordinates]) -> set[Coordinates]:
    """Return two points of a frame that are its eyes; none if it has no room for them."""
    found: list[Coordinates] = []
    corner = max(frame, default=(0, 0))
    for point in sorted(frame, reverse=True):
        beside = [near for near in neighbors(point) if near <= corner and min(near) >= 0]
        inside = all(near in frame or max(near) > max(corner) for near in beside)
        if inside and all(abs(point[0] - x) + abs(point[1] - y) > 1 for x, y in found):
            found.append(point)
            if len(found) == 2:
                return set(found)
    return set()
