"""Compiles in the background what the search of Hex, Connect 4 or tic-tac-toe needs.

Once a game and process; from a warm cache it is loaded in about a second.
"""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.jit import compile_off
from montego.mcts.search import Search

if TYPE_CHECKING:
    from montego.mcts.config import Config
    from montego.mcts.game import GameDefinition

SMALLEST_MEMORY = 4.0  # Megabytes of the tree of a search that only compiles.

_LOCK = threading.Lock()
_COMPILATIONS: dict[str, Compilation] = {}


class Compilation:
    """The compilation of one game's search, under way or done."""

    def __init__(self, game: GameDefinition, config: Config) -> None:
        self._game = game
        self._config = replace(config, simulations=2, seconds=None, memory=SMALLEST_MEMORY)
        self._done = threading.Event()
        self._begun: float | None = None  # by the monotonic clock
        self._failed = False

    @property
    def is_done(self) -> bool:
        """Whether there is nothing to wait for any more."""
        return self._done.is_set()

    @property
    def is_usable(self) -> bool:
        """Whether a search can start at once."""
        return self._done.is_set() and not self._failed

    def start(self) -> None:
        """Begin, unless that was done. Returns at once."""
        with _LOCK:
            if self._begun is not None:
                return
            self._begun = time.monotonic()
        if compile_off():
            self._done.set()
            return
        threading.Thread(target=self._compile, name="compilation", daemon=True).start()

    @property
    def seconds(self) -> float:
        """How long ago it was started."""
        return 0.0 if self._begun is None else time.monotonic() - self._begun

    def wait(self, seconds: float) -> bool:
        """Wait for so long at most; say whether it is done."""
        return self._done.wait(seconds)

    def _compile(self) -> None:
        """Run a tiny search: the types are then right by construction."""
        try:
            search = Search(self._game, self._config)
            search.play(search.run().candidates[0].move)
        except Exception:
            # Moves then come from the interpreted search, which is weak, but plays.
            self._failed = True
            logging.getLogger(__name__).exception("the search cannot be compiled")
        finally:
            self._done.set()


def compilation_of(game: GameDefinition, config: Config) -> Compilation:
    """Return the compilation of a game, the same one each time; start it yourself.

    Sizes and numbers make no difference to compiled code.
    """
    with _LOCK:
        found = _COMPILATIONS.get(game.name)
        if found is None:
            found = _COMPILATIONS[game.name] = Compilation(game, config)
        return found
