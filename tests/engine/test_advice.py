"""Ways to combine an adviser's values with a search, against numbers worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from montego.engine.hybrid import (
    COOL,
    HOT,
    by_temperature,
    doubted,
    equivalent_visits,
    next_temperature,
    product,
)

# Chances with ten lost games added: 90 × 0.6 / 100, 30 × 0.8 / 40, 10 × 0.4 / 20, 0.
SEARCHED = {
    vertex: doubted(visits, value)
    for vertex, visits, value in (
        ("D4", 90, 0.6),
        ("E5", 30, 0.8),
        ("C3", 10, 0.4),
        ("A1", 0, 0.9),
    )
}


def test_few_visits_are_doubted() -> None:
    assert list(SEARCHED.values()) == pytest.approx([0.54, 0.6, 0.2, 0.0])


def test_the_product_multiplies_what_both_name() -> None:
    found = product(SEARCHED, {"D4": 20.0, "C3": 40.0, "J9": 80.0})
    assert found == pytest.approx({"D4": 0.25 * 0.54, "C3": 0.5 * 0.2})


def test_the_weight_of_the_product_is_a_power_of_the_value() -> None:
    values = {"D4": 10.0, "C3": 40.0}
    assert product(SEARCHED, values, 0.0) == pytest.approx({"D4": 0.54, "C3": 0.2})
    assert product(SEARCHED, values, 0.5) == pytest.approx({"D4": 0.5 * 0.54, "C3": 0.2})
    assert product(SEARCHED, values, 2.0) == pytest.approx({"D4": 0.0625 * 0.54, "C3": 0.2})


def test_nothing_valued_gives_no_product() -> None:
    assert product(SEARCHED, {}) == {}


def test_the_temperature_shares_the_say() -> None:
    values = {"D4": 20.0, "C3": 40.0}
    # Moves without a value count with a tenth of the best one.
    cold = by_temperature(SEARCHED, values, 0.0)
    assert cold == pytest.approx({"D4": 0.54, "E5": 0.6, "C3": 0.2, "A1": 0.0})
    hot = by_temperature(SEARCHED, values, 1.0)
    assert hot == pytest.approx({"D4": 0.5, "E5": 0.1, "C3": 1.0, "A1": 0.1})
    even = by_temperature(SEARCHED, values, 0.5)
    assert even["D4"] == pytest.approx((0.54 * 0.5) ** 0.5)
    assert even["E5"] == pytest.approx((0.6 * 0.1) ** 0.5)
    assert by_temperature(SEARCHED, values, 0.5, 2.0)["D4"] == pytest.approx(0.54**0.5 * 0.5)


def test_the_search_decides_an_even_game_and_the_adviser_a_decided_one() -> None:
    even = lost = COOL
    for _ in range(20):
        even, lost = next_temperature(even, 0.5), next_temperature(lost, 0.0)
    assert even == pytest.approx(COOL)
    assert lost == pytest.approx(HOT, abs=1e-5)


def test_the_temperature_goes_half_of_the_way_at_a_move() -> None:
    # A chance of 80% asks for 0.1 + 0.5 × 0.6 = 0.4.
    assert next_temperature(0.1, 0.8) == pytest.approx(0.25)
    assert next_temperature(0.25, 0.2) == pytest.approx(0.325)
    assert next_temperature(0.6, 0.5) == pytest.approx(0.35)


def test_values_are_worth_visits_by_the_root_of_their_chance() -> None:
    # Strengths 1, 1/16 and 1/16: chances of 8/9, 1/18 and 1/18.
    found = equivalent_visits({"D4": 40.0, "C3": 20.0, "E5": 20.0})
    assert found == pytest.approx({"D4": 94.2809, "C3": 23.5702, "E5": 23.5702}, abs=1e-3)
    assert equivalent_visits({"D4": 3.0}, 0.5) == pytest.approx({"D4": 50.0})
    assert equivalent_visits({}) == {}


@given(
    st.dictionaries(st.sampled_from(["D4", "E5", "C3", "A1", "J9"]), st.floats(0.01, 1e4)),
    st.floats(0.01, 100.0),
)
def test_the_unit_of_the_values_does_not_matter(values: dict[str, float], unit: float) -> None:
    scaled = {vertex: unit * value for vertex, value in values.items()}
    assert equivalent_visits(scaled) == pytest.approx(equivalent_visits(values))
    assert product(SEARCHED, scaled) == pytest.approx(product(SEARCHED, values))
    cool = by_temperature(SEARCHED, values, 0.3)
    assert by_temperature(SEARCHED, scaled, 0.3) == pytest.approx(cool)
