"""Kernels on a CUDA GPU, thousands of games at once: the only package that knows ``numba.cuda``.

The source is that of the CPU. A :class:`Grid` runs a kernel once for each of many games, a thread a
game; what a game owns lies in :class:`Lanes`, what all share in arrays made by :func:`upload`.
Nothing here is loaded before a GPU is asked for, and what is missing is said by a
:class:`DeviceError` in one line.

Numbers are those of the CPU: no fast mathematics, no multiplication fused with an addition, and
division and square root as IEEE 754 has them. Logarithms and exponentials are the GPU's own and may
differ in the last bit.
"""

from montego.jit.errors import DeviceError
from montego.jit.gpu.device import (
    chosen_device,
    games_at_once,
    go_on_without,
    gpu_name,
    has_gpu,
    load_cuda,
    synchronize,
)
from montego.jit.gpu.grid import Grid
from montego.jit.gpu.lanes import Lanes, lanes_of, upload
from montego.jit.gpu.scratch import random_starts, scratch_lanes

__all__ = [
    "DeviceError",
    "Grid",
    "Lanes",
    "chosen_device",
    "games_at_once",
    "go_on_without",
    "gpu_name",
    "has_gpu",
    "lanes_of",
    "load_cuda",
    "random_starts",
    "scratch_lanes",
    "synchronize",
    "upload",
]
