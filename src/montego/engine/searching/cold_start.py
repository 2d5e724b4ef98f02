"""Moves without any compiled code, for the first seconds of the first start.

A simple move captures what can be captured, saves what is in atari, takes the big points of the
opening, and stays near the last move otherwise. It fills no eyes, and puts no stones into atari
without need. Nothing here reads ahead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.engine.searching.analysis import Analysis, MoveInfo
from montego.go.area import neighbors, to_grid
from montego.go.vocabulary.color import EMPTY, opponent, parse_color
from montego.go.vocabulary.vertex import format_vertex, parse_vertex, star_points

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
    game: Game, color: str, allows: Callable[[str], bool] = lambda _vertex: True
) -> str:
    """Return a legal move for *color*, ``"pass"`` if every other one would fill an eye.

    One that the client *allows*, if that leaves any.
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
    return max([vertex for vertex in legal if allows(vertex)] or legal, key=worth)


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
    move = MoveInfo(
        vertex=vertex,
        visits=0,
        value=0.5,
        prior=1.0,
        lower_bound=0.0,
        rave_value=0.5,
        rave_visits=0.0,
        variation=(vertex,),
        order=0,
    )
    return Analysis(
        to_play=color,
        simulations=0,
        visits=0,
        value=0.5,
        mean_score=0.0,
        score_deviation=0.0,
        moves=(move,),
        seconds=seconds,
        memory_share=0.0,
    )
