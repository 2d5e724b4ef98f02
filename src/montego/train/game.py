"""Which game is meant: by its name, the file that has its rules, or the function that makes it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from montego.games import GAMES
from montego.games.file import definition_from, is_game_file, load_game
from montego.mcts.errors import InvalidGame
from montego.train.errors import TrainError

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition

# Named and not imported: Go is a game for a search in the engine, which is above training.
MAKERS = {
    "go": "montego.engine.knowledge.definition:go_game",
    **{name: f"montego.games.{game.module}:{game.function}" for name, game in GAMES.items()},
}
"""Games by name, and what makes them: a module and a function in it."""


def find_game(name: str, size: int | None = None) -> GameDefinition:
    """Return the definition of a game.

    *name* is one of MAKERS, ``MODULE:FUNCTION``, or a file as :mod:`montego.games.file` wants it.
    A function that takes a ``size`` is given it.

    Raises:
        TrainError: If there is no such game, not of that size, or nothing to show a network of it.
    """
    try:
        definition = load_game(name, size) if is_game_file(name) else _named(name, size)
    except InvalidGame as error:
        raise TrainError(str(error)) from error
    if definition.features is None:
        raise TrainError(
            f"{name} has no features: say what a network is shown of it, such as "
            "features=default_features(game, board=(3, 3)) of montego.mcts.features"
        )
    return definition


def _named(name: str, size: int | None) -> GameDefinition:
    place, _, attribute = MAKERS.get(name, name).partition(":")
    if not attribute:
        raise TrainError(
            f"unknown game {name!r}: say one of {', '.join(MAKERS)}, or a file of Python"
        )
    try:
        module = import_module(place)
    except ImportError as error:
        raise TrainError(f"{name}: {error}") from None
    found = getattr(module, attribute, None)
    if found is None:
        raise TrainError(f"{name} has no {attribute!r}: a definition, or what makes one")
    return definition_from(found, name, attribute, size)
