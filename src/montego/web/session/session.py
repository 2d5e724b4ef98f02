"""One game on the server: what people ask of it, who watches it, and Montego at work on it.

Requests change the game at once; a search that no longer fits is interrupted and not waited for.
Thinking happens on the worker's thread. Whatever changes is told to all who watch, in order.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Literal

from montego.web.game.kinds import referee_for
from montego.web.game.players import player_name
from montego.web.game.sgf_exchange import read_game, write_game
from montego.web.game.table import Table
from montego.web.messages.replies import Explanation, Failure, ReviewReply
from montego.web.session.beginning import begin, new_id
from montego.web.session.obedience import obey
from montego.web.session.schedule import Alarm, threading_timer
from montego.web.session.snapshot import saved_of, state_of, summary_of
from montego.web.session.staff import Staff
from montego.web.session.wishes import most_wanted
from montego.web.session.worker import Worker
from montego.web.thinking.gate import Gate
from montego.web.thinking.reports import report_of
from montego.web.thinking.review import mistakes_in
from montego.web.thinking.thinker import READY, Programs

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.web.game.saved import SavedGame
    from montego.web.game.tree import Node
    from montego.web.messages.replies import GameState, GameSummary, Progress, Reply
    from montego.web.messages.requests import Color, NewGame, Request
    from montego.web.session.schedule import Timer
    from montego.web.session.worker import Job
    from montego.web.thinking.thinker import Findings

    Purpose = Literal["move", "analysis", "hint", "review"]

GRACE = 3.0
"""Seconds for which a game that nobody watches goes on: a page may be loading again."""

SELF_PLAY_PACE = 0.4
"""Seconds that a move takes at least when programs play one another."""

FORGET = 30.0
"""Seconds after which a game that nobody watches frees the memory of its searches."""


class Session:
    """One game, its thinkers and the pages that watch it. Every method may be called anywhere."""

    def __init__(
        self,
        saved: SavedGame,
        *,
        programs: Programs | None = None,
        gate: Gate | None = None,
        now: Callable[[], float] = time.monotonic,
        timer: Timer = threading_timer,
        pace: float = SELF_PLAY_PACE,
    ) -> None:
        """Go on with a game as it was kept. Nothing happens until somebody watches.

        *now* and *timer* are the steady clock and how to be woken by it, for tests.

        Raises:
            ValueError: If what was kept makes no sense.
        """
        self.id = saved.id
        self.kind = saved.agreement.kind
        self.lock = threading.RLock()
        self.now = now
        self.pace = pace
        self.table = Table(saved, referee_for(saved.agreement))
        self.name = saved.name
        self.strength = saved.strength
        self.clock = saved.clock
        self.created, self.changed = saved.created, saved.changed
        self.player_names = saved.player_names
        self.notice = saved.notice
        self.programs = programs or Programs()
        self.staff = Staff(saved.agreement, self.table.referee, self.programs)
        self.analyzing: tuple[int, float] | None = None
        """The node that is analyzed, and since when."""
        self.asked: list[tuple[str, int]] = []
        """What people want to know once, and about which node."""
        self.hurried: int | None = None
        """The node at which a program was told to move at once."""
        self.reviewing = False
        self.learned = False
        """Whether the game is over and was added to the book."""
        self.ready = False
        """Whether Montego was ready to search when it was last asked."""
        self.on_change: Callable[[Session], None] | None = None
        """Called with the lock held after each change, from any thread: to save the game."""
        self._listeners: list[Callable[[Reply], None]] = []
        self._left = -GRACE  # When the last watcher went.
        self._progress: Progress = READY
        self._closed = False
        self._flag = Alarm(timer, self._look_at_the_clock)
        self._away = Alarm(timer, self._look_for_watchers)
        self.worker = Worker(self.lock, lambda: most_wanted(self), self._fail, gate or Gate())

    @classmethod
    def new(
        cls, request: NewGame, *, programs: Programs | None = None, gate: Gate | None = None
    ) -> Session:
        """Begin a game.

        Raises:
            ValueError: If it cannot be played; the message is a sentence for people.
        """
        return cls(begin(request, programs or Programs()), programs=programs, gate=gate)

    @classmethod
    def from_saved(
        cls, saved: SavedGame, *, programs: Programs | None = None, gate: Gate | None = None
    ) -> Session:
        """Go on with a game that was kept.

        Raises:
            ValueError: If what was kept makes no sense.
        """
        return cls(saved, programs=programs, gate=gate)

    @classmethod
    def from_sgf(
        cls,
        data: bytes,
        *,
        name: str = "",
        programs: Programs | None = None,
        gate: Gate | None = None,
    ) -> Session:
        """Open a record, in analysis. A long one takes a moment: not for the event loop.

        Raises:
            ValueError: If it is no record of Go; the message says where it is broken.
        """
        saved = read_game(data, id=new_id(), name=name, moment=time.time())
        return cls(saved, programs=programs, gate=gate)

    # What there is

    def state(self) -> GameState:
        """Return the game as pages show it."""
        with self.lock:
            return state_of(self)

    def summary(self) -> GameSummary:
        """Return the game as the start page lists it."""
        with self.lock:
            return summary_of(self)

    def saved(self) -> SavedGame:
        """Return the game as files keep it: a copy that nothing changes any more."""
        with self.lock:
            return saved_of(self)

    def to_sgf(self) -> str:
        """Return the game with all variations as a record.

        Raises:
            ValueError: If it is not a game of Go.
        """
        with self.lock:
            names = (self.name_of("black"), self.name_of("white"))
            saved = saved_of(self)
        return write_game(saved, saved.player_names if any(saved.player_names) else names)

    @property
    def thinking(self) -> Color | None:
        """The color for which a program is to move, and does so."""
        with self.lock:
            job = self.worker.current
            if self.table.paused or not (self.is_watched or (job and job.key[0] == "move")):
                return None
            return self.table.turn_of_program

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._listeners)

    @property
    def is_watched(self) -> bool:
        """Whether somebody watches, or did a moment ago."""
        return bool(self._listeners) or self.now() - self._left < GRACE

    def name_of(self, color: Color) -> str:
        """Return who plays a color, for people."""
        return player_name(self.table, color, self.strength, self.programs, self.player_names)

    # What people ask

    def handle(self, request: Request) -> Reply | None:
        """Do what a page asks; return what only that page wants to know.

        Raises:
            ValueError: If it cannot be done; the message is a sentence, and nothing has changed.
        """
        with self.lock:
            if self._closed:
                raise ValueError("this game was closed: open it again")
            return obey(self, request)

    def watch(self, listener: Callable[[Reply], None]) -> Callable[[], None]:
        """Tell *listener* everything from now on, in order; return how to end that.

        It is called from any thread, with the lock held: it must return at once and must not call
        the session.
        """
        with self.lock:
            self._listeners.append(listener)
            self._away.cancel()
            if self._progress != READY:
                listener(self._progress)
            self.settle()

        def leave() -> None:
            with self.lock:
                if listener not in self._listeners:
                    return
                self._listeners.remove(listener)
                if not self._listeners and not self._closed:
                    self._left = self.now()
                    self.settle()
                    self._away.set(GRACE)

        return leave

    def close(self) -> None:
        """Stop everything. What is under way ends soon; the game can be saved as it is."""
        with self.lock:
            self._closed = True
            self._flag.cancel()
            self._away.cancel()
            self.worker.close()
        self.staff.close()

    # What the parts of a session use; the lock is held unless it says otherwise

    def change(self) -> None:
        """Take in that the game has changed: have it saved, go on with it, and tell pages.

        In this order. What the server has told is not lost, however it ends; and nobody's clock
        runs while the disk is slow.
        """
        self.changed = time.time()
        try:
            self.keep()
        finally:  # A bug there must not hide the change.
            self.settle()
            self.tell(state_of(self))

    def settle(self) -> None:
        """Have the right clock run and the right thing thought about."""
        table, clocks = self.table, self.table.clocks
        if clocks is not None:
            plays = table.mode == "game" and table.phase == "playing" and not table.paused
            clocks.run(table.to_play if plays and self._listeners else None, self.now())
            self._flag.set(clocks.left(self.now()))
        self.worker.reconsider()

    def tell(self, reply: Reply) -> None:
        """Tell all who watch."""
        for listener in list(self._listeners):
            listener(reply)

    def keep(self) -> None:
        """Have the game saved."""
        if self.on_change is not None:
            self.on_change(self)

    def tell_progress(self, progress: Progress) -> None:
        """Tell what is being prepared, if that is news. The lock is not held."""
        with self.lock:
            self.ready = progress == READY
            if progress != self._progress:
                self._progress = progress
                self.tell(progress)

    def tell_findings(
        self, node: int, findings: Findings, purpose: Purpose, *, final: bool
    ) -> None:
        """Tell what a search found about a node."""
        self.tell(report_of(findings, game=self.id, node=node, purpose=purpose, final=final))

    def tell_review(self) -> None:
        """Tell how far the review is and what it found."""
        line = self.table.tree.line(self.table.head)
        part = round(1.0 - len(self._to_review(line)) / len(line), 4)
        self.tell(ReviewReply(game=self.id, part=part, mistakes=mistakes_in(line)))

    def next_to_review(self) -> int | None:
        """Return the next position of the line that was not judged yet."""
        missing = self._to_review(self.table.tree.line(self.table.head))
        return missing[0].id if missing else None

    def _to_review(self, line: list[Node]) -> list[Node]:
        missing = [node for node in line if node.judged is None]
        if missing and missing[-1] is line[-1] and self.table.is_over(line[-1].id):
            missing.pop()  # Nobody moves there any more.
        return missing

    def record(self, number: int, findings: Findings) -> None:
        """Keep what a search found about a position, unless a longer one has been there."""
        if number not in self.table.tree or not findings.simulations:
            return
        node = self.table.tree[number]
        if findings.simulations >= node.simulations:
            node.value, node.score = findings.value, findings.score
            node.simulations = findings.simulations
            self.table.tree.changed(number)

    def explanation(self, node: Node) -> Explanation:
        """Return what is known about why a move was played."""
        return Explanation(
            game=self.id,
            node=node.id,
            move=node.move or "",
            lines=node.lines,
            alternatives=node.alternatives,
        )

    # Time, and what goes wrong

    def _look_at_the_clock(self) -> None:
        """End the game if the running clock has no time left."""
        with self.lock:
            clocks = self.table.clocks
            if self._closed or clocks is None or clocks.running is None:
                return
            if clocks.left(self.now()) > 0:
                self.settle()
                return
            loser = clocks.running
            name = self.table.referee.color_name(loser)
            self.table.end("time", loser, f"{name} has no time left")
            self.change()

    def _look_for_watchers(self) -> None:
        """Stop thinking when nobody has come back, and later free what it took."""
        forgets = False
        with self.lock:
            if self._closed or self._listeners:
                return
            self.analyzing, self.reviewing = None, False
            self.asked.clear()
            self.settle()
            away = self.now() - self._left
            if away < FORGET:
                self._away.set(FORGET - away)
            elif self.worker.current is not None:
                self._away.set(FORGET)
            else:
                self.ready, forgets = False, True
            self.keep()
        if forgets:
            self.staff.dismiss()

    def _fail(self, job: Job, error: Exception) -> None:
        """Take in that a job failed: say so, and do not try it again by itself."""
        sentence = str(error) if isinstance(error, ValueError) else "Montego had a problem here"
        with self.lock:
            if job.dropped or self._closed:
                return
            kind = job.key[0]
            self.asked = [wish for wish in self.asked if wish != job.key]
            if kind == "analysis":
                self.analyzing = None
            elif kind == "review":
                self.reviewing = False
            elif kind == "proposal":
                self.table.propose(frozenset())
            elif kind == "prepare":
                self.ready = True
            if kind == "move":
                self.table.paused, self.hurried = True, None
                self.notice = f"{sentence[:1].upper()}{sentence[1:]}. The game is paused."
            else:
                self.tell(Failure(message=sentence))
            self.change()
