"""Teaching a book: the player plays openings against itself, or looks long at one position.

What is learned is what its searches find, not who wins: games are left as soon as they are deeper
than the book is. In each game one color is played with the book, and the other by a stranger, the
same player without it, so that the book learns answers to what others play. What the stranger
thinks is not kept.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.engine.decision import DecisionReason
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.engine.decision import Decision
    from montego.engine.options.options import Options
    from montego.engine.player import Player
    from montego.go.game import Game

SLICE_SECONDS = 10.0  # Of a long search; what was found is in the book after each.


@dataclass
class Learned:
    """What came of it so far."""

    games: int = 0
    """Games that were begun and left again."""
    moves: int = 0
    positions: int = 0
    """Positions that were added to the book or to what it knew of them, once for each time."""
    part: float = 0.0
    """How much of the lesson is over, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class LessonPlan:
    """How long to learn, and how."""

    games: int | None = None
    seconds: float | None = None
    variety: float = 0.5
    """How freely the stranger moves: 0 plays the best, 1 each as often as it was visited."""

    def __post_init__(self) -> None:
        if self.games is not None and self.games < 1:
            raise GoError(f"cannot learn from {self.games} games: say a number from 1")
        if self.seconds is not None and not self.seconds > 0:
            raise GoError("the time to learn must be more than nothing")
        if not 0 <= self.variety <= 100:
            raise GoError(f"invalid variety {self.variety:g}: say a number from 0 to 100")


def stranger_to(options: Options) -> Options:
    """Return the options of who plays against one with these, and has neither book nor adviser.

    Its searches stop as soon as the move is clear, because nothing of them is kept.
    """
    return options.replace(book=None, with_=None, early_stop=True, seed=options.drawn_seed ^ 1)


class BookTeacher:
    """Lets a player fill its book. The two players belong to it meanwhile."""

    def __init__(
        self,
        player: Player,
        stranger: Player,
        start: Game,
        lesson: LessonPlan,
        *,
        is_stopped: Callable[[], bool],
        report: Callable[[Learned], None],
    ) -> None:
        """Teach *player*, whose options name the book, from the position of *start* on.

        *stranger* is its opponent, see :func:`stranger_to`; a search asks it nothing. *report* is
        told after each move; *is_stopped* is asked there whether to go on.
        """
        self.learned = Learned()
        self._player = player
        self._stranger = stranger
        self._start = start
        self._lesson = lesson
        self._is_stopped = is_stopped
        self._report = report
        self._random = random.Random(player.options.drawn_seed)
        self._begun = time.monotonic()

    def play(self) -> Learned:
        """Play games until the lesson is over.

        Raises:
            GoError: If the book cannot be written; what was learned before is in it.
        """
        stranger_opens = False  # The first game teaches the very position.
        unmoved = 0
        while not self._is_over() and unmoved < 2:  # Else neither of them wants to move here.
            for one in (self._player, self._stranger):
                one.load(self._start.copy())
            moves = self._play_game(stranger_opens=stranger_opens)
            self.learned.positions += self._player.learn()
            self.learned.games += moves > 0
            unmoved = 0 if moves else unmoved + 1
            stranger_opens = not stranger_opens
        return self.learned

    def search(self) -> Learned:
        """Search the first position until the time is over.

        Raises:
            GoError: If the book cannot be written; what was learned before is in it.
        """
        self._player.load(self._start.copy())
        while not self._is_over():
            left = SLICE_SECONDS
            if self._lesson.seconds is not None:
                left = min(left, self._lesson.seconds - self._elapsed())
            self._player.analyze(seconds=max(left, 0.01))
            self.learned.positions += self._player.learn()
            self._tell()
        return self.learned

    def _play_game(self, *, stranger_opens: bool) -> int:
        """Play one game as deep as the book is; return how many moves were made."""
        player, stranger, moves = self._player, self._stranger, 0
        opener = player.game.to_play
        while len(player.game.moves) <= player.options.book_depth and not player.game.is_over:
            is_strange = (player.game.to_play == opener) is stranger_opens
            decision = (stranger if is_strange else player).choose()
            vertex = self._chosen(decision, self._lesson.variety if is_strange else 0.0)
            if vertex is None:
                break
            for one in (player, stranger):
                one.play(decision.color, vertex)
            moves += 1
            self.learned.moves += 1
            self._tell()
            if self._is_over(within_game=True):
                break
        return moves

    def _chosen(self, decision: Decision, variety: float) -> str | None:
        """Return a move to go on with; None if the game is left here."""
        if decision.vertex in (None, "pass", "resign") or decision.analysis is None:
            return None
        # A move of the level, or by simple rules, is no search's.
        if decision.reason in (DecisionReason.COLD_START, DecisionReason.NO_SEARCH):
            return None
        game = self._player.game
        moves = [
            move
            for move in decision.analysis.moves
            if move.visits > 0
            and move.vertex != "pass"
            and game.fault(decision.color, move.vertex) is None
        ]
        if variety == 0 or not moves:
            return decision.vertex
        most = max(move.visits for move in moves)
        weights = [(move.visits / most) ** (1.0 / variety) for move in moves]
        return self._random.choices([move.vertex for move in moves], weights)[0]

    def _elapsed(self) -> float:
        return time.monotonic() - self._begun

    def _is_over(self, *, within_game: bool = False) -> bool:
        lesson = self._lesson
        if self._is_stopped() or (lesson.seconds is not None and self._elapsed() >= lesson.seconds):
            return True
        return not within_game and lesson.games is not None and self.learned.games >= lesson.games

    def _tell(self) -> None:
        lesson, parts = self._lesson, [0.0]
        if lesson.seconds is not None:
            parts.append(self._elapsed() / lesson.seconds)
        if lesson.games is not None:
            depth = self._player.options.book_depth - len(self._start.moves) + 1
            within = min((self.learned.moves / max(depth, 1)) - self.learned.games, 1.0)
            parts.append((self.learned.games + max(within, 0.0)) / lesson.games)
        self.learned.part = min(max(parts), 1.0)
        self._report(self.learned)
