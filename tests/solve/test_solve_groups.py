"""Which stones belong together, and what a problem is about."""

from __future__ import annotations

from conftest import to_rows

from montego.go.area import to_grid
from montego.go.vocabulary.color import BLACK, WHITE
from montego.go.vocabulary.vertex import format_vertex
from montego.solve.fight import Surroundings, find_target
from montego.solve.groups import groups, open_stones

# White's corner is cut off by Black's wall; White's stones beyond it look at the open board.
CUT_OFF = to_rows(
    """
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . O O O . . . . . . . . .
    X X X X O . . . . . . . .
    O O O X O . . . . . . . .
    . . O X O . . . . . . . .
    . O . X O . . . . . . . .
    . . O X . . . . . . . . .
    """
)


def vertices(points: object) -> set[str]:
    return set(map(format_vertex, points))  # type: ignore[call-overload]


def test_chains_that_share_a_liberty_are_a_group() -> None:
    found = [vertices(group) for group in groups(to_grid(CUT_OFF), WHITE)]
    assert len(found) == 2
    assert {"A4", "B4", "C4", "C3", "B2", "C1"} in found


def test_a_corner_that_is_cut_crosswise_falls_apart() -> None:
    grid = to_grid(to_rows("O X\nX O"))
    assert len(groups(grid, WHITE)) == 2
    grid = to_grid(to_rows("O X\n. O"))
    assert len(groups(grid, WHITE)) == 1


def test_a_group_with_the_board_before_it_is_not_the_problem() -> None:
    assert "E3" in vertices(open_stones(to_grid(CUT_OFF), WHITE))
    assert vertices(find_target(CUT_OFF, WHITE)) == {"A4", "B4", "C4", "C3", "B2", "C1"}


def test_where_nothing_is_surrounded_all_stones_are_the_target() -> None:
    rows = [[0] * 13 for _ in range(13)]
    rows[6][6], rows[3][3] = WHITE, BLACK
    assert vertices(find_target(rows, WHITE)) == {"G7"}


def test_only_a_loose_framing_takes_such_a_group_for_alive() -> None:
    rows = [list(row) for row in CUT_OFF]
    rows[12][3] = 0  # A gap in the wall, beside White's stones
    surroundings = Surroundings(rows, find_target(CUT_OFF, WHITE))
    strict, loose = surroundings.framings(), surroundings.framings(is_loose=True)
    assert all(WHITE not in framing.for_attacker.walls.values() for framing in strict)
    assert any(WHITE in framing.for_attacker.walls.values() for framing in loose)
