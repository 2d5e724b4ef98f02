"""One option of the player: its name, what values it takes, and their text.

The command line, configuration files and GTP all speak of options through this class, so that a
name and a text mean the same everywhere.
"""

from __future__ import annotations

import keyword
import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.number import read_number, read_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field
    from typing import Any

    from montego.engine.knowledge.tuning import Value

DEFAULT_BOOK = "default"
"""The word for the book in the user's data folder, as a value of the option ``book``."""

DEFAULT_NETWORK = "default"
"""The word for the network that comes with the program, as a value of the option ``network``."""

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")
_SHOWN = 60  # Characters of a wrong value that are shown to who gave it.
_INFINITE = {"inf": math.inf, "infinity": math.inf, "-inf": -math.inf, "-infinity": -math.inf}
_NUMBERS = {"int": "a whole number", "float": "a number"}


class InvalidOption(GoError):  # noqa: N818  # Named for what the user did, as InvalidKomi is.
    """An option that does not exist, or a value it cannot have; the message names both."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """What can be set about the player, and how it is written."""

    name: str
    """As people write it: ``rave-bias``. Underscores and capitals are understood as well."""
    kind: str
    """``int``, ``float``, ``bool``, ``choice``, ``text``, ``file`` to read or ``path`` to write."""
    default: Value
    help: str
    section: str
    choices: tuple[str, ...] = ()
    """All values of a ``choice``; of a ``path``, words that are no names of files."""
    least: float | None = None
    most: float | None = None
    absent: str | None = None
    """The word for no value at all (None), if the option can do without one."""
    read: Callable[[str], object] | None = None
    """Of a ``file``: reads it, and raises GoError for one that is of no use."""
    flag: str | None = None
    """What stands for a value in ``--help``, if the option is a flag of its own; ``""`` for a
    switch."""

    @classmethod
    def of(cls, declared: Field[Any], **changes: Any) -> Option:
        """Return the option that a field declares (:mod:`montego.setting`), but for *changes*."""
        known = dict(declared.metadata)
        least, most = known.pop("bounds")
        kind = str(declared.type).split(" |")[0].replace("str", "text")
        found = {
            "name": declared.name.rstrip("_").replace("_", "-"),
            "kind": "choice" if known["choices"] else kind,
            "default": declared.default,
            "help": known.pop("meaning"),
            "least": least,
            "most": most,
        }
        return cls(**found | known | changes)

    @property
    def key(self) -> str:
        """The name as Python spells it: ``rave_bias``, and ``with_`` for a word of Python's own."""
        key = self.name.replace("-", "_")
        return f"{key}_" if keyword.iskeyword(key) else key

    @property
    def allowed(self) -> str:
        """What to say, for people: ``a number from 0 to 1, or off``."""
        if self.kind in _NUMBERS:
            allowed = _NUMBERS[self.kind]
            allowed += "" if self.least is None else f" from {self.least:g}"
            # Nobody wants to know where the numbers of a machine end.
            allowed += f" to {self.most:g}" if self.most is not None and self.most < 1e6 else ""
        elif self.kind == "bool":
            allowed = "true or false"
        elif self.kind == "choice":
            allowed = f"one of {', '.join(self.choices)}"
        else:
            allowed = "a text" if self.kind == "text" else "the name of a file"
            allowed += "".join(f", {word}" for word in self.choices)
        return allowed if self.absent is None else f"{allowed}, or {self.absent}"

    def parse(self, text: str) -> Value:
        """Return the value that *text* stands for; ``default`` stands for the default.

        Raises:
            InvalidOption: If it stands for none, or for a file that is not there or of no use.
        """
        word = text.strip()
        lower = word.lower()
        if lower in self.choices:
            return lower
        if lower == "default":
            return self.default
        if self.absent is not None and lower in (self.absent, "none"):
            return None
        if self.kind == "bool":
            return self.check(True if lower in _YES else False if lower in _NO else word)
        if self.kind == "choice":
            return self.check(lower.replace("_", "-"))
        if self.kind == "file":
            self._look_into(word)
        if self.kind in ("text", "file", "path"):
            return self.check(word)
        number = read_whole(word) if self.kind == "int" else _INFINITE.get(lower, read_number(word))
        # What is no number is refused as it was written.
        return self.check(text if number is None or math.isnan(number) else number)

    def format(self, value: Value) -> str:
        """Return the text that :meth:`parse` turns into *value* again."""
        if value is None:
            return self.absent or "none"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        return str(value)

    def check(self, value: object) -> Value:
        """Return *value*, a whole number turned into a float where one is wanted.

        Names of files are as :func:`expand_home` makes them.

        Raises:
            InvalidOption: If the option cannot have it.
        """
        if value is None and self.absent is not None:
            return None
        if self.kind in _NUMBERS:
            return self._check_number(value)
        if self.kind == "bool":
            fits = isinstance(value, bool)
        elif self.kind == "choice":
            fits = value in self.choices
        else:
            fits = isinstance(value, str) and bool(value) and value.isprintable()
        if not fits:
            raise self._refusal(value)
        assert value is None or isinstance(value, (bool, str))  # noqa: S101  # For the type checker.
        if self.kind in ("file", "path") and isinstance(value, str):
            return expand_home(value)
        return value

    def _look_into(self, word: str) -> None:
        """Refuse a file that is not there or of no use now, not when it is needed."""
        path = expand_home(word)
        if not os.path.isfile(path):  # noqa: PTH113  # Raises nothing.
            raise InvalidOption(f"invalid {self.name} {word[:_SHOWN]!r}: there is no such file")
        if self.read is not None:
            try:
                self.read(path)
            except GoError as error:
                raise InvalidOption(str(error)) from None

    def _check_number(self, value: object) -> int | float:
        whole = self.kind == "int"
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise self._refusal(value)
        assert isinstance(value, (int, float))  # noqa: S101  # For the type checker.
        number = value if whole else _as_float(value)
        if math.isnan(number) or (self.least is not None and number < self.least):
            raise self._refusal(value)
        if self.most is not None and number > self.most:
            raise InvalidOption(f"{self._refusal(value)}; {self.most:g} is the most")
        return number

    def _refusal(self, value: object) -> InvalidOption:
        if not isinstance(value, str):
            value = self.format(value) if isinstance(value, (bool, int, float)) else repr(value)
        shown = value if len(value) <= _SHOWN else f"{value[: _SHOWN - 3]}..."
        return InvalidOption(f"invalid {self.name} {shown!r}: say {self.allowed}")


def expand_home(name: str) -> str:
    """Return the name of a file with the user's own folder for a ``~`` at its beginning."""
    return os.path.expanduser(name)  # noqa: PTH111  # Raises nothing if there is no such user.


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf
