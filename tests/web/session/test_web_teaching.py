"""What a teacher says of moves and games, from what searches found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from montego.go.game import Game
from montego.web.game.go_referee import handicap_stones
from montego.web.game.tree import GameNode, Reviewed
from montego.web.session.teaching import (
    in_one_sentence,
    lessons_in,
    loss_of,
    mistakes_in,
    verdict,
)

if TYPE_CHECKING:
    from montego.web.messages.requests import Color


def judged(value: float, *variation: str, score: float | None = None) -> Reviewed:
    best = variation[0] if variation else None
    return Reviewed(value=value, best=best, variation=variation, score=score, simulations=2000)


def atari() -> Game:
    """Black at A1 is in atari: White captures at B1, where Black would connect."""
    game = Game(7, komi=0.5)
    for color, vertex in (
        ("black", "A1"), ("white", "A2"), ("black", "B2"), ("white", "E5"),
        ("black", "C2"), ("white", "F5"),
    ):  # fmt: skip
        game.play(color, vertex)
    return game


def test_losses_are_those_of_the_player_who_moved() -> None:
    before, after = judged(0.5, "D4", score=2.0), judged(0.7, "C3", score=7.0)
    assert loss_of("white", before, after) == pytest.approx((0.2, 5.0))
    assert loss_of("black", before, after) == pytest.approx((-0.2, -5.0))
    assert loss_of("white", judged(0.5), after).points is None


def test_a_mistake_is_explained_by_its_answer() -> None:
    game = atari()
    before, after = judged(0.6, "B1", "D1"), judged(0.3, "B1", "D4")
    assert in_one_sentence("black", "Black", "G7", before, after, game) == (
        "G7 is a bad mistake: B1 leads to the capture of a stone. Black should have played B1."
    )
    lines = verdict("black", "Black", "G7", before, after, game)
    assert lines[0].startswith("After G7 Black has 30% (±2%) to win, by a short search; after B1")
    assert lines[1] == "The answer is B1 D4, which captures a stone."


def test_what_is_as_good_is_called_good() -> None:
    game = atari()
    close = judged(0.6, "B1"), judged(0.58, "D1")
    assert in_one_sentence("black", "Black", "C4", *close, game) == "C4 is a good move."
    assert in_one_sentence("black", "Black", "B1", *close, game).endswith("would play, too.")


def node(number: int, color: Color | None, move: str | None, found: Reviewed) -> GameNode:
    parent = number - 1 if number else None
    return GameNode(
        id=number,
        parent=parent,
        move=move,
        color=color,
        number=number,
        judged=found,
    )


def test_lessons_come_from_the_persons_own_moves_each_kind_once() -> None:
    line = [
        node(0, None, None, judged(0.6, "C3", "D4")),
        node(1, "black", "A7", judged(0.4, "D4")),
        node(2, "white", "G1", judged(0.7, "E5")),
        node(3, "black", "G2", judged(0.5, "D4")),
        node(4, "white", "D4", judged(0.5, "C3")),
        node(5, "black", "pass", judged(0.1, "C3")),
    ]
    assert [mistake.node for mistake in mistakes_in(line)] == [5, 2, 1, 3]
    states = {0: Game(7)}
    for one in line[1:]:
        states[one.id] = states[one.id - 1].copy()
        states[one.id].play(one.color or "black", one.move or "pass")
    lessons = lessons_in(line, "black", states.__getitem__)
    assert [(lesson.node, lesson.title) for lesson in lessons] == [
        (5, "Do not pass while points are open"),
        (1, "Stay off the edge in the opening"),
    ]
    assert lessons[1].text == "At move 1, A7 on the edge gained little. C3 was better."
    assert [lesson.node for lesson in lessons_in(line, "white", states.__getitem__)] == [2]


@pytest.mark.parametrize(
    ("size", "stones", "points"),
    [(9, 2, "C3 G7"), (9, 3, "C3 G3 G7"), (19, 3, "D4 Q16 Q4"), (19, 4, "D16 D4 Q16 Q4")],
)
def test_handicap_stones_are_where_players_put_them(size: int, stones: int, points: str) -> None:
    assert sorted(handicap_stones(size, stones)) == points.split()
