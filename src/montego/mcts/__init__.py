"""Monte-Carlo tree search for any two-player game. Knows none itself.

A game is described by a :class:`GameDefinition`, a search by a :class:`Config`; a :class:`Search`
puts them together. The algorithm is in :mod:`montego.mcts.kernels.simulation`. The public names are
loaded when first used: a configuration needs no NumPy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.mcts.checking import check_game as check_game
    from montego.mcts.config import Config as Config
    from montego.mcts.errors import InvalidConfig as InvalidConfig
    from montego.mcts.errors import InvalidGame as InvalidGame
    from montego.mcts.errors import InvalidMove as InvalidMove
    from montego.mcts.errors import MctsError as MctsError
    from montego.mcts.game import GameDefinition as GameDefinition
    from montego.mcts.limits import MoveLimit as MoveLimit
    from montego.mcts.report import Candidate as Candidate
    from montego.mcts.report import SearchResult as SearchResult
    from montego.mcts.search import Search as Search
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "checking": "check_game",
            "config": "Config",
            "errors": "InvalidConfig InvalidGame InvalidMove MctsError",
            "game": "GameDefinition",
            "limits": "MoveLimit",
            "report": "Candidate SearchResult",
            "search": "Search",
        },
    )
