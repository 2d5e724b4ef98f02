"""The judgement of finished positions, passing in three modes, and moves that are no use."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import pytest

from montego.engine.ending import (
    Judgement,
    cleanup_decision,
    judge,
    pass_decision,
    pass_may_be_considered,
    useless_moves,
)
from montego.go import Game
from montego.go.benson import unconditionally_alive
from montego.go.diagram import parse_diagram
from montego.go.errors import GoError
from montego.go.vertex import format_vertex


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
    return judge(game_of(diagram, rules=rules, komi=komi), playouts=300, simulations=1000)


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
    assert not pass_decision(game, found).passes
    assert useless_moves(game, found) != set(game.legal_moves())


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
    found = judge(game, playouts=300, simulations=1000)
    assert found == judged(diagram)
    assert (game.board.state == before).all()
    assert judge(game, playouts=300, simulations=1000, seed=1).ownership != found.ownership


def test_a_judgement_does_not_ask_whose_turn_it_is() -> None:
    diagram = FINISHED["stones in a corner"].diagram
    assert judge(game_of(diagram, turn="w"), playouts=300, simulations=1000) == judged(diagram)


def test_status() -> None:
    found = judged(FINISHED["stones in a corner"].diagram)
    assert found.status("g2") == "dead"
    assert found.status("D4") == "alive"
    with pytest.raises(GoError, match="no stone at A7"):
        found.status("A7")
    found = judged(FINISHED["seki: an eye each and a liberty for both"].diagram)
    assert found.status("A2") == "seki"
    assert found.territory["neutral"] == {"E1"}


def test_nothing_is_dead_where_the_rules_know_no_removal() -> None:
    diagram = FINISHED["stones in a corner"].diagram
    found = judged(diagram, "tromp-taylor")
    assert not found.dead
    assert found.captives == {"G2", "F1"}
    assert found.score.margin == found.standing


class Passing(NamedTuple):
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

PASSING = [
    Passing("settled", HALVES, "friendly", "black", True, "settled"),
    Passing("dead stones are left to the count", CORNER, "friendly", "white", True, "settled"),
    Passing("kgs is friendly", CORNER, "kgs", "white", True, "settled"),
    Passing("strict captures", CORNER, "strict", "white", False, "captured"),
    Passing("so do rules without removal", CORNER, "friendly", "white", False, "captured", "nz"),
    Passing("own dead stones do not matter", CORNER, "strict", "black", True, "settled"),
    Passing("a neutral point by area", NEUTRAL, "friendly", "black", False, "neutral"),
    Passing("and by territory", NEUTRAL, "friendly", "black", True, "settled", "japanese"),
    Passing("hands off the seki", SEKI, "friendly", "black", True, "settled"),
    Passing("lost, and no way to change it", HALVES, "friendly", "black", True, "nothing",
            after_pass=True),
    Passing("a pass answers a pass", HALVES, "friendly", "white", True, "won", after_pass=True),
    Passing("even if a neutral point is left", NEUTRAL, "friendly", "white", True, "won",
            after_pass=True),
    Passing("strict does not pass into a loss", CORNER, "strict", "white", False, "captured",
            after_pass=True),
]  # fmt: skip


@pytest.mark.parametrize("case", PASSING, ids=lambda case: case.name)
def test_passing(case: Passing) -> None:
    rules = "tromp-taylor" if case.rules == "nz" else case.rules
    game = game_of(case.diagram, rules=rules, turn=case.color)
    found = judged(case.diagram, rules)
    if case.after_pass:
        game.play("white" if case.color == "black" else "black", "pass")
    decision = pass_decision(game, found, case.mode, color=case.color)  # type: ignore[arg-type]
    assert decision.passes == case.passes, decision.reason
    assert case.reason in decision.reason


def test_cleanup_goes_on_until_nothing_dead_is_left() -> None:
    game, found = game_of(CORNER, turn="w"), judged(CORNER)
    assert not cleanup_decision(game, found, color="white").passes
    assert cleanup_decision(game, found, color="black").passes
    left = set(game.legal_moves("w")) - useless_moves(game, found, color="w", cleanup=True)
    assert left
    assert left <= {"E1", "E3", "F2", "F3", "G1", "G3"}


def test_only_neutral_points_are_of_use_in_a_settled_position() -> None:
    game, found = game_of(NEUTRAL), judged(NEUTRAL)
    assert set(game.legal_moves()) - useless_moves(game, found) == {"D7", "D1"}


def test_a_seki_is_left_alone() -> None:
    game, found = game_of(SEKI), judged(SEKI)
    assert useless_moves(game, found) == set(game.legal_moves())


def test_a_pass_that_the_search_wants_is_not_followed_into_a_loss() -> None:
    game, found = game_of(UNFINISHED["walls apart"]), judged(UNFINISHED["walls apart"])
    assert pass_may_be_considered(game, found, color="black").passes
    game.play("white", "pass")
    assert found.score.margin < 0
    assert not pass_may_be_considered(game, found, color="black").passes
