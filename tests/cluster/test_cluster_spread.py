"""Games and trials elsewhere, with tables and seats that are here and get lost at will."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from arena_engines import collect, tiny, tiny_match
from montego.arena import workers
from montego.arena.match import run_match
from montego.arena.workers import Anywhere, OwnTable, TableLost
from montego.experiments import workers as trial_workers
from montego.experiments.experiment import Trial
from montego.experiments.workers import FailedTrial, SpreadPool
from montego.go.vocabulary.errors import GoError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from montego.arena.contest import PlayedGame
    from montego.arena.record import GameRecord
    from montego.arena.workers import Fixture, Series


class ShakyTable:
    """A table that is lost at some of its games, after they were played."""

    def __init__(self, lost: set[int]) -> None:
        self._table = OwnTable(Anywhere())
        self._lost = lost
        self.numbers: list[int] = []

    def play(self, fixture: Fixture, series: Series) -> PlayedGame:
        self.numbers.append(fixture.assignment.number)
        played = self._table.play(fixture, series)
        if fixture.assignment.number in self._lost:
            self._lost.discard(fixture.assignment.number)
            raise TableLost("its process has ended")
        return played

    def close(self) -> None:
        self._table.close()


class Room:
    """A venue of such tables."""

    def __init__(self, *tables: ShakyTable) -> None:
        self._tables = tables
        self.aborted = threading.Event()

    def tables(self) -> list[ShakyTable]:
        return list(self._tables)

    def abort(self) -> None:
        self.aborted.set()


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "TABLE_PAUSE", 0.0)
    monkeypatch.setattr(trial_workers, "LOST_PAUSE", 0.0)


def test_a_lost_game_is_played_again_and_counted_once(tmp_path: Path) -> None:
    tables = [ShakyTable({0, 5}), ShakyTable({1, 5})]
    kept: list[int] = []

    def report(_: object, record: GameRecord | None) -> bool:
        if record is not None:
            kept.append(record.game)
        return True

    match = tiny_match(tiny("one"), tiny("other"), games=6, venue=Room(*tables))
    summary = run_match(match, tmp_path / "games", report=report)
    assert summary.tally.games == 6
    assert sorted(kept) == [0, 1, 2, 3, 4, 5]
    assert len(tables[0].numbers) + len(tables[1].numbers) > 6


def test_a_table_that_stays_lost_leaves_its_games_to_others() -> None:
    class GoneTable(ShakyTable):
        def play(self, fixture: Fixture, series: Series) -> PlayedGame:
            del series
            self.numbers.append(fixture.assignment.number)
            raise TableLost("its machine is gone")

    gone, good = GoneTable(set()), ShakyTable(set())
    match = tiny_match(tiny("one"), tiny("other"), games=3, venue=Room(gone, good))
    assert run_match(match).tally.games == 3
    with pytest.raises(TableLost, match="its machine is gone"):
        run_match(tiny_match(tiny("one"), tiny("other"), venue=Room(GoneTable(set()))))


def test_ctrl_c_ends_what_is_played_elsewhere() -> None:
    room = Room(ShakyTable(set()))

    def report(_: object, record: GameRecord | None) -> bool:
        if record is not None:
            raise KeyboardInterrupt
        return True

    match = tiny_match(tiny("one"), tiny("other"), games=2, venue=room)
    with pytest.raises(KeyboardInterrupt):
        run_match(match, report=report)
    assert room.aborted.is_set()


def test_engines_elsewhere_must_be_those_that_played_before() -> None:
    records: list[GameRecord] = []
    match = tiny_match(tiny("one"), tiny("two"), games=1, venue=Room(ShakyTable(set())))
    run_match(match, report=collect(records))
    older = [replace(record, black=replace(record.black, version="0.1")) for record in records]
    kept: list[PlayedGame] = []

    def keep(played: PlayedGame) -> bool:
        kept.append(played)
        return True

    with pytest.raises(GoError, match="has changed since the games that are kept"):
        workers.play_fixtures([match.fixture(0)], match, keep, before=older)
    assert not kept


class Seat:
    """A seat in this process that may be gone."""

    def __init__(self, gone: Callable[[], bool] = lambda: False) -> None:
        self._gone = gone

    def ask(self, method: str, *arguments: Any) -> Future[Any]:
        assert method == "run"
        function, given = arguments
        future: Future[Any] = Future()
        if self._gone():
            future.set_exception(GoError("its process has ended"))
        else:
            future.set_result(function(*given))
        return future


def double(trial: Trial) -> int:
    return 2 * trial.number


TRIALS = [Trial(cell="all", number=number) for number in range(5)]


def test_trials_of_a_lost_seat_are_tried_again() -> None:
    falls = [True, False, True, False]
    pool = SpreadPool(lambda: [Seat(lambda: bool(falls) and falls.pop()), Seat()], lambda: None)
    found = list(pool.run(double, TRIALS))
    values = [result.value for result in found if not isinstance(result, FailedTrial)]
    assert sorted(values) == [0, 2, 4, 6, 8]


def test_trials_that_nobody_can_run_have_failed() -> None:
    pool = SpreadPool(lambda: [Seat(lambda: True)], lambda: None)
    found = list(pool.run(double, TRIALS[:2], alone=True))
    assert all(isinstance(result, FailedTrial) for result in found)
    with pytest.raises(GoError, match="no machine"):
        list(SpreadPool(list, lambda: None).run(double, TRIALS))
    assert list(pool.run(double, TRIALS, may_begin=lambda: False)) == []
