"""How the player ends a game: by one judgement, from its pass to the final score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conftest import to_rows

from montego.engine.decision import DecisionReason
from montego.engine.options.options import Options
from montego.engine.player import Player
from montego.engine.thinking import Endgame
from montego.engine.win_chances import WinChances
from montego.go.game import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

# White's stone at B4 is dead. Black wins by 6.5 if it is taken off, and loses if it stays.
DEAD_STONE = """
X . X X O . O
. X X X O O .
X X . X O . O
X O . X O O O
X X . X O . O
. X X X O O .
X . X X O . O
"""
# White's stones at A1 and A4 are dead, and so is Black's at G7.
DEAD_ON_BOTH_SIDES = """
. X . X O . X
X X X X O O .
. X X X O O O
O X . X O . O
. X X X O O O
X X . X O O .
O . X X O . O
"""
SETTLED = """
. X . X O . O
X X X X O O .
X X X X O O O
X . X X O . O
X X X X O O O
. X X X O O .
X X . X O . O
"""
# White's stone at B4 is dead. Black wins by 2.5 by Japanese rules, and would lose by as many moves
# as it takes to capture it.
COSTLY_PRISONER = """
X . X X O . O
. X X X O O .
X . . X O . O
. O . X O O O
X . . X O . O
. X X X O O .
X . X X O . O
"""
# After Black's D6 White's two stones at C5 and D5 have to be looked after.
THREATENED = """
X X X X O . O
X . X . O O .
X X O O . O O
X X X X O . O
X . X X O O O
X X X X O O .
X . X X O . O
"""


@pytest.fixture
def player() -> Iterator[Player]:
    player = Player(Options(size=7, simulations=300, seed=1, threads=1, resign=None))
    yield player
    player.close()


def load(
    player: Player, picture: str, *, to_play: str, komi: float = 0.5, rules: str = "chinese"
) -> None:
    rows = to_rows(picture)
    stones: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            stones[color].append(f"{'ABCDEFG'[column]}{len(rows) - line}")
    game = Game(len(rows), komi=komi, rules=rules)
    game.setup(black=stones[1], white=stones[2], to_play=to_play)
    player.load(game)


def test_passes_when_everything_is_settled(player: Player) -> None:
    load(player, SETTLED, to_play="black")
    decision = player.genmove("black")
    assert (decision.vertex, decision.reason) == ("pass", DecisionReason.NOTHING_TO_GAIN)
    assert decision.note
    decision = player.genmove("white")
    assert decision.vertex == "pass"
    assert player.game.is_over


def test_the_judgement_stays_the_same_from_the_pass_to_the_score(player: Player) -> None:
    load(player, DEAD_STONE, to_play="black")
    before = player.final_score()
    assert player.dead_stones() == ["B4"]
    assert player.status("B4") == "dead"
    assert player.status("A4") == "alive"
    assert player.genmove("black").vertex == "pass"
    player.play("white", "pass")
    assert player.dead_stones() == ["B4"]
    assert player.final_score() == before
    assert str(before) == "B+6.5"


def test_strict_captures_the_dead_before_it_passes(player: Player) -> None:
    player.configure(player.options.replace(mode="strict"))
    load(player, DEAD_STONE, to_play="black")
    for _ in range(8):
        if player.genmove("black").vertex == "pass":
            break
        player.play("white", "pass")
    assert player.game.board.color_at("B4") != "white"
    assert player.game.score().winner == "black"


def test_rules_without_removal_are_played_strictly_in_every_mode(player: Player) -> None:
    load(player, DEAD_STONE, to_play="black")
    player.game.rules = "tromp-taylor"
    assert player.dead_stones() == []
    assert player.genmove("black").vertex != "pass"


def test_cleanup_leaves_no_dead_enemy_behind(player: Player) -> None:
    player.configure(player.options.replace(mode="kgs"))
    load(player, DEAD_STONE, to_play="black")
    for _ in range(8):
        decision = player.genmove("black", cleanup=True)
        if decision.vertex == "pass":
            break
        assert decision.reason is DecisionReason.CLEANUP
        assert player.dead_stones() == []  # From now on they have to be captured.
        player.play("white", "pass")
    assert decision.vertex == "pass"
    assert player.game.board.color_at("B4") != "white"


def test_a_cleanup_looks_after_what_is_threatened(player: Player) -> None:
    load(player, THREATENED, to_play="black", komi=3.5)
    for attack in ("D6", "E5", "C5", "pass"):
        if attack == "pass" or attack in player.game.legal_moves("black"):
            player.play("black", attack)
            decision = player.genmove("white", cleanup=True)
            assert attack != "D6" or decision.vertex == "E5"
    assert player.final_score().margin < 0


def test_a_cleanup_of_an_open_board_is_play(player: Player) -> None:
    player.play("black", "D4")
    assert player.genmove("white", cleanup=True).vertex not in ("pass", "resign", None)


@pytest.mark.parametrize("mode", ["friendly", "strict", "kgs"])
@pytest.mark.parametrize("rules", ["japanese", "korean"])
def test_by_territory_nothing_is_captured_that_costs_points(
    player: Player, mode: str, rules: str
) -> None:
    player.configure(player.options.replace(mode=mode))
    load(player, COSTLY_PRISONER, to_play="black", komi=3.5, rules=rules)
    assert player.final_score().margin == 2.5
    for _ in range(10):
        if not player.game.is_over:
            player.genmove("black")
            player.play("white", "pass")
    assert player.game.is_over
    assert player.final_score().margin == 2.5


def test_every_judgement_knows_of_a_cleanup_until_it_is_taken_back(player: Player) -> None:
    load(player, DEAD_ON_BOTH_SIDES, to_play="black")
    before = player.final_score()
    assert player.dead_stones() == ["G7", "A4", "A1"]
    player.choose("black", cleanup=True)  # Nothing is played, so nothing has begun.
    assert player.dead_stones() == ["G7", "A4", "A1"]

    assert player.genmove("black", cleanup=True).reason is DecisionReason.CLEANUP
    left = [v for v in ("A4", "A1") if player.game.board.color_at(v) == "white"]
    assert left
    assert player.dead_stones() == ["G7"]
    assert player.status("G7") == "dead"
    assert {player.status(vertex) for vertex in left} == {"alive"}
    assert player.final_score() != before

    player.undo()
    assert player.dead_stones() == ["G7", "A4", "A1"]
    assert player.status("A4") == "dead"
    assert player.final_score() == before


def test_does_not_answer_a_pass_by_losing(player: Player) -> None:
    game = Game(7, komi=0.5)
    for vertex in ("C3", "E5"):
        game.play("white", vertex)
    game.play("white", "pass")
    player.load(game)
    assert player.genmove("black").vertex != "pass"


@pytest.mark.parametrize(
    ("wins", "value", "expected"),
    [(True, 0.9, True), (True, 0.3, False), (False, 0.05, True), (False, 0.6, False)],
)
def test_a_count_that_needs_dead_stones_wants_the_search_to_agree(
    wins: bool, value: float, expected: bool
) -> None:
    assert Endgame(wins=wins).agrees(value) is expected


@pytest.mark.parametrize("imagined", [2.0, 30.0])
def test_an_imagined_komi_does_not_keep_from_a_pass_that_wins(
    player: Player, imagined: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WinChances, "komi_offset", lambda *_asked: imagined)
    load(player, DEAD_STONE, to_play="black", komi=4.5)
    decision = player.genmove("black")

    assert decision.vertex == "pass"
    assert decision.analysis is not None
    assert decision.analysis.simulations
    assert decision.analysis.imagined == 0.0


def test_the_result_of_a_game_over_is_the_count_by_the_judgement(player: Player) -> None:
    load(player, DEAD_STONE, to_play="black")
    player.settle()
    assert player.game.result is None
    player.play("black", "pass")
    player.play("white", "pass")
    assert player.game.result != str(player.final_score())
    player.settle()

    assert player.dead_stones() == ["B4"]
    assert player.game.result == str(player.final_score()) == "B+6.5"
    assert "RE[B+6.5]" in player.game.to_sgf()


@pytest.mark.parametrize("level", ["30k", "20k", "14k"])
def test_no_level_ends_a_game_that_is_not_over(level: str) -> None:
    player = Player(Options(size=7, level=level, seed=3))
    passes = 0
    for _ in range(40):
        if player.game.is_over:
            break
        player.play("black", "pass")
        decision = player.genmove("white")
        passes += decision.vertex == "pass"
        if passes:
            # Whoever plays alone owns the board in the end, and says what is over.
            assert player.game.is_over
            assert decision.note or decision.reason is DecisionReason.NO_MOVES
    assert passes == 1
    assert len(player.game.moves) > 4
    assert player.final_score().margin < -40
    player.close()
