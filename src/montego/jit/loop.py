"""Running a kernel for many games on a CPU, one after the other, as a grid does on a GPU.

Code that works on many games at once is written for both: arrays with a row a game
(:class:`Rows`), and a :class:`Loop` over a kernel. Everything is compiled together, so that a game
costs no call from Python.
"""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from montego.jit.kernel import Kernel, compile_off, interpreted
from montego.jit.record import arrays_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

T = TypeVar("T")


class Rows:
    """A flat array for each of *games* games, all 0 at first, game after game."""

    def __init__(self, kind: DTypeLike, length: int, games: int) -> None:
        self.array: NDArray[Any] = np.zeros((games, length), kind)

    def clear(self) -> None:
        """Make all elements 0."""
        self.array[:] = 0

    def write(self, values: NDArray[Any]) -> None:
        """Give all games the same *values*, or each game its row of them."""
        self.array[:] = values

    def read(self) -> NDArray[Any]:
        """Return a copy: a row a game."""
        return self.array.copy()


def rows_of(record: type[T], extents: dict[str, int], games: int, **given: Any) -> T:
    """Return a record whose arrays are rows, of the lengths that *extents* names.

    Fields in *given* are taken as they are: rows, shared arrays, or numbers.
    """
    made = {
        name: Rows(array.kind, extents[array.extent], games)
        for name, array in arrays_of(record).items()
        if name not in given
    }
    return record(**made, **given)


class Loop:
    """A kernel for many games. Made once, called often; compiled at the first call.

    *functions* are kernels, or functions where nothing is compiled, for the parameters that are
    functions. The kernel must return nothing: what it finds it writes into its game's arrays.

    Raises:
        TypeError: If the kernel has no parameter of such a name.
    """

    def __init__(self, kernel: Kernel[..., None], /, **functions: Any) -> None:
        self._kernel = kernel
        self._functions = functions
        self._parameters = list(inspect.signature(kernel.python).parameters)
        unknown = set(functions) - set(self._parameters)
        if unknown:
            raise TypeError(f"{kernel!r} has no parameter {', '.join(sorted(unknown))}")
        self._compiled = not compile_off() and all(
            isinstance(function, Kernel) for function in functions.values()
        )
        self._made: dict[str, Any] = {}  # by the source of the loop

    def __call__(self, *arguments: Any, games: int) -> None:
        """Run the kernel for games 0 to *games* - 1, with *arguments* for the other parameters.

        Of :class:`Rows`, also in records, each game gets its own; arrays and numbers are given to
        all.
        """
        leaves: list[Any] = []
        scope: dict[str, Any] = {}
        given = iter(arguments)
        words = [
            self._constant(scope, self._functions[name])
            if name in self._functions
            else self._word(scope, leaves, next(given))
            for name in self._parameters
        ]
        names = "".join(f", leaf_{number}" for number in range(len(leaves)))
        text = (
            f"def loop(games{names}):\n"
            "    for game in range(games):\n"
            f"        body({', '.join(words)})\n"
        )
        if text not in self._made:
            scope["body"] = self._ready(self._kernel)
            exec(compile(text, f"<loop of {self._kernel.__name__}>", "exec"), scope)  # noqa: S102
            scope["loop"].__module__ = "loop"  # Not ours: machine code without a file is not kept.
            self._made[text] = Kernel(scope["loop"]) if self._compiled else scope["loop"]
        with warnings.catch_warnings():
            # Kernels for functions that are passed on are compiled anew in every process.
            warnings.filterwarnings("ignore", message="Cannot cache compiled function")
            self._made[text](games, *leaves)

    def _ready(self, function: Any) -> Any:
        if isinstance(function, Kernel) and not self._compiled:
            return interpreted(function)
        return function

    def _constant(self, scope: dict[str, Any], value: Any) -> str:
        name = f"constant_{len(scope)}"
        scope[name] = self._ready(value)
        return name

    def _word(self, scope: dict[str, Any], leaves: list[Any], value: Any) -> str:
        """Return what to call the kernel with for an argument: an expression of its leaves."""
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            record = self._constant(scope, type(value))
            return f"{record}({', '.join(self._word(scope, leaves, part) for part in value)})"
        leaves.append(value.array if isinstance(value, Rows) else value)
        leaf = f"leaf_{len(leaves) - 1}"
        return f"{leaf}[game]" if isinstance(value, Rows) else leaf
