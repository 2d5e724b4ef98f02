"""One game on the server: what people ask of it, who watches it, and Montego at work on it.

Requests change the game at once; a search that no longer fits is interrupted and not waited for.
Whatever changes is told to all who watch, in order. Start reading at :meth:`Session.handle`, which
has what each request does.

Thinking happens on a thread of the session's own. Nothing is queued for it: whenever something has
changed, :meth:`Session._settle` asks what is wanted most now. What is being done goes on if that is
still wanted; else it is interrupted, and its result is dropped. What the thread does is at the end
of the class: it thinks without the lock, and takes it to look and to write.
"""

from __future__ import annotations

import logging
import threading
import time
from copy import copy
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import asdict, replace

from montego.web.game.go_referee import points_in_words
from montego.web.game.live_game import LiveGame
from montego.web.game.sgf_exchange import write_game
from montego.web.game.tree import ROOT, Reviewed
from montego.web.messages import replies, requests
from montego.web.messages.limits import MOST_ANALYSIS_SIMULATIONS
from montego.web.session import teaching
from montego.web.session.players import check_players, program_name
from montego.web.session.scheduler import Alarm, Gate, SessionJob, Urgency, threading_timer
from montego.web.thinking.thinker import READY, Programs, Question, Thinkers, chance_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from montego.web.game.tree import GameNode, SavedGame
    from montego.web.messages.replies import Findings, MoveReport, Progress, Reply
    from montego.web.messages.requests import Color, GameKind, Request, Strength
    from montego.web.session.scheduler import JobKind, Timer
    from montego.web.thinking.thinker import ChosenMove

    Purpose = Literal["move", "analysis", "hint", "review"]

LOGGER = logging.getLogger(__name__)

GRACE = 3.0
"""Seconds for which a game that nobody watches goes on: a page may be loading again."""

FORGET = 30.0
"""Seconds after which a game that nobody watches frees the memory of its searches."""

LEAST_PACE = 0.5
"""Seconds that a program's move takes at least: an answer that is there at once is overlooked."""

REPORT_EVERY = 0.05
"""Seconds between two reports to pages; see ``GoThinker`` for what is refreshed less often."""

PREPARATION_EVERY = 0.25  # Seconds between two looks at what is being prepared.
ANALYSIS_SECONDS = 600.0  # After which an analysis ends that nobody switches off.
REVIEW_SIMULATIONS = 800  # For each position.
EXPLAIN_SIMULATIONS = 1500  # In the position before a move that is explained,
COMPARE_SIMULATIONS = 800  # and in the one after it.
LEAST_SIMULATIONS = 100  # Of a search of Go whose numbers are told: weak levels make fewer.
OPENING = 4  # Moves that the list of games tells.
CHECK_SIMULATIONS = 600  # In both, for a move that is looked at before it is played.


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
        pace: float = LEAST_PACE,
    ) -> None:
        """Go on with a game as it was kept. Nothing happens until somebody watches.

        *now* and *timer* are the steady clock and how to be woken by it, for tests.

        Raises:
            ValueError: If what was kept makes no sense.
        """
        self.id = saved.id
        self.lock = threading.RLock()
        self.game = LiveGame(saved, (programs or Programs()).own)
        self.on_change: Callable[[], None] = lambda: None
        """Called with the lock held after each change, from any thread: to save the game."""
        self._kept = saved  # Name, strength, clock, names and notice; the game has the rest.
        self._programs = programs or Programs()
        self._now = now
        self._pace = pace
        # What people want besides moves.
        self._asked: list[tuple[JobKind, int]] = []  # Once, and about which node.
        self._analyzing: tuple[int, float] | None = None  # The node, and since when.
        self._reviewing = False
        self._reviewed: int | None = None  # Where the line ends that is judged.
        self._checking: tuple[int, str, float] | None = None  # Node, move, and what it may lose.
        self._hurried: int | None = None  # The node at which a program was told to move at once.
        # Who watches.
        self._listeners: dict[object, Callable[[Reply], None]] = {}  # One may come twice.
        self._left = now() - GRACE  # When the last of them went.
        self._flag = Alarm(timer, self._look_at_the_clock)
        self._away = Alarm(timer, self._look_for_watchers)
        self._closed = False
        # Who thinks.
        self._thinkers = Thinkers(self.game.referee, self._programs)
        self._progress: Progress = READY
        self._ready = False  # Whether Montego could search when it was last asked.
        self._learned = False  # Whether the game is over and was added to the book.
        self._gate = gate or Gate()
        self._wake = threading.Condition(self.lock)
        self._thread: threading.Thread | None = None
        self._job: SessionJob | None = None  # What is being done.

    # What there is

    def state(self) -> replies.GameState:
        """Return the game as pages show it."""
        with self.lock:
            game, agreement, clocks = self.game, self.game.agreement, self.game.clocks
            return replies.GameState(
                **self._facts(),
                komi=agreement.komi,
                rules=agreement.rules,
                handicap=agreement.handicap,
                mode=game.mode,
                strength=self._kept.strength,
                winner=game.winner,
                head=game.head,
                tree=game.tree.shown(),
                position=game.position(game.head),
                clock=self._kept.clock,
                clocks=None if clocks is None else clocks.shown(self._now()),
                running=None if clocks is None else clocks.running,
                thinking=self._thinking,
                analyzing=None if self._analyzing is None else self._analyzing[0],
                paused=game.paused,
                count=game.count,
                can_undo=game.undo_target() is not None,
                can_redo=game.redo_target() is not None,
                names=(self._name_of("black"), self._name_of("white")),
                notice=self._kept.notice,
            )

    def review(self) -> replies.ReviewReply | None:
        """Return what reviews have found so far; None if nothing was judged."""
        with self.lock:
            is_judged = any(node.judged is not None for node in self._review_line())
            return self._review_reply() if is_judged else None

    def summary(self) -> replies.GameSummary:
        """Return the game as the start page lists it."""
        with self.lock:
            game = self.game
            return replies.GameSummary(
                **self._facts(),
                moves=game.tree[game.head].number,
                changed=self._kept.changed,
                cells=game.position(game.head).cells,
                winner=game.winner,
                level=self._kept.strength.level,
                opening=[move for _, move in game.moves(game.head)[:OPENING]],
                archived=self._kept.archived,
            )

    def _facts(self) -> dict[str, Any]:
        """Return what the start page and the page of the game both show."""
        game, agreement = self.game, self.game.agreement
        return {
            "id": self.id,
            "name": self._kept.name,
            "kind": agreement.kind,
            "size": agreement.size,
            "black": game.sides["black"],
            "white": game.sides["white"],
            "phase": game.phase,
            "result": game.result,
        }

    def saved(self) -> SavedGame:
        """Return the game as files keep it: a copy that nothing changes any more."""
        with self.lock:
            game, clocks = self.game, self.game.clocks
            return replace(
                self._kept,
                black=game.sides["black"],
                white=game.sides["white"],
                mode=game.mode,
                clocks=None if clocks is None else clocks.shown(self._now()),
                nodes=[copy(node) for node in game.tree],
                next_id=game.tree.next_id,
                head=game.head,
                outcome=game.outcome,
                dead=sorted(game.dead),
                proposal=None if game.proposal is None else sorted(game.proposal),
                paused=game.paused,
            )

    def archive(self, *, archived: bool) -> None:
        """Put the game away, or take it out again; that is no change of the game itself."""
        with self.lock:
            self._kept.archived = archived

    def pictures(self, node: int | None = None) -> tuple[GameKind, list[replies.Position]]:
        """Return the positions from the beginning to a node, or to the head.

        Raises:
            ValueError: If there is no such node.
        """
        with self.lock:
            game = self.game
            line = game.tree.path(game.tree[game.head if node is None else node].id)
            return game.agreement.kind, [game.position(one.id) for one in line]

    def to_sgf(self) -> str:
        """Return the game with all variations as a record.

        Raises:
            ValueError: If it is not a game of Go.
        """
        with self.lock:
            names = (self._name_of("black"), self._name_of("white"))
            saved = self.saved()
        return write_game(saved, saved.player_names if any(saved.player_names) else names)

    @property
    def unwatched_since(self) -> float | None:
        """When the last who watched it went, by the steady clock; None if somebody watches."""
        return None if self._listeners else self._left

    @property
    def _is_watched(self) -> bool:
        """Whether somebody watches, or did a moment ago."""
        return bool(self._listeners) or self._now() - self._left < GRACE

    @property
    def _is_under_way(self) -> bool:
        """Whether people play to win, so that only the position of the game is thought about."""
        return self.game.mode == "game" and self.game.phase == "playing"

    @property
    def _thinking(self) -> Color | None:
        """The color for which a program is to move, and does so."""
        is_moving = self._job is not None and self._job.kind == "move"
        if self.game.paused or not (self._is_watched or is_moving):
            return None
        return self.game.turn_of_program

    def _name_of(self, color: Color) -> str:
        """Return who plays a color: ``"You"``, ``"Montego (12k)"``, or the name in the record."""
        game, side = self.game, self.game.sides[color]
        if side != "human":
            kind, size = game.agreement.kind, game.agreement.size
            return program_name(side, self._kept.strength, kind, self._programs, size) or "Engine"
        given = self._kept.player_names[0 if color == "black" else 1]
        if game.mode == "game" and len(game.people) == 1 and not given:
            return "You"
        return given or game.referee.names[color]

    # Who watches

    def watch(self, listener: Callable[[Reply], None]) -> Callable[[], None]:
        """Tell *listener* everything from now on, in order; return how to end that.

        It is called from any thread, with the lock held: it must return at once and must not call
        the session.
        """
        key = object()
        with self.lock:
            self._listeners[key] = listener
            self._away.cancel()
            if self._progress != READY:
                listener(self._progress)
            self._settle()

        def leave() -> None:
            with self.lock:
                was_there = self._listeners.pop(key, None) is not None
                if was_there and not self._listeners and not self._closed:
                    self._left = self._now()
                    self._settle()
                    self._away.set(GRACE)

        return leave

    def tell(self, reply: Reply) -> None:
        """Tell all who watch."""
        with self.lock:
            for listener in list(self._listeners.values()):
                listener(reply)

    def close(self) -> None:
        """Stop everything. What is under way ends soon; the game can be saved as it is."""
        with self.lock:
            self._closed = True
            self._flag.cancel()
            self._away.cancel()
            if self._job is not None:
                self._gate.drop(self._job)
            self._wake.notify_all()
        self._thinkers.close()

    def join(self, seconds: float) -> None:
        """Wait for the thread of a closed session to end. The lock is not held."""
        if self._thread is not None:
            self._thread.join(seconds)

    # What people ask

    def handle(self, request: Request) -> Reply | None:
        """Do what a page asks; return what only that page wants to know.

        Raises:
            ValueError: If it cannot be done; the message is a sentence, and nothing has changed.
        """
        with self.lock:
            if self._closed:
                raise ValueError("this game was closed: open it again")
            game = self.game
            match request:
                # Questions, which change nothing that is kept.
                case requests.Show(node=number):
                    return game.position(number)
                case requests.Explain(node=number):
                    node = game.tree[number]
                    if node.move is None:
                        here = "here" if node.parent is not None else "before the first"
                        raise ValueError(f"there is no move {here}")
                    if node.lines:
                        return self._explanation(node)
                    self._ask("explain", number)
                    return None
                case requests.Analyze(node=number, on=on):
                    self._note_help()
                    self._switch_analysis(game.tree[number].id, on=on)
                    return None
                case requests.Hint(node=number):
                    self._ask("hint", self._place_of_hint(number))
                    self._note_help()
                    return None
                case requests.Estimate(node=number):
                    if game.agreement.kind != "go":
                        raise ValueError("only Go has a score that can be estimated")
                    self._ask("estimate", game.tree[number].id)
                    return None
                case requests.Review(on=on, node=number):
                    self._reviewed = None if number is None else game.tree[number].id
                    self._reviewing = on and bool(game.unreviewed(self._review_line()))
                    self._settle()
                    self.tell(self._review_reply())
                    return None
                # Moves, and going back and forth.
                case requests.Play(node=number, move=move):
                    color = game.turn_of_program
                    if color is not None and number == game.head:
                        raise ValueError(f"it is {self._name_of(color)}'s turn")
                    if request.check is not None and self._can_check(number, move):
                        self._checking = (number, move, request.check)
                        self._settle()
                        return None
                    game.play(number, move, self._now())
                    self._go_on()
                case requests.Undo():
                    self._note_help()
                    game.undo()
                    self._go_on(hold_programs=True)
                case requests.Redo():
                    game.redo()
                    self._go_on(hold_programs=True)
                case requests.SetHead(node=number):
                    self._note_help()
                    game.set_head(number)
                    self._go_on(hold_programs=True)
                case requests.DeleteNode(node=number):
                    game.delete(number)
                    if self._analyzing is not None and self._analyzing[0] not in game.tree:
                        self._analyzing = None
                    game.paused = game.paused or not game.people
                case requests.Resign():
                    game.resign()
                case requests.MoveNow():
                    self._move_now()
                case requests.Pause(paused=paused):
                    game.paused = paused
                    self._kept.notice = ""
                # The count.
                case requests.MarkDead(vertex=vertex):
                    game.mark(vertex)
                case requests.ProposeDead():
                    game.require_counting()
                    if game.proposal is not None:
                        game.propose(game.proposal)
                case requests.AcceptCount():
                    game.accept_count()
                # Settings and notes.
                case requests.Configure():
                    if request.name is None:  # Others may play from here, or at other strengths.
                        self._note_help()
                    self._configure(request)
                    self._go_on()
                case requests.SetComment(node=number, text=text):
                    game.tree[number].comment = text
                case requests.DrawMark(node=number, vertex=vertex, tool=tool):
                    game.draw(number, vertex, tool)
                case requests.ClearMarks(node=number):
                    game.tree[number].marks = {}
                case requests.PromoteNode(node=number):
                    game.tree.follow(number)
                case _:
                    raise ValueError("this is nothing to ask of a game")
            self._change()
            return None

    def _go_on(self, *, hold_programs: bool = False) -> None:
        """Take in that a person has acted: what was wrong or urgent before is history.

        Programs that play one another can be held, when somebody looks at other moves.
        """
        self._kept.notice, self._hurried, self._checking = "", None, None
        self.game.paused = hold_programs and not self.game.people

    def _note_help(self) -> None:
        """Take in that the person is helped in a game that is not over, or somebody else comes."""
        if self._is_under_way:
            self._kept.helped = True

    def _place_of_hint(self, number: int | None) -> int:
        """Return the node that a hint is for; raises ValueError if there can be none."""
        game = self.game
        node = game.head if number is None else game.tree[number].id
        if node == game.head and game.phase == "counting":
            raise ValueError("the game is counted")
        if game.is_over(node):
            raise ValueError("the game is over here")
        if self._is_under_way:
            if node != game.head:
                raise ValueError("hints are for the position of the game; in analysis for any")
            if game.turn_of_program is not None:
                raise ValueError(f"it is {self._name_of(game.to_play)}'s turn")
        return node

    def _can_check(self, number: int, text: str) -> bool:
        """Say whether a move can be looked at before it is played; raises ValueError if illegal."""
        game = self.game
        if game.mode != "game" or game.phase != "playing" or game.clocks is not None:
            return False
        state = game.state(number)
        color = game.referee.to_play(state)
        game.referee.play(state, color, game.referee.move_name(state, text))
        return number == game.head

    def _move_now(self) -> None:
        game = self.game
        if game.paused and game.turn_of_program is not None:
            game.paused = False
            return
        if self._thinking is None:
            raise ValueError("nobody is thinking about a move")
        self._hurried = game.head
        if self._job is not None and self._job.kind == "move":
            self._job.interrupt.set()

    def _configure(self, request: requests.Configure) -> None:
        game = self.game
        black = request.black or game.sides["black"]
        white = request.white or game.sides["white"]
        strength = request.strength or self._kept.strength
        check_players((black, white), strength, game.agreement.kind, self._programs)
        self._kept.strength = strength
        game.sides = {"black": black, "white": white}
        game.mode = request.mode or game.mode
        if request.name is not None and request.name.strip():
            self._kept.name = request.name.strip()

    def _switch_analysis(self, node: int, *, on: bool) -> None:
        if not on:
            self._analyzing = None
        elif self.game.is_over(node):
            raise ValueError("the game is over here: there is nothing to search")
        elif self._analyzing is None or self._analyzing[0] != node:
            self._analyzing = (node, self._now())
        self._settle()
        self.tell(self.state())

    def _explanation(self, node: GameNode) -> replies.Explanation:
        """Return what is known about why a move was played, and what the graph says of it.

        A program's own account stands on its own search; if another one has judged the move since,
        that is told as well, so that both can be understood.
        """
        own = next((one for one in node.alternatives if one.move == node.move), None)
        lines = list(node.lines)
        if (
            node.value is not None
            and node.color is not None
            and own is not None
            and (node.value, node.simulations) != (own.value, own.visits)
        ):
            name = self.game.referee.names[node.color]
            found = Reviewed(value=node.value, simulations=node.simulations)
            lines.append(teaching.judged_since(node.color, name, found))
        return replies.Explanation(
            game=self.id,
            node=node.id,
            move=node.move or "",
            lines=lines,
            alternatives=node.alternatives,
            plain=node.plain,
        )

    def _ask(self, kind: JobKind, node: int) -> None:
        if (kind, node) not in self._asked:
            self._asked.append((kind, node))
        self._settle()

    # What comes of it; the lock is held

    def _change(self) -> None:
        """Take in that the game has changed: have it saved, go on with it, and tell pages.

        In this order. What the server has told is not lost, however it ends; and nobody's clock
        runs while the disk is slow.
        """
        self._kept.changed = time.time()
        try:
            self.on_change()
        finally:  # A bug there must not hide the change.
            self._settle()
            self.tell(self.state())

    def _settle(self) -> None:
        """Have the right clock run and the right thing thought about."""
        game, clocks, now = self.game, self.game.clocks, self._now()
        if clocks is not None:
            plays = game.mode == "game" and game.phase == "playing" and not game.paused
            clocks.run(game.to_play if plays and self._listeners else None, now)
            self._flag.set(clocks.left(now))
        job, wanted = self._job, self._wanted()
        if job is not None and (wanted is None or wanted.key != job.key):
            self._gate.drop(job)
        if wanted is not None and self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._think, name="thinking", daemon=True)
            self._thread.start()
        self._wake.notify_all()

    def _review_line(self) -> list[GameNode]:
        """Return the line that is judged: the one that was asked for, or the one of the game."""
        tree, end = self.game.tree, self._reviewed
        return tree.path(end) if end is not None and end in tree else tree.line(self.game.head)

    def _review_reply(self) -> replies.ReviewReply:
        """Return how far the review is and what it found."""
        game, line = self.game, self._review_line()
        people = [color for color, side in game.sides.items() if side == "human"]
        lessons = []
        if game.phase == "over" and len(people) == 1:
            lessons = teaching.lessons_in(line, people[0], game.state)
        return replies.ReviewReply(
            game=self.id,
            node=line[-1].id,
            part=round(1.0 - len(game.unreviewed(line)) / len(line), 4),
            running=self._reviewing,
            mistakes=teaching.mistakes_in(line),
            lessons=lessons,
        )

    # When an alarm rings

    def _look_at_the_clock(self) -> None:
        """End the game if the running clock has no time left."""
        with self.lock:
            clocks = self.game.clocks
            if self._closed or clocks is None or clocks.running is None:
                return
            if clocks.left(self._now()) > 0:
                self._settle()
                return
            loser = clocks.running
            name = self.game.referee.names[loser]
            self.game.lose("time", loser, f"{name} has no time left")
            self._change()

    def _look_for_watchers(self) -> None:
        """Stop thinking when nobody has come back, and later free what it took."""
        with self.lock:
            if self._closed or self._listeners:
                return
            self._analyzing, self._reviewing, self._checking = None, False, None
            self._asked.clear()
            self._settle()
            away = self._now() - self._left
            forgets = away >= FORGET and self._job is None
            if forgets:
                self._ready = False
            else:
                self._away.set(FORGET - away if away < FORGET else FORGET)
            self.on_change()
        if forgets:
            self._thinkers.dismiss()

    # What is wanted, and the thread that does it

    def _wanted(self) -> SessionJob | None:
        """Return what should be done now; the lock is held.

        A program's move comes first, then what people asked, then what has no end. Of a game that
        nobody watches, only a move under way is wanted.
        """
        game = self.game
        self._learned = self._learned and game.phase == "over"
        color = self._thinking
        if color is not None:
            urgency = Urgency.PERSON if game.people else Urgency.GAME
            side = game.sides[color]
            job = SessionJob("move", self._make_move, game.head, urgency, side, self._kept.strength)
            if self._hurried == game.head:
                job.interrupt.set()
            return job
        if not self._is_watched:
            return None
        if game.phase == "over" and not self._learned:
            return SessionJob("learn", self._learn)
        if game.phase == "counting" and game.proposal is None:
            return SessionJob("proposal", self._estimate, game.head, Urgency.PERSON)
        # What was asked about a position that is gone is not answered any more.
        self._asked = [
            (kind, node)
            for kind, node in self._asked
            if node in game.tree and (kind != "hint" or node == game.head or not self._is_under_way)
        ]
        if self._checking is not None:
            node, move, most = self._checking
            details = (move, most)
            return SessionJob("check", self._check, node, Urgency.PERSON, details=details)
        for kind, node in self._asked:
            runs = {"hint": self._give_hint, "estimate": self._estimate, "explain": self._explain}
            return SessionJob(kind, runs[kind], node, Urgency.PERSON)
        if self._reviewing and (missing := game.unreviewed(self._review_line())):
            return SessionJob("review", self._review, missing[0].id, Urgency.ANALYSIS)
        if self._analyzing is not None:
            node, began = self._analyzing
            return SessionJob("analysis", self._analyze, node, Urgency.ANALYSIS, details=began)
        return None if self._ready else SessionJob("prepare")

    def _think(self) -> None:
        """Do one job after another, until the session is closed. The thread of the session."""
        while (job := self._next_job()) is not None:
            try:
                if self._is_prepared(job):
                    with self._gate.place(job) as is_admitted:
                        if is_admitted:
                            job.run(job)
            except Exception as error:  # Whatever it is, the game goes on.
                if isinstance(error, OSError):  # The machine's trouble, and nobody's bug.
                    LOGGER.error("thinking failed: %s", error)  # noqa: TRY400
                elif not isinstance(error, ValueError):
                    LOGGER.exception("thinking failed")
                self._fail(job, error)
            finally:
                with self.lock:
                    self._job = None

    def _next_job(self) -> SessionJob | None:
        """Wait for something to do; None when there will be nothing any more."""
        with self._wake:
            while not self._closed:
                self._job = self._wanted()
                if self._job is not None:
                    return self._job
                self._wake.wait()
            return None

    def _is_prepared(self, job: SessionJob) -> bool:
        """Wait until a job's thinker can search, and tell pages what is being done until then.

        False if the job was ended meanwhile. A move that is hurried is made all the same; with a
        clock running the player itself decides how long to wait for the compiler; and in small
        games it plays well enough without.
        """
        if job.kind == "learn" or job.side == "engine":
            return True
        is_move = job.kind == "move"
        strength: Strength | None = job.details if is_move else None
        waits = not is_move or (self.game.clocks is None and self.game.agreement.kind == "go")
        while True:
            progress = self._thinkers.get(job.side).preparation(strength)
            with self.lock:
                self._ready = progress == READY
                if progress != self._progress:
                    self._progress = progress
                    self.tell(progress)
            if progress == READY or not waits:
                return not job.dropped
            if job.interrupt.wait(PREPARATION_EVERY):
                return is_move and not job.dropped

    def _make_move(self, job: SessionJob) -> None:
        """Have a program move at the head."""
        game, begun = self.game, self._now()
        question = self._question(job, purpose="move", strength=job.details)
        if job.dropped:
            return  # An engine that was asked in vain would have to be ended.
        answer = self._thinkers.get(job.side).choose(question)
        if game.clocks is None:  # There it would cost time.
            job.interrupt.wait(max(self._pace - (self._now() - begun), 0.0))
        with self.lock:
            if not self._is_wanted(job):
                return
            self._hurried = None
            self._kept.notice = answer.notice or self._kept.notice
            found = answer.findings
            if found is not None:
                self._report(job.node, found, "move", final=True)
            tells = found is not None and self._tells(found) and not self._plays_apart
            if answer.move == "resign":
                name = self._name_of(question.color)
                game.lose("resignation", question.color, f"{name} resigned")
                self._change()
                return
            reasons = self._thinkers.get(job.side).reasons(question, answer.move)
            node = game.play(job.node, answer.move, self._now())
            if answer.lines and not node.lines:
                node.lines = answer.lines
                node.alternatives = [] if found is None else found.alternatives(answer.move)
                node.plain = _plainly(game.referee.names[question.color], answer, reasons)
            move = None if found is None else found.find(answer.move)
            if move is not None and tells:
                game.tree.evaluate(node.id, move.value, move.score, move.visits)
            self._change()
            if node.move == "pass" and node.lines:
                self.tell(self._explanation(node))

    def _give_hint(self, job: SessionJob) -> None:
        """Say what Montego would play at a node, and why."""
        question, thinker = self._question(job, purpose="hint"), self._thinkers.get(job.side)
        answer = thinker.choose(question)
        move, found = answer.move, answer.findings
        if move == "resign" and found is not None and found.moves:
            move = found.moves[0].move
        reasons = thinker.reasons(question, move)
        with self.lock:
            if not self._is_wanted(job):
                return
            if found is not None:
                self._report(job.node, found, "hint", final=True)
            name = self.game.referee.names[question.color]
            known = None
            if found is not None and self._tells(found):
                known = found.find(move)
            text = _hint_in_words(question.color, name, move, answer, known, reasons)
            variation = [] if known is None else known.variation
            self._change()
            self.tell(
                replies.HintReply(
                    game=self.id, node=job.node, move=move, text=text, variation=variation
                )
            )

    def _check(self, job: SessionJob) -> None:
        """Look at a move before it is played: warn of it, or play it."""
        move, most = job.details
        thinker = self._thinkers.get(job.side)
        with self.lock:
            known = self.game.tree[job.node].judged
        question = self._question(job, simulations=CHECK_SIMULATIONS)
        before = known or teaching.reviewed(thinker.analyze(question))
        name = self.game.referee.move_name(question.state, move)
        loss, after = teaching.Loss(0.0, None), before
        if name != before.best and not job.interrupt.is_set():
            further = self._question(job, after=name, simulations=CHECK_SIMULATIONS)
            after = teaching.reviewed(thinker.analyze(further))
            loss = teaching.loss_of(question.color, before, after)
        with self.lock:
            if job.dropped or self._checking is None:
                return
            self._checking = None
            if loss.chance < most:
                self.game.play(job.node, move, self._now())
                self._go_on()
                self._change()
                return
            player = self.game.referee.names[question.color]
            self.tell(
                replies.MoveWarning(
                    game=self.id,
                    node=job.node,
                    move=name,
                    loss=round(loss.chance, 4),
                    points=None if loss.points is None else round(max(loss.points, 0.0), 1),
                    better=before.best,
                    refutation=list(after.variation),
                    text=teaching.in_one_sentence(
                        question.color, player, name, before, after, question.state
                    ),
                )
            )
            self._settle()

    def _estimate(self, job: SessionJob) -> None:
        """Say how the score stands at a node, or mark the stones that Montego takes for dead."""
        found = self._thinkers.get(job.side).estimate(self._question(job))
        with self.lock:
            if not self._is_wanted(job):
                return
            if job.kind == "proposal":
                self.game.propose(frozenset(found.dead))
                if not self.game.people:
                    self.game.accept_count()  # Nobody plays who could object.
                self._change()
                return
            facts = asdict(found) | {"score": round(found.score, 1)}
            text = _score_in_words(found.score)
            self.tell(replies.EstimateReply(game=self.id, node=job.node, text=text, **facts))

    def _explain(self, job: SessionJob) -> None:
        """Say why a move was played, from a short search of the position before it."""
        game, tree, thinker = self.game, self.game.tree, self._thinkers.get(job.side)
        with self.lock:
            node, is_over = tree[job.node], game.is_over(job.node)
        move, parent = node.move or "", node.parent or ROOT
        question = self._question(job, parent, simulations=EXPLAIN_SIMULATIONS)
        findings = thinker.analyze(question)
        lines = thinker.explain(question, move, findings)
        plain = lines[0] if lines else ""
        alternatives, reply = findings.alternatives(move), None
        if not is_over:
            reply = thinker.analyze(self._question(job, simulations=COMPARE_SIMULATIONS))
        with self.lock:
            if not self._is_wanted(job):
                return
            before = self._judge(tree[parent], findings)
            if reply is not None:
                after = self._judge(node, reply)
                facts = question.color, game.referee.names[question.color], move
                lines[1:1] = teaching.verdict(*facts, before, after, question.state)
                plain = teaching.in_one_sentence(*facts, before, after, question.state)
                alternatives = [_looked_at_again(one, move, after) for one in alternatives]
            node.lines, node.alternatives, node.plain = lines, alternatives, plain
            self._change()
            if node.judged is not None:
                self.tell(self._review_reply())
            self.tell(self._explanation(node))

    def _judge(self, node: GameNode, findings: Findings) -> Reviewed:
        """Take in what a search found at a node, and return what is known there now.

        The longest search counts: for the graph, for what a review has said, and for words.
        """
        self.game.tree.evaluate(node.id, findings.value, findings.score, findings.known)
        found = teaching.reviewed(findings)
        if node.value is not None and node.simulations > found.simulations:
            found = replace(found, value=node.value, score=node.score, simulations=node.simulations)
        if node.judged is not None and node.judged.simulations <= found.simulations:
            node.judged = found
        return found

    def _review(self, job: SessionJob) -> None:
        """Judge the position at a node for the review."""
        question = self._question(job, purpose="review", simulations=REVIEW_SIMULATIONS)
        findings = self._thinkers.get(job.side).analyze(question)
        with self.lock:
            if job.interrupt.is_set() or not self._is_wanted(job):
                return
            tree = self.game.tree
            tree[job.node].judged = teaching.reviewed(findings)
            tree.evaluate(job.node, findings.value, findings.score, findings.known)
            self._reviewing = bool(self.game.unreviewed(self._review_line()))
            self.tell(self._review_reply())
            if self._reviewing:
                self.on_change()
            else:
                self._change()

    def _analyze(self, job: SessionJob) -> None:
        """Search a node until it is switched off."""
        question = self._question(
            job,
            purpose="analysis",
            simulations=MOST_ANALYSIS_SIMULATIONS,
            seconds=max(job.details + ANALYSIS_SECONDS - self._now(), 0.1),
        )
        found = self._thinkers.get(job.side).analyze(question)
        with self.lock:
            if self._tells(found):
                self.game.tree.evaluate(job.node, found.value, found.score, found.known)
            if not self._is_wanted(job):
                return
            is_over = not job.interrupt.is_set()
            self._report(job.node, found, "analysis", final=is_over)
            if is_over:
                self._analyzing = None
                self._change()

    def _learn(self, _job: SessionJob) -> None:
        """Keep what was learned in a game that is over, and say so if that is not possible."""
        with self.lock:
            self._learned = True  # Whatever comes of it, once is enough.
        trouble = self._thinkers.learn()
        if trouble:
            with self.lock:
                self._kept.notice = trouble
                self._change()

    def _question(
        self,
        job: SessionJob,
        node: int | None = None,
        purpose: Purpose | None = None,
        *,
        after: str | None = None,
        **how: Any,
    ) -> Question:
        """Return the question about a node, the job's unless another is given.

        With *after* it is about the position after that move, which nobody has played. With a
        *purpose* pages are told what is found. *how* are further fields of the question.
        """
        number = job.node if node is None else node

        def report(findings: Findings) -> None:
            with self.lock:
                if not job.dropped and purpose is not None:
                    self._report(number, findings, purpose, final=False)

        with self.lock:
            game, clocks = self.game, self.game.clocks
            state, moves = game.state(number), game.moves(number)
            if after is not None:
                color = game.referee.to_play(state)
                state, moves = game.referee.play(state, color, after), (*moves, (color, after))
            return Question(
                state=state,
                moves=moves,
                color=game.referee.to_play(state),
                clock=self._kept.clock,
                clocks=clocks.shown(self._now()) if clocks and purpose == "move" else None,
                interrupt=job.interrupt,
                report=None if purpose is None else report,
                every=REPORT_EVERY,
                **how,
            )

    def _is_wanted(self, job: SessionJob) -> bool:
        """Say whether somebody still wants a job's result; it is then asked for no more."""
        if not job.dropped and (job.kind, job.node) in self._asked:
            self._asked.remove((job.kind, job.node))
        return not job.dropped

    def _tells(self, found: Findings) -> bool:
        """Say whether a search was long enough for its numbers to be told."""
        return self.game.agreement.kind != "go" or found.known >= LEAST_SIMULATIONS

    @property
    def _plays_apart(self) -> bool:
        """Whether Montego moves by a search that is weaker than the one by which games are judged.

        A level, a style or a program of the documents has no network where Montego itself has one.
        What it believes of the game is not what Montego says of it.
        """
        strength, agreement = self._kept.strength, self.game.agreement
        if strength.level is strength.preset is strength.style is None:
            return False
        return self._programs.network(agreement.kind, agreement.size) is True

    def _report(self, node: int, found: Findings, purpose: Purpose, *, final: bool) -> None:
        """Tell what a search found about a position, and keep what it found in the end."""
        apart = purpose == "move" and self._plays_apart
        if final and not apart and self._tells(found):
            self.game.tree.evaluate(node, found.value, found.score, found.known)
        facts: dict[str, Any] = {
            name: getattr(found, name) for name in replies.Findings.__struct_fields__
        }
        self.tell(
            replies.AnalysisReport(
                game=self.id, node=node, purpose=purpose, final=final, apart=apart, **facts
            )
        )

    def _fail(self, job: SessionJob, error: Exception) -> None:
        """Take in that a job failed: say so, and do not try it again by itself."""
        sentence = str(error) if isinstance(error, ValueError) else "Montego had a problem here"
        with self.lock:
            if self._closed or not self._is_wanted(job):
                return
            match job.kind:
                case "move":
                    self.game.paused, self._hurried = True, None
                    self._kept.notice = f"{replies.as_sentence(sentence)} The game is paused."
                case "analysis":
                    self._analyzing = None
                case "review":
                    self._reviewing = False
                case "check":
                    self._checking = None
                case "proposal":
                    self.game.propose(frozenset())
                case "prepare":
                    self._ready = True
            if job.kind != "move":
                self.tell(replies.Failure(message=sentence))
            self._change()


# What searches found, in words and messages


def _looked_at_again(found: MoveReport, move: str, after: Reviewed) -> MoveReport:
    """Return a move as the table shows it: the one played with what was found after it."""
    if found.move != move:
        return found
    return replace(found, value=after.value, score=after.score, visits=after.simulations)


def _hint_in_words(  # What the sentences are made of.
    color: Color,
    name: str,
    move: str,
    answer: ChosenMove,
    found: MoveReport | None,
    reasons: list[str],
) -> str:
    """Return ``"I would play D4: it captures stones. That gives Black 60% to win."`` and so on."""
    act = "pass" if move == "pass" else f"play {move}"
    text = f"I would resign; but if not, {act}" if answer.move == "resign" else f"I would {act}"
    if reasons:
        text += f": {reasons[0]}"
    if found is None or not found.visits:
        return f"{text}."
    chance = f"{name} {chance_for(color, found.value):.0%} to win"
    text += f". That gives {chance}." if reasons else f", which gives {chance}."
    follow = " ".join(found.variation[1:5])
    return f"{text} I expect {follow}." if follow else text


def _plainly(name: str, answer: ChosenMove, reasons: list[str]) -> str:
    """Return why a program moved, in one sentence without words of the search."""
    act = "passes" if answer.move == "pass" else f"plays {answer.move}"
    if answer.move == "pass" and answer.lines:
        return answer.lines[0]
    return f"{name} {act}: {reasons[0]}." if reasons else f"{name} {act}."


def _score_in_words(score: float) -> str:
    """Return ``"Black is ahead by about 4.5 points"``."""
    points = round(abs(score) * 2) / 2
    if points == 0:
        return "The game is about even"
    return f"{'Black' if score > 0 else 'White'} is ahead by about {points_in_words(points)}"
