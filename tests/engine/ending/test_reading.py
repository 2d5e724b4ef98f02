"""Reading the fate of a chain by a small search of its own."""

from __future__ import annotations

import pytest

from montego.engine.ending.reading import read_fate
from montego.engine.knowledge.definition import position_of
from montego.engine.options.options import Options
from montego.go.game import Game
from montego.go.kernels.layout import point_at
from montego.go.vocabulary.vertex import parse_vertex

WALL = ["A3", "B3", "C3", "D3", "E3", "E2", "E1"]
CHAIN = ["A2", "B2", "C2", "D2", "D1"]


def points(vertices: list[str], size: int) -> list[int]:
    found = [parse_vertex(vertex, size) for vertex in vertices]
    return [point_at(*coordinates, size) for coordinates in found if coordinates is not None]


@pytest.mark.parametrize("size", [9, 13, 19, 25])
@pytest.mark.parametrize(
    ("room", "settled", "lives"),
    [
        pytest.param("A1 B1 C1", False, False, id="three in a row, and whoever moves decides"),
        pytest.param("A1 B1", True, False, id="two points are one eye"),
    ],
)
def test_a_corner_is_read_on_boards_of_all_sizes(
    size: int, room: str, *, settled: bool, lives: bool
) -> None:
    game = Game(size, rules="chinese", komi=7.5)
    eye = room.split()
    filled = sorted({"A1", "B1", "C1"} - set(eye))
    game.setup(black=WALL, white=CHAIN + filled)
    options = Options(size=size, playout="uniform")
    definition = options.game_definition(size, game.rules, 7.5)
    state = position_of(game, "white")
    fate = read_fate(
        state, definition, points(CHAIN, size), points(CHAIN + eye, size), simulations=400
    )
    assert (fate.is_settled, fate.lives) == (settled, lives)
