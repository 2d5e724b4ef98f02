"""Numba's compiler for kernels: whole ones, which Python calls, and parts, which kernels call.

Left to itself Numba makes of every function that a compiled one calls what it makes of one that
Python calls: two wrappers, a round of optimization over all that is called below, machine code.
Then its callers do all that again, with the whole of it inside. Here a function that is called by
compiled ones becomes a *part*: code to link and nothing else, which halves the time that kernels
take to compile. A function that Python calls as well is compiled in both forms.

This module loads Numba, and is imported when a kernel is first compiled.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import llvmlite.binding as llvm
from numba.core import types
from numba.core.caching import CompileResultCacheImpl
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result

_TYPES: Any = types  # Numba's stubs lack some of them.


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part and of all that it calls, to link and not to run."""

    def finalize(self) -> None:
        """Link what is called. The optimizer and the rest are for the callers' library."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)  # noqa: SLF001
        self._finalize_dynamic_globals()
        self._finalized = True

    def content(self) -> tuple[str, bytes]:
        """Return what :meth:`restored` makes the library of."""
        return self.name, self._get_module_for_linking().as_bitcode()

    @classmethod
    def restored(cls, codegen: Any, name: str, bitcode: bytes) -> PartLibrary:
        """Return the library that had this content."""
        library = cls(codegen, name)
        library._final_module = library._shared_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        return library


class PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function for the compiled ones that call it."""

    def compile_extra(self, func: Any) -> Any:
        """Compile *func*. Its entry point cannot be called."""
        flags, context = self.state.flags, self.state.targetctx
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = self.state.library = PartLibrary(context.codegen(), func.__qualname__)
        made = super().compile_extra(func)._replace(entry_point=_no_entry())
        library.finalize()
        context.insert_user_function(made.entry_point, made.fndesc, [library])
        return made


class WholeLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code with all its parts."""

    def _optimize_final_module(self) -> None:
        """Optimize twice, as parts would have been by their own libraries.

        A second round still finds something once everything is in one function.
        """
        # Functions that call each other in turn find each other by name, if the names last.
        prefix = self._codegen._rtlinker.PREFIX  # noqa: SLF001
        for variable in self._final_module.global_variables:
            if variable.name.startswith(prefix):
                with suppress(NameError):  # It may be in a library that was made before.
                    called = self._final_module.get_function(variable.name.removeprefix(prefix))
                    called.linkage = "weak_odr"
        super()._optimize_final_module()
        super()._optimize_final_module()


class WholeCompiler(Compiler):  # type: ignore[misc]
    """Compiles a function that Python calls."""

    def compile_extra(self, func: Any) -> Any:
        """Compile *func*."""
        codegen = self.state.targetctx.codegen()
        self.state.library = WholeLibrary(codegen, func.__qualname__)
        self.state.library.enable_object_caching()
        made = super().compile_extra(func)
        # Numba tells a function where its constants for messages are when it makes it executable,
        # which its parts never become.
        for environment in made._find_referenced_environments():  # noqa: SLF001
            codegen.set_env(environment.env_name, environment)
        return made


class PartForm(CompileResultCacheImpl):  # type: ignore[misc]
    """How parts are written to files. Without constants for messages: our kernels have none."""

    def reduce(self, cres: Any) -> Any:
        """Return what :meth:`rebuild` makes the result of."""
        cres.fndesc.typemap = cres.fndesc.calltypes = None  # As Numba does it: not for files.
        return cres.library.content(), cres.fndesc, cres.signature

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return a result of compilation."""
        content, fndesc, signature = payload
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=PartLibrary.restored(target_context.codegen(), *content),
            entry_point=_no_entry(),
            fndesc=fndesc,
            signature=signature,
            objectmode=False,
            lifted=(),
        )


def share_copies(dispatcher: Any) -> None:
    """Let a part be compiled once for whole numbers of all signed types, constants included.

    Numba makes a copy for every type that a caller happens to have: two for a color, which is an
    int32 where it is read from a board, and one for every constant.
    """
    ask = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        named = {name: _widened(kind) for name, kind in kws.items()}
        return ask(tuple(_widened(kind) for kind in args), named)

    dispatcher.get_call_template = get_call_template


def _widened(kind: Any) -> Any:
    """Return the type for which a part is compiled; it has all values of *kind*."""
    plain = _TYPES.unliteral(kind)
    return _TYPES.int64 if isinstance(plain, _TYPES.Integer) and plain.signed else plain


def _no_entry() -> Any:
    """Return what stands for the entry point of a part; unlike that of any other.

    Numba finds parts by it, and insists on a builtin function.
    """
    return object().__sizeof__
