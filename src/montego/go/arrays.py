"""Arrays by name in a file of NumPy's own (``.npz``): what was learned, and what learners keep."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

Arrays: TypeAlias = dict[str, "NDArray[Any]"]

_Made = TypeVar("_Made")


def arrays_in(file: IO[bytes]) -> Arrays:
    """Return the arrays in a file that is open; it may hold nothing but numbers and text."""
    with np.load(file, allow_pickle=False) as data:
        return dict(data)


def read_arrays(
    path: str | os.PathLike[str], make: Callable[[Arrays], _Made], meaning: str
) -> _Made:
    """Return what *make* makes of the arrays in a file.

    Raises:
        GoError: If it cannot be read, or does not hold what the words *meaning* say: where *make*
            misses an array or raises a ValueError.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            return make(arrays_in(file))
    except OSError as error:
        raise GoError(f"cannot read {name!r}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        raise GoError(f"{name!r} holds no {meaning}") from None


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file that :func:`read_arrays` reads; it is there whole or not at all.

    Raises:
        GoError: If it cannot be written.
    """
    path = Path(path)
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # Names are keywords.
        part.replace(path)
    except OSError as error:
        raise GoError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
