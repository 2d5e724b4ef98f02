"""Go: rules, board, game, scoring, records and playouts. Knows no search.

The public names are loaded when first used: rules and text need neither NumPy nor kernels.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.go.benson import unconditionally_alive
    from montego.go.board import Board
    from montego.go.color import BLACK, EMPTY, WHITE
    from montego.go.errors import (
        GoError,
        IllegalMove,
        InvalidColor,
        InvalidDiagram,
        InvalidKomi,
        InvalidRules,
        InvalidSize,
        InvalidVertex,
        SgfError,
    )
    from montego.go.game import Captures, Game, Move, Setup
    from montego.go.result import Result
    from montego.go.rules import PRESETS, Rules
    from montego.go.scoring import Score

_HOMES = {
    "BLACK": "color",
    "Board": "board",
    "Captures": "game",
    "EMPTY": "color",
    "Game": "game",
    "GoError": "errors",
    "IllegalMove": "errors",
    "InvalidColor": "errors",
    "InvalidDiagram": "errors",
    "InvalidKomi": "errors",
    "InvalidRules": "errors",
    "InvalidSize": "errors",
    "InvalidVertex": "errors",
    "Move": "game",
    "PRESETS": "rules",
    "Result": "result",
    "Rules": "rules",
    "Score": "scoring",
    "Setup": "game",
    "SgfError": "errors",
    "WHITE": "color",
    "unconditionally_alive": "benson",
}

__all__ = [
    "BLACK",
    "EMPTY",
    "PRESETS",
    "WHITE",
    "Board",
    "Captures",
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
    "Result",
    "Rules",
    "Score",
    "Setup",
    "SgfError",
    "unconditionally_alive",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
