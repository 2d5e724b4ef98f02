"""The mind of a player: what it knows of its game, and how a question becomes a decision.

Search and book are its :mod:`study <montego.engine.study>`; beside them it has a judge of the end,
the course of the game, and perhaps an adviser. It thinks when it is asked to, and in the opponent's
time if it may; it can be interrupted. Game and clock are the player's.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.engine.adviser.hybrid import Hybrid
from montego.engine.course import Course
from montego.engine.decision import DecisionReason
from montego.engine.ending.judge import Judge
from montego.engine.explanation import explain_in_game
from montego.engine.pondering import Pondering
from montego.engine.request import Request
from montego.engine.study import Study
from montego.engine.thinking import analyze, decide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from montego.engine.adviser.advice import Hire
    from montego.engine.clock import Clock
    from montego.engine.decision import Decision
    from montego.engine.options.options import Options
    from montego.engine.request import Asked
    from montego.engine.searching.analysis import Analysis
    from montego.engine.searching.searcher import Searcher
    from montego.go.game import Game


class Mind:
    """Thinks about one game after another.

    Used by one thread at a time, but for :meth:`stop`, :meth:`cancel`, :meth:`dismiss` and
    :meth:`explain`; attributes may be read at any time.
    """

    def __init__(self, options: Options, hire: Hire | None, tell: Callable[[str], None]) -> None:
        """Think with these options; *hire* and *tell* are as ``Player`` has them."""
        self.options = options
        """Change them with :meth:`configure`."""
        self.study = Study(options, tell)
        self.judge = Judge(options.drawn_seed)
        self.course = Course()
        self.pondering = Pondering()
        self.is_thinking = False
        """Whether a search is under way; pondering does not count."""
        self.last_decision: Decision | None = None
        """The latest in this game; None before the first, or if it was taken back."""
        self.decided_at = 0
        """Steps that the game must have for the latest decision to be a part of it."""
        self._has_decided = False  # In this game, whatever was taken back.
        self.cancelled = threading.Event()
        """Set by whoever does not want to know the decision any more."""
        self._halt = threading.Event()
        self._is_closed = False
        self._hybrid = Hybrid(hire, tell)

    def configure(self, options: Options) -> None:
        """Think with other options from now on."""
        self.options = options
        self.judge.reseed(options.drawn_seed)
        self.study.configure(options)

    def forget(self) -> None:
        """Forget the tree and the judgement of dead stones."""
        self.study.forget()
        self.judge.forget()

    def begin_again(self) -> None:
        """Forget that, and how many games there were: with the same seed the same moves come."""
        self.forget()
        self.study.begin_again()
        self._has_decided = False

    def begin_game(self) -> None:
        """Keep what was learned in the game so far, and be ready for another."""
        self.study.end_game(decided=self._has_decided)
        self._hybrid.new_game()
        self.course.reset()
        self.judge.end_cleanup()
        self.last_decision, self._has_decided = None, False

    def take_back(self, game: Game) -> None:
        """Forget a decision that *game*, of which steps were taken back, knows no more."""
        if len(game.history) < self.decided_at:
            self.last_decision = None

    def request(
        self,
        game: Game,
        color: str,
        *,
        searcher: Searcher,
        clock: Clock,
        begun: float,
        asked: Asked,
    ) -> Request:
        """Return what is asked of the search, for the position as it is."""
        return Request(
            game=game,
            color=color,
            options=self.options.on_board(game.size),
            level=self.options.level,
            searcher=searcher,
            judge=self.judge,
            begun=begun,
            budget=clock.budget(color, len(game.moves), game.size),
            offset=self.course.komi_offset(self.options, game, color),
            points=self.course.counts_points(self.options, game, color),
            halt=self._halt,
            **asked,
        )

    def decide(self, request: Request) -> Decision:
        """Decide what to play, or to resign; nothing if it is cancelled."""
        request = replace(request, counsel=self._hybrid.counsel(self.options))
        with self._thinks():
            decision = decide(request)
        if request.counsel is not None:
            decision = request.counsel.told(decision)
        self.last_decision = decision = self._second_thoughts(request, decision)
        self.decided_at, self._has_decided = len(request.game.history), True
        return decision

    def _second_thoughts(self, request: Request, decision: Decision) -> Decision:
        if self.cancelled.is_set():
            return replace(decision, vertex=None, reason=DecisionReason.CANCELLED)
        if request.cleanup:
            return decision
        found = decision.analysis
        if self.course.is_hopeless(self.options, request.game, request.color, found):
            return replace(decision, vertex="resign", reason=DecisionReason.RESIGNED)
        return decision

    def analyze(self, request: Request, *, limit: int | None, seconds: float | None) -> Analysis:
        """Search as :func:`montego.engine.thinking.analyze` does."""
        with self._thinks():
            return analyze(request, limit=limit, seconds=seconds)

    def ponder(self, game: Game, color: str) -> None:
        """Go on thinking, for the next move of *color*, if the options want that."""
        searcher = self.study.searcher
        if self.options.ponder and searcher is not None and not self.cancelled.is_set():
            points = self.course.counts_points(self.options, game, color)
            self.pondering.start(searcher, game, points=bool(points))

    @contextmanager
    def _thinks(self) -> Iterator[None]:
        self._halt.clear()
        self.cancelled.clear()
        if self._is_closed:
            self.cancel()  # What was just cleared may have come from there.
        self.is_thinking = True
        try:
            yield
        finally:
            self.is_thinking = False

    def stop(self) -> None:
        """End thinking or pondering soon; a decision under way takes the best so far."""
        self._halt.set()
        self.pondering.halt()
        searcher = self.study.searcher
        if searcher is not None:
            searcher.stop()

    def cancel(self, *, for_good: bool = False) -> None:
        """End thinking soon; a decision under way, or *for_good* any to come, has no vertex."""
        if for_good:
            self._is_closed = True
        self.cancelled.set()
        self.stop()

    def dismiss(self) -> None:
        """End the adviser's process, for good."""
        self._hybrid.end()

    def explain(self, game: Game) -> str:
        """Return why the latest decision was made in *game*, in words; one line at least."""
        decision = self.last_decision  # Another thread may begin another game meanwhile.
        if decision is None:
            return "Nothing was decided yet."
        text = explain_in_game(decision, game, self.options.patterns)
        trouble = self.study.keeper.trouble
        return text if trouble is None else f"{text}\nThe book: {trouble}."
