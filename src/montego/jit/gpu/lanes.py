"""Arrays on the GPU: one for each of many games, and those that all games share.

What the games own lies interleaved in tiles: element 0 of TILE games, element 1 of the same games,
and so on. Threads of neighboring games that look at the same element then read neighboring words,
and the way from an element to the next is a constant of the machine code. A kernel sees one
flat array and knows nothing of this. What is shared with other libraries, a network's input for
instance, lies game after game instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from montego.jit.gpu.device import device_errors, is_simulated, load_cuda
from montego.jit.record import arrays_of

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

T = TypeVar("T")

TILE = 32
"""Games side by side: as many as a warp has threads."""


class Lanes:
    """A flat array for each of *games* games, in the GPU's memory, all 0 at first.

    Other libraries take it without a copy (``torch.as_tensor(lanes)``): as *games* rows if it is
    not *interleaved*, else in the shape (tiles, length, TILE).

    Raises:
        DeviceError: If there is no GPU, or too little memory on it.
    """

    def __init__(
        self, kind: DTypeLike, length: int, games: int, *, interleaved: bool = True
    ) -> None:
        self.length, self.games, self.interleaved = length, games, interleaved
        shape = (-(-games // TILE), length, TILE) if interleaved else (games, length)
        with device_errors():
            self.array: Any = load_cuda().device_array(shape, np.dtype(kind))
            """Numba's array, as a grid takes it."""
            self.clear()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """How other libraries see the memory."""
        interface: dict[str, Any] = self.array.__cuda_array_interface__
        return interface

    def clear(self) -> None:
        """Make all elements 0."""
        if is_simulated():
            self.array[:] = 0
            return
        from numba.cuda.cudadrv.driver import device_memset  # noqa: PLC0415

        with device_errors():
            device_memset(self.array, 0, self.array.nbytes)

    def write(self, values: NDArray[Any]) -> None:
        """Give all games the same *values*, or each game its row of them. Waits for the GPU."""
        rows = np.broadcast_to(values, (self.games, self.length)).astype(self.array.dtype)
        if self.interleaved:
            padded = np.zeros((self.array.shape[0] * TILE, self.length), rows.dtype)
            padded[: self.games] = rows
            rows = padded.reshape(-1, TILE, self.length).swapaxes(1, 2)
        with device_errors():
            self.array.copy_to_device(np.ascontiguousarray(rows))

    def read(self) -> NDArray[Any]:
        """Return a copy for the CPU: a row a game. Waits for the GPU."""
        with device_errors():
            host: NDArray[Any] = self.array.copy_to_host()
        if not self.interleaved:
            return host
        return host.swapaxes(1, 2).reshape(-1, self.length)[: self.games]


def lanes_of(record: type[T], extents: dict[str, int], games: int, **given: Any) -> T:
    """Return a record whose arrays are lanes, of the lengths that *extents* names.

    Fields in *given* are taken as they are: lanes, shared arrays, or numbers.
    """
    made = {
        name: Lanes(array.kind, extents[array.extent], games)
        for name, array in arrays_of(record).items()
        if name not in given
    }
    return record(**made, **given)


def upload(array: NDArray[Any]) -> Any:
    """Return a copy of an array on the GPU, for all games to read."""
    with device_errors():
        return load_cuda().to_device(np.ascontiguousarray(array))
