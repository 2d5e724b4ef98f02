"""Styles: which of the moves that are about as good is played, and how that can be told."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from candidates import candidate
from montego.engine.decision import DecisionReason
from montego.engine.options.levels import moves_like_people, skill_of, soften
from montego.engine.options.options import InvalidOption, Options
from montego.engine.options.styles import STYLES, looks_of, taste_of
from montego.engine.player import Player
from montego.go import Board
from montego.go.kernels.layout import PASS
from montego.go.vocabulary.color import BLACK, WHITE

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = Board.from_diagram("""
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . O . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
""").rows()

PLAIN, LIKED, WORSE = 41, 42, 43


def likes(move: int) -> Callable[[int], float]:
    return lambda one: 10.0 if one == move else 0.1


@pytest.mark.parametrize(
    ("vertex", "contact", "height"),
    [
        ("E6", 1.0, 1 / 3),  # Above the stone, on the fourth line.
        ("D6", 0.0, 1 / 3),
        ("E7", 0.0, -1 / 3),
        ("C7", -1.0, -1 / 3),
        ("A1", -1.0, -1.0),
        ("J5", -1.0, -1.0),
    ],
)
def test_a_move_touches_or_keeps_away_and_is_high_or_low(
    vertex: str, contact: float, height: float
) -> None:
    looks = looks_of(ROWS, BLACK, vertex)

    assert looks.contact == contact
    assert looks.height == pytest.approx(height)


def test_own_stones_are_nothing_to_touch() -> None:
    assert looks_of(ROWS, WHITE, "E6").contact == -1.0


def test_the_middle_of_a_large_board_is_high() -> None:
    assert looks_of([[0] * 19] * 19, BLACK, "K10").height == 1.0


@pytest.mark.parametrize(
    ("style", "more", "less"),
    [
        ("calm", "C7", "E6"),
        ("fighting", "E6", "C7"),
        ("territory", "D2", "D5"),
        ("influence", "D5", "D2"),
    ],
)
def test_each_style_likes_what_it_is_called_for(style: str, more: str, less: str) -> None:
    taste = taste_of(style, ROWS, BLACK)

    assert taste(more) > 2 * taste(less)
    assert taste("pass") == 1.0


def test_on_an_empty_board_nothing_is_calm_or_a_fight() -> None:
    empty = Board(9).rows()

    assert taste_of("calm", empty, BLACK)("E5") == taste_of("fighting", empty, BLACK)("A1") == 1.0


@pytest.mark.parametrize("weakness", [0.0, 0.5, 1.0])
def test_a_move_to_its_taste_is_played_if_it_is_about_as_good(weakness: float) -> None:
    found = [candidate(PLAIN, 100), candidate(LIKED, 60, 0.49), candidate(WORSE, 60, 0.1)]
    random = Random(1)

    drawn = Counter(soften(found, weakness, random, likes(LIKED)) for _ in range(200))

    assert drawn[LIKED] > 150
    assert drawn[WORSE] == 0
    assert {soften(found, weakness, random, likes(WORSE)) for _ in range(50)} <= {PLAIN, LIKED}


def test_without_a_taste_the_strongest_plays_the_best() -> None:
    found = [candidate(PLAIN, 100), candidate(LIKED, 99)]

    assert {soften(found, 0.0, Random(seed)) for seed in range(20)} == {PLAIN}


def test_a_pass_is_not_a_matter_of_taste() -> None:
    found = [candidate(PASS, 100), candidate(LIKED, 90)]

    assert soften(found, 0.0, Random(1), likes(LIKED)) == PASS


def test_people_have_tastes_too() -> None:
    chances = {PLAIN: 0.5, LIKED: 0.4, WORSE: 0.01}

    assert moves_like_people(chances, 0, likes(LIKED))[LIKED] > 0.9
    assert WORSE not in moves_like_people(chances, 0, likes(WORSE))


def test_a_level_makes_up_for_its_style() -> None:
    assert skill_of("9k", 9, styled=True) == skill_of("7k", 9)
    assert skill_of("9d", 9, styled=True) == skill_of("3d", 9, styled=True)


def test_a_network_has_no_style() -> None:
    assert skill_of("1d", 9, network=True).network
    assert not skill_of("1d", 9, network=True, styled=True).network
    assert Options(style="calm").network_path(9) is None
    assert Options(style="calm", network="default").network_path(9) is not None


def test_a_program_of_the_documents_has_its_own_style() -> None:
    with pytest.raises(InvalidOption, match="neither level nor style"):
        Options(preset="mogo", style="calm")
    with pytest.raises(InvalidOption, match="calm"):
        Options(style="wild")


def test_a_player_says_that_its_style_chose() -> None:
    seen: set[DecisionReason] = set()
    for style in STYLES:
        with_style = Options(
            size=9, simulations=60, threads=1, seed=1, style=style, network=None, resign=None
        )
        player = Player(with_style)
        try:
            for _ in range(3):
                for color in ("black", "white"):
                    seen.add(player.genmove(color).reason)
        finally:
            player.close()

    assert DecisionReason.STYLE in seen
