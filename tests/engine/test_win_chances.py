"""What chances to win mean for the next move: resigning, an imagined komi, counting points."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analyses import analysis, move_info
from montego.engine.options.options import Options
from montego.engine.win_chances import MOST, WinChances, handicap_bonus
from montego.go.game import Game


def resigns(
    chances: WinChances, options: Options, color: str, value: float, moves_played: int
) -> bool:
    """Say whether *color* should resign after that many moves on 9x9."""
    game = Game(9)
    for vertex in game.legal_moves("black")[:moves_played]:
        game.play("black", vertex)
    found = analysis(move_info("E5"), value=value)
    return chances.should_resign(options, game, color, found)


def test_resigns_after_several_hopeless_moves_in_a_row() -> None:
    options = Options(resign=0.1, resign_moves=3, resign_after=0.25)
    chances = WinChances()
    values = [0.05, 0.05, 0.2, 0.05, 0.05, 0.05]
    asked = [
        resigns(chances, options, "black", value, 40 + 2 * number)
        for number, value in enumerate(values)
    ]
    assert asked == [False, False, False, False, False, True]


def test_never_resigns_early() -> None:
    options = Options(resign=0.1, resign_moves=1, resign_after=0.25)
    assert not resigns(WinChances(), options, "black", 0.0, 19)
    assert resigns(WinChances(), options, "black", 0.0, 21)


def test_asking_again_or_taking_back_does_not_count_twice() -> None:
    options = Options(resign=0.1, resign_moves=2, resign_after=0.0)
    chances = WinChances()
    for _ in range(3):
        assert not resigns(chances, options, "white", 0.0, 51)
    assert not resigns(chances, options, "white", 0.0, 49)
    assert resigns(chances, options, "white", 0.0, 51)


def test_a_komi_imagined_against_oneself_is_no_reason_to_resign() -> None:
    options = Options(resign=0.1, resign_moves=1, resign_after=0.0)
    game, found = Game(9), analysis(move_info("E5"), value=0.01)
    for color, imagined, hopeless in (
        ("black", 10.0, False),
        ("black", -10.0, True),
        ("white", -10.0, False),
    ):
        searched = replace(found, imagined=imagined)
        assert WinChances().should_resign(options, game, color, searched) is hopeless


def test_handicap_is_compensated_less_and_less() -> None:
    bonuses = [handicap_bonus(4, "white", moves, 19) for moves in (0, 50, 100, 200)]
    assert bonuses[0] == 32
    assert bonuses == sorted(bonuses, reverse=True)
    assert bonuses[-1] == 0
    assert handicap_bonus(0, "white", 0, 19) == 0
    assert handicap_bonus(4, "white", 0, 9) < bonuses[0]


@pytest.mark.parametrize(
    ("mode", "handicap", "expected"),
    [("off", 4, False), ("handicap", 0, False), ("handicap", 4, True), ("always", 4, True)],
)
def test_komi_is_imagined_where_the_option_says_so(
    mode: str, handicap: int, expected: bool
) -> None:
    game = Game(19)
    if handicap:
        game.fixed_handicap(handicap)
    offset = WinChances().komi_offset(Options(dynamic_komi=mode), game, "white")
    assert (offset > 0) is expected


def test_the_ratchet_makes_it_harder_for_who_wins_too_easily() -> None:
    options, game, chances = Options(dynamic_komi="always"), Game(9), WinChances()

    def search(color: str, value: float, times: int) -> None:
        for _ in range(times):
            chances.note(game, color, analysis(move_info("E5"), value=value))

    search("black", 0.95, 5)
    assert chances.komi_offset(options, game, "black") == 5
    search("white", 0.95, 8)
    assert chances.komi_offset(options, game, "black") == -3
    search("white", 0.05, 100)
    assert chances.komi_offset(options, game, "black") == MOST
    for vertex in game.legal_moves("black")[:61]:
        game.play("black", vertex)
    assert chances.komi_offset(options, game, "black") == 0  # The end is played by the true komi.


def test_points_count_when_the_game_is_decided() -> None:
    options, game, chances = Options(), Game(9), WinChances()
    assert chances.counts_points(options, game, "black") is None
    chances.note(game, "black", analysis(move_info("E5", visits=50), value=0.97))
    assert chances.counts_points(options, game, "black")
    game.play("black", "E5")
    nearly = analysis(move_info("E5", visits=50), value=0.9)
    chances.note(game, "black", replace(nearly, points=True))
    assert chances.counts_points(options, game, "black")  # Not to and fro.
    chances.note(game, "black", analysis(move_info("E5"), value=0.6))
    assert chances.counts_points(options, game, "black")  # That was broken off.
    assert chances.counts_points(options, game, "white")  # It is the same game.
    assert chances.counts_points(options.replace(level="10k"), game, "black") is False
    chances.note(game, "black", nearly)
    assert chances.counts_points(options, game, "black") is False
    assert chances.counts_points(options, game, "white") is None
    chances.note(game, "white", analysis(move_info("E5", visits=9), value=1.0))
    assert chances.counts_points(options, game, "white") is None  # Luck, so far.


def test_hopeless_is_a_game_that_no_move_can_win() -> None:
    options, game = Options(resign_moves=1, resign_after=0), Game(9)
    for other, hopeless in ((0.04, True), (0.3, False)):
        moves = (move_info("E5", visits=90, value=0.03), move_info("C3", visits=60, value=other))
        found = replace(analysis(*moves, value=0.03), points=True)
        assert WinChances().should_resign(options, game, "black", found) is hopeless


def test_what_was_decided_holds_from_there_on() -> None:
    options, game, chances = Options(), Game(9), WinChances()
    game.play("black", "E5")
    chances.note(game, "white", analysis(move_info("C3", visits=50), value=0.02))
    game.play("white", "C3")
    assert chances.counts_points(options, game, "white") is True
    game.komi = 30.5
    assert chances.counts_points(options, game, "white") is None
    game.komi = 7.5
    assert chances.counts_points(options, game, "white") is True
    game.undo()
    game.undo()
    assert chances.counts_points(options, game, "white") is None


def test_an_imagined_komi_is_instead_of_points() -> None:
    options, chances = Options(dynamic_komi="handicap"), WinChances()
    game = Game(9)
    game.fixed_handicap(4)
    chances.note(game, "white", analysis(move_info("E5", visits=50), value=0.03))
    assert chances.counts_points(options, game, "white") is False


def test_who_gives_a_handicap_with_a_network_does_not_resign_before_it_is_used_up() -> None:
    options = Options(resign=0.1, resign_moves=1, resign_after=0.0)
    found = replace(analysis(move_info("E5"), value=0.01), network_value=0.01)
    game = Game(9)
    game.fixed_handicap(4)
    assert not WinChances().should_resign(options, game, "white", found)
    assert WinChances().should_resign(options, game, "black", found)
    for vertex in game.legal_moves("white")[:40]:
        game.play("white", vertex)
    assert WinChances().should_resign(options, game, "white", found)
