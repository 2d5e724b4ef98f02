"""Chains whose fate the judgement has proven instead of read."""

from __future__ import annotations

from conftest import to_rows

from montego.engine.ending.proof import prove_fate
from montego.engine.ending.reading import Fate
from montego.go.area import to_grid
from montego.go.vocabulary.color import EMPTY, WHITE

CORNER = """
    . . . O X
    O O O O X
    X X X X X
    . . . . .
    . . . . .
"""


def fate_of(picture: str, nodes: int = 10_000) -> Fate | None:
    """The fate of White's stones in the two upper rows."""
    grid = to_grid(to_rows(picture))
    white = frozenset(point for point, color in grid.items() if color == WHITE)
    inside = {point for point, color in grid.items() if color == EMPTY and point[1] > 2}
    return prove_fate(grid, white, white | inside, nodes)


def test_who_moves_first_decides() -> None:
    fate = fate_of(CORNER)
    assert fate == Fate(defended=1.0, attacked=0.0)
    assert not fate.is_settled


def test_two_eyes_live_and_one_dies_whoever_moves() -> None:
    assert fate_of(CORNER.replace(". . . O X", ". O . O X")) == Fate(defended=1.0, attacked=1.0)
    assert fate_of(CORNER.replace(". . . O X", ". . O O X")) == Fate(defended=0.0, attacked=0.0)


def test_without_nodes_there_is_no_proof() -> None:
    assert fate_of(CORNER, nodes=0) is None
