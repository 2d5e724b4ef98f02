"""Montego: Monte-Carlo Go, and a Monte-Carlo tree search for any two-player game.

The public names of :mod:`montego.go` are here too. They are loaded when first used, so that
``import montego`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.go import (
        Board,
        Game,
        GoError,
        IllegalMove,
        InvalidColor,
        InvalidDiagram,
        InvalidKomi,
        InvalidRules,
        InvalidSize,
        InvalidVertex,
        Move,
        Rules,
        Score,
        SgfError,
    )

__version__ = "0.1.0"

__all__ = [
    "Board",
    "Game",
    "GoError",
    "IllegalMove",
    "InvalidColor",
    "InvalidDiagram",
    "InvalidKomi",
    "InvalidRules",
    "InvalidSize",
    "InvalidVertex",
    "Move",
    "Rules",
    "Score",
    "SgfError",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from montego import go  # noqa: PLC0415  # Loaded on demand: see above.

        return getattr(go, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
