"""Finding the GPU, and saying in one line what is missing or has gone wrong."""

from __future__ import annotations

import os
import warnings
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Iterator

DEVICES = ("cpu", "gpu", "auto")
"""Where something may run; ``"auto"`` is the GPU where there is one, else the CPU."""

INSTALL = "pip install 'montego[gpu]'"

GAMES_PER_MULTIPROCESSOR = 512
"""How many games at once keep a GPU busy: measured on an H200, with boards from 9x9 to 19x19."""

# What numba-cuda still asks of NumPy, and what NumPy calls it from version 2.5 on.
_RENAMED = {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}


@cache
def load_cuda() -> Any:
    """Return ``numba.cuda``, ready to use.

    Raises:
        DeviceError: If there is no GPU, no driver, or the extra is not installed.
    """
    # Numba itself may have a module of that name, which is an older one.
    if find_spec("numba_cuda") is None:
        raise DeviceError(f"numba-cuda is not installed: {INSTALL}")
    for name, successor in _RENAMED.items():
        if not hasattr(np, name):
            setattr(np, name, getattr(np, successor))
    from numba import cuda  # noqa: PLC0415  # Only where a GPU is asked for.

    if is_simulated():
        return cuda
    problem = _problem(cuda)
    if problem is not None:
        raise DeviceError(f"no GPU can be used: {problem}")
    # Thousands of games may still be too few to fill a large GPU, and a hint is no error.
    warnings.filterwarnings("ignore", message=".*(under-utilization|nvJitLink|Host array).*")
    return cuda


def is_simulated() -> bool:
    """Say whether Numba's simulator stands for the GPU: ``NUMBA_ENABLE_CUDASIM=1``."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def _problem(cuda: Any) -> str | None:
    """Return why the GPU cannot be used, or None if it can."""
    try:
        if cuda.is_available():
            cuda.current_context()
            return None
        error = cuda.cuda_error()
    except Exception as raised:  # noqa: BLE001  # The driver's errors have many types.
        error = raised
    return _line(error) if error else "no CUDA device was found"


def _line(error: object) -> str:
    """Return an error as one line, without the brackets and headings that drivers like."""
    lines = [line.strip(" :") for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith("Error at driver init")]
    return (told or ["unknown error"])[0].rstrip(".")


def has_gpu() -> bool:
    """Say whether a GPU can be used. Loads ``numba.cuda``."""
    try:
        load_cuda()
    except DeviceError:
        return False
    return True


def chosen_device(device: str) -> str:
    """Return ``"cpu"`` or ``"gpu"`` for one of :data:`DEVICES`.

    Raises:
        DeviceError: If there is no such device: an unknown word, or no GPU.
    """
    if device not in DEVICES:
        raise DeviceError(f"unknown device {device!r}: say one of {', '.join(DEVICES)}")
    if device == "auto":
        return "gpu" if has_gpu() else "cpu"
    if device == "gpu":
        load_cuda()
    return device


def go_on_without(error: DeviceError, device: str) -> None:
    """Warn in a line that the CPU goes on where the GPU failed.

    Raises:
        DeviceError: If it was asked for by name and not as ``"auto"``: *error* itself.
    """
    if device != "auto":
        raise error
    warnings.warn(f"{error}; the CPU goes on", RuntimeWarning, stacklevel=2)


def gpu_name() -> str:
    """Return what the GPU is, with its memory.

    Raises:
        DeviceError: If there is none.
    """
    cuda = load_cuda()
    if is_simulated():
        return "Numba's simulator"
    with device_errors():
        name = cuda.get_current_device().name
        _free, total = cuda.current_context().get_memory_info()
    text = name.decode() if isinstance(name, bytes) else str(name)
    return f"{text}, {total / 2**30:.0f} GiB"


@cache
def multiprocessors() -> int:
    """Return how many multiprocessors the GPU has.

    Raises:
        DeviceError: If there is no GPU.
    """
    cuda = load_cuda()
    if is_simulated():
        return 1
    with device_errors():
        return int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


def games_at_once() -> int:
    """Return how many games keep the GPU busy.

    Raises:
        DeviceError: If there is no GPU.
    """
    return GAMES_PER_MULTIPROCESSOR * multiprocessors()


def synchronize() -> None:
    """Wait until the GPU has done all it was given.

    Raises:
        DeviceError: If something failed there.
    """
    with device_errors():
        load_cuda().synchronize()


@contextmanager
def device_errors() -> Iterator[None]:
    """Turn the driver's errors into one line.

    Raises:
        DeviceError: If the GPU has too little memory, or fails.
    """
    try:
        yield
    except DeviceError:
        raise
    except Exception as error:
        home = type(error).__module__
        if not home.startswith(("numba.cuda.cudadrv", "numba_cuda", "cuda.")):
            raise
        line = _line(error)
        if "OUT_OF_MEMORY" in line or "out of memory" in line.lower():
            raise DeviceError("the GPU has too little memory for so many games") from error
        raise DeviceError(f"the GPU failed: {line}") from error
