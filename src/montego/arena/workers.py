"""Several games at a time: threads that take fixtures, start engines and play.

A worker keeps its engines from game to game, starts them anew when they failed, and ends those the
next fixture does not need. The games themselves are :func:`montego.arena.contest.play_game`'s.
"""

from __future__ import annotations

import functools
import queue
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.arena.clock import check_seconds
from montego.arena.contest import Assignment, Conditions, PlayedGame, play_game
from montego.arena.verdict import agree, refer
from montego.gtp.client import Engine, EngineError, split_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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

    def start(self, seed: int | None = None) -> Engine:
        """Start the engine and let it introduce itself.

        Raises:
            EngineError: If it cannot be started, or fails at once.
        """
        engine = self.launch(seed)
        try:
            engine.introduce()
        except EngineError:
            engine.close()
            raise
        except BaseException:  # Ctrl-C does not reach it: it has a session of its own.
            engine.abandon()
            engine.close()
            raise
        return engine

    def launch(self, seed: int | None = None) -> Engine:
        """Start the engine and say nothing to it yet.

        Raises:
            EngineError: If it cannot be started.
        """
        words = [
            word.replace(SEED, str(0 if seed is None else seed))
            for word in split_command(self.command)
        ]
        return Engine(words, name=self.name, timeout=self.timeout, start_timeout=self.start_timeout)


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    black: EngineSpec
    white: EngineSpec
    assignment: Assignment


def play_fixtures(
    fixtures: Iterable[Fixture],
    conditions: Conditions,
    keep: Callable[[PlayedGame], bool],
    *,
    concurrency: int = 1,
    referee: EngineSpec | None = None,
) -> None:
    """Play all fixtures, *concurrency* at a time; call *keep* here with each game as it ends.

    No new game begins once *keep* returned False; those that run are finished and kept. Fixtures
    are taken from the iterable one by one, under a lock. Ctrl-C ends all engines, and what they
    were playing is not kept.

    Raises:
        EngineError: If an engine cannot be started at all.
    """
    hall = _Hall(iter(fixtures), conditions, referee)
    workers = [threading.Thread(target=hall.work, daemon=True) for _ in range(max(1, concurrency))]
    for worker in workers:
        worker.start()
    try:
        failure = _collect(hall, keep, len(workers))
    except BaseException:
        hall.abort()
        raise
    finally:
        for worker in workers:
            worker.join()
    if failure is not None:
        raise failure


def _collect(hall: _Hall, keep: Callable[[PlayedGame], bool], working: int) -> BaseException | None:
    """Take what the workers bring until all are done; return the first failure."""
    failure: BaseException | None = None
    while working:
        try:
            brought = hall.results.get(timeout=0.5)  # Not forever: Windows hears no Ctrl-C then.
        except queue.Empty:
            continue
        if isinstance(brought, PlayedGame):
            if not keep(brought):
                hall.is_closing.set()
        else:
            working -= 1
            if brought is not None:
                failure = failure or brought
                hall.is_closing.set()
    return failure


class _Hall:
    """What the workers share."""

    def __init__(
        self, fixtures: Iterator[Fixture], conditions: Conditions, referee: EngineSpec | None
    ) -> None:
        self.results: queue.SimpleQueue[PlayedGame | BaseException | None] = queue.SimpleQueue()
        self.is_closing = threading.Event()
        self._fixtures = fixtures
        self._conditions = conditions
        self._referee = referee
        self._lock = threading.Lock()
        self._engines: set[Engine] = set()
        self._proven: set[str] = set()  # Names of engines that have been started.
        self._is_aborted = False

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
        needed = {"black": fixture.black, "white": fixture.white}
        keys = {color: f"player {spec.name}" for color, spec in needed.items()}
        if fixture.black.name == fixture.white.name:
            keys["white"] += " again"  # An engine against itself is two processes.
        for key in [key for key in seats if key not in (*keys.values(), "referee")]:
            self._end(seats.pop(key))
        players = {
            color: self._seat(seats, keys[color], spec, seed) for color, spec in needed.items()
        }
        judge = agree
        if self._referee is not None:
            third = self._seat(seats, "referee", self._referee, seed)
            judge = functools.partial(refer, referee=third)
        played = play_game(
            players["black"], players["white"], self._conditions, fixture.assignment, judge=judge
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
                return self._launch(seats, key, spec, seed)
            except EngineError:
                # An engine that has run before may have stumbled; one that has not never will.
                if spec.name not in self._proven or attempt == START_ATTEMPTS or self._is_aborted:
                    raise
                time.sleep(START_PAUSE)
        raise AssertionError(spec)

    def _launch(
        self, seats: dict[str, Engine], key: str, spec: EngineSpec, seed: int | None
    ) -> Engine:
        """Start an engine where :meth:`abort` finds it, and let it introduce itself."""
        engine = spec.launch(seed)
        with self._lock:
            self._engines.add(engine)
            if self._is_aborted:
                engine.abandon()
        try:
            engine.introduce()
        except EngineError:
            self._end(engine)
            raise
        seats[key] = engine
        self._proven.add(spec.name)
        return engine

    def _end(self, engine: Engine) -> None:
        engine.close()
        with self._lock:
            self._engines.discard(engine)
