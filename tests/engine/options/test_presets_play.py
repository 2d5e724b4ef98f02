"""The documents' own programs at play: golden games by seed, and what each does as no other.

A golden game changes only when the program plays otherwise; then say why, and write it anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from montego.engine.decision import DecisionReason
from montego.engine.options.options import Options
from montego.engine.player import Player

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

ON_TOP: dict[str, Any] = {
    "size": 5,
    "komi": 0.5,
    "simulations": 60,
    "threads": 1,
    "seed": 7,
    # Neither the time that an opponent takes, nor earlier games, nor another program.
    "ponder": False,
    "book": None,
    "with_": None,
    "resign": None,
}

GOLDEN = {
    "v-run": "A3 D2 C3 D3 C5 C4 B5 C2 D4 D5 A5 B3 E5 B2 E2 A1 E3 B4 C1 E1 D1 A4 E4 A2 D5 E1 C5 B1 "
    "B5 E2",
    "v-run-draft": "B1 E4 A4 B2 D1 C2 E2 A3 D5 B4 D2 C5 D3 E5 D4 A2 E3 C3 C1 C4 A1 E4 E5 B5 pass "
    "pass",
    "mogo": "C3 B2 A2 B4 B3 C4 D3 E3 E2 E4 D4 D5 E5 D2 E1 D1 E3 E4 C2 B1 C1 C5 E5 D1 D2 A5 A1 B1 "
    "B2 E4",
    "rlgo": "C3 C2 B2 D3 D2 C4 B3 B4 D4 E3 B5 A3 C1 D5 E2 E4 C5 A5 A2 A4 D1 pass pass",
    "go-player": "D3 C4 C3 D4 B4 B3 B2 B5 A3 D5 E2 C2 B3 A5 E3 A1 E1 D2 A4 E5 E4 A2 C5 E5 C1 B5 "
    "B1 D5 D4 E5",
    "mcgnugo": "C5 C1 D3 C4 A5 D2 C3 E4 C2 A3 B2 B4 B5 D4 D5 A4 B3 E3 D1 E1 A2 B1 pass pass",
}
MOST = 30  # Moves of a golden game.


def player_of(preset: str, **changes: Any) -> Player:
    return Player(Options().replace(preset=preset, **ON_TOP | changes))


def play(player: Player, moves: str | Iterable[str]) -> None:
    for vertex in moves.split() if isinstance(moves, str) else moves:
        player.play(player.game.to_play, vertex)


@pytest.mark.parametrize("preset", GOLDEN)
def test_a_preset_plays_its_golden_game(preset: str) -> None:
    player = player_of(preset)
    played: list[str | None] = []
    while not player.game.is_over and len(played) < MOST:
        played.append(player.genmove().vertex)
    assert played == GOLDEN[preset].split()


# V-Run.


def test_v_run_passes_when_the_opponent_has_and_not_before() -> None:
    player = player_of("v-run")
    play(player, "C3 pass")
    decision = player.genmove()
    assert (decision.vertex, decision.reason) == ("pass", DecisionReason.IMITATED)
    assert "the opponent passed, and it does the same" in player.explain()


def test_v_run_fills_what_only_the_diagonal_rule_calls_an_eye() -> None:
    # A1 has two black neighbors of different chains: an eye by its diagonals, none by document 000.
    for preset, considered in (("v-run", True), ("mogo", False)):
        player = player_of(preset)
        with player.alone() as game:
            game.setup(black=["A2", "B1", "D4"], white=["E5"], to_play="black")
        decision = player.choose()
        assert decision.analysis is not None
        vertices = {move.vertex for move in decision.analysis.moves}
        assert ("A1" in vertices) is considered, preset
        # A pass is a move of the others' trees, too.
        assert ("pass" in vertices) is not considered


def test_v_run_begins_each_search_with_an_empty_tree_and_go_player_does_not() -> None:
    for preset, kept in (("v-run", False), ("go-player", True)):
        player = player_of(preset)
        player.genmove()
        player.genmove()
        found = player.genmove().analysis
        assert found is not None
        assert found.simulations == 60
        assert (found.visits > found.simulations) is kept, preset


def test_v_run_votes_by_its_rule_and_tells_the_votes() -> None:
    player = player_of("v-run", votes=5)
    found = player.choose().analysis
    assert found is not None
    assert sum(votes for _, votes in found.votes) == 5
    assert "Of 5 searches " in player.explain()
    # 60 simulations for 25 moves are 2.4 a move: not more than 3, so there is one search.
    single = player_of("v-run", votes=5, votes_threshold=3.0)
    found = single.choose().analysis
    assert found is not None
    assert found.votes == ()
    assert "searches" not in single.explain()


# MoGo.


def test_mogo_explains_a_capture_far_from_the_last_move() -> None:
    player = player_of("mogo", size=9)
    play(player, "E5 E4 D4 A1 F4 H8 B8 H2")
    from montego.go.playout.explain import first_reasons  # Loads the rules, interpreted.
    from montego.go.playout.reason import Reason

    order = player.options.rule_order
    assert first_reasons(player.game, order=order)["E3"] is Reason.CAPTURE


def test_mogos_heuristic_begins_at_one_what_the_playout_would_play_else_at_one_half() -> None:
    player = player_of("mogo", size=9, simulations=2)
    play(player, "E5 E4 D4 A1 F4 H8 B8 H2")
    player.choose()
    from montego.engine.knowledge.definition import position_of
    from montego.mcts.search import Search

    options = player.options
    game = player.game
    search = Search(
        options.game_definition(9), options.search_config(9), state=position_of(game, "black")
    )
    search.run(simulations=1)
    believed = {
        search.root().candidate(rank).move: search.root().candidate(rank)
        for rank in range(len(search.root().moves))
    }
    from montego.go.kernels.layout import parse_move

    capture = parse_move("E3", 9)
    assert {one.prior_value for one in believed.values() if one.move != capture} == {0.5}
    assert believed[capture].prior_value == 1.0
    assert {one.prior_visits for one in believed.values()} == {50.0}


def test_mogo_and_go_player_know_the_patterns_of_mogos_report() -> None:
    from montego.go.playout.explain import matching_patterns

    for preset in ("mogo", "go-player"):
        player = player_of(preset, size=9)
        with player.alone() as game:
            # A thin hane at E5: X O O above, and empty beside and below.
            game.setup(black=["D6"], white=["E6", "F6"], to_play="black")
        found = matching_patterns(player.game, "black", player.options.patterns)
        assert ("E5", "hane-thin") in found
        assert ("E5", "hane-thin") not in matching_patterns(player.game, "black")


# RLGO.


def test_rlgo_plays_the_move_that_local_shape_finds_best_whatever_a_playout_finds() -> None:
    for seed in (1, 2):
        player = player_of("rlgo", size=9, simulations=1, seed=seed)
        decision = player.choose()
        assert decision.analysis is not None
        assert decision.vertex == max(decision.analysis.moves, key=lambda move: move.prior).vertex


# Go-player.


def test_go_player_resigns_at_the_first_hopeless_move() -> None:
    options = Options(preset="go-player")
    assert (options.resign, options.resign_moves, options.resign_after) == (0.1, 1, 0.0)
    assert (options.thread_count, options.search_config(9).parallel) == (5, "lock")


# McGnuGo.


def test_komi_weighs_more_in_mcgnugos_games_than_by_area() -> None:
    # Captured stones are about half the difference in area.
    values = []
    for changes in ({}, {"playout": "analyze-after"}):
        found = player_of("mcgnugo", simulations=1000, komi=9.5, **changes).choose().analysis
        assert found is not None
        values.append(found.value)
    assert values[0] < values[1] - 0.05


def test_mcgnugos_moves_begin_with_the_visits_of_their_uncles() -> None:
    with_uncles: list[Any] = []
    without: list[Any] = []
    for found, share in ((with_uncles, 1.0), (without, 0.0)):
        player = player_of("mcgnugo", grandparent=share, fresh_tree=True)
        first = player.genmove()
        reply = next(v for v in ("C3", "B2", "D4") if player.game.fault("white", v) is None)
        player.play("white", reply)
        second = player.choose().analysis
        assert first.analysis is not None
        assert second is not None
        assert second.simulations == 60
        found += [move.prior for move in second.moves]
    assert len(set(without)) == 1
    assert len(set(with_uncles)) > 3


def test_mcgnugo_begins_with_what_it_found_in_earlier_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where nothing of the user's is kept yet.
    monkeypatch.setenv("MONTEGO_DATA_DIR", str(tmp_path / "not yet"))
    book = str(tmp_path / "not yet" / "mcgnugo.sqlite")
    known = []
    for _ in range(2):
        player = player_of("mcgnugo", book=book)
        found = player.genmove().analysis
        assert found is not None
        known.append(found.book_visits)
        player.close()
    assert known[0] == 0.0
    assert known[1] > 0.0
