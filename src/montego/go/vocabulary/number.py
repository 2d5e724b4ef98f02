"""Numbers as people write them, in protocols, files and on the command line.

Python's own readers take more than that: ``1_0``, ``nan``, blanks around, digits of other scripts.
"""

from __future__ import annotations

import math
import re

DECIMAL = r"[0-9]+(?:\.[0-9]+)?"
"""A pattern for a number in its plainest form, without a sign."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")  # Python refuses to read thousands of digits.


def read_number(text: str) -> float:
    """Return the number that *text* says; infinity if it is too large, and NaN if it says none."""
    return float(text) if _NUMBER.fullmatch(text) else math.nan


def read_whole(text: str) -> int | None:
    """Return the whole number that *text* says, or None if it says none."""
    return int(text) if _WHOLE.fullmatch(text) else None
