"""Local shape learned anew at each move, from games that begin at the position: RLGO 2.4.

Document 001 (3.4): the value function is trained again in real time, and so specializes on what
matters in the position. What is learned at a move stays for the rest of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.local_shape import LEAST_SIZE, MOST_SIZE
from montego.go.local_shape.value import pack_shapes
from montego.go.local_shape.weights import read_shapes_file, shipped_shapes, values_on
from montego.go.local_shape.windows import expand
from montego.go.playout.knowledge import KOMI, SHAPES
from montego.learn.settings import ShapeSettings
from montego.learn.shapes.learner import ShapeLearner

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.options.options import Options
    from montego.go.game import Move, Setup
    from montego.jit.state import Knowledge, State


def tutor_of(options: Options, size: int) -> ShapeTutor | None:
    """Return a tutor for games on a board of that size if the options want one; else None.

    Raises:
        GoError: If the options name a file that cannot be read.
    """
    wanted = options.shape_games > 0 and options.prior_weights(size).shape > 0
    return ShapeTutor(options, size) if wanted and LEAST_SIZE <= size <= MOST_SIZE else None


class ShapeTutor:
    """Learns from games that begin at the positions of one game."""

    def __init__(self, options: Options, size: int) -> None:
        path = options.shapes
        self._known = values_on(size, shipped_shapes() if path is None else read_shapes_file(path))
        self._games = options.shape_games
        self._size = size
        self._seed = options.drawn_seed
        self._learner: ShapeLearner | None = None
        self._history: list[Move | Setup] = []

    def learn(
        self,
        knowledge: Knowledge,
        history: list[Move | Setup],
        state: State,
        is_over: Callable[[], bool],
    ) -> None:
        """Play from *state* with the komi in *knowledge*, and write there what was learned.

        In another game than before, of which *history* is no continuation, it begins with what was
        known before any.
        """
        if self._learner is None or history[: len(self._history)] != self._history:
            self._learner = ShapeLearner(
                ShapeSettings(size=self._size, seed=self._seed), self._known
            )
        self._history = list(history)
        komi = float(knowledge[KOMI])
        self._learner.learn(self._games, start=state, komi=komi, is_over=is_over)
        values = self._learner.values
        packed = pack_shapes(self._size, expand(self._size, values), float(values[-1]))
        begin = int(knowledge[SHAPES])
        knowledge[begin : begin + len(packed)] = packed
