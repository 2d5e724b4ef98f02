"""Unconditional life: stones that nobody can capture, even if their owner always passes.

The algorithm of David B. Benson, "Life in the Game of Go", Information Sciences 10 (1976). It
looks at shape only. Stones that live by answering, in seki, or by ko are not found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.area import areas, neighbors, to_grid
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE, opponent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from montego.go.area import Area, Coordinates


def pass_alive(
    rows: Sequence[Sequence[int]], color: int
) -> tuple[frozenset[Coordinates], frozenset[Coordinates]]:
    """Return the unconditionally alive stones of *color*, and the territory they hold.

    *rows* are as ``Board.rows()`` gives them; the result is in (column, row) counted from the
    lower left corner. Territory are the regions that only living stones enclose and in which
    the opponent can never make two eyes, because all their points but at most one touch
    those stones; enemy stones inside them are dead, and are part of the territory.
    """
    grid = to_grid(rows)
    chains = areas(grid, [color])
    regions = areas(grid, [EMPTY, opponent(color)])
    chain_at = {stone: chain for chain in chains for stone in chain.points}

    def enclosers(region: Area) -> set[Area]:
        return {chain_at[stone] for stone in region.border}

    # A region is vital to a chain if every empty point of it is a liberty of the chain: the
    # opponent cannot fill the last of them. A region without an empty point gives no liberty.
    empty_in = {
        region: {point for point in region.points if grid[point] == EMPTY} for region in regions
    }
    living = set(chains)
    enclosed = set(regions)
    while True:
        doomed = {
            chain
            for chain in living
            if sum(bool(empty_in[it]) and empty_in[it] <= chain.border for it in enclosed) < 2
        }
        if not doomed:
            break
        living -= doomed
        enclosed = {region for region in enclosed if enclosers(region) <= living}

    stones = frozenset[tuple[int, int]]().union(*(chain.points for chain in living))
    territory: set[Coordinates] = set()
    for region in enclosed if living else ():
        inner = sum(stones.isdisjoint(neighbors(point)) for point in region.points)
        if inner < 2:
            territory |= region.points
    return stones, frozenset(territory)


def unconditionally_alive(rows: Sequence[Sequence[int]]) -> set[Coordinates]:
    """Return the unconditionally alive stones of both colors."""
    return set(pass_alive(rows, BLACK)[0] | pass_alive(rows, WHITE)[0])
