"""Finding the GPU, and saying in one line what is missing or has gone wrong."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

INSTALL = "pip install 'montego[gpu]'"

# What numba-cuda still asks of NumPy, and what NumPy calls it by now.
_RENAMED = {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}


class DeviceError(RuntimeError):
    """No GPU can be used, or it failed; the message says why in one line."""


@cache
def load_cuda() -> Any:
    """Return ``numba.cuda``, ready to use.

    Raises:
        DeviceError: If there is no GPU, no driver, or the extra is not installed.
    """
    _restore_numpy_names()
    try:
        from numba import cuda  # noqa: PLC0415  # Only where a GPU is asked for.
    except ImportError:
        raise DeviceError(f"numba-cuda is not installed: {INSTALL}") from None
    if is_simulated():
        return cuda
    if not hasattr(cuda, "__version__") and not _is_package(cuda):
        raise DeviceError(f"numba-cuda is not installed: {INSTALL}")
    problem = _problem(cuda)
    if problem is not None:
        raise DeviceError(problem)
    # Thousands of games may still be too few to fill a large GPU, and a hint is no error.
    warnings.filterwarnings("ignore", message=".*(under-utilization|nvJitLink|Host array).*")
    return cuda


def _restore_numpy_names() -> None:
    """Give NumPy back the names that numba-cuda may look for, at once or when it compiles."""
    for name, successor in _RENAMED.items():
        if not hasattr(np, name):
            setattr(np, name, getattr(np, successor))


def is_simulated() -> bool:
    """Say whether Numba's simulator stands for the GPU: ``NUMBA_ENABLE_CUDASIM=1``."""
    import os  # noqa: PLC0415

    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


def _is_package(cuda: Any) -> bool:
    return "numba_cuda" in (cuda.__file__ or "")


def _problem(cuda: Any) -> str | None:
    """Return why the GPU cannot be used, or None if it can."""
    try:
        if cuda.is_available():
            cuda.current_context()
            return None
        error = cuda.cuda_error()
    except Exception as raised:  # noqa: BLE001  # The driver's errors have many types.
        error = raised
    return f"no GPU can be used: {_line(error) if error else 'no CUDA device was found'}"


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


def multiprocessors() -> int:
    """Return how many multiprocessors the GPU has."""
    cuda = load_cuda()
    if is_simulated():
        return 1
    with device_errors():
        return int(cuda.get_current_device().MULTIPROCESSOR_COUNT)


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
