"""The gate: few at a time, the urgent first, everybody in the end."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from montego.engine.options.options import usable_cores
from montego.web.session import scheduler as module
from montego.web.session.scheduler import Gate, SessionJob, Urgency

if TYPE_CHECKING:
    from collections.abc import Callable

SOON = 10.0


@pytest.fixture(autouse=True)
def _no_impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 1000.0)


class Search:
    """A thread that waits at a gate, and then searches until it is told to end."""

    def __init__(self, gate: Gate, urgency: Urgency) -> None:
        self.job = SessionJob(urgency=urgency)
        self.is_inside = False
        self.was_admitted: bool | None = None
        self._end = threading.Event()
        self._gate = gate
        before = gate.waiting + gate.searching
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        until(lambda: gate.waiting + gate.searching > before)

    def _run(self) -> None:
        with self._gate.place(self.job) as was_admitted:
            self.is_inside = self.was_admitted = was_admitted
            if was_admitted:
                self._end.wait(SOON)

    def enter(self) -> None:
        until(lambda: self.is_inside)

    def leave(self) -> bool:
        """End the search, and say whether it ever had a place."""
        self._end.set()
        self._thread.join(SOON)
        assert self.was_admitted is not None
        return self.was_admitted


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def admitted(gate: Gate, urgency: Urgency = Urgency.PERSON) -> Search:
    search = Search(gate, urgency)
    search.enter()
    return search


def test_no_more_than_the_places_are_inside() -> None:
    gate = Gate(2)
    most = 0
    lock = threading.Lock()

    def search() -> None:
        nonlocal most
        with gate.place(SessionJob(urgency=Urgency.GAME)):
            with lock:
                most = max(most, gate.searching)
            time.sleep(0.005)

    threads = [threading.Thread(target=search) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)

    assert most == 2
    assert (gate.searching, gate.waiting) == (0, 0)


def test_the_urgent_go_first_and_then_those_who_came_first() -> None:
    gate = Gate(1)
    inside = admitted(gate)
    waiters = {
        name: Search(gate, urgency)
        for name, urgency in [
            ("analysis", Urgency.ANALYSIS),
            ("game", Urgency.GAME),
            ("first person", Urgency.PERSON),
            ("second person", Urgency.PERSON),
        ]
    }

    order = []
    inside.leave()
    while waiters:
        until(lambda: any(waiter.is_inside for waiter in waiters.values()))
        name = next(name for name, waiter in waiters.items() if waiter.is_inside)
        order.append(name)
        waiters.pop(name).leave()

    assert order == ["first person", "second person", "game", "analysis"]


def test_who_is_dropped_waits_no_longer() -> None:
    gate = Gate(1)
    inside = admitted(gate)
    waiter = Search(gate, Urgency.PERSON)

    gate.drop(waiter.job)

    assert waiter.job.interrupt.is_set()
    assert not waiter.leave()
    assert gate.waiting == 0
    inside.leave()
    assert gate.searching == 0
    dropped = SessionJob(urgency=Urgency.PERSON)
    gate.drop(dropped)
    with gate.place(dropped) as was_admitted:
        assert not was_admitted


def test_who_does_not_search_needs_no_place() -> None:
    gate = Gate(1)
    inside = admitted(gate)
    with gate.place(SessionJob()) as was_admitted:
        assert was_admitted
        assert gate.searching == 1
    inside.leave()


def test_an_analysis_gives_way_to_a_person_at_once() -> None:
    gate = Gate(1)
    analysis = admitted(gate, Urgency.ANALYSIS)

    person = Search(gate, Urgency.PERSON)

    assert analysis.job.interrupt.wait(SOON)
    assert analysis.job.asked_to_leave
    analysis.leave()
    assert person.leave()


def test_analyses_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.05)
    gate = Gate(1)
    turns: list[str] = []

    def analyze(name: str) -> None:
        for _ in range(3):
            job = SessionJob(urgency=Urgency.ANALYSIS)
            with gate.place(job):
                turns.append(name)
                if len(turns) < 5:
                    job.interrupt.wait(SOON)

    threads = [threading.Thread(target=analyze, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)

    assert "".join(turns) in ("ababab", "bababa")


def test_a_search_that_ends_by_itself_is_not_interrupted() -> None:
    gate = Gate(1)
    inside = admitted(gate, Urgency.GAME)
    waiter = Search(gate, Urgency.PERSON)

    assert not inside.job.asked_to_leave
    assert not inside.job.interrupt.is_set()
    inside.leave()
    assert waiter.leave()


def test_an_impatient_person_is_let_in_beyond_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    gate = Gate(1)
    crowd = [admitted(gate, Urgency.GAME)]
    analysis = Search(gate, Urgency.ANALYSIS)

    crowd += [admitted(gate, Urgency.PERSON) for _ in range(module.CROWD - 1)]
    last = Search(gate, Urgency.PERSON)

    assert gate.searching == module.CROWD
    assert gate.waiting == 2
    for search in crowd:
        search.leave()
    last.enter()
    assert last.leave()
    analysis.enter()
    assert analysis.leave()


def test_there_is_always_a_place() -> None:
    assert Gate(0).places == 1
    assert Gate().places == usable_cores() >= 1
