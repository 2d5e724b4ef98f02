"""Running a kernel for many games at once: a thread of the GPU for each.

What numba.cuda launches is a few lines made here: a thread takes its game's part of every argument,
puts records together and calls the kernel's twin. These lines are written out for each shape of
arguments, because a launch has no records of two-dimensional arrays.
"""

from __future__ import annotations

import inspect
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from montego.jit.errors import DeviceError
from montego.jit.gpu.device import device_errors, is_simulated, load_cuda
from montego.jit.gpu.lanes import TILE, Lanes
from montego.jit.gpu.twin import Twins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from montego.jit.kernel import Kernel

BLOCK = 64
"""Threads a block, which begin and end together. Games differ in length: few leave less idle."""


class Grid:
    """A kernel for many games. Made once, called often; compiled at the first call.

    *functions* are kernels for the parameters, by name, that are functions on the CPU. The kernel
    must return nothing: what it finds it writes into its game's arrays.

    Raises:
        TypeError: If the kernel has no parameter of such a name; when called, if an array is given
            twice: the compiler is told that arguments share no memory.
        DeviceError: When called, if there is no GPU, or the arguments are not on it.
    """

    def __init__(self, kernel: Kernel[..., None], /, **functions: Kernel[..., Any]) -> None:
        self._kernel = kernel
        self._functions = functions
        self._parameters = list(inspect.signature(kernel.python).parameters)
        unknown = set(functions) - set(self._parameters)
        if unknown:
            raise TypeError(f"{kernel!r} has no parameter {', '.join(sorted(unknown))}")
        self._made: dict[str, Any] = {}  # by the lines of the launched function
        self._twins = Twins()

    def __call__(self, *arguments: Any, games: int, stream: int = 0) -> None:
        """Run the kernel for games 0 to *games* - 1, with *arguments* for the other parameters.

        Of :class:`Lanes`, also in records, each game gets its own; arrays and numbers are given to
        all. Returns before the GPU is done. *stream* is the address of a CUDA stream, as PyTorch
        gives it by ``torch.cuda.current_stream().cuda_stream``.
        """
        lines = _Lines()
        given = iter(arguments)
        words = [
            lines.constant(self._functions[name])
            if name in self._functions
            else lines.word_for(next(given, inspect.Parameter.empty), name)
            for name in self._parameters
        ]
        if next(given, None) is not None:
            raise TypeError(f"{self._kernel!r} takes fewer arguments")
        arrays = [id(leaf) for leaf in lines.leaves if hasattr(leaf, "shape")]
        if len(set(arrays)) < len(arrays):
            raise TypeError(f"{self._kernel!r} is given an array twice")
        launched = self._launched(lines, words)
        cuda = load_cuda()
        blocks = -(-games // BLOCK)
        with device_errors():
            queue = cuda.external_stream(stream) if stream else 0
            with _compiling():
                launched[blocks, BLOCK, queue](games, *lines.leaves)

    def _launched(self, lines: _Lines, words: list[str]) -> Any:
        """Return what numba.cuda launches for arguments of this shape."""
        text = lines.text(words)
        key = text + "".join(f"{name}={id(value)} " for name, value in lines.constants.items())
        if key not in self._made:
            cuda = load_cuda()
            scope: dict[str, Any] = {
                name: self._twins.of(value) if _is_kernel(value) else value
                for name, value in lines.constants.items()
            }
            scope |= {"cuda": cuda, "body": self._twins.of(self._kernel), "lane": lane_of()}
            exec(compile(text, f"<grid of {self._kernel.__name__}>", "exec"), scope)  # noqa: S102
            self._made[key] = cuda.jit(scope["grid"])
        return self._made[key]


def _is_kernel(value: object) -> bool:
    return hasattr(value, "python")


class _Lines:
    """The lines of a launched function, as arguments are taken apart."""

    def __init__(self) -> None:
        self.leaves: list[Any] = []  # What is launched with: arrays and numbers.
        self.constants: dict[str, Any] = {}  # What the lines name: device functions, records.

    def constant(self, value: Any) -> str:
        """Return a name for something that the compiler knows."""
        name = f"constant_{len(self.constants)}"
        self.constants[name] = value
        return name

    def word_for(self, value: Any, name: str) -> str:
        """Return what to call the kernel with for an argument: an expression of its leaves."""
        if value is inspect.Parameter.empty:
            raise TypeError(f"an argument is missing: {name}")
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            record = self.constant(type(value))
            parts = (
                self.word_for(part, f"{name}.{field}")
                for field, part in zip(value._fields, value, strict=True)
            )
            return f"{record}({', '.join(parts)})"
        leaf = f"leaf_{len(self.leaves)}"
        if isinstance(value, Lanes):
            self.leaves.append(value.array)
            return f"lane({leaf}, game)" if value.interleaved else f"{leaf}[game]"
        if isinstance(value, np.ndarray):
            raise DeviceError(f"{name} is not on the GPU: upload it")
        self.leaves.append(value)
        return leaf

    def text(self, words: list[str]) -> str:
        """Return the source of the launched function."""
        leaves = "".join(f", leaf_{number}" for number in range(len(self.leaves)))
        return (
            f"def grid(games{leaves}):\n"
            "    game = cuda.grid(1)\n"
            "    if game < games:\n"
            f"        body({', '.join(words)})\n"
        )


@contextmanager
def _compiling() -> Iterator[None]:
    """Have numba-cuda compile in three ways that it has no options for.

    No multiplication is fused with an addition, which would round once where the CPU rounds twice.
    What is launched with shares no memory: see :func:`apart`. And a step in an array is a step from
    a pointer, which the compiler can follow, where numba-cuda makes a number of the pointer, adds,
    and makes a pointer of the sum. Without the last two every load waits for the store before it,
    and a thread waits for memory word by word.
    """
    if is_simulated():
        yield
        return
    from numba.cuda import cgutils  # noqa: PLC0415
    from numba.cuda.cudadrv import nvvm  # noqa: PLC0415

    before, add_before = nvvm.compile_ir, cgutils.pointer_add

    def compile_ir(texts: Any, **options: Any) -> Any:
        texts = [texts] if isinstance(texts, str) else texts
        return before([apart(text) for text in texts], **{"fma": 0, **options})

    nvvm.compile_ir, cgutils.pointer_add = compile_ir, _pointer_add
    try:
        yield
    finally:
        nvvm.compile_ir, cgutils.pointer_add = before, add_before


def _pointer_add(builder: Any, pointer: Any, offset: Any, return_type: Any = None) -> Any:
    """Write the instructions that step from a pointer by so many bytes, for numba-cuda."""
    from llvmlite import ir  # noqa: PLC0415

    if isinstance(offset, int):
        offset = ir.IntType(64)(offset)
    moved = builder.gep(builder.bitcast(pointer, ir.IntType(8).as_pointer()), [offset])
    return builder.bitcast(moved, return_type or pointer.type)


def apart(text: str) -> str:
    """Return a module of LLVM's language in which no two pointers that a launch gives overlap.

    Modules of device functions, which nothing launches, stay as they are.
    """
    if '!"kernel"' not in text:
        return text
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith("define void @"):
            lines[number] = re.sub(r"(\*|\bptr) %", r"\1 noalias %", line)
    return "\n".join(lines)


def lane_of() -> Any:
    """Return a function for launched ones: given interleaved lanes and a game, its flat array."""
    if is_simulated():
        return _lane_by_slices
    return _lane_intrinsic()


def _lane_by_slices(array: Any, game: int) -> Any:
    return array[game // TILE, :, game % TILE]


def _lane_intrinsic() -> Any:
    """Return the function for the compiler: the step between elements is a constant to it."""
    from llvmlite import ir  # noqa: PLC0415
    from numba.core import types  # noqa: PLC0415
    from numba.cuda.extending import intrinsic  # noqa: PLC0415
    from numba.cuda.np.arrayobj import make_array, populate_array  # noqa: PLC0415

    @intrinsic
    def lane(_typing: Any, array: Any, game: Any) -> Any:
        flat = types.Array(array.dtype, 1, "A")

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            source = make_array(signature.args[0])(context, builder, arguments[0])
            number = context.cast(builder, arguments[1], signature.args[1], types.intp)
            length = builder.extract_value(source.shape, 1)
            tile, place = (
                operation(number, word(TILE)) for operation in (builder.udiv, builder.urem)
            )
            offset = builder.add(builder.mul(tile, builder.mul(length, word(TILE))), place)
            size = context.get_abi_sizeof(context.get_data_type(flat.dtype))
            target = make_array(flat)(context, builder)
            populate_array(
                target,
                data=builder.gep(source.data, [offset]),
                shape=[length],
                strides=[word(TILE * size)],
                itemsize=word(size),
                meminfo=None,
            )
            return target._getvalue()  # noqa: SLF001

        return flat(array, game), emit

    return lane
