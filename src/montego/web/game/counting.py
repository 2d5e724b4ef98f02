"""Counting a game of Go with people: which stones live or die together, and the count in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.area import area_of, to_grid
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, opponent
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.vertex import format_vertex, parse_vertex
from montego.web.messages.replies import Count

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from montego.go.area import Coordinates
    from montego.go.game import Game
    from montego.go.scoring import Score

_SIGNS = {EMPTY: ".", BLACK: "X", WHITE: "O"}


def group_at(game: Game, vertex: str, dead: Collection[str]) -> frozenset[str]:
    """Return the stones that change their fate with the one at *vertex*.

    That is its chain, and chains of its color that lie with it in a region that the opponent's
    living stones enclose: who marks one dead stone in a territory means all of them. A region
    that holds most of the board's living stones of that color is no such region.

    Raises:
        GoError: If there is no stone.
    """
    point = parse_vertex(vertex, game.size)
    if point is None:
        raise InvalidVertex("pass: a stone is wanted here")
    grid = to_grid(game.board.rows())
    color = grid[point]
    if color == EMPTY:
        raise GoError(f"there is no stone at {format_vertex(point)}")
    chain = area_of(grid, point, color.__eq__).points
    gone = {stone for stone in (parse_vertex(name, game.size) for name in dead) if stone}
    group = _neighborhood(grid, point, color, gone)
    everywhere = sum(owner == color for owner in grid.values())
    if 2 * len(group) > everywhere and point not in gone:
        group = chain
    return frozenset(format_vertex(stone) for stone in group | chain)


def _neighborhood(
    grid: Mapping[Coordinates, int], point: Coordinates, color: int, gone: set[Coordinates]
) -> frozenset[Coordinates]:
    """Return the stones of *color* that a walk finds which living enemies stop.

    It goes over empty points, over stones of the color and over enemies that are dead.
    """
    enemy = opponent(color)
    open_points = {
        place: EMPTY if place in gone and owner == enemy else owner for place, owner in grid.items()
    }
    region = area_of(open_points, point, lambda owner: owner != enemy).points
    return frozenset(
        place
        for place in region
        # Among dead stones those go together that are dead, among living ones the living.
        if grid[place] == color and (place in gone) == (point in gone)
    )


def count_board(game: Game, dead: Collection[str], *, proposed: bool) -> Count:
    """Return the count of the position without these stones.

    Raises:
        GoError: If there is no such stone, or the rules know no dead stones.
    """
    score = game.score(dead=dead)
    return Count(
        dead=[format_vertex(stone) for stone in sorted(score.dead, key=lambda p: (-p[1], p[0]))],
        territory="".join(_SIGNS[owner] for row in score.owner for owner in row),
        black=score.black,
        white=score.white,
        result=result_in_words(score),
        proposed=proposed,
    )


def result_in_words(score: Score) -> str:
    """Return ``"Black wins by 3.5 points"``, or who is not ahead."""
    if score.margin == 0:
        return "A draw: both have as many points"
    winner = "Black" if score.margin > 0 else "White"
    points = abs(score.margin)
    return f"{winner} wins by {points:g} {'point' if points == 1 else 'points'}"
