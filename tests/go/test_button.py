"""Button Go: the first pass earns half a point, and does not count towards the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import to_rows

from montego.book.position import pose_of_game, pose_of_state, settings_of
from montego.engine.ending.judgement import Judgements
from montego.engine.knowledge.definition import position_of, search_komi
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.go.game import Game
from montego.go.kernels.layout import PASSES
from montego.gtp.analyze.katago import format_kata_rules, parse_kata_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

# Black has three points more than White.
SETTLED = """
. X X O .
X X X O O
. X X O .
X X X O O
. X X O .
"""


def settled(rules: str = "aga-button") -> Game:
    game = Game(5, rules=rules, komi=5)
    rows = to_rows(SETTLED)
    points = [(f"{'ABCDE'[column]}{5 - line}", rows[line][column])
              for line in range(5) for column in range(5)]  # fmt: skip
    game.setup(
        black=[vertex for vertex, color in points if color == 1],
        white=[vertex for vertex, color in points if color == 2],
        to_play="black",
    )
    return game


@pytest.mark.parametrize(("first", "result"), [("black", "B+0.5"), ("white", "W+0.5")])
def test_who_passes_first_gets_half_a_point(first: str, result: str) -> None:
    game = settled()
    assert (game.button, game.score().margin) == (None, 0.0)
    other = {"black": "white", "white": "black"}[first]

    game.play(first, "pass")
    assert (game.button, game.passes, str(game.score())) == (first, 0, result)
    game.play(other, "pass")
    assert (game.button, game.passes, game.is_over) == (first, 1, False)
    game.play(first, "pass")

    assert game.is_over
    assert game.result == result


def test_only_the_first_pass_of_the_game_takes_the_button() -> None:
    game = settled()
    for color, vertex in [("b", "pass"), ("w", "E5"), ("b", "A5"), ("w", "pass"), ("b", "pass")]:
        assert not game.is_over
        game.play(color, vertex)

    assert (game.button, game.is_over) == ("black", True)


def test_taking_back_gives_the_button_back() -> None:
    game = settled()
    game.play("black", "pass")
    game.play("white", "pass")
    game.undo()
    assert (game.button, game.passes) == ("black", 0)
    game.undo()
    assert (game.button, game.compensation) == (None, 5.0)


def test_other_rules_know_no_button() -> None:
    game = settled("aga")
    game.play("black", "pass")
    game.play("white", "pass")
    assert (game.button, game.is_over, game.result) == (None, True, "0")

    game.rules = "aga-button"

    assert (game.button, game.is_over, str(game.score())) == ("black", False, "B+0.5")


def test_superko_forgets_what_was_before_the_button() -> None:
    game = Game(5, rules="aga-button")
    for color, vertex in [("b", "B5"), ("w", "C5"), ("b", "A4"), ("w", "D4"), ("b", "B3"),
                          ("w", "C3"), ("b", "E1"), ("w", "B4"), ("b", "C4")]:  # fmt: skip
        game.play(color, vertex)
    assert game.captures.black == 1
    assert len(game.positions) == 10

    game.play("white", "pass")
    assert len(game.positions) == 1
    game.play("black", "pass")

    assert game.fault("white", "B4") is None
    game.rules = "aga"
    assert "superko" in str(game.fault("white", "B4"))


def test_a_record_keeps_the_button() -> None:
    game = settled()
    for color in ("black", "white", "black"):
        game.play(color, "pass")
    game.mark_dead([])

    again = Game.from_sgf(game.to_sgf())

    assert (again.rules, again.button, again.result) == (game.rules, "black", "B+0.5")
    assert "RU[aga-button]" in game.to_sgf()
    assert "RE[B+0.5]" in game.to_sgf()


def test_the_search_the_book_and_the_judge_count_the_half_point() -> None:
    game, judgements = settled(), Judgements(0)
    assert judgements.of(game).score.margin == 0.0
    assert settings_of(game) == settings_of(settled())
    game.play("black", "pass")

    assert search_komi(game, "white") == 4.5
    assert settings_of(game).komi == 4.5
    assert settings_of(game).rules != settings_of(settled("aga")).rules
    assert position_of(game, "white")[PASSES] == 0
    assert judgements.of(game).score.margin == 0.5
    assert judgements.of(game).standing == 0.5
    game.play("white", "pass")
    assert position_of(game, "black")[PASSES] == 1


def test_rules_with_a_button_are_told_as_they_were_sent() -> None:
    rules = parse_kata_rules('{"hasButton": true, "ko": "SITUATIONAL"}')

    assert (rules.button, rules.komi) == (True, 7.0)
    assert parse_kata_rules(format_kata_rules(rules)) == rules
    assert parse_kata_rules("aga-button").button


def test_the_player_takes_the_button_and_ends_the_game() -> None:
    player = Player(Options(size=5, rules="aga-button", simulations=50, seed=1))
    player.load(settled())
    try:
        for color in ("black", "white", "black"):
            assert not player.game.is_over
            assert player.genmove(color).vertex == "pass"

        assert player.game.is_over
        assert str(player.final_score()) == "B+0.5"
    finally:
        player.close()


@pytest.fixture
def player() -> Iterator[Player]:
    player = Player(Options(size=5, rules="aga-button", simulations=200, seed=1, threads=1))
    yield player
    player.close()


def test_a_pass_for_the_button_is_not_answered_by_one(player: Player) -> None:
    player.play("black", "C3")
    player.play("white", "pass")
    assert player.game.score().winner == "black"
    assert player.genmove("black").is_move


@pytest.mark.parametrize("mode", ["friendly", "strict"])
def test_a_tie_is_won_by_passing_first(player: Player, mode: str) -> None:
    player.configure(player.options.replace(mode=mode))
    player.load(settled())
    assert player.final_score().margin == 0.0
    decision = player.genmove("black")
    assert decision.vertex == "pass"
    assert decision.analysis is not None
    assert decision.analysis.mean_score == 0.5
    assert str(player.final_score()) == "B+0.5"


def test_the_book_finds_positions_after_the_button_where_the_search_left_them() -> None:
    game = settled()
    for color in ("black", "white"):
        game.play(color, "pass")
        assert pose_of_game(game) == pose_of_state(position_of(game, game.to_play))
