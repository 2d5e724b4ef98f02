"""The moves that a search looks at: all legal ones but those into an eye of the player's own.

In plain Python, for the first seconds of the first start and for what clients ask; the search has
the same rule compiled (:func:`montego.engine.knowledge.definition.legal_moves`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.area import neighbors, to_grid
from montego.go.vocabulary.color import opponent, parse_color
from montego.go.vocabulary.vertex import parse_vertex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from montego.go.area import Coordinates
    from montego.go.game import Game


def sensible_moves(game: Game, color: str) -> list[str]:
    """Return the moves of *color*, the pass last."""
    grid, player = to_grid(game.board.rows()), parse_color(color)
    moves = [
        vertex
        for vertex in game.legal_moves(color)
        if (point := parse_vertex(vertex, game.size)) is not None
        and not is_eye(grid, point, player)
    ]
    return [*moves, "pass"]


def is_eye(grid: Mapping[Coordinates, int], point: Coordinates, player: int) -> bool:
    """Say whether a point is surrounded by the player's stones, and not easily made false."""
    if any(grid.get(place, player) != player for place in neighbors(point)):
        return False
    corners = [
        grid[point[0] + right, point[1] + up]
        for right in (-1, 1)
        for up in (-1, 1)
        if (point[0] + right, point[1] + up) in grid
    ]
    enemies = sum(color == opponent(player) for color in corners)
    return enemies < (2 if len(corners) == 4 else 1)
