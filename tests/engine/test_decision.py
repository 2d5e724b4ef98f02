"""Decisions in words."""

from __future__ import annotations

from dataclasses import replace

from analyses import analysis, move_info
from montego.engine.decision import Decision, DecisionReason, explain
from montego.engine.searching.analysis import MoveInfo, agreeing_score, error_of


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


def told(*moves: MoveInfo, played: str | None = None) -> str:
    """The explanation of the first move, or of another one that was played."""
    decision = Decision(
        color="black",
        vertex=played or moves[0].vertex,
        reason=DecisionReason.SEARCH,
        analysis=analysis(*moves),
        seconds=0.1,
    )
    return explain(decision)


def test_a_few_simulations_have_no_percentages() -> None:
    text = told(move_info("E5", 12, 0.0), move_info("C3", 3, 1.0, order=1))
    assert "E5: too few to tell its chance to win." in text
    assert "C3 (3 visits)" in text
    assert "chance to win is" not in text
    assert "The choice is clear." not in text


def test_no_chance_is_certain_and_no_error_nothing() -> None:
    text = told(move_info("E5", 40, 0.0))
    assert "chance to win is 0%, give or take 6" in text


def test_a_chance_that_is_well_known_has_an_error_all_the_same() -> None:
    assert "chance to win is 90%, give or take 1" in told(move_info("E5", 900_000, 0.9))


def test_a_score_that_may_contradict_the_chance_is_not_told() -> None:
    found = replace(analysis(move_info("E5", 60, 0.45), value=0.45), scored_apart=True)
    decision = Decision(
        color="black", vertex="E5", reason=DecisionReason.SEARCH, analysis=found, seconds=0.1
    )
    text = explain(decision)
    assert "chance to win is 45%, give or take 12." in text
    assert "on average" not in text


def test_nobody_is_called_ahead_who_wins_less_often() -> None:
    assert agreeing_score(-3.9, 0.58) == agreeing_score(1.3, 0.42) == 0.0
    assert agreeing_score(1.3, 0.58) == 1.3
    assert agreeing_score(-3.9, 0.42) == -3.9
    # The sample's score is Black's by 2.5 points.
    assert "; the score is even on average." in told(move_info("E5", 400, 0.4))
    assert "; Black ends 2.5 points ahead on average." in told(move_info("E5", 400, 0.6))


def test_the_chance_can_be_left_to_those_who_know_it_better() -> None:
    found = analysis(move_info("E5", 60, 0.55), move_info("C3", 40, 0.5, order=1))
    decision = Decision(
        color="black", vertex="E5", reason=DecisionReason.SEARCH, analysis=found, seconds=0.1
    )
    text = explain(decision, chance=False)
    assert "60% went through E5.\n" in text
    assert "chance to win" not in text


def test_a_choice_beside_a_better_looking_move_is_not_called_clear() -> None:
    text = told(move_info("E5", 400, 0.5), move_info("C3", 30, 0.6, order=1))
    assert "C3 looks better, but was searched too little to be relied on." in text
    assert "clear" not in text
    text = told(move_info("E5", 4000, 0.5), move_info("C3", 900, 0.6, order=1))
    assert "C3 looks better, but was found late" in text
    text = told(move_info("E5", 30, 0.5), move_info("C3", 90, 0.6, order=1))
    assert "C3 was searched more and looks better" in text


def test_the_error_of_a_chance_shrinks_with_visits_and_is_never_nothing() -> None:
    errors = [error_of(0.5, visits) for visits in (0, 20, 100, 1000)]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] == 0.5
    assert 0.03 < errors[-1] < 0.04
    assert error_of(0.0, 10) > 0.1
