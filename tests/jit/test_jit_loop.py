"""A kernel for many games on a CPU: each gets its own row, of records, too."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray  # noqa: TC002  # Records are read at run time.

from montego.jit import kernel
from montego.jit.loop import Loop, Rows, rows_of
from montego.jit.record import Flat


class Account(NamedTuple):
    paid: Annotated[NDArray[Any], Flat(np.int64, "payment")]
    rate: int


@kernel
def settle(fee_of: Any, account: Account, total: NDArray[Any], shared: NDArray[Any]) -> None:
    for payment in range(len(account.paid)):
        total[0] += account.rate * account.paid[payment] - fee_of(shared[0])


@kernel
def doubled(number: int) -> int:
    return 2 * number


def plain_double(number: int) -> int:
    return 2 * number


@pytest.mark.small_boards
@pytest.mark.parametrize("function", [doubled, plain_double])
def test_every_game_has_its_own_row(function: Any) -> None:
    accounts = rows_of(Account, {"payment": 3}, 4, rate=10)
    paid: Any = accounts.paid
    paid.write(np.arange(12).reshape(4, 3))
    total = Rows(np.int64, 1, 4)
    settle_all = Loop(settle, fee_of=function)

    for _ in range(2):
        settle_all(accounts, total, np.array([1]), games=4)

    once = 10 * np.arange(12).reshape(4, 3).sum(axis=1) - 6
    assert total.read()[:, 0].tolist() == (2 * once).tolist()


def test_a_function_that_nobody_takes_is_refused() -> None:
    with pytest.raises(TypeError, match="no parameter price_of"):
        Loop(settle, price_of=doubled)


def test_rows_are_copied_when_they_are_read() -> None:
    rows = Rows(np.int32, 2, 3)
    rows.write(np.array([1, 2]))
    rows.read()[:] = 7
    assert rows.read().tolist() == [[1, 2]] * 3
    rows.clear()
    assert not rows.read().any()
