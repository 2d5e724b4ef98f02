"""How the default player opens on larger boards: as people do, one corner after another."""

from __future__ import annotations

import contextlib

import pytest

from montego import Options, Player
from montego.go.vocabulary.vertex import parse_vertex


@pytest.mark.parametrize("size", [13, 19])
def test_the_first_four_moves_share_out_the_corners(size: int) -> None:
    with contextlib.closing(Player(Options(size=size, simulations=40, seed=1))) as player:
        moves = [player.genmove(color).vertex for color in ("black", "white") * 2]

    points = [parse_vertex(move or "", size) for move in moves]
    corners = {(x > size // 2, y > size // 2) for x, y in filter(None, points)}
    lines = [min(line, size - 1 - line) + 1 for x, y in filter(None, points) for line in (x, y)]
    assert len(corners) == 4, moves
    assert set(lines) <= {3, 4, 5}, moves
