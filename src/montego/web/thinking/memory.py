"""Memory that nobody uses, given back to the system.

The C library keeps what threads have freed in arenas of theirs, of up to 64 MB each. A server that
played many games, each with threads of its own, would seem to grow without end.
"""

from __future__ import annotations

import ctypes
import gc
from functools import cache
from typing import Any


def give_back() -> None:
    """Give back what is free. Takes some milliseconds; nothing where the C library has no way."""
    gc.collect()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """Return glibc's ``malloc_trim``; other libraries have none."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return None
