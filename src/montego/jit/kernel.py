"""Kernels: functions that are compiled when first called, and their interpreted twins.

A *patient* kernel runs as its interpreted twin until it has been called often, and is then
compiled in the background: a person who plays one move waits for no compiler, a program that plays
a million gets one.

A :class:`Kernel` stands where Numba's dispatcher would stand. Numba meets it as a global
of another kernel and is told, by :func:`_load_numba`, to take a dispatcher instead; so a kernel
calls a kernel, in one compilation, without either being compiled at import. What kernels call is
compiled as :mod:`montego.jit.compiler` says.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import types
from functools import cache, update_wrapper
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

from montego.jit import atomic, foreign

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
R = TypeVar("R")

_LOADING = threading.Lock()

PATIENCE = 2_000
"""Interpreted calls of a patient kernel before it is compiled: some tens of milliseconds' worth.

``MONTEGO_PATIENCE`` in the environment overrides it; 0 compiles at the first call.
"""

_UNTYPED = re.compile(
    r"Untyped global name '(?P<name>\w+)':.*Numba type of <class '(?P<kind>[\w.]+)'>"
)


def _patience() -> int | None:
    """Return how many calls a patient kernel stays interpreted; None for none at all."""
    try:
        return int(os.environ.get("MONTEGO_PATIENCE", "")) or None
    except ValueError:
        return PATIENCE


def compile_off() -> bool:
    """Say whether kernels run interpreted, because ``NUMBA_DISABLE_JIT`` is set to 1."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def compiler_complaint(error: BaseException) -> str | None:
    """Return what Numba's compiler says of code that it refuses, in a line.

    None if the error is not the compiler's.
    """
    if "numba" not in sys.modules:
        return None
    from numba.core.errors import NumbaError  # noqa: PLC0415  # It is loaded by now.

    # A function with too many or too few parameters is no error of Numba's own kind.
    mismatch = isinstance(error, TypeError) and str(error).startswith("Signature mismatch")
    if not isinstance(error, NumbaError) and not mismatch:
        return None
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip(" -") for line in plain.splitlines()]
    # The pages of a traceback begin with these.
    chaff = ("Failed in", "File ", "During", "Invalid use of", "There are")
    line = next((line for line in lines if line and not line.startswith(chaff)), plain[:80])
    untyped = _UNTYPED.match(line)
    if untyped is None:
        return line
    name, kind = untyped["name"], untyped["kind"].rpartition(".")[2]
    if kind == "function":
        return f"{name} is a plain function: write @kernel above its def"
    return f"{name} is a {kind}: compiled code takes numbers, tuples and arrays from outside"


class Kernel(Generic[P, R]):
    """A function compiled by Numba at its first call. Made by :func:`kernel`."""

    __name__: str

    def __init__(
        self,
        function: Callable[P, R],
        *,
        inline: bool = False,
        patient: bool = False,
        signature: Callable[[Any], Any] | None = None,
    ) -> None:
        update_wrapper(self, function)
        self.python = function
        """The undecorated function. The kernels it calls are still compiled ones."""
        self.inline = inline
        """Whether its machine code goes into every caller's."""
        self.signature = signature
        """From Numba's types, those of its arguments; None if its first call tells them."""
        self._dispatcher: Any = None
        self._part: Any = None
        self._argument_types: tuple[Any, ...] = ()  # of the signature, once compiled
        self._entry: Any = None  # with a signature: the machine code, called without dispatch
        self._pointers: dict[int, Any] = {}  # by the id of a function type
        self._twin: Callable[P, R] | None = None
        # Calls that may still be interpreted; None once compiled code is to be used.
        self._patience = _patience() if patient else None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:  # noqa: D102
        if self._dispatcher is None and compile_off():
            return self.python(*args, **kwargs)
        if self._patience is not None:
            return self._call_patiently(*args, **kwargs)
        if self.signature is None:
            return self.dispatcher(*args, **kwargs)  # type: ignore[no-any-return]
        if self._entry is None:
            self._entry = next(iter(self.dispatcher.overloads.values())).entry_point
        pointers: list[Any] = list(args)
        for index, arg in enumerate(args):
            if isinstance(arg, Kernel):
                pointers[index] = arg._pointer(self._argument_types[index])  # noqa: SLF001
        return self._entry(*pointers)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__name__}>"

    def _call_patiently(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the interpreted twin, and start the compiler when patience ends."""
        if self._twin is None:
            self._twin = interpreted(self)
        if self._patience == 0:
            threading.Thread(target=self._compile_for, args=(args,), daemon=True).start()
        if self._patience is not None:
            self._patience -= 1
        return self._twin(*args, **kwargs)

    def _compile_for(self, args: tuple[Any, ...]) -> None:
        """Compile for arguments of these types, then let calls go to the machine code."""
        dispatcher = self.dispatcher
        dispatcher.compile(tuple(dispatcher.typeof_pyval(arg) for arg in args))
        self._patience = None

    def _pointer(self, kind: Any) -> Any:
        """Return this kernel as an argument of a function type: the address of its machine code.

        Numba would take the dispatcher as well, but look the address up at every call, which
        takes longer than a short search.
        """
        pointer = self._pointers.get(id(kind))
        if pointer is None:
            pointer = _function_pointer(self.dispatcher, kind.signature)
            self._pointers[id(kind)] = pointer  # The caller's signature keeps *kind* alive.
        return pointer

    @property
    def dispatcher(self) -> Any:
        """Numba's dispatcher for this function, made at the first use. Loads Numba."""
        if self._dispatcher is None:
            with _compiling():
                if self._dispatcher is None:
                    self._dispatcher = self._make_dispatcher()
        return self._dispatcher

    @property
    def part(self) -> Any:
        """The dispatcher that Numba meets in kernels that call this one. Loads Numba."""
        if self._part is None:
            with _compiling():
                if self._part is None:
                    # A function of its own: Numba would take a call of itself for an endless one.
                    source = function_of(self)
                    copy = function_like(source, source.__globals__, source.__name__)
                    copy.__module__, copy.__qualname__ = source.__module__, source.__qualname__
                    self._part = self._decorate(copy, part=True)
        return self._part

    def _make_dispatcher(self) -> Any:
        """Return a dispatcher for calls from Python.

        Compiles nothing yet, unless there is a signature.
        """
        dispatcher = self._decorate(self.python, part=False)
        if self.signature is not None:
            signature = self.signature(_load_numba().types)
            dispatcher.compile(signature)
            dispatcher.disable_compile()
            self._argument_types = signature.args
        return dispatcher

    def _decorate(self, function: Callable[..., Any], *, part: bool) -> Any:
        """Wrap the function, or its copy, in a Numba dispatcher that has our folder."""
        numba = _load_numba()
        from montego.jit import compiler, storage  # noqa: PLC0415  # These load Numba, too.

        # Our own kernels allocate nothing, so they need no reference counts, whose upkeep doubles
        # the cost of short simulations.
        ours = _is_ours(function.__module__)
        decorate = numba.njit(
            nogil=True,
            error_model="numpy",
            forceinline=self.inline,
            _nrt=not ours,
            pipeline_class=compiler.PartCompiler if part else compiler.WholeCompiler,
        )
        dispatcher = decorate(function)
        # The digest in the folder's name covers our own sources alone; a user's kernels are
        # compiled anew in every process rather than served stale.
        if ours:
            (storage.keep_part if part else storage.keep_machine_code)(dispatcher)
        if part:
            compiler.share_copies(dispatcher)
        return dispatcher


@overload
def kernel(function: Callable[P, R], /) -> Kernel[P, R]: ...
@overload
def kernel(
    *,
    inline: bool = False,
    patient: bool = False,
    signature: Callable[[Any], Any] | None = None,
) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(
    function: Callable[P, R] | None = None,
    /,
    *,
    inline: bool = False,
    patient: bool = False,
    signature: Callable[[Any], Any] | None = None,
) -> Kernel[P, R] | Callable[[Callable[P, R]], Kernel[P, R]]:
    """Make a function a kernel: compiled when first called, cached on disk, GIL released.

    *inline* forces the machine code into every caller, for the few lines that run at every
    point of every playout. *patient* is for kernels behind friendly functions: called from Python,
    they run interpreted at first and are compiled in the background once they prove to be needed
    (see :data:`PATIENCE`); called from other kernels, they are compiled with these. *signature* is
    for kernels that take functions as arguments: given ``numba.types``, it returns the one
    signature to compile. It is asked at the first call, so that compilation stays deferred; any
    kernel with a fitting signature can then be passed without compiling the caller again. The
    types of the arguments are then not looked at any more: they must be exactly those.

    Arguments are not checked: indices out of range read garbage unless ``NUMBA_BOUNDSCHECK=1``
    was set before anything was compiled.
    """

    def decorate(function: Callable[P, R]) -> Kernel[P, R]:
        return Kernel(function, inline=inline, patient=patient, signature=signature)

    return decorate if function is None else decorate(function)


def interpreted(
    compiled: Kernel[P, R],
    replacements: Mapping[Kernel[..., Any], Callable[..., Any]] | None = None,
) -> Callable[P, R]:
    """Return the twin of a kernel in plain Python, in which every callee is interpreted too.

    Slow, and the place to set breakpoints. It computes the same numbers: a test says so. Functions
    of *replacements* are called in place of the kernels that they stand for, wherever these are
    called; so one can look on.
    """
    made: dict[int, Any] = {id(of): function for of, function in (replacements or {}).items()}
    twin: Callable[P, R] = _twin(compiled, made)
    return twin


def specialize(
    template: Kernel[P, R], name: str, replacements: Mapping[Kernel[..., Any], Kernel[..., Any]]
) -> Kernel[P, R]:
    """Return a copy of a kernel in which other kernels stand for some of those it calls.

    They are replaced wherever they are called, also by what the kernel calls. The copy is compiled
    and cached on its own, under *name*; the replacements can be inlined in it, which a function
    argument cannot. With a user's kernel inside it counts as the user's: not cached, so never
    served stale.
    """
    made: dict[int, Kernel[..., Any]] = {id(of): other for of, other in replacements.items()}
    return _copy(template, name, made, [other.__module__ for other in replacements.values()])


def _copy(
    template: Kernel[P, R], name: str, made: dict[int, Kernel[..., Any]], modules: list[str]
) -> Kernel[P, R]:
    """Return a kernel with those in *made* replaced, by id; itself if it calls none of them."""
    if id(template) in made:
        return cast("Kernel[P, R]", made[id(template)])
    made[id(template)] = template  # For a kernel that calls itself.
    source = function_of(template)
    scope = source.__globals__
    callees: dict[str, Kernel[..., Any]] = {
        called: _copy(scope[called], name, made, modules)
        for called in source.__code__.co_names
        if isinstance(scope.get(called), Kernel)
    }
    if all(scope[called] is callee for called, callee in callees.items()):
        return template
    copy = function_like(source, scope | callees, f"{source.__name__}_{name}")
    copy.__module__ = next((home for home in modules if not _is_ours(home)), source.__module__)
    special: Kernel[P, R] = Kernel(copy, inline=template.inline, signature=template.signature)
    made[id(template)] = special
    return special


def _twin(compiled: Kernel[..., Any], made: dict[int, Any]) -> Any:
    """Copy a kernel's function with the kernels among its globals replaced by their twins."""
    if id(compiled) in made:
        return made[id(compiled)]
    source = function_of(compiled)
    scope = dict(source.__globals__)
    made[id(compiled)] = twin = function_like(source, scope, source.__name__)
    for name in source.__code__.co_names:
        if isinstance(scope.get(name), Kernel):
            scope[name] = _twin(scope[name], made)
    return twin


def function_of(kernel: Kernel[..., Any]) -> types.FunctionType:
    """Return the function that a kernel was made of."""
    assert isinstance(kernel.python, types.FunctionType)  # noqa: S101  # Kernels wrap plain ones.
    return kernel.python


def function_like(
    source: types.FunctionType,
    scope: dict[str, Any],
    name: str,
    cells: tuple[types.CellType, ...] | None = None,
) -> types.FunctionType:
    """Return a function of that name with the same code over other globals, and closure cells."""
    closure = source.__closure__ if cells is None else cells
    copy = types.FunctionType(source.__code__, scope, name, source.__defaults__, closure)
    copy.__doc__ = source.__doc__
    copy.__qualname__ = name  # Numba names the cache file after it.
    return copy


def _is_ours(module: str) -> bool:
    """Say whether a module belongs to Montego."""
    return module.startswith("montego.")


def _function_pointer(dispatcher: Any, signature: Any) -> Any:
    """Compile for *signature* and wrap the address in what Numba takes for a function."""
    numba = _load_numba()
    compiled = dispatcher.get_compile_result(signature)
    address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

    class FunctionPointer(numba.types.WrapperAddressProtocol):  # type: ignore[misc, name-defined]
        """What Numba asks of a first-class function. Keeps the machine code alive."""

        code = compiled

        def __wrapper_address__(self) -> int:  # Numba's name.
            return int(address)

        def signature(self) -> Any:
            return signature

    return FunctionPointer()


def _compiling() -> Any:
    """Return the lock under which everything is compiled: Numba's own.

    A second lock of ours would wait for a thread that compiles, and that thread for ours as soon
    as it comes to a kernel.
    """
    with _LOADING:
        _load_numba()
    from numba.core.compiler_lock import global_compiler_lock  # noqa: PLC0415

    return global_compiler_lock


@cache
def _load_numba() -> Any:
    """Import Numba and teach it our kernels, atomics and what is foreign."""
    import numba  # noqa: PLC0415  # Takes 0.6 s: only when a kernel runs.
    from numba.extending import typeof_impl  # noqa: PLC0415

    @typeof_impl.register(Kernel)
    def type_of_kernel(kernel: Kernel[..., Any], context: Any) -> Any:  # noqa: ARG001
        return numba.types.Dispatcher(kernel.part)

    atomic.register()
    foreign.register()
    return numba
