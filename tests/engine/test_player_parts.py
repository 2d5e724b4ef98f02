"""The pieces a player is made of, each alone: no search, no clock of the machine."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import to_rows

from montego.engine.clock import TimeBudget
from montego.engine.course import Course
from montego.engine.decision import Decision, DecisionReason
from montego.engine.dynamic_komi import MOST, DynamicKomi, handicap_bonus
from montego.engine.explanation import explain
from montego.engine.options.options import Options
from montego.engine.resignation import Resignation
from montego.engine.searching.analysis import Analysis, MoveInfo, Restriction, VertexLimit
from montego.engine.searching.cold_start import simple_move
from montego.engine.searching.deliberation import Standing, is_enough
from montego.go.game import Game
from montego.go.vocabulary.errors import GoError


def game_of(picture: str, *, to_play: str = "black") -> Game:
    rows = to_rows(picture)
    size = len(rows)
    stones: dict[int, list[str]] = {0: [], 1: [], 2: []}
    for line, row in enumerate(rows):
        for column, color in enumerate(row):
            stones[color].append(f"{'ABCDEFGHJ'[column]}{size - line}")
    game = Game(size)
    game.setup(black=stones[1], white=stones[2], to_play=to_play)
    return game


def move_info(vertex: str, visits: int = 10, value: float = 0.5, **more: object) -> MoveInfo:
    order = more.pop("order", 0)
    return MoveInfo(
        vertex=vertex,
        visits=visits,
        value=value,
        prior=0.5,
        lower_bound=max(value - 0.1, 0.0),
        rave_value=0.4,
        rave_visits=20,
        variation=(vertex, "pass"),
        order=order,  # type: ignore[arg-type]
        **more,  # type: ignore[arg-type]
    )


def analysis(*moves: MoveInfo, simulations: int = 100, value: float = 0.5) -> Analysis:
    return Analysis(
        to_play="black",
        simulations=simulations,
        visits=sum(move.visits for move in moves),
        value=value,
        mean_score=2.5,
        score_deviation=5.0,
        moves=moves,
        seconds=0.1,
        memory_share=0.0,
    )


# A move without a compiler


CAPTURE = """
. . . . .
. X X . .
X O O . .
. X X . .
. . . . .
"""
RESCUE = """
. . . . .
. O O . .
O X X . .
. O O . .
. . . . .
"""
EYES = """
. X . X .
X X X X X
X X X X X
X X X X X
X X . X .
"""


@pytest.mark.parametrize(
    ("picture", "color", "vertex"),
    [(CAPTURE, "black", "D3"), (CAPTURE, "white", "D3"), (RESCUE, "black", "D3")],
)
def test_captures_and_saves_without_a_compiler(picture: str, color: str, vertex: str) -> None:
    assert simple_move(game_of(picture), color) == vertex


def test_fills_no_eyes_without_a_compiler() -> None:
    assert simple_move(game_of(EYES), "black") == "pass"


def test_a_cold_start_keeps_to_what_the_client_allows() -> None:
    game = Game(5)
    assert simple_move(game, "black", frozenset({"A1", "C2"})) == "C2"
    assert simple_move(game, "black", frozenset({"A1", "C2"}), frozenset({"C2"})) == "A1"
    assert simple_move(game, "black", frozenset({"pass"})) == "pass"
    eyes = game_of(EYES)
    assert simple_move(eyes, "black", avoided=frozenset({"pass"})) in eyes.legal_moves("black")
    assert simple_move(game, "black", frozenset({"Z9"})) == simple_move(game, "black")


def test_opens_on_a_star_point_without_a_compiler() -> None:
    game = Game(19)
    first = simple_move(game, "black")
    game.play("black", first)
    second = simple_move(game, "white")
    stars = {f"{letter}{line}" for letter in "DKQ" for line in (4, 10, 16)}
    assert {first, second} <= stars
    assert first != second


def test_plays_whole_games_without_a_compiler() -> None:
    game = Game(7, rules="tromp-taylor")
    for _ in range(150):
        if game.is_over:
            break
        game.play(game.to_play, simple_move(game, game.to_play))  # Raises if it is illegal.


# When to stop thinking


BUDGET = TimeBudget(target=10.0, most=30.0)


@pytest.mark.parametrize(
    ("visits", "second", "values", "elapsed", "expected"),
    [
        (900, 10, (0.6, 0.5), 1.0, False),  # too early to say
        (900, 10, (0.6, 0.5), 6.0, True),  # nobody can catch up any more
        (500, 400, (0.6, 0.5), 6.0, False),
        (500, 100, (0.6, 0.5), 10.5, True),  # clear
        (500, 450, (0.5, 0.5), 10.5, False),  # as good as equal
        (500, 490, (0.5, 0.5), 29.0, False),
        (500, 450, (0.5, 0.5), 30.0, True),  # the limit
        (500, 300, (0.6, 0.5), 12.0, False),  # not so clear
        (500, 300, (0.6, 0.5), 15.5, True),  # but clear enough by now
        (500, 300, (0.4, 0.5), 15.5, False),  # the better value has fewer visits
    ],
)
def test_thinks_longer_about_what_is_unclear(
    visits: int, second: int, values: tuple[float, float], elapsed: float, expected: bool
) -> None:
    standing = Standing(visits, second, *values, simulations=1000)
    assert is_enough(standing, elapsed, BUDGET) is expected


def test_without_any_knowledge_only_the_limit_counts() -> None:
    assert not is_enough(None, 29.0, BUDGET)
    assert is_enough(None, 30.0, BUDGET)


def test_without_early_stop_the_time_is_used_up() -> None:
    standing = Standing(900, 10, 0.6, 0.5, simulations=1000)
    assert not is_enough(standing, 6.0, BUDGET, early_stop=False)
    assert is_enough(standing, 10.0, BUDGET, early_stop=False)


# Resigning


def test_resigns_after_several_hopeless_moves_in_a_row() -> None:
    options = Options(resign=0.1, resign_moves=3, resign_after=0.25)
    resignation = Resignation()
    values = [0.05, 0.05, 0.2, 0.05, 0.05, 0.05]
    asked = [
        resignation.should_resign(options, "black", value, 40 + 2 * number, 9)
        for number, value in enumerate(values)
    ]
    assert asked == [False, False, False, False, False, True]


def test_never_resigns_early() -> None:
    options = Options(resign=0.1, resign_moves=1, resign_after=0.25)
    assert not Resignation().should_resign(options, "black", 0.0, 19, 9)
    assert Resignation().should_resign(options, "black", 0.0, 21, 9)


def test_asking_again_or_taking_back_does_not_count_twice() -> None:
    options = Options(resign=0.1, resign_moves=2, resign_after=0.0)
    resignation = Resignation()
    for _ in range(3):
        assert not resignation.should_resign(options, "white", 0.0, 51, 9)
    assert not resignation.should_resign(options, "white", 0.0, 49, 9)
    assert resignation.should_resign(options, "white", 0.0, 51, 9)


def test_a_komi_imagined_against_oneself_is_no_reason_to_resign() -> None:
    options = Options(resign=0.1, resign_moves=1, resign_after=0.0)
    game, found = Game(9), analysis(move_info("E5"), value=0.01)
    for color, imagined, resigns in (
        ("black", 10.0, False),
        ("black", -10.0, True),
        ("white", -10.0, False),
    ):
        searched = replace(found, imagined=imagined)
        assert Course().is_hopeless(options, game, color, searched) is resigns


# Komi that is only imagined


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
    assert (DynamicKomi().offset(mode, handicap, "white", 0, 19) > 0) is expected


def test_the_ratchet_makes_it_harder_for_who_wins_too_easily() -> None:
    komi = DynamicKomi()
    for _ in range(5):
        komi.learn("black", 0.95)
    assert komi.offset("always", 0, "black", 10, 19) == 5
    for _ in range(8):
        komi.learn("white", 0.95)
    assert komi.offset("always", 0, "black", 10, 19) == -3
    for _ in range(100):
        komi.learn("white", 0.05)
    assert komi.ratchet == MOST
    assert komi.offset("always", 0, "black", 300, 19) == 0  # The end is played by the true komi.


def test_points_count_when_the_game_is_decided() -> None:
    options, game, course = Options(), Game(9), Course()
    assert course.counts_points(options, game, "black") is None
    course.learn(game, "black", analysis(move_info("E5", visits=50), value=0.97))
    assert course.counts_points(options, game, "black")
    game.play("black", "E5")
    nearly = analysis(move_info("E5", visits=50), value=0.9)
    course.learn(game, "black", replace(nearly, points=True))
    assert course.counts_points(options, game, "black")  # Not to and fro.
    course.learn(game, "black", analysis(move_info("E5"), value=0.6))
    assert course.counts_points(options, game, "black")  # That was broken off.
    assert course.counts_points(options, game, "white")  # It is the same game.
    assert course.counts_points(options.replace(level="10k"), game, "black") is False
    course.learn(game, "black", nearly)
    assert course.counts_points(options, game, "black") is False
    assert course.counts_points(options, game, "white") is None
    course.learn(game, "white", analysis(move_info("E5", visits=9), value=1.0))
    assert course.counts_points(options, game, "white") is None  # Luck, so far.


def test_hopeless_is_a_game_that_no_move_can_win() -> None:
    options, game = Options(resign_moves=1, resign_after=0), Game(9)
    for other, resigns in ((0.04, True), (0.3, False)):
        moves = (move_info("E5", visits=90, value=0.03), move_info("C3", visits=60, value=other))
        found = replace(analysis(*moves, value=0.03), points=True)
        assert Course().is_hopeless(options, game, "black", found) is resigns


def test_what_was_decided_holds_from_there_on() -> None:
    options, game, course = Options(), Game(9), Course()
    game.play("black", "E5")
    course.learn(game, "white", analysis(move_info("C3", visits=50), value=0.02))
    game.play("white", "C3")
    assert course.counts_points(options, game, "white") is True
    game.komi = 30.5
    assert course.counts_points(options, game, "white") is None
    game.komi = 7.5
    assert course.counts_points(options, game, "white") is True
    game.undo()
    game.undo()
    assert course.counts_points(options, game, "white") is None


def test_an_imagined_komi_is_instead_of_points() -> None:
    options, course = Options(dynamic_komi="handicap"), Course()
    game = Game(9)
    game.fixed_handicap(4)
    course.learn(game, "white", analysis(move_info("E5", visits=50), value=0.03))
    assert course.counts_points(options, game, "white") is False


# Restrictions and words


def test_restrictions_of_one_color_at_the_root() -> None:
    restriction = Restriction(
        (
            VertexLimit(color="black", vertices=frozenset({"A1", "B1"}), only=True),
            VertexLimit(color="black", vertices=frozenset({"B1", "C1"}), only=True),
            VertexLimit(color="black", vertices=frozenset({"pass"}), until_depth=3),
            VertexLimit(color="white", vertices=frozenset({"D1"})),
        )
    )
    assert restriction.at_root("black") == (frozenset({"B1"}), frozenset({"pass"}))
    assert restriction.at_root("white") == (None, frozenset({"D1"}))
    with pytest.raises(GoError):
        restriction.at_root("green")


def test_a_close_choice_is_called_close() -> None:
    found = analysis(
        move_info("E5", 60, 0.55), move_info("C3", 50, 0.55, order=1), move_info("A1", 1, 0.1)
    )
    decision = Decision(
        color="black", vertex="E5", reason=DecisionReason.SEARCH, analysis=found, seconds=0.1
    )
    text = explain(decision, ["captures two stones"])
    assert "The choice between E5 and C3 is close." in text
    assert "C3 (50 visits, 55%)" in text
    assert "Black ends 2.5 points ahead" in text
    assert text.endswith("By shape and tactics: captures two stones.")


@pytest.mark.parametrize(
    ("color", "imagined", "better"), [("white", 15.0, False), ("black", 15.0, True)]
)
def test_chances_under_an_imagined_komi_are_moved_by_the_spread_of_scores(
    color: str, imagined: float, better: bool
) -> None:
    moves = (move_info("E5", 60, 0.45), move_info("C3", 50, 0.4, order=1))
    found = replace(
        analysis(*moves, value=0.45), to_play=color, imagined=imagined, score_deviation=20.0
    )
    told = found.in_truth()

    assert (told.value > 0.65) if better else (told.value < 0.25)
    assert [move.value for move in told.moves] == sorted(
        (move.value for move in told.moves), reverse=True
    )
    assert told.moves[0].value == told.value
    assert told.mean_score == found.mean_score
    assert (told.imagined, told.proviso) == (0.0, "")
    tight = replace(found, score_deviation=1e-9).in_truth()  # As good as decided.
    assert tight.value == pytest.approx(1.0 if better else 0.0, abs=1e-5)


def test_a_chance_under_an_imagined_komi_is_not_told_without_saying_so() -> None:
    found = replace(
        analysis(move_info("E5", 60, 0.45), value=0.45), score_deviation=0.0, imagined=15.0
    )
    decision = Decision(
        color="black", vertex="E5", reason=DecisionReason.SEARCH, analysis=found, seconds=0.1
    )

    assert found.in_truth() == found
    assert "is 45% with 15 points of komi imagined for White, give or" in explain(decision)


def test_the_territory_at_stake_is_named() -> None:
    mine, other = [0.0] * 9, [0.0] * 9
    mine[0], other[0] = 0.9, -0.9
    found = analysis(
        move_info("B2", 90, 0.7, ownership=tuple(mine)),
        move_info("C1", 10, 0.4, ownership=tuple(other), order=1),
    )
    decision = Decision(
        color="black", vertex="B2", reason=DecisionReason.SEARCH, analysis=found, seconds=0.1
    )
    text = explain(decision)
    assert "Compared with C1 it decides about A3." in text
    assert "The choice is clear." in text


def test_a_pass_is_explained_by_its_note() -> None:
    decision = Decision(
        color="white",
        vertex="pass",
        reason=DecisionReason.NOTHING_TO_GAIN,
        analysis=None,
        seconds=0.0,
        note="White is 5.5 points ahead",
    )
    assert explain(decision) == (
        "White passes: the result is settled and nothing is left to gain "
        "(White is 5.5 points ahead)."
    )
