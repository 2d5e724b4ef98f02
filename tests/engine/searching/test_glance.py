"""Reports many times a second: what a glance tells is what the whole analysis tells, for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.game import Game

if TYPE_CHECKING:
    from montego.engine.searching.analysis import Analysis
    from montego.engine.searching.searcher import Searcher


def searched(**options: object) -> Searcher:
    player = Player(Options(size=5, simulations=300, seed=1, memory=50.0).replace(**options))  # type: ignore[arg-type]
    player.play("black", "B2")
    player.analyze("white", limit=300)
    searcher = player._searcher
    assert searcher is not None
    return searcher


@pytest.mark.parametrize("options", [{}, {"parallel": "root", "threads": 2}])
def test_a_glance_agrees_with_the_analysis(options: dict[str, object]) -> None:
    searcher = searched(**options)
    whole, glance = searcher.analysis(), searcher.analysis(most=5)
    assert len(glance.moves) == 5
    for seen, known in zip(glance.moves, whole.moves, strict=False):
        assert (seen.vertex, seen.visits, seen.value) == (known.vertex, known.visits, known.value)
        assert seen.variation == known.variation
        if not options:
            assert seen.prior == pytest.approx(known.prior)
    assert (glance.value, glance.to_play) == (whole.value, whole.to_play)
    assert glance.ownership is None


def test_samples_last_until_the_next() -> None:
    searcher = searched()
    first = searcher.analysis(most=5, sampled=True, ownership=True, every=0.01)
    again = searcher.analysis(most=5, ownership=True)
    assert first.ownership is not None
    assert (again.ownership, again.mean_score) == (first.ownership, first.mean_score)
    assert all(move.ownership is None for move in again.moves)
    later = searcher.analysis(most=5, sampled=True, ownership=True, every=0.01)
    assert later.ownership != first.ownership


def test_the_player_reports_glances_and_ends_with_the_whole() -> None:
    player = Player(Options(size=5, simulations=3000, seed=1, memory=50.0))
    reports: list[Analysis] = []
    decision = player.choose("black", report=reports.append, every=0.001, glance=3, ownership=True)
    assert len(reports) > 1
    assert {len(report.moves) for report in reports[:-1]} == {3}
    assert reports[-1] == decision.analysis
    assert len(reports[-1].moves) > 3
    assert all(report.ownership is not None for report in reports)


def test_before_anything_is_known_a_glance_knows_nothing() -> None:
    player = Player(Options(size=5, simulations=10, seed=1, memory=50.0))
    player.prepare(100)
    searcher = player._searcher
    assert searcher is not None
    searcher.follow(Game(5), "black")
    assert searcher.analysis(most=5).moves == ()
