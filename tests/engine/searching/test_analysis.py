"""What a search thinks of a position, and what a client lets it think about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyses import analysis, move_info
from montego.engine.searching.analysis import VertexLimit, allows


def test_restrictions_of_one_color_at_the_root() -> None:
    limits = (
        VertexLimit(color="black", vertices=frozenset({"A1", "B1"}), only=True),
        VertexLimit(color="black", vertices=frozenset({"B1", "C1"}), only=True),
        VertexLimit(color="black", vertices=frozenset({"pass"}), until_depth=3),
        VertexLimit(color="white", vertices=frozenset({"D1"})),
    )
    for color, vertices in {"black": ["B1"], "white": ["A1", "B1", "C1", "E5", "pass"]}.items():
        asked = ("A1", "B1", "C1", "D1", "E5", "pass")
        assert [vertex for vertex in asked if allows(limits, color, vertex)] == vertices


@pytest.mark.parametrize(
    ("color", "imagined", "better"), [("white", 15.0, False), ("black", 15.0, True)]
)
def test_chances_under_an_imagined_komi_are_moved_by_the_spread_of_scores(
    color: str, imagined: float, better: bool
) -> None:
    moves = (move_info("E5", 60, 0.45), move_info("C3", 50, 0.4, order=1))
    found = replace(
        analysis(*moves, value=0.45), to_play=color, imagined=imagined, score_deviation=20.0
    )
    told = found.in_truth()

    assert (told.value > 0.65) if better else (told.value < 0.25)
    assert [move.value for move in told.moves] == sorted(
        (move.value for move in told.moves), reverse=True
    )
    assert told.moves[0].value == told.value
    assert told.mean_score == found.mean_score
    assert (told.imagined, told.proviso) == (0.0, "")
    tight = replace(found, score_deviation=1e-9).in_truth()  # As good as decided.
    assert tight.value == pytest.approx(1.0 if better else 0.0, abs=1e-5)
