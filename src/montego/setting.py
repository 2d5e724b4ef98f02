"""A setting: a field of a dataclass, declared together with what people must know about it.

::

    rave_bias: float = setting(0.02, "The error assumed in RAVE values.", bounds=(0.0, 1e6))

Whatever shows, explains, reads or checks settings takes it from there: flags, files, GTP
parameters, messages, the reference.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import Field


def setting(
    default: Any,
    meaning: str,
    *,
    bounds: tuple[float | None, float | None] = (None, None),
    choices: tuple[str, ...] = (),
    **more: Any,
) -> Any:
    """Return a field with that default; its ``metadata`` has everything else by name.

    *bounds* are the least and the most of a number, *choices* all values of a word. *more* is for
    those who know what it means.
    """
    known = {"meaning": meaning, "bounds": bounds, "choices": choices}
    return field(default=default, metadata=known | more)


def wanted_instead(declared: Field[Any], value: object) -> str | None:
    """Return what to say instead of *value*, in words; None if the setting can have it.

    By the field's type, as it is written: ``bool``, ``int`` or ``float``, unless it has choices.
    Where that includes None, None is a value like others. A number without bounds may be any.
    """
    kind, known = str(declared.type), declared.metadata
    if value is None and "None" in kind:
        return None
    if known["choices"]:
        return None if value in known["choices"] else f"one of {', '.join(known['choices'])}"
    if kind.startswith("bool"):
        return None if isinstance(value, bool) else "True or False"
    whole = kind.startswith("int")
    number = as_number(value) if isinstance(value, int) or not whole else None
    least, most = known["bounds"]
    if least is None:
        return None if number is not None and not math.isnan(number) else "a number"
    if number is not None and least <= number <= most:
        return None
    if whole:
        return f"a whole number from {least} to {most}"
    return f"a number from {least:g} to {most:g}"


def as_number(value: object) -> float | None:
    """Return a number that a float can hold; None for all else, truth included."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        float(value)
    except OverflowError:
        return None
    return value
