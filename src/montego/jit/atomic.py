"""Counting and publishing from several threads at once, and the twins in plain Python.

Compiled, each of these is one locked machine instruction on an element of an integer array, and no
other access to memory is moved across it by compiler or processor. Interpreted, a lock stands in.
The compiled forms are registered by :func:`register` when Numba is loaded.
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
        before = int(array[index])
        total = before + int(value)
        # Unsigned integers wrap, as they do in machine code.
        array[index] = total % (1 << 8 * array.itemsize) if array.dtype.kind == "u" else total
        return before


def atomic_replace(array: NDArray[Any], index: int, expected: int, value: int) -> int:
    """Store *value* in ``array[index]`` if *expected* stands there; return what stood there.

    The store happened exactly if *expected* is returned. As for :func:`atomic_add`, nothing
    is checked.
    """
    with _LOCK:
        before = array[index]
        if before == expected:
            array[index] = value
        return int(before)


def register() -> None:
    """Teach Numba the compiled forms of the functions above. Called once, when Numba is loaded."""
    from llvmlite import ir  # noqa: PLC0415  # Loaded with Numba, not with this module.
    from numba.core import cgutils, types  # noqa: PLC0415
    from numba.extending import intrinsic, overload  # noqa: PLC0415

    def element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
        """Emit the address of an element, as that of a plain integer."""
        struct = context.make_array(array_type)(context, builder, array)
        pointer = cgutils.get_item_pointer(
            context, builder, array_type, struct, [index], wraparound=False
        )
        return builder.bitcast(pointer, ir.IntType(array_type.dtype.bitwidth).as_pointer())

    @intrinsic
    def fetch_add(_typing: Any, array: Any, index: Any, value: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind, index_type, value_type = signature.args
            position = context.cast(builder, arguments[1], index_type, types.intp)
            amount = context.cast(builder, arguments[2], value_type, kind.dtype)
            pointer = element(context, builder, kind, arguments[0], position)
            return builder.atomic_rmw("add", pointer, amount, "seq_cst")

        return array.dtype(array, index, value), emit

    @intrinsic
    def compare_exchange(_typing: Any, array: Any, index: Any, expected: Any, value: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = signature.args[0]
            position = context.cast(builder, arguments[1], signature.args[1], types.intp)
            old, new = (
                context.cast(builder, arguments[i], signature.args[i], kind.dtype) for i in (2, 3)
            )
            pointer = element(context, builder, kind, arguments[0], position)
            both = builder.cmpxchg(pointer, old, new, "seq_cst", "seq_cst")
            return builder.extract_value(both, 0)

        return array.dtype(array, index, expected, value), emit

    def is_integer_array(array: Any) -> bool:
        return isinstance(array, types.Array) and isinstance(array.dtype, types.Integer)

    # Numba wants the same signature outside and inside, annotations included.
    @overload(atomic_add, inline="never")
    def compiled_add(array: Any, index: Any, value: Any) -> Any:  # noqa: ARG001
        def implementation(array: Any, index: Any, value: Any) -> Any:
            return fetch_add(array, index, value)

        return implementation if is_integer_array(array) else None

    @overload(atomic_replace, inline="never")
    def compiled_replace(array: Any, index: Any, expected: Any, value: Any) -> Any:  # noqa: ARG001
        def implementation(array: Any, index: Any, expected: Any, value: Any) -> Any:
            return compare_exchange(array, index, expected, value)

        return implementation if is_integer_array(array) else None
