"""A kernel's twin on the GPU: the same source with every kernel in it a device function.

Functions that the CPU takes as arguments are passed on as they are: a device function's type is
its own, so that the compiler makes a copy of the caller for each and calls it directly.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from montego.jit.atomic import atomic_add, atomic_replace
from montego.jit.gpu.device import is_simulated, load_cuda
from montego.jit.kernel import Kernel, function_like, function_of, interpreted

if TYPE_CHECKING:
    from numpy.typing import NDArray


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
        if isinstance(value, Kernel):
            return self._twin(value)
        for atomic, alone in ((atomic_add, add_alone), (atomic_replace, replace_alone)):
            if value is atomic:
                if id(alone) not in self._made:
                    self._made[id(alone)] = _device_function(alone, inline=True)
                return self._made[id(alone)]
        return value


def _device_function(function: Any, *, inline: bool) -> Any:
    return load_cuda().jit(device=True, forceinline=inline)(function)
