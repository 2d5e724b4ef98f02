"""Parameters to tune: their ranges, and the unit cube in which tuning happens.

A *unit value* is a number from 0 to 1. Ranges that are logarithmic, and whole numbers, are evenly
spaced there as they are meant. Choices have no order; they are places of their own in the cube.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from montego.arena.toml_table import Table

Value = float | int | str | bool
Kind = Literal["float", "int", "choice"]

_BARE_KEY = re.compile("[A-Za-z0-9_-]+")  # What TOML takes without quotes.
PARAMETER_FIELDS = ("name", "kind", "low", "high", "log", "choices", "default")


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One option of an engine and the values it may have."""

    name: str
    kind: Kind = "float"
    low: float = 0.0
    high: float = 1.0
    is_logarithmic: bool = False
    choices: tuple[Value, ...] = ()
    default: Value | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise GoError("a parameter needs a name")
        if self.kind not in ("float", "int", "choice"):
            raise GoError(f"{self.name}: kind {self.kind!r}: say float, int or choice")
        if self.kind == "choice":
            if len(self.choices) < 2:
                raise GoError(f"{self.name}: a choice needs two or more choices")
            if self.default is not None and self.default not in self.choices:
                raise GoError(f"{self.name}: the default {self.default!r} is none of the choices")
            return
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise GoError(f"{self.name}: low {self.low:g} must be less than high {self.high:g}")
        if self.is_logarithmic and self.low <= 0:
            raise GoError(f"{self.name}: a logarithmic range begins above 0")
        if self.default is not None:
            if isinstance(self.default, str | bool):
                raise GoError(f"{self.name}: the default {self.default!r} is no number")
            if not self.low <= self.default <= self.high:
                raise GoError(f"{self.name}: the default {self.default!r} is out of the range")

    @property
    def start(self) -> Value:
        """The default, or the middle of the range, or the first choice."""
        if self.default is not None:
            return self.default
        return self.choices[0] if self.kind == "choice" else self.from_unit(0.5)

    def from_unit(self, unit: float) -> Value:
        """Return the value at a place from 0 to 1; places outside are moved in."""
        unit = min(1.0, max(0.0, unit))
        if self.kind == "choice":
            return self.choices[min(int(unit * len(self.choices)), len(self.choices) - 1)]
        if self.is_logarithmic:
            value = math.exp(math.log(self.low) + unit * math.log(self.high / self.low))
        else:
            value = self.low + unit * (self.high - self.low)
        if self.kind == "int":
            return round(value)
        return min(self.high, max(self.low, float(f"{value:.6g}")))

    def to_unit(self, value: Value) -> float:
        """Return where a value lies from 0 to 1; for choices the middle of its share."""
        if self.kind == "choice":
            return (self.choices.index(value) + 0.5) / len(self.choices)
        number = float(value)
        if self.is_logarithmic:
            return math.log(number / self.low) / math.log(self.high / self.low)
        return (number - self.low) / (self.high - self.low)

    def encode(self, value: Value) -> list[float]:
        """Return coordinates in which near values are near, and choices equally far apart."""
        if self.kind == "choice":
            return [float(value == choice) for choice in self.choices]
        return [self.to_unit(value)]


def parse_parameter(table: Table) -> Parameter:
    """Return the parameter that ``[[parameter]]`` of a file describes. Raises GoError."""
    choices = table.values.get("choices", [])
    if not isinstance(choices, list):
        raise GoError(f"{table.place}: choices = {choices!r}: say a list")
    kind = table.text("kind", "choice" if choices else "float")
    return Parameter(
        name=table.text("name"),
        kind=kind,  # type: ignore[arg-type]  # It checks.
        low=table.number("low", 0.0),
        high=table.number("high", 1.0),
        is_logarithmic=table.flag("log", default=False),
        choices=tuple(choices),
        default=table.values.get("default"),
    )


def encode(parameters: Sequence[Parameter], values: Mapping[str, Value]) -> list[float]:
    """Return the coordinates of a whole setting."""
    return [
        number for parameter in parameters for number in parameter.encode(values[parameter.name])
    ]


def config_text(values: Mapping[str, Value], comment: Sequence[str] = ()) -> str:
    """Return a configuration file for ``montego gtp --config``: TOML, one line a parameter."""
    lines = [f"# {line}" for line in comment]
    for name, value in values.items():
        # JSON's texts, numbers and truth values are TOML's too.
        key = name if _BARE_KEY.fullmatch(name) else json.dumps(name)
        lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join(lines) + "\n"
