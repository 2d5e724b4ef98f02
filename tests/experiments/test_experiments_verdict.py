"""Figures, the checks made of them, and the sentences made of the checks."""

from __future__ import annotations

import math

import pytest

from montego.experiments.figures import (
    FigureRow,
    fitted_power,
    mean_row,
    number_text,
    share_row,
    student,
)
from montego.experiments.verdict import (
    Check,
    ClaimVerdict,
    above,
    agreement,
    agrees,
    at_most,
    below,
    between,
    combined,
    difference,
    is_even,
    is_not_worse,
    more,
    none_beats,
    none_better,
    rising,
    same,
    verdict_of,
)

YES, NO, OPEN = Check("yes", holds=True), Check("no", holds=False), Check("open", holds=None)


def row(cell: str, ours: float, width: float = 0.05, document: float | None = None) -> FigureRow:
    return FigureRow(cell, ours, ours - width, ours + width, 100, document, "%")


@pytest.mark.parametrize(
    ("checks", "verdict", "sentence"),
    [
        ([YES, YES], ClaimVerdict.HOLDS, "Holds: yes; yes."),
        ([NO], ClaimVerdict.DOES_NOT_HOLD, "Does not hold: no."),
        ([NO, OPEN], ClaimVerdict.DOES_NOT_HOLD, "Does not hold: no. Open: open."),
        ([YES, NO], ClaimVerdict.DIFFERS, "Differs: no; while yes."),
        ([YES, NO, OPEN], ClaimVerdict.DIFFERS, "Differs: no; while yes. Open: open."),
        ([YES, OPEN], ClaimVerdict.UNDECIDED, "Undecided: open. True so far: yes."),
        ([OPEN], ClaimVerdict.UNDECIDED, "Undecided: open."),
        ([], ClaimVerdict.UNDECIDED, "Undecided: there is nothing to compare yet."),
    ],
)
def test_the_verdict_follows_from_the_checks(
    checks: list[Check], verdict: ClaimVerdict, sentence: str
) -> None:
    assert verdict_of(checks) == (verdict, sentence)


CHECKS = [
    (above(row("A", 0.6), 0.5), True, "A (60 % [55, 65]) is above 50 %"),
    (above(row("A", 0.4), 0.5), False, "A (40 % [35, 45]) is not above 50 %"),
    (above(row("A", 0.52), 0.5), None, "A (52 % [47, 57]) is perhaps above 50 %"),
    (above(None, 0.5, "A"), None, "no results yet for A"),
    (above(share_row("A", 0, 0), 0.5), None, "no results yet for A"),
    (above(row("A", 0.56), 0.5, at_least=0.1), True, "A (56 % [51, 61]) is above 50 %"),
    (
        above(row("A", 0.52, 0.01), 0.5, at_least=0.1),
        False,
        "A (52 % [51, 53]) is not above 50 % by as much as 10 points",
    ),
    (
        same(row("A", 0.57, 0.02), row("B", 0.5, 0.02), 0.05),
        None,
        "A (57 % [55, 59]) may differ from B (50 % [48, 52]) by more than 5 points",
    ),
    (
        above(row("A", 0.52), 0.5, at_least=0.1),
        False,
        "A (52 % [47, 57]) is not above 50 % by as much as 10 points",
    ),
    (
        above(row("A", 0.55, 0.06), 0.5, at_least=0.1),
        None,
        "A (55 % [49, 61]) is perhaps above 50 %",
    ),
    (below(row("A", 0.4), 0.5, "it"), True, "it (40 % [35, 45]) is below 50 %"),
    (below(row("A", 0.6), 0.5), False, "A (60 % [55, 65]) is not below 50 %"),
    (below(row("A", 0.48), 0.5), None, "A (48 % [43, 53]) is perhaps below 50 %"),
    (
        agrees(row("A", 0.5, document=0.54)),
        True,
        "A (50 % [45, 55]) agrees with the document's 54 %",
    ),
    (
        agrees(row("A", 0.5, document=0.6)),
        False,
        "A (50 % [45, 55]) differs from the document's 60 %",
    ),
    (
        agrees(row("A", 0.5, document=0.6), 0.06),
        True,
        "A (50 % [45, 55]) agrees with the document's 60 %, to within 6 points",
    ),
    (
        agrees(row("A", 0.5, document=0.5), widest=0.05),
        None,
        "A (50 % [45, 55]) may agree with the document's 50 %",
    ),
    (agrees(row("A", 0.5)), None, "no results yet for A"),
    (
        between(row("A", 0.47), 0.5, 0.6),
        True,
        "A (47 % [42, 52]) agrees with the document's 50 to 60 %",
    ),
    (
        between(row("A", 0.7), 0.5, 0.6),
        False,
        "A (70 % [65, 75]) differs from the document's 50 to 60 %",
    ),
    (
        between(row("A", 0.4), 0.5, 0.6),
        False,
        "A (40 % [35, 45]) differs from the document's 50 to 60 %",
    ),
    (
        between(row("A", 0.55), 0.5, 0.6, widest=0.05),
        None,
        "A (55 % [50, 60]) may agree with the document's 50 to 60 %",
    ),
    (between(None, 0.5, 0.6), None, "no results yet"),
    (more(row("A", 0.6), row("B", 0.5)), True, "A (60 % [55, 65]) is more than B (50 % [45, 55])"),
    (
        more(row("A", 0.5), row("B", 0.6)),
        False,
        "A (50 % [45, 55]) is not more than B (60 % [55, 65])",
    ),
    (
        more(row("A", 0.56), row("B", 0.5)),
        None,
        "A (56 % [51, 61]) is perhaps more than B (50 % [45, 55])",
    ),
    (more(None, row("B", 0.5)), None, "no results yet for B"),
    (
        same(row("A", 0.5), row("B", 0.52), 0.2),
        True,
        "A (50 % [45, 55]) is the same as B (52 % [47, 57]) to within 20 points",
    ),
    (
        same(row("A", 0.5), row("B", 0.9), 0.2),
        False,
        "A (50 % [45, 55]) differs from B (90 % [85, 95]) by more than 20 points",
    ),
    (
        same(row("A", 0.5), row("B", 0.52), 0.05),
        None,
        "A (50 % [45, 55]) may differ from B (52 % [47, 57]) by more than 5 points",
    ),
    (
        rising([row("A", 0.2), row("B", 0.19), row("C", 0.6)]),
        True,
        "it rises from 20 % [15, 25] at A to 60 % [55, 65] at C",
    ),
    (
        rising([row("A", 0.2), row("B", 0.7), row("C", 0.5)]),
        False,
        "it falls from 70 % [65, 75] at B to 50 % [45, 55] at C",
    ),
    (
        rising([row("A", 0.2), row("B", 0.21)]),
        None,
        "it perhaps rises from 20 % [15, 25] at A to 21 % [16, 26] at B",
    ),
    (rising([row("A", 0.2)]), None, "no results yet for A"),
    (rising([]), None, "no results yet"),
]


@pytest.mark.parametrize(("check", "holds", "text"), CHECKS)
def test_a_check_knows_its_words(check: Check, holds: bool | None, text: str) -> None:
    assert (check.holds, check.text) == (holds, text)


def test_a_table_agrees_if_all_but_chance_does() -> None:
    good = [share_row(f"cell {number}", 52, 100, 0.5) for number in range(19)]
    bad = share_row("bad", 90, 100, 0.5)

    assert agreement(good, 50).holds is True
    assert agreement([*good, bad], 50).holds is True
    # Of 22 figures three are outside by chance in one of fifty tables, four hardly ever.
    assert agreement([*good, bad, bad, bad], 50).holds is True
    assert agreement([*good, bad, bad, bad, bad], 50).holds is False
    assert agreement([bad], 50) == Check(
        "bad (90 % [83, 94]) differs from the document's 50 % [37, 63] of 50 games", holds=False
    )
    assert agreement([share_row("few", 2, 3, 0.5)], 50).holds is None
    assert agreement([row("A", 0.5)], 50).holds is None


def test_a_handful_of_games_decides_nothing() -> None:
    """Four wins of four have an interval above one half, and are a chance of one in sixteen."""
    few, many = share_row("few", 4, 4, 0.1), share_row("many", 10, 100)
    assert few.low > 0.5
    for check in (
        above(few, 0.5),
        below(few, 1.5),
        agrees(few),
        between(few, 0.0, 0.2),
        more(few, many),
        same(few, many, 0.1),
        rising([many, few]),
        rising([few, many]),
        agreement([few], 50),
        none_better(many, [few], 0.1),
        none_better(few, [many], 0.1),
    ):
        assert check.holds is None, check.text
    assert above(share_row("enough", 10, 10), 0.5).holds is True


def test_of_many_equals_one_may_look_better() -> None:
    best, lucky = share_row("best", 100, 200), share_row("lucky", 121, 200)
    equal = [share_row(f"equal {number}", 100, 200) for number in range(6)]

    assert none_better(best, [lucky], 0.1).holds is False
    assert none_better(best, [lucky, *equal], 0.1).holds is None
    falling = [share_row("high", 121, 200), best]
    assert rising(falling).holds is False
    assert rising([share_row("low", 20, 200), *equal, *falling]).holds is True


def test_none_better_is_open_while_a_rival_may_be_better() -> None:
    best, weak = share_row("best", 70, 100), share_row("weak", 50, 100)
    assert none_better(best, [weak], 0.1).holds is True
    assert none_better(best, [weak, share_row("near", 68, 100)], 0.1).holds is None
    false = none_better(best, [weak, share_row("strong", 95, 100)], 0.1)
    assert false.holds is False
    assert "strong (95 %" in false.text
    assert none_better(None, [weak], 0.1).holds is None


def test_the_better_one_is_named_even_if_a_less_certain_one_has_more() -> None:
    best = share_row("best", 50, 100)
    check = none_better(best, [share_row("few", 10, 10), share_row("many", 90, 100)], 0.1)
    assert check.holds is False
    assert check.text.startswith("many (90 %")


def test_who_is_played_against_is_better_than_none_that_wins_less_than_half() -> None:
    assert none_beats("champion", [share_row("weak", 40, 100)], 0.1) == Check(
        "nothing is better than champion (50 % [50, 50]) by 10 points, not even weak (40 % "
        "[31, 50])",
        holds=True,
    )
    assert none_beats("champion", [share_row("strong", 70, 100)], 0.1).holds is False
    assert none_beats("champion", [], 0.1).holds is None


def test_an_even_match_is_told_from_an_uneven_one_and_from_too_few_games() -> None:
    assert is_even(share_row("a", 500, 1000), 0.05).holds is True
    assert is_even(share_row("a", 430, 1000), 0.05).holds is False
    assert is_even(share_row("a", 5, 10), 0.05).holds is None
    assert is_even(share_row("a", 228, 500), 0.05).holds is False
    assert is_even(share_row("a", 230, 500), 0.05).holds is None
    assert is_even(None, 0.05).holds is None


def test_a_side_that_is_better_is_no_worse() -> None:
    assert is_not_worse(share_row("a", 650, 1000), 0.05).holds is True
    assert is_not_worse(share_row("a", 500, 1000), 0.05).holds is True
    assert is_not_worse(share_row("a", 430, 1000), 0.05).holds is False
    assert is_not_worse(share_row("a", 5, 10), 0.05).holds is None
    assert is_not_worse(share_row("a", 228, 500), 0.05).holds is False
    assert is_not_worse(share_row("a", 228, 500), 0.05, family=3).holds is None
    assert is_not_worse(None, 0.05).holds is None


def test_combined_check_names_what_fails() -> None:
    checks = [Check("a", holds=True), Check("b", None), Check("c", holds=False)]
    assert combined("all", checks) == Check("of 'all': c", holds=False)
    assert combined("all", checks[:2]) == Check("of 'all': b", None)
    assert combined("all", checks[:1]) == Check("all", holds=True)


def test_a_difference_is_as_uncertain_as_both() -> None:
    # Newcombe's example (a) of 1998: 56 of 70 against 48 of 80, method 10: 0.0524 to 0.3339.
    gap, low, high = difference(share_row("", 56, 70), share_row("", 48, 80))

    assert gap == pytest.approx(0.2)
    assert [low, high] == pytest.approx([0.0524, 0.3339], abs=1e-4)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (100, 1.984)]
)
def test_students_quantiles(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.01)


def test_a_mean_has_students_interval() -> None:
    mean = mean_row("A", [1.0, 2.0, 3.0, 4.0, 5.0], 3.5, "s")

    assert mean.ours == 3.0
    assert [mean.low, mean.high] == pytest.approx([1.037, 4.963], abs=0.02)
    assert (mean.shown_document, mean.count) == ("3.5 s", 5)
    assert mean_row("A", [2.0]).shown == "2 [−∞, ∞]"
    assert mean_row("A", []).count == 0
    assert mean_row("A", []).shown == share_row("A", 0, 0).shown == "no games yet"


def test_a_power_law_is_found() -> None:
    factor, exponent = fitted_power([(n, 3.0 * n**2.5) for n in (2, 5, 9, 19)])

    assert [factor, exponent] == pytest.approx([3.0, 2.5])


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.07, "%", "7"),
        (0.666, "%", "67"),
        (0.0526, "%", "5.3"),
        (1.0, "%", "100"),
        (0.0, "%", "0"),
        (1234567.0, "", "1,234,567"),
        (999.7, "", "1,000"),
        (-999.7, "", "-1,000"),
        (999.4, "", "999"),
        (0.0996, "%", "10"),
        (3.14159, "", "3.14"),
        (0.00002, "", "2.00e-05"),
        (math.nan, "", "?"),
    ],
)
def test_numbers_have_as_many_digits_as_they_deserve(value: float, unit: str, text: str) -> None:
    assert number_text(value, unit) == text


def test_a_bound_from_above_is_kept_by_whatever_is_smaller() -> None:
    small, near, large = (FigureRow("power", x, x - 0.1, x + 0.1, 20) for x in (1.5, 2.0, 2.5))
    assert at_most(small, 2.0).holds is True
    assert at_most(near, 2.0).holds is None
    assert at_most(near, 2.0, 0.2) == Check(
        "power (2 [1.9, 2.1]) is no more than 2, to within 0.2", holds=True
    )
    assert at_most(large, 2.0).holds is False
    assert at_most(None, 2.0).holds is None


def test_checks_say_what_they_were_judged_by_and_what_would_refute_them() -> None:
    good, bad = share_row("good", 80, 100), share_row("bad", 30, 100)
    difference_of_two = more(good, bad)
    assert difference_of_two.figure is not None
    assert difference_of_two.figure.told == "good less bad (50 points [36.9, 60.5])"
    assert difference_of_two.refuted_by == "good surely less than bad"

    checks = [
        above(good, 0.5),
        above(good, 0.5, at_least=0.1),
        below(bad, 0.5, "the bad one"),
        same(good, good, 0.2),
        is_even(good, 0.1),
        is_not_worse(bad, 0.1),
        none_better(good, [bad], 0.1),
        rising([bad, good]),
    ]
    assert all(check.figure is not None for check in checks)
    assert [check.refuted_by for check in checks] == [
        "good surely below 50 %",
        "good surely below 60 %",
        "the bad one surely above 50 %",
        "a difference of surely more than 20 points",
        "an interval of good that leaves out 50 %",
        "bad surely below 50 %",
        "anything surely better than good",
        "a sure fall from one point to the next",
    ]
    pair = combined("all", checks[:2])
    assert (pair.figure, pair.refuted_by) == (good, "any of them: good surely below 50 %")
