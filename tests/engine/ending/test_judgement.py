"""The judgement of finished positions: dead stones, seki, territory, and the count."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from montego.engine.ending.judgement import Judgement, Passing, judge_position
from montego.go import Game
from montego.go.benson import unconditionally_alive
from montego.go.diagram import parse_diagram
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.vertex import format_vertex


class Case(NamedTuple):
    """A finished position; one stone stands for its chain."""

    diagram: str
    dead: str = ""
    seki: str = ""


FINISHED = {
    "two living halves": Case("""
        . X X O . O .
        X . X O O . O
        . X X O . O .
        X X X O O O O
        . X X O . O .
        X . X O O . O
        . X X O . O .
    """),
    "stones in a corner": Case(
        """
        . X X O . O .
        X . X O O . O
        . X X O . O .
        X X X O O O O
        . X X O . . .
        X . X O O . X
        . X X O . X .
        """,
        dead="G2 F1",
    ),
    "a lone stone in each territory": Case(
        """
        . . X O . . .
        . O X O . X .
        . . X O . . .
        X X X O O O O
        . X X O . O .
        X . X O O . O
        . X X O . O .
        """,
        dead="B6 F6",
    ),
    "the vital point of three is taken": Case(
        """
        . O O O O X . X .
        O . O . O X X X X
        O O O O O X . X .
        . O . O O X X X X
        O O O O O X . X .
        O . O . O X X X X
        O O O O O X . X .
        X X X X O X X X X
        . O . X O X . X .
        """,
        dead="A2",
    ),
    "one eye and a false one": Case(
        """
        . O O O O X . X .
        O . O . O X X X X
        O O O O O X . X .
        . O . O O X X X X
        O O O O O X . X .
        O . O . O X X X X
        O O O O O X . X .
        X O X O O X X X X
        . X . X O X . X .
        """,
        dead="A2 B1 C2 D1",
    ),
    "seki: an eye each and a liberty for both": Case(
        """
        . O . O O X . X .
        O O O O O X X X X
        . O . O O X . X .
        O O O O O X X X X
        . O . O O X . X .
        O O O O O X X X X
        O O O O O X X X X
        X X X X X O O O O
        . X X X . O O O .
        """,
        seki="A2 F2",
    ),
    "a square of four is left when Black captures": Case(
        """
        . O O O O X . X .
        O . O . O X X X X
        O O O O O X . X .
        . O . O O X X X X
        O O O O O X . X .
        X X X O O X X X X
        O . X O O X . X .
        O O X O O X X X X
        . X X O O X . X .
        """,
        dead="A4",
    ),
    "seki: a row of four would be left": Case(
        """
        . O . O O X . X .
        O O O O O X X X X
        O O O . O X . X .
        X X O O O X X X X
        . X O . O X . X .
        O X O O O X X X X
        O X O . O X . X .
        O X O O O X X X X
        . X O . O X . X .
        """,
        seki="A2 B1",
    ),
    "snapback": Case(
        """
        . O . O O X . X .
        O O O . O X X X X
        . O O O O X . X .
        O O O . O X X X X
        . O O O O X . X .
        O O O . O X X X X
        O O O O O X . X .
        . X O O O X X X X
        O X O . O X . X .
        """,
        dead="B1",
    ),
    "a stone in the eye of a seki": Case(
        """
        . O . O O X . X .
        O O O O O X X X X
        . O . O O X . X .
        O O O O O X X X X
        . O . O O X . X .
        O O O O O X X X X
        O O O O O X X X X
        X X X X X O O O O
        O . X X . O O O .
        """,
        dead="A1",
        seki="A2 F2",
    ),
    "bent four in the corner, which dies by a ko": Case(
        """
        . O . O O X . X .
        O O O . O X X X X
        . O O O O X . X .
        O O O . O X X X X
        X X O O O X . X .
        . X O . O X X X X
        O X O O O X . X .
        O X X O O X X X X
        O . X O O X . X .
        """,
        dead="A5",
    ),
}

UNFINISHED = {
    "a single stone": """
        . . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . .
    """,
    "walls apart": """
        . . . . . . .
        . . . . . . .
        . . X . O . .
        . . X . O . .
        . . X . O . .
        . . . . . . .
        . . . . . . .
    """,
    "a border with a hole": """
        . . X O . . .
        . . X O . . .
        . . X O . . .
        . . . . . . .
        . . X O . . .
        . . X O . . .
        . . X O . . .
    """,
    "a ko to connect at H7": """
        X X X X O . O . O
        X . X O O . O O O
        . . X O O O O . O
        X . X X O O X O X
        . . X X X O X X X
        X . X O X X X X X
        X X X O O O X . X
        X O O O O O O X X
        O O . O . O X X .
    """,
}

NEUTRAL = """
    . X X . O O .
    X . X O O . O
    . X X O . O .
    X X X O O O O
    . X X O . O .
    X . X O O . O
    . X X . O O .
"""


def game_of(diagram: str, *, rules: str = "chinese", komi: float = 0.5, turn: str = "b") -> Game:
    """Return a game whose position is drawn, with *turn* to play."""
    rows = parse_diagram(diagram)
    size = len(rows)
    stones: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            stones[color].append(format_vertex((column, size - 1 - line)))
    game = Game(size, rules=rules, komi=komi)
    game.setup(black=stones[1], white=stones[2], to_play=turn)
    return game


@cache
def judged(diagram: str, rules: str = "chinese", komi: float = 0.5) -> Judgement:
    """Judge a drawing, once for all tests."""
    return judge_position(game_of(diagram, rules=rules, komi=komi), playouts=300, simulations=1000)


def whole_chains(game: Game, stones: str) -> set[str]:
    return {member for stone in stones.split() for member in game.board.chain(stone)}


@pytest.mark.parametrize("name", FINISHED)
def test_dead_stones_and_seki(name: str) -> None:
    case = FINISHED[name]
    game, found = game_of(case.diagram), judged(case.diagram)
    assert found.dead == whole_chains(game, case.dead)
    assert found.seki == whole_chains(game, case.seki)
    assert found.settled


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_unfinished_position_is_not_settled(name: str) -> None:
    game, found = game_of(UNFINISHED[name]), judged(UNFINISHED[name])
    assert not found.settled
    assert not Passing(game, found).decision().passes
    assert Passing(game, found).useless_moves() != set(game.legal_moves())


@pytest.mark.parametrize("name", FINISHED)
def test_chains_live_and_die_as_a_whole_and_benson_is_believed(name: str) -> None:
    game, found = game_of(FINISHED[name].diagram), judged(FINISHED[name].diagram)
    assert whole_chains(game, " ".join(found.captives)) == found.captives
    alive = {format_vertex(point) for point in unconditionally_alive(game.board.rows())}
    assert not alive & found.captives


@pytest.mark.parametrize("name", FINISHED)
def test_territory_and_stones_make_up_the_board(name: str) -> None:
    game, found = game_of(FINISHED[name].diagram), judged(FINISHED[name].diagram)
    empty = [vertex for side in found.territory.values() for vertex in side]
    assert len(empty) == len(set(empty))
    assert len(empty) + len(set(found.board) - found.captives) == game.size**2
    assert len(found.ownership) == game.size**2
    assert all(-1 <= owner <= 1 for owner in found.ownership)


def test_the_same_arguments_give_the_same_judgement() -> None:
    diagram = FINISHED["seki: an eye each and a liberty for both"].diagram
    game = game_of(diagram)
    before = game.board.state.copy()
    found = judge_position(game, playouts=300, simulations=1000)
    assert found == judged(diagram)
    assert (game.board.state == before).all()
    assert judge_position(game, playouts=300, simulations=1000, seed=1).ownership != found.ownership


def test_a_judgement_does_not_ask_whose_turn_it_is() -> None:
    diagram = FINISHED["stones in a corner"].diagram
    assert judge_position(game_of(diagram, turn="w"), playouts=300, simulations=1000) == judged(
        diagram
    )


@pytest.mark.small_boards
@pytest.mark.parametrize("rules", ["chinese", "japanese"])
def test_a_small_board(rules: str) -> None:
    diagram = """
        . X X O .
        O X X O O
        . X X O .
        X X X O O
        . X X O .
    """
    game = game_of(diagram, rules=rules)
    found = judge_position(game, playouts=20, simulations=20)
    assert found.dead == {"A4"}
    assert found.settled
    assert found.score.margin == {"chinese": 4.5, "japanese": 1.5}[rules]
    assert Passing(game, found).decision().passes


def test_status() -> None:
    found = judged(FINISHED["stones in a corner"].diagram)
    assert found.status("g2") == "dead"
    assert found.status("D4") == "alive"
    with pytest.raises(GoError, match="no stone at A7"):
        found.status("A7")
    found = judged(FINISHED["seki: an eye each and a liberty for both"].diagram)
    assert found.status("A2") == "seki"
    assert found.territory["neutral"] == {"E1"}


@pytest.mark.parametrize(
    ("name", "margin"),
    [
        # 6 points against 13 and two prisoners.
        ("stones in a corner", -9.5),
        # 6 points each: eyes in a seki are no territory, nor is the liberty that both need.
        ("seki: an eye each and a liberty for both", -0.5),
        # The same, and a prisoner.
        ("a stone in the eye of a seki", 0.5),
        # 10 points against 15 and seven prisoners.
        ("bent four in the corner, which dies by a ko", -12.5),
    ],
)
def test_the_count_by_japanese_rules(name: str, margin: float) -> None:
    assert judged(FINISHED[name].diagram, "japanese").score.margin == margin


def test_neutral_points_count_for_nobody_by_japanese_rules() -> None:
    assert judged(NEUTRAL, "japanese").score.margin == -2.5


def test_nothing_is_dead_where_the_rules_know_no_removal() -> None:
    diagram = FINISHED["stones in a corner"].diagram
    found = judged(diagram, "tromp-taylor")
    assert not found.dead
    assert found.captives == {"G2", "F1"}
    assert found.score.margin == found.standing
