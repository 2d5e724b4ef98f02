"""A player of Go: one game, one search, one clock. Protocols are built on this.

Importing this module loads NumPy, but not Numba: that is loaded by the first search. All
methods may be called from any thread; each waits for the one before, and those that change or
search the game stop pondering. :meth:`Player.stop` and :meth:`Player.cancel` do not wait.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.engine.book_keeping import BookKeeper, to_standard_error
from montego.engine.clock import Clock
from montego.engine.course import Course
from montego.engine.decision import Reason
from montego.engine.explanation import explain_in_game
from montego.engine.free_handicap import free_handicap
from montego.engine.hybrid import Hybrid
from montego.engine.judge import Cleanup, Judge
from montego.engine.options import Options
from montego.engine.pondering import Pondering
from montego.engine.request import Asked, Request
from montego.engine.thinking import analyze, decide
from montego.go.color import format_color, parse_color
from montego.go.game import Game

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Unpack

    from montego.engine.advice import Hire
    from montego.engine.analysis import Analysis
    from montego.engine.decision import Decision
    from montego.engine.searcher import Searcher
    from montego.go.rules import Rules
    from montego.go.scoring import Score

SEED_STEP = 1_000_003  # From game to game: far above the seeds that people choose.


class Player:
    """Plays, thinks and judges. A failed call leaves everything as it was.

    >>> player = Player(Options(size=5, simulations=50, seed=1))
    >>> player.play("black", "C3")
    0
    >>> player.genmove("white").is_move
    True
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        hire: Hire | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """Start a game on an empty board with the options' size, rules and komi.

        *hire* makes the adviser that the option ``with`` names; *tell* is given complaints, a line
        each, which otherwise go to standard error.
        """
        self._options = Options() if options is None else options
        self._game = Game(self._options.size, rules=self._options.rules, komi=self._options.komi)
        self.clock = Clock(lag=self._options.lag)
        """The clocks of both players; set them between calls."""
        self._lock = threading.RLock()
        self._halt = threading.Event()
        self._cancelled = threading.Event()
        self._is_closed = False
        self._thinking = False
        self._searcher: Searcher | None = None
        self._pondering = Pondering()
        self._judge = Judge(self._options.drawn_seed)
        self._course = Course()
        self.tell = tell
        """Gets a line for people about what cannot be used; None for standard error."""
        self._keeper = BookKeeper(self._options, self._complain)
        self._cleanup: Cleanup | None = None  # the latest, which may have been taken back
        self._last_decision: Decision | None = None
        self._games = 0  # in which something was decided, before this one
        self._hybrid = Hybrid(hire, self._complain)

    @property
    def options(self) -> Options:
        """The options in use."""
        return self._options

    def configure(self, options: Options) -> None:
        """Use other options from the next search on. The game stays as it is."""
        with self._alone():
            if options.drawn_seed != self._options.drawn_seed:
                self._judge = Judge(options.drawn_seed)
            self._options = options
            self.clock.lag = options.lag
            if not self._keeper.serves(options):
                self._put_book_away()
                self._searcher, self._keeper = None, BookKeeper(options, self._complain)

    @property
    def game(self) -> Game:
        """The game. Change it through the player only."""
        return self._game

    @property
    def is_thinking(self) -> bool:
        """Whether a search is under way; pondering does not count."""
        return self._thinking

    @property
    def is_pondering(self) -> bool:
        """Whether the player thinks in the opponent's time."""
        return self._pondering.is_running

    @property
    def last_decision(self) -> Decision | None:
        """The latest decision, for explanations; None before the first, or after a new game."""
        return self._last_decision

    def explain(self) -> str:
        """Return why the latest decision was made, in words; one line at least."""
        decision = self._last_decision
        if decision is None:
            return "Nothing was decided yet."
        text = explain_in_game(decision, self._game, self._options.patterns)
        trouble = self.book_trouble
        return text if trouble is None else f"{text}\nThe book: {trouble}."

    @property
    def learns(self) -> bool:
        """Whether there is a book to which games are added."""
        return self._keeper.learns

    @property
    def book_trouble(self) -> str | None:
        """What is wrong with the book, in a sentence; None if nothing is, or is any more."""
        return self._keeper.trouble

    def prepare(self, seconds: float = 0.0) -> bool:
        """Begin to load or compile what a search needs, in the background.

        Wait for it that long at most, and say whether it is done.
        """
        with self._lock:
            preparation = self._searcher_now().preparation
            return preparation.wait(seconds, lambda: False)

    # The game

    def new_game(self, size: int | None = None) -> None:
        """Clear board and history. Komi, rules and time settings stay; clocks are filled.

        Raises:
            InvalidSize: If there is no such board.
        """
        game = self._game
        self.load(Game(game.size if size is None else size, rules=game.rules, komi=game.komi))

    def load(self, game: Game) -> None:
        """Go on with another game (a record, a position); its rules and komi come with it."""
        with self._alone():
            self._note()
            self._keeper.end_game()
            self._game = game
            self._hybrid.new_game()
            self.clock.reset()
            self._course.reset()
            self._cleanup = None
            # Another game, another seed: whoever plays the same moves gets other answers.
            self._games += self._last_decision is not None
            self._last_decision = None

    def set_komi(self, komi: float | str) -> None:
        """Change komi.

        Raises:
            InvalidKomi: If it is no sensible number.
        """
        with self._alone():
            self._game.komi = komi

    def set_rules(self, rules: str | Rules) -> None:
        """Change the rules; komi stays.

        Raises:
            InvalidRules: If there is no such rule set.
        """
        with self._alone():
            self._game.rules = rules

    def play(self, color: str, vertex: str) -> int:
        """Play a move or ``"pass"`` of either color and return the stones captured.

        The search keeps what it knows about what follows.

        Raises:
            GoError: If it is illegal, or no move at all.
        """
        with self._alone():
            captured = self._game.play(color, vertex)
            if self._game.is_over:
                self.learn()
            return captured

    def undo(self, count: int = 1) -> None:
        """Take back steps as ``Game.undo`` does: handicap stones are one step.

        Raises:
            GoError: If there are not that many; then nothing is taken back.
        """
        with self._alone():
            self._game.undo(count)

    def give_turn(self, color: str) -> None:
        """Say whose turn it is, as ``Game.give_turn`` does. Clocks and book stay as they are.

        Raises:
            GoError: If there is no such color.
        """
        with self._alone():
            self._game.give_turn(color)

    def place_handicap(self, stones: int, *, fixed: bool = True) -> list[str]:
        """Give Black handicap stones and return where: on the fixed points, or of free choice.

        Free choice gives as many as asked for, on every board that has room for them.

        Raises:
            GoError: If the game has begun or the board has no such handicap.
        """
        with self._alone():
            if fixed:
                return self._game.fixed_handicap(stones)
            vertices = free_handicap(self._game.size, stones)
            self._game.free_handicap(vertices)
            return vertices

    def set_handicap(self, vertices: Iterable[str]) -> None:
        """Give Black handicap stones on these points.

        Raises:
            GoError: If the game has begun or the points will not do.
        """
        with self._alone():
            self._game.free_handicap(vertices)

    # Thinking

    def choose(self, color: str | None = None, **asked: Unpack[Asked]) -> Decision:
        """Decide what *color*, or the player to move, should do; nothing is played.

        Thinks within the options' limits and the clock; :class:`Asked` says what else can be asked
        for. Never answers a move that the rules forbid.

        Raises:
            GoError: If there is no such color.
        """
        begun = time.perf_counter()
        with self._alone():
            request = self._request(begun, color, asked)
            request = replace(request, counsel=self._hybrid.counsel(self._options))
            decision = self._decide(request)
            self._last_decision = decision
            return decision

    def genmove(self, color: str | None = None, **asked: Unpack[Asked]) -> Decision:
        """Choose as :meth:`choose` does, and play it; a resignation or nothing is not played.

        The time it took comes off the clock.

        Raises:
            GoError: If there is no such color, or a player has resigned.
        """
        with self._alone():
            self._game.refuse_after_resignation()
            decision = self.choose(color, **asked)
            self.clock.spent(decision.color, decision.seconds)
            self._course.learn(self._game, decision.color, decision.analysis)
            if decision.is_move and decision.vertex is not None:
                self._game.play(decision.color, decision.vertex)
                if asked.get("cleanup") and self._cleaned_up() != decision.color:
                    self._cleanup = Cleanup(decision.color, self._game.history)
                self._begin_pondering(decision.color)
            if self._game.is_over or decision.vertex == "resign":
                self.learn()
            return decision

    def analyze(
        self,
        color: str | None = None,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        **asked: Unpack[Asked],
    ) -> Analysis:
        """Search the position until :meth:`stop`, or for *limit* visits or *seconds*.

        *limit* counts visits at the root, those kept from before included. The last analysis
        is reported and returned; it has scores. Neither clock nor level matters.

        Raises:
            GoError: If there is no such color.
        """
        begun = time.perf_counter()
        with self._alone():
            request = self._request(begun, color, asked)
            with self._thinks():
                return analyze(request, limit=limit, seconds=seconds)

    def stop(self) -> None:
        """End thinking or pondering soon; a decision under way takes the best so far.

        Thread-safe, and does nothing if nothing is under way.
        """
        self._halt.set()
        self._pondering.halt()
        searcher = self._searcher
        if searcher is not None:
            searcher.stop()

    def cancel(self) -> None:
        """End thinking soon; a decision under way has no vertex. Thread-safe."""
        self._cancelled.set()
        self.stop()

    def stop_pondering(self) -> None:
        """End thinking in the opponent's time, as when a server says that the game is over."""
        with self._alone():
            pass

    def learn(self) -> int:
        """Add what searches of this game found to the book; return how many positions.

        It happens by itself when a game ends, when another begins and when the player is closed.
        Without a book that can be written nothing happens.
        """
        with self._alone():
            self._note()
            return self._keeper.learn()

    def clear_cache(self) -> None:
        """Forget the tree and the judgement of dead stones. What the book is to get is kept."""
        with self._alone():
            self._note()
            self._searcher = None
            self._judge.forget()

    # The end

    def dead_stones(self) -> list[str]:
        """Return the stones that are judged dead, in reading order.

        The same judgement as for passing and :meth:`final_score`; none under rules without removal.
        After a cleanup has begun, and was not taken back, no stone of the opponent's is dead: those
        were to be captured.
        """
        with self._alone():
            return self._judge.dead_stones(self._game, self._cleaned_up())

    def final_score(self) -> Score:
        """Count the game by its rules after taking off what :meth:`dead_stones` says."""
        with self._alone():
            judgement = self._judge.judge(self._game)
            if self._cleaned_up() is None:
                return judgement.score
            return self._game.score(dead=self.dead_stones(), seki=judgement.seki)

    def settle(self) -> None:
        """Mark in a game that two passes ended what is judged dead: its result is then right."""
        if self._game.ended_by_passes:
            with self._alone():
                seki = self._judge.judge(self._game).seki
                self._game.mark_dead(self.dead_stones(), seki=seki)

    def status(self, vertex: str) -> str:
        """Return ``"alive"``, ``"dead"`` or ``"seki"`` for a stone, as :meth:`dead_stones` has it.

        Raises:
            GoError: If there is no stone.
        """
        with self._alone():
            return self._judge.status(self._game, vertex, self._cleaned_up())

    def close(self) -> None:
        """Add the game to the book and end all threads. The player is of no use after that.

        A decision that is under way, or about to begin, has no vertex.
        """
        self._is_closed = True
        self.cancel()
        self.dismiss()
        with self._alone():
            self._put_book_away()
            self._searcher = None

    def dismiss(self) -> None:
        """End the adviser's process, for good, without waiting for anything else."""
        self._hybrid.end()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Wait for other calls, and end pondering."""
        with self._lock:
            self._pondering.stop()
            yield

    @contextmanager
    def _thinks(self) -> Iterator[None]:
        self._halt.clear()
        self._cancelled.clear()
        if self._is_closed:
            self.cancel()  # What was just cleared may have come from there.
        self._thinking = True
        try:
            yield
        finally:
            self._thinking = False

    def _request(self, begun: float, color: str | None, asked: Asked) -> Request:
        """Return what is asked of the search, for the position as it is."""
        game = self._game
        name = format_color(parse_color(game.to_play if color is None else color))
        played = len(game.moves)
        return Request(
            game=game,
            color=name,
            options=self._options.on_board(game.size),
            level=self._options.level,
            searcher=self._searcher_now(),
            judge=self._judge,
            begun=begun,
            budget=self.clock.budget(name, played, game.size),
            offset=self._course.komi_offset(self._options, game, name),
            points=self._course.counts_points(self._options, game, name),
            halt=self._halt,
            **asked,
        )

    def _decide(self, request: Request) -> Decision:
        with self._thinks():
            decision = decide(request)
        if request.counsel is not None:
            decision = request.counsel.told(decision)
        if self._cancelled.is_set():
            return replace(decision, vertex=None, reason=Reason.CANCELLED)
        if request.cleanup:
            return decision
        found = decision.analysis
        if self._course.is_hopeless(self._options, request.game, request.color, found):
            return replace(decision, vertex="resign", reason=Reason.RESIGNED)
        return decision

    def _cleaned_up(self) -> str | None:
        """Return the color that has begun to capture dead stones in this game, if one has."""
        cleanup = self._cleanup
        return cleanup.color if cleanup is not None and cleanup.holds_in(self._game) else None

    def _searcher_now(self) -> Searcher:
        """Return the searcher for the game as it is; the same one as long as it can be."""
        from montego.engine.searcher import Searcher  # noqa: PLC0415  # Not before it is needed.

        game = self._game
        options = self._options.on_board(game.size)
        if self._games:
            options = options.replace(seed=options.drawn_seed + self._games * SEED_STEP)
        key = (options, game.size, game.rules)
        if self._searcher is None or self._searcher.key != key:
            self._note()
            self._searcher = None  # Its memory is free before the next one takes its own.
            self._searcher = Searcher(options, game.size, game.rules, keeper=self._keeper)
        return self._searcher

    def _note(self) -> None:
        """Let the book's keeper know what the search has found, before its tree goes."""
        if self._searcher is not None:
            self._searcher.note()

    def _complain(self, text: str) -> None:
        with suppress(Exception):  # That nobody can hear it must not cost the game.
            (self.tell or to_standard_error)(text)

    def _put_book_away(self) -> None:
        self._note()
        self._keeper.learn()
        self._keeper.close()

    def _begin_pondering(self, color: str) -> None:
        """Go on thinking, for the next move of *color*."""
        searcher = self._searcher
        if (
            self._options.ponder
            and searcher is not None
            and searcher.preparation.is_ready
            and not self._game.is_over
            and not self._cancelled.is_set()
        ):
            # As in the player's own search, so that the tree stays of one piece.
            points = self._course.counts_points(self._options, self._game, color)
            searcher.follow(self._game, self._game.to_play, searcher.offset, points=bool(points))
            self._pondering.start(searcher)
