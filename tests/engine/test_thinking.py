"""When to stop thinking: pure logic, without a search."""

from __future__ import annotations

import pytest

from montego.engine.clock import TimeBudget
from montego.engine.searching.searcher import RootStanding
from montego.engine.thinking import is_enough

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
    standing = RootStanding(visits, second, *values, simulations=1000)
    assert is_enough(standing, elapsed, BUDGET) is expected


def test_without_any_knowledge_only_the_limit_counts() -> None:
    assert not is_enough(None, 29.0, BUDGET)
    assert is_enough(None, 30.0, BUDGET)


def test_without_early_stop_the_time_is_used_up() -> None:
    standing = RootStanding(900, 10, 0.6, 0.5, simulations=1000)
    assert not is_enough(standing, 6.0, BUDGET, early_stop=False)
    assert is_enough(standing, 10.0, BUDGET, early_stop=False)
