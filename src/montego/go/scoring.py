"""Counting a finished game: area or territory, dead chains, seki, group tax, handicap, komi.

The count trusts the caller about which chains are dead; it knows nothing of life and death but
what :func:`seki_stones` says. ``area.py`` has the flood fill, ``rules.py`` the rule sets,
``result.py`` the text of results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.go.area import area_of, areas, to_grid
from montego.go.benson import pass_alive
from montego.go.result import Result
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, Color, opponent
from montego.go.vocabulary.errors import GoError, InvalidVertex
from montego.go.vocabulary.vertex import format_vertex, parse_vertex, vertex_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from montego.go.area import Coordinates
    from montego.go.vocabulary.rules import Rules


@dataclass(frozen=True)
class Score:
    """The points of both players and where they come from."""

    black: float
    white: float
    """Komi, handicap compensation and button included."""
    owner: tuple[tuple[int, ...], ...]
    """BLACK, WHITE, or EMPTY for neutral, of every point; top row first, dead stones removed."""
    neutral: frozenset[Coordinates]
    """The empty points that count for nobody: dame, and under some rules eyes in seki."""
    dead: frozenset[Coordinates]
    """Every stone that was removed as dead."""

    @property
    def margin(self) -> float:
        """Black's points minus White's."""
        return self.black - self.white

    @property
    def winner(self) -> Color | None:
        """``"black"``, ``"white"``, or None for jigo."""
        return self.result.winner

    @property
    def result(self) -> Result:
        """The result of a game that ended with this score."""
        return Result.by_score(self.margin)

    def __str__(self) -> str:
        return str(self.result)


def score_position(
    rows: Sequence[Sequence[int]],
    rules: Rules,
    komi: float,
    *,
    dead: Iterable[str | Coordinates] = (),
    captures: tuple[int, int] = (0, 0),
    handicap: int = 0,
    seki: Iterable[str | Coordinates] = (),
) -> Score:
    """Count the position *rows* (top row first, as ``Board.rows()`` gives them).

    *dead* and *seki* name stones by vertex or (column, row); any stone stands for its whole
    chain. *captures* are the prisoners taken by Black and by White, and count under territory
    scoring only. *seki* adds to what :func:`seki_stones` finds, and matters only under rules
    that tax seki. Does not judge life and death: stones that are not named dead are alive.

    Raises:
        GoError: If a named point is not on the board or has no stone, or *dead* is given under
            rules without removal of dead stones.
    """
    grid = to_grid(rows)
    fallen = _whole_chains(grid, dead, "dead")
    if fallen and not rules.dead_removal:
        raise GoError("under these rules no stone is dead until it is captured: play it out")
    in_seki = _whole_chains(grid, seki, "in seki")
    if fallen & in_seki:
        name = format_vertex(min(fallen & in_seki))
        raise GoError(f"the stone at {name} cannot be both dead and in seki")

    living = {point: EMPTY if point in fallen else color for point, color in grid.items()}
    owner = _owners(living)
    if rules.tax != "none":
        in_seki |= _seki_stones(living, owner)
        for region in areas(living, [EMPTY]):
            if not in_seki.isdisjoint(region.border):
                owner.update(dict.fromkeys(region.points, EMPTY))

    points = {}
    for color, taken in zip((BLACK, WHITE), captures, strict=True):
        if rules.scoring == "area":
            points[color] = sum(owned == color for owned in owner.values())
        else:
            territory = sum(
                owned == color and living[point] == EMPTY for point, owned in owner.items()
            )
            prisoners = taken + sum(grid[stone] == opponent(color) for stone in fallen)
            points[color] = territory + prisoners
        if rules.tax == "all":
            points[color] -= _group_tax(living, owner, color)

    size = len(rows)
    return Score(
        black=float(points[BLACK]),
        white=points[WHITE] + komi + rules.handicap_points(handicap),
        owner=tuple(
            tuple(owner[column, row] for column in range(size)) for row in reversed(range(size))
        ),
        neutral=frozenset(point for point, owned in owner.items() if owned == EMPTY),
        dead=fallen,
    )


def seki_stones(rows: Sequence[Sequence[int]]) -> frozenset[Coordinates]:
    """Return the stones that are in seki beyond doubt, if the game is over and none is dead.

    Chains of one color that share empty regions, neutral ones too, make a group. Two groups of
    opposite color are in seki if they share a neutral region, and each is poor: neither pass-
    alive nor owner of more than one eye of one or two points. This finds the plain sekis,
    with or without such an eye. It misses those in which a group has a larger eye, two false
    ones, or a neutral point in common with safe stones of its own color.
    """
    grid = to_grid(rows)
    return _seki_stones(grid, _owners(grid))


def _whole_chains(
    grid: Mapping[Coordinates, int], named: Iterable[str | Coordinates], what: str
) -> frozenset[Coordinates]:
    """Return all stones of the chains that *named* touches."""
    size = max(grid)[0] + 1
    stones: set[Coordinates] = set()
    for name in vertex_list(named):
        point = name if isinstance(name, tuple) else parse_vertex(name, size)
        if point is None or point not in grid:
            raise InvalidVertex(f"{name!r} is not a point of the board, so it cannot be {what}")
        if grid[point] == EMPTY:
            raise GoError(f"there is no stone at {format_vertex(point)} that could be {what}")
        if point not in stones:
            stones |= area_of(grid, point, grid[point].__eq__).points
    return frozenset(stones)


def _owners(living: Mapping[Coordinates, int]) -> dict[Coordinates, int]:
    """Return the owner of every point: its stone, or the one color that its region touches."""
    owner = dict(living)
    for region in areas(living, [EMPTY]):
        reached = {living[point] for point in region.border}
        if len(reached) == 1:
            owner.update(dict.fromkeys(region.points, reached.pop()))
    return owner


def _group_tax(
    living: Mapping[Coordinates, int], owner: Mapping[Coordinates, int], color: int
) -> int:
    """Return the eyes that groups of *color* must leave open: two, or all if they have fewer.

    Here a group is what hangs together over its own territory.
    """
    return sum(
        min(2, sum(living[point] == EMPTY for point in group.points))
        for group in areas(owner, [color])
    )


def _seki_stones(
    living: Mapping[Coordinates, int], owner: Mapping[Coordinates, int]
) -> frozenset[Coordinates]:
    size = max(living)[0] + 1
    rows = [[living[column, row] for column in range(size)] for row in reversed(range(size))]
    poor: dict[int, dict[Coordinates, frozenset[Coordinates]]] = {BLACK: {}, WHITE: {}}
    for color, group_at in poor.items():
        safe, _ = pass_alive(rows, color)
        eyes = [
            region.points for region in areas(living, [EMPTY]) if owner[min(region.points)] == color
        ]
        for group in areas(owner, [color, EMPTY]):
            stones = frozenset(point for point in group.points if living[point] == color)
            sizes = [len(eye) for eye in eyes if eye <= group.points]
            if len(sizes) < 2 and sum(sizes) <= 2 and safe.isdisjoint(stones):
                group_at.update(dict.fromkeys(group.points, stones))

    found: set[Coordinates] = set()
    for region in areas(owner, [EMPTY]):
        point = min(region.points)
        if point in poor[BLACK] and point in poor[WHITE]:
            found |= poor[BLACK][point] | poor[WHITE][point]
    return frozenset(found)
