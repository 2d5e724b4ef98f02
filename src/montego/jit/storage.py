"""Machine code in files: Numba's cache, made so that no file and no disk can stop a kernel.

A file that is damaged is thrown away, and what cannot be written lives in memory. A file's place
depends on the kernel's module and not on where the package is installed, because the name of the
folder stands for all that machine code depends on.

This module loads Numba, and is imported when a kernel is first compiled.
"""

from __future__ import annotations

import io
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from montego.jit.cache import cache_folder, is_whole, seal, tell_once
from montego.jit.compiler import PartForm

if TYPE_CHECKING:
    from collections.abc import Iterator

_PACKAGE = Path(__file__).resolve().parent.parent


def keep_machine_code(dispatcher: Any) -> None:
    """Let a dispatcher find its machine code in our folder, and put there what it compiles."""
    folder = cache_folder()
    if folder is None:
        tell_once(
            "no folder for compiled code can be written: every start compiles it anew; "
            "MONTEGO_CACHE_DIR may name one"
        )
    else:
        # Numba's own way, enable_caching, makes a cache that raises whatever is wrong with a file.
        dispatcher._cache = _KernelCache(dispatcher.py_func)  # noqa: SLF001


def keep_part(dispatcher: Any) -> None:
    """Do so for a dispatcher that other kernels call."""
    if cache_folder() is not None:
        dispatcher._cache = _PartCache(dispatcher.py_func)  # noqa: SLF001


class _DamagedError(Exception):
    """A file is not whole."""


class _Place:
    """Where the files of one kernel are, in the form in which Numba asks for it."""

    def __init__(self, folder: Path, function: Any) -> None:
        source = Path(function.__code__.co_filename).resolve()
        self._path = folder / ".".join(source.parent.relative_to(_PACKAGE).parts)
        self._line = function.__code__.co_firstlineno
        self._py_file = str(source)  # Where Numba's warnings say that something happened.

    @classmethod
    def from_function(cls, function: Any, _source: str) -> _Place | None:
        folder = cache_folder()
        return None if folder is None else cls(folder, function)

    def get_cache_path(self) -> str:
        return str(self._path)

    def ensure_cache_path(self) -> None:
        self._path.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        return ""  # The folder's name says it.

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Form(CompileResultCacheImpl):  # type: ignore[misc]
    """How Numba writes machine code, at our places."""

    _locator_classes = (_Place,)


class _PartPlace(_Place):
    """Where a part of one is: beside it."""

    def get_disambiguator(self) -> str:
        return f"{super().get_disambiguator()}.part"


class _PartForm(PartForm):
    """How we write parts, at our places."""

    _locator_classes = (_PartPlace,)


class _SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's files with seals at their ends, behind what it reads."""

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[io.BytesIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + seal(content.getvalue()))

    def _load_index(self) -> Any:
        _refuse_damage(self._index_path)
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _refuse_damage(self._data_path(name))
        return super()._load_data(name)

    def discard(self) -> None:
        """Forget everything; data without an index is written over."""
        with suppress(OSError):
            Path(self._index_path).unlink(missing_ok=True)


def _refuse_damage(path: str) -> None:
    with suppress(FileNotFoundError):
        if not is_whole(Path(path)):
            raise _DamagedError(path)


class _KernelCache(FunctionCache):  # type: ignore[misc]
    """The machine code of one kernel, by its arguments' types. Raises nothing about files."""

    _impl_class = _Form

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = _SealedFiles(
            self.cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled before; None if that is nothing, or of no use."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  # Whatever it is: compiling anew is right.
            self._cache_file.discard()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if that is possible."""
        try:
            super().save_overload(sig, data)
        except (OSError, _DamagedError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or "a damaged file"
            tell_once(
                f"compiled code cannot be kept in {cache_folder()} ({reason}): "
                "every start compiles it anew; MONTEGO_CACHE_DIR may name another place"
            )


class _PartCache(_KernelCache):
    """What other kernels call of a kernel, by its arguments' types."""

    _impl_class = _PartForm
