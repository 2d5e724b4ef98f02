"""Rule sets, their names and komi."""

from __future__ import annotations

import math
import re
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.go.vocabulary.errors import InvalidKomi, InvalidRules
from montego.go.vocabulary.rules import PRESETS, Rules, parse_komi, parse_rules, rules_name
from places import DOCS

RULE_SETS = st.builds(
    Rules,
    ko=st.sampled_from(["simple", "positional", "situational"]),
    suicide=st.booleans(),
    tax=st.sampled_from(["none", "seki", "all"]),
    handicap_compensation=st.sampled_from(["none", "n", "n-1"]),
    dead_removal=st.booleans(),
    komi=st.floats(-1000, 1000),
).flatmap(
    lambda rules: st.sampled_from(
        [rules, replace(rules, button=True), replace(rules, scoring="territory")]
    )
)

# scoring, ko, suicide, tax, handicap_compensation, dead_removal, button, komi
TABLE: dict[str, tuple[object, ...]] = {
    "chinese": ("area", "simple", False, "none", "n", True, False, 7.5),
    "chinese-ogs": ("area", "positional", False, "none", "n", True, False, 7.5),
    "chinese-kgs": ("area", "positional", False, "none", "n", True, False, 7.5),
    "japanese": ("territory", "simple", False, "seki", "none", True, False, 6.5),
    "korean": ("territory", "simple", False, "seki", "none", True, False, 6.5),
    "aga": ("area", "situational", False, "none", "n-1", True, False, 7.5),
    "aga-button": ("area", "situational", False, "none", "n-1", True, True, 7.0),
    "bga": ("area", "situational", False, "none", "n-1", True, False, 7.5),
    "new-zealand": ("area", "situational", True, "none", "none", True, False, 7.0),
    "tromp-taylor": ("area", "positional", True, "none", "none", False, False, 7.5),
    "stone-scoring": ("area", "simple", False, "all", "none", True, False, 7.5),
}


def fields(rules: Rules) -> tuple[object, ...]:
    return (
        rules.scoring,
        rules.ko,
        rules.suicide,
        rules.tax,
        rules.handicap_compensation,
        rules.dead_removal,
        rules.button,
        rules.komi,
    )


def test_every_preset_means_what_clients_mean_by_its_name() -> None:
    assert {name: fields(rules) for name, rules in PRESETS.items()} == TABLE
    assert [rules.name for rules in PRESETS.values()] == list(TABLE)


def test_the_documented_table_is_the_one_that_runs() -> None:
    text = (DOCS / "rules.md").read_text(encoding="utf-8")
    words = {True: "yes", False: "no"}
    for name, values in TABLE.items():
        cells = [words[value] if isinstance(value, bool) else str(value) for value in values]
        assert f"| `{name}` | {' | '.join(cells)} |" in text.splitlines()


@pytest.mark.parametrize("name", PRESETS)
def test_blanks_hyphens_underscores_and_case_do_not_matter(name: str) -> None:
    for spelling in (
        name,
        name.upper(),
        name.title().replace("-", " "),
        name.replace("-", "_"),
        name.replace("-", ""),
        f"  {name}\n",
    ):
        rules = parse_rules(spelling)

        assert rules is PRESETS[name]
        assert rules_name(rules) == str(rules) == name


def test_the_abbreviation_of_the_sgf_standard_is_understood() -> None:
    assert parse_rules("NZ").name == "new-zealand"


def test_a_rule_set_stands_for_itself() -> None:
    rules = Rules(ko="situational", komi=5)

    assert parse_rules(rules) is rules


@pytest.mark.parametrize("rules", ["", "ing", "chinese rules", "ko", "x" * 1000, None, 3])
def test_unknown_rules_are_refused_with_the_names(rules: Any) -> None:
    with pytest.raises(InvalidRules, match="unknown rules") as error:
        parse_rules(rules)

    assert len(str(error.value)) < 250
    for name in TABLE:
        assert name in str(error.value)


def test_a_button_goes_with_area_scoring_only() -> None:
    assert parse_rules("koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1") == PRESETS["aga-button"]
    with pytest.raises(InvalidRules, match="a button goes with area scoring only"):
        parse_rules("koSIMPLEscoreTERRITORYtaxSEKIsui0button1")


def test_the_defaults_are_chinese() -> None:
    assert Rules() == parse_rules("chinese")
    assert Rules().name == ""
    assert rules_name(Rules()) == "chinese"


def test_a_changed_preset_loses_its_name() -> None:
    rules = replace(parse_rules("japanese"), komi=0.5)

    assert rules_name(rules) == "koSIMPLEscoreTERRITORYtaxSEKIsui0whb0fpok1komi0.5"


def test_equal_presets_keep_their_own_names() -> None:
    assert parse_rules("chinese-kgs") == parse_rules("chinese-ogs")
    assert rules_name(parse_rules("chinese-kgs")) == "chinese-kgs"
    assert hash(parse_rules("aga")) == hash(parse_rules("bga"))


@given(RULE_SETS)
def test_a_name_leads_back_to_equal_rules(rules: Rules) -> None:
    assert parse_rules(rules_name(rules)) == rules
    assert parse_rules(rules_name(rules).lower()) == rules


def test_a_description_may_leave_out_what_is_usual() -> None:
    assert parse_rules("koSIMPLEscoreAREAtaxNONEsui0whbN") == parse_rules("chinese")
    assert parse_rules("koSIMPLEscoreTERRITORYtaxSEKIsui0") == parse_rules("japanese")


@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("scoring", "stones", "area, territory"),
        ("ko", "superko", "simple, positional, situational"),
        ("ko", None, "simple, positional, situational"),
        ("tax", True, "none, seki, all"),
        ("handicap_compensation", 1, "none, n, n-1"),
        ("suicide", "no", "True or False"),
        ("dead_removal", 1, "True or False"),
        ("name", 7, "a text"),
    ],
)
def test_impossible_fields_are_refused(field: str, value: object, allowed: str) -> None:
    changes: dict[str, Any] = {field: value}
    with pytest.raises(InvalidRules, match=re.escape(f"invalid {field} {value!r}: say ")) as error:
        Rules(**changes)

    assert str(error.value).endswith(allowed)


def test_rules_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Rules().komi = 0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "points"),
    [("chinese", [0, 0, 2, 9]), ("aga", [0, 0, 1, 8]), ("japanese", [0, 0, 0, 0])],
)
def test_handicap_stones_are_compensated(name: str, points: list[int]) -> None:
    assert [parse_rules(name).handicap_points(stones) for stones in (0, 1, 2, 9)] == points


@pytest.mark.parametrize(
    ("komi", "number"),
    [
        (7.5, 7.5),
        (0, 0.0),
        (-3, -3.0),
        (1000, 1000.0),
        ("6.5", 6.5),
        (" -.5 ", -0.5),
        ("+7.", 7.0),
        ("1e2", 100.0),
        (3.75, 3.75),
    ],
)
def test_any_sensible_number_is_a_komi(komi: float | str, number: float) -> None:
    parsed = parse_komi(komi)

    assert (parsed, type(parsed)) == (number, float)


def test_zero_komi_has_no_sign() -> None:
    assert math.copysign(1, parse_komi(-0.0)) == 1


@pytest.mark.parametrize(
    "komi",
    [
        math.nan,
        math.inf,
        "nan",
        "inf",
        "",
        "six",
        "6,5",
        "1_0",
        "٣",
        True,
        None,
        [],
        1 + 2j,
        b"6.5",
    ],
)
def test_other_komi_is_refused(komi: Any) -> None:
    with pytest.raises(InvalidKomi, match=r"^invalid komi .*: say a number such as 7\.5$"):
        parse_komi(komi)


@pytest.mark.parametrize("komi", [1000.5, -1e300, "1e999", 10**400])
def test_komi_beyond_any_board_is_refused(komi: float | str) -> None:
    with pytest.raises(InvalidKomi, match=r"^invalid komi"):
        parse_komi(komi)


@given(st.text())
def test_any_text_is_a_komi_or_refused(text: str) -> None:
    try:
        assert abs(parse_komi(text)) <= 1000
    except InvalidKomi as error:
        assert len(str(error)) < 100  # noqa: PT017
