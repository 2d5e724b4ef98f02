"""Small games for the search, each one short file that doubles as a tutorial.

:data:`GAMES` names them. Their modules, and with them NumPy, are loaded when a game is made.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition

__all__ = ["GAMES", "BundledGame", "make_game"]


class BundledGame(NamedTuple):
    """Where the maker of a game is, and what the game is about."""

    module: str
    function: str
    meaning: str
    has_sizes: bool = False
    """Whether the maker takes ``size``."""

    def make(self, **options: int) -> GameDefinition:
        """Return the definition of the game. Loads its module.

        Raises:
            ValueError: If the game cannot be played with these options.
        """
        maker = getattr(import_module(f"montego.games.{self.module}"), self.function)
        definition: GameDefinition = maker(**options)
        return definition


GAMES = {
    "tic-tac-toe": BundledGame("tic_tac_toe", "tic_tac_toe", "three in a row on 3x3"),
    "connect-four": BundledGame(
        "connect_four", "connect_four", "four in a row, 7 columns of height 6"
    ),
    "hex": BundledGame("hex", "hex_game", "connect your two edges of a rhombus", has_sizes=True),
}


def make_game(name: str, *, size: int | None = None) -> GameDefinition:
    """Return the definition of the game of that name, of a *size* where it has sizes.

    Raises:
        ValueError: If there is none, or not of that size.
    """
    game = GAMES.get(name)
    if game is None:
        raise ValueError(f"unknown game {name!r}: say one of {', '.join(GAMES)}")
    if size is None:
        return game.make()
    if not game.has_sizes:
        raise ValueError(f"{name} has only one size")
    return game.make(size=size)
