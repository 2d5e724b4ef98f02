"""Which game is meant: by its name, the file that has its rules, or the function that makes it."""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.games import GAMES
from montego.mcts.errors import MctsError
from montego.train.errors import TrainError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from montego.mcts.game import GameDefinition

# Named and not imported: Go is a game for a search in the engine, which is above training.
MAKERS = {
    "go": "montego.engine.knowledge.definition:go_game",
    **{name: f"montego.games.{game.module}:{game.function}" for name, game in GAMES.items()},
}
"""Games by name, and what makes them: a module and a function in it."""

MAKER = "game"
"""What the function in a file is called, unless a definition is there by that name."""


def find_game(name: str, size: int | None = None) -> GameDefinition:
    """Return the definition of a game.

    *name* is one of MAKERS, ``MODULE:FUNCTION``, or a file of Python that has a definition or
    a function that makes one, by the name MAKER. A function that takes a ``size`` is given it.

    Raises:
        TrainError: If there is no such game, not of that size, or nothing to show a network of it.
    """
    if name.endswith(".py"):
        module, attribute = _load(Path(name)), MAKER
    else:
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
    definition = _make(found, name, size) if callable(found) else found
    from montego.mcts.game import GameDefinition  # noqa: PLC0415  # Loads Numba.

    if not isinstance(definition, GameDefinition):
        raise TrainError(f"{name}: {attribute!r} is no definition of a game")
    if definition.features is None:
        raise TrainError(f"{name} has no features: nothing that a network could be shown")
    return definition


def _make(maker: Callable[..., Any], name: str, size: int | None) -> Any:
    if size is not None and "size" not in inspect.signature(maker).parameters:
        raise TrainError(f"{name} has only one size")
    try:
        return maker() if size is None else maker(size=size)
    except MctsError:
        raise
    except ValueError as error:
        raise TrainError(f"{name}: {error}") from None


def _load(path: Path) -> ModuleType:
    """Run a file of Python as a module of its name.

    Raises:
        TrainError: If it cannot be read, or fails.
    """
    if not path.is_file():
        raise TrainError(f"there is no file {path}")
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise TrainError(f"{path} is no Python")
    module = module_from_spec(spec)
    sys.modules[path.stem] = module  # Where kernels are looked for when they are compiled.
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # Whatever a stranger's file raises.
        del sys.modules[path.stem]
        raise TrainError(f"{path}: {type(error).__name__}: {error}") from error
    return module
