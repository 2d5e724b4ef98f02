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

    It takes and returns integers and pointers of 64 bits, all *arguments* being of one type. The
    GIL is released meanwhile.
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
    from llvmlite import ir  # noqa: PLC0415  # Loaded with Numba, not with this module.
    from numba.core import cgutils, types  # noqa: PLC0415
    from numba.core.types.containers import UniTuple  # noqa: PLC0415
    from numba.extending import lower_builtin, type_callable  # noqa: PLC0415
    from numba.np.arrayobj import make_array, populate_array  # noqa: PLC0415

    # Typed and emitted directly: an overload is a function, and such as return arrays want
    # reference counts, which our kernels do without.
    @type_callable(call_at)
    def type_call(_context: Any) -> Any:
        def typed(address: Any, arguments: Any) -> Any:
            if isinstance(address, types.Integer) and isinstance(arguments, UniTuple):
                return types.uint64
            return None

        return typed

    @lower_builtin(call_at, types.Integer, UniTuple)
    def emit_call(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        kinds = signature.args[1].types
        given = [
            context.cast(builder, value, kind, types.uint64)
            for value, kind in zip(cgutils.unpack_tuple(builder, values[1]), kinds, strict=True)
        ]
        address = context.cast(builder, values[0], signature.args[0], types.uint64)
        function = ir.FunctionType(word, [word] * len(kinds)).as_pointer()
        return builder.call(builder.inttoptr(address, function), given)

    def define(function: Any, element: Any) -> None:
        @type_callable(function)
        def type_view(_context: Any) -> Any:
            def typed(address: Any, length: Any) -> Any:
                if isinstance(address, types.Integer) and isinstance(length, types.Integer):
                    return types.Array(element, 1, "C")
                return None

            return typed

        @lower_builtin(function, types.Integer, types.Integer)
        def emit_view(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            array = make_array(signature.return_type)(context, builder)
            address = context.cast(builder, values[0], signature.args[0], types.uint64)
            length = context.cast(builder, values[1], signature.args[1], types.intp)
            size = context.get_constant(types.intp, element.bitwidth // 8)
            data = builder.inttoptr(address, array.data.type)
            populate_array(array, data, [length], [size], size, None)
            return array._getvalue()  # noqa: SLF001  # Numba's own way.

    define(words_at, types.uint64)
    define(floats_at, types.float32)
    define(integers_at, types.int32)
