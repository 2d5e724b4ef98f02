"""What runs on a machine of a cluster: one object of ours, and who it says it is."""

from __future__ import annotations

import os
import platform
import socket
from typing import TYPE_CHECKING, Any, NamedTuple

from montego.go.vocabulary.errors import GoError
from montego.mcts.errors import MctsError
from montego.sources import sources_digest
from montego.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Identity(NamedTuple):
    """Which Montego this is, and where."""

    version: str
    sources: str
    machine: str
    process: int

    def difference(self, other: Identity) -> str:
        """Return in words what keeps the two from working together; nothing if nothing does."""
        if self.version != other.version:
            return f"it has Montego {other.version}, and this machine {self.version}"
        if self.sources != other.sources:
            return (
                f"its Montego {other.version} has other sources ({other.sources}) than this "
                f"machine's ({self.sources})"
            )
        return ""


def identity() -> Identity:
    """Return which Montego runs here."""
    machine = platform.node() or socket.gethostname()
    return Identity(__version__, sources_digest(), machine, os.getpid())


class Refusal(NamedTuple):
    """What a call that failed returns: another time it would fail again."""

    reason: str


class Bench:
    """Runs functions of ours, one at a time."""

    def run(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return what a function of a module returns."""
        return function(*arguments)


class Host:
    """Holds one object for whoever calls from another machine."""

    def __init__(self, kind: str, settings: Mapping[str, Any]) -> None:
        """Make a ``search``, a ``table`` for games, or a ``bench`` for trials."""
        self._made = make(kind, settings)

    def identity(self) -> Identity:
        """Return which Montego this is."""
        return identity()

    def call(self, method: str, arguments: tuple[Any, ...]) -> Any:
        """Call a method of the object, and return what it returns, or why it would not."""
        try:
            return getattr(self._made, method)(*arguments)
        except (GoError, MctsError) as error:
            return Refusal(" ".join(str(error).split()))


def make(kind: str, settings: Mapping[str, Any]) -> Any:
    """Return an object of a kind; what it needs is loaded now."""
    if kind == "search":
        from montego.cluster.member import Member  # noqa: PLC0415

        return Member(**settings)
    if kind == "table":
        from montego.arena.workers import Anywhere, OwnTable  # noqa: PLC0415

        return OwnTable(Anywhere())
    return Bench()
