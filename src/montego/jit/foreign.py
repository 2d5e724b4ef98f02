"""Calling a function of another library by its address, and using memory by its address.

For what is only known when the program runs: an address must travel in an argument, in scratch or
in knowledge, and never become a constant of machine code, which is kept on disk. Nothing is
checked, neither addresses nor lengths, and nothing is kept alive: whoever made the memory does
that.

The compiled forms are registered by :func:`register` when Numba is loaded; interpreted, ctypes
stands in. Not for a GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def call_at(address: int, arguments: tuple[int, ...]) -> int:
    """Call the C function at *address* and return its result.

    It takes and returns integers and pointers of 64 bits. The GIL is released meanwhile.
    """
    import ctypes  # noqa: PLC0415  # And NumPy below: only once they are needed.

    word = ctypes.c_uint64
    function = ctypes.CFUNCTYPE(word, *[word] * len(arguments))(int(address))
    return int(function(*(int(argument) for argument in arguments)))


def words_at(address: int, length: int) -> NDArray[Any]:
    """Return the *length* unsigned 64-bit integers at *address* as an array to read and write."""
    return _array_at("c_uint64", address, length)


def floats_at(address: int, length: int) -> NDArray[Any]:
    """Return the *length* floats of 32 bits at *address* as an array to read and write."""
    return _array_at("c_float", address, length)


def integers_at(address: int, length: int) -> NDArray[Any]:
    """Return the *length* integers of 32 bits at *address* as an array to read and write."""
    return _array_at("c_int32", address, length)


def _array_at(kind: str, address: int, length: int) -> NDArray[Any]:
    import ctypes  # noqa: PLC0415

    import numpy as np  # noqa: PLC0415

    element = getattr(ctypes, kind)
    return np.ctypeslib.as_array((element * int(length)).from_address(int(address)))


def register() -> None:
    """Teach Numba the compiled forms of the functions above. Called once, when Numba is loaded."""
    import numpy as np  # noqa: PLC0415
    from llvmlite import ir  # noqa: PLC0415  # Loaded with Numba, not with this module.
    from numba import carray  # noqa: PLC0415
    from numba.core import cgutils, types  # noqa: PLC0415
    from numba.extending import intrinsic, overload  # noqa: PLC0415

    @intrinsic
    def call(_typing: Any, _address: Any, arguments: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            word = ir.IntType(64)
            kinds = signature.args[1].types
            function = ir.FunctionType(word, [word] * len(kinds)).as_pointer()
            given = [
                context.cast(builder, value, kind, types.uint64)
                for value, kind in zip(cgutils.unpack_tuple(builder, values[1]), kinds, strict=True)
            ]
            return builder.call(builder.inttoptr(values[0], function), given)

        return types.uint64(types.uint64, arguments), emit

    @intrinsic
    def pointer_to(_typing: Any, _address: Any) -> Any:
        def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], cgutils.voidptr_t)

        return types.voidptr(types.uint64), emit

    # Numba wants the same signature outside and inside, annotations included.
    @overload(call_at, inline="never")
    def compiled_call(address: Any, arguments: Any) -> Any:  # noqa: ARG001
        def implementation(address: Any, arguments: Any) -> Any:
            return call(address, arguments)

        return implementation

    def view(function: Any, kind: Any) -> None:
        @overload(function, inline="never")
        def compiled_view(address: Any, length: Any) -> Any:  # noqa: ARG001
            def implementation(address: Any, length: Any) -> Any:
                return carray(pointer_to(address), length, kind)

            return implementation

    view(words_at, np.uint64)
    view(floats_at, np.float32)
    view(integers_at, np.int32)
