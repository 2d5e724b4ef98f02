"""Where Black puts handicap stones of free choice: always as many as asked for."""

from __future__ import annotations

from montego.go.handicap import fixed_handicap_points, most_fixed_stones
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, star_points


def free_handicap(size: int, stones: int) -> list[str]:
    """Return *stones* different vertices: the fixed points, then points far from all others.

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
