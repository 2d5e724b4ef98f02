"""A player by local shape that learns from games against itself, and the file that it is kept in.

Everything that a game depends on is in the file: whoever reads it and goes on comes to the same
weights, to the bit, as if there had been no interruption.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.kernels.layout import empty_state
from montego.go.local_shape.weights import ShapeWeights, read_shapes_file, write_shapes_file
from montego.go.local_shape.windows import sharing_of, windows_of
from montego.jit.state import RANDOM, new_scratch
from montego.learn.errors import LearnError
from montego.learn.settings import check_unchanged
from montego.learn.shapes.self_play import (
    BLACK_WINS,
    GAMES,
    MOVES,
    SQUARES,
    TALLY,
    ShapeBoard,
    Weights,
    learn_games,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from montego.jit.state import State
    from montego.learn.settings import ShapeSettings

MOVES_PER_POINT = 3
"""Games longer than this many moves for each point of the board are cycling, and end there."""

SLICE = 100
"""Games between two looks at whether to go on."""


class ShapeTally(NamedTuple):
    """What came of some games."""

    games: int
    moves: float
    """Of a game, on average."""
    black_wins: float
    """The share of games that Black won."""
    error: float
    """Of a position's value, against what it went towards: the root of the mean square."""


class ShapeLearner:
    """Learns from games against itself."""

    def __init__(self, settings: ShapeSettings, weights: NDArray[np.float32] | None = None) -> None:
        """Begin with weights of 0, or with others, which are copied."""
        size = settings.size
        self.settings = settings
        self.games = 0
        """Played so far."""
        self._windows = windows_of(size)
        sharing, count = sharing_of(size), len(self._windows.first)
        self.values: NDArray[np.float32] = np.zeros(sharing.weights, np.float32)
        """The weights, as ``sharing_of`` numbers them."""
        if weights is not None:
            self.values[:] = weights
        self._weights = Weights(self.values, sharing.located, sharing.free)
        limit = MOVES_PER_POINT * size * size
        self._board = ShapeBoard(
            codes=np.zeros(2 * count, np.uint64),
            worths=np.zeros(2 * count, np.float64),
            totals=np.zeros(2, np.float64),
            state=empty_state(size),
            found=np.zeros(limit * 2 * (count - 1), np.int32),
            lengths=np.zeros(limit, np.int32),
            times=np.zeros(sharing.weights, np.int32),
            best=np.zeros(limit, np.float64),
        )
        self._scratch = new_scratch(limit, settings.seed, size * size)

    @classmethod
    def begin_or_go_on(cls, path: str | os.PathLike[str], settings: ShapeSettings) -> ShapeLearner:
        """Return the learner that a file keeps; a new one if there is no such file.

        Raises:
            LearnError: If the file keeps one with other settings.
            GoError: If it cannot be read, or keeps something else.
        """
        if not Path(path).exists():
            return cls(settings)
        kept = read_shapes_file(path)
        try:
            known = json.loads(str(kept.more["settings"]))
            games, random = int(kept.more["games"]), np.uint64(kept.more["random"])
        except (KeyError, TypeError, ValueError):
            raise LearnError(f"{str(path)!r} does not say how it was learned") from None
        check_unchanged(path, known, settings)
        learner = cls(settings, kept.values)
        learner.games = games
        learner._scratch[RANDOM] = random
        return learner

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all that :meth:`begin_or_go_on` needs.

        Raises:
            GoError: If the file cannot be written.
        """
        more: dict[str, Any] = {
            "settings": np.array(json.dumps(asdict(self.settings))),
            "games": np.int64(self.games),
            "random": np.uint64(self._scratch[RANDOM]),
        }
        write_shapes_file(path, ShapeWeights(self.settings.size, self.values, more))

    def learn(
        self,
        games: int,
        *,
        start: State | None = None,
        komi: float | None = None,
        is_over: Callable[[], bool] = lambda: False,
        note: Callable[[ShapeTally], None] = lambda _tally: None,
    ) -> int:
        """Play that many games from a position and learn from them; return how many were played.

        From the empty board and with the settings' komi, unless told otherwise. Now and then
        *is_over* is asked whether to end, and *note* is told what came of the latest games.
        """
        start = empty_state(self.settings.size) if start is None else start
        settings, played = self.settings, 0
        while played < games and not is_over():
            count = min(SLICE, games - played)
            tally = np.zeros(TALLY, np.float64)
            learn_games(
                self._windows,
                self._weights,
                self._board,
                self._scratch,
                start,
                float(settings.komi if komi is None else komi),
                count,
                self.games,
                float(settings.exploration),
                float(settings.rate),
                float(settings.decay),
                float(settings.trace),
                tally,
            )
            played += count
            self.games += count
            moves = float(tally[MOVES])
            note(
                ShapeTally(
                    int(tally[GAMES]),
                    moves / count,
                    float(tally[BLACK_WINS]) / count,
                    float(tally[SQUARES] / max(moves, 1.0)) ** 0.5,
                )
            )
        return played
