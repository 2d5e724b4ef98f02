"""The type of indices in kernels: unsigned, because Numba tests signed ones for wrap-around.

Mixing the two in arithmetic gives a float in compiled code. A kernel therefore keeps its indices
unsigned throughout: what it loads becomes ``Index(array[i])``, and so do its constants.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:

    def Index(value: int, /) -> int:  # noqa: N802
        """To the type checker an index is an int; at run time it is NumPy's unsigned one."""
        return value
else:
    from numpy import uint64 as Index  # noqa: N812

__all__ = ["Index"]
