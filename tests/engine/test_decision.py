"""Decisions in words."""

from __future__ import annotations

from dataclasses import replace

from analyses import analysis, move_info
from montego.engine.decision import Decision, DecisionReason, explain


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
