"""Monte-Carlo tree search for any two-player game. Knows none itself.

A game is described by a :class:`GameDefinition`, a search by a :class:`Config`; a :class:`Search`
puts them together. The algorithm is in :mod:`montego.mcts.simulation`. The public names are loaded
when first used: a configuration needs no NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from montego.mcts.config import Config
    from montego.mcts.definition import GameDefinition
    from montego.mcts.errors import InvalidConfig, InvalidMove, MctsError
    from montego.mcts.limits import MoveLimit
    from montego.mcts.report import Candidate, SearchResult
    from montego.mcts.search import Search

_HOMES = {
    "Candidate": "report",
    "Config": "config",
    "GameDefinition": "definition",
    "InvalidConfig": "errors",
    "InvalidMove": "errors",
    "MctsError": "errors",
    "MoveLimit": "limits",
    "Search": "search",
    "SearchResult": "report",
}

__all__ = [
    "Candidate",
    "Config",
    "GameDefinition",
    "InvalidConfig",
    "InvalidMove",
    "MctsError",
    "MoveLimit",
    "Search",
    "SearchResult",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
