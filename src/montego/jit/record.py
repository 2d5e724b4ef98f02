"""Records that kernels take: one declaration gives the fields, their memory and their Numba type.

A record is a NamedTuple of whole numbers, floats and flat arrays. A field that is an array says its
element and how long it is, by the name of what it has an element for::

    class Path(NamedTuple):
        nodes: Annotated[NDArray[Any], Flat(np.int32, "depth")]
        length: int
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np

T = TypeVar("T")

_ARRAYS: dict[type[Any], dict[str, Flat]] = {}


class Flat(NamedTuple):
    """What an array of a record is: the type of its elements, and what there is one of each for."""

    kind: type[np.generic]
    extent: str


def arrays_of(record: type[Any]) -> dict[str, Flat]:
    """Return the arrays of a record by the names of their fields; the same dictionary each time."""
    if record not in _ARRAYS:
        _ARRAYS[record] = _read_arrays(record)
    return _ARRAYS[record]


def _read_arrays(record: type[Any]) -> dict[str, Flat]:
    hints = get_type_hints(record, include_extras=True)
    return {
        name: next(item for item in hint.__metadata__ if isinstance(item, Flat))
        for name, hint in hints.items()
        if hasattr(hint, "__metadata__")
    }


def allocate(record: type[T], extents: dict[str, int], **given: Any) -> T:
    """Return a record with its arrays made and all 0, of the lengths that *extents* names.

    Fields in *given* are taken as they are.
    """
    made = {
        name: np.zeros(extents[array.extent], array.kind)
        for name, array in arrays_of(record).items()
        if name not in given
    }
    return record(**made, **given)


def record_type(types: Any, record: type[Any]) -> Any:
    """Return Numba's type of a record, given ``numba.types``."""
    arrays = arrays_of(record)
    plain = {int: types.int64, float: types.float64}
    fields = [
        getattr(types, np.dtype(arrays[name].kind).name)[::1] if name in arrays else plain[hint]
        for name, hint in get_type_hints(record).items()
    ]
    return types.NamedTuple(fields, record)
