"""Suggestions with reasons, and patterns by name, for people."""

from __future__ import annotations

import random

import pytest

from montego.go.game import Game
from montego.go.playout.explain import SuggestedMove, matching_patterns, suggestions
from montego.go.playout.reason import Reason
from montego.go.vocabulary.errors import GoError


def played(size: int, moves: str) -> Game:
    """A game of these moves, Black first."""
    game = Game(size)
    for vertex in moves.split():
        game.play(game.to_play, vertex)
    return game


def test_nothing_to_answer_at_the_beginning_and_after_a_pass() -> None:
    assert suggestions(Game(5)) == []
    assert suggestions(played(5, "C3 pass")) == []


def test_a_stone_just_played_into_atari_is_captured() -> None:
    game = played(5, "B4 pass A3 pass B2 B3")
    found = suggestions(game)
    assert found[0] == SuggestedMove("C3", Reason.CAPTURE, 1)
    assert {suggestion.reason for suggestion in found} >= {Reason.CAPTURE, Reason.PATTERN}
    assert game.to_play == "black"
    assert str(game.board) == str(played(5, "B4 pass A3 pass B2 B3").board)


def test_a_chain_in_atari_is_saved() -> None:
    game = played(7, "D4 D5 A1 D3 A2 C4")
    assert SuggestedMove("E4", Reason.ATARI, 1) in suggestions(game)
    assert suggestions(game)[0].vertex == "E4"


def test_the_other_player_can_be_asked_for() -> None:
    game = played(5, "B4 pass A3 pass B2 B3")
    assert SuggestedMove("C3", Reason.CAPTURE, 1) not in suggestions(game, "white")
    with pytest.raises(GoError, match="invalid color"):
        suggestions(game, "green")


def test_a_ko_is_not_suggested_to_who_may_not_retake() -> None:
    game = played(5, "B5 C5 A4 D4 B3 C3 C4 B4")
    assert game.ko == "C4"
    assert "C4" not in {suggestion.vertex for suggestion in suggestions(game)}


def test_suggestions_are_legal_in_random_games() -> None:
    dice = random.Random(4)
    reasons = set()
    for _ in range(4):
        game = Game(5, rules="tromp-taylor")
        for _ in range(45):
            if game.is_over:
                break
            found = suggestions(game)
            reasons |= {suggestion.reason for suggestion in found}
            legal = set(game.legal_moves())
            assert {suggestion.vertex for suggestion in found} <= legal
            assert len({suggestion[:2] for suggestion in found}) == len(found)
            game.play(game.to_play, dice.choice(sorted(legal) or ["pass"]))
    assert reasons >= {Reason.CAPTURE, Reason.ATARI, Reason.TWO_LIBERTIES, Reason.PATTERN}


def test_patterns_by_name() -> None:
    game = played(5, "B4 C4 D4")
    assert ("C3", "hane-enclosing") in matching_patterns(game)
    assert ("C3", "hane-enclosing") in matching_patterns(game, "black")
    assert matching_patterns(Game(5)) == []


def test_a_file_of_ones_own_patterns(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("own") / "patterns.txt"
    path.write_text("pattern touch\nfor X\n? O ?\n? * ?\n? ? ?\n", "utf-8")
    game = played(5, "C3")
    assert matching_patterns(game, patterns=str(path)) == [
        ("C4", "touch"),
        ("B3", "touch"),
        ("D3", "touch"),
        ("C2", "touch"),
    ]
    assert matching_patterns(game, "black", str(path)) == []
    assert {suggestion.reason for suggestion in suggestions(game, patterns=str(path))} == {
        Reason.PATTERN
    }
    with pytest.raises(GoError, match="cannot read patterns"):
        matching_patterns(game, patterns="nowhere.txt")
