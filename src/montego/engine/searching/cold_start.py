"""Moves without any compiled code, for the first seconds of the first start.

Captures, saves from atari, the big points of the opening, else near the last move; no filled eyes,
and no self-atari without need. Nothing here reads ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.searching.analysis import Analysis, MoveInfo, allows
from montego.go.area import neighbors, to_grid
from montego.go.vocabulary.color import EMPTY, opponent, parse_color
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex, parse_vertex, star_points

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from montego.engine.searching.analysis import VertexLimit
    from montego.go.area import Coordinates
    from montego.go.board import Board
    from montego.go.game import Game

CAPTURE = 100.0  # a stone taken
RESCUE = 90.0  # a stone of one's own brought out of atari
STAR = 40.0  # a star point with nothing near
ATARI = 6.0  # a stone put into atari
NEAR = 8.0  # next to the last move, less with each step away
SELF_ATARI = -60.0
EDGE = {1: -12.0, 2: -4.0, 3: 4.0, 4: 3.0}  # by line


def simple_move(
    game: Game, color: str, is_allowed: Callable[[str], bool] = lambda _vertex: True
) -> str:
    """Return a legal move for *color*, ``"pass"`` if every other one would fill an eye.

    One of which *is_allowed* says so, if that leaves any.
    """
    player = parse_color(color)
    grid = to_grid(game.board.rows())
    last = next((move.vertex for move in reversed(game.moves)), "pass")
    center = parse_vertex(last, game.size)

    def worth(vertex: str) -> tuple[int, float]:
        point = parse_vertex(vertex, game.size)
        if point is None:
            return 1, 0.0
        return 0 if is_eye(grid, point, player) else 2, _worth(game, grid, point, color, center)

    legal = [*game.legal_moves(color), "pass"]
    return max([vertex for vertex in legal if is_allowed(vertex)] or legal, key=worth)


def sensible_moves(game: Game, color: str) -> list[str]:
    """Return the moves of *color* that a search looks at, the pass last: none into its own eyes.

    The search has the same rule compiled: :func:`montego.engine.knowledge.definition.legal_moves`.
    """
    grid, player = to_grid(game.board.rows()), parse_color(color)
    moves = [
        vertex
        for vertex in game.legal_moves(color)
        if (point := parse_vertex(vertex, game.size)) is not None
        and not is_eye(grid, point, player)
    ]
    return [*moves, "pass"]


def refuse_to_leave_nothing(limits: Collection[VertexLimit], game: Game, color: str) -> None:
    """Check that *color* still has a move here that a search looks at, a pass included.

    The search passes over limits that leave nothing, and would tell of moves nobody wants.

    Raises:
        GoError: If there is none.
    """
    if any(allows(limits, color, vertex) for vertex in sensible_moves(game, color)):
        return
    only_eyes = any(allows(limits, color, vertex) for vertex in game.legal_moves(color))
    raise GoError(
        f"{color} has no legal move among those allowed"
        + (" but into eyes of its own, which no search looks at" if only_eyes else "")
    )


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


def _worth(
    game: Game,
    grid: dict[Coordinates, int],
    point: Coordinates,
    color: str,
    last: Coordinates | None,
) -> float:
    """Return how good a move looks at first sight."""
    player, size = parse_color(color), game.size
    line = min(*point, size - 1 - max(point)) + 1
    worth = EDGE.get(line, 0.0) if size > 5 else 0.0
    # Of equals, those nearer to the center: the answer must not depend on the order.
    worth -= 0.01 * (abs(2 * point[0] - size + 1) + abs(2 * point[1] - size + 1))
    if last is not None:
        distance = abs(point[0] - last[0]) + abs(point[1] - last[1])
        worth += max(NEAR - 2.0 * distance, 0.0)
    touched = [place for place in neighbors(point) if grid.get(place, EMPTY) != EMPTY]
    if not touched:
        alone = all(
            grid.get((point[0] + right, point[1] + up), EMPTY) == EMPTY
            for right in range(-2, 3)
            for up in range(-2, 3)
        )
        return worth + (STAR if alone and point in star_points(size) else 0.0)
    vertex = format_vertex(point)
    after = game.board.copy()
    after.play(color, vertex)
    worth += CAPTURE * (after.captures[player - 1] - game.captures[player - 1])
    liberties = len(after.liberties(vertex))
    if liberties == 1:
        worth += SELF_ATARI * len(after.chain(vertex))
    for place in touched:
        worth += _effect(game.board, after, format_vertex(place), grid[place] == player, liberties)
    return worth


def _effect(before: Board, after: Board, stone: str, own: bool, liberties: int) -> float:
    """Return what a move does to a chain next to it."""
    stones = len(before.chain(stone))
    if own:
        rescued = len(before.liberties(stone)) == 1 and liberties > 1
        return RESCUE * stones if rescued else 0.0
    return ATARI * stones if len(after.liberties(stone)) == 1 else 0.0


def cold_analysis(color: str, vertex: str, seconds: float) -> Analysis:
    """Return an analysis that knows one move of *color* and nothing about it."""
    move = MoveInfo(vertex=vertex, variation=(vertex,))
    return Analysis(to_play=color, moves=(move,), seconds=seconds)
