"""Counting from several threads at once: an atomic addition, and its twin in plain Python.

Compiled, ``atomic_add`` is one locked machine instruction on an element of an integer array.
Interpreted, a lock stands in for it. The compiled form is registered by :func:`register`
when Numba is loaded.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOCK = threading.Lock()


def atomic_add(array: NDArray[Any], index: int, value: int) -> int:
    """Add *value* to ``array[index]`` in one step and return what stood there before.

    *array* must hold integers and have one dimension; *index* is not checked and must not
    be negative.
    """
    with _LOCK:
        before = array[index]
        array[index] = before + array.dtype.type(value)
        return int(before)


def register() -> None:
    """Teach Numba the compiled form of :func:`atomic_add`. Called once, when Numba is loaded."""
    from llvmlite import ir  # noqa: PLC0415  # Loaded with Numba, not with this module.
    from numba.core import cgutils, types  # noqa: PLC0415
    from numba.extending import intrinsic, overload  # noqa: PLC0415

    @intrinsic
    def fetch_add(_typing: Any, array: Any, index: Any, value: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array_type, index_type, value_type = signature.args
            struct = context.make_array(array_type)(context, builder, arguments[0])
            position = context.cast(builder, arguments[1], index_type, types.intp)
            pointer = cgutils.get_item_pointer(
                context, builder, array_type, struct, [position], wraparound=False
            )
            amount = context.cast(builder, arguments[2], value_type, array_type.dtype)
            width = ir.IntType(array_type.dtype.bitwidth)
            pointer = builder.bitcast(pointer, width.as_pointer())
            return builder.atomic_rmw("add", pointer, amount, "monotonic")

        return array.dtype(array, index, value), emit

    @overload(atomic_add, inline="never")
    def compiled_atomic_add(array: Any, index: Any, value: Any) -> Any:  # noqa: ARG001
        if not (isinstance(array, types.Array) and isinstance(array.dtype, types.Integer)):
            return None

        # Numba wants the same signature here as above, annotations included.
        def implementation(array: Any, index: Any, value: Any) -> Any:
            return fetch_add(array, index, value)

        return implementation
