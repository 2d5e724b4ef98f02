"""A kernel's twin on the GPU: the same source with every kernel in it a device function.

Functions that the CPU takes as arguments are passed on as they are: a device function's type is
its own, so that the compiler makes a copy of the caller for each and calls it directly.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from montego.jit.atomic import atomic_add, atomic_replace
from montego.jit.gpu.device import is_simulated, load_cuda
from montego.jit.index import Index
from montego.jit.kernel import Kernel, function_like, function_of, interpreted
from montego.jit.state import copy_state

if TYPE_CHECKING:
    from numpy.typing import NDArray


GROUP = Index(16)  # Words that :func:`copy_in_groups` asks for before it waits.


def add_alone(array: NDArray[Any], index: int, value: int) -> int:
    """Do what ``atomic_add`` does where nobody else writes: every game belongs to one thread."""
    before = array[index]
    array[index] = before + value
    return int(before)


def replace_alone(array: NDArray[Any], index: int, expected: int, value: int) -> int:
    """Do what ``atomic_replace`` does where nobody else writes."""
    before = array[index]
    if before == expected:
        array[index] = value
    return int(before)


def copy_in_groups(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Do what ``copy_state`` does, so many words at a time that memory is waited for once for all.

    A thread that copies word by word waits for each.
    """
    first, left = Index(0), Index(len(source))
    while left >= GROUP:
        word_0, word_1 = source[first], source[first + Index(1)]
        word_2, word_3 = source[first + Index(2)], source[first + Index(3)]
        word_4, word_5 = source[first + Index(4)], source[first + Index(5)]
        word_6, word_7 = source[first + Index(6)], source[first + Index(7)]
        word_8, word_9 = source[first + Index(8)], source[first + Index(9)]
        word_10, word_11 = source[first + Index(10)], source[first + Index(11)]
        word_12, word_13 = source[first + Index(12)], source[first + Index(13)]
        word_14, word_15 = source[first + Index(14)], source[first + Index(15)]
        target[first], target[first + Index(1)] = word_0, word_1
        target[first + Index(2)], target[first + Index(3)] = word_2, word_3
        target[first + Index(4)], target[first + Index(5)] = word_4, word_5
        target[first + Index(6)], target[first + Index(7)] = word_6, word_7
        target[first + Index(8)], target[first + Index(9)] = word_8, word_9
        target[first + Index(10)], target[first + Index(11)] = word_10, word_11
        target[first + Index(12)], target[first + Index(13)] = word_12, word_13
        target[first + Index(14)], target[first + Index(15)] = word_14, word_15
        first += GROUP
        left -= GROUP
    while left > Index(0):
        target[first] = source[first]
        first += Index(1)
        left -= Index(1)


OWN = (
    (atomic_add, add_alone),
    (atomic_replace, replace_alone),
    (copy_state, copy_in_groups),
)
"""Functions that have another text on the GPU, and that text."""


class Twins:
    """The device functions of a grid, each made once."""

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}
        self._kept: list[Any] = []  # Ids stay good as long as what they name.

    def of(self, kernel: Kernel[..., Any]) -> Any:
        """Return the kernel as a device function, and all that it calls with it.

        In the simulator, which runs Python, that is the interpreted twin.
        """
        if is_simulated():
            return interpreted(kernel)
        return self._twin(kernel)

    def _twin(self, kernel: Kernel[..., Any]) -> Any:
        if id(kernel) in self._made:
            return self._made[id(kernel)]
        source = function_of(kernel)
        scope = dict(source.__globals__)
        cells = tuple(types.CellType(cell.cell_contents) for cell in source.__closure__ or ())
        copy = function_like(source, scope, source.__name__, cells or None)
        self._made[id(kernel)] = twin = _device_function(copy, inline=kernel.inline)
        self._kept.append(kernel)
        for name in source.__code__.co_names:
            if name in scope:
                scope[name] = self._replaced(scope[name])
        for cell in cells:
            cell.cell_contents = self._replaced(cell.cell_contents)
        return twin

    def _replaced(self, value: Any) -> Any:
        """Return what stands on the GPU for something that a kernel names."""
        for function, own in OWN:
            if value is function:
                if id(own) not in self._made:
                    self._made[id(own)] = _device_function(own, inline=True)
                return self._made[id(own)]
        return self._twin(value) if isinstance(value, Kernel) else value


def _device_function(function: Any, *, inline: bool) -> Any:
    return load_cuda().jit(device=True, forceinline=inline)(function)
