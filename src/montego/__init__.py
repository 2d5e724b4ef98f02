"""Montego: Monte-Carlo Go, and a Monte-Carlo tree search for any two-player game.

A :class:`Game` knows the rules of Go, a :class:`Player` thinks about one as its :class:`Options`
say. All names are loaded when first used, so that ``import montego`` costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.engine.options.options import Options as Options
    from montego.engine.player import Player as Player
    from montego.go.board import Board as Board
    from montego.go.game import Game as Game
    from montego.go.game import Move as Move
    from montego.go.scoring import Score as Score
    from montego.go.vocabulary.errors import GoError as GoError
    from montego.go.vocabulary.errors import IllegalMove as IllegalMove
    from montego.go.vocabulary.errors import InvalidColor as InvalidColor
    from montego.go.vocabulary.errors import InvalidDiagram as InvalidDiagram
    from montego.go.vocabulary.errors import InvalidKomi as InvalidKomi
    from montego.go.vocabulary.errors import InvalidRules as InvalidRules
    from montego.go.vocabulary.errors import InvalidSize as InvalidSize
    from montego.go.vocabulary.errors import InvalidVertex as InvalidVertex
    from montego.go.vocabulary.errors import SgfError as SgfError
    from montego.go.vocabulary.rules import Rules as Rules
    from montego.version import __version__ as __version__
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "engine.options.options": "Options",
            "engine.player": "Player",
            "go.board": "Board",
            "go.game": "Game Move",
            "go.scoring": "Score",
            "go.vocabulary.errors": (
                "GoError IllegalMove InvalidColor InvalidDiagram InvalidKomi InvalidRules "
                "InvalidSize InvalidVertex SgfError"
            ),
            "go.vocabulary.rules": "Rules",
            "version": "__version__",
        },
    )
