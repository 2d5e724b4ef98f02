"""A game of one's own on the command line, as ``montego console`` and ``montego play`` take it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from montego.cli.output import tell
from montego.games.file import failure_in, is_game_file, load_game
from montego.go.vocabulary.errors import GoError
from montego.mcts.errors import MctsError

if TYPE_CHECKING:
    from montego.mcts.game import GameDefinition

CHECKED_GAMES = 3
"""Games that are played at random before anybody plays one: what is wrong shows in the first."""

__all__ = ["is_game_file", "own_game"]


def own_game(name: str, size: int | None = None) -> GameDefinition:
    """Return the game in a file, after a look whether it is one. Compiles nothing.

    Says on standard error which functions want a word before the game can be compiled, where some
    are kernels already.

    Raises:
        MctsError: If the file has no game, or one that contradicts itself; the message says where.
    """
    game = load_game(name, size)
    from montego.jit import Kernel, interpreted  # Loads NumPy.
    from montego.mcts import check_game
    from montego.mcts.kernels.functions import FUNCTIONS, no_playout

    functions = {field: getattr(game, field) for field in FUNCTIONS}
    slow: dict[str, Any] = {
        field: interpreted(function)
        for field, function in functions.items()
        # What stands for those that a game does not have stays: it is known by that.
        if isinstance(function, Kernel) and function.__module__ != no_playout.__module__
    }
    plain = [field for field, function in functions.items() if not isinstance(function, Kernel)]
    try:
        check_game(replace(game, **slow), games=CHECKED_GAMES)
    except MctsError as error:
        raise GoError(f"{name}: {error}") from None
    except Exception as error:
        raise GoError(failure_in(name, error)) from error
    if slow and plain:
        verb = "is not a kernel" if len(plain) == 1 else "are not kernels"
        tell(
            f"montego: {' and '.join(plain)} of {game.name} {verb}, so the game runs interpreted: "
            "write @kernel above each def"
        )
    return game
