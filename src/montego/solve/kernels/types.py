"""The type of the arrays that the solver's kernels share."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

Words: TypeAlias = NDArray[Any]
"""Integers of 64 bits."""
