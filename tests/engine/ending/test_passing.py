"""Passing in three modes, and moves that are no use any more."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest
from test_judgement import FINISHED, NEUTRAL, UNFINISHED, game_of, judged

from montego.engine.ending.judgement import Passing


class Case(NamedTuple):
    """A settled position and what a player does in it."""

    name: str
    diagram: str
    mode: str
    color: str
    passes: bool
    reason: str
    rules: str = "chinese"
    after_pass: bool = False


CORNER, HALVES = FINISHED["stones in a corner"].diagram, FINISHED["two living halves"].diagram
SEKI = FINISHED["seki: an eye each and a liberty for both"].diagram
EMPTY_BOARD = "\n".join(["    . . . . ."] * 5)
INVADABLE = """
    . . X O . . .
    . . X O . . .
    . . X O . . .
    X X X O O O O
    . X X O . . .
    X . X O . . .
    . X X O . . .
"""

PASSING = [
    Case("settled", HALVES, "friendly", "black", True, "settled"),
    Case("dead stones are left to the count", CORNER, "friendly", "white", True, "settled"),
    Case("kgs is friendly", CORNER, "kgs", "white", True, "settled"),
    Case("strict captures", CORNER, "strict", "white", False, "captured"),
    Case("so do rules without removal", CORNER, "friendly", "white", False, "captured", "nz"),
    Case("dead stones are not left to be captured", CORNER, "strict", "black", False, "search"),
    Case("a neutral point by area", NEUTRAL, "friendly", "black", False, "neutral"),
    Case("and by territory", NEUTRAL, "friendly", "black", True, "settled", "japanese"),
    Case("hands off the seki", SEKI, "friendly", "black", True, "settled"),
    Case("lost, and no way to change it", HALVES, "friendly", "black", True, "nothing",
            after_pass=True),
    Case("a pass answers a pass", HALVES, "friendly", "white", True, "won", after_pass=True),
    Case("even if a neutral point is left", NEUTRAL, "friendly", "white", True, "won",
            after_pass=True),
    Case("strict does not pass into a loss", CORNER, "strict", "white", False, "captured",
            after_pass=True),
    Case("friendly gives up what is lost", INVADABLE, "friendly", "black", True, "settled"),
    Case("strict searches if behind", INVADABLE, "strict", "black", False, "search"),
    Case("nor after a pass", INVADABLE, "strict", "black", False, "search", after_pass=True),
    Case("strict and ahead", INVADABLE, "strict", "white", True, "settled"),
]  # fmt: skip


@pytest.mark.parametrize("case", PASSING, ids=lambda case: case.name)
def test_passing(case: Case) -> None:
    rules = "tromp-taylor" if case.rules == "nz" else case.rules
    game = game_of(case.diagram, rules=rules, turn=case.color)
    found = judged(case.diagram, rules)
    if case.after_pass:
        game.play("white" if case.color == "black" else "black", "pass")
    decision = Passing(game, found, case.mode, color=case.color).decision()
    assert decision.passes == case.passes, decision.reason
    assert case.reason in decision.reason


def test_cleanup_goes_on_until_nothing_dead_is_left() -> None:
    game, found = game_of(CORNER, turn="w"), judged(CORNER)
    assert not Passing(game, found, color="white", cleanup=True).decision().passes
    assert Passing(game, found, color="black", cleanup=True).decision().passes
    left = (
        set(game.legal_moves("w")) - Passing(game, found, color="w", cleanup=True).useless_moves()
    )
    assert left
    assert left <= {"E1", "E3", "F2", "F3", "G1", "G3"}


def test_an_open_position_is_cleaned_up_by_the_search_but_no_seki_is() -> None:
    case = FINISHED["seki: an eye each and a liberty for both"]
    game, found = game_of(case.diagram), replace(judged(case.diagram), settled=False)
    for color in ("black", "white"):
        assert not Passing(game, found, color=color, cleanup=True).decision().passes
        assert Passing(game, found, color=color, cleanup=True).considered().passes
        useless = Passing(game, found, color=color, cleanup=True).useless_moves()
        liberties = {near for stone in found.seki for near in game.board.liberties(stone)}
        assert useless >= liberties & set(game.legal_moves(color))
    game, found = game_of(CORNER, turn="w"), judged(CORNER)
    assert not Passing(game, found, color="white", cleanup=True).considered().passes


def test_only_neutral_points_are_of_use_in_a_settled_position() -> None:
    game, found = game_of(NEUTRAL), judged(NEUTRAL)
    assert set(game.legal_moves()) - Passing(game, found).useless_moves() == {"D7", "D1"}


def test_who_is_behind_in_strict_may_invade_all_that_is_not_certain() -> None:
    game, found = game_of(INVADABLE), judged(INVADABLE)
    assert Passing(game, found, "friendly").useless_moves() == set(game.legal_moves())
    left = set(game.legal_moves()) - Passing(game, found, "strict").useless_moves()
    assert left >= found.territory["white"]
    assert not left & found.safe
    assert Passing(game, found, "strict", color="white").useless_moves() == set(
        game.legal_moves("white")
    )
    # Nothing is left against two eyes, so that the game comes to an end.
    game, found = game_of(HALVES), judged(HALVES)
    assert Passing(game, found, "strict").useless_moves() == set(game.legal_moves())


def test_what_is_in_doubt_is_looked_at_again_where_that_is_free() -> None:
    game, found = game_of(HALVES), judged(HALVES)
    assert found.settled
    assert not found.doubtful
    assert Passing(game, found).useless_moves() == set(game.legal_moves())
    doubted = replace(found, doubtful=frozenset(["A1"]))
    assert Passing(game, doubted).useless_moves() == set(game.legal_moves()) - {"A1"}
    by_territory = game_of(HALVES, rules="japanese")
    assert Passing(by_territory, doubted).useless_moves() == set(by_territory.legal_moves())


def test_chains_on_which_playouts_disagree_are_in_doubt() -> None:
    found = judged(SEKI)
    assert found.seki <= found.doubtful
    assert found.doubtful.isdisjoint(found.safe)


def test_a_seki_is_left_alone() -> None:
    game, found = game_of(SEKI), judged(SEKI)
    assert Passing(game, found).useless_moves() == set(game.legal_moves())


def test_a_pass_that_the_search_wants_is_not_followed_into_a_loss() -> None:
    game = game_of(UNFINISHED["walls apart"])
    # As if the playouts were sure of every point, so that the board is not open.
    found = replace(judged(UNFINISHED["walls apart"]), ownership=(1.0,) * 49)
    assert Passing(game, found, color="black").considered().passes
    game.play("white", "pass")
    assert found.score.margin < 0
    assert not Passing(game, found, color="black").considered().passes


@pytest.mark.parametrize("diagram", [EMPTY_BOARD, UNFINISHED["walls apart"]])
@pytest.mark.parametrize("color", ["black", "white"])
def test_nobody_passes_while_the_board_is_open(diagram: str, color: str) -> None:
    game, found = game_of(diagram, turn=color), judged(diagram)
    for _ in range(2):
        passing = Passing(game, found, color=color)
        assert not passing.decision().passes
        assert passing.considered() == (False, "the board is still open")
        game.play("white" if color == "black" else "black", "pass")


def test_who_counts_what_stands_may_end_a_game_that_is_won() -> None:
    game, found = game_of(EMPTY_BOARD, turn="white"), judged(EMPTY_BOARD)
    game.play("black", "pass")
    assert Passing(game, found, "strict", color="white").decision().passes
