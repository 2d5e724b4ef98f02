"""Handicap stones: the fixed points of the Go Text Protocol, section 4.1.1, and free ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, star_points

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_FIXED_SIZE = 7
HANDICAP_KOMI = 0.5  # What White usually has in handicap games: no more than no draws.


def fixed_handicap_points(size: int, stones: int) -> list[tuple[int, int]]:
    """Return the coordinates of that many fixed handicap stones, in the protocol's order.

    Raises:
        GoError: If the board has no such handicap; the message says what it has.
    """
    most = most_fixed_stones(size)
    if isinstance(stones, bool) or not isinstance(stones, int) or not 2 <= stones <= most:
        offer = f"from 2 to {most} stones" if most else "no fixed handicap"
        raise GoError(f"invalid handicap {stones!r}: a {size}x{size} board has {offer}")
    low = 3 if size >= 13 else 2
    high, middle = size - 1 - low, size // 2
    corners = [(low, low), (high, high), (low, high), (high, low)]
    sides = [(low, middle), (high, middle), (middle, low), (middle, high)]
    # Odd numbers above four have a stone in the center; sides come in pairs.
    points = corners[: min(stones, 4)]
    if stones >= 6:
        points += sides[: 2 if stones < 8 else 4]
    if stones in (5, 7, 9):
        points.append((middle, middle))
    return points


def most_fixed_stones(size: int) -> int:
    """Return the largest fixed handicap of a board, 0 if it has none."""
    if size < MIN_FIXED_SIZE:
        return 0
    return 4 if size % 2 == 0 or size == MIN_FIXED_SIZE else 9


def handicap_of_moves(colors: Iterable[int]) -> int:
    """Return how many handicap stones the first moves of a game are; 0 if it has none.

    *colors* are those of the stones played, from the empty board on, EMPTY for passes and whatever
    else was done. Some programs play handicap stones one by one, so two or more of Black's at the
    beginning are taken for that, as KataGo does; not if White plays two at once after them, because
    then a position was set up by moves.
    """
    stones = answers = 0
    for color in colors:
        if color == BLACK and not answers:
            stones += 1
        elif color == WHITE and not answers:
            answers = 1
        elif color == WHITE:
            return 0
        else:
            break
    return stones if stones >= 2 else 0


def free_handicap(size: int, stones: int) -> list[str]:
    """Return where Black puts stones of free choice: always as many as asked for.

    First the fixed points, then points far from all others.

    Raises:
        GoError: If the board has no room for them; White needs a liberty too.
    """
    most = size * size - 1
    if isinstance(stones, bool) or not isinstance(stones, int) or not 2 <= stones <= most:
        raise GoError(f"invalid handicap {stones!r}: say a whole number from 2 to {most}")
    fixed = most_fixed_stones(size)
    points = fixed_handicap_points(size, min(stones, fixed)) if fixed else []
    points += [point for point in star_points(size) if point not in points]
    del points[stones:]
    everywhere = [(column, row) for row in range(size) for column in range(size)]
    while len(points) < stones:
        free = [point for point in everywhere if point not in points]
        points.append(max(free, key=lambda point: _room(point, points, size)))
    return [format_vertex(point) for point in points]


def _room(point: tuple[int, int], taken: list[tuple[int, int]], size: int) -> tuple[float, float]:
    """Return how far a point is from the stones, the edge counting as one at half the distance."""
    nearest = min(
        ((point[0] - stone[0]) ** 2 + (point[1] - stone[1]) ** 2 for stone in taken),
        default=size * size,
    )
    line = min(*point, size - 1 - point[0], size - 1 - point[1]) + 1
    return min(nearest, float((2 * line) ** 2)), -abs(point[0] - point[1])
