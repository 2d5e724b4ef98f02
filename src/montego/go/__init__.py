"""Go: rules, board, game, scoring, records and playouts. Knows no search.

The public names are loaded when first used: rules and text need neither NumPy nor kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.lazy import lazy_names

if TYPE_CHECKING:
    from montego.go.benson import pass_alive as pass_alive
    from montego.go.benson import unconditionally_alive as unconditionally_alive
    from montego.go.board import Board as Board
    from montego.go.board import Captures as Captures
    from montego.go.game import Game as Game
    from montego.go.game import Move as Move
    from montego.go.game import Setup as Setup
    from montego.go.result import Result as Result
    from montego.go.scoring import Score as Score
    from montego.go.svg import board_svg as board_svg
    from montego.go.vocabulary.color import BLACK as BLACK
    from montego.go.vocabulary.color import EMPTY as EMPTY
    from montego.go.vocabulary.color import WHITE as WHITE
    from montego.go.vocabulary.errors import GoError as GoError
    from montego.go.vocabulary.errors import IllegalMove as IllegalMove
    from montego.go.vocabulary.errors import InvalidColor as InvalidColor
    from montego.go.vocabulary.errors import InvalidDiagram as InvalidDiagram
    from montego.go.vocabulary.errors import InvalidKomi as InvalidKomi
    from montego.go.vocabulary.errors import InvalidRules as InvalidRules
    from montego.go.vocabulary.errors import InvalidSize as InvalidSize
    from montego.go.vocabulary.errors import InvalidVertex as InvalidVertex
    from montego.go.vocabulary.errors import SgfError as SgfError
    from montego.go.vocabulary.rules import PRESETS as PRESETS
    from montego.go.vocabulary.rules import Rules as Rules
    from montego.go.vocabulary.vertex import format_sgf_point as format_sgf_point
    from montego.go.vocabulary.vertex import format_vertex as format_vertex
    from montego.go.vocabulary.vertex import parse_sgf_point as parse_sgf_point
    from montego.go.vocabulary.vertex import parse_vertex as parse_vertex
    from montego.go.vocabulary.vertex import star_points as star_points
else:
    __getattr__, __dir__, __all__ = lazy_names(
        __name__,
        {
            "benson": "pass_alive unconditionally_alive",
            "board": "Board Captures",
            "game": "Game Move Setup",
            "result": "Result",
            "scoring": "Score",
            "svg": "board_svg",
            "vocabulary.color": "BLACK EMPTY WHITE",
            "vocabulary.errors": (
                "GoError IllegalMove InvalidColor InvalidDiagram InvalidKomi InvalidRules "
                "InvalidSize InvalidVertex SgfError"
            ),
            "vocabulary.rules": "PRESETS Rules",
            "vocabulary.vertex": (
                "format_sgf_point format_vertex parse_sgf_point parse_vertex star_points"
            ),
        },
    )
