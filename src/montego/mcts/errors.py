"""What can go wrong with input to the search, each with a message for the person who gave it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from montego.jit import compiler_complaint

if TYPE_CHECKING:
    from collections.abc import Iterator


class MctsError(ValueError):
    """Something asked of the search does not make sense."""


class InvalidConfig(MctsError):  # noqa: N818  # Named for what the user did.
    """A configuration with an impossible value; the message names the field."""


class InvalidGame(MctsError):  # noqa: N818
    """A game whose functions contradict each other or the contract; the message says how."""


class InvalidMove(MctsError):  # noqa: N818
    """A move that is not legal in the position."""


@contextmanager
def compiling() -> Iterator[None]:
    """Tell what the compiler has against a function in one line.

    Raises:
        InvalidConfig: If a function of the game's, or a formula, cannot be compiled.
    """
    try:
        yield
    except Exception as error:
        complaint = compiler_complaint(error)
        if complaint is None:
            raise
        raise InvalidConfig(f"cannot compile this search: {complaint}") from error
