"""Games in files: somebody's own rules, as ``docs/your-own-game.md`` teaches to write them.

A file of Python has a game by the name :data:`NAME`: its definition, or a function that makes it.
Nothing here is loaded before a file is asked for.
"""

from __future__ import annotations

import inspect
import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montego.mcts.errors import InvalidGame, MctsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from montego.mcts.game import GameDefinition

NAME = "game"
SUFFIX = ".py"


def is_game_file(name: str) -> bool:
    """Say whether a name is meant as a file with a game, whether or not there is one."""
    return name.endswith(SUFFIX)


def load_game(path: Path | str, size: int | None = None) -> GameDefinition:
    """Run a file and return the game in it. A function that takes a ``size`` is given it.

    The file may import what lies beside it. The game's rules are not looked at: see ``check_game``.

    Raises:
        InvalidGame: If there is no such file, it fails, has no game, or not of that size.
    """
    module = _run(Path(path))
    found = getattr(module, NAME, None)
    if found is None:
        raise InvalidGame(f"{path} has no {NAME!r}: end it with {NAME} = GameDefinition(...)")
    return definition_from(found, str(path), NAME, size)


def definition_from(found: Any, place: str, name: str, size: int | None = None) -> GameDefinition:
    """Return the definition that was found somewhere by a name, or that a function there makes.

    Raises:
        InvalidGame: If it is none, or not of that size.
    """
    from montego.mcts.game import GameDefinition  # noqa: PLC0415  # Loads Numba.

    definition = _make(found, place, size) if callable(found) else found
    if not isinstance(definition, GameDefinition):
        raise InvalidGame(f"{place}: {name!r} is no definition of a game")
    if size is not None and not callable(found):
        raise InvalidGame(f"{place} has only one size")
    return definition


def failure_in(path: Path | str, error: BaseException) -> str:
    """Return in a line what went wrong in a file, and in which line of it if that is known."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == Path(path).resolve()
    ]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    what = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    place = str(path) if line is None else f"{path}, line {line}"
    return f"{place}: {type(error).__name__}{what and ': '}{what}"


def _make(maker: Callable[..., Any], place: str, size: int | None) -> Any:
    if size is not None and "size" not in inspect.signature(maker).parameters:
        raise InvalidGame(f"{place} has only one size")
    try:
        return maker() if size is None else maker(size=size)
    except MctsError:
        raise
    except Exception as error:  # Whatever a stranger's function raises.
        if isinstance(error, ValueError):
            raise InvalidGame(f"{place}: {error}") from None
        raise InvalidGame(failure_in(place, error)) from error


def _run(path: Path) -> ModuleType:
    """Run a file of Python as a module.

    Raises:
        InvalidGame: If it cannot be read, or fails.
    """
    if not path.is_file():
        raise InvalidGame(f"there is no file {path}")
    # A name that nobody else has: the file may well be called hex.py or random.py.
    name = f"montego_game_file_{path.stem}"
    spec = spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise InvalidGame(f"{path} is no Python")
    module = module_from_spec(spec)
    sys.modules[name] = module  # Where kernels are looked for when they are compiled.
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)  # Last: what lies beside the file hides no package.
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # Whatever a stranger's file raises.
        del sys.modules[name]
        raise InvalidGame(failure_in(path, error)) from error
    return module
