"""Counting and unconditional life, as tables of pictures, and against the slow board."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from conftest import assert_same_board, to_picture, to_rows, to_vertex

from montego.go.benson import pass_alive, unconditionally_alive
from montego.go.result import Result, parse_result
from montego.go.scoring import Score, score_position, seki_stones
from montego.go.vocabulary.color import BLACK, EMPTY, WHITE
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.rules import Rules
from reference import (
    Stones,
    area_score,
    is_position,
    never_captured,
    points,
    territory_score,
)

AREA = Rules(scoring="area", handicap_compensation="n", komi=0)
TERRITORY = Rules(scoring="territory", tax="none", handicap_compensation="none", komi=0)
JAPANESE = Rules(scoring="territory", tax="seki", handicap_compensation="none", komi=0)

DIVIDED = """
    . X O . .
    . X O . .
    . X O . X
    . X O . .
    . X O . .
"""
WITH_DAME = """
    . X . O .
    . X . O .
    . X X O .
    . X O O .
    . X O . .
"""
# Two stones of each color share two liberties; whoever plays there first is captured.
SEKI_WITHOUT_EYES = """
    . . . O X . .
    . . . O X . .
    . . . O X . .
    . O O O X X .
    . O X X O X .
    . O X . O X .
    . O X . O X .
"""
# One eye each (C1 and G1), and one liberty between them (E1).
SEKI_WITH_EYES = """
    . . . . O X . . .
    . . . . O X . . .
    . . . . O X . . .
    . . . . O X . . .
    . . . . O X . . .
    . . . . O X . . .
    O O O O O X X X X
    O X X X X O O O X
    O X . X . O . O X
"""
# Black's corner lives with two eyes; all of White hangs together.
TWO_EYES = """
    . X . X O
    X X X X O
    O O O O O
    . . . . .
    . . . . .
"""


@dataclass(frozen=True)
class Count:
    name: str
    board: str
    rules: Rules
    text: str
    komi: float = 0.0
    dead: tuple[str, ...] = ()
    captures: tuple[int, int] = (0, 0)
    handicap: int = 0
    seki: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()

    def score(self) -> Score:
        return score_position(
            to_rows(self.board),
            self.rules,
            self.komi,
            dead=self.dead,
            captures=self.captures,
            handicap=self.handicap,
            seki=self.seki,
        )


RIGHT_OF_DIVIDED = tuple(f"{column}{row}" for column in "DE" for row in range(1, 6))
COUNTS = [
    Count("nobody owns an empty board", ". .\n. .", AREA, "0", neutral=("A1", "A2", "B1", "B2")),
    Count("a lone stone owns the board", ". . .\n. X .\n. . .", AREA, "B+9"),
    Count("only territory counts under territory", ". . .\n. X .\n. . .", TERRITORY, "B+8"),
    Count("komi is White's", ". . .\n. X .\n. . .", AREA, "B+1.5", komi=7.5),
    Count("negative komi is Black's", ". . .\n. O .\n. . .", AREA, "W+8.5", komi=-0.5),
    Count("equal points are a draw", ". . .\n. X .\n. . .", AREA, "0", komi=9),
    Count(
        "a living stone spoils a region",
        DIVIDED,
        AREA,
        "B+6",
        neutral=tuple(vertex for vertex in RIGHT_OF_DIVIDED if vertex != "E3"),
    ),
    Count("a dead stone does not", DIVIDED, AREA, "W+5", dead=("E3",)),
    Count("a dead stone is a prisoner, its point a point", DIVIDED, TERRITORY, "W+6", dead=("E3",)),
    Count("captures count under territory", DIVIDED, TERRITORY, "W+1", 0.0, ("E3",), (7, 2)),
    Count("captures do not count under area", DIVIDED, AREA, "W+5", 0.0, ("E3",), (7, 2)),
    Count("any stone of a chain kills it", DIVIDED, AREA, "B+25", dead=("C3",)),
    Count(
        "naming several stones of one chain kills it once",
        DIVIDED,
        TERRITORY,
        "B+24",
        dead=("C1", "C5", "C3"),
    ),
    Count("dame are nobody's", WITH_DAME, AREA, "W+1", neutral=("C4", "C5")),
    Count("nor are they territory", WITH_DAME, TERRITORY, "W+1", neutral=("C4", "C5")),
    Count(
        "handicap stones are paid back", WITH_DAME, AREA, "W+4", handicap=3, neutral=("C4", "C5")
    ),
    Count("one stone is no handicap", WITH_DAME, AREA, "W+1", handicap=1, neutral=("C4", "C5")),
    Count(
        "all but the first handicap stone are paid back",
        WITH_DAME,
        Rules(handicap_compensation="n-1"),
        "W+3",
        handicap=3,
        neutral=("C4", "C5"),
    ),
    Count("no eyes, area", SEKI_WITHOUT_EYES, AREA, "W+3", neutral=("D1", "D2")),
    Count("no eyes, Japanese", SEKI_WITHOUT_EYES, JAPANESE, "W+3", neutral=("D1", "D2")),
    # Left: 4 x 6 and the stones; right: 3 x 6 and the stones; the eyes cancel out.
    Count("eyes in seki count as area", SEKI_WITH_EYES, AREA, "W+6", neutral=("E1",)),
    Count("eyes in seki count without the tax", SEKI_WITH_EYES, TERRITORY, "W+6", neutral=("E1",)),
    Count("eyes in seki do not count", SEKI_WITH_EYES, JAPANESE, "W+6", neutral=("C1", "E1", "G1")),
    Count(
        "one side's tax alone, by the caller's word",
        DIVIDED,
        JAPANESE,
        "W+12",
        dead=("E3",),
        seki=("B2",),
        captures=(0, 1),
        neutral=("A1", "A2", "A3", "A4", "A5"),
    ),
    Count("area without group tax", TWO_EYES, AREA, "W+9"),
    Count("two points a group", TWO_EYES, Rules(tax="all"), "W+9"),
    Count("a group cannot lose more than it has", ". X O\nX X O\nO O O", Rules(tax="all"), "W+2"),
    Count("every group pays", "\n".join([". X O X ."] * 5), Rules(tax="all"), "B+11"),
    Count("stones without territory pay no tax", ". X O\n. X O\n. X O", Rules(tax="all"), "B+1"),
]


@pytest.mark.parametrize("case", COUNTS, ids=lambda case: case.name)
def test_count(case: Count) -> None:
    score = case.score()

    assert str(score) == case.text
    assert {to_vertex(point) for point in score.neutral} == set(case.neutral)
    assert score.margin == score.black - score.white
    assert score.winner == {"B": "black", "W": "white", "0": None}[case.text[0]]


def test_the_map_shows_who_owns_each_point_after_the_dead_are_gone() -> None:
    score = score_position(to_rows(DIVIDED), AREA, 0.5, dead=["E3"])

    expected = to_rows("\n".join(["X X O O O"] * 5))
    assert_same_board(score.owner, expected)
    assert score.dead == {(4, 2)}
    assert (score.black, score.white) == (10, 15.5)


def test_stones_may_be_named_by_coordinates_and_one_stone_without_a_list() -> None:
    rows = to_rows(DIVIDED)

    assert score_position(rows, AREA, 0, dead="E3") == score_position(rows, AREA, 0, dead=["E3"])
    assert score_position(rows, AREA, 0, dead=[(4, 2)]) == score_position(
        rows, AREA, 0, dead={"e3"}
    )


@pytest.mark.parametrize(
    ("dead", "seki", "message"),
    [
        (["A1"], [], "no stone at A1"),
        (["pass"], [], "not a point"),
        (["F1"], [], "off the 5x5 board"),
        ([(9, 9)], [], "not a point"),
        ([3], [], "not a vertex"),
        ([[4, 2]], [], "not a vertex"),
        (["B1"], ["B2"], "both dead and in seki"),
        ([], ["A1"], "no stone at A1"),
    ],
)
def test_stones_that_cannot_be_dead(dead: list[Any], seki: list[str], message: str) -> None:
    with pytest.raises(GoError, match=message):
        score_position(to_rows(DIVIDED), AREA, 0, dead=dead, seki=seki)


def test_rules_without_removal_of_the_dead_refuse_them() -> None:
    rules = Rules(dead_removal=False)

    assert str(score_position(to_rows(DIVIDED), rules, 0)) == "B+6"
    with pytest.raises(GoError, match="play it out"):
        score_position(to_rows(DIVIDED), rules, 0, dead=["E3"])


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        pytest.param(WITH_DAME, "", id="open dame between living groups"),
        pytest.param(TWO_EYES, "", id="two eyes"),
        pytest.param(SEKI_WITHOUT_EYES, "C1 C2 C3 D3 E1 E2 E3", id="seki without eyes"),
        pytest.param(SEKI_WITH_EYES, "B1 B2 C2 D2 E2 D1 F1 F2 G2 H2 H1", id="an eye each"),
        # D4 joins Black's corner to the large side over a neutral point.
        pytest.param(
            """
            . X X . X .
            X X O . X .
            O O O O X .
            . . . O X .
            . . . O X .
            . . . O X .
            """,
            "",
            id="one eye, but a way out",
        ),
    ],
)
def test_plain_sekis_are_found_and_nothing_else(board: str, expected: str) -> None:
    found = {to_vertex(point) for point in seki_stones(to_rows(board))}

    assert found == set(expected.split())


def random_stones(rng: random.Random, size: int, *, fullness: float, black: float) -> Stones:
    """Some position in which every chain has a liberty."""
    while True:
        stones = {
            point: BLACK if rng.random() < black else WHITE
            for point in points(size)
            if rng.random() < fullness
        }
        if is_position(stones, size):
            return stones


def as_rows(stones: Stones, size: int) -> list[list[int]]:
    return [
        [stones.get((column, row), EMPTY) for column in range(size)]
        for row in range(size - 1, -1, -1)
    ]


def test_counts_agree_with_the_slow_board() -> None:
    rng = random.Random(76)
    for _ in range(300):
        size = rng.randint(2, 9)
        stones = random_stones(rng, size, fullness=rng.choice([0.3, 0.5, 0.6]), black=0.5)
        rows = as_rows(stones, size)
        dead = rng.sample(sorted(stones), min(len(stones), rng.randint(0, 3)))
        captures = rng.randint(0, 20), rng.randint(0, 20)
        taken = {BLACK: captures[0], WHITE: captures[1]}

        area = score_position(rows, AREA, 0, dead=dead, captures=captures)
        territory = score_position(rows, TERRITORY, 0, dead=dead, captures=captures)
        assert area.margin == area_score(stones, size, dead), to_picture(rows)
        assert territory.margin == territory_score(stones, size, taken, dead), to_picture(rows)


# The second picture shows what lives (X, O) and the territory it holds (x, o).
LIFE = [
    ("nothing lives on an empty board", ". .\n. .", ". .\n. ."),
    (
        "two eyes",
        TWO_EYES,
        """
        x X x X .
        X X X X .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "a false eye: C4 can be captured, and B4 with it",
        """
        . X O O .
        X . X O .
        X X O O .
        O O . . .
        . . . . .
        """,
        "\n".join([". . . . ."] * 5),
    ),
    (
        "one big eye can be filled",
        """
        . . X O .
        . . X O .
        X X X O .
        O O O O .
        . . . . .
        """,
        "\n".join([". . . . ."] * 5),
    ),
    ("seki is not unconditional", SEKI_WITHOUT_EYES, "\n".join([". . . . . . ."] * 7)),
    (
        "two chains share two eyes, and one white eye is not enough",
        """
        . X X X X
        X O O O X
        X O . O X
        X O O O X
        X X X X .
        """,
        """
        x X X X X
        X x x x X
        X x x x X
        X x x x X
        X X X X x
        """,
    ),
    (
        "an eye with a prisoner in it",
        """
        . X . O X
        X X X X X
        . . . . .
        . . . . .
        . . . . .
        """,
        """
        x X x x X
        X X X X X
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "chains that lean on a dead one die with it",
        """
        . X . X O .
        X O X . X O
        X O O X O .
        O . . O . .
        . . . . . .
        . . . . . .
        """,
        "\n".join([". . . . . ."] * 6),
    ),
    (
        "both colors",
        """
        . X X O O .
        X X X O O O
        . X X O O .
        X X X O O O
        . X X O O .
        X X X O O O
        """,
        """
        x X X O O o
        X X X O O O
        x X X O O o
        X X X O O O
        x X X O O o
        X X X O O O
        """,
    ),
]


@pytest.mark.parametrize(
    ("board", "expected"), [life[1:] for life in LIFE], ids=[x[0] for x in LIFE]
)
def test_unconditional_life(board: str, expected: str) -> None:
    rows = to_rows(board)
    symbols = [["."] * len(rows) for _ in rows]
    for color, stone, held in ((BLACK, "X", "x"), (WHITE, "O", "o")):
        stones, territory = pass_alive(rows, color)
        for symbol, where in ((stone, stones), (held, territory)):
            for column, row in where:
                symbols[len(rows) - 1 - row][column] = symbol

    assert symbols == [line.split() for line in expected.strip().splitlines()]
    alive = {symbol for line in symbols for symbol in line} & {"X", "O"}
    assert bool(unconditionally_alive(rows)) == bool(alive)


def test_unconditional_life_is_what_no_attack_can_capture() -> None:
    rng = random.Random(1976)
    checked = 0
    while checked < 400:
        size = rng.choice([2, 3, 4, 4])
        stones = random_stones(rng, size, fullness=0.75, black=rng.choice([0.7, 0.9]))
        if size * size - len(stones) > 5:
            continue
        alive, territory = pass_alive(as_rows(stones, size), BLACK)
        assert alive == never_captured(stones, size, BLACK), to_picture(as_rows(stones, size))
        assert territory.isdisjoint(alive)
        checked += bool(alive)


@dataclass(frozen=True)
class Text:
    text: str
    result: Result
    written: str = field(default="")


RESULTS = [
    Text("B+3.5", Result("black", "score", 3.5)),
    Text("W+2", Result("white", "score", 2.0)),
    Text("W+0.25", Result("white", "score", 0.25)),
    Text("w+64.00", Result("white", "score", 64.0), "W+64"),
    Text("Black + 3,5", Result("black", "score", 3.5), "B+3.5"),
    Text("W+R", Result("white", "resignation")),
    Text("b+resign", Result("black", "resignation"), "B+R"),
    Text("W+T", Result("white", "time")),
    Text("B+Time", Result("black", "time"), "B+T"),
    Text("B+F", Result("black", "forfeit")),
    Text("W+Forfeit", Result("white", "forfeit"), "W+F"),
    Text("B+", Result("black", "win")),
    Text("0", Result(None, "draw")),
    Text("Draw", Result(None, "draw"), "0"),
    Text("Jigo", Result(None, "draw"), "0"),
    Text("B+0", Result(None, "draw"), "0"),
    Text("Void", Result(None, "void")),
    Text("?", Result(None, "unknown")),
    Text("", Result(None, "unknown"), "?"),
]


@pytest.mark.parametrize("case", RESULTS, ids=lambda case: case.text or "nothing")
def test_results_as_text(case: Text) -> None:
    assert parse_result(case.text) == case.result
    assert str(case.result) == (case.written or case.text)
    assert parse_result(str(case.result)) == case.result


@pytest.mark.parametrize(
    "text", ["B", "X+3", "B+-3", "B+nan", "B+inf", "B+1e999", "+3", "B+three", "3.5"]
)
def test_texts_that_are_no_result(text: str) -> None:
    with pytest.raises(GoError, match="invalid result"):
        parse_result(text)
