"""What ``--cluster`` says: where the machines are, and how searches on them exchange."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from montego.cluster.errors import ClusterError
from montego.mcts.config import SHARED_DEPTH, SHARED_LEAST

LOCAL, AUTO = "local", "auto"
MOST = 1024
"""Searches on one machine; nobody has so many cores."""


@dataclass(frozen=True, kw_only=True)
class Sharing:
    """How searches exchange what they find. docs/cluster.md has what was measured."""

    depth: int = SHARED_DEPTH
    """Moves from the root whose statistics are shared."""
    least: float = SHARED_LEAST
    """Share of the root's visits that a node below it must have to be shared."""
    period: float = 0.25
    """Seconds between two exchanges."""
    merge: Literal["tree", "root"] = "tree"
    """``root`` for searches that know nothing of one another until the end, when the root's moves
    are added up: root parallel search, for comparison."""


@dataclass(frozen=True, kw_only=True)
class ClusterSpec:
    """Where the machines are."""

    place: str
    """``local``, ``auto``, or Ray's address of a cluster."""
    count: int = 1
    """Searches on this machine, or games at a time, if the place is ``local``."""
    sharing: Sharing = Sharing()


def parse_cluster(text: str) -> ClusterSpec:
    """Return what ``local:4``, ``auto``, ``ray://HOST:PORT`` or ``HOST:PORT`` asks for.

    Settings may follow: ``local:4,depth=2,period=0.5``.

    Raises:
        ClusterError: If it makes no sense; the message says what would.
    """
    place, *settings = text.split(",")
    sharing = Sharing()
    for setting in settings:
        sharing = _set(sharing, setting)
    if place == AUTO:
        return ClusterSpec(place=AUTO, sharing=sharing)
    name, separator, rest = place.partition(":")
    if name == LOCAL and separator:
        if not (rest.isascii() and rest.isdecimal() and 1 <= int(rest) <= MOST):
            raise ClusterError(f"invalid --cluster {text!r}: say local:N with N from 1 to {MOST}")
        return ClusterSpec(place=LOCAL, count=int(rest), sharing=sharing)
    host, _, port = place.removeprefix("ray://").rpartition(":")
    if host and "/" not in host and port.isascii() and port.isdecimal() and int(port) < 65536:
        return ClusterSpec(place=place, sharing=sharing)
    raise ClusterError(
        f"invalid --cluster {text!r}: say local:N for N searches on this machine, auto for the "
        "cluster that this machine or RAY_ADDRESS names, ray://HOST:PORT or HOST:PORT"
    )


def _set(sharing: Sharing, setting: str) -> Sharing:
    name, _, text = setting.partition("=")
    known = [field.name for field in fields(Sharing)]
    if name not in known:
        raise ClusterError(f"--cluster has no setting {name!r}: say {', '.join(known)}")
    if name == "merge":
        if text not in ("tree", "root"):
            raise ClusterError(f"invalid merge {text!r}: say tree or root")
        return replace(sharing, merge="root" if text == "root" else "tree")
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    low, high = {"depth": (1, 20), "least": (0, 1), "period": (0.01, 60)}[name]
    if not low <= number <= high or (name == "depth" and number != int(number)):
        kind = "a whole number" if name == "depth" else "a number"
        raise ClusterError(f"invalid {name} {text!r}: say {kind} from {low:g} to {high:g}")
    changes: dict[str, Any] = {name: int(number) if name == "depth" else number}
    return replace(sharing, **changes)
