"""Reading TOML files that people wrote, with messages for people."""

from __future__ import annotations

import sys
import tomllib
from typing import TYPE_CHECKING, Any

from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from pathlib import Path


class Table:
    """A table of a TOML file; *place* is what messages call it.

    Raises:
        GoError: If it has a field that is not *allowed*. All methods raise it for wrong types.
    """

    def __init__(self, values: dict[str, Any], place: str, allowed: tuple[str, ...]) -> None:
        self.values = values
        self.place = place
        for name in values:
            if name not in allowed:
                raise GoError(f"{place}: unknown field {name!r}: say one of {', '.join(allowed)}")

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def text(self, name: str, default: str = "") -> str:
        """Return a text."""
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise self._fault(name, value, "a text in quotes")
        return value

    def number(self, name: str, default: float) -> float:
        """Return a number."""
        value = self.values.get(name, default)
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        if not fits or not abs(value) <= sys.float_info.max:
            raise self._fault(name, value, "a number")
        return float(value)

    def whole(self, name: str, default: int) -> int:
        """Return a whole number."""
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._fault(name, value, "a whole number")
        return value

    def maybe_whole(self, name: str) -> int | None:
        """Return a whole number, or None if there is none."""
        return self.whole(name, 0) if name in self.values else None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts, empty if there is none."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._fault(name, value, "a list of texts")
        return tuple(value)

    def flag(self, name: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self._fault(name, value, "true or false")
        return value

    def table(self, name: str, allowed: tuple[str, ...]) -> Table:
        """Return a table inside this one, which must be there."""
        value = self.values.get(name)
        if not isinstance(value, dict):
            raise GoError(f"{self.place}: the table [{name}] is missing")
        return Table(value, f"{self.place} [{name}]", allowed)

    def tables(self, name: str, allowed: tuple[str, ...]) -> list[Table]:
        """Return the tables of an array such as ``[[engine]]``, empty if there is none."""
        value = self.values.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise GoError(f"{self.place}: write [[{name}]]")
        return [Table(item, f"{self.place} [[{name}]]", allowed) for item in value]

    def _fault(self, name: str, value: object, wanted: str) -> GoError:
        return GoError(f"{self.place}: {name} = {value!r}: say {wanted}")


def read_table(path: Path, allowed: tuple[str, ...]) -> Table:
    """Return the whole of a file as a table.

    Raises:
        GoError: If it cannot be read, is no TOML, or has a field that is not *allowed*.
    """
    try:
        return Table(tomllib.loads(path.read_text(encoding="utf-8")), path.name, allowed)
    except OSError as error:
        raise GoError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise GoError(str(error) if isinstance(error, GoError) else f"{path}: {error}") from None
