"""Compile in the background what a search will need, so that nobody waits without a choice.

Kernels are compiled once per process; from a warm cache they are only loaded, in about a second.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.engine.ending.judgement import judge_position
from montego.engine.ending.ownership import sample_ownership
from montego.engine.ending.reading import read_fate
from montego.engine.knowledge.definition import go_game
from montego.engine.knowledge.experience import key_of, recall
from montego.go.game import Game
from montego.go.kernels.layout import all_points
from montego.jit import compile_off
from montego.mcts.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.mcts.config import Config
    from montego.mcts.game import GameDefinition

PATIENCE = 3.0  # Seconds before a person is told what takes so long.
SMALLEST_MEMORY = 32.0  # Megabytes; the trees of the largest board want a few.
MESSAGE = "montego: getting the search ready; the first time this may take a minute"

_LOCK = threading.Lock()
_PREPARATIONS: dict[tuple[object, ...], Preparation] = {}


class Preparation:
    """The compilation of one kind of search, under way or done."""

    def __init__(self, definition: GameDefinition, config: Config) -> None:
        self._done = threading.Event()
        self._started = False
        self._told = False  # that it takes long
        self._definition = definition
        self._config = config
        self.error: Exception | None = None
        """Why it failed, if it did."""
        self.can_judge = False
        """Whether the judgement of the end is compiled too; that comes last."""

    @property
    def is_ready(self) -> bool:
        """Whether a search can start at once."""
        return self._done.is_set() and self.error is None

    def start(self) -> None:
        """Begin, unless that was done. Returns at once."""
        with _LOCK:
            if self._started:
                return
            self._started = True
        threading.Thread(target=self._compile, name="compilation", daemon=True).start()

    def wait(self, seconds: float | None, is_interrupted: Callable[[], bool]) -> bool:
        """Wait until it is done, or time is up, or the caller has had enough; say if it is ready.

        Tells people on standard error if it takes long.
        """
        self.start()
        begin = time.monotonic()
        while not self._done.is_set():
            elapsed = time.monotonic() - begin
            if is_interrupted() or (seconds is not None and elapsed >= seconds):
                break
            self._done.wait(0.02)
            if elapsed > PATIENCE and not self._told:
                sys.stderr.write(f"{MESSAGE}\n")
                self._told = True
        return self.is_ready

    def _compile(self) -> None:
        """Run a tiny search and a few playouts: the types are then right by construction."""
        try:
            self._compile_search()
            self._done.set()
            _compile_judgement()
            self.can_judge = True
        except Exception as error:  # noqa: BLE001  # Whatever it is, the player plays on without.
            if not self._done.is_set():
                self.error = error
            sys.stderr.write(f"montego: the search cannot be compiled: {error}\n")
        finally:
            self._done.set()

    def _compile_search(self) -> None:
        config = replace(self._config, threads=1, memory=SMALLEST_MEMORY)
        search = Search(self._definition, config)
        search.play(search.run(simulations=2, votes=1).candidates[0].move)
        if self._definition.experience is recall:
            key_of(search.state)  # Whoever loads experience asks for it, before the search.
        sample_ownership(search.state, self._definition, 1)


def _compile_judgement() -> None:
    """Judge a tiny game, and read a chain's fate, which that may not need."""
    game = Game(3)
    game.play("black", "B2")
    judge_position(game, playouts=2, simulations=2)
    state, points = game.board.state, list(all_points(3))
    read_fate(state, go_game(3), [points[4]], points, simulations=2)


def preparation_for(definition: GameDefinition, config: Config) -> Preparation:
    """Return the preparation of that kind of search, the same one each time; start it yourself.

    Board size, komi and numbers of the configuration make no difference to compiled code.
    """
    key = (
        definition.legal_moves,
        definition.play,
        definition.score,
        definition.playout,
        definition.priors,
        definition.experience,
        definition.hash,
        definition.turn,
        definition.evaluate,
        config.selection,
        compile_off(),
    )
    with _LOCK:
        found = _PREPARATIONS.get(key)
        if found is None:
            found = _PREPARATIONS[key] = Preparation(definition, config)
        return found
