"""Foreign functions and memory by address: compiled, and as ctypes stands in for it."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from montego.jit import call_at, floats_at, integers_at, interpreted, kernel, words_at
from montego.jit.index import Index

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

WORD = ctypes.c_uint64


@kernel
def call_with_two(desk: NDArray[Any]) -> int:
    return call_at(Index(desk[0]), (Index(desk[1]), Index(7)))


@kernel
def raise_all_by_one(desk: NDArray[Any], length: int) -> None:
    words = words_at(Index(desk[0]), length)
    floats = floats_at(Index(desk[1]), length)
    integers = integers_at(Index(desk[2]), length)
    for index in range(length):
        words[index] += Index(1)
        floats[index] += 1.0
        integers[index] += 1


def both(one: Any) -> list[Callable[..., Any]]:
    return [one, interpreted(one)]


@pytest.mark.parametrize("call", both(call_with_two), ids=["compiled", "interpreted"])
def test_a_c_function_is_called_by_an_address_that_comes_at_run_time(call: Any) -> None:
    for factor in (10, 1000):
        prototype = ctypes.CFUNCTYPE(WORD, WORD, WORD)
        function = prototype(lambda first, second, factor=factor: first * factor + second)
        address = ctypes.cast(function, ctypes.c_void_p).value
        assert call(np.array([address, 5], np.uint64)) == 5 * factor + 7


@pytest.mark.parametrize("change", both(raise_all_by_one), ids=["compiled", "interpreted"])
def test_memory_at_an_address_is_read_and_written_as_an_array(change: Any) -> None:
    arrays = [np.array([1, 2, 3, 4], kind) for kind in (np.uint64, np.float32, np.int32)]
    change(np.array([array.ctypes.data for array in arrays], np.uint64), 3)
    for array in arrays:
        assert array.tolist() == [2, 3, 4, 4]
