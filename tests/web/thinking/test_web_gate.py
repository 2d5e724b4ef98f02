"""The gate: few at a time, the urgent first, everybody in the end."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from montego.engine.cores import usable_cores
from montego.web.thinking import gate as module
from montego.web.thinking.gate import Gate, Ticket, Urgency

if TYPE_CHECKING:
    from collections.abc import Callable

SOON = 10.0


@pytest.fixture(autouse=True)
def _no_impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 1000.0)


class Waiter:
    """A thread that waits at a gate."""

    def __init__(
        self, gate: Gate, urgency: Urgency, interrupt: Callable[[], None] | None = None
    ) -> None:
        self.ticket = gate.ticket(urgency, interrupt)
        self.entered: bool | None = None
        before = gate.waiting + gate.searching
        self._thread = threading.Thread(target=self._wait)
        self._thread.start()
        until(lambda: gate.waiting + gate.searching > before)

    def _wait(self) -> None:
        self.entered = self.ticket.enter()

    def finish(self) -> bool:
        self._thread.join(SOON)
        assert self.entered is not None
        return self.entered


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def admitted(gate: Gate, urgency: Urgency = Urgency.PERSON) -> Ticket:
    ticket = gate.ticket(urgency)
    assert ticket.enter()
    return ticket


def test_no_more_than_the_places_are_inside() -> None:
    gate = Gate(2)
    most = 0
    lock = threading.Lock()

    def search() -> None:
        nonlocal most
        with gate.place(Urgency.GAME):
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
        name: Waiter(gate, urgency)
        for name, urgency in [
            ("study", Urgency.STUDY),
            ("game", Urgency.GAME),
            ("first person", Urgency.PERSON),
            ("second person", Urgency.PERSON),
        ]
    }

    order = []
    inside.leave()
    while waiters:
        until(lambda: any(waiter.entered for waiter in waiters.values()))
        name = next(name for name, waiter in waiters.items() if waiter.entered)
        order.append(name)
        waiters.pop(name).ticket.leave()

    assert order == ["first person", "second person", "game", "study"]


def test_who_is_cancelled_waits_no_longer() -> None:
    gate = Gate(1)
    inside = admitted(gate)
    waiter = Waiter(gate, Urgency.PERSON)

    waiter.ticket.cancel()

    assert not waiter.finish()
    assert gate.waiting == 0
    inside.leave()
    assert gate.searching == 0
    cancelled = gate.ticket(Urgency.PERSON)
    cancelled.cancel()
    assert not cancelled.enter()


def test_a_study_gives_way_to_a_person_at_once() -> None:
    gate = Gate(1)
    interrupted = threading.Event()
    study = gate.ticket(Urgency.STUDY, interrupted.set)
    assert study.enter()

    person = Waiter(gate, Urgency.PERSON)

    assert interrupted.wait(SOON)
    assert study.asked_to_leave
    study.leave()
    assert person.finish()
    person.ticket.leave()


def test_studies_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.05)
    gate = Gate(1)
    turns: list[str] = []

    def study(name: str) -> None:
        for _ in range(3):
            asked = threading.Event()
            with gate.place(Urgency.STUDY, asked.set):
                turns.append(name)
                if len(turns) < 5:
                    asked.wait(SOON)

    threads = [threading.Thread(target=study, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)

    assert "".join(turns) in ("ababab", "bababa")


def test_a_search_that_ends_by_itself_is_not_interrupted_by_its_equals() -> None:
    gate = Gate(1)
    inside = admitted(gate, Urgency.GAME)
    waiter = Waiter(gate, Urgency.PERSON)

    assert not inside.asked_to_leave
    inside.leave()
    assert waiter.finish()


def test_an_impatient_person_is_let_in_beyond_the_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    gate = Gate(1)
    crowd = [admitted(gate, Urgency.GAME)]
    study = Waiter(gate, Urgency.STUDY)

    crowd += [admitted(gate, Urgency.PERSON) for _ in range(module.CROWD - 1)]
    last = Waiter(gate, Urgency.PERSON)

    assert gate.searching == module.CROWD
    assert gate.waiting == 2
    for ticket in crowd:
        ticket.leave()
    assert last.finish()
    assert last.ticket.cancelled is False
    last.ticket.leave()
    assert study.finish()


def test_there_is_always_a_place() -> None:
    assert Gate(0).places == 1
    assert Gate().places == usable_cores() >= 1
