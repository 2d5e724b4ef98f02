"""onnxruntime, so that compiled code can call it: sessions, and calls that are ready to be made.

Two ways lead to it. Its C library, which its wheel brings along, has a table of functions that only
ever grows at its end; a kernel calls ``Run`` from there by address, without the GIL, and the Python
package is not even imported. Where the library is not found, a call by address leads back into
Python, takes the GIL and asks the package. A kernel does not see which it is: :class:`NativeCall`.

A session judges with one thread, the one that calls, and any number may call at the same time.

Whoever loads onnxruntime imports this module first: from 1.29 on it would tell Microsoft about the
machine and the network, and its own function against that comes too late for the first message.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from montego.network.errors import NetworkError, NoRuntime

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Arrays = Mapping[str, NDArray[np.float32]]

os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

_API_VERSION = 12  # of onnxruntime 1.12 (2022); later ones still have it

# Where in the table the functions are that we use.
_GET_ERROR_MESSAGE = 2
_CREATE_ENVIRONMENT = 3
_DISABLE_TELEMETRY = 6
_CREATE_SESSION = 8
_RUN = 9
_CREATE_OPTIONS = 10
_SET_LOG_SEVERITY = 22
_SET_THREADS_WITHIN = 24
_SET_THREADS_BETWEEN = 25
_CREATE_TENSOR = 49
_CREATE_MEMORY_INFO = 69
_RELEASE_STATUS = 93
_RELEASE_SESSION = 95
_RELEASE_VALUE = 96
_RELEASE_OPTIONS = 100

_FATAL = 4  # What is less than that is told by a status, too.
_FLOAT = 1
_ARENA, _DEFAULT_MEMORY = 1, 0


class NativeCall:
    """A run of a network over arrays that stay where they are: an address, and what to give it.

    Calling the function at :attr:`address` with the eight :attr:`arguments` reads the inputs and
    writes the outputs. It returns 0, or else what the function at :attr:`release` must be called
    with, unless that is 0. Keeps everything alive that the call needs, the arrays included. Not for
    two threads at the same time.
    """

    def __init__(
        self, address: int, arguments: tuple[int, ...], release: int, *kept: object
    ) -> None:
        self.address = address
        self.arguments = arguments
        self.release = release
        self._kept = kept


class LoadedModel(Protocol):
    """A network that is loaded."""

    way: str
    """How it is called: ``"C"`` or ``"Python"``."""

    def bind(self, inputs: Arrays, outputs: Arrays) -> NativeCall:
        """Prepare runs from and to these arrays, by the names that the model has for them.

        Raises:
            NetworkError: If the model has no such inputs or outputs.
        """
        ...


def open_session(model: bytes, way: str | None = None) -> LoadedModel:
    """Load a model; *way* is ``"C"`` or ``"Python"``, None for the better one that there is.

    Raises:
        NoRuntime: If onnxruntime is not installed or does not work.
        NetworkError: If it does not take the model.
    """
    if find_spec("onnxruntime") is None:
        raise NoRuntime("networks need onnxruntime, which is not installed")
    if way is None:
        way = "Python" if _library() is None else "C"
    return _LibrarySession(model) if way == "C" else _PackageSession(model)


def run(
    session: LoadedModel, inputs: Arrays, shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, Any]:
    """Run a network once and return its outputs, which have these shapes.

    Raises:
        NetworkError: If it does not work.
    """
    given = {name: np.ascontiguousarray(array, np.float32) for name, array in inputs.items()}
    outputs = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    make(session.bind(given, outputs))
    return outputs


def make(call: NativeCall) -> None:
    """Make a call, from Python.

    Raises:
        NetworkError: If it does not work; the message says why.
    """
    word = ctypes.c_uint64
    status = ctypes.CFUNCTYPE(word, *[word] * len(call.arguments))(call.address)(*call.arguments)
    if status == 0:
        return
    if call.release == 0:
        raise NetworkError("it cannot be run by onnxruntime")
    library = _library()
    assert library is not None  # noqa: S101  # It has made the call.
    library.check(status)


# By the C library


class _Library:
    """The functions of onnxruntime's C library, and the environment that sessions live in."""

    def __init__(self, path: Path) -> None:
        """Load it.

        Raises:
            OSError: If it cannot be loaded.
            AttributeError: If it is another library.
        """
        self._library = ctypes.CDLL(str(path))
        base = self._library.OrtGetApiBase
        base.restype = ctypes.POINTER(ctypes.c_void_p)
        get_table = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint32)(base()[0])
        self._table = get_table(_API_VERSION)
        if not self._table:
            raise OSError("another version")
        self.environment = self.create(_CREATE_ENVIRONMENT, ctypes.c_int(_FATAL), b"montego")
        self.call(_DISABLE_TELEMETRY, self.environment)
        self.memory = self.create(
            _CREATE_MEMORY_INFO, ctypes.c_int(_ARENA), ctypes.c_int(_DEFAULT_MEMORY)
        )

    def address(self, function: int) -> int:
        """Return where a function of the table is."""
        return int(self._table[function] or 0)

    def call(self, function: int, *arguments: Any) -> None:
        """Call a function that returns a status.

        Raises:
            NetworkError: If the status says that it did not work.
        """
        prototype = ctypes.CFUNCTYPE(ctypes.c_void_p, *(_kind(one) for one in arguments))
        self.check(prototype(self.address(function))(*arguments))

    def create(self, function: int, *arguments: Any) -> ctypes.c_void_p:
        """Call a function whose last argument is where to put what it makes, and return that.

        Raises:
            NetworkError: If it makes nothing.
        """
        made = ctypes.c_void_p()
        self.call(function, *arguments, ctypes.byref(made))
        return made

    def release(self, function: int, thing: ctypes.c_void_p) -> None:
        """Give back what was made."""
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.address(function))(thing)

    def check(self, status: int | None) -> None:
        """Raise NetworkError with what a status says, unless it is 0; and give it back."""
        if not status:
            return
        message = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(
            self.address(_GET_ERROR_MESSAGE)
        )(status)
        self.release(_RELEASE_STATUS, ctypes.c_void_p(status))
        raise NetworkError(_refusal((message or b"").decode(errors="replace")))


class _LibrarySession:
    """A session of the C library."""

    way = "C"

    def __init__(self, model: bytes) -> None:
        library = _library()
        if library is None:
            raise NoRuntime("the library of onnxruntime is not where its package is")
        self._library = library
        options = library.create(_CREATE_OPTIONS)
        try:
            for function in (_SET_THREADS_WITHIN, _SET_THREADS_BETWEEN):
                library.call(function, options, ctypes.c_int(1))
            library.call(_SET_LOG_SEVERITY, options, ctypes.c_int(_FATAL))
            self._session = library.create(
                _CREATE_SESSION, library.environment, model, ctypes.c_size_t(len(model)), options
            )
        finally:
            library.release(_RELEASE_OPTIONS, options)
        given_back = weakref.finalize(self, library.release, _RELEASE_SESSION, self._session)
        given_back.atexit = False

    def bind(self, inputs: Arrays, outputs: Arrays) -> NativeCall:
        given, taken = (_Tensors(self._library, arrays) for arrays in (inputs, outputs))
        arguments = (
            self._session.value or 0,
            0,  # options of the run
            ctypes.addressof(given.names),
            ctypes.addressof(given.values),
            len(inputs),
            ctypes.addressof(taken.names),
            len(outputs),
            ctypes.addressof(taken.values),
        )
        release = self._library.address(_RELEASE_STATUS)
        call = NativeCall(self._library.address(_RUN), arguments, release, self, given, taken)
        make(call)  # Once, to know that the model has these, of these shapes.
        return call


class _Tensors:
    """Arrays as the C library takes them: their names, and a tensor over the memory of each."""

    def __init__(self, library: _Library, arrays: Arrays) -> None:
        self._kept = list(arrays.values())
        self.names = (ctypes.c_char_p * len(arrays))(*(name.encode() for name in arrays))
        self.values = (ctypes.c_void_p * len(arrays))()
        given_back = weakref.finalize(self, _release_all, library, self.values)
        given_back.atexit = False
        for place, array in enumerate(self._kept):
            shape = (ctypes.c_int64 * array.ndim)(*array.shape)
            self.values[place] = library.create(
                _CREATE_TENSOR,
                library.memory,
                ctypes.c_void_p(array.ctypes.data),
                ctypes.c_size_t(array.nbytes),
                shape,
                ctypes.c_size_t(array.ndim),
                ctypes.c_int(_FLOAT),
            ).value


def _release_all(library: _Library, values: Any) -> None:
    for value in values:
        if value:
            library.release(_RELEASE_VALUE, ctypes.c_void_p(value))


def _kind(argument: Any) -> Any:
    """Return the type of an argument for C: what is no number is a pointer."""
    return type(argument) if isinstance(argument, ctypes._SimpleCData) else ctypes.c_void_p  # noqa: SLF001


@cache
def _library() -> _Library | None:
    """Return onnxruntime's C library; None if it is not found or cannot be loaded."""
    package = find_spec("onnxruntime")
    if package is None or package.origin is None:
        return None
    folder = Path(package.origin).parent / "capi"
    for pattern in ("libonnxruntime.so*", "libonnxruntime*.dylib", "onnxruntime.dll"):
        for path in sorted(folder.glob(pattern)):
            try:
                return _Library(path)
            except (OSError, AttributeError, NetworkError):
                continue
    return None


# By the Python package


class _PackageSession:
    """A session of the Python package, for where the C library is not found."""

    way = "Python"

    def __init__(self, model: bytes) -> None:
        try:
            import onnxruntime  # noqa: PLC0415  # Takes long, and is often not needed.

            onnxruntime.disable_telemetry_events()
            options = onnxruntime.SessionOptions()
        except (ImportError, AttributeError) as error:
            raise NoRuntime(f"onnxruntime does not work here: {error}") from None
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _FATAL
        try:
            self._session = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001  # It has classes of its own for each.
            raise NetworkError(_refusal(str(error))) from None

    def bind(self, inputs: Arrays, outputs: Arrays) -> NativeCall:
        def run(*_: int) -> int:
            try:
                found = self._session.run(list(outputs), dict(inputs))
                for array, result in zip(outputs.values(), found, strict=True):
                    if array.shape != result.shape:
                        return 1
                    array[...] = result
            except Exception:  # noqa: BLE001  # There is no way to raise into compiled code.
                return 1
            return 0

        word = ctypes.c_uint64
        function = ctypes.CFUNCTYPE(word, *[word] * 8)(run)
        address = ctypes.cast(function, ctypes.c_void_p).value or 0
        call = NativeCall(address, (0,) * 8, 0, self, function)
        make(call)
        return call


def _refusal(message: str) -> str:
    """Return what onnxruntime has against a model, in a line that is not too long."""
    line = " ".join(message.split())
    return f"onnxruntime refuses it: {line[:160] or 'it does not say why'}"
