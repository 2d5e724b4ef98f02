"""Many games, several at a time: threads that take fixtures to tables, where engines play.

A table keeps its engines from game to game, starts them anew when they failed, and ends those the
next fixture does not need. The games themselves are :func:`montego.arena.contest.play_game`'s.
Tables are here, or at a *venue* that a series was handed: on other machines, say.
"""

from __future__ import annotations

import queue
import random
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from montego.arena.contest import Assignment, Conditions, PlayedGame, play_game
from montego.arena.opening import Opening, digest_of
from montego.arena.store import OPENINGS_DIGEST
from montego.go.vocabulary.errors import GoError
from montego.go.vocabulary.timing import check_seconds
from montego.gtp.client import Engine, EngineError, split_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from montego.arena.record import GameRecord, PlayerRecord

SEED = "{seed}"
START_ATTEMPTS, START_PAUSE = 3, 1.0  # For engines that could be started before.
TABLE_ATTEMPTS, TABLE_PAUSE = 5, 2.0  # For tables elsewhere that were lost.


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


class TableLost(GoError):  # noqa: N818  # Named for what happened.
    """A table elsewhere that is gone, with its game; the game is played again."""


class Table(Protocol):
    """Where one game at a time is played."""

    def play(self, fixture: Fixture, series: Series) -> PlayedGame:
        """Play a game to its end.

        Raises:
            TableLost: If nobody knows what became of it.
            GoError: If an engine cannot be started, or is another version than before.
        """

    def close(self) -> None:
        """End its engines."""


class Venue(Protocol):
    """Tables on other machines."""

    def tables(self) -> Iterable[Table]:
        """Return the tables that there are.

        Raises:
            GoError: If there is none.
        """

    def abort(self) -> None:
        """End all games at once."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """How the games of a match, a tournament or a tuning are played."""

    conditions: Conditions = field(default_factory=Conditions)
    openings: tuple[Opening, ...] = ()
    seed: int | None = None
    referee: EngineSpec | None = None
    concurrency: int = 1
    """Games at a time."""
    venue: Venue | None = None
    """Where they are played, if not here; it has as many tables as it has."""

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
    if series.venue is None:
        tables: list[Table] = [OwnTable(hall) for _ in range(max(1, series.concurrency))]
    else:
        tables = list(series.venue.tables())
    count = len(tables)
    workers = [threading.Thread(target=hall.work, args=(one,), daemon=True) for one in tables]
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
                if isinstance(brought, TableLost) and count:
                    continue  # Others play its games.
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


class Start(Protocol):
    """What a table asks of the hall that it stands in."""

    is_aborted: bool

    def register(self, engine: Engine) -> None:
        """Hear of an engine that is about to run."""

    def dismiss(self, engine: Engine) -> None:
        """Hear of one that has ended."""

    def recognize(self, name: str, title: str, sources: str | None) -> None:
        """See that an engine is the one that played under its name before.

        Raises:
            GoError: If it has changed.
        """


class Anywhere:
    """A hall for a table that stands alone: whoever asked it for a game looks at the engines."""

    is_aborted = False

    def register(self, engine: Engine) -> None:
        """Take no note of it."""

    def dismiss(self, engine: Engine) -> None:
        """Take no note of it."""

    def recognize(self, name: str, title: str, sources: str | None) -> None:
        """Take it as it is."""


class OwnTable:
    """A table in this process."""

    def __init__(self, hall: Start) -> None:
        self._hall = hall
        self._seats: dict[str, Engine] = {}
        self._proven: set[str] = set()  # Names of engines that have been started.

    def play(self, fixture: Fixture, series: Series) -> PlayedGame:
        """Play a game to its end; engines that are not needed any more are ended before."""
        seats, seed = self._seats, fixture.assignment.seed
        first, second = f"player {fixture.black.name}", f"player {fixture.white.name}"
        if first == second:
            second += " again"  # An engine against itself is two processes.
        for key in [key for key in seats if key not in (first, second, "referee")]:
            self._end(seats.pop(key))
        black = self._seat(first, fixture.black, seed)
        white = self._seat(second, fixture.white, seed)
        third = series.referee
        referee = None if third is None else self._seat("referee", third, seed)
        return play_game(black, white, series.conditions, fixture.assignment, referee=referee)

    def close(self) -> None:
        """End its engines."""
        for engine in self._seats.values():
            self._end(engine)
        self._seats.clear()

    def _seat(self, key: str, spec: EngineSpec, seed: int | None) -> Engine:
        """Return a running engine, the one of the last game if it is still good."""
        seats = self._seats
        engine = seats.pop(key, None)
        if engine is not None and engine.is_usable and SEED not in spec.command:
            seats[key] = engine
            return engine
        if engine is not None:
            self._end(engine)
        for attempt in range(1, START_ATTEMPTS + 1):
            try:
                seats[key] = started = spec.start(seed, register=self._hall.register)
            except EngineError:
                # An engine that has run before may have stumbled; one that has not never will.
                is_new = spec.name not in self._proven
                if is_new or attempt == START_ATTEMPTS or self._hall.is_aborted:
                    raise
                time.sleep(START_PAUSE)
                continue
            self._proven.add(spec.name)
            if key != "referee":
                self._hall.recognize(started.name, started.title, started.sources)
            return started
        raise AssertionError(spec)

    def _end(self, engine: Engine) -> None:
        engine.close()
        self._hall.dismiss(engine)


class _Hall:
    """What the workers share."""

    def __init__(
        self, fixtures: Iterator[Fixture], series: Series, before: Iterable[GameRecord]
    ) -> None:
        self.results: queue.SimpleQueue[PlayedGame | BaseException | None] = queue.SimpleQueue()
        self.is_closing = threading.Event()
        self._fixtures = fixtures
        self._series = series
        self._lock = threading.Condition()
        self._engines: set[Engine] = set()
        self._returned: list[Fixture] = []  # Of tables that were lost.
        self._under_way = 0
        self.is_aborted = False
        self._known: dict[str, _Version] = {
            player.name: _Version(player.version, player.sources)
            for record in before
            for player in (record.black, record.white)
        }

    def abort(self) -> None:
        """End all engines at once, whatever they do."""
        self.is_closing.set()
        with self._lock:
            self.is_aborted = True
            for engine in self._engines:
                engine.abandon()
            self._lock.notify_all()
        if self._series.venue is not None:
            self._series.venue.abort()

    def work(self, table: Table) -> None:
        """Play fixtures at a table until there are none left. Runs in a thread of its own."""
        failure: BaseException | None = None
        lost = 0  # How often, without a game in between.
        try:
            while (fixture := self._next()) is not None:
                try:
                    played = table.play(fixture, self._series)
                    if self._series.venue is not None:
                        self._recognize_players(played.record)
                except TableLost:
                    lost += 1
                    self._ended(fixture)
                    if lost == TABLE_ATTEMPTS or self.is_aborted:
                        raise
                    self.is_closing.wait(TABLE_PAUSE)
                    continue
                except BaseException:
                    self._ended()
                    raise
                lost = 0
                if not self.is_aborted:
                    self.results.put(played)
                self._ended()
        except BaseException as error:  # noqa: BLE001  # Whatever it is, the main thread hears.
            failure = error
        finally:
            table.close()
            self.results.put(failure)

    def _next(self) -> Fixture | None:
        """Return what to play next; at a venue it may be a game that somebody else has lost."""
        with self._lock:
            while not self.is_closing.is_set():
                found = self._returned.pop() if self._returned else next(self._fixtures, None)
                if found is not None:
                    self._under_way += 1
                    return found
                if self._series.venue is None or self._under_way == 0:
                    break
                self._lock.wait(0.5)
            return None

    def _ended(self, again: Fixture | None = None) -> None:
        """Note that a game has ended, or has to be played *again*."""
        with self._lock:
            self._under_way -= 1
            if again is not None:
                self._returned.append(again)
            self._lock.notify_all()

    def _recognize_players(self, record: GameRecord) -> None:
        players: tuple[PlayerRecord, ...] = (record.black, record.white)
        for player in players:
            self.recognize(player.name, player.version, player.sources)

    def recognize(self, name: str, title: str, sources: str | None) -> None:
        """See that an engine is the one that played under its name before.

        Raises:
            GoError: If it has changed.
        """
        now = _Version(title, sources)
        with self._lock:
            before = self._known.setdefault(name, now)
            if before.sources is None:
                self._known[name] = now
        if change := before.change_to(now):
            raise GoError(
                f"{name} has changed since the games that are kept: {change}; choose "
                "another folder, or say --anew to begin anew"
            )

    def register(self, engine: Engine) -> None:
        """Put an engine where :meth:`abort` finds it."""
        with self._lock:
            self._engines.add(engine)
            if self.is_aborted:
                engine.abandon()

    def dismiss(self, engine: Engine) -> None:
        """Forget an engine that has ended."""
        with self._lock:
            self._engines.discard(engine)
