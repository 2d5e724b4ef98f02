"""Many games, several at a time: threads that take fixtures, start engines and play.

A worker keeps its engines from game to game, starts them anew when they failed, and ends those the
next fixture does not need. The games themselves are :func:`montego.arena.contest.play_game`'s.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from montego.arena.contest import Assignment, Conditions, PlayedGame, play_game
from montego.arena.opening import Opening, digest_of
from montego.arena.store import OPENINGS_DIGEST
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import check_seconds
from montego.gtp.client import Engine, EngineError, split_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from montego.arena.record import GameRecord

SEED = "{seed}"
START_ATTEMPTS, START_PAUSE = 3, 1.0  # For engines that could be started before.


@dataclass(frozen=True)
class EngineSpec:
    """An engine by name, and how to start it.

    ``{seed}`` in the command is replaced by the game's own seed; such an engine is started anew for
    every game.
    """

    name: str
    command: str
    timeout: float = 60.0
    start_timeout: float = 300.0

    def __post_init__(self) -> None:
        check_seconds("timeout", self.timeout)
        check_seconds("start_timeout", self.start_timeout)

    def start(
        self, seed: int | None = None, *, register: Callable[[Engine], None] | None = None
    ) -> Engine:
        """Start the engine and let it introduce itself; *register* has it before it says anything.

        Raises:
            EngineError: If it cannot be started, or fails at once.
        """
        words = [
            word.replace(SEED, str(0 if seed is None else seed))
            for word in split_command(self.command)
        ]
        engine = Engine(
            words, name=self.name, timeout=self.timeout, start_timeout=self.start_timeout
        )
        try:
            if register is not None:
                register(engine)
            engine.introduce()
        except BaseException as error:
            if not isinstance(error, EngineError):
                engine.abandon()  # Ctrl-C does not reach it: it has a session of its own.
            engine.close()
            raise
        return engine


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    black: EngineSpec
    white: EngineSpec
    assignment: Assignment


@dataclass(frozen=True, kw_only=True)
class Series:
    """How the games of a match, a tournament or a tuning are played."""

    conditions: Conditions = field(default_factory=Conditions)
    openings: tuple[Opening, ...] = ()
    seed: int | None = None
    referee: EngineSpec | None = None
    concurrency: int = 1
    """Games at a time."""

    def identity(self) -> dict[str, Any]:
        """Return what must not change when more games are played later, as JSON can hold it."""
        conditions = self.conditions
        return {
            "size": conditions.size,
            "komi": conditions.komi,
            "rules": conditions.rules,
            "clock": str(conditions.control) if conditions.control else "none",
            "openings": [opening.name for opening in self.openings],
            **({OPENINGS_DIGEST: self._openings_digest()} if self.openings else {}),
            "seed": self.seed,
            **({"move_limit": conditions.move_limit} if conditions.move_limit else {}),
        }

    def _openings_digest(self) -> str:
        return digest_of([opening.digest for opening in self.openings])

    def game(
        self,
        number: int,
        black: EngineSpec,
        white: EngineSpec,
        opening: Opening | None = None,
        **extra: Any,
    ) -> Fixture:
        """Return a game of the series; games 2k and 2k + 1 share an opening where there are some.

        Its seed is always the same, and never another game's. *extra* goes into its record.
        """
        openings = self.openings or (Opening(),)
        opening = opening or openings[number // 2 % len(openings)]
        seed = game_seed(self.seed, number)
        assignment = Assignment(number=number, opening=opening, seed=seed, extra=extra)
        return Fixture(black, white, assignment)


def game_seed(seed: int | None, number: int) -> int | None:
    """Return the seed of one game of a match with *seed*: always the same, never a neighbor's."""
    return None if seed is None else random.Random(f"{seed}/{number}").getrandbits(31)


def play_fixtures(
    fixtures: Iterable[Fixture],
    series: Series,
    keep: Callable[[PlayedGame], bool],
    *,
    before: Iterable[GameRecord] = (),
) -> None:
    """Play fixtures of a series, some at a time; call *keep* here with each game as it ends.

    No new game begins once *keep* returned False; those that run are finished and kept. Fixtures
    are taken from the iterable one by one, under a lock. Ctrl-C ends all engines, and what they
    were playing is not kept. An engine must be the one that played under its name *before*, and
    must not change in between.

    Raises:
        EngineError: If an engine cannot be started at all.
        GoError: If an engine is another version than before.
    """
    hall = _Hall(iter(fixtures), series, before)
    count = max(1, series.concurrency)
    workers = [threading.Thread(target=hall.work, daemon=True) for _ in range(count)]
    for worker in workers:
        worker.start()
    failure: BaseException | None = None
    try:
        while count:
            try:
                brought = hall.results.get(timeout=0.5)  # Forever, Windows would hear no Ctrl-C.
            except queue.Empty:
                continue
            if isinstance(brought, PlayedGame):
                if keep(brought):
                    continue
            else:  # A worker failed, or there are no fixtures left.
                count -= 1
                failure = failure or brought
            hall.is_closing.set()
    except BaseException:
        hall.abort()
        raise
    finally:
        for worker in workers:
            worker.join()
    if failure is not None:
        raise failure


@dataclass(frozen=True)
class _Version:
    """Which version of an engine played: what it says of itself, and Montego's sources."""

    title: str
    sources: str | None

    def change_to(self, now: _Version) -> str:
        """Return in words what has changed; empty if nothing has, as far as that was recorded."""
        if self.title and self.title != now.title:
            return f"it was {self.title!r} and is {now.title!r}"
        if self.sources is not None and self.sources != now.sources:
            return (
                f"its sources were {self.sources or 'unknown'} and are {now.sources or 'unknown'}"
            )
        return ""


class _Hall:
    """What the workers share."""

    def __init__(
        self, fixtures: Iterator[Fixture], series: Series, before: Iterable[GameRecord]
    ) -> None:
        self.results: queue.SimpleQueue[PlayedGame | BaseException | None] = queue.SimpleQueue()
        self.is_closing = threading.Event()
        self._fixtures = fixtures
        self._series = series
        self._lock = threading.Lock()
        self._engines: set[Engine] = set()
        self._proven: set[str] = set()  # Names of engines that have been started.
        self._is_aborted = False
        self._known: dict[str, _Version] = {
            player.name: _Version(player.version, player.sources)
            for record in before
            for player in (record.black, record.white)
        }

    def abort(self) -> None:
        """End all engines at once, whatever they do."""
        self.is_closing.set()
        with self._lock:
            self._is_aborted = True
            for engine in self._engines:
                engine.abandon()

    def work(self) -> None:
        """Play fixtures until there are none left. Runs in a thread of its own."""
        seats: dict[str, Engine] = {}
        failure: BaseException | None = None
        try:
            while (fixture := self._next()) is not None:
                self._play(fixture, seats)
        except BaseException as error:  # noqa: BLE001  # Whatever it is, the main thread hears.
            failure = error
        finally:
            for engine in seats.values():
                self._end(engine)
            self.results.put(failure)

    def _next(self) -> Fixture | None:
        with self._lock:
            return None if self.is_closing.is_set() else next(self._fixtures, None)

    def _play(self, fixture: Fixture, seats: dict[str, Engine]) -> None:
        seed = fixture.assignment.seed
        first, second = f"player {fixture.black.name}", f"player {fixture.white.name}"
        if first == second:
            second += " again"  # An engine against itself is two processes.
        for key in [key for key in seats if key not in (first, second, "referee")]:
            self._end(seats.pop(key))
        black = self._seat(seats, first, fixture.black, seed)
        white = self._seat(seats, second, fixture.white, seed)
        third = self._series.referee
        referee = None if third is None else self._seat(seats, "referee", third, seed)
        played = play_game(
            black, white, self._series.conditions, fixture.assignment, referee=referee
        )
        if not self._is_aborted:
            self.results.put(played)

    def _seat(
        self, seats: dict[str, Engine], key: str, spec: EngineSpec, seed: int | None
    ) -> Engine:
        """Return a running engine, the one of the last game if it is still good."""
        engine = seats.pop(key, None)
        if engine is not None and engine.is_usable and SEED not in spec.command:
            seats[key] = engine
            return engine
        if engine is not None:
            self._end(engine)
        for attempt in range(1, START_ATTEMPTS + 1):
            try:
                seats[key] = spec.start(seed, register=self._register)
                self._proven.add(spec.name)
                if key != "referee":
                    self._recognize(seats[key])
                return seats[key]
            except EngineError:
                # An engine that has run before may have stumbled; one that has not never will.
                if spec.name not in self._proven or attempt == START_ATTEMPTS or self._is_aborted:
                    raise
                time.sleep(START_PAUSE)
        raise AssertionError(spec)

    def _recognize(self, engine: Engine) -> None:
        """See that an engine is the one that played under its name before.

        Raises:
            GoError: If it has changed.
        """
        now = _Version(engine.title, engine.sources)
        with self._lock:
            before = self._known.setdefault(engine.name, now)
            if before.sources is None:
                self._known[engine.name] = now
        if change := before.change_to(now):
            raise GoError(
                f"{engine.name} has changed since the games that are kept: {change}; choose "
                "another folder, or say --anew to begin anew"
            )

    def _register(self, engine: Engine) -> None:
        """Put an engine where :meth:`abort` finds it."""
        with self._lock:
            self._engines.add(engine)
            if self._is_aborted:
                engine.abandon()

    def _end(self, engine: Engine) -> None:
        engine.close()
        with self._lock:
            self._engines.discard(engine)
