"""Where many games run side by side: in a loop on a CPU, or on a grid of a GPU.

Self-play and the replay of records are written once for both. What they share with PyTorch lies in
the same memory; nothing is copied.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from montego.jit.loop import Loop, Rows, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from montego.jit.kernel import Kernel


class Machine:
    """Room for arrays of so many games, and kernels that run for each of them."""

    def __init__(self, device: str, games: int) -> None:
        """Run *games* games at a time on a device, ``"cpu"`` or ``"gpu"``."""
        self.games = games
        self.is_gpu = device != "cpu"
        self.device = torch.device("cuda" if self.is_gpu else "cpu")

    def rows(self, kind: Any, length: int, *, interleaved: bool = False) -> Any:
        """Return an array for each game; PyTorch shares those that are not *interleaved*.

        Raises:
            DeviceError: If there is too little memory on a GPU.
        """
        if self.is_gpu:
            from montego.jit.gpu import Lanes  # noqa: PLC0415  # Only where a GPU is asked for.

            return Lanes(kind, length, self.games, interleaved=interleaved)
        return Rows(kind, length, self.games)

    def record(self, record: type[Any], extents: dict[str, int]) -> Any:
        """Return a record with an array for each game in each field, as long as *extents* says."""
        if self.is_gpu:
            from montego.jit.gpu import lanes_of  # noqa: PLC0415

            return lanes_of(record, extents, self.games)
        return rows_of(record, extents, self.games)

    def tensor(self, rows: Any) -> Tensor:
        """Return the same memory as a tensor: a row a game."""
        return torch.as_tensor(rows if self.is_gpu else rows.array, device=self.device)

    def shared(self, array: Any) -> Any:
        """Return an array for all games to read."""
        if self.is_gpu:
            from montego.jit.gpu import upload  # noqa: PLC0415

            return upload(array)
        return array

    def step(self, kernel: Kernel[..., None], functions: dict[str, Any]) -> Callable[..., None]:
        """Return what runs a kernel for all games, with those of the functions that it takes.

        Each game gets its own of the arrays of :meth:`rows` and :meth:`record`. On a GPU it runs in
        PyTorch's current stream, and is not waited for.
        """
        names = inspect.signature(kernel.python).parameters
        taken = {name: function for name, function in functions.items() if name in names}
        if not self.is_gpu:
            loop = Loop(kernel, **taken)

            def run(*arguments: Any) -> None:
                loop(*arguments, games=self.games)

            return run
        grid = _grid(kernel, tuple(taken.items()))

        def launch(*arguments: Any) -> None:
            stream = torch.cuda.current_stream().cuda_stream
            grid(*arguments, games=self.games, stream=stream)

        return launch


@cache
def _grid(kernel: Kernel[..., None], functions: tuple[tuple[str, Any], ...]) -> Any:
    """Return a grid, the same one for the same functions: to compile one takes seconds."""
    from montego.jit.gpu import Grid  # noqa: PLC0415

    return Grid(kernel, **dict(functions))
