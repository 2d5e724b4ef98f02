"""A player of Go: one game, one clock, one search. Protocols are built on this.

Importing this module loads NumPy, but not Numba: that is loaded by the first search. All
methods may be called from any thread; each waits for the one before, and those that change or
search the game stop pondering. :meth:`Player.stop` and :meth:`Player.cancel` do not wait.

How a position becomes a decision is in :mod:`montego.engine.thinking`; here is what outlives it.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from montego.engine.book import BookKeeper
from montego.engine.clock import Clock
from montego.engine.decision import DecisionReason, explain_in_game
from montego.engine.ending.judgement import Judgements
from montego.engine.hybrid import Hybrid
from montego.engine.options.options import Options
from montego.engine.searching.cold_start import refuse_to_leave_nothing
from montego.engine.thinking import SearchRequest, analyze, decide
from montego.engine.win_chances import WinChances
from montego.go.game import Game
from montego.go.handicap import free_handicap
from montego.go.vocabulary.color import format_color, parse_color
from montego.go.vocabulary.errors import GoError
from montego.mcts.config import SEEDS
from montego.mcts.errors import MctsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias, Unpack

    from montego.engine.decision import Decision
    from montego.engine.hybrid import Consultation, Hire
    from montego.engine.searching.analysis import Analysis
    from montego.engine.searching.searcher import Searcher
    from montego.engine.thinking import Asked
    from montego.go.scoring import Score
    from montego.go.vocabulary.rules import Rules
    from montego.mcts.sharing import Fellows

    Enlist: TypeAlias = Callable[[Options, int, Rules], Fellows]

SEED_STEP = 1_000_003  # From game to game: far above the seeds that people choose.
LONGEST_PONDERING = 600.0  # Seconds; an opponent who takes longer has probably left.


class Player:
    """Plays, thinks and judges. A failed call leaves everything as it was.

    >>> player = Player(Options(size=5, simulations=50, seed=1))
    >>> player.play("black", "C3")
    >>> player.genmove("white").is_move
    True
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        hire: Hire | None = None,
        tell: Callable[[str], None] | None = None,
        enlist: Enlist | None = None,
    ) -> None:
        """Start a game on an empty board with the options' size, rules and komi.

        *hire* makes the adviser that the option ``with`` names; *tell* is given complaints, a line
        each, which otherwise go to standard error. *enlist* finds searches on other machines that
        help with the player's own.
        """
        options = Options() if options is None else options
        self._options = options
        self._game = Game(options.size, rules=options.rules, komi=options.komi)
        self.clock = Clock(lag=options.lag)
        """The clocks of both players; set them between calls."""
        self.tell = tell
        """Gets a line for people about what cannot be used; None for standard error."""
        self._lock = threading.RLock()
        self._searcher: Searcher | None = None  # as long as its tree is of use
        self._book = BookKeeper(options, self._complain)
        self._judgements = Judgements(options.drawn_seed)
        self._hybrid = Hybrid(hire, self._complain)
        self._enlist = enlist
        self._chances = WinChances()
        self._last_decision: Decision | None = None
        self._decided_at = 0  # Steps of a game that the last decision is a part of.
        self._has_decided = False  # In this game, whatever was taken back.
        self._games = 0  # in which something was decided, before this one
        # Of the threads: who thinks, and who wants that to end.
        self._is_thinking = False
        self._pondering: threading.Thread | None = None
        self._halt = threading.Event()
        self._cancelled = threading.Event()
        self._is_closed = False

    @property
    def options(self) -> Options:
        """The options in use."""
        return self._options

    def configure(self, options: Options) -> None:
        """Use other options from the next search on. The game stays as it is.

        Raises:
            InvalidOption: If this board cannot be searched with them.
        """
        with self.alone():
            options.check_board(self._game.size)
            self._configure(options)

    def _configure(self, options: Options) -> None:
        self._options = options
        self.clock.lag = options.lag
        self._judgements.reseed(options.drawn_seed)
        if not self._book.serves(options):
            self._close_book()
            self._book = BookKeeper(options, self._complain)

    @property
    def game(self) -> Game:
        """The game. Change it through the player, or inside :meth:`alone`."""
        return self._game

    @property
    def is_thinking(self) -> bool:
        """Whether a search is under way; pondering does not count."""
        return self._is_thinking

    @property
    def is_pondering(self) -> bool:
        """Whether the player thinks in the opponent's time."""
        thread = self._pondering
        return thread is not None and thread.is_alive()

    @property
    def last_decision(self) -> Decision | None:
        """The latest decision, for explanations; None before the first, or if it was taken back."""
        return self._last_decision

    def explain(self) -> str:
        """Return why the latest decision was made, in words; one line at least."""
        decision = self._last_decision  # Another thread may begin another game meanwhile.
        if decision is None:
            return "Nothing was decided yet."
        options = self._options
        text = explain_in_game(decision, self._game, options.patterns, options.rule_order)
        trouble = self._book.trouble
        return text if trouble is None else f"{text}\nThe book: {trouble}."

    def explain_move(self, vertex: str, interrupt: threading.Event | None = None) -> str:
        """Say in words what would come of a move that a person asks about; takes a few seconds.

        It is one in the place of the latest decision, if nothing was played since, and else one of
        the player to move. *interrupt* ends the thinking early.

        Raises:
            GoError: If there is no such vertex, the move is illegal, or nothing is compiled yet.
        """
        from montego.engine.refutation import AskedMove, refute  # noqa: PLC0415  # Loads Numba.

        with self.alone() as game:
            decision, before = self._last_decision, game.copy()
            color: str = before.to_play
            found = None
            if decision is not None and len(before.history) == self._decided_at:
                color, found = decision.color, decision.analysis
                if before.moves and before.moves[-1] == (decision.color, decision.vertex):
                    before.undo()
            asked = AskedMove(game=before, color=color, vertex=vertex, found=found)
            return "\n".join(refute(asked, self._options, interrupt))

    @property
    def learns(self) -> bool:
        """Whether there is a book to which games are added."""
        return self._book.learns

    @property
    def book_trouble(self) -> str | None:
        """What is wrong with the book, in a sentence; None if nothing is, or is any more."""
        return self._book.trouble

    def prepare(self, seconds: float = 0.0) -> bool:
        """Load or compile what a search needs in the background; say if it is done by then.

        The memory of the trees is taken now.
        """
        with self._lock:
            searcher = self._searcher_now()
            searcher.allocate(self._game)
            return searcher.preparation.wait(seconds, lambda: False)

    # The game

    @contextmanager
    def alone(self) -> Iterator[Game]:
        """Wait for other calls, end pondering, and give the game: it is the caller's meanwhile.

        Komi, rules, a handicap and whose turn it is may be changed; the search notices.
        """
        with self._lock:
            thread, self._pondering = self._pondering, None
            if thread is not None:
                self.stop()
                thread.join()
            yield self._game

    def new_game(self, size: int | None = None) -> None:
        """Clear board and history. Komi, rules and time settings stay; clocks are filled.

        Raises:
            InvalidSize: If there is no such board.
            InvalidOption: If it cannot be searched with the options.
        """
        game = self._game
        self.load(Game(game.size if size is None else size, rules=game.rules, komi=game.komi))

    def load(self, game: Game, options: Options | None = None) -> None:
        """Go on with another game (a record, a position); its rules and komi come with it.

        With *options*, these are used from now on.

        Raises:
            InvalidOption: If its board cannot be searched with the options.
        """
        with self.alone():
            (self._options if options is None else options).check_board(game.size)
            if options is not None and options != self._options:
                self._configure(options)
            self._note()
            self._book.end_game()
            # Another game, another seed: whoever plays the same moves gets other answers.
            self._games += self._has_decided
            self._last_decision, self._has_decided = None, False
            self._hybrid.new_game()
            self._chances = WinChances()
            self._judgements.end_cleanup()
            self._game = game
            self.clock.reset()
            if self._searcher is not None:
                # What is wrong with it the next search says.
                with suppress(GoError, MctsError):
                    self._searcher_now().allocate(game)

    def play(self, color: str, vertex: str) -> None:
        """Play a move or ``"pass"`` of either color.

        Raises:
            GoError: If it is illegal, or no move at all.
        """
        with self.alone():
            self._game.play(color, vertex)
            if self._game.is_over:
                self.learn()

    def undo(self, count: int = 1) -> None:
        """Take back steps as ``Game.undo`` does: handicap stones are one step.

        Raises:
            GoError: If there are not that many; then nothing is taken back.
        """
        with self.alone():
            self._game.undo(count)
            if len(self._game.history) < self._decided_at:
                self._last_decision = None

    def place_handicap(self, stones: int, *, fixed: bool = True) -> list[str]:
        """Give Black handicap stones and return where: on the fixed points, or of free choice.

        Raises:
            GoError: If the game has begun or the board has no such handicap.
        """
        with self.alone():
            if fixed:
                return self._game.fixed_handicap(stones)
            vertices = free_handicap(self._game.size, stones)
            self._game.free_handicap(vertices)
            return vertices

    # Thinking

    def choose(self, color: str | None = None, **asked: Unpack[Asked]) -> Decision:
        """Decide what *color*, or the player to move, should do; nothing is played.

        Thinks within the options' limits and the clock; :class:`Asked` says what else can be asked
        for. Never answers a move that the rules forbid.

        Raises:
            GoError: If there is no such color, or what is asked leaves it no legal move.
        """
        begun = time.perf_counter()
        with self.alone():
            request = self._request(begun, color, asked, self._hybrid.consultation(self._options))
            with self._thinking():
                decision = decide(request)
            if request.consultation is not None:
                decision = request.consultation.told(decision)
            if self._cancelled.is_set():
                decision = replace(decision, vertex=None, reason=DecisionReason.CANCELLED)
            elif not (request.cleanup or request.never_resigns) and self._chances.should_resign(
                self._options, self._game, request.color, decision.analysis
            ):
                decision = replace(decision, vertex="resign", reason=DecisionReason.RESIGNED)
            self._last_decision, self._has_decided = decision, True
            self._decided_at = len(self._game.history)
            return decision

    def genmove(self, color: str | None = None, **asked: Unpack[Asked]) -> Decision:
        """Choose as :meth:`choose` does, and play it; a resignation or nothing is not played.

        The time it took comes off the clock.

        Raises:
            GoError: As :meth:`choose` does, or if a player has resigned.
        """
        with self.alone():
            self._game.refuse_after_resignation()
            decision = self.choose(color, **asked)
            self.clock.spent(decision.color, decision.seconds)
            self._chances.note(self._game, decision.color, decision.analysis)
            if decision.is_move and decision.vertex is not None:
                self._game.play(decision.color, decision.vertex)
                self._decided_at = len(self._game.history)
                if asked.get("cleanup"):
                    self._judgements.begin_cleanup(self._game, decision.color)
                if self._options.ponder and not self._cancelled.is_set():
                    self._ponder(decision.color)
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
            GoError: If there is no such color, or what is asked leaves it no legal move.
        """
        begun = time.perf_counter()
        with self.alone():
            request = self._request(begun, color, asked)
            with self._thinking():
                return analyze(request, limit=limit, seconds=seconds)

    def stop(self) -> None:
        """End thinking or pondering soon; a decision takes the best so far. Thread-safe."""
        self._halt.set()
        searcher = self._searcher
        if searcher is not None:
            searcher.stop()

    def cancel(self) -> None:
        """End thinking soon; a decision under way has no vertex. Thread-safe."""
        self._cancelled.set()
        self.stop()

    def learn(self) -> int:
        """Add what searches of this game found to the book; return how many positions.

        It happens by itself when a game ends, when another begins and when the player is closed.
        Without a book that can be written nothing happens.
        """
        with self.alone():
            self._note()
            return self._book.learn()

    def clear_cache(self) -> None:
        """Forget the tree and the judgement of dead stones. What the book is to get is kept."""
        with self.alone():
            self._forget_tree()
            self._judgements.forget()

    def begin_again(self) -> None:
        """Draw as a new player with this seed would from now on, and forget the tree."""
        with self.alone():
            self.clear_cache()
            self._games, self._has_decided = 0, False

    # The end

    def dead_stones(self) -> list[str]:
        """Return the stones that are judged dead, in reading order; see :class:`Judgements`."""
        with self.alone():
            return self._judgements.dead_stones(self._game)

    def final_score(self) -> Score:
        """Count the game by its rules after taking off what :meth:`dead_stones` says."""
        with self.alone():
            return self._judgements.score(self._game)

    def settle(self) -> None:
        """Mark in a game that two passes ended what is judged dead: its result is then right."""
        if self._game.ended_by_passes:
            with self.alone():
                self._judgements.mark(self._game)

    def status(self, vertex: str) -> str:
        """Return ``"alive"``, ``"dead"`` or ``"seki"`` for a stone, as :meth:`dead_stones` has it.

        Raises:
            GoError: If there is no stone.
        """
        with self.alone():
            return self._judgements.status(self._game, vertex)

    def close(self) -> None:
        """Add the game to the book and end all threads. The player is of no use after that.

        A decision that is under way, or about to begin, has no vertex.
        """
        self._is_closed = True
        self.cancel()
        self.dismiss()
        with self.alone():
            self._close_book()

    def dismiss(self) -> None:
        """End the adviser's process, for good, without waiting for anything else."""
        self._hybrid.end()

    # Threads

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        """Let others stop or cancel what is done meanwhile."""
        self._halt.clear()
        self._cancelled.clear()
        if self._is_closed:
            self.cancel()  # What was just cleared may have come from there.
        self._is_thinking = True
        try:
            yield
        finally:
            self._is_thinking = False

    def _ponder(self, color: str) -> None:
        """Search on for the next move of *color*, in a thread, until the next call of the player.

        Not if the game is over or nothing is compiled yet.
        """
        game, searcher = self._game, self._searcher
        if searcher is None or game.is_over or not searcher.preparation.is_ready:
            return
        points = bool(self._chances.counts_points(self._options, game, color))
        # As in the player's own search, so that the tree stays of one piece.
        searcher.follow(game, game.to_play, searcher.offset, points=points)
        self._halt.clear()
        self._pondering = threading.Thread(
            target=self._search_on, args=[searcher], name="pondering", daemon=True
        )
        self._pondering.start()

    def _search_on(self, searcher: Searcher) -> None:
        try:
            searcher.run(
                simulations=None,
                seconds=LONGEST_PONDERING,
                early_stop=False,
                watch=lambda _elapsed: self._halt.is_set(),
            )
        except Exception as error:  # noqa: BLE001  # A thread has nobody to raise it to.
            sys.stderr.write(f"montego: pondering ended: {error}\n")

    # Search and book

    def _request(
        self,
        begun: float,
        color: str | None,
        asked: Asked,
        consultation: Consultation | None = None,
    ) -> SearchRequest:
        """Return what is asked of the search, for the position as it is."""
        game, options = self._game, self._options
        name = format_color(parse_color(game.to_play if color is None else color))
        if restrict := asked.get("restrict"):
            refuse_to_leave_nothing(restrict, game, name)
        return SearchRequest(
            game=game,
            color=name,
            options=options.on_board(game.size),
            level=options.level,
            searcher=self._searcher_now(),
            judgements=self._judgements,
            begun=begun,
            budget=self.clock.budget(name, len(game.moves), game.size),
            offset=self._chances.komi_offset(options, game, name),
            points=self._chances.counts_points(options, game, name),
            halt=self._halt,
            consultation=consultation,
            **asked,
        )

    def _searcher_now(self) -> Searcher:
        """Return the searcher for the game as it is: the same one as long as it can be."""
        from montego.engine.searching.searcher import Searcher  # noqa: PLC0415  # Not before it is needed.

        game, options = self._game, self._options.on_board(self._game.size)
        if self._games:
            seed = (options.drawn_seed + self._games * SEED_STEP) % SEEDS
            options = options.replace(seed=seed)
        key = (options, game.size, game.rules)
        if self._searcher is None or self._searcher.key != key:
            self._forget_tree()  # Its memory is free before the next one takes its own.
            fellows = None
            if self._enlist is not None:
                fellows = self._enlist(options, game.size, game.rules)
            self._searcher = Searcher(
                options, game.size, game.rules, keeper=self._book, fellows=fellows
            )
        return self._searcher

    def _note(self) -> None:
        """Keep what the tree has found for the book."""
        if self._searcher is not None:
            self._searcher.note()

    def _forget_tree(self) -> None:
        self._note()
        self._searcher = None

    def _close_book(self) -> None:
        """Give up the tree, and put the book away with what was found."""
        self._forget_tree()
        self._book.learn()
        self._book.close()

    def _complain(self, text: str) -> None:
        with suppress(Exception):  # That nobody can hear it must not cost the game.
            (self.tell or to_standard_error)(text)


def to_standard_error(text: str) -> None:
    """Write a line for people."""
    with suppress(OSError, ValueError):  # Closed: nobody wants to know.
        sys.stderr.write(f"{text}\n")
