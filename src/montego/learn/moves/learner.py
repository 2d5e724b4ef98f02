"""Learning from games which moves strong players choose, and the file that it is kept in.

The file is what the player reads, and what learning goes on from: strengths as they are, and how
far the games were gone through.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from montego.go.arrays import write_arrays
from montego.go.kernels.layout import empty_state
from montego.go.prediction.prediction import MOST_SHAPES, prediction_arrays, prediction_room
from montego.go.prediction.shapes import RINGS
from montego.go.prediction.traits import TRAITS
from montego.jit.state import new_scratch
from montego.learn.errors import LearnError
from montego.learn.moves.strengths import (
    AMONG_FIVE,
    FIRST,
    LOSS,
    MOST_FEATURES,
    POSITIONS,
    TALLY,
    collect_keys,
    go_through,
    new_choices,
    new_features,
)
from montego.learn.settings import check_unchanged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from montego.learn.moves.lessons import LessonGame, Lessons
    from montego.learn.settings import MoveSettings


class MoveTally(NamedTuple):
    """How well moves were foretold."""

    moves: int
    first: float
    """The share of moves that were thought likeliest."""
    among_five: float
    loss: float
    """Of a move, the logarithm of its chance, negative, on average."""

    @classmethod
    def of(cls, tally: NDArray[np.float64]) -> MoveTally:
        """Return what kernels have counted."""
        moves = max(float(tally[POSITIONS]), 1.0)
        shares = (float(tally[index]) / moves for index in (FIRST, AMONG_FIVE, LOSS))
        return cls(int(tally[POSITIONS]), *shares)


class MoveLearner:
    """Goes through games and learns."""

    def __init__(self, settings: MoveSettings, lessons: Lessons) -> None:
        """Find the shapes that were played often enough.

        Raises:
            LearnError: If there are more of them than a player has room for.
        """
        self.settings, self.lessons = settings, lessons
        self._scratch = new_scratch(1, 1, prediction_room(settings.size))
        self._choices = new_choices(settings.size)
        self.shapes: NDArray[np.uint64] = self._find_shapes()
        if len(self.shapes) > MOST_SHAPES:
            raise LearnError(
                f"{len(self.shapes):,} shapes were played {settings.least} times or more, and a "
                f"player has room for {MOST_SHAPES:,}: say a greater --least"
            )
        self.features = new_features(self.shapes)
        count = len(self.features.strengths)
        self._squares, self._wins = np.zeros(count), np.zeros(count)
        self.done = 0
        """Games gone through so far, each as often as it was."""

    @property
    def total(self) -> int:
        """Games to go through in all."""
        return self.settings.passes * len(self.lessons.learned)

    def _find_shapes(self) -> NDArray[np.uint64]:
        found = [self.keys_of(lesson).reshape(-1) for lesson in self.lessons.learned]
        keys, counts = np.unique(np.concatenate(found), return_counts=True)
        return np.asarray(keys[(counts >= self.settings.least) & (keys != 0)])

    def keys_of(self, lesson: LessonGame) -> NDArray[np.uint64]:
        """Return the keys of the shapes of a game's moves, a row each, 0 for a pass."""
        keys = np.zeros(RINGS * len(lesson.moves), np.uint64)
        state = empty_state(self.settings.size)
        count = collect_keys(state, self._scratch, lesson.moves, lesson.first, keys)
        return keys[:count].reshape(-1, RINGS)

    def learn(
        self,
        *,
        is_over: Callable[[], bool] = lambda: False,
        note: Callable[[MoveTally], None] = lambda _tally: None,
    ) -> bool:
        """Go through the games that are left; say whether none is left now.

        After each game *is_over* is asked whether to end, and *note* is told how well the moves of
        this pass were foretold so far.
        """
        count = len(self.lessons.learned)
        while self.done < self.total:
            begun = self.done // count
            order = np.random.default_rng([self.settings.seed, begun]).permutation(count)
            tally = np.zeros(TALLY)
            for at in order[self.done % count :]:
                if is_over():
                    return False
                self._go_through(self.lessons.learned[int(at)], self.settings.rate, tally)
                self.done += 1
                if self.done % count == 0 and self.settings.method == "mm":
                    self._maximize()
                note(MoveTally.of(tally))
        return True

    def judge(self, lessons: Sequence[LessonGame]) -> MoveTally:
        """Return how well the moves of some games are foretold. Learns nothing."""
        tally = np.zeros(TALLY)
        for lesson in lessons:
            self._go_through(lesson, 0.0, tally)
        return MoveTally.of(tally)

    def _go_through(self, lesson: LessonGame, rate: float, tally: NDArray[np.float64]) -> None:
        go_through(
            empty_state(self.settings.size),
            self._scratch,
            lesson.moves,
            lesson.first,
            self.features,
            self._choices,
            rate,
            rate > 0.0 and self.settings.method == "mm",
            self._squares,
            self._wins,
            tally,
        )

    def _maximize(self) -> None:
        """Change all strengths by what was counted.

        Coulom changes one group of features at a time, of which a move has at most one. Here all
        change at once, each by the root that keeps the likelihood from falling where a move has so
        many (J. Darroch and D. Ratcliff 1972). His prior: a win and a loss against strength 1.
        """
        strengths = self.features.strengths
        gamma = np.exp(strengths)
        ratio = (self._wins + 1.0) / (self._squares + 2.0 * gamma / (gamma + 1.0))
        strengths += np.log(ratio) / MOST_FEATURES
        self._wins[:] = 0.0
        self._squares[:] = 0.0

    # The file

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what the player reads, and what :meth:`go_on` needs.

        Raises:
            GoError: If the file cannot be written.
        """
        strengths = self.features.strengths
        kept: dict[str, Any] = {
            **prediction_arrays(self.shapes, strengths[TRAITS:], strengths[:TRAITS]),
            "strengths": strengths,
            "squares": self._squares,
            "wins": self._wins,
            "done": np.int64(self.done),
            "digest": np.uint64(self.lessons.digest),
            "settings": np.array(json.dumps(asdict(self.settings))),
        }
        write_arrays(path, kept)

    def go_on(self, path: str | os.PathLike[str]) -> None:
        """Go on from a file, if there is one. More passes than before may be wanted.

        Raises:
            LearnError: If it cannot be read, or was learned from other games or with other
                settings.
        """
        if not Path(path).exists():
            return
        name = os.fspath(path)
        try:
            with np.load(path, allow_pickle=False) as data:
                kept = dict(data)
            known = json.loads(str(kept["settings"]))
            strengths, digest, done = kept["strengths"], int(kept["digest"]), int(kept["done"])
            squares, wins = kept["squares"], kept["wins"]
        except OSError as error:
            raise LearnError(f"cannot read {name!r}: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            raise LearnError(f"{name!r} was not written by 'montego learn moves'") from None
        same_games = digest == self.lessons.digest
        same_games &= strengths.shape == self.features.strengths.shape
        also = [] if same_games else ["other games"]
        check_unchanged(path, known, self.settings, free={"passes"}, also=also)
        self.features.strengths[:] = strengths
        self._squares[:], self._wins[:] = squares, wins
        self.done = done


def elo_of(strength: float) -> float:
    """Return a strength's logarithm as a difference in Elo."""
    return strength * 400.0 / math.log(10.0)
