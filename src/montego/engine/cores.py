"""How many cores there are to work with."""

from __future__ import annotations

import os


def usable_cores() -> int:
    """Return how many cores this process may use, at least 1: not always all that there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # Not every system tells more.
